/* SPDX-License-Identifier: Apache-2.0
 *
 * Value operations as the driver is told of them, in a stream or as nodes.
 */
#ifndef CUDA_VALUES_H
#define CUDA_VALUES_H

#include "backend-cuda/cuda.h"

#define CUDA_VALUES_MOST 255

/* More than CUDA_VALUES_MOST are refused before anything is written. */
rill_status cuda_check_values(const rill_values_op *values);

/* One after the other. */
void cuda_write_values(const rill_value *items, size_t count, CUstreamBatchMemOpParams *raw);
void cuda_read_value(const CUstreamBatchMemOpParams *raw, rill_value *item);

/* The driver refused them in `call`: why, as far as one can see.  Never RILL_SUCCESS. */
rill_status cuda_explain_values(const struct cuda_context *context, CUresult result,
                                const char *call, const rill_values_op *values);

#endif
