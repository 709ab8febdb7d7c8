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

#include "site/site.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#if defined(__has_include)
#if __has_include(<unwind.h>)
#include <unwind.h>
#define HAVE_UNWINDER 1
#endif
#endif

#include "base/lock.h"
#include "base/own_text.h"
#include "site/frame.h"
#include "site/python.h"
#include "site/stack.h"
#include "site/system.h"

/* ---- What is known of return addresses ----------------------------------------------------- */

enum caller {
    UNKNOWN,   /* is not in the table                                               */
    LIBRARY,   /* the library, with a rule that leads to its caller                 */
    IRREGULAR, /* the library, with none                                            */
    PROGRAM,   /* the program                                                       */
    PYTHON,    /* an extension of Python, or what calls C for it                    */
    NOBODY     /* what starts threads and ends processes; or it cannot be told      */
};

/* What is known is one word, so that it is read and written at once: a caller, and the rule
 * of LIBRARY. */
static uint64_t pack_known(enum caller caller, struct cs_rule rule)
{
    return (uint64_t)caller | (uint64_t)rule.from_frame_pointer << 8 |
        (uint64_t)rule.saves_frame_pointer << 9 | (uint64_t)rule.cfa << 16 |
        (uint64_t)(uint16_t)rule.return_address << 32 |
        (uint64_t)(uint16_t)rule.frame_pointer << 48;
}

static inline enum caller caller_in(uint64_t known)
{
    return (enum caller)(known & 0xff);
}

static inline struct cs_rule rule_in(uint64_t known)
{
    return (struct cs_rule){
        .cfa = (uint16_t)(known >> 16),
        .return_address = (int16_t)(known >> 32),
        .frame_pointer = (int16_t)(known >> 48),
        .from_frame_pointer = known >> 8 & 1,
        .saves_frame_pointer = known >> 9 & 1,
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

static inline size_t first_index(uintptr_t address)
{
    return (size_t)((uint64_t)address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TABLE_BITS));
}

static inline size_t next_index(size_t index)
{
    return (index + 1) & ((1u << TABLE_BITS) - 1);
}

static inline uint64_t find_known(uintptr_t address)
{
    size_t index = first_index(address);
    for (int i = 0; i < PROBES; i++, index = next_index(index)) {
        uintptr_t other = atomic_load_explicit(&table[index].address, memory_order_acquire);
        if (other == address)
            return atomic_load_explicit(&table[index].known, memory_order_relaxed);
        if (!other) break;
    }
    return UNKNOWN;
}

/* Where there is no room nearby, nothing is kept, and the address is looked into each time. */
static void keep_known(uintptr_t address, uint64_t known)
{
    size_t index = first_index(address);
    rl_lock(&table_lock);
    for (int i = 0; i < PROBES; i++, index = next_index(index)) {
        uintptr_t other = atomic_load_explicit(&table[index].address, memory_order_relaxed);
        if (other == address) break;
        if (other) continue;
        atomic_store_explicit(&table[index].known, known, memory_order_relaxed);
        atomic_store_explicit(&table[index].address, address, memory_order_release);
        break;
    }
    rl_unlock(&table_lock);
}

/* ---- Looking into one ---------------------------------------------------------------------- */

/* A runtime calls the driver for the program: its calls are the program's.  That is rill's, which
 * knows nothing of this library, or another one. */
static bool is_runtime_module(const char *module)
{
    return !strncmp(module, "libcudart.so", strlen("libcudart.so"));
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
    if (cs_is_system_module(module)) return NOBODY;
    if (is_runtime_module(module)) return LIBRARY;
    return cs_is_python_module(module) ? PYTHON : PROGRAM;
}

static uint64_t look_into(uintptr_t address)
{
    struct cs_rule rule = { .cfa = 0 };
    enum caller caller = rl_is_own_text(address - 1) ? LIBRARY : caller_outside(address - 1);
    if (caller == LIBRARY && !cs_read_rule(address, &rule)) caller = IRREGULAR;
    uint64_t known = pack_known(caller, rule);
    keep_known(address, known);
    return known;
}

static inline uint64_t known_of(uintptr_t address)
{
    uint64_t known = find_known(address);
    return caller_in(known) == UNKNOWN ? look_into(address) : known;
}

/* ---- The walk ------------------------------------------------------------------------------ */

static const void *site_outside(uintptr_t address, enum caller caller)
{
    const void *site = NULL;
    if (caller == NOBODY) return NULL;
    if (caller == PYTHON) site = cs_python_site();
    if (!site) memcpy(&site, &address, sizeof site);
    return site;
}

#ifdef HAVE_UNWINDER

/* What is noted while a stack is unwound. */
struct walk {
    const void **sites;
    size_t count, most;
    unsigned frames; /* so far */
    bool in_library; /* a frame of the library was met */
};

static bool goes_on(struct walk *walk, uintptr_t address)
{
    enum { FRAMES_MAX = 100 };
    enum caller caller = caller_in(known_of(address));
    bool library = caller == LIBRARY || caller == IRREGULAR;
    if (walk->frames++ == FRAMES_MAX) return false;
    if (library) walk->in_library = true;
    if (library || !walk->in_library) return true;
    if (caller == NOBODY) return false;
    walk->sites[walk->count++] = site_outside(address, caller);
    return caller != PYTHON && walk->count < walk->most;
}

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *walk)
{
    return goes_on(walk, _Unwind_GetIP(context)) ? _URC_NO_REASON : _URC_END_OF_STACK;
}

#endif

/* Walks with the compiler's unwinder, which can read each frame, and takes microseconds, and notes
 * up to so many frames of the program.  A sanitizer may have put a frame of its own before the
 * first one of the library; a function of the program that the library calls may have called it
 * again.  Returns how many there are.  (backtrace() of the C library is the same, but loads the
 * unwinder once more, which LeakSanitizer holds against the program.) */
static size_t unwind_to_program(const void **sites, size_t most)
{
    size_t count = 0;
#ifdef HAVE_UNWINDER
    struct walk walk = { .sites = sites, .most = most };
    _Unwind_Backtrace(visit_frame, &walk);
    count = walk.count;
#endif
    return count;
}

static const void *site_with_callers(unsigned callers)
{
    const void *sites[CS_FRAMES_MAX];
    return cs_stack_site(sites, unwind_to_program(sites, callers + 1));
}

/* Its own frame begins with the caller's frame pointer and the return address, since it asks
 * for its frame's address.  Not to be inlined, for there the first frame is the caller's. */
__attribute__((noinline)) const void *cs_site_here(void)
{
    const unsigned callers = atomic_load_explicit(&cs_kept_callers, memory_order_relaxed);
    if (callers) return site_with_callers(callers);
#if defined(__x86_64__) || defined(__aarch64__)
    enum { FRAMES_MAX = 64 };
    const uintptr_t *record = __builtin_frame_address(0);
    struct cs_frame frame = { __builtin_dwarf_cfa(), cs_pointer_at(record), record[1] };
    for (int i = 0; i < FRAMES_MAX; i++) {
        uint64_t known = known_of(frame.address);
        if (caller_in(known) == IRREGULAR) break;
        if (caller_in(known) != LIBRARY) return site_outside(frame.address, caller_in(known));
        cs_go_to_caller(&frame, rule_in(known));
    }
#endif
    return site_with_callers(0);
}
