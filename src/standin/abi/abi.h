/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's binary interface: types, layouts and numbers that programs were
 * compiled with, in our own words, so that no cuda.h is needed to build this.
 * Where there is a cuda.h, a test compares them with it (tests/standin).
 *
 * Handles have the driver's names.  The driver's enumerations are ints here,
 * since their values are checked, not trusted.  CUresult is rill_status, whose
 * numbers are the driver's.
 */
#ifndef SI_ABI_H
#define SI_ABI_H

#include <rill/rill.h>

typedef rill_status CUresult;
typedef int CUdevice;
typedef rill_devptr CUdeviceptr;
typedef uint64_t CUgraphConditionalHandle;

typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUarray_st *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef rill_node CUgraphNode; /* rill's node itself */
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUgraphDeviceUpdatableNode_st *CUgraphDeviceNode;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUuserObject_st *CUuserObject;
typedef struct CUgreenCtx_st *CUgreenCtx;
typedef struct CUextSemaphore_st *CUexternalSemaphore;
typedef struct CUlinkState_st *CUlinkState;

typedef void (*CUhostFn)(void *data);
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef size_t (*CUoccupancyB2DSize)(int block_threads);

typedef struct CUuuid {
    unsigned char bytes[16];
} CUuuid;

/* The default streams by name. */
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)

/* ---- Devices and contexts ------------------------------------------------------- */

enum {
    CU_CTX_SCHED_SPIN = 0x01,
    CU_CTX_SCHED_YIELD = 0x02,
    CU_CTX_SCHED_BLOCKING_SYNC = 0x04,
    CU_CTX_SCHED_MASK = 0x07,
    CU_CTX_MAP_HOST = 0x08,
    CU_CTX_LMEM_RESIZE_TO_MAX = 0x10,
    CU_CTX_COREDUMP_ENABLE = 0x20,
    CU_CTX_USER_COREDUMP_ENABLE = 0x40,
    CU_CTX_COREDUMPS = CU_CTX_COREDUMP_ENABLE | CU_CTX_USER_COREDUMP_ENABLE, /* ours */
    CU_CTX_SYNC_MEMOPS = 0x80,
    CU_CTX_FLAGS_MASK = 0xff
};

typedef enum CUlimit {
    CU_LIMIT_STACK_SIZE = 0,
    CU_LIMIT_PRINTF_FIFO_SIZE = 1,
    CU_LIMIT_MALLOC_HEAP_SIZE = 2,
    CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3,
    CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4,
    CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 5,
    CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 6,
    CU_LIMIT_SHMEM_SIZE = 7,
    CU_LIMIT_CIG_ENABLED = 8,
    CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED = 9,
    CU_LIMIT_COUNT = 10
} CUlimit;

enum { CU_FUNC_CACHE_PREFER_L1 = 2, CU_FUNC_CACHE_PREFER_EQUAL = 3 };
enum {
    CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 1,
    CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 2
};

enum {
    CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = 1,
    CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED = 2,
    CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = 3,
    CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED = 4,
    CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED = 5
};

enum { CU_EXEC_AFFINITY_TYPE_SM_COUNT = 0 };

typedef struct CUexecAffinityParam {
    int type;
    union {
        struct {
            unsigned count;
        } sm_count;
    };
} CUexecAffinityParam;

typedef struct CUctxCreateParams {
    CUexecAffinityParam *affinity;
    int affinity_count;
    void *cig;
} CUctxCreateParams;

/* What cuDeviceGetProperties() fills in. */
typedef struct CUdevprop {
    int max_threads_per_block;
    int max_block[3];
    int max_grid[3];
    int shared_bytes_per_block;
    int constant_bytes;
    int warp_size;
    int max_pitch;
    int registers_per_block;
    int clock_khz;
    int texture_alignment;
} CUdevprop;

/* ---- Streams, events, values ------------------------------------------------------ */

enum { CU_STREAM_NON_BLOCKING = 0x1 };

enum {
    CU_EVENT_BLOCKING_SYNC = 0x1,
    CU_EVENT_DISABLE_TIMING = 0x2,
    CU_EVENT_INTERPROCESS = 0x4
};

enum { CU_EVENT_RECORD_EXTERNAL = 0x1, CU_EVENT_WAIT_EXTERNAL = 0x1 };

/* One operation of a batch: a wait or a write, a flush, a barrier. */
typedef union CUstreamBatchMemOpParams {
    int operation; /* rill_value_kind */
    struct {
        int operation;
        CUdeviceptr address;
        uint64_t value; /* a value of 32 bits is in the lower half */
        unsigned flags;
        CUdeviceptr alias;
    } value;
    struct {
        int operation;
        unsigned flags;
    } plain;
    uint64_t pad[6];
} CUstreamBatchMemOpParams;

/* ---- Entry points by name ----------------------------------------------------------- */

enum {
    CU_GET_PROC_ADDRESS_LEGACY_STREAM = 0x1,
    CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 0x2
};

enum {
    CU_GET_PROC_ADDRESS_SUCCESS = 0,
    CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
    CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
};

#include "standin/abi/graph.h"
#include "standin/abi/launch.h"
#include "standin/abi/memory.h"
#include "standin/abi/texture.h"

#endif
