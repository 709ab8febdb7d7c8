/* SPDX-License-Identifier: Apache-2.0
 *
 * Stack for what goes down into things that are nested deep.
 *
 * A thread of the program's may have as little as 16 KiB of it.  What could need more says
 * how much before it begins, and goes on in memory that is taken for it when so much is not
 * left: it is the same thread, with all that is the thread's own.
 */
#ifndef RL_STACK_H
#define RL_STACK_H

#include <stdbool.h>
#include <stddef.h>

/* The most that may be asked for. */
#define RL_STACK_MOST ((size_t)1 << 20)

/* What is left in the calling thread; 0 where that is not known, as in a coroutine of the
 * program's. */
size_t rl_stack_left(void);

/* Calls the function with at least so much.  False: it was not called, since there is no
 * memory for that. */
bool rl_with_stack(size_t bytes, void (*function)(void *data), void *data);

#endif
