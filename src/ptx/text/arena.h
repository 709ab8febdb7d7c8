/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is given back all at once, up to a limit.
 */
#ifndef PTX_TEXT_ARENA_H
#define PTX_TEXT_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct ptx_arena;

/* NULL: there is no memory. */
struct ptx_arena *ptx_arena_open(size_t most);
void ptx_arena_close(struct ptx_arena *arena);

/* Zeroed and aligned for anything; NULL: no memory, or more than the limit. */
void *ptx_arena_get(struct ptx_arena *arena, size_t bytes);

/* An array of `count` elements of `size` bytes becomes one with room for `room`; the new
 * elements are zero.  NULL: as above, with the old one as it was. */
void *ptx_arena_grow(struct ptx_arena *arena, const void *array, size_t size, size_t count,
                     size_t room);

/* What lies in `from` lies in `arena` from now on, whatever its limit; there is no `from`. */
void ptx_arena_join(struct ptx_arena *arena, struct ptx_arena *from);

/* Whether a get failed for the limit, not for the system's memory. */
int ptx_arena_is_full(const struct ptx_arena *arena);

#endif
