/* SPDX-License-Identifier: Apache-2.0
 *
 * Why the driver refused a copy or a fill.  The driver only says that a value was invalid; this
 * looks for the first thing that is wrong by the driver's own rules, in the order in which one
 * would mend them.  It may take its time.
 */
#include "backend-cuda/memory/explain.h"

#include <inttypes.h>

#include "backend-cuda/memory/pointer.h"
#include "base/overflow.h"

struct refusal {
    const struct cuda_context *context; /* in which the memory is asked for */
    CUresult result;
    const char *call;
    bool crosses; /* the call reaches ordinary memory of other devices */
};

/* ---- Memory --------------------------------------------------------------------------- */

/* Checks `bytes` from the address on.  Like all checks here, it returns RILL_SUCCESS if it finds
 * nothing wrong. */
static rill_status check_memory(const struct refusal *r, const char *argument,
                                rill_devptr address, size_t bytes, bool may_be_pageable)
{
    struct cuda_address found;
    if (!address) return cuda_blame(r->result, r->call, argument,
                                    "%s is NULL; pass the address of the memory", argument);
    cuda_lookup(r->context, address, &found);
    if (!found.known)
        return may_be_pageable
                   ? RILL_SUCCESS
                   : cuda_blame(r->result, r->call, argument,
                                "0x%" PRIx64 " is not in an allocation: it is %s", address,
                                cuda_describe_address(&found));
    size_t room = found.bytes - (size_t)(address - found.base);
    if (bytes > room)
        return cuda_blame(r->result, r->call, argument,
                          "%zu bytes at 0x%" PRIx64 " go %zu beyond the end of the allocation of "
                          "%zu bytes at 0x%" PRIx64,
                          bytes, address, bytes - room, found.bytes, found.base);
    if (found.host || found.device == r->context->ordinal || (r->crosses && !found.pool))
        return RILL_SUCCESS;
    return cuda_blame(r->result, r->call, argument,
                      "0x%" PRIx64 " is %s of device %d, to which device %d has no access",
                      address, cuda_describe_address(&found), found.device, r->context->ordinal);
}

/* ---- Copies ----------------------------------------------------------------------------- */

static rill_status check_volume(const struct refusal *r, const rill_copy *copy)
{
    const char *argument = !copy->width ? "width" : !copy->height ? "height" : "depth";
    if (copy->width && copy->height && copy->depth) return RILL_SUCCESS;
    return cuda_blame(r->result, r->call, argument, "a box of %zu x %zu x %zu bytes has nothing "
                      "to copy", copy->width, copy->height, copy->depth);
}

static rill_status refuse_long_copy(const struct refusal *r, const char *argument)
{
    return cuda_blame(r->result, r->call, argument, "the box ends beyond the last address");
}

static rill_status check_side(const struct refusal *r, const char *argument,
                              const rill_place *place, const rill_copy *copy)
{
    size_t row, rows, slice = 0, offset, span, all;
    int kind = (int)place->kind;
    if (kind != RILL_MEMORY_HOST && kind != RILL_MEMORY_DEVICE && kind != RILL_MEMORY_UNIFIED)
        return cuda_blame(r->result, r->call, argument, "%d is no kind of memory", kind);
    if (__builtin_add_overflow(place->x, copy->width, &row) ||
        __builtin_add_overflow(place->y, copy->height, &rows))
        return refuse_long_copy(r, argument);
    if (place->pitch && place->pitch < row)
        return cuda_blame(r->result, r->call, argument,
                          "a pitch of %zu bytes is less than x + width, %zu", place->pitch, row);
    if (place->rows && place->rows < rows)
        return cuda_blame(r->result, r->call, argument,
                          "%zu rows in a slice are less than y + height, %zu", place->rows, rows);
    size_t pitch = place->pitch ? place->pitch : row;
    if (__builtin_mul_overflow(pitch, place->rows ? place->rows : rows, &slice) &&
        (place->z || copy->depth > 1))
        return refuse_long_copy(r, argument);
    if (!rl_sum_of_products(place->z, slice, place->y, pitch, place->x, &offset) ||
        !rl_sum_of_products(copy->depth - 1, slice, copy->height - 1, pitch, copy->width, &span) ||
        __builtin_add_overflow(offset, span, &all) || place->address > UINT64_MAX - all)
        return refuse_long_copy(r, argument);
    return check_memory(r, argument, place->address, all, place->kind != RILL_MEMORY_DEVICE);
}

static const struct cuda_context *context_of_place(const struct cuda_context *context,
                                                   const rill_place *place)
{
    return place->context ? cuda_context_of(place->context) : context;
}

rill_status cuda_explain_copy(const struct cuda_context *context, CUresult result,
                              const char *call, const rill_copy *copy)
{
    const struct refusal to = { context_of_place(context, &copy->dst), result, call, true };
    const struct refusal from = { context_of_place(context, &copy->src), result, call, true };
    if (result != CUDA_ERROR_INVALID_VALUE) return cuda_fail(result, call, NULL);
    rill_status status = check_volume(&to, copy);
    if (!status) status = check_side(&to, "dst", &copy->dst, copy);
    if (!status) status = check_side(&from, "src", &copy->src, copy);
    return status ? status : cuda_fail(result, call, NULL);
}

/* ---- Fills ------------------------------------------------------------------------------ */

static rill_status check_fill_shape(const struct refusal *r, const rill_fill *fill, size_t *span)
{
    size_t element = fill->element_bytes, row;
    if (element != 1 && element != 2 && element != 4)
        return cuda_blame(r->result, r->call, "element_bytes", "%zu is not 1, 2 or 4", element);
    if (!fill->width || !fill->height)
        return cuda_blame(r->result, r->call, fill->width ? "height" : "width",
                          "%zu rows of %zu elements are nothing to fill", fill->height,
                          fill->width);
    if (fill->dst % element)
        return cuda_blame(r->result, r->call, "dst", "0x%" PRIx64 " is not a multiple of %zu",
                          fill->dst, element);
    bool fits = !__builtin_mul_overflow(fill->width, element, &row);
    if (fits && fill->height > 1 && (fill->pitch < row || fill->pitch % element))
        return cuda_blame(r->result, r->call, "pitch", "%zu bytes from row to row are %s %zu",
                          fill->pitch,
                          fill->pitch < row ? "less than a row of" : "not a multiple of",
                          fill->pitch < row ? row : element);
    if (fits && rl_sum_of_products(fill->height - 1, fill->pitch, 0, 0, row, span))
        return RILL_SUCCESS;
    return cuda_blame(r->result, r->call, "dst",
                      "%zu rows of %zu elements end beyond the last address", fill->height,
                      fill->width);
}

rill_status cuda_explain_fill(const struct cuda_context *context, CUresult result,
                              const char *call, const rill_fill *fill)
{
    const struct refusal r = { context, result, call, false };
    size_t span = 0;
    if (result != CUDA_ERROR_INVALID_VALUE) return cuda_fail(result, call, NULL);
    rill_status status = check_fill_shape(&r, fill, &span);
    if (!status) status = check_memory(&r, "dst", fill->dst, span, false);
    return status ? status : cuda_fail(result, call, NULL);
}
