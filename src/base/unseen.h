/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks at memory that are the simulated program's own, whose races are not ours: a
 * checker of races must not see them.
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

/* Before a function that looks; none of it may move into one that does not. */
#if !defined(RL_SEES_RACES)
#define RL_UNSEEN
#elif defined(__clang__)
#define RL_UNSEEN __attribute__((no_sanitize("thread"), noinline))
#else
#define RL_UNSEEN __attribute__((no_sanitize("thread"), noipa))
#endif

#endif
