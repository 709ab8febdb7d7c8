/* SPDX-License-Identifier: Apache-2.0
 *
 * What cases of nodes' parameters share.
 */
#ifndef ORACLE_GRAPH_NODES_NODE_PARAMS_H
#define ORACLE_GRAPH_NODES_NODE_PARAMS_H

#include "../graphs.h"

/* Instantiates, launches once and waits. */
CUresult launch_graph_once(CUgraph g);

/* Says the result of an add, then of instantiating what was added; drops the graph. */
void say_tried(T *t, const char *label, CUgraph g, CUresult r);

/* Returns parameters of a copy in one dimension; type 1 takes host pointers, 2 and 4 device
 * ones. */
CUDA_MEMCPY3D plain_copy_params(int dtype, void *dst, int stype, const void *src, size_t bytes);

#define AS_POINTER(p) ((void *)(uintptr_t)(p))
#define DEV CU_MEMORYTYPE_DEVICE

#endif
