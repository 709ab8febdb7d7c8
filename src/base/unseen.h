/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that the simulated program makes to its memory.  Their races are the program's,
 * so a race checker of the library must not see them.
 */
#ifndef RL_UNSEEN_H
#define RL_UNSEEN_H

#if defined(__SANITIZE_THREAD__)
#define RL_SEES_RACES 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RL_SEES_RACES 1
#endif
#endif

/* Marks a function that makes such accesses; it must not be inlined into one that does not. */
#if !defined(RL_SEES_RACES)
#define RL_UNSEEN
#elif defined(__clang__)
#define RL_UNSEEN __attribute__((no_sanitize("thread"), noinline))
#else
#define RL_UNSEEN __attribute__((no_sanitize("thread"), noipa))
#endif

/* The same for one in a header, which is inlined where nobody looks for races. */
#if !defined(RL_SEES_RACES)
#define RL_UNSEEN_INLINE inline
#else
#define RL_UNSEEN_INLINE RL_UNSEEN __attribute__((unused))
#endif

/* A stream that waits for a value comes after what came before the operation that set it.  The
 * load that ends the wait is unseen, so a race checker of the library must be told of that order:
 * whatever may set such a value calls the first before it writes, and a wait that is over calls the
 * second. */
#ifdef RL_SEES_RACES
void __tsan_acquire(void *address);
void __tsan_release(void *address);
__attribute__((weak)) char rl_unseen_order; /* one for the whole program */
#define RL_BEFORE_UNSEEN() __tsan_release(&rl_unseen_order)
#define RL_BEHIND_UNSEEN() __tsan_acquire(&rl_unseen_order)
#else
#define RL_BEFORE_UNSEEN() ((void)0)
#define RL_BEHIND_UNSEEN() ((void)0)
#endif

#endif
