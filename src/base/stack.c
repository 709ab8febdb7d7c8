/* SPDX-License-Identifier: Apache-2.0 */
#include "base/stack.h"

#include <config.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef RILL_HAVE_MAKECONTEXT
#include <ucontext.h>
#endif

#include "base/alloc.h"
#include "base/thread.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#define ASAN 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#define TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#define TSAN 1
#endif
#endif

/* A function that switches stacks must not be seen by an instrumentation of calls and
 * returns. */
#ifndef TSAN
#define UNFOLLOWED
#elif defined(__clang__)
#define UNFOLLOWED __attribute__((disable_sanitizer_instrumentation))
#else
#define UNFOLLOWED __attribute__((no_sanitize("thread")))
#endif

/* ---- What there is ---------------------------------------------------------------------- */

/* The stack of the calling thread; `high` is 0 until it is asked for. */
static _Thread_local struct bounds {
    uintptr_t low, high;
} bounds;

#if defined(RILL_HAVE_LINUX) && !defined(__GLIBC__)
/* musl tells how much of the first thread's stack is mapped now, and the system maps more of it
 * up to a limit. */
static void let_first_grow(void)
{
    struct rlimit limit;
    if (rl_thread_id() != (uint64_t)getpid() || getrlimit(RLIMIT_STACK, &limit)) return;
    if (limit.rlim_cur < bounds.high && bounds.high - bounds.low < limit.rlim_cur)
        bounds.low = bounds.high - limit.rlim_cur;
}
#else
static void let_first_grow(void)
{
}
#endif

static void find_bounds(void)
{
    bounds.high = 1; /* nothing is known */
#ifdef RILL_HAVE_LINUX
    pthread_attr_t attributes;
    void *low = NULL;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes)) return;
    if (!pthread_attr_getstack(&attributes, &low, &bytes))
        bounds = (struct bounds){ (uintptr_t)low, (uintptr_t)low + bytes };
    pthread_attr_destroy(&attributes);
    let_first_grow();
#endif
}

/* Returns how much is left in the calling thread, or 0 if that is not known, as in a
 * coroutine of the program. */
static size_t bytes_left(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!bounds.high) find_bounds();
    return here >= bounds.low && here < bounds.high ? here - bounds.low : 0;
}

bool rl_stack_is_below(uintptr_t place, uintptr_t from, uintptr_t to)
{
    return bytes_left() && from < place && to > bounds.low;
}

/* ---- More of it --------------------------------------------------------------------------- */

#ifdef RILL_HAVE_MAKECONTEXT

/* Lies at the low end of the memory, so that the thread's own stack need not hold it. */
struct visit {
    ucontext_t here, there;
    void (*function)(void *data);
    void *data;
#ifdef ASAN
    void *fake;
    const void *home;
    size_t home_bytes;
#endif
#ifdef TSAN
    void *home;
#endif
};

UNFOLLOWED static void leave_home(struct visit *visit, unsigned char *memory, size_t bytes)
{
#ifdef ASAN
    __sanitizer_start_switch_fiber(&visit->fake, memory, bytes);
#elif defined(TSAN)
    visit->home = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(__tsan_create_fiber(0), 0);
#endif
    (void)visit, (void)memory, (void)bytes;
}

UNFOLLOWED static void arrive(struct visit *visit)
{
#ifdef ASAN
    __sanitizer_finish_switch_fiber(NULL, &visit->home, &visit->home_bytes);
#endif
    (void)visit;
}

UNFOLLOWED static void turn_home(struct visit *visit)
{
#ifdef ASAN
    __sanitizer_start_switch_fiber(NULL, visit->home, visit->home_bytes);
#elif defined(TSAN)
    void *away = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(visit->home, 0);
    visit->home = away;
#endif
    (void)visit;
}

static void come_home(struct visit *visit)
{
#ifdef ASAN
    __sanitizer_finish_switch_fiber(visit->fake, NULL, NULL);
#elif defined(TSAN)
    __tsan_destroy_fiber(visit->home);
#endif
    (void)visit;
}

/* Takes the halves of a pointer, since makecontext() passes only ints. */
UNFOLLOWED static void run_visit(unsigned upper, unsigned lower)
{
    struct visit *visit = (struct visit *)((uintptr_t)upper << 16 << 16 | lower);
    arrive(visit);
    visit->function(visit->data);
    turn_home(visit);
}

_Static_assert(sizeof(struct visit) <= RL_STACK_HEAD, "a visit is in the head of its memory");

void rl_on_memory(void *memory, size_t bytes, void (*function)(void *data), void *data)
{
    const struct bounds before = bounds;
    unsigned char *stack = (unsigned char *)memory + RL_STACK_HEAD;
    struct visit *visit = memory;
    visit->function = function;
    visit->data = data;
    getcontext(&visit->there);
    visit->there.uc_stack.ss_sp = stack;
    visit->there.uc_stack.ss_size = bytes - RL_STACK_HEAD;
    visit->there.uc_link = &visit->here;
    makecontext(&visit->there, (void (*)(void))(uintptr_t)run_visit, 2,
                (unsigned)((uintptr_t)visit >> 16 >> 16), (unsigned)(uintptr_t)visit);
    bounds = (struct bounds){ (uintptr_t)stack, (uintptr_t)memory + bytes };
    leave_home(visit, stack, bytes - RL_STACK_HEAD);
    swapcontext(&visit->here, &visit->there);
    come_home(visit);
    bounds = before;
}

#define CAN_CHANGE true

#else

#define CAN_CHANGE false

void rl_on_memory(void *memory, size_t bytes, void (*function)(void *data), void *data)
{
    (void)memory, (void)bytes;
    function(data);
}

#endif

bool rl_with_stack(size_t bytes, void (*function)(void *data), void *data)
{
    if (!bytes || bytes_left() >= bytes) {
        function(data);
        return true;
    }
    const size_t all = RL_STACK_MOST + RL_STACK_HEAD;
    void *memory = CAN_CHANGE ? rl_alloc_aligned(all, 4096) : NULL;
    if (!memory) return false;
    rl_on_memory(memory, all, function, data);
    rl_free(memory);
    return true;
}
