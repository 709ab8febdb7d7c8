/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/vmem/mapping.h"

#include <sys/mman.h>

#include "base/alloc.h"

static void *memory_at(uint64_t address)
{
    return (void *)(uintptr_t)address;
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

/* Lets those touch the pages that have access.  Devices and processors have the same pages. */
static void protect(const struct mapping *mapping)
{
    int pages = PROT_NONE;
    if (mapping->host_access) pages = PROT_READ;
    if (mapping->host_access == RILL_ACCESS_READ_WRITE || mapping->face.access)
        pages = PROT_READ | PROT_WRITE;
    mprotect(memory_at(mapping->place.base), (size_t)mapping->place.bytes, pages);
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
            .face = { .base = address, .bytes = bytes,
                      .shareable = sim_segment_can_be_shared(segment), .host = segment->host,
                      .reserved = { .base = reservation->range.base,
                                    .bytes = reservation->range.bytes } },
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

void sim_mapping_set_access(struct sim_platform *platform, struct mapping *mapping, int device,
                            rill_access access)
{
    const uint64_t bit = UINT64_C(1) << device;
    struct pool_face face = mapping->face;
    face.access = access ? face.access | bit : face.access & ~bit;
    face.reading = access == RILL_ACCESS_READ ? face.reading | bit : face.reading & ~bit;
    sim_map_set_face(platform->map, &mapping->face, face);
    protect(mapping);
}

void sim_mapping_set_host_access(struct mapping *mapping, rill_access access)
{
    mapping->host_access = access;
    protect(mapping);
}

/* Tells whether a use of one mapping may go on into the other, which is behind it. */
static bool goes_on(const struct mapping *mapping, const struct mapping *next)
{
    return mapping && next && rl_range_end(&mapping->place) == next->place.base &&
           mapping->reservation == next->reservation &&
           mapping->face.access == next->face.access &&
           mapping->face.reading == next->face.reading;
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
