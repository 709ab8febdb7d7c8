/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/memory/guard_bytes.h"

#include <string.h>

#include "base/asan.h"
#include "base/unseen.h"

#define GUARD_BYTE 0xa5

void sim_guards_lay(struct sim_platform *platform)
{
    if (rl_has_asan()) return; /* which sees more, and at once */
    for (int i = 0; i < platform->device_count; i++) {
        struct heap *heap = platform->devices[i].heap;
        heap->gap = SIM_ALIGNMENT;
        heap->guards = true;
    }
}

/* Returns where the guard begins, and stores how long it is. */
static unsigned char *find_guard(const struct allocation *allocation, size_t *bytes)
{
    uint64_t end = rl_range_end(&allocation->range);
    *bytes = (size_t)(rl_range_end(&allocation->extent->range) - end);
    return (unsigned char *)(uintptr_t)end;
}

void sim_guard_fill(const struct heap *heap, const struct allocation *allocation)
{
    size_t bytes;
    if (!heap->guards) return;
    unsigned char *guard = find_guard(allocation, &bytes);
    memset(guard, GUARD_BYTE, bytes);
}

/* A function of the program may be writing there. */
RL_UNSEEN static uint64_t first_broken(const volatile unsigned char *guard, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (guard[i] != GUARD_BYTE) return (uint64_t)(uintptr_t)(guard + i);
    return 0;
}

static uint64_t look_at_guard(const struct allocation *allocation)
{
    size_t bytes;
    const unsigned char *guard = find_guard(allocation, &bytes);
    return first_broken(guard, bytes);
}

void sim_guard_keep(struct heap *heap, const struct allocation *allocation)
{
    uint64_t at = heap->guards ? look_at_guard(allocation) : 0;
    if (!at) return;
    rl_lock(&heap->lock);
    heap->broken[heap->broken_next++ % HEAP_BROKEN_MOST] =
        (struct broken_guard){ allocation->range.base, at };
    rl_unlock(&heap->lock);
}

/* Finds what was remembered, and forgets it. */
static uint64_t take_kept(struct heap *heap, uint64_t base)
{
    uint64_t at = 0;
    rl_lock(&heap->lock);
    for (unsigned i = 0; i < HEAP_BROKEN_MOST && !at; i++) {
        struct broken_guard *broken = &heap->broken[i];
        if (!broken->at || broken->base != base) continue;
        at = broken->at;
        broken->at = 0;
    }
    rl_unlock(&heap->lock);
    return at;
}

uint64_t sim_guard_broken(struct sim_platform *platform, uint64_t base)
{
    uint64_t at = 0;
    if (!platform->devices[0].heap->guards) return 0;
    for (int i = 0; i < platform->device_count && !at; i++)
        at = take_kept(platform->devices[i].heap, base);
    return at ? at : sim_map_ask(platform->map, base, ALLOCATION_DEVICE, look_at_guard);
}
