/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/vmem/mapping.h"

#include <sys/mman.h>

#include "base/alloc.h"

static void *memory_at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* ---- Reservations -------------------------------------------------------------------- */

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

rill_status sim_reservation_make(struct sim_platform *platform, size_t bytes, size_t alignment,
                                 rill_devptr wish, rill_devptr *address)
{
    struct reservation *reservation = rl_zalloc(sizeof *reservation);
    uint64_t base = reservation ? take_aligned(wish, bytes, alignment) : 0;
    if (!base) {
        rl_free(reservation);
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "bytes",
                                 "the process has no %zu addresses in a row left", bytes);
    }
    reservation->range.base = reservation->window.range.base = base;
    reservation->range.bytes = reservation->window.range.bytes = bytes;
    rl_ranges_add(&platform->vmem->reservations, &reservation->range);
    sim_map_add_window(platform->map, &reservation->window);
    *address = base;
    return RILL_SUCCESS;
}

void sim_reservation_free(struct sim_platform *platform, struct reservation *reservation)
{
    sim_map_remove_window(platform->map, &reservation->window);
    rl_ranges_remove(&platform->vmem->reservations, &reservation->range);
    munmap(memory_at(reservation->range.base), (size_t)reservation->range.bytes);
    rl_free(reservation);
}

struct reservation *sim_reservation_around(const struct vmem *vmem, rill_devptr address,
                                           size_t bytes)
{
    struct range *range = rl_ranges_at(&vmem->reservations, address);
    bool holds = range && bytes <= rl_range_end(range) - address;
    return holds ? (struct reservation *)range : NULL;
}

/* ---- Mappings ------------------------------------------------------------------------ */

static struct mapping *mapping_of(struct range *place)
{
    return place ? (struct mapping *)((char *)place - offsetof(struct mapping, place)) : NULL;
}

struct mapping *sim_mapping_from(const struct vmem *vmem, rill_devptr address)
{
    return mapping_of(rl_ranges_from(&vmem->mappings, address));
}

struct mapping *sim_mapping_next(const struct mapping *mapping)
{
    return mapping_of(rl_range_next(&mapping->place));
}

static struct mapping *mapping_before(const struct mapping *mapping)
{
    return mapping_of(rl_range_previous(&mapping->place));
}

static bool put_pages(const struct mapping *mapping)
{
    const struct segment *segment = mapping->segment;
    return mmap(memory_at(mapping->place.base), (size_t)mapping->place.bytes, PROT_NONE,
                MAP_SHARED | MAP_FIXED | MAP_NORESERVE, segment->file,
                (off_t)segment->offset) != MAP_FAILED;
}

static void take_pages_away(const struct mapping *mapping)
{
    void *at = mmap(memory_at(mapping->place.base), (size_t)mapping->place.bytes, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    (void)at; /* if the system refuses, the pages stay, and nobody is told of them */
}

struct mapping *sim_mapping_make(struct sim_platform *platform, struct reservation *reservation,
                                 rill_devptr address, size_t bytes, struct segment *segment)
{
    struct mapping *mapping = rl_zalloc(sizeof *mapping);
    if (mapping) {
        *mapping = (struct mapping){
            .allocation = { .range = { .base = address, .bytes = bytes },
                            .kind = ALLOCATION_MAPPED, .device = segment->device },
            .place = { .base = address, .bytes = bytes },
            .face = { .base = address, .bytes = bytes, .shareable = !segment->extent },
            .segment = segment, .reservation = reservation,
        };
        mapping->allocation.face = &mapping->face;
    }
    if (!mapping || !put_pages(mapping)) {
        rl_free(mapping);
        rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "the system refuses one more mapping");
        return NULL;
    }
    segment->mappings++;
    rl_ranges_add(&platform->vmem->mappings, &mapping->place);
    sim_map_add(platform->map, &mapping->allocation);
    return mapping;
}

void sim_mapping_free(struct sim_platform *platform, struct mapping *mapping)
{
    struct segment *segment = mapping->segment;
    sim_map_remove(platform->map, &mapping->allocation);
    rl_ranges_remove(&platform->vmem->mappings, &mapping->place);
    take_pages_away(mapping);
    segment->mappings--;
    sim_segment_settle(platform, segment);
    rl_free(mapping);
}

/* ---- Access -------------------------------------------------------------------------- */

void sim_mapping_set_access(struct sim_platform *platform, struct mapping *mapping,
                            uint64_t access)
{
    struct pool_face face = mapping->face;
    if (!face.access != !access)
        mprotect(memory_at(mapping->place.base), (size_t)mapping->place.bytes,
                 access ? PROT_READ | PROT_WRITE : PROT_NONE);
    face.access = access;
    sim_map_set_face(platform->map, &mapping->face, face);
}

/* Tells whether a use of one mapping may go on into the other, which is behind it. */
static bool goes_on(const struct mapping *mapping, const struct mapping *next)
{
    return mapping && next && rl_range_end(&mapping->place) == next->place.base &&
           mapping->reservation == next->reservation &&
           mapping->face.access == next->face.access;
}

/* Has each mapping of the row that begins with `first` reach all of it.  Returns what is behind
 * the row. */
static struct mapping *join_row(struct sim_platform *platform, struct mapping *first)
{
    struct mapping *last = first, *next;
    while (goes_on(last, next = sim_mapping_next(last))) last = next;
    for (struct mapping *mapping = first; mapping != next; mapping = sim_mapping_next(mapping)) {
        struct pool_face face = mapping->face;
        face.base = first->place.base;
        face.bytes = rl_range_end(&last->place) - first->place.base;
        sim_map_set_face(platform->map, &mapping->face, face);
    }
    return next;
}

void sim_mappings_join(struct sim_platform *platform, rill_devptr address, size_t bytes)
{
    struct mapping *mapping = sim_mapping_from(platform->vmem, address - 1), *before;
    while (mapping && goes_on(before = mapping_before(mapping), mapping)) mapping = before;
    while (mapping && mapping->place.base <= address + bytes) mapping = join_row(platform, mapping);
}
