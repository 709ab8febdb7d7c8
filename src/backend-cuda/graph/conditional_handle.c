/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles of conditional nodes.
 */
#include "backend-cuda/graph/calls.h"
#include "backend-cuda/object/graph.h"

rill_status cuda_conditional_create(rill_graph *handle, uint32_t initial, uint32_t flags,
                                    rill_conditional *conditional)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    uint64_t made = 0;
    const struct cuda_context *home = cuda_graph_home(graph);
    rill_status status = cuda_need(GraphConditionalHandleCreate, 12030);
    if (!status && !home) status = cuda_refuse_homeless(graph, "graph");
    if (status) return status;
    CUresult result = cuda_api.GraphConditionalHandleCreate(&made, graph->raw, home->raw, initial,
                                                            flags);
    if (result && flags & ~RILL_CONDITIONAL_ASSIGN)
        return rill_backend_fail((rill_status)result, "flags",
                                 "flags is 0x%x; it may be 0 or RILL_CONDITIONAL_ASSIGN",
                                 (unsigned)flags);
    if (result) return cuda_fail(result, "cuGraphConditionalHandleCreate", "graph");
    *conditional = made;
    return RILL_SUCCESS;
}
