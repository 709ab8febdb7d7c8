/* SPDX-License-Identifier: Apache-2.0
 *
 * What is not written yet; each part takes its lines out of here.
 */
#include "backend-cuda/capture.h"
#include "backend-cuda/pool.h"
#include "backend-cuda/tables.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define TODO(name, ...) \
    rill_status name(__VA_ARGS__); \
    rill_status name(__VA_ARGS__) { return RILL_ERROR_NOT_SUPPORTED; }

/* memory */
const struct rill_memory_ops cuda_memory_ops = { 0 };
TODO(cuda_submit_copy, struct cuda_stream *stream, rill_op *op)
TODO(cuda_submit_fill, struct cuda_stream *stream, rill_op *op)
TODO(cuda_submit_alloc, struct cuda_stream *stream, rill_op *op)
TODO(cuda_submit_free, struct cuda_stream *stream, rill_op *op)
TODO(cuda_submit_values, struct cuda_stream *stream, rill_op *op)
const struct rill_pool_ops cuda_pool_ops = { 0 };
void cuda_forget_pools(struct cuda_platform *platform) { (void)platform; }

/* capture, kernels */
const struct rill_capture_ops cuda_capture_ops = { 0 };
const struct rill_module_ops cuda_module_ops = { 0 };
TODO(cuda_submit_kernel, struct cuda_stream *stream, rill_op *op)
TODO(cuda_submit_empty, struct cuda_stream *stream, rill_op *op)
TODO(cuda_stream_get_attribute, rill_stream *stream, rill_attribute *attribute)
TODO(cuda_stream_set_attribute, rill_stream *stream, const rill_attribute *attribute)
TODO(cuda_stream_copy_attributes, rill_stream *dst, rill_stream *src)
CUgraph cuda_capture_graph(const struct cuda_stream *stream) { (void)stream; return NULL; }
void cuda_capture_suffered(rill_status status) { (void)status; }
void cuda_capture_forget_stream(struct cuda_stream *stream) { (void)stream; }

/* graphs */
const struct rill_graph_ops cuda_graph_ops = { 0 };
const struct rill_exec_ops cuda_exec_ops = { 0 };
