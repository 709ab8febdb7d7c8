/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills that kernels submit as they launch kernels, and memory of the heap by the device
 * runtime.  Statuses, and which comes first, are those of an H200 (driver 580).
 */
#include "ptx/builtin/builtin.h"
#include "ptx/builtin/children.h"
#include "ptx/builtin/runtime_answer.h"
#include "ptx/run/checks.h"
#include "ptx/run/copy_in.h"
#include "ptx/run/fault.h"
#include "ptx/run/memory.h"

enum {
    STATUS_INVALID_VALUE = 1,
    STATUS_OUT_OF_MEMORY = 2,
    STATUS_INVALID_PITCH = 12,
    STATUS_INVALID_DIRECTION = 21
};
enum { COPY_DEVICE_TO_DEVICE = 3, COPY_DEFAULT = 4 };

static bool is_empty(const struct ptx_child_rows *rows)
{
    return !rows->width || !rows->height || !rows->depth;
}

static void submit_rows(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                        const struct ptx_child_rows *rows, uint64_t stream)
{
    const struct ptx_host *host = group->block->tlb->host;
    ptx_runtime_answer(group, step, lane,
                       host->children ? host->children->submit(host->data, rows, stream)
                                      : STATUS_INVALID_VALUE);
}

/* ---- Copies ------------------------------------------------------------------------------- */

/* Kinds other than these two are refused by an H200. */
static bool is_kind_of_device(uint32_t kind)
{
    return kind == COPY_DEVICE_TO_DEVICE || kind == COPY_DEFAULT;
}

void ptx_child_copy(struct ptx_group *group, const struct ptx_step *step)
{
    const uint64_t *dst = PTX_ARGUMENT(group, step, 0, const uint64_t);
    const uint64_t *src = PTX_ARGUMENT(group, step, 1, const uint64_t);
    const uint64_t *bytes = PTX_ARGUMENT(group, step, 2, const uint64_t);
    const uint32_t *kind = PTX_ARGUMENT(group, step, 3, const uint32_t);
    const uint64_t *stream = PTX_ARGUMENT(group, step, 4, const uint64_t);
    PTX_IN_TURN(group, i) {
        const struct ptx_child_rows rows = { .dst = { .at = dst[i] }, .src = { .at = src[i] },
                                             .width = bytes[i], .height = 1, .depth = 1 };
        if (is_empty(&rows) || is_kind_of_device(kind[i]))
            submit_rows(group, step, i, &rows, stream[i]);
        else
            ptx_runtime_answer(group, step, i, STATUS_INVALID_DIRECTION);
    }
}

void ptx_child_copy_2d(struct ptx_group *group, const struct ptx_step *step)
{
    const uint64_t *dst = PTX_ARGUMENT(group, step, 0, const uint64_t);
    const uint64_t *dst_pitch = PTX_ARGUMENT(group, step, 1, const uint64_t);
    const uint64_t *src = PTX_ARGUMENT(group, step, 2, const uint64_t);
    const uint64_t *src_pitch = PTX_ARGUMENT(group, step, 3, const uint64_t);
    const uint64_t *width = PTX_ARGUMENT(group, step, 4, const uint64_t);
    const uint64_t *height = PTX_ARGUMENT(group, step, 5, const uint64_t);
    const uint32_t *kind = PTX_ARGUMENT(group, step, 6, const uint32_t);
    const uint64_t *stream = PTX_ARGUMENT(group, step, 7, const uint64_t);
    PTX_IN_TURN(group, i) {
        const struct ptx_child_rows rows = {
            .dst = { .at = dst[i], .pitch = dst_pitch[i] },
            .src = { .at = src[i], .pitch = src_pitch[i] },
            .width = width[i], .height = height[i], .depth = 1,
        };
        if (is_empty(&rows))
            ptx_runtime_answer(group, step, i, 0);
        else if (!is_kind_of_device(kind[i]))
            ptx_runtime_answer(group, step, i, STATUS_INVALID_DIRECTION);
        else if (width[i] > dst_pitch[i] || width[i] > src_pitch[i])
            ptx_runtime_answer(group, step, i, STATUS_INVALID_PITCH);
        else
            submit_rows(group, step, i, &rows, stream[i]);
    }
}

/* A cudaPos, a cudaExtent and a cudaPitchedPtr, as they lie in memory. */
struct position {
    uint64_t x, y, z;
};

struct extent {
    uint64_t width, height, depth;
};

struct pitched {
    uint64_t at, pitch, width, height;
};

/* A cudaMemcpy3DParms. */
struct copy_parameters {
    uint64_t src_array;
    struct position src_position;
    struct pitched src;
    uint64_t dst_array;
    struct position dst_position;
    struct pitched dst;
    struct extent extent;
    uint32_t kind, padding;
};

static struct ptx_child_place place_of(const struct pitched *memory, const struct position *first)
{
    const uint64_t slice = memory->pitch * memory->height;
    return (struct ptx_child_place){
        .at = memory->at + first->z * slice + first->y * memory->pitch + first->x,
        .pitch = memory->pitch, .slice = slice,
    };
}

/* Returns 0 if a box lies in its rows, and its rows in the slices. */
static uint32_t check_box(const struct pitched *memory, const struct position *first,
                          const struct extent *extent)
{
    if (first->x > memory->pitch || extent->width > memory->pitch - first->x)
        return STATUS_INVALID_PITCH;
    if (extent->depth > 1 && (first->y > memory->height ||
                              extent->height > memory->height - first->y))
        return STATUS_INVALID_VALUE;
    return 0;
}

/* Arrays belong to the host. */
static uint32_t check_parameters(const struct copy_parameters *asked)
{
    if (!is_kind_of_device(asked->kind)) return STATUS_INVALID_DIRECTION;
    if (asked->src_array || asked->dst_array) return STATUS_INVALID_VALUE;
    const uint32_t status = check_box(&asked->dst, &asked->dst_position, &asked->extent);
    return status ? status : check_box(&asked->src, &asked->src_position, &asked->extent);
}

void ptx_child_copy_3d(struct ptx_group *group, const struct ptx_step *step)
{
    const uint64_t *parameters = PTX_ARGUMENT(group, step, 0, const uint64_t);
    const uint64_t *stream = PTX_ARGUMENT(group, step, 1, const uint64_t);
    PTX_IN_TURN(group, i) {
        struct copy_parameters asked;
        if (!parameters[i]) {
            ptx_runtime_answer(group, step, i, STATUS_INVALID_VALUE);
            continue;
        }
        if (!ptx_copy_in(group, step, i, parameters[i], &asked, sizeof asked)) return;
        const struct ptx_child_rows rows = {
            .dst = place_of(&asked.dst, &asked.dst_position),
            .src = place_of(&asked.src, &asked.src_position),
            .width = asked.extent.width, .height = asked.extent.height,
            .depth = asked.extent.depth,
        };
        const uint32_t status = is_empty(&rows) ? 0 : check_parameters(&asked);
        if (status) ptx_runtime_answer(group, step, i, status);
        else submit_rows(group, step, i, &rows, stream[i]);
    }
}

/* ---- Fills -------------------------------------------------------------------------------- */
/* The library that nvcc 13.0 links writes 0 whatever the value is, in one to three dimensions: an
 * H200 shows that, and no document allows it.  It is an error of that library, which other versions
 * need not have, and no rule of the hardware: the value is what is written here. */

void ptx_child_fill(struct ptx_group *group, const struct ptx_step *step)
{
    const uint64_t *dst = PTX_ARGUMENT(group, step, 0, const uint64_t);
    const uint32_t *value = PTX_ARGUMENT(group, step, 1, const uint32_t);
    const uint64_t *bytes = PTX_ARGUMENT(group, step, 2, const uint64_t);
    const uint64_t *stream = PTX_ARGUMENT(group, step, 3, const uint64_t);
    PTX_IN_TURN(group, i) {
        const struct ptx_child_rows rows = { .dst = { .at = dst[i] }, .fills = true,
                                             .value = (uint8_t)value[i],
                                             .width = bytes[i], .height = 1, .depth = 1 };
        submit_rows(group, step, i, &rows, stream[i]);
    }
}

void ptx_child_fill_2d(struct ptx_group *group, const struct ptx_step *step)
{
    const uint64_t *dst = PTX_ARGUMENT(group, step, 0, const uint64_t);
    const uint64_t *pitch = PTX_ARGUMENT(group, step, 1, const uint64_t);
    const uint32_t *value = PTX_ARGUMENT(group, step, 2, const uint32_t);
    const uint64_t *width = PTX_ARGUMENT(group, step, 3, const uint64_t);
    const uint64_t *height = PTX_ARGUMENT(group, step, 4, const uint64_t);
    const uint64_t *stream = PTX_ARGUMENT(group, step, 5, const uint64_t);
    PTX_IN_TURN(group, i) {
        const struct ptx_child_rows rows = {
            .dst = { .at = dst[i], .pitch = pitch[i] }, .fills = true, .value = (uint8_t)value[i],
            .width = width[i], .height = height[i], .depth = 1,
        };
        if (height[i] > 1 && width[i] > pitch[i])
            ptx_runtime_answer(group, step, i, STATUS_INVALID_VALUE);
        else
            submit_rows(group, step, i, &rows, stream[i]);
    }
}

/* The extent has 24 bytes in a column that has room for 32 of each lane. */
struct extent_argument {
    struct extent is;
    uint64_t padding;
};

void ptx_child_fill_3d(struct ptx_group *group, const struct ptx_step *step)
{
    const struct pitched *dst = PTX_ARGUMENT(group, step, 0, const struct pitched);
    const uint32_t *value = PTX_ARGUMENT(group, step, 1, const uint32_t);
    const struct extent_argument *extent =
        PTX_ARGUMENT(group, step, 2, const struct extent_argument);
    const uint64_t *stream = PTX_ARGUMENT(group, step, 3, const uint64_t);
    const struct position first = { 0, 0, 0 };
    PTX_IN_TURN(group, i) {
        const struct extent *is = &extent[i].is;
        const struct ptx_child_rows rows = {
            .dst = place_of(&dst[i], &first), .fills = true, .value = (uint8_t)value[i],
            .width = is->width, .height = is->height, .depth = is->depth,
        };
        if (check_box(&dst[i], &first, is))
            ptx_runtime_answer(group, step, i, STATUS_INVALID_VALUE);
        else
            submit_rows(group, step, i, &rows, stream[i]);
    }
}

/* ---- The heap ----------------------------------------------------------------------------- */

/* What fails leaves the pointer as it was. */
void ptx_runtime_malloc(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_host *host = group->block->tlb->host;
    const uint64_t *bytes = PTX_ARGUMENT(group, step, 1, const uint64_t);
    PTX_IN_TURN(group, i) {
        uint64_t address = bytes[i] && host->allocate ? host->allocate(host->data, bytes[i]) : 0;
        if (address) ptx_checks_allocated(group, address, bytes[i]);
        if (address && !ptx_runtime_put(group, step, i, address, sizeof address)) return;
        ptx_runtime_answer(group, step, i, address ? 0 : bytes[i] ? STATUS_OUT_OF_MEMORY
                                                      : STATUS_INVALID_VALUE);
    }
}

void ptx_runtime_free(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_host *host = group->block->tlb->host;
    const uint64_t *address = PTX_ARGUMENT(group, step, 0, const uint64_t);
    PTX_IN_TURN(group, i) {
        bool freed = !address[i] || (host->release && host->release(host->data, address[i]));
        ptx_runtime_answer(group, step, i, freed ? 0 : STATUS_INVALID_VALUE);
    }
}
