/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is mapped twice, as a simulator has it that splits its views, and a listener that
 * notes what it is told.
 */
#ifndef TWICE_MAPPED_H
#define TWICE_MAPPED_H

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "layer-check/pages/pages.h"
#include "support/cmocka_all.h"

#define PAGE ((size_t)sysconf(_SC_PAGESIZE))
#define PAGES 8

struct memory {
    unsigned char *program, *backend; /* the same PAGES pages */
};

static inline struct memory map_twice(void)
{
    int file = memfd_create("twice", MFD_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (off_t)(PAGES * PAGE)), 0);
    struct memory memory = {
        mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
        mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
    };
    assert_true(memory.program != MAP_FAILED && memory.backend != MAP_FAILED);
    close(file);
    return memory;
}

static inline void unmap_twice(struct memory *memory)
{
    munmap(memory->program, PAGES * PAGE);
    munmap(memory->backend, PAGES * PAGE);
}

/* ---- Touches -------------------------------------------------------------------------------- */

#define TOUCHES_MAX 64

/* Every thread may touch. */
struct touches {
    atomic_uint count;
    struct ck_touch list[TOUCHES_MAX];
};

static inline void note_touch(void *data, const struct ck_touch *touch)
{
    struct touches *touches = data;
    unsigned number = atomic_fetch_add(&touches->count, 1);
    if (number < TOUCHES_MAX) touches->list[number] = *touch;
}

/* Asserts that there was one touch since the last time, and forgets it. */
static inline void assert_touched(struct touches *touches, const void *address, uint32_t how)
{
    assert_int_equal(atomic_exchange(&touches->count, 0), 1);
    assert_ptr_equal(touches->list[0].address, address);
#if defined(__x86_64__) || defined(__aarch64__)
    assert_int_equal(touches->list[0].how, how);
    assert_non_null(touches->list[0].instruction);
#else
    (void)how;
#endif
}

static inline void assert_untouched(struct touches *touches)
{
    assert_int_equal(atomic_exchange(&touches->count, 0), 0);
}

/* Single accesses, which no compiler leaves out or repeats. */
static inline unsigned char read_byte(const unsigned char *address)
{
    return *(const volatile unsigned char *)address;
}

static inline void write_byte(unsigned char *address, unsigned char value)
{
    *(volatile unsigned char *)address = value;
}

/* ---- System calls --------------------------------------------------------------------------- */

/* The calls that protect memory, and how many of the next ones are refused. */
extern atomic_long protect_calls, protect_calls_refused;

static inline long calls_since(void)
{
    return atomic_exchange(&protect_calls, 0);
}

/* Says so if the tests cannot run here. */
static inline bool skips_all(void)
{
    const char *reason = ck_pages_unusable();
    if (reason) printf("1..0 # SKIP %s\n", reason);
    return reason != NULL;
}

/* ---- A scene -------------------------------------------------------------------------------- */

struct scene {
    struct memory memory;
    struct touches touches;
    struct ck_pages *pages;
};

/* Opens a scene whose memory is added. */
int scene_open(void **state);
int scene_close(void **state);

static inline struct ck_until until(uint64_t line, uint64_t number)
{
    return (struct ck_until){ .line = line, .number = number };
}

static inline unsigned char *at(struct scene *scene, size_t page, size_t offset)
{
    return scene->memory.program + page * PAGE + offset;
}

/* Guards whole pages. */
static inline void guard_pages(struct scene *scene, size_t first, size_t count, uint32_t how,
                               struct ck_until end)
{
    assert_true(ck_pages_guard(scene->pages, scene->memory.program + first * PAGE, count * PAGE,
                               how, end));
}

/* Ends the guards of a line up to a number. */
static inline bool is_over(void *data, struct ck_until end)
{
    const struct ck_until *reached = data;
    return end.line == reached->line && end.number <= reached->number;
}

static inline void release_until(struct scene *scene, uint64_t line, uint64_t number)
{
    struct ck_until reached = { .line = line, .number = number };
    ck_pages_release(scene->pages, is_over, &reached);
}

#endif
