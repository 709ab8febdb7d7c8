/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs for ThreadSanitizer are made of.
 */
#ifndef TSAN_PARTS_H
#define TSAN_PARTS_H

#include <rill/rill.h>

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(call) must(#call, call)

static inline void must(const char *call, rill_status status)
{
    if (!status) return;
    printf("%s: %d: %s\n", call, (int)status, rill_last_error()->message);
    exit(2);
}

struct fixture {
    rill_platform *platform;
    rill_context *context;
    rill_stream *a, *b, *apart; /* the last one is non-blocking */
    rill_event *event, *other;
    rill_devptr memory;
    int *pinned;
};

/* One of them; `missing` is set only where it `can_miss`, and then the order is. */
struct program {
    const char *name;
    void (*run)(const struct fixture *it, bool missing);
    bool can_miss;
};

/* What a program works on lives on, so that no address is used twice.  It is touched first: TSan
 * may miss another access while it makes room for what it notes of one. */
static inline int *new_shared(void)
{
    static int rows[256][16];
    static int next;
    *(volatile int *)rows[next] = 0;
    return rows[next++];
}

static inline int *malloc_shared(void)
{
    return calloc(16, sizeof(int));
}

/* TSan may miss two accesses at the very same moment, but hardly ten of them. */
__attribute__((unused)) static void add_one(void *shared)
{
    for (int i = 0; i < 10; i++) ++*(volatile int *)shared;
}

__attribute__((unused)) static void destroy_one(void *shared)
{
    ++*(int *)shared;
}

/* Reads memory. */
static inline void use(const int *value)
{
    (void)*(const volatile int *)value;
}

/* The thread that runs it has such a variable, and a stack that others used before. */
__attribute__((unused)) static void fill_own(void *data)
{
    static _Thread_local int own;
    volatile int local[256];
    (void)data;
    for (int i = 0; i < 256; i++) local[i] = i;
    own += local[17];
    *(volatile int *)&own = own;
}

static inline void finish(const struct fixture *it)
{
    MUST(rill_context_synchronize(it->context));
}

static inline void set_up(struct fixture *it)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim" };
    const rill_stream_options apart = { .size = sizeof apart, .flags = RILL_STREAM_NON_BLOCKING };
    void *pinned = NULL;
    MUST(rill_open(&options, &it->platform));
    MUST(rill_context_create(it->platform, NULL, &it->context));
    MUST(rill_stream_create(it->context, NULL, &it->a));
    MUST(rill_stream_create(it->context, NULL, &it->b));
    MUST(rill_stream_create(it->context, &apart, &it->apart));
    MUST(rill_event_create(it->context, NULL, &it->event));
    MUST(rill_event_create(it->context, NULL, &it->other));
    MUST(rill_mem_alloc(it->context, 256, &it->memory));
    MUST(rill_host_alloc(it->context, 256, 0, &pinned));
    it->pinned = pinned;
}

static inline void tear_down(struct fixture *it)
{
    MUST(rill_host_free(it->context, it->pinned));
    MUST(rill_mem_free(it->context, it->memory));
    MUST(rill_event_destroy(&it->event));
    MUST(rill_event_destroy(&it->other));
    MUST(rill_stream_destroy(&it->a));
    MUST(rill_stream_destroy(&it->b));
    MUST(rill_stream_destroy(&it->apart));
    MUST(rill_context_destroy(&it->context));
    MUST(rill_close(&it->platform));
}

static inline int run_programs(const struct program *programs, size_t count, int argc, char **argv)
{
    const char *name = argc > 2 ? argv[2] : NULL;
    const bool missing = argc > 1 && !strcmp(argv[1], "missing");
    if (argc > 1 && !strcmp(argv[1], "names")) {
        for (size_t i = 0; i < count; i++)
            if (programs[i].can_miss) puts(programs[i].name);
        return 0;
    }
    struct fixture it;
    set_up(&it);
    for (size_t i = 0; i < count; i++)
        if (!name || !strcmp(programs[i].name, name)) programs[i].run(&it, missing);
    tear_down(&it);
    puts("done");
    return 0;
}

#endif
