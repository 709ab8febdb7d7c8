/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/memory/guard_bytes.h"

#include <string.h>

#include "backend-sim/memory/heap.h"
#include "backend-sim/memory/views.h"
#include "base/alloc.h"
#include "base/asan.h"
#include "base/unseen.h"

#define GUARD_BYTE 0xa5

#define BROKEN_MOST 16u

/* What has a guard. */
#define GUARDED \
    (ALLOCATION_DEVICE | ALLOCATION_PINNED | ALLOCATION_SPLIT | ALLOCATION_MANAGED | \
     ALLOCATION_MANAGED_SPLIT)

/* A guard behind an allocation that was freed, and where it was broken. */
struct broken_guard {
    uint64_t base, at;
};

struct guards {
    struct rl_lock lock; /* the rest */
    struct broken_guard broken[BROKEN_MOST];
    unsigned next;
};

rill_status sim_guards_lay(struct sim_platform *platform)
{
    if (rl_has_asan() || platform->guards) return RILL_SUCCESS;
    platform->guards = rl_zalloc(sizeof *platform->guards);
    if (!platform->guards)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory to note guards");
    for (int i = 0; i < platform->device_count; i++)
        platform->devices[i].heap->gap = SIM_ALIGNMENT;
    return RILL_SUCCESS;
}

void sim_guards_close(struct guards *guards)
{
    rl_free(guards);
}

uint64_t sim_guard_bytes(const struct sim_platform *platform)
{
    return platform->guards ? SIM_ALIGNMENT : 0;
}

/* Returns where the simulator finds the guard, and stores how long it is: of device memory all
 * that is left of the extent. */
static unsigned char *find_guard(const struct sim_platform *platform,
                                 const struct allocation *allocation, size_t *bytes)
{
    uint64_t end = rl_range_end(&allocation->range);
    *bytes = allocation->kind == ALLOCATION_DEVICE
                 ? (size_t)(rl_range_end(&allocation->extent->range) - end)
                 : (size_t)sim_guard_bytes(platform);
    return (unsigned char *)(uintptr_t)sim_view_of(platform, end);
}

void sim_guard_fill(const struct sim_platform *platform, const struct allocation *allocation)
{
    size_t bytes;
    if (!platform->guards) return;
    unsigned char *guard = find_guard(platform, allocation, &bytes);
    memset(guard, GUARD_BYTE, bytes);
}

/* Returns the number of the first byte that is another, or `bytes`.  The program may be writing
 * there. */
RL_UNSEEN static size_t first_broken(const volatile unsigned char *guard, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && guard[i] == GUARD_BYTE) i++;
    return i;
}

static uint64_t look_at_guard(const void *platform, const struct allocation *allocation)
{
    size_t bytes;
    const unsigned char *guard = find_guard(platform, allocation, &bytes);
    size_t at = first_broken(guard, bytes);
    return at < bytes ? rl_range_end(&allocation->range) + at : 0;
}

void sim_guard_keep(struct sim_platform *platform, const struct allocation *allocation)
{
    struct guards *guards = platform->guards;
    uint64_t at = guards && allocation->kind & GUARDED ? look_at_guard(platform, allocation) : 0;
    if (!at) return;
    rl_lock(&guards->lock);
    guards->broken[guards->next++ % BROKEN_MOST] =
        (struct broken_guard){ allocation->range.base, at };
    rl_unlock(&guards->lock);
}

/* Finds what was remembered, and forgets it. */
static uint64_t take_kept(struct guards *guards, uint64_t base)
{
    uint64_t at = 0;
    rl_lock(&guards->lock);
    for (unsigned i = 0; i < BROKEN_MOST && !at; i++) {
        struct broken_guard *broken = &guards->broken[i];
        if (!broken->at || broken->base != base) continue;
        at = broken->at;
        broken->at = 0;
    }
    rl_unlock(&guards->lock);
    return at;
}

uint64_t sim_guard_broken(struct sim_platform *platform, uint64_t base)
{
    if (!platform->guards) return 0;
    uint64_t at = take_kept(platform->guards, base);
    return at ? at : sim_map_ask(platform->map, base, GUARDED, look_at_guard, platform);
}
