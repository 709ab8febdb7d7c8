/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that allocate and free, and nodes that use the memory.
 */
#ifndef ORACLE_GRAPH_MEMORY_ALLOCATIONS_H
#define ORACLE_GRAPH_MEMORY_ALLOCATIONS_H

#include "../graphs.h"

CUDA_MEM_ALLOC_NODE_PARAMS alloc_params(T *t, size_t bytes);

/* Adds a node after at most one dependency. */
CUresult add_alloc_node(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *dep, size_t bytes,
                        CUdeviceptr *out);
CUresult add_free_node(CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUdeviceptr p);
CUresult add_set_word(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUdeviceptr p,
                      unsigned v);

/* A graph that only allocates and sets the word, and its executable. */
#define BUILD_UNFREED(g, x, a, p, v)                                                               \
    do {                                                                                           \
        CUgraphNode m_;                                                                            \
        G0(g);                                                                                     \
        OK(add_alloc_node(t, &(a), g, NULL, 4096, &(p)));                                          \
        OK(add_set_word(t, &m_, g, &(a), p, v));                                                   \
        OK(cuGraphInstantiate(&(x), g, 0));                                                        \
    } while (0)

#endif
