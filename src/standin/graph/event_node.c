/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that record an event, and nodes that wait for one.
 */
#include "standin/graph/exec.h"
#include "standin/graph/node_kind.h"

static CUresult read_event(rill_op_kind kind, CUevent event, rill_op *op)
{
    if (!event) return RILL_ERROR_INVALID_VALUE;
    *op = (rill_op){ .kind = kind };
    return si_event(event, &op->event.event);
}

static CUresult read_params(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                            rill_op *op)
{
    (void)buffers;
    return read_event((rill_op_kind)params->type, params->event.event, op);
}

const struct si_node_kind si_event_kind = { .bytes = sizeof(CUDA_EVENT_NODE_PARAMS),
                                            .read = read_params };

/* ---- Calls for these kinds alone ---------------------------------------------------------- */

static CUresult get_event(CUgraphNode node, rill_op_kind kind, CUevent *event)
{
    rill_op op;
    rill_graph *graph;
    CUresult status = si_node_get(node, kind, &graph, &op);
    if (!status && !event) status = RILL_ERROR_INVALID_VALUE;
    if (!status) *event = si_handle_of(op.event.event);
    return status;
}

static CUresult set_event(CUgraphNode node, rill_op_kind kind, CUevent event)
{
    rill_op op;
    CUresult read = read_event(kind, event, &op);
    return si_node_set(node, read, &op);
}

ENTRY(cuGraphAddEventRecordNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       CUevent event),
      (node, graph, dependencies, count, event))
{
    rill_op op;
    CUresult read = read_event(RILL_OP_EVENT_RECORD, event, &op);
    return si_node_add(node, graph, dependencies, count, NULL, read, &op);
}

ENTRY(cuGraphAddEventWaitNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       CUevent event),
      (node, graph, dependencies, count, event))
{
    rill_op op;
    CUresult read = read_event(RILL_OP_EVENT_WAIT, event, &op);
    return si_node_add(node, graph, dependencies, count, NULL, read, &op);
}

ENTRY(cuGraphEventRecordNodeGetEvent, (CUgraphNode node, CUevent *event), (node, event))
{
    return get_event(node, RILL_OP_EVENT_RECORD, event);
}

ENTRY(cuGraphEventWaitNodeGetEvent, (CUgraphNode node, CUevent *event), (node, event))
{
    return get_event(node, RILL_OP_EVENT_WAIT, event);
}

ENTRY(cuGraphEventRecordNodeSetEvent, (CUgraphNode node, CUevent event), (node, event))
{
    return set_event(node, RILL_OP_EVENT_RECORD, event);
}

ENTRY(cuGraphEventWaitNodeSetEvent, (CUgraphNode node, CUevent event), (node, event))
{
    return set_event(node, RILL_OP_EVENT_WAIT, event);
}

ENTRY(cuGraphExecEventRecordNodeSetEvent,
      (CUgraphExec exec, CUgraphNode node, CUevent event), (exec, node, event))
{
    rill_op op;
    CUresult read = read_event(RILL_OP_EVENT_RECORD, event, &op);
    return si_exec_set_node(exec, node, read, &op);
}

ENTRY(cuGraphExecEventWaitNodeSetEvent,
      (CUgraphExec exec, CUgraphNode node, CUevent event), (exec, node, event))
{
    rill_op op;
    CUresult read = read_event(RILL_OP_EVENT_WAIT, event, &op);
    return si_exec_set_node(exec, node, read, &op);
}
