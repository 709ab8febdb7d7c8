/* SPDX-License-Identifier: Apache-2.0
 *
 * Updates of whole execs.
 */
#include "backend-cuda/exec/exec.h"

#include "backend-cuda/exec/boxes.h"
#include "backend-cuda/kind/kind.h"
#include "base/words/op_kind.h"

static const char *describe_reason(rill_update_reason reason)
{
    switch ((int)reason) {
    case RILL_UPDATE_TOPOLOGY_CHANGED: return "its nodes or their dependencies are others";
    case RILL_UPDATE_NODE_TYPE_CHANGED: return "a node is of another kind";
    case RILL_UPDATE_FUNCTION_CHANGED: return "a kernel is another one";
    case RILL_UPDATE_PARAMETERS_CHANGED: return "a parameter that must stay is another one";
    case RILL_UPDATE_NOT_SUPPORTED: return "something of a node cannot change";
    case RILL_UPDATE_UNSUPPORTED_FUNCTION_CHANGE:
        return "a kernel is of another context, or uses what the one before did not";
    case RILL_UPDATE_ATTRIBUTES_CHANGED: return "an attribute that must stay is another one";
    }
    return "a node is wrong by itself";
}

/* The newer form of the call names two nodes. */
static CUresult update_in_driver(CUgraphExec exec, CUgraph graph, rill_update_result *result)
{
    if (cuda_api.GraphExecUpdate) {
        CUgraphExecUpdateResultInfo info = { .result = CU_GRAPH_EXEC_UPDATE_SUCCESS };
        CUresult status = cuda_api.GraphExecUpdate(exec, graph, &info);
        result->reason = (rill_update_reason)info.result;
        result->node = cuda_node(info.errorNode);
        result->from_node = cuda_node(info.errorFromNode);
        return status;
    }
    CUgraphNode node = NULL;
    CUgraphExecUpdateResult reason = CU_GRAPH_EXEC_UPDATE_SUCCESS;
    CUresult status = cuda_api.GraphExecUpdate_10020(exec, graph, &node, &reason);
    *result = (rill_update_result){ (rill_update_reason)reason, cuda_node(node), NULL };
    return status;
}

/* Returns the label of a node of the graph or of one inside it, or NULL. */
static const char *find_label(const struct cuda_graph *graph, CUgraphNode raw)
{
    const struct cuda_slot *slot = cuda_nodes_find(&graph->nodes, raw);
    const char *label = slot && slot->note ? slot->note->label : NULL;
    for (const struct cuda_graph *inner = graph->inner; !slot && !label && inner;
         inner = inner->sibling)
        label = find_label(inner, raw);
    return label;
}

static rill_status refuse_update(const struct cuda_graph *graph, const rill_update_result *result)
{
    CUgraphNode raw = cuda_raw_node(result->node);
    const char *label = raw ? find_label(graph, raw) : NULL;
    const char *why = describe_reason(result->reason);
    if (!raw)
        return rill_backend_fail(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "graph",
                                 "the exec cannot take over the graph: %s", why);
    return rill_backend_fail(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "graph",
                             "the exec cannot take over the graph: %s (the %s node%s%s%s)", why,
                             rl_op_name(cuda_kind_of(raw)), label ? " '" : "",
                             label ? label : "", label ? "'" : "");
}

rill_status cuda_exec_update(rill_exec *handle, rill_graph *graph, rill_update_result *result)
{
    struct cuda_exec *exec = cuda_exec_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter(exec->context, &visit);
    if (status) return status;
    CUresult answer = update_in_driver(exec->raw, cuda_graph_of(graph)->raw, result);
    if (!answer && exec->boxes) cuda_exec_disown_all(exec);
    cuda_leave(&visit);
    if (!answer) return RILL_SUCCESS;
    if (answer != (CUresult)RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
        return cuda_fail(answer, "cuGraphExecUpdate", "graph");
    return refuse_update(cuda_graph_of(graph), result);
}
