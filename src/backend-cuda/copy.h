/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills as the driver is told of them, in a stream, at once, or as nodes.
 * What rill says of a copy without pitches, or without volume, is what the driver
 * does: places are passed on as they are.
 */
#ifndef CUDA_COPY_H
#define CUDA_COPY_H

#include "backend-cuda/cuda.h"

/* The contexts of the places are not in it. */
void cuda_write_copy(const rill_copy *copy, CUDA_MEMCPY3D *raw);
void cuda_read_copy(const CUDA_MEMCPY3D *raw, rill_copy *copy);

/* The driver refused the copy or the fill in `call`: why, as far as one can see.  For
 * nodes, too.  Never RILL_SUCCESS. */
rill_status cuda_explain_copy(const struct cuda_context *context, CUresult result,
                              const char *call, const rill_copy *copy);
rill_status cuda_explain_fill(const struct cuda_context *context, CUresult result,
                              const char *call, const rill_fill *fill);

/* The synchronous forms. */
rill_status cuda_run_copy(struct cuda_context *context, const rill_copy *copy);
rill_status cuda_run_fill(struct cuda_context *context, const rill_fill *fill);

#endif
