/* SPDX-License-Identifier: Apache-2.0
 *
 * Every heap allocation of the library goes through here, so that tests can
 * make any one of them fail.
 */
#ifndef RL_ALLOC_H
#define RL_ALLOC_H

#include <stddef.h>

/* All of these are NULL when memory is short.  `bytes` of 0 asks for one. */
void *rl_alloc(size_t bytes);
void *rl_zalloc(size_t bytes);

/* Zeroed, on a boundary of 64 bytes: for objects that threads share. */
void *rl_zalloc_lines(size_t bytes);

/* On a boundary, a power of two, and of exactly `bytes`: what checks memory sees
 * the first byte that is beyond them. */
void *rl_alloc_aligned(size_t bytes, size_t boundary);

/* For what may be larger than many pages: where the system has huge ones for those who
 * ask, it is asked. */
void *rl_alloc_large(size_t bytes);

void rl_free(void *pointer);

char *rl_strdup(const char *text);

/* Lets `after` more allocations succeed and fails the one behind them; negative
 * (the state at start) fails none.  For tests. */
void rl_alloc_fail_after(long after);

/* Allocations that are not freed yet.  For tests. */
long rl_alloc_live(void);

#endif
