/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of abi.h on memory: copies, pools, what a pointer is.
 */
#ifndef SI_ABI_MEMORY_H
#define SI_ABI_MEMORY_H

#include "standin/abi/types.h"

/* ---- Host memory ------------------------------------------------------------------- */

enum {
    CU_MEMHOSTALLOC_PORTABLE = 0x1,
    CU_MEMHOSTALLOC_DEVICEMAP = 0x2,
    CU_MEMHOSTALLOC_WRITECOMBINED = 0x4
};

enum {
    CU_MEMHOSTREGISTER_PORTABLE = 0x1,
    CU_MEMHOSTREGISTER_DEVICEMAP = 0x2,
    CU_MEMHOSTREGISTER_IOMEMORY = 0x4,
    CU_MEMHOSTREGISTER_READ_ONLY = 0x8
};

/* ---- Managed memory ------------------------------------------------------------------ */

/* Of memory and of events, for other processes. */
typedef struct CUipcMemHandle {
    char bytes[64];
} CUipcMemHandle;

typedef struct CUipcEventHandle {
    char bytes[64];
} CUipcEventHandle;

enum { CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 0x1 };

enum { CU_MEM_ATTACH_GLOBAL = 0x1, CU_MEM_ATTACH_HOST = 0x2, CU_MEM_ATTACH_SINGLE = 0x4 };

/* In place of a device's number. */
enum { CU_DEVICE_CPU = -1, CU_DEVICE_INVALID = -2 };

enum {
    CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
    CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
    CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
    CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
    CU_MEM_ADVISE_SET_ACCESSED_BY = 5,
    CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
};

enum {
    CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
    CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
    CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 4,
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 5,
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 6,
    CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
    CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8
};

/* ---- Addresses and memory, each by itself ------------------------------------------ */

typedef uint64_t CUmemGenericAllocationHandle;

enum { CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1 };

enum { CU_MEM_CREATE_USAGE_TILE_POOL = 1 };

enum {
    CU_MEM_HANDLE_TYPE_NONE = 0,
    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
    CU_MEM_HANDLE_TYPE_WIN32 = 2,
    CU_MEM_HANDLE_TYPE_WIN32_KMT = 4,
    CU_MEM_HANDLE_TYPE_FABRIC = 8
};

/* ---- What a pointer is --------------------------------------------------------------- */

enum {
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_MEMORYTYPE_ARRAY = 3,
    CU_MEMORYTYPE_UNIFIED = 4
};

typedef enum CUpointer_attribute {
    CU_POINTER_ATTRIBUTE_CONTEXT = 1,
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
    CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
    CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
    CU_POINTER_ATTRIBUTE_P2P_TOKENS = 5,
    CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
    CU_POINTER_ATTRIBUTE_BUFFER_ID = 7,
    CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
    CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE = 10,
    CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
    CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
    CU_POINTER_ATTRIBUTE_MAPPED = 13,
    CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES = 14,
    CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE = 15,
    CU_POINTER_ATTRIBUTE_ACCESS_FLAGS = 16,
    CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17,
    CU_POINTER_ATTRIBUTE_MAPPING_SIZE = 18,
    CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR = 19,
    CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID = 20,
    CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE = 21
} CUpointer_attribute;

/* ---- Copies --------------------------------------------------------------------------- */

/* One end of a copy of rows, and the copy.  The first form had sizes of 32 bits. */
typedef struct si_rows {
    size_t x, y;
    int kind;
    void *host;
    CUdeviceptr device;
    CUarray array;
    size_t pitch;
} si_rows;

typedef struct CUDA_MEMCPY2D {
    si_rows src, dst;
    size_t width, height;
} CUDA_MEMCPY2D;

typedef struct si_rows_v1 {
    unsigned x, y;
    int kind;
    void *host;
    unsigned device;
    CUarray array;
    unsigned pitch;
} si_rows_v1;

typedef struct CUDA_MEMCPY2D_v1 {
    si_rows_v1 src, dst;
    unsigned width, height;
} CUDA_MEMCPY2D_v1;

/* The same with slices.  `context` is used in peer copies and reserved in others. */
typedef struct si_slices {
    size_t x, y, z, lod;
    int kind;
    void *host;
    CUdeviceptr device;
    CUarray array;
    CUcontext context;
    size_t pitch, rows;
} si_slices;

typedef struct CUDA_MEMCPY3D {
    si_slices src, dst;
    size_t width, height, depth;
} CUDA_MEMCPY3D;

typedef CUDA_MEMCPY3D CUDA_MEMCPY3D_PEER;

typedef struct si_slices_v1 {
    unsigned x, y, z, lod;
    int kind;
    void *host;
    unsigned device;
    CUarray array;
    void *reserved;
    unsigned pitch, rows;
} si_slices_v1;

typedef struct CUDA_MEMCPY3D_v1 {
    si_slices_v1 src, dst;
    unsigned width, height, depth;
} CUDA_MEMCPY3D_v1;

enum {
    CU_MEMCPY_SRC_ACCESS_ORDER_STREAM = 1,
    CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL = 2,
    CU_MEMCPY_SRC_ACCESS_ORDER_ANY = 3
};

typedef struct CUmemcpyAttributes {
    int src_access_order;
    CUmemLocation src_hint, dst_hint;
    unsigned flags;
} CUmemcpyAttributes;

enum { CU_MEMCPY_OPERAND_TYPE_POINTER = 1, CU_MEMCPY_OPERAND_TYPE_ARRAY = 2 };

typedef struct CUmemcpy3DOperand {
    int type;
    union {
        struct {
            CUdeviceptr pointer;
            size_t row_length, layer_height;
            CUmemLocation hint;
        } pointer;
        struct {
            CUarray array;
            size_t x, y, z;
        } array;
    };
} CUmemcpy3DOperand;

typedef struct CUDA_MEMCPY3D_BATCH_OP {
    CUmemcpy3DOperand src, dst;
    struct {
        size_t width, height, depth;
    } extent;
    int src_access_order;
    unsigned flags;
} CUDA_MEMCPY3D_BATCH_OP;

#endif
