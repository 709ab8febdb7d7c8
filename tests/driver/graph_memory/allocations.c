/* SPDX-License-Identifier: Apache-2.0 */
#include "allocations.h"

CUDA_MEM_ALLOC_NODE_PARAMS alloc_params(T *t, size_t bytes)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
    p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.poolProps.location.id = t->dev;
    p.bytesize = bytes;
    return p;
}

CUresult add_alloc_node(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *dep, size_t bytes,
                        CUdeviceptr *out)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p = alloc_params(t, bytes);
    CUresult r = cuGraphAddMemAllocNode(n, g, dep, dep != NULL, &p);
    *out = p.dptr;
    return r;
}

CUresult add_free_node(CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUdeviceptr p)
{
    return cuGraphAddMemFreeNode(n, g, dep, dep != NULL, p);
}

CUresult add_set_word(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUdeviceptr p,
                      unsigned v)
{
    return add_set(t, n, g, dep, dep != NULL, p, v, 1);
}
