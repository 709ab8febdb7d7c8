/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of graphs share: a context for all of them, and graphs to put nodes into.
 */
#ifndef STANDIN_GRAPHS_H
#define STANDIN_GRAPHS_H

#include "standin/library.h"

static CUcontext context;

static inline int begin(void **state)
{
    (void)state;
    library_begin();
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&context, 0)));
    return CALL(cuCtxSetCurrent, (CUcontext), (context));
}

static inline CUgraph new_graph(void)
{
    CUgraph graph = NULL;
    OK(CALL(cuGraphCreate, (CUgraph *, unsigned), (&graph, 0)));
    return graph;
}

static inline CUgraphNode add_empty(CUgraph graph)
{
    CUgraphNode node = NULL;
    OK(CALL(cuGraphAddEmptyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t),
            (&node, graph, NULL, 0)));
    return node;
}

static inline CUresult type_of(CUgraphNode node)
{
    int type;
    return CALL(cuGraphNodeGetType, (CUgraphNode, int *), (node, &type));
}

static inline void destroy(CUgraph graph)
{
    OK(CALL(cuGraphDestroy, (CUgraph), (graph)));
}

static inline CUdeviceptr memory(void)
{
    CUdeviceptr address = 0;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&address, 4096)));
    return address;
}

#endif
