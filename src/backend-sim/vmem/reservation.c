/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/vmem/reservation.h"

#include <sys/mman.h>

#include "backend-sim/memory/address_map.h"
#include "backend-sim/vmem/region.h"
#include "base/alloc.h"

static void *memory_at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* ---- From the system ----------------------------------------------------------------- */

/* Returns addresses that nobody can touch, or 0. */
static uint64_t take_addresses(uint64_t wish, size_t bytes)
{
    void *at = mmap(memory_at(wish), bytes, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? 0 : (uint64_t)(uintptr_t)at;
}

static uint64_t take_aligned(uint64_t wish, size_t bytes, size_t alignment)
{
    size_t all;
    uint64_t at = take_addresses(wish, bytes);
    if (!at || at % alignment == 0) return at;
    munmap(memory_at(at), bytes);
    if (__builtin_add_overflow(bytes, alignment, &all) || !(at = take_addresses(0, all))) return 0;
    uint64_t base = (at + alignment - 1) & ~((uint64_t)alignment - 1), end = base + bytes;
    if (base > at) munmap(memory_at(at), base - at);
    if (end < at + all) munmap(memory_at(end), at + all - end);
    return base;
}

/* ---- Life ---------------------------------------------------------------------------- */

static bool take(struct sim_platform *platform, struct reservation *reservation, size_t bytes,
                 size_t alignment, uint64_t wish)
{
    uint64_t base = sim_region_find(platform, bytes, alignment, wish);
    bool alone = !base;
    if (alone) base = take_aligned(wish, bytes, alignment);
    if (!base) return false;
    reservation->range.base = base;
    reservation->range.bytes = bytes;
    if (!alone) return true;
    reservation->window.range = (struct range){ .base = base, .bytes = bytes };
    sim_map_add_window(platform->map, &reservation->window);
    return true;
}

rill_status sim_reservation_make(struct sim_platform *platform, size_t bytes, size_t alignment,
                                 rill_devptr wish, rill_devptr *address)
{
    struct reservation *reservation = rl_zalloc(sizeof *reservation);
    if (!reservation || !take(platform, reservation, bytes, alignment, wish)) {
        rl_free(reservation);
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "bytes",
                                 "the process has no %zu addresses in a row left", bytes);
    }
    rl_ranges_add(&platform->vmem->reservations, &reservation->range);
    *address = reservation->range.base;
    return RILL_SUCCESS;
}

void sim_reservation_free(struct sim_platform *platform, struct reservation *reservation)
{
    rl_ranges_remove(&platform->vmem->reservations, &reservation->range);
    if (reservation->window.range.bytes) {
        sim_map_remove_window(platform->map, &reservation->window);
        munmap(memory_at(reservation->range.base), (size_t)reservation->range.bytes);
    }
    rl_free(reservation);
}

struct reservation *sim_reservation_at(const struct vmem *vmem, rill_devptr address)
{
    return (struct reservation *)rl_ranges_at(&vmem->reservations, address);
}

bool sim_reservation_lets_map(const struct vmem *vmem, const struct reservation *reservation,
                              rill_devptr address, size_t bytes)
{
    return bytes <= rl_range_end(&reservation->range) - address ||
           sim_region_holds(vmem, address, bytes);
}
