/* SPDX-License-Identifier: Apache-2.0
 *
 * A device's memory: how much of it there is, and the window of addresses that
 * mem_alloc hands out.
 *
 * The window is reserved from the system once and is larger than the memory, like
 * a device's address space, so that memory runs out before addresses do.  Pools
 * have windows of their own (pool.h), but claim their memory here, too.
 */
#ifndef SIM_HEAP_H
#define SIM_HEAP_H

#include <stdatomic.h>

#include "backend-sim/memory/address_map.h"
#include "backend-sim/memory/extent.h"
#include "backend-sim/memory/window.h"
#include "base/lock.h"

struct heap {
    uint64_t memory_bytes;              /* fixed                                */
    uint64_t gap;                       /* bytes behind each extent that are never handed out,
                                           for AddressSanitizer or guards; fixed once
                                           anything is allocated                */
    atomic_uint_least64_t taken;        /* bytes of it that are claimed         */

    struct address_map *map;            /* fixed                                */
    struct window window;               /* used: the lock                       */
    struct rl_lock lock;                /* the extents; nothing is locked under it */
    struct extents extents;
    /* Extents that were freed and are not given out again yet, the oldest first. */
    struct extent *oldest, *newest;
    uint64_t kept, keep;                /* bytes of these; at most, fixed       */
};

rill_status sim_heap_open(struct address_map *map, uint64_t memory_bytes, struct heap **heap);
void sim_heap_close(struct heap *heap);

/* Has up to so many bytes of addresses wait, once freed, before they are given out again; their
 * memory counts as free at once.  Called before anything is allocated. */
void sim_heap_quarantine(struct heap *heap, uint64_t bytes);

/* Claims memory without addresses.  Returns false if less than that is left. */
bool sim_heap_claim(struct heap *heap, uint64_t bytes);
void sim_heap_unclaim(struct heap *heap, uint64_t bytes);

static inline uint64_t sim_heap_left(struct heap *heap)
{
    return heap->memory_bytes - atomic_load_explicit(&heap->taken, memory_order_relaxed);
}

/* Allocates memory with an address.  Fails with RILL_ERROR_OUT_OF_MEMORY, without a note. */
rill_status sim_heap_alloc(struct heap *heap, uint64_t bytes, struct extent **extent);
void sim_heap_free(struct heap *heap, struct extent *extent);

#endif
