/* SPDX-License-Identifier: Apache-2.0
 *
 * What is not written yet; each part takes its lines out of here.
 */
#include "backend-cuda/graph.h"
#include "backend-cuda/stream.h"
#include "backend-cuda/tables.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define TODO(name, ...) \
    rill_status name(__VA_ARGS__); \
    rill_status name(__VA_ARGS__) { return RILL_ERROR_NOT_SUPPORTED; }

/* graphs */
const struct rill_graph_ops cuda_graph_ops = { 0 };
const struct rill_exec_ops cuda_exec_ops = { 0 };
TODO(cuda_own_graph, struct cuda_context *context, CUgraph raw, rill_graph **graph)
