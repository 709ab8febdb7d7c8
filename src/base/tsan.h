/* SPDX-License-Identifier: Apache-2.0
 *
 * ThreadSanitizer in the program that this library is linked into.
 *
 * The functions are the sanitizer's own.  They are there in programs that were built with
 * -fsanitize=thread.  It sees what such a program does, and of this library, which was built
 * without it, what the functions do that it has put in front of the system's: memcpy(), free().
 * The types are those that gcc has for the ones that it knows.
 */
#ifndef RL_TSAN_H
#define RL_TSAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/unseen.h"

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);
__attribute__((weak)) void __tsan_read_range(void *address, long bytes);
__attribute__((weak)) void __tsan_write_range(void *address, long bytes);
__attribute__((weak)) void __tsan_func_entry(void *caller);
__attribute__((weak)) void __tsan_func_exit(void *nothing);
__attribute__((weak)) void __tsan_ignore_thread_begin(void);
__attribute__((weak)) void __tsan_ignore_thread_end(void);
__attribute__((weak)) void *__tsan_get_current_fiber(void);
__attribute__((weak)) void *__tsan_create_fiber(unsigned flags);
__attribute__((weak)) void __tsan_destroy_fiber(void *fiber);
__attribute__((weak)) void __tsan_switch_to_fiber(void *fiber, unsigned flags);
__attribute__((weak)) void __tsan_set_fiber_name(void *fiber, const char *name);

/* Has races in these bytes not reported.  Those that this library marks are never unmarked. */
__attribute__((weak)) void AnnotateBenignRaceSized(const char *file, int line,
                                                   const volatile void *address, size_t bytes,
                                                   const char *description);

/* The switch of fibers that orders nothing. */
#define RL_TSAN_NO_ORDER 1u

/* Hides what the calling thread does to memory, and shows it again, if the program has it.  Calls
 * may be nested. */
static inline void rl_tsan_hide(void)
{
#ifndef RL_SEES_RACES
    if (__tsan_ignore_thread_begin) __tsan_ignore_thread_begin();
#endif
}

static inline void rl_tsan_show(void)
{
#ifndef RL_SEES_RACES
    if (__tsan_ignore_thread_end) __tsan_ignore_thread_end();
#endif
}

/* Tells whether the program has it, with all of these.  No, if the library was built with it as
 * well: then it sees what the library does. */
static inline bool rl_has_tsan(void)
{
#ifdef RL_SEES_RACES
    return false;
#else
    return __tsan_acquire && __tsan_release && __tsan_read_range && __tsan_write_range &&
           __tsan_func_entry && __tsan_func_exit && __tsan_ignore_thread_begin &&
           __tsan_ignore_thread_end && __tsan_get_current_fiber && __tsan_create_fiber &&
           __tsan_destroy_fiber && __tsan_switch_to_fiber && __tsan_set_fiber_name;
#endif
}

#endif
