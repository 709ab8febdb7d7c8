/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls that each kind of node has of its own, over the parameters for any kind.
 */
#include "../random.h"

/* The older structs are the beginning of the newer ones. */
#define OLDER(type, member) ((const type *)(const void *)&d->params.member)
_Static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS) == sizeof(CUDA_KERNEL_NODE_PARAMS_v3), "kernel");
_Static_assert(sizeof(CUDA_BATCH_MEM_OP_NODE_PARAMS) == sizeof(CUDA_BATCH_MEM_OP_NODE_PARAMS_v2),
               "batch");
_Static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS_v2),
               "alloc");

static const struct {
    const char *add, *get, *set, *set_exec;
} names[] = {
    [CU_GRAPH_NODE_TYPE_KERNEL] = { "cuGraphAddKernelNode", "cuGraphKernelNodeGetParams",
                                    "cuGraphKernelNodeSetParams",
                                    "cuGraphExecKernelNodeSetParams" },
    [CU_GRAPH_NODE_TYPE_MEMCPY] = { "cuGraphAddMemcpyNode", "cuGraphMemcpyNodeGetParams",
                                    "cuGraphMemcpyNodeSetParams",
                                    "cuGraphExecMemcpyNodeSetParams" },
    [CU_GRAPH_NODE_TYPE_MEMSET] = { "cuGraphAddMemsetNode", "cuGraphMemsetNodeGetParams",
                                    "cuGraphMemsetNodeSetParams",
                                    "cuGraphExecMemsetNodeSetParams" },
    [CU_GRAPH_NODE_TYPE_HOST] = { "cuGraphAddHostNode", "cuGraphHostNodeGetParams",
                                  "cuGraphHostNodeSetParams", "cuGraphExecHostNodeSetParams" },
    [CU_GRAPH_NODE_TYPE_GRAPH] = { "cuGraphAddChildGraphNode", "cuGraphChildGraphNodeGetGraph",
                                   NULL, "cuGraphExecChildGraphNodeSetParams" },
    [CU_GRAPH_NODE_TYPE_EMPTY] = { "cuGraphAddEmptyNode", NULL, NULL, NULL },
    [CU_GRAPH_NODE_TYPE_WAIT_EVENT] = { "cuGraphAddEventWaitNode", "cuGraphEventWaitNodeGetEvent",
                                        "cuGraphEventWaitNodeSetEvent",
                                        "cuGraphExecEventWaitNodeSetEvent" },
    [CU_GRAPH_NODE_TYPE_EVENT_RECORD] = { "cuGraphAddEventRecordNode",
                                          "cuGraphEventRecordNodeGetEvent",
                                          "cuGraphEventRecordNodeSetEvent",
                                          "cuGraphExecEventRecordNodeSetEvent" },
    [CU_GRAPH_NODE_TYPE_MEM_ALLOC] = { "cuGraphAddMemAllocNode", "cuGraphMemAllocNodeGetParams",
                                       NULL, NULL },
    [CU_GRAPH_NODE_TYPE_MEM_FREE] = { "cuGraphAddMemFreeNode", "cuGraphMemFreeNodeGetParams", NULL,
                                      NULL },
    [CU_GRAPH_NODE_TYPE_BATCH_MEM_OP] = { "cuGraphAddBatchMemOpNode",
                                          "cuGraphBatchMemOpNodeGetParams",
                                          "cuGraphBatchMemOpNodeSetParams",
                                          "cuGraphExecBatchMemOpNodeSetParams" },
    [CU_GRAPH_NODE_TYPE_CONDITIONAL] = { NULL, NULL, NULL, NULL },
};

const char *add_name(int type) { return names[type].add; }
const char *get_name(int type) { return names[type].get; }
const char *set_name(int type) { return names[type].set; }
const char *set_exec_name(int type) { return names[type].set_exec; }

CUresult add_typed(struct world *w, CUgraphNode *node, CUgraph graph, const CUgraphNode *on,
                   size_t count, struct drawn *d)
{
    (void)w;
    switch (d->params.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return cuGraphAddKernelNode(node, graph, on, count,
                                    OLDER(CUDA_KERNEL_NODE_PARAMS, kernel));
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return cuGraphAddMemcpyNode(node, graph, on, count, &d->params.memcpy.copyParams,
                                    d->params.memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return cuGraphAddMemsetNode(node, graph, on, count, OLDER(CUDA_MEMSET_NODE_PARAMS, memset),
                                    d->params.memset.ctx);
    case CU_GRAPH_NODE_TYPE_HOST:
        return cuGraphAddHostNode(node, graph, on, count, OLDER(CUDA_HOST_NODE_PARAMS, host));
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return cuGraphAddChildGraphNode(node, graph, on, count, d->params.graph.graph);
    case CU_GRAPH_NODE_TYPE_EMPTY: return cuGraphAddEmptyNode(node, graph, on, count);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        return cuGraphAddEventWaitNode(node, graph, on, count, d->params.eventWait.event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return cuGraphAddEventRecordNode(node, graph, on, count, d->params.eventRecord.event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return cuGraphAddMemAllocNode(node, graph, on, count,
                                      (CUDA_MEM_ALLOC_NODE_PARAMS *)&d->params.alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return cuGraphAddMemFreeNode(node, graph, on, count, d->params.free.dptr);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return cuGraphAddBatchMemOpNode(node, graph, on, count,
                                        OLDER(CUDA_BATCH_MEM_OP_NODE_PARAMS, memOp));
    default: return cuGraphAddNode(node, graph, on, NULL, count, &d->params);
    }
}

CUresult set_typed(struct world *w, CUgraphNode node, struct drawn *d)
{
    (void)w;
    switch (d->params.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return cuGraphKernelNodeSetParams(node, OLDER(CUDA_KERNEL_NODE_PARAMS, kernel));
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return cuGraphMemcpyNodeSetParams(node, &d->params.memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return cuGraphMemsetNodeSetParams(node, OLDER(CUDA_MEMSET_NODE_PARAMS, memset));
    case CU_GRAPH_NODE_TYPE_HOST:
        return cuGraphHostNodeSetParams(node, OLDER(CUDA_HOST_NODE_PARAMS, host));
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        return cuGraphEventWaitNodeSetEvent(node, d->params.eventWait.event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return cuGraphEventRecordNodeSetEvent(node, d->params.eventRecord.event);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return cuGraphBatchMemOpNodeSetParams(node, OLDER(CUDA_BATCH_MEM_OP_NODE_PARAMS, memOp));
    default: return cuGraphNodeSetParams(node, &d->params);
    }
}

CUresult set_exec_typed(struct world *w, CUgraphExec exec, CUgraphNode node, struct drawn *d)
{
    (void)w;
    switch (d->params.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return cuGraphExecKernelNodeSetParams(exec, node, OLDER(CUDA_KERNEL_NODE_PARAMS, kernel));
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return cuGraphExecMemcpyNodeSetParams(exec, node, &d->params.memcpy.copyParams,
                                              d->params.memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return cuGraphExecMemsetNodeSetParams(exec, node, OLDER(CUDA_MEMSET_NODE_PARAMS, memset),
                                              d->params.memset.ctx);
    case CU_GRAPH_NODE_TYPE_HOST:
        return cuGraphExecHostNodeSetParams(exec, node, OLDER(CUDA_HOST_NODE_PARAMS, host));
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return cuGraphExecChildGraphNodeSetParams(exec, node, d->params.graph.graph);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        return cuGraphExecEventWaitNodeSetEvent(exec, node, d->params.eventWait.event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return cuGraphExecEventRecordNodeSetEvent(exec, node, d->params.eventRecord.event);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return cuGraphExecBatchMemOpNodeSetParams(exec, node,
                                                  OLDER(CUDA_BATCH_MEM_OP_NODE_PARAMS, memOp));
    default: return cuGraphExecNodeSetParams(exec, node, &d->params);
    }
}

/* Asks the node as if it were of this type; false where there is no such call. */
bool get_typed(struct world *w, CUgraphNode node, int type, CUgraphNodeParams *p, CUresult *r)
{
    (void)w;
    memset(p, 0, sizeof *p);
    p->type = (CUgraphNodeType)type;
    switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        *r = cuGraphKernelNodeGetParams(node, (CUDA_KERNEL_NODE_PARAMS *)&p->kernel);
        return true;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        *r = cuGraphMemcpyNodeGetParams(node, &p->memcpy.copyParams);
        return true;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        *r = cuGraphMemsetNodeGetParams(node, (CUDA_MEMSET_NODE_PARAMS *)&p->memset);
        return true;
    case CU_GRAPH_NODE_TYPE_HOST:
        *r = cuGraphHostNodeGetParams(node, (CUDA_HOST_NODE_PARAMS *)&p->host);
        return true;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        *r = cuGraphEventWaitNodeGetEvent(node, &p->eventWait.event);
        return true;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        *r = cuGraphEventRecordNodeGetEvent(node, &p->eventRecord.event);
        return true;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        *r = cuGraphMemAllocNodeGetParams(node, (CUDA_MEM_ALLOC_NODE_PARAMS *)&p->alloc);
        return true;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        *r = cuGraphMemFreeNodeGetParams(node, &p->free.dptr);
        return true;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        *r = cuGraphBatchMemOpNodeGetParams(node, (CUDA_BATCH_MEM_OP_NODE_PARAMS *)&p->memOp);
        return true;
    default: return false;
    }
}
