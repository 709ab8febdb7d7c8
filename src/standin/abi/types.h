/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of abi.h that memory and graphs both need: where memory is, and pools.
 */
#ifndef SI_ABI_TYPES_H
#define SI_ABI_TYPES_H

enum {
    CU_MEM_LOCATION_TYPE_NONE = 0,
    CU_MEM_LOCATION_TYPE_DEVICE = 1,
    CU_MEM_LOCATION_TYPE_HOST = 2,
    CU_MEM_LOCATION_TYPE_HOST_NUMA = 3,
    CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = 4
};

typedef struct CUmemLocation {
    int type;
    int id;
} CUmemLocation;

enum {
    CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
    CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
};

typedef struct CUmemAccessDesc {
    CUmemLocation location;
    int flags;
} CUmemAccessDesc;

enum { CU_MEM_ALLOCATION_TYPE_PINNED = 1, CU_MEM_ALLOCATION_TYPE_MANAGED = 2 };

typedef struct CUmemPoolProps {
    int allocation_type;
    int handle_types; /* ways to share it with other processes */
    CUmemLocation location;
    void *security;
    size_t maximum;
    unsigned short usage;
    unsigned char reserved[54];
} CUmemPoolProps;

/* What another process needs to open memory of a pool. */
typedef struct CUmemPoolPtrExportData {
    unsigned char reserved[64];
} CUmemPoolPtrExportData;

typedef struct CUmemAllocationProp {
    int type;
    int handle_types;
    CUmemLocation location;
    void *metadata;
    struct {
        unsigned char compression;
        unsigned char rdma;
        unsigned short usage;
        unsigned char reserved[4];
    } flags;
} CUmemAllocationProp;

#endif
