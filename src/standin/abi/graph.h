/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of abi.h on graphs, captures and execs.  Node types are rill_op_kind,
 * capture modes and states rill_capture_mode and rill_capture_state, results those
 * of <rill/exec.h>: the numbers are the driver's.
 */
#ifndef SI_ABI_GRAPH_H
#define SI_ABI_GRAPH_H

#include "standin/abi/memory.h"

/* ---- What nodes do ---------------------------------------------------------------------- */

/* The first form ended before `kernel`. */
typedef struct CUDA_KERNEL_NODE_PARAMS_v1 {
    CUfunction function;
    rill_dim3 grid, block;
    unsigned shared_bytes;
    void **params;
    void **extra;
} CUDA_KERNEL_NODE_PARAMS_v1;

typedef struct CUDA_KERNEL_NODE_PARAMS {
    CUfunction function; /* NULL if `kernel` is meant */
    rill_dim3 grid, block;
    unsigned shared_bytes;
    void **params;
    void **extra;
    CUkernel kernel;
    CUcontext context; /* for `kernel`; NULL is the current one */
} CUDA_KERNEL_NODE_PARAMS;

typedef struct CUDA_MEMSET_NODE_PARAMS_v1 {
    CUdeviceptr dst;
    size_t pitch;
    unsigned value;
    unsigned element_bytes;
    size_t width, height;
} CUDA_MEMSET_NODE_PARAMS_v1;

typedef struct CUDA_MEMSET_NODE_PARAMS {
    CUdeviceptr dst;
    size_t pitch;
    unsigned value;
    unsigned element_bytes;
    size_t width, height;
    CUcontext context;
} CUDA_MEMSET_NODE_PARAMS;

typedef struct CUDA_MEMCPY_NODE_PARAMS {
    int flags;
    int reserved;
    CUcontext context;
    CUDA_MEMCPY3D copy;
} CUDA_MEMCPY_NODE_PARAMS;

typedef struct CUDA_HOST_NODE_PARAMS {
    CUhostFn fn;
    void *data;
} CUDA_HOST_NODE_PARAMS;

/* `ownership` is 0 for a copy, 1 for the graph itself (RILL_CHILD_MOVE). */
typedef struct CUDA_CHILD_GRAPH_NODE_PARAMS {
    CUgraph graph;
    int ownership;
} CUDA_CHILD_GRAPH_NODE_PARAMS;

typedef struct CUDA_EVENT_NODE_PARAMS {
    CUevent event;
} CUDA_EVENT_NODE_PARAMS;

typedef struct CUDA_MEM_ALLOC_NODE_PARAMS {
    CUmemPoolProps pool;
    const CUmemAccessDesc *access;
    size_t access_count;
    size_t bytes;
    CUdeviceptr address; /* out */
} CUDA_MEM_ALLOC_NODE_PARAMS;

typedef struct CUDA_MEM_FREE_NODE_PARAMS {
    CUdeviceptr address;
} CUDA_MEM_FREE_NODE_PARAMS;

typedef struct CUDA_BATCH_MEM_OP_NODE_PARAMS {
    CUcontext context;
    unsigned count;
    CUstreamBatchMemOpParams *items;
    unsigned flags;
} CUDA_BATCH_MEM_OP_NODE_PARAMS;

typedef struct CUDA_CONDITIONAL_NODE_PARAMS {
    CUgraphConditionalHandle handle;
    int type; /* rill_conditional_kind */
    unsigned count;
    CUgraph *bodies; /* out: an array of the driver's */
    CUcontext context;
} CUDA_CONDITIONAL_NODE_PARAMS;

/* Unused bytes have to be zero. */
typedef struct CUgraphNodeParams {
    int type;
    int reserved0[3];
    union {
        long long reserved1[29];
        CUDA_KERNEL_NODE_PARAMS kernel;
        CUDA_MEMCPY_NODE_PARAMS memcpy;
        CUDA_MEMSET_NODE_PARAMS memset;
        CUDA_HOST_NODE_PARAMS host;
        CUDA_CHILD_GRAPH_NODE_PARAMS graph;
        CUDA_EVENT_NODE_PARAMS event; /* wait and record */
        CUDA_MEM_ALLOC_NODE_PARAMS alloc;
        CUDA_MEM_FREE_NODE_PARAMS free;
        CUDA_BATCH_MEM_OP_NODE_PARAMS values;
        CUDA_CONDITIONAL_NODE_PARAMS conditional;
    };
    long long reserved2;
} CUgraphNodeParams;

typedef rill_edge CUgraphEdgeData;

/* ---- Execs -------------------------------------------------------------------------------- */

typedef struct CUDA_GRAPH_INSTANTIATE_PARAMS {
    uint64_t flags;
    CUstream upload_stream;
    CUgraphNode failing_node; /* out */
    int result;               /* out: rill_exec_result */
} CUDA_GRAPH_INSTANTIATE_PARAMS;

typedef struct CUgraphExecUpdateResultInfo {
    int result; /* rill_update_reason */
    CUgraphNode node;
    CUgraphNode from_node;
} CUgraphExecUpdateResultInfo;

enum { CU_USER_OBJECT_NO_DESTRUCTOR_SYNC = 1, CU_GRAPH_USER_OBJECT_MOVE = 1 };

#endif
