/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs.  Nodes are the driver's handles as they are.  A graph that lives inside
 * another one, a child or a body, is an object that its owner makes when it is first
 * asked for and gives up when it goes.
 */
#ifndef CUDA_GRAPH_H
#define CUDA_GRAPH_H

#include "backend-cuda/cuda.h"

struct cuda_graph {
    CUgraph raw;
    struct cuda_context *context;
    struct cuda_graph *inner; /* graphs inside this one that were asked for, linked by
                                 `beside`; calls on a graph do not overlap */
    struct cuda_graph *beside, *outer;
    rill_graph *handle;
    struct cuda_labels *labels; /* of nodes; NULL while there are none */
    bool borrowed;              /* the driver's graph stays, see <rill/cuda.h> */
};

static inline struct cuda_graph *cuda_graph_of(const rill_graph *graph)
{
    return rill_private(graph);
}

static inline CUgraphNode cuda_raw_node(rill_node node)
{
    return (CUgraphNode)(void *)node;
}

static inline rill_node cuda_node(CUgraphNode raw)
{
    return (rill_node)(void *)raw;
}

/* A new object for a graph that the driver made: the context's, until the core makes
 * it the caller's. */
rill_status cuda_own_graph(struct cuda_context *context, CUgraph raw, rill_graph **graph);

/* The object for a graph inside another, made at the first call. */
rill_status cuda_inner_graph(struct cuda_graph *outer, CUgraph raw, rill_graph **graph);

/* What an operation is to the driver: params.c.  `room` holds what the parameters
 * point at, until the call that takes them has returned. */
struct cuda_room {
    void *extra[5];
    size_t extra_bytes;
    CUmemAccessDesc access;
    CUstreamBatchMemOpParams values[255];
};
rill_status cuda_write_params(struct cuda_context *context, const rill_op *op,
                              struct cuda_node_params *params, struct cuda_room *room);

/* Memory of graphs on a device: graph_memory.c. */
rill_status cuda_get_graph_memory(rill_platform *platform, int device,
                                  rill_graph_memory_attribute attribute, uint64_t *value);
rill_status cuda_set_graph_memory(rill_platform *platform, int device,
                                  rill_graph_memory_attribute attribute, uint64_t value);
rill_status cuda_trim_graph_memory(rill_platform *platform, int device);

#endif
