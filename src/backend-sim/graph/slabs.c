/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/graph/slabs.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/poison.h"

#define SLAB_LEAST 2032u           /* with what malloc adds, half a page */
#define SLAB_MOST ((size_t)16 << 20)

struct slab {
    _Alignas(BLOCK_UNIT) struct slab *next;
    size_t bytes;
};

/* Lies in the first bytes of a free block. */
struct spare {
    struct spare *next;
};

/* Lies in front of a block in the heap. */
struct lone_block {
    _Alignas(BLOCK_UNIT) struct lone_block *next;
    struct lone_block *previous;
};

_Static_assert(sizeof(struct lone_block) % BLOCK_UNIT == 0, "what follows is on a boundary");
_Static_assert(sizeof(struct slab) % BLOCK_UNIT == 0, "what follows is on a boundary");

/* ---- Slabs --------------------------------------------------------------------- */

static bool add_slab(struct slabs *slabs)
{
    size_t bytes = slabs->bytes / 2;
    if (bytes < SLAB_LEAST) bytes = SLAB_LEAST;
    if (bytes > SLAB_MOST) bytes = SLAB_MOST;
    struct slab *slab = rl_alloc_large(bytes);
    if (!slab) return false;
    *slab = (struct slab){ .bytes = bytes };
    if (slabs->last) slabs->last->next = slab;
    else slabs->first = slab;
    slabs->last = slab;
    slabs->bytes += bytes;
    slabs->at = (unsigned char *)(slab + 1);
    slabs->end = (unsigned char *)slab + bytes;
    rl_poison(slabs->at, (size_t)(slabs->end - slabs->at));
    return true;
}

/* Returns the next piece of the last slab on the boundary, or NULL if it does not fit. */
static unsigned char *find_piece(const struct slabs *slabs, size_t bytes, size_t boundary)
{
    size_t gap = -(uintptr_t)slabs->at & (boundary - 1);
    size_t left = (size_t)(slabs->end - slabs->at);
    return gap + bytes <= left ? slabs->at + gap : NULL;
}

void *sim_slabs_cut(struct slabs *slabs, size_t bytes, size_t boundary)
{
    unsigned char *piece = find_piece(slabs, bytes + RL_POISON_GAP, boundary);
    if (!piece) {
        if (!add_slab(slabs)) return NULL;
        piece = find_piece(slabs, bytes + RL_POISON_GAP, boundary);
    }
    slabs->at = piece + bytes + RL_POISON_GAP;
    rl_unpoison(piece, bytes);
    return piece;
}

/* ---- Blocks ---------------------------------------------------------------------- */

static void *alloc_lone_block(struct slabs *slabs, size_t bytes)
{
    struct lone_block *block = rl_alloc(sizeof *block + bytes);
    if (!block) return NULL;
    *block = (struct lone_block){ .next = slabs->lone };
    if (block->next) block->next->previous = block;
    slabs->lone = block;
    return block + 1;
}

static void free_lone_block(struct slabs *slabs, struct lone_block *block)
{
    if (block->next) block->next->previous = block->previous;
    if (block->previous) block->previous->next = block->next;
    else slabs->lone = block->next;
    rl_free(block);
}

void *sim_slabs_alloc(struct slabs *slabs, size_t bytes)
{
    if (bytes > BLOCK_CUT_MOST) return alloc_lone_block(slabs, bytes);
    struct spare **spare = &slabs->spare[bytes / BLOCK_UNIT], *block = *spare;
    if (!block) return sim_slabs_cut(slabs, bytes, BLOCK_UNIT);
    rl_unpoison(block, bytes);
    *spare = block->next;
    return block;
}

void sim_slabs_free(struct slabs *slabs, void *block, size_t bytes)
{
    if (bytes > BLOCK_CUT_MOST) {
        free_lone_block(slabs, (struct lone_block *)block - 1);
        return;
    }
    struct spare *spare = block, **first = &slabs->spare[bytes / BLOCK_UNIT];
    spare->next = *first;
    *first = spare;
    rl_poison(block, bytes);
}

/* Frees the oldest slab first: in that order the heap gets its end back at once. */
void sim_slabs_end(struct slabs *slabs)
{
    for (struct slab *slab = slabs->first, *next; slab; slab = next) {
        next = slab->next;
        rl_unpoison(slab, slab->bytes);
        rl_free(slab);
    }
    for (struct lone_block *block = slabs->lone, *next; block; block = next) {
        next = block->next;
        rl_free(block);
    }
    *slabs = (struct slabs){ 0 };
}
