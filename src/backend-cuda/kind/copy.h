/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies in streams.
 */
#ifndef CUDA_KIND_COPY_H
#define CUDA_KIND_COPY_H

#include "backend-cuda/context/stream.h"

/* Submits a copy of one row, whose kinds have a flat call. */
rill_status cuda_submit_copy_row(struct cuda_stream *stream, rill_memory_kind dst_kind,
                                 rill_devptr dst, rill_memory_kind src_kind, rill_devptr src,
                                 size_t bytes);

#endif
