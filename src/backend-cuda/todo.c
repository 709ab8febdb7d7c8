/* SPDX-License-Identifier: Apache-2.0
 *
 * What is not written yet; each part takes its lines out of here.
 */
#include "backend-cuda/graph.h"
#include "backend-cuda/pool.h"
#include "backend-cuda/stream.h"
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

/* graphs */
const struct rill_graph_ops cuda_graph_ops = { 0 };
const struct rill_exec_ops cuda_exec_ops = { 0 };
TODO(cuda_own_graph, struct cuda_context *context, CUgraph raw, rill_graph **graph)
