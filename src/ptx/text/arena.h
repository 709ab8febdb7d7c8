/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is given back all at once, up to a limit.
 */
#ifndef PTX_TEXT_ARENA_H
#define PTX_TEXT_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct ptx_arena;

/* Returns NULL if there is no memory.  `most` limits the bytes that can be taken. */
struct ptx_arena *ptx_arena_open(size_t most);
void ptx_arena_close(struct ptx_arena *arena);

/* Returns zeroed memory, aligned for anything, or NULL if there is none or the limit is
 * reached. */
void *ptx_arena_get(struct ptx_arena *arena, size_t bytes);

/* Returns a copy of an array of `count` elements of `size` bytes with room for `room`; the
 * new elements are zero.  Returns NULL as above; the old array stays as it was in any case. */
void *ptx_arena_grow(struct ptx_arena *arena, const void *array, size_t size, size_t count,
                     size_t room);

/* Moves everything in `from` to `arena`, whatever its limit, and closes `from`. */
void ptx_arena_join(struct ptx_arena *arena, struct ptx_arena *from);

/* Returns true if a get failed because of the limit, not the system's memory. */
int ptx_arena_is_full(const struct ptx_arena *arena);

#endif
