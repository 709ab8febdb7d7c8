/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes call sites: walks from the layer's frame through the library's to the first one that
 * is not the library's.  What is learned of a return address stays true, so each is looked
 * into once and kept in a table; from then on, a walk is a look into the table for each
 * frame.  The last frame of the library tells which call it was.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "site/site.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#ifdef RILL_HAVE_UNWINDER
#include <unwind.h>
#endif
/* The rules of src/site/rule.c know the registers of these. */
#if defined(__x86_64__) || defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64)
#define HAVE_RULES 1
#endif

/* Where a frame has its caller's frame pointer, with the return address behind it, as seen from its
 * own frame pointer. */
#ifdef __riscv
#define FRAME_RECORD (-2)
#else
#define FRAME_RECORD 0
#endif

#include "base/own_text.h"
#include "site/entry.h"
#include "site/frame.h"
#include "site/known.h"
#include "site/python.h"
#include "site/stack.h"
#include "site/system.h"

/* ---- What is known of return addresses ----------------------------------------------------- */

enum caller {
    LIBRARY = 1, /* the library, with a rule that leads to its caller                     */
    IRREGULAR,   /* the library, with none                                                */
    OVERLOAD,    /* of the program, by a header: it makes the call for its caller, to which
                    a rule leads                                                          */
    STUB,        /* of the program, by a compiler: it launches for who pushed             */
    PROGRAM,     /* the program                                                           */
    PYTHON,      /* an extension of Python, or what calls C for it                        */
    NOBODY       /* what starts threads and ends processes; or it cannot be told          */
};

/* What is known is one word, so that it is read and written at once: a caller, and the rule
 * of LIBRARY and OVERLOAD. */
static uint64_t pack_known(enum caller caller, struct cs_rule rule)
{
    return (uint64_t)caller | (uint64_t)rule.from_frame_pointer << 8 |
        (uint64_t)rule.saves_frame_pointer << 9 | (uint64_t)rule.cfa << 16 |
        (uint64_t)(uint16_t)rule.return_address << 32 |
        (uint64_t)(uint16_t)rule.frame_pointer << 48;
}

struct known {
    uint64_t word;
    const struct cs_entry *entry; /* of the library: the call that it is in, or NULL */
};

static inline enum caller caller_in(struct known known)
{
    return (enum caller)(known.word & 0xff);
}

static inline struct cs_rule rule_in(struct known known)
{
    return (struct cs_rule){
        .cfa = (uint16_t)(known.word >> 16),
        .return_address = (int16_t)(known.word >> 32),
        .frame_pointer = (int16_t)(known.word >> 48),
        .from_frame_pointer = known.word >> 8 & 1,
        .saves_frame_pointer = known.word >> 9 & 1,
    };
}

static inline bool is_of_library(enum caller caller)
{
    return caller == LIBRARY || caller == IRREGULAR;
}

static const void *pointer_to(uintptr_t address)
{
    const void *pointer;
    memcpy(&pointer, &address, sizeof pointer);
    return pointer;
}

/* ---- Stubs --------------------------------------------------------------------------------- */

#ifdef RILL_HAVE_UNWINDER

static const void *function_at(uintptr_t address)
{
    void *pointer;
    memcpy(&pointer, &address, sizeof pointer);
    return _Unwind_FindEnclosingFunction(pointer);
}

/* A look for the function that popped, among those that made the call. */
struct stub_walk {
    uintptr_t address;
    const void *popper;
    unsigned looked; /* at functions, from that of the address on */
    bool found;
};

static _Unwind_Reason_Code visit_caller(struct _Unwind_Context *context, void *data)
{
    enum { AROUND_STUB = 4 }; /* inline functions of headers */
    struct stub_walk *walk = data;
    uintptr_t address = _Unwind_GetIP(context);
    if (!walk->looked && address != walk->address) return _URC_NO_REASON;
    walk->found = function_at(address) == walk->popper;
    return walk->found || ++walk->looked == AROUND_STUB ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Tells whether a launch of this thread that returns to the address is a stub's. */
static bool is_of_stub(uintptr_t address, const struct cs_entry *called)
{
    const struct cs_launch *launch = called->launch ? called->launch() : NULL;
    if (!launch || !launch->popped || !launch->pushed) return false;
    struct stub_walk walk = { .address = address };
    walk.popper = function_at((uintptr_t)launch->popped);
    if (walk.popper) _Unwind_Backtrace(visit_caller, &walk);
    return walk.found;
}

#else

static bool is_of_stub(uintptr_t address, const struct cs_entry *called)
{
    (void)address, (void)called;
    return false;
}

#endif

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
    if (!rl_knows_own_text()) return NOBODY;
    if (!dladdr(pointer_to(address), &info) || !info.dli_fname) return PROGRAM;
    const char *slash = strrchr(info.dli_fname, '/');
    const char *module = slash ? slash + 1 : info.dli_fname;
    if (cs_is_system_module(module)) return NOBODY;
    if (is_runtime_module(module)) return LIBRARY;
    return cs_is_python_module(module) ? PYTHON : PROGRAM;
}

static bool is_overload(uintptr_t address, const struct cs_entry *called)
{
    char function[256];
    return cs_find_function(address - 1, function, sizeof function) &&
           cs_entry_is_overload(called, function);
}

static struct known look_into(uintptr_t address, const struct cs_entry *called)
{
    struct cs_rule rule = { .cfa = 0 };
    struct known known = { .entry = NULL };
    enum caller caller = rl_is_own_text(address - 1) ? LIBRARY : caller_outside(address - 1);
    if (caller == LIBRARY && !cs_read_rule(address, &rule)) caller = IRREGULAR;
    if (caller == PROGRAM && called && is_of_stub(address, called)) caller = STUB;
    if (caller == PROGRAM && called && is_overload(address, called) &&
        cs_read_rule(address, &rule))
        caller = OVERLOAD;
    if (is_of_library(caller)) known.entry = cs_entry_at(address);
    known.word = pack_known(caller, rule);
    cs_known_keep(address, known.word, known.entry);
    return known;
}

/* `called` is what an address of the program has called, as far as known. */
static inline struct known known_of(uintptr_t address, const struct cs_entry *called)
{
    const struct cs_known *row = cs_known_find(address);
    if (!row) return look_into(address, called);
    return (struct known){ atomic_load_explicit(&row->word, memory_order_relaxed),
                           atomic_load_explicit(&row->entry, memory_order_relaxed) };
}

/* ---- What a site calls --------------------------------------------------------------------- */

/* Stands for more than one. */
static const struct cs_entry several;

/* Notes which call a site makes. */
static inline void note_entry(const void *site, const struct cs_entry *called)
{
    if (!called || !site) return;
    struct cs_known *row = cs_known_find((uintptr_t)site);
    if (!row) {
        const struct known known = { .word = PROGRAM };
        row = cs_known_keep((uintptr_t)site, known.word, called);
    }
    const struct cs_entry *noted =
        row ? atomic_load_explicit(&row->entry, memory_order_relaxed) : called;
    if (noted == called) return;
    atomic_store_explicit(&row->entry, noted ? &several : called, memory_order_relaxed);
}

const char *cs_call_name(const void *site)
{
    const struct cs_known *row = site ? cs_known_find((uintptr_t)cs_site_alone(site)) : NULL;
    const struct cs_entry *entry =
        row ? atomic_load_explicit(&row->entry, memory_order_relaxed) : NULL;
    return entry && entry != &several ? entry->name : NULL;
}

/* ---- The walk ------------------------------------------------------------------------------ */

static const void *site_outside(uintptr_t address, enum caller caller,
                                const struct cs_entry *called)
{
    const void *site = NULL;
    if (caller == NOBODY) return NULL;
    if (caller == PYTHON) cs_python_sites(&site, 1);
    if (caller == STUB && called && called->launch) site = called->launch()->pushed;
    return site ? site : pointer_to(address);
}

#ifdef RILL_HAVE_UNWINDER

/* What is noted while a stack is unwound. */
struct walk {
    const void **sites;
    size_t count, most;
    const struct cs_entry *called;
    const void *stack;  /* where the program's frames end, once one was met */
    const void *pusher; /* a function: frames up to its own are those of a stub; or NULL */
    unsigned frames;    /* so far */
    bool in_library;    /* a frame of the library was met */
};

/* Returns whether the frame is one between a stub, the frame of which was met, and the function
 * that pushed, that one among them. */
static bool is_of_launch(struct walk *walk, uintptr_t address)
{
    if (!walk->pusher) return false;
    if (function_at(address) == walk->pusher) walk->pusher = NULL;
    return true;
}

/* Adds the lines of Python that lead to a frame of its interpreter, or the frame; the walk ends. */
static bool add_lines(struct walk *walk, uintptr_t address)
{
    size_t room = walk->most - walk->count;
    size_t lines = cs_python_sites(walk->sites + walk->count, room);
    if (!lines) walk->sites[walk->count] = pointer_to(address);
    walk->count += lines ? lines : 1;
    return false;
}

static bool goes_on(struct walk *walk, uintptr_t address, uintptr_t stack)
{
    enum { FRAMES_MAX = 100 };
    struct known known = known_of(address, walk->count ? NULL : walk->called);
    enum caller caller = caller_in(known);
    bool library = is_of_library(caller);
    if (walk->frames++ == FRAMES_MAX) return false;
    if (library) walk->in_library = true;
    if (library && !walk->count) walk->called = known.entry;
    if (library || !walk->in_library || (caller == OVERLOAD && !walk->count)) return true;
    if (!walk->stack) walk->stack = pointer_to(stack);
    if (caller == NOBODY) return false;
    if (is_of_launch(walk, address)) return true;
    if (caller == PYTHON) return add_lines(walk, address);
    const void *site = site_outside(address, caller, walk->count ? NULL : walk->called);
    if (caller == STUB && !walk->count) walk->pusher = function_at((uintptr_t)site);
    walk->sites[walk->count++] = site;
    return walk->count < walk->most;
}

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *walk)
{
    bool more = goes_on(walk, _Unwind_GetIP(context), _Unwind_GetCFA(context));
    return more ? _URC_NO_REASON : _URC_END_OF_STACK;
}

#endif

/* Walks with the compiler's unwinder, which can read each frame, and takes microseconds, and notes
 * up to so many frames of the program.  A sanitizer may have put a frame of its own before the
 * first one of the library; a function of the program that the library calls may have called it
 * again.  (backtrace() of the C library is the same, but loads the unwinder once more, which
 * LeakSanitizer holds against the program.) */
static struct cs_call unwind_to_program(unsigned callers)
{
    struct cs_call call = { .site = NULL };
#ifdef RILL_HAVE_UNWINDER
    const void *sites[CS_FRAMES_MAX];
    struct walk walk = { .sites = sites, .most = callers + 1 };
    _Unwind_Backtrace(visit_frame, &walk);
    call.site = cs_stack_site(sites, walk.count);
    if (walk.count) note_entry(sites[0], walk.called);
    if (walk.called) call.name = walk.called->name;
    call.stack = walk.stack;
#else
    (void)callers;
#endif
    return call;
}

#ifdef HAVE_RULES
static struct cs_call call_outside(const struct cs_frame *frame, enum caller caller,
                                   const struct cs_entry *called)
{
    const void *site = site_outside(frame->address, caller, called);
    note_entry(site, called);
    return (struct cs_call){ site, called ? called->name : NULL, frame->stack_pointer };
}
#endif

/* Its own frame begins with the caller's frame pointer and the return address, since it asks
 * for its frame's address.  Not to be inlined, for there the first frame is the caller's. */
__attribute__((noinline)) struct cs_call cs_call_here(void)
{
    const unsigned callers = atomic_load_explicit(&cs_kept_callers, memory_order_relaxed);
    if (callers) return unwind_to_program(callers);
#ifdef HAVE_RULES
    enum { FRAMES_MAX = 64 };
    const uintptr_t *record = (const uintptr_t *)__builtin_frame_address(0) + FRAME_RECORD;
    struct cs_frame frame = { __builtin_dwarf_cfa(), cs_pointer_at(record), record[1] };
    const struct cs_entry *called = NULL;
    for (int i = 0; i < FRAMES_MAX; i++) {
        struct known known = known_of(frame.address, called);
        enum caller caller = caller_in(known);
        if (caller == IRREGULAR) break;
        if (caller == LIBRARY) called = known.entry;
        else if (caller != OVERLOAD) return call_outside(&frame, caller, called);
        cs_go_to_caller(&frame, rule_in(known));
    }
#endif
    return unwind_to_program(0);
}

const void *cs_site_here(void)
{
    return cs_call_here().site;
}
