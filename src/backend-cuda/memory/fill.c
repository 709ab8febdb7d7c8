/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills at once.  A row takes the driver's flat calls, for which the pitch does not matter.
 */
#include "backend-cuda/memory/fill.h"

#include <inttypes.h>

__attribute__((noinline, cold))
rill_status cuda_refuse_long_fill(const rill_fill *fill)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "dst",
                             "%zu rows of %zu elements of %" PRIu32 " bytes at 0x%" PRIx64
                             " end beyond the last address",
                             fill->height, fill->width, fill->element_bytes, fill->dst);
}

__attribute__((noinline, cold))
rill_status cuda_refuse_element(const rill_fill *fill)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "element_bytes",
                             "%" PRIu32 " is not 1, 2 or 4", fill->element_bytes);
}

/* ---- At once -------------------------------------------------------------------------- */

static rill_status run_fill_rows(const struct cuda_context *context, const rill_fill *fill)
{
    uint32_t value = fill->value;
    switch (fill->element_bytes) {
    case 1:
        return cuda_end_fill(context,
                             cuda_api.MemsetD2D8(fill->dst, fill->pitch, (unsigned char)value,
                                                 fill->width, fill->height),
                             "cuMemsetD2D8", fill);
    case 2:
        return cuda_end_fill(context,
                             cuda_api.MemsetD2D16(fill->dst, fill->pitch, (unsigned short)value,
                                                  fill->width, fill->height),
                             "cuMemsetD2D16", fill);
    case 4:
        return cuda_end_fill(context,
                             cuda_api.MemsetD2D32(fill->dst, fill->pitch, value, fill->width,
                                                  fill->height),
                             "cuMemsetD2D32", fill);
    default: return cuda_refuse_element(fill);
    }
}

rill_status cuda_run_fill(struct cuda_context *context, const rill_fill *fill)
{
    uint32_t value = fill->value;
    if (__builtin_expect(!cuda_fill_ends(fill), 0)) return cuda_refuse_long_fill(fill);
    if (fill->height != 1) return run_fill_rows(context, fill);
    switch (fill->element_bytes) {
    case 1:
        return cuda_end_fill(context,
                             cuda_api.MemsetD8(fill->dst, (unsigned char)value, fill->width),
                             "cuMemsetD8", fill);
    case 2:
        return cuda_end_fill(context,
                             cuda_api.MemsetD16(fill->dst, (unsigned short)value, fill->width),
                             "cuMemsetD16", fill);
    case 4:
        return cuda_end_fill(context, cuda_api.MemsetD32(fill->dst, value, fill->width),
                             "cuMemsetD32", fill);
    default: return cuda_refuse_element(fill);
    }
}
