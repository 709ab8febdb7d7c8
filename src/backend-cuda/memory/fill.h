/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills, in a stream or at once.
 */
#ifndef CUDA_MEMORY_FILL_H
#define CUDA_MEMORY_FILL_H

#include "backend-cuda/memory/explain.h"

/* Fills before it returns.  Requires the context to be current. */
rill_status cuda_run_fill(struct cuda_context *context, const rill_fill *fill);

/* Returns whether the last byte of a fill has an address. */
static inline bool cuda_fill_ends(const rill_fill *fill)
{
    size_t row, rows, bytes, end;
    if (!fill->width || !fill->height) return true;
    return !__builtin_mul_overflow(fill->width, fill->element_bytes, &row) &&
           !__builtin_mul_overflow(fill->height - 1, fill->height > 1 ? fill->pitch : 0, &rows) &&
           !__builtin_add_overflow(row, rows, &bytes) &&
           !__builtin_add_overflow(fill->dst, bytes, &end);
}

/* Refuses a fill that does not end: the driver would take a count that wraps around, and the
 * device would fail. */
rill_status cuda_refuse_long_fill(const rill_fill *fill);

/* Refuses an element that is not of 1, 2 or 4 bytes. */
rill_status cuda_refuse_element(const rill_fill *fill);

/* Ends a fill, and explains a failure. */
static inline rill_status cuda_end_fill(const struct cuda_context *context, CUresult result,
                                        const char *call, const rill_fill *fill)
{
    return __builtin_expect(result == CUDA_SUCCESS, 1)
               ? RILL_SUCCESS
               : cuda_explain_fill(context, result, call, fill);
}

#endif
