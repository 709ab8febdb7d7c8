/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs and user objects.
 */
#include "runtime/thread/entry.h"

FORWARD(cudaGraphCreate, cuGraphCreate, (cudaGraph_t *graph, unsigned flags), (graph, flags))
FORWARD(cudaGraphDestroy, cuGraphDestroy, (cudaGraph_t graph), (graph))
FORWARD(cudaGraphClone, cuGraphClone, (cudaGraph_t *clone, cudaGraph_t graph), (clone, graph))
FORWARD(cudaGraphNodeFindInClone, cuGraphNodeFindInClone,
        (cudaGraphNode_t *found, cudaGraphNode_t node, cudaGraph_t clone), (found, node, clone))
FORWARD(cudaGraphNodeGetType, cuGraphNodeGetType, (cudaGraphNode_t node, int *type), (node, type))
FORWARD(cudaGraphGetNodes, cuGraphGetNodes,
        (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count), (graph, nodes, count))
FORWARD(cudaGraphGetRootNodes, cuGraphGetRootNodes,
        (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count), (graph, nodes, count))
FORWARD(cudaGraphDestroyNode, cuGraphDestroyNode, (cudaGraphNode_t node), (node))
FORWARD(cudaGraphDebugDotPrint, cuGraphDebugDotPrint,
        (cudaGraph_t graph, const char *path, unsigned flags), (graph, path, flags))

/* ---- Edges: the first forms are those until 12 ------------------------------------------- */

FORWARD(cudaGraphGetEdges_v1, cuGraphGetEdges,
        (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count),
        (graph, from, to, count))
FORWARD(cudaGraphGetEdges_v2, cuGraphGetEdges_v2,
        (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, CUgraphEdgeData *edges,
         size_t *count),
        (graph, from, to, edges, count))
FORWARD(cudaGraphNodeGetDependencies_v1, cuGraphNodeGetDependencies,
        (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count), (node, nodes, count))
FORWARD(cudaGraphNodeGetDependencies_v2, cuGraphNodeGetDependencies_v2,
        (cudaGraphNode_t node, cudaGraphNode_t *nodes, CUgraphEdgeData *edges, size_t *count),
        (node, nodes, edges, count))
FORWARD(cudaGraphNodeGetDependentNodes_v1, cuGraphNodeGetDependentNodes,
        (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count), (node, nodes, count))
FORWARD(cudaGraphNodeGetDependentNodes_v2, cuGraphNodeGetDependentNodes_v2,
        (cudaGraphNode_t node, cudaGraphNode_t *nodes, CUgraphEdgeData *edges, size_t *count),
        (node, nodes, edges, count))
FORWARD(cudaGraphAddDependencies_v1, cuGraphAddDependencies,
        (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
        (graph, from, to, count))
FORWARD(cudaGraphAddDependencies_v2, cuGraphAddDependencies_v2,
        (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
         const CUgraphEdgeData *edges, size_t count),
        (graph, from, to, edges, count))
FORWARD(cudaGraphRemoveDependencies_v1, cuGraphRemoveDependencies,
        (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
        (graph, from, to, count))
FORWARD(cudaGraphRemoveDependencies_v2, cuGraphRemoveDependencies_v2,
        (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
         const CUgraphEdgeData *edges, size_t count),
        (graph, from, to, edges, count))

/* ---- User objects ------------------------------------------------------------------------ */

FORWARD(cudaUserObjectCreate, cuUserObjectCreate,
        (cudaUserObject_t *object, void *data, cudaHostFn_t destroy, unsigned count,
         unsigned flags),
        (object, data, destroy, count, flags))
FORWARD(cudaUserObjectRetain, cuUserObjectRetain,
        (cudaUserObject_t object, unsigned count), (object, count))
FORWARD(cudaUserObjectRelease, cuUserObjectRelease,
        (cudaUserObject_t object, unsigned count), (object, count))
FORWARD(cudaGraphRetainUserObject, cuGraphRetainUserObject,
        (cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags),
        (graph, object, count, flags))
FORWARD(cudaGraphReleaseUserObject, cuGraphReleaseUserObject,
        (cudaGraph_t graph, cudaUserObject_t object, unsigned count), (graph, object, count))

/* The handle belongs to the current context. */
ENTRY(cudaGraphConditionalHandleCreate,
      (CUgraphConditionalHandle *handle, cudaGraph_t graph, unsigned value, unsigned flags),
      (handle, graph, value, flags))
{
    CUcontext context;
    CUresult status = rt_driver.cuCtxGetCurrent(&context);
    if (!status)
        status = rt_driver.cuGraphConditionalHandleCreate(handle, graph, context, value, flags);
    return (cudaError_t)status;
}
