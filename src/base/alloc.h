/* SPDX-License-Identifier: Apache-2.0
 *
 * Every heap allocation of the library goes through here, so that tests can
 * make any one of them fail.
 */
#ifndef RL_ALLOC_H
#define RL_ALLOC_H

#include <stddef.h>

/* All of these return NULL if memory is short.  0 bytes count as 1. */
void *rl_alloc(size_t bytes);
void *rl_zalloc(size_t bytes);

/* Allocates zeroed memory on a boundary of 64 bytes, for objects that threads share. */
void *rl_zalloc_lines(size_t bytes);

/* Allocates exactly `bytes` on a boundary, a power of two, so that a memory checker sees an
 * access to the first byte after them. */
void *rl_alloc_aligned(size_t bytes, size_t boundary);

/* Allocates what may be larger than many pages, of huge pages if the system has them on
 * request. */
void *rl_alloc_large(size_t bytes);

void rl_free(void *pointer);

char *rl_strdup(const char *text);

/* Lets `after` more allocations succeed and fails the next one.  A negative number, as at
 * first, fails none.  For tests. */
void rl_alloc_fail_after(long after);

/* Lets `after` more succeed and fails all others, until rl_alloc_fail_after() says otherwise. */
void rl_alloc_fail_from(long after);

/* Returns the number of allocations that are not freed yet.  For tests. */
long rl_alloc_live(void);

#endif
