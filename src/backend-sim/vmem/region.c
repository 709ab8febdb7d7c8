/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/vmem/region.h"

#include "backend-sim/memory/address_map.h"

/* A device of 141 GB reserves a part more than that for each stream of an allocator. */
#define REGION_BYTES (UINT64_C(1) << 42)

/* Reservations begin one grain behind a multiple of this, as on an H200. */
#define REGION_ALIGNMENT (4 * VMEM_GRAIN)

/* Takes the region from the system, once.  Returns false if the system refused so many addresses:
 * each reservation is then taken from it alone. */
static bool open_region(struct sim_platform *platform)
{
    struct vmem *vmem = platform->vmem;
    if (vmem->region.range.bytes) return true;
    if (vmem->region_refused) return false;
    vmem->region_refused = !sim_window_open(&vmem->region, REGION_BYTES);
    if (vmem->region_refused) return false;
    sim_map_add_window(platform->map, &vmem->region);
    return true;
}

void sim_region_close(struct sim_platform *platform)
{
    struct vmem *vmem = platform->vmem;
    if (!vmem->region.range.bytes) return;
    sim_map_remove_window(platform->map, &vmem->region);
    sim_window_close(&vmem->region);
}

bool sim_region_holds(const struct vmem *vmem, uint64_t address, size_t bytes)
{
    const struct range *all = &vmem->region.range;
    return rl_range_holds(all, address) && bytes <= rl_range_end(all) - address;
}

static uint64_t round_up(uint64_t value, uint64_t alignment)
{
    return (value + alignment - 1) & ~(alignment - 1);
}

static uint64_t find_lowest(const struct vmem *vmem, size_t bytes, uint64_t alignment)
{
    const struct range *all = &vmem->region.range;
    uint64_t at = round_up(round_up(all->base, REGION_ALIGNMENT) + VMEM_GRAIN, alignment);
    for (struct range *taken = rl_ranges_from(&vmem->reservations, all->base);
         taken && rl_range_holds(all, taken->base); taken = rl_range_next(taken)) {
        if (taken->base >= at && bytes <= taken->base - at) break;
        if (at < rl_range_end(taken)) at = round_up(rl_range_end(taken), alignment);
    }
    return sim_region_holds(vmem, at, bytes) ? at : 0;
}

static bool is_free(const struct vmem *vmem, uint64_t address, size_t bytes)
{
    const struct range *taken = rl_ranges_from(&vmem->reservations, address);
    return !taken || taken->base >= address + bytes;
}

uint64_t sim_region_find(struct sim_platform *platform, size_t bytes, size_t alignment,
                         uint64_t wish)
{
    struct vmem *vmem = platform->vmem;
    if (alignment < VMEM_GRAIN) alignment = VMEM_GRAIN;
    if (!open_region(platform)) return 0;
    if (wish && !sim_region_holds(vmem, wish, bytes)) return 0;
    if (wish && wish % alignment == 0 && is_free(vmem, wish, bytes)) return wish;
    return find_lowest(vmem, bytes, alignment);
}
