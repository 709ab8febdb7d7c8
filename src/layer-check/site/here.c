/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes call sites: walks from the layer's frame through the library's to the first one that
 * is not the library's.  What is learned of a return address stays true, so each is looked
 * into once and kept in a table; from then on, a walk is a look into the table for each
 * frame.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "layer-check/site/site.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#if defined(__has_include)
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define HAVE_BACKTRACE 1
#endif
#endif

#include "base/lock.h"
#include "base/own_text.h"
#include "layer-check/site/python.h"
#include "layer-check/site/rule.h"

/* ---- What is known of return addresses ----------------------------------------------------- */

enum caller {
    UNKNOWN,   /* is not in the table                                               */
    LIBRARY,   /* the library, with a rule that leads to its caller                 */
    IRREGULAR, /* the library, with none                                            */
    PROGRAM,   /* the program                                                       */
    PYTHON,    /* an extension of Python, or what calls C for it                    */
    NOBODY     /* what starts threads and ends processes; or it cannot be told      */
};

struct known {
    enum caller caller;
    struct ck_rule rule; /* of LIBRARY */
};

/* One word, so that it is read and written at once. */
static uint64_t pack_known(struct known known)
{
    struct ck_rule rule = known.rule;
    return (uint64_t)known.caller | (uint64_t)rule.from_frame_pointer << 8 |
        (uint64_t)rule.saves_frame_pointer << 9 | (uint64_t)rule.cfa << 16 |
        (uint64_t)(uint16_t)rule.return_address << 32 |
        (uint64_t)(uint16_t)rule.frame_pointer << 48;
}

static struct known unpack_known(uint64_t word)
{
    return (struct known){
        .caller = (enum caller)(word & 0xff),
        .rule = { .from_frame_pointer = word >> 8 & 1,
                  .saves_frame_pointer = word >> 9 & 1,
                  .cfa = (uint16_t)(word >> 16),
                  .return_address = (int16_t)(word >> 32),
                  .frame_pointer = (int16_t)(word >> 48) },
    };
}

#define TABLE_BITS 13
#define PROBES 16

/* Open addressing.  An entry is written once, under the lock, the address last; it is read
 * without the lock. */
static struct {
    atomic_uintptr_t address;
    atomic_uint_least64_t known;
} table[1 << TABLE_BITS];

static struct rl_lock table_lock;

static size_t first_index(uintptr_t address)
{
    return (size_t)((uint64_t)address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TABLE_BITS));
}

static size_t next_index(size_t index)
{
    return (index + 1) & ((1u << TABLE_BITS) - 1);
}

static struct known find_known(uintptr_t address)
{
    size_t index = first_index(address);
    for (int i = 0; i < PROBES; i++, index = next_index(index)) {
        uintptr_t other = atomic_load_explicit(&table[index].address, memory_order_acquire);
        if (other == address)
            return unpack_known(atomic_load_explicit(&table[index].known, memory_order_relaxed));
        if (!other) break;
    }
    return (struct known){ .caller = UNKNOWN };
}

/* Where there is no room nearby, nothing is kept, and the address is looked into each time. */
static void keep_known(uintptr_t address, struct known known)
{
    size_t index = first_index(address);
    rl_lock(&table_lock);
    for (int i = 0; i < PROBES; i++, index = next_index(index)) {
        uintptr_t other = atomic_load_explicit(&table[index].address, memory_order_relaxed);
        if (other == address) break;
        if (other) continue;
        atomic_store_explicit(&table[index].known, pack_known(known), memory_order_relaxed);
        atomic_store_explicit(&table[index].address, address, memory_order_release);
        break;
    }
    rl_unlock(&table_lock);
}

/* ---- Looking into one ---------------------------------------------------------------------- */

static bool is_system(const char *module)
{
    static const char *const names[] = {
        "libc.so", "libpthread.so", "ld-musl", "libasan.so", "libtsan.so", "libubsan.so",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(module, names[i], strlen(names[i]))) return true;
    return false;
}

static enum caller caller_outside(uintptr_t address)
{
    Dl_info info;
    const void *inside;
    memcpy(&inside, &address, sizeof inside);
    if (!rl_knows_own_text()) return NOBODY;
    if (!dladdr(inside, &info) || !info.dli_fname) return PROGRAM;
    const char *slash = strrchr(info.dli_fname, '/');
    const char *module = slash ? slash + 1 : info.dli_fname;
    if (is_system(module)) return NOBODY;
    return ck_is_python_module(module) ? PYTHON : PROGRAM;
}

static struct known look_into(uintptr_t address)
{
    struct known known = { .caller = IRREGULAR };
    if (!rl_is_own_text(address - 1)) known.caller = caller_outside(address - 1);
    else if (ck_read_rule(address, &known.rule)) known.caller = LIBRARY;
    keep_known(address, known);
    return known;
}

static struct known known_of(uintptr_t address)
{
    struct known known = find_known(address);
    return known.caller == UNKNOWN ? look_into(address) : known;
}

/* ---- The walk ------------------------------------------------------------------------------ */

static const void *site_outside(uintptr_t address, enum caller caller)
{
    const void *site = NULL;
    if (caller == NOBODY) return NULL;
    if (caller == PYTHON) site = ck_python_site();
    if (!site) memcpy(&site, &address, sizeof site);
    return site;
}

/* Walks with the system's unwinder, which can read each frame, and takes microseconds. */
static const void *unwind_to_program(void)
{
#ifdef HAVE_BACKTRACE
    enum { FRAMES_MAX = 100 };
    void *frames[FRAMES_MAX];
    int count = backtrace(frames, FRAMES_MAX);
    for (int i = 0; i < count; i++) {
        enum caller caller = known_of((uintptr_t)frames[i]).caller;
        if (caller != LIBRARY && caller != IRREGULAR)
            return site_outside((uintptr_t)frames[i], caller);
    }
#endif
    return NULL;
}

/* A frame of the stack, at its call: its registers, and where the call returns to. */
struct frame {
    const uintptr_t *stack_pointer, *frame_pointer;
    uintptr_t address;
};

static const uintptr_t *pointer_at(const uintptr_t *at)
{
    const uintptr_t *pointer;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

/* Makes of a frame its caller's. */
static void go_to_caller(struct frame *frame, struct ck_rule rule)
{
    const uintptr_t *cfa =
        (rule.from_frame_pointer ? frame->frame_pointer : frame->stack_pointer) + rule.cfa;
    frame->address = cfa[rule.return_address];
    if (rule.saves_frame_pointer) frame->frame_pointer = pointer_at(cfa + rule.frame_pointer);
    frame->stack_pointer = cfa;
}

/* Its own frame begins with the caller's frame pointer and the return address, since it asks
 * for its frame's address.  Not to be inlined, for there the first frame is the caller's. */
__attribute__((noinline)) const void *ck_site_here(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
    enum { FRAMES_MAX = 64 };
    const uintptr_t *record = __builtin_frame_address(0);
    struct frame frame = { __builtin_dwarf_cfa(), pointer_at(record), record[1] };
    for (int i = 0; i < FRAMES_MAX; i++) {
        struct known known = known_of(frame.address);
        if (known.caller == IRREGULAR) break;
        if (known.caller != LIBRARY) return site_outside(frame.address, known.caller);
        go_to_caller(&frame, known.rule);
    }
#endif
    return unwind_to_program();
}
