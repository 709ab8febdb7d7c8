/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills in streams.
 */
#ifndef CUDA_KIND_FILL_H
#define CUDA_KIND_FILL_H

#include "backend-cuda/context/stream.h"

/* Submits a fill of one row.  Requires the context of a default stream to be current. */
rill_status cuda_submit_fill_row(struct cuda_stream *stream, rill_devptr dst, uint32_t value,
                                 uint32_t element_bytes, size_t count);

#endif
