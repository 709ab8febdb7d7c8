/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/text/arena.h"

#include <string.h>

#include "base/alloc.h"

#define PIECE 65536u
#define GRAIN ((size_t)16)

struct piece {
    struct piece *next;
    size_t room, used;
    _Alignas(16) unsigned char bytes[];
};

struct ptx_arena {
    struct piece *pieces; /* the first is the one to take from */
    size_t most, taken;
    int full;
};

struct ptx_arena *ptx_arena_open(size_t most)
{
    struct ptx_arena *arena = rl_zalloc(sizeof *arena);
    if (arena) arena->most = most;
    return arena;
}

void ptx_arena_close(struct ptx_arena *arena)
{
    if (!arena) return;
    for (struct piece *piece = arena->pieces; piece;) {
        struct piece *next = piece->next;
        rl_free(piece);
        piece = next;
    }
    rl_free(arena);
}

/* Adds a piece.  A large one of its own goes after the first, which stays in use. */
static struct piece *add_piece(struct ptx_arena *arena, size_t bytes)
{
    size_t room = bytes > PIECE / 4 ? bytes : PIECE;
    struct piece *piece = rl_zalloc(sizeof *piece + room);
    if (!piece) return NULL;
    piece->room = room;
    if (arena->pieces && room == bytes) {
        piece->next = arena->pieces->next;
        arena->pieces->next = piece;
    } else {
        piece->next = arena->pieces;
        arena->pieces = piece;
    }
    return piece;
}

void *ptx_arena_get(struct ptx_arena *arena, size_t bytes)
{
    if (bytes > arena->most || arena->taken > arena->most - bytes) {
        arena->full = 1;
        return NULL;
    }
    size_t rounded = (bytes + GRAIN - 1) & ~(GRAIN - 1);
    struct piece *piece = arena->pieces;
    if (!piece || piece->room - piece->used < rounded) piece = add_piece(arena, rounded);
    if (!piece) return NULL;
    void *at = piece->bytes + piece->used;
    piece->used += rounded;
    arena->taken += rounded;
    return at;
}

void *ptx_arena_grow(struct ptx_arena *arena, const void *array, size_t size, size_t count,
                     size_t room)
{
    if (room > SIZE_MAX / size) {
        arena->full = 1;
        return NULL;
    }
    void *wider = ptx_arena_get(arena, room * size);
    if (wider && count) memcpy(wider, array, count * size);
    return wider;
}

/* Leaves the first piece in use. */
void ptx_arena_join(struct ptx_arena *arena, struct ptx_arena *from)
{
    struct piece **end = &arena->pieces;
    while (*end) end = &(*end)->next;
    *end = from->pieces;
    arena->taken += from->taken;
    from->pieces = NULL;
    ptx_arena_close(from);
}

int ptx_arena_is_full(const struct ptx_arena *arena)
{
    return arena->full;
}
