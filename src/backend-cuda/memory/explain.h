/* SPDX-License-Identifier: Apache-2.0
 *
 * Why the driver refused a copy or a fill, in a stream, at once, or as a node.
 */
#ifndef CUDA_MEMORY_EXPLAIN_H
#define CUDA_MEMORY_EXPLAIN_H

#include "backend-cuda/context/context.h"

/* Says what is wrong with a copy or a fill that the driver refused in `call`, as far as one
 * can see.  Never returns RILL_SUCCESS. */
rill_status cuda_explain_copy(const struct cuda_context *context, CUresult result,
                              const char *call, const rill_copy *copy);
rill_status cuda_explain_fill(const struct cuda_context *context, CUresult result,
                              const char *call, const rill_fill *fill);

#endif
