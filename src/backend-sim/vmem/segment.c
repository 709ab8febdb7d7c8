/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/vmem/segment.h"

#include <inttypes.h>
#include <unistd.h>

#include "backend-sim/memory/heap.h"
#include "base/alloc.h"
#include "base/memory_file.h"

/* How far the file of what is not shareable may reach. */
#define FILE_BYTES (UINT64_C(1) << 45)

/* ---- Pieces of one file -------------------------------------------------------------- */

static bool open_file(struct vmem *vmem)
{
    if (vmem->file >= 0) return true;
    if (sim_extents_open(&vmem->extents, EXTENTS_LOWEST, VMEM_GRAIN, FILE_BYTES, VMEM_GRAIN))
        return false;
    vmem->file = rl_memory_file_open("rill device memory");
    if (vmem->file < 0) sim_extents_close(&vmem->extents);
    return vmem->file >= 0;
}

/* Gives a segment its piece.  Returns false if the system refuses. */
static bool take_piece(struct vmem *vmem, struct segment *segment)
{
    if (!open_file(vmem)) return false;
    struct extent *from = sim_extents_fit(&vmem->extents, segment->bytes);
    if (!from || !rl_memory_file_grow(vmem->file, from->range.base + segment->bytes)) return false;
    segment->extent = sim_extents_carve(&vmem->extents, from, 0, segment->bytes);
    if (!segment->extent) return false;
    segment->file = vmem->file;
    segment->offset = segment->extent->range.base;
    return true;
}

static void give_piece_back(struct vmem *vmem, struct segment *segment)
{
    rl_memory_file_discard(vmem->file, segment->offset, segment->bytes);
    sim_extents_release(&vmem->extents, segment->extent, 0);
}

/* ---- Life ---------------------------------------------------------------------------- */

void sim_segment_add(struct vmem *vmem, struct segment *segment)
{
    segment->name.base = ++vmem->newest;
    segment->name.bytes = 1;
    segment->handles = 1;
    rl_ranges_add(&vmem->segments, &segment->name);
}

static rill_status fail_full(const struct sim_device *device, uint64_t bytes)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "bytes",
                             "%" PRIu64 " bytes do not fit: device %d has %" PRIu64 " of %" PRIu64
                             " bytes left",
                             bytes, device->ordinal, sim_heap_left(device->heap),
                             device->heap->memory_bytes);
}

rill_status sim_segment_make(struct sim_platform *platform, uint64_t bytes,
                             const rill_vmem_options *options, struct segment **out)
{
    struct sim_device *device = &platform->devices[options->device];
    struct segment *segment = rl_zalloc(sizeof *segment);
    if (!segment)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory to note memory");
    if (!options->host && !sim_heap_claim(device->heap, bytes)) {
        rl_free(segment);
        return fail_full(device, bytes);
    }
    *segment = (struct segment){ .device = options->device, .host = options->host != 0,
                                 .tiles = options->tiles != 0, .bytes = bytes,
                                 .counted = !options->host };
    segment->file = options->shareable ? sim_share_make(bytes, options) : -1;
    if (options->shareable ? segment->file < 0 : !take_piece(platform->vmem, segment)) {
        if (segment->counted) sim_heap_unclaim(device->heap, bytes);
        rl_free(segment);
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "bytes",
                                 "the system refuses a file in memory of %" PRIu64 " bytes more",
                                 bytes);
    }
    sim_segment_add(platform->vmem, segment);
    *out = segment;
    return RILL_SUCCESS;
}

rill_status sim_segment_find(struct vmem *vmem, rill_vmem_handle handle, struct segment **segment)
{
    struct range *name = rl_ranges_at(&vmem->segments, handle);
    *segment = name ? sim_segment_of(name) : NULL;
    if (*segment && (*segment)->handles) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "handle",
                             *segment ? "%" PRIu64 " is a handle that was released as often as it "
                                        "was given out"
                                      : "%" PRIu64 " is no handle of memory",
                             handle);
}

void sim_segment_free(struct sim_platform *platform, struct segment *segment)
{
    struct vmem *vmem = platform->vmem;
    rl_ranges_remove(&vmem->segments, &segment->name);
    if (segment->counted && !sim_share_leave(vmem, segment))
        sim_heap_unclaim(platform->devices[segment->device].heap, segment->bytes);
    if (segment->extent) give_piece_back(vmem, segment);
    else close(segment->file);
    rl_free(segment);
}

void sim_segment_settle(struct sim_platform *platform, struct segment *segment)
{
    if (!segment->handles && !segment->mappings) sim_segment_free(platform, segment);
}
