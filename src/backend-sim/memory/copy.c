/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of boxes, which are checked against the address map when they are submitted
 * and run later on any thread.
 *
 * The declared kind of a side: DEVICE must be memory that the map knows, of any kind;
 * HOST and UNIFIED are what the map says they are, and pageable host memory where the
 * map knows nothing.
 */
#include <inttypes.h>
#include <string.h>

#include "backend-sim/memory/graph_heap.h"
#include "backend-sim/memory/memory.h"
#include "backend-sim/memory/views.h"
#include "base/alloc.h"
#include "base/overflow.h"
#include "base/unseen.h"

/* ---- One side ----------------------------------------------------------------------- */

struct side {
    const char *name;        /* "dst" or "src" */
    const rill_place *place;
    struct address_info info;
    size_t pitch, slice;     /* bytes from row to row, and from slice to slice */
    size_t offset, span;     /* bytes from the address to the box, and from the
                                first byte of the box to its last              */
};

static bool is_flat(const rill_copy *copy)
{
    return copy->height == 1 && copy->depth == 1;
}

static rill_status fail_long(const struct side *side)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, side->name,
                             "the box ends beyond the last address");
}

/* Computes the pitch and the slice of a side.  They are as tight as the box where the place
 * has 0, and never tighter. */
static rill_status check_shape(struct side *side, const rill_copy *copy)
{
    const rill_place *place = side->place;
    size_t row, rows;
    if (__builtin_add_overflow(place->x, copy->width, &row) ||
        __builtin_add_overflow(place->y, copy->height, &rows))
        return fail_long(side);
    if (place->pitch && place->pitch < row)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, side->name,
                                 "a pitch of %zu bytes is less than x + width, %zu", place->pitch,
                                 row);
    if (place->rows && place->rows < rows)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, side->name,
                                 "%zu rows in a slice are less than y + height, %zu", place->rows,
                                 rows);
    side->pitch = place->pitch ? place->pitch : row;
    if (__builtin_mul_overflow(side->pitch, place->rows ? place->rows : rows, &side->slice)) {
        if (place->z || copy->depth > 1) return fail_long(side);
        side->slice = 0; /* there is no next slice */
    }
    return RILL_SUCCESS;
}

static rill_status check_extent(struct side *side, const rill_copy *copy)
{
    const rill_place *place = side->place;
    size_t all;
    if (!rl_sum_of_products(place->z, side->slice, place->y, side->pitch, place->x,
                            &side->offset) ||
        !rl_sum_of_products(copy->depth - 1, side->slice, copy->height - 1, side->pitch,
                            copy->width, &side->span) ||
        __builtin_add_overflow(side->offset, side->span, &all) || place->address > UINT64_MAX - all)
        return fail_long(side);
    return RILL_SUCCESS;
}

static rill_status fail_bounds(const struct side *side, const rill_copy *copy)
{
    const struct address_info *info = &side->info;
    uint64_t first = side->place->address + side->offset;
    uint64_t beyond = first + side->span - (info->base + info->bytes);
    if (is_flat(copy))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, side->name,
                                 "%zu bytes at 0x%" PRIx64 " go %" PRIu64 " beyond the end of the "
                                 "allocation of %" PRIu64 " bytes at 0x%" PRIx64,
                                 copy->width, first, beyond, info->bytes, info->base);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, side->name,
                             "a box of %zu x %zu x %zu bytes at 0x%" PRIx64 ", %zu from row to row "
                             "and %zu from slice to slice, goes %" PRIu64 " beyond the end of the "
                             "allocation of %" PRIu64 " bytes at 0x%" PRIx64,
                             copy->width, copy->height, copy->depth, first, side->pitch,
                             side->slice, beyond, info->bytes, info->base);
}

static rill_status fail_unknown(const struct side *side)
{
    char words[SIM_DESCRIPTION_MAX];
    uint64_t address = side->place->address;
    if (!address)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, side->name,
                                 "%s is NULL; pass the address of the memory", side->name);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, side->name,
                             "0x%" PRIx64 " is not in an allocation: it is %s", address,
                             sim_describe_address(&side->info, address, words));
}

/* Checks that the box lies in the allocation around the place's address, wherever the box
 * begins, and that the context reaches it. */
static rill_status check_memory(struct sim_context *context, const struct side *side,
                                const rill_copy *copy)
{
    const struct address_info *info = &side->info;
    const rill_place *place = side->place;
    if (!info->known) {
        bool may_be_host = place->kind != RILL_MEMORY_DEVICE && !info->in_window;
        return place->address && may_be_host ? RILL_SUCCESS : fail_unknown(side);
    }
    uint64_t room = info->bytes - (place->address - info->base);
    if (side->offset > room || side->span > room - side->offset) return fail_bounds(side, copy);
    if (!sim_address_is_listed(info)) return RILL_SUCCESS;
    if (place->context) context = sim_context_of(place->context);
    if (!context || sim_address_reached(context, info)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, side->name,
                             "0x%" PRIx64 " is %s of device %d, to which device %d has no access",
                             place->address, sim_describe_allocation(info->kind), info->device,
                             context->device->ordinal);
}

static bool is_kind(rill_memory_kind kind)
{
    return kind == RILL_MEMORY_DEVICE || kind == RILL_MEMORY_HOST || kind == RILL_MEMORY_UNIFIED;
}

static rill_status check_kind(const struct side *side)
{
    if (is_kind(side->place->kind)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, side->name, "%d is no kind of memory",
                             (int)side->place->kind);
}

static rill_status check_side(struct sim_context *context, struct side *side,
                              const rill_copy *copy)
{
    rill_status status = check_kind(side);
    if (!status) status = check_shape(side, copy);
    if (!status) status = check_extent(side, copy);
    if (!status) status = check_memory(context, side, copy);
    return status;
}

/* ---- Both --------------------------------------------------------------------------- */

static bool is_host(const struct side *side)
{
    return !side->info.known || sim_address_is_host(&side->info);
}

/* Tells whether a synchronous call waits because of a side, as it does where the host may look
 * next. */
static bool waits_for(const struct side *side)
{
    return is_host(side) || side->info.sync_memops || sim_address_is_managed(&side->info);
}

/* Returns the context that allocated a side, or NULL if that is not device memory. */
static struct sim_context *owner_of(const struct side *side)
{
    return side->info.known && side->info.kind == ALLOCATION_DEVICE ? side->info.context : NULL;
}

static bool is_device(const struct side *side)
{
    return side->info.known && side->info.kind == ALLOCATION_DEVICE;
}

/* Says so if each side of a copy that was refused is where the other should be. */
__attribute__((cold, noinline))
static rill_status suspect_swap(const struct side *dst, const struct side *src, rill_status status)
{
    bool up = dst->place->kind == RILL_MEMORY_DEVICE && src->place->kind == RILL_MEMORY_HOST;
    bool down = dst->place->kind == RILL_MEMORY_HOST && src->place->kind == RILL_MEMORY_DEVICE;
    const struct side *device = up ? dst : src, *host = up ? src : dst;
    if (!(up || down) || device->info.known || !device->place->address || !is_device(host))
        return status;
    return rill_backend_fail(status, device->name, "%s is 0x%" PRIx64 ", where no device memory "
                             "is, and %s, 0x%" PRIx64 ", is device memory; are they swapped?",
                             device->name, device->place->address, host->name,
                             host->place->address);
}

static rill_status prepare_copy(struct sim_platform *platform, struct sim_context *context,
                                const rill_copy *copy, bool of_node, struct sim_copy *out)
{
    *out = (struct sim_copy){ .width = 0 };
    if (!copy->width || !copy->height || !copy->depth) return RILL_SUCCESS;
    struct side dst = { .name = "dst", .place = &copy->dst };
    struct side src = { .name = "src", .place = &copy->src };
    sim_map_lookup_both(platform->map, copy->dst.address, &dst.info, copy->src.address, &src.info);
    if (of_node) {
        sim_graph_memory_lookup(platform, copy->dst.address, &dst.info);
        sim_graph_memory_lookup(platform, copy->src.address, &src.info);
    }
    rill_status status = check_side(context, &dst, copy);
    if (!status) status = check_side(context, &src, copy);
    if (status) return suspect_swap(&dst, &src, status);
    status = sim_address_check_given(context, &dst.info, copy->dst.address, dst.name);
    if (!status && !of_node)
        status = sim_address_check_writable(&dst.info, copy->dst.address, dst.name);
    if (status) return status;
    /* The driver always waits for a copy from host to host, pinned or not. */
    bool to_pageable = is_host(&dst) && (!dst.info.known || is_host(&src));
    *out = (struct sim_copy){
        .dst = copy->dst.address + dst.offset,
        .src = copy->src.address + src.offset,
        .width = copy->width,
        .height = copy->height,
        .depth = copy->depth,
        .dst_pitch = dst.pitch,
        .dst_slice = dst.slice,
        .src_pitch = src.pitch,
        .src_slice = src.slice,
        .from_pageable = !src.info.known,
        .to_pageable = to_pageable,
        .touches_host = waits_for(&dst) || waits_for(&src),
        .owners = { owner_of(&dst), owner_of(&src) },
    };
    return RILL_SUCCESS;
}

rill_status sim_copy_prepare(struct sim_context *context, const rill_copy *copy,
                             struct sim_copy *out)
{
    return prepare_copy(context->platform, context, copy, false, out);
}

rill_status sim_copy_prepare_node(struct sim_platform *platform, struct sim_context *context,
                                  const rill_copy *copy, struct sim_copy *out)
{
    return prepare_copy(platform, context, copy, true, out);
}

void sim_copy_see(const struct sim_platform *platform, struct sim_copy *copy)
{
    copy->dst = sim_view_of(platform, copy->dst);
    copy->src = sim_view_of(platform, copy->src);
}

/* ---- One row ------------------------------------------------------------------------- */

static inline bool is_plain(const rill_place *place)
{
    return !(place->x | place->y | place->z | place->pitch | place->rows);
}

static inline bool holds_row(const struct sim_context *context, uint64_t address, size_t bytes,
                             const struct address_info *info)
{
    if (!info->known || bytes > info->bytes - (address - info->base)) return false;
    return !(info->kind & ALLOCATION_INDIRECT) || info->access >> context->device->ordinal & 1;
}

/* Tells whether each side is memory that its context reaches and no call waits for the row. */
static inline bool is_ready(const struct sim_context *to_context, rill_memory_kind dst_kind,
                            const struct sim_context *from_context, rill_memory_kind src_kind,
                            struct address_map *map, const struct sim_row *row)
{
    struct address_info to, from;
    if (!row->bytes || !is_kind(dst_kind) || !is_kind(src_kind)) return false;
    sim_map_lookup_both(map, row->dst, &to, row->src, &from);
    return holds_row(to_context, row->dst, row->bytes, &to) && !sim_address_is_for_reading(&to) &&
           !sim_address_is_only_read(to_context, &to) &&
           holds_row(from_context, row->src, row->bytes, &from) &&
           !(sim_address_is_host(&to) && sim_address_is_host(&from)); /* the call waits for it */
}

bool sim_row_is_ready(struct sim_context *context, rill_memory_kind dst_kind,
                      rill_memory_kind src_kind, const struct sim_row *row)
{
    return is_ready(context, dst_kind, context, src_kind, context->platform->map, row);
}

static const struct sim_context *context_of(const rill_place *place,
                                            const struct sim_context *otherwise)
{
    return place->context ? sim_context_of(place->context) : otherwise;
}

bool sim_copy_is_row(struct sim_context *context, const rill_copy *copy, struct sim_row *out)
{
    const rill_place *dst = &copy->dst, *src = &copy->src;
    if (copy->height != 1 || copy->depth != 1 || !is_plain(dst) || !is_plain(src)) return false;
    *out = (struct sim_row){ dst->address, src->address, copy->width };
    return is_ready(context_of(dst, context), dst->kind, context_of(src, context), src->kind,
                    context->platform->map, out);
}

/* ---- Running ------------------------------------------------------------------------ */

static void *memory_at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* Copies with memmove(): a copy onto itself has no result to rely on, but it must not be
 * undefined behaviour here. */
void sim_copy_run(const struct sim_copy *copy)
{
    uint64_t dst = copy->dst, src = copy->src;
    size_t width = copy->width, height = copy->height, depth = copy->depth;
    RL_BEFORE_UNSEEN();
    /* Rows without gaps between them on both sides are one longer row. */
    if (height == 1 || (copy->dst_pitch == width && copy->src_pitch == width)) {
        width *= height;
        height = 1;
        if (depth == 1 || (copy->dst_slice == width && copy->src_slice == width)) {
            width *= depth;
            depth = 1;
        }
    }
    for (size_t z = 0; z < depth; z++)
        for (size_t y = 0; y < height; y++)
            memmove(memory_at(dst + z * copy->dst_slice + y * copy->dst_pitch),
                    memory_at(src + z * copy->src_slice + y * copy->src_pitch), width);
}

/* Computes the volume unchecked, since the box fits into memory on the other side without
 * overlapping itself. */
rill_status sim_copy_stage(struct sim_copy *copy)
{
    size_t slice = copy->width * copy->height;
    void *staged = rl_alloc(slice * copy->depth);
    if (!staged)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "no memory for the %zu bytes of pageable memory that are copied",
                                 slice * copy->depth);
    struct sim_copy now = *copy;
    now.dst = (uintptr_t)staged;
    now.dst_pitch = copy->width;
    now.dst_slice = slice;
    sim_copy_run(&now);
    copy->src = now.dst;
    copy->src_pitch = now.dst_pitch;
    copy->src_slice = now.dst_slice;
    copy->staged = staged;
    copy->from_pageable = false;
    return RILL_SUCCESS;
}

void sim_copy_drop(struct sim_copy *copy)
{
    rl_free(copy->staged);
    copy->staged = NULL;
}
