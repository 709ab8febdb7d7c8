/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver reads and writes and a cuda.h of CUDA 12.0 does not declare yet: declared
 * here under names of rill's, in the same layout, whatever header rill is built with.  If the
 * header at hand has a declaration, the compiler compares.
 */
#ifndef CUDA_DRIVER_ABI_H
#define CUDA_DRIVER_ABI_H

#include <cuda.h>
#include <rill/rill.h>

#include <stddef.h>

/* ---- Newer enumerators --------------------------------------------------------- */

enum {
    CUDA_NODE_CONDITIONAL = 13,              /* 12.3 */
    CUDA_CHILD_CLONE = 0,                    /* 12.9 */
    CUDA_CHILD_MOVE = 1,                     /* 13.0 */
    CUDA_INSTANTIATE_CONDITIONAL_UNUSED = 5, /* 12.4 */
};

/* ---- Parameters of nodes, CUDA 12.2 ---------------------------------------------- */

struct cuda_kernel_params { /* as CUDA_KERNEL_NODE_PARAMS_v2, and _v3 */
    CUfunction function;
    unsigned grid[3], block[3], shared_bytes;
    void **params, **extra;
    void *kernel; /* a CUkernel; unused */
    CUcontext context;
};

struct cuda_memcpy_params {
    int flags, reserved;
    CUcontext context;
    CUDA_MEMCPY3D copy;
};

struct cuda_memset_params {
    CUdeviceptr dst;
    size_t pitch;
    unsigned value, element_bytes;
    size_t width, height;
    CUcontext context;
};

struct cuda_host_params {
    CUhostFn fn;
    void *data;
};

struct cuda_child_params {
    CUgraph graph;
    int ownership; /* CUDA_CHILD_*; drivers before 12.9 want 0 */
};

struct cuda_event_params {
    CUevent event;
};

struct cuda_alloc_params { /* as CUDA_MEM_ALLOC_NODE_PARAMS */
    CUmemPoolProps pool;
    const CUmemAccessDesc *access;
    size_t access_count, bytes;
    CUdeviceptr address; /* out */
};

struct cuda_free_params {
    CUdeviceptr address;
};

struct cuda_values_params { /* as CUDA_BATCH_MEM_OP_NODE_PARAMS */
    CUcontext context;
    unsigned count;
    CUstreamBatchMemOpParams *items;
    unsigned flags;
};

struct cuda_conditional_params { /* 12.3 */
    uint64_t handle;
    int kind;
    unsigned count;
    CUgraph *bodies; /* out */
    CUcontext context;
};

struct cuda_node_params {
    CUgraphNodeType type;
    int reserved[3];
    union {
        struct cuda_kernel_params kernel;
        struct cuda_memcpy_params memcpy;
        struct cuda_memset_params memset;
        struct cuda_host_params host;
        struct cuda_child_params child;
        struct cuda_event_params event; /* record and wait */
        struct cuda_alloc_params alloc;
        struct cuda_free_params free;
        struct cuda_values_params values;
        struct cuda_conditional_params conditional;
        long long padding[29];
    };
    long long reserved_too;
};

/* ---- The maximum of a pool, CUDA 12.2 ----------------------------------------------- */

/* The maximum is where the reserved bytes were before. */
#define CUDA_POOL_MAXIMUM \
    (offsetof(CUmemPoolProps, win32SecurityAttributes) + sizeof(void *))

/* ---- The compiler compares ---------------------------------------------------------- */

#define CUDA_SAME_SIZE(ours, theirs) \
    _Static_assert(sizeof(ours) == sizeof(theirs), #ours " is not the driver's " #theirs)

_Static_assert(sizeof(struct cuda_node_params) == 256, "the driver's parameters of a node");
_Static_assert(offsetof(struct cuda_node_params, kernel) == 16,
               "the driver's parameters of a node");
_Static_assert(sizeof(rill_edge) == 8, "the driver's edge data");
_Static_assert(sizeof(rill_devptr) == sizeof(CUdeviceptr), "an address");
CUDA_SAME_SIZE(struct cuda_kernel_params, CUDA_KERNEL_NODE_PARAMS_v2);
CUDA_SAME_SIZE(struct cuda_alloc_params, CUDA_MEM_ALLOC_NODE_PARAMS);
CUDA_SAME_SIZE(struct cuda_values_params, CUDA_BATCH_MEM_OP_NODE_PARAMS);
_Static_assert(sizeof(CUDA_MEMCPY3D) == 200, "a copy");
_Static_assert(sizeof(CUDA_MEMCPY3D_PEER) == 200, "a copy between contexts");
_Static_assert(sizeof(CUlaunchAttribute) == 72, "an attribute of a launch");
_Static_assert(sizeof(CUlaunchConfig) == 56, "a launch");
_Static_assert(sizeof(CUstreamBatchMemOpParams) == 48, "a value operation");
_Static_assert(sizeof(CUmemPoolProps) == 88, "the properties of a pool");

#if CUDA_VERSION >= 12020
_Static_assert(CUDA_POOL_MAXIMUM == offsetof(CUmemPoolProps, maxSize), "the maximum of a pool");
#endif
#if CUDA_VERSION >= 12030
CUDA_SAME_SIZE(struct cuda_node_params, CUgraphNodeParams);
CUDA_SAME_SIZE(struct cuda_memcpy_params, CUDA_MEMCPY_NODE_PARAMS);
CUDA_SAME_SIZE(struct cuda_memset_params, CUDA_MEMSET_NODE_PARAMS_v2);
CUDA_SAME_SIZE(struct cuda_conditional_params, CUDA_CONDITIONAL_NODE_PARAMS);
CUDA_SAME_SIZE(rill_edge, CUgraphEdgeData);
_Static_assert(CUDA_NODE_CONDITIONAL == (int)CU_GRAPH_NODE_TYPE_CONDITIONAL, "the driver's number");
#endif
#if CUDA_VERSION >= 12090
CUDA_SAME_SIZE(struct cuda_child_params, CUDA_CHILD_GRAPH_NODE_PARAMS);
#endif

#endif
