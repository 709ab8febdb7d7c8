/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/memory/address_map.h"

#include <inttypes.h>
#include <stdio.h>

#include "backend-sim/machine/machine.h"
#include "base/alloc.h"
#include "base/asan.h"

rill_status sim_map_open(struct address_map **map)
{
    *map = rl_zalloc_lines(sizeof **map);
    return *map ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

void sim_map_close(struct address_map *map)
{
    rl_free(map);
}

static struct allocation *allocation_of(struct range *range)
{
    return (struct allocation *)range; /* its first member */
}

/* ---- Windows ------------------------------------------------------------------------ */

void sim_map_add_window(struct address_map *map, struct window *window)
{
    rl_lock(&map->lock);
    rl_ranges_add(&map->windows, &window->range);
    rl_unlock(&map->lock);
}

void sim_map_remove_window(struct address_map *map, struct window *window)
{
    rl_lock(&map->lock);
    rl_ranges_remove(&map->windows, &window->range);
    rl_unlock(&map->lock);
}

/* ---- Looking up --------------------------------------------------------------------- */

/* The kinds of memory that is in no device's window. */
#define OUTSIDE_WINDOWS \
    (ALLOCATION_PINNED | ALLOCATION_SPLIT | ALLOCATION_REGISTERED | ALLOCATION_MANAGED | \
     ALLOCATION_MANAGED_SPLIT)

/* Fills `info` from an allocation.  Requires map->lock. */
static void fill_info(const struct allocation *allocation, struct address_info *info)
{
    const struct pool_face *face = allocation->face;
    const bool joined = face && face->bytes;
    *info = (struct address_info){
        .known = true,
        .in_window = !(allocation->kind & OUTSIDE_WINDOWS),
        .kind = allocation->kind,
        .device = allocation->device,
        .flags = allocation->flags,
        .read_only = allocation->read_only,
        .constant = allocation->constant,
        .base = joined ? face->base : allocation->range.base,
        .bytes = joined ? face->bytes : allocation->range.bytes,
        .id = allocation->id,
        .context = allocation->context,
        .pool = face ? face->handle : NULL,
        .access = face ? face->access : 0,
        .reading = face ? face->reading : 0,
        .shareable = face && face->shareable,
        .host = face && face->host,
        .reserved = face ? face->reserved.base : 0,
        .reserved_bytes = face ? face->reserved.bytes : 0,
        .going = allocation->going,
        .sync_memops = allocation->sync_memops,
    };
}

/* Returns the allocation around an address, or NULL.  Requires map->lock. */
static struct allocation *find_allocation(const struct address_map *map, uint64_t address)
{
    return allocation_of(rl_ranges_at(&map->allocations, address));
}

/* Fills `info` with what the map knows of an address.  Requires map->lock. */
static void find_info(const struct address_map *map, uint64_t address, struct address_info *info)
{
    const struct allocation *allocation = find_allocation(map, address);
    if (allocation) {
        fill_info(allocation, info);
        return;
    }
    const struct window *window = (struct window *)rl_ranges_at(&map->windows, address);
    *info = (struct address_info){ .in_window = window,
                                   .used = window && sim_window_was_used(window, address) };
}

void sim_map_lookup(struct address_map *map, uint64_t address, struct address_info *info)
{
    rl_lock(&map->lock);
    find_info(map, address, info);
    rl_unlock(&map->lock);
}

void sim_map_narrow(struct address_map *map, uint64_t address, struct address_info *info)
{
    if (info->kind != ALLOCATION_MAPPED) return;
    rl_lock(&map->lock);
    const struct allocation *allocation = find_allocation(map, address);
    if (allocation) {
        info->base = allocation->range.base;
        info->bytes = allocation->range.bytes;
    }
    rl_unlock(&map->lock);
}

void sim_map_lookup_owner(struct address_map *map, uint64_t address, struct address_info *info,
                          rill_context **owner)
{
    rl_lock(&map->lock);
    find_info(map, address, info);
    *owner = info->context ? info->context->handle : NULL;
    rl_unlock(&map->lock);
}

void sim_map_lookup_both(struct address_map *map, uint64_t first, struct address_info *first_info,
                         uint64_t second, struct address_info *second_info)
{
    rl_lock(&map->lock);
    find_info(map, first, first_info);
    find_info(map, second, second_info);
    rl_unlock(&map->lock);
}

/* ---- Adding ------------------------------------------------------------------------- */

/* Returns the lowest range that overlaps this one, or NULL.  Requires map->lock. */
static struct range *find_overlap(const struct ranges *ranges, const struct range *range)
{
    struct range *near = rl_ranges_from(ranges, range->base);
    return near && (rl_range_holds(near, range->base) || rl_range_holds(range, near->base))
               ? near : NULL;
}

/* The kinds of memory that come from the heap of a device. */
#define IN_HEAPS \
    (ALLOCATION_DEVICE | ALLOCATION_MODULE | ALLOCATION_HEAP | ALLOCATION_MANAGED_VARIABLE)

/* Tells AddressSanitizer, if the program has it, whether memory of a heap can be touched.  That of
 * pools and graphs is there longer than the map knows: blocks say so themselves. */
static void set_touchable(const struct allocation *allocation, bool touchable)
{
    const struct range *range = &allocation->range;
    if (!(allocation->kind & IN_HEAPS)) return;
    if (touchable) rl_asan_allow(range->base, range->bytes);
    else rl_asan_forbid(range->base, range->bytes);
}

/* Adds an allocation with an id of its own.  Requires map->lock. */
static void add_allocation(struct address_map *map, struct allocation *allocation)
{
    static atomic_uint_least64_t last_id;
    allocation->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
    allocation->going = false;
    rl_ranges_add(&map->allocations, &allocation->range);
    set_touchable(allocation, true);
}

void sim_map_add(struct address_map *map, struct allocation *allocation)
{
    rl_lock(&map->lock);
    add_allocation(map, allocation);
    rl_unlock(&map->lock);
}

/* Tells whether a range overlaps an allocation or a window.  Requires map->lock. */
static bool range_touches(const struct address_map *map, const struct range *range,
                          struct address_info *info)
{
    const struct allocation *other = allocation_of(find_overlap(&map->allocations, range));
    *info = (struct address_info){ .in_window = find_overlap(&map->windows, range) };
    if (other) fill_info(other, info);
    return info->known || info->in_window;
}

bool sim_map_touches(struct address_map *map, const struct range *range,
                     struct address_info *info)
{
    rl_lock(&map->lock);
    bool does = range_touches(map, range, info);
    rl_unlock(&map->lock);
    return does;
}

bool sim_map_add_if_apart(struct address_map *map, struct allocation *allocation,
                          struct address_info *info)
{
    rl_lock(&map->lock);
    bool apart = !range_touches(map, &allocation->range, info);
    if (apart) add_allocation(map, allocation);
    rl_unlock(&map->lock);
    return apart;
}

/* ---- Freeing ------------------------------------------------------------------------ */

struct allocation *sim_map_claim(struct address_map *map, uint64_t address, unsigned kinds,
                                 struct address_info *info)
{
    rl_lock(&map->lock);
    find_info(map, address, info);
    struct allocation *allocation = find_allocation(map, address);
    bool can = allocation && allocation->range.base == address && (allocation->kind & kinds) &&
               !allocation->going;
    if (can) allocation->going = true;
    rl_unlock(&map->lock);
    return can ? allocation : NULL;
}

void sim_map_unclaim(struct address_map *map, struct allocation *allocation)
{
    rl_lock(&map->lock);
    allocation->going = false;
    rl_unlock(&map->lock);
}

struct allocation *sim_map_claimed(struct address_map *map, uint64_t address)
{
    rl_lock(&map->lock);
    struct allocation *allocation = find_allocation(map, address);
    bool is = allocation && allocation->range.base == address && allocation->going;
    rl_unlock(&map->lock);
    return is ? allocation : NULL;
}

/* Removes an allocation and counts the removal.  Requires map->lock. */
static void drop_allocation(struct address_map *map, struct allocation *allocation)
{
    rl_ranges_remove(&map->allocations, &allocation->range);
    set_touchable(allocation, false);
    atomic_fetch_add_explicit(&map->removals, 1, memory_order_release);
}

void sim_map_remove(struct address_map *map, struct allocation *allocation)
{
    rl_lock(&map->lock);
    drop_allocation(map, allocation);
    rl_unlock(&map->lock);
}

#define OF_MODULES (ALLOCATION_MODULE | ALLOCATION_MANAGED_VARIABLE)

struct allocation *sim_map_remove_all(struct address_map *map, const struct sim_context *context)
{
    struct allocation *list = NULL;
    rl_lock(&map->lock);
    struct range *range = rl_ranges_from(&map->allocations, 0);
    while (range) {
        struct allocation *allocation = allocation_of(range);
        range = rl_range_next(range);
        if (context && allocation->context != context) continue;
        /* A variable leaves together with its code. */
        if (context && (allocation->going || (allocation->kind & OF_MODULES))) {
            allocation->context = NULL;
            continue;
        }
        drop_allocation(map, allocation);
        allocation->next = list;
        list = allocation;
    }
    rl_unlock(&map->lock);
    return list;
}

/* ---- Asking ------------------------------------------------------------------------ */

uint64_t sim_map_ask(struct address_map *map, uint64_t base, unsigned kinds, sim_ask_fn *ask,
                     const void *data)
{
    rl_lock(&map->lock);
    const struct allocation *allocation = find_allocation(map, base);
    bool is_it = allocation && allocation->kind & kinds && allocation->range.base == base;
    uint64_t answer = is_it ? ask(data, allocation) : 0;
    rl_unlock(&map->lock);
    return answer;
}

/* ---- Properties --------------------------------------------------------------------- */

bool sim_map_set_sync_memops(struct address_map *map, uint64_t address, bool on)
{
    rl_lock(&map->lock);
    struct allocation *allocation = find_allocation(map, address);
    if (allocation) allocation->sync_memops = on;
    rl_unlock(&map->lock);
    return allocation != NULL;
}

void sim_map_set_face(struct address_map *map, struct pool_face *face, struct pool_face now)
{
    rl_lock(&map->lock);
    bool less = face->access & ~now.access || now.reading & ~face->reading ||
                now.bytes < face->bytes;
    *face = now;
    if (less) atomic_fetch_add_explicit(&map->removals, 1, memory_order_release);
    rl_unlock(&map->lock);
}

/* ---- Judging ------------------------------------------------------------------------ */

rill_status sim_address_check_writable(const struct address_info *info, uint64_t address,
                                       const char *argument)
{
    if (!sim_address_is_for_reading(info)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                             "0x%" PRIx64 " was registered to be read only", address);
}

/* ---- Describing --------------------------------------------------------------------- */

const char *sim_describe_allocation(enum allocation_kind kind)
{
    switch (kind) {
    case ALLOCATION_DEVICE: return "device memory";
    case ALLOCATION_POOL: return "memory of a pool";
    case ALLOCATION_PINNED:
    case ALLOCATION_SPLIT: return "pinned host memory";
    case ALLOCATION_REGISTERED: return "registered host memory";
    case ALLOCATION_GRAPH: return "memory of a graph";
    case ALLOCATION_MODULE: return "a variable of a module";
    case ALLOCATION_HEAP: return "memory that a kernel allocated";
    case ALLOCATION_MANAGED:
    case ALLOCATION_MANAGED_SPLIT: return "managed memory";
    case ALLOCATION_MANAGED_VARIABLE: return "a managed variable of a module";
    case ALLOCATION_MAPPED: return "mapped memory";
    case ALLOCATION_IMPORTED: return "memory of another process";
    }
    return "memory";
}

const char *sim_describe_address(const struct address_info *info, uint64_t address,
                                 char words[SIM_DESCRIPTION_MAX])
{
    if (!info->known)
        return info->in_window ? "an address of a device where nothing is allocated"
                               : "ordinary host memory, or no memory at all";
    unsigned long long base = info->base, bytes = info->bytes, offset = address - info->base;
    if (info->going)
        snprintf(words, SIM_DESCRIPTION_MAX, "%s that is being freed (%llu bytes at 0x%llx)",
                 sim_describe_allocation(info->kind), bytes, base);
    else if (offset)
        snprintf(words, SIM_DESCRIPTION_MAX, "byte %llu of %s (%llu bytes at 0x%llx)", offset,
                 sim_describe_allocation(info->kind), bytes, base);
    else
        snprintf(words, SIM_DESCRIPTION_MAX, "%s (%llu bytes)",
                 sim_describe_allocation(info->kind), bytes);
    return words;
}
