/* SPDX-License-Identifier: Apache-2.0
 *
 * Stack for recursion into deeply nested things.
 *
 * A thread of the program may have as little as 16 KiB of stack.  A function that may need
 * more says how much before it begins, and runs on allocated memory if less is left.  It
 * stays on the same thread, with all thread-local state.
 */
#ifndef RL_STACK_H
#define RL_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most that may be asked for. */
#define RL_STACK_MOST ((size_t)1 << 20)

/* Tells whether some of the memory from an address up to another one lies on the calling thread's
 * stack, below a place where a function's frame ends: it was never used, or is of a function that
 * has returned or that this one has called.  False in a coroutine of the program. */
bool rl_stack_is_below(uintptr_t place, uintptr_t from, uintptr_t to);

/* Calls the function with at least so much stack.  Returns false, without a call, if memory
 * is short, or the C library has no makecontext() and the thread has less left. */
bool rl_with_stack(size_t bytes, void (*function)(void *data), void *data);

/* What of the memory that rl_on_memory() is given is no stack, at its low end: whole pages for two
 * contexts, each of which has 4 KiB for vector registers on aarch64. */
#ifdef __aarch64__
#define RL_STACK_HEAD ((size_t)3 * 4096)
#else
#define RL_STACK_HEAD ((size_t)4096)
#endif

/* Calls the function with this memory, whole pages, as its stack; on the thread's own stack if the
 * C library has no makecontext(). */
void rl_on_memory(void *memory, size_t bytes, void (*function)(void *data), void *data);

#endif
