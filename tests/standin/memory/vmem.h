/* SPDX-License-Identifier: Apache-2.0
 *
 * Short forms of the calls of virtual memory management.
 */
#ifndef STANDIN_VMEM_H
#define STANDIN_VMEM_H

#include "standin/modules.h"

#define GRAIN ((size_t)2 << 20)
#define WORD 1234567u

typedef unsigned long long memory;

static const char fill_words[] = HEAD
    ".entry fill_words(.param .u64 p, .param .u32 v)\n"
    "{ .reg .b64 a, o; .reg .b32 r, t;\n"
    "  ld.param.u64 a, [p]; ld.param.u32 r, [v];\n"
    "  mov.u32 t, %tid.x; mul.wide.u32 o, t, 4; add.u64 a, a, o; add.u32 r, r, t;\n"
    "  st.global.u32 [a], r; ret; }";

static inline CUmemAllocationProp properties(int ways)
{
    return (CUmemAllocationProp){ .type = CU_MEM_ALLOCATION_TYPE_PINNED, .handle_types = ways,
                                  .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } };
}

static inline memory create(size_t bytes, int ways)
{
    const CUmemAllocationProp wanted = properties(ways);
    memory made = 0;
    OK(CALL(cuMemCreate, (memory *, size_t, const CUmemAllocationProp *, unsigned long long),
            (&made, bytes, &wanted, 0)));
    return made;
}

static inline CUdeviceptr reserve(size_t bytes)
{
    CUdeviceptr address = 0;
    OK(CALL(cuMemAddressReserve,
            (CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long),
            (&address, bytes, 0, 0, 0)));
    return address;
}

static inline CUresult map_at(CUdeviceptr address, size_t bytes, size_t offset, memory from)
{
    return CALL(cuMemMap, (CUdeviceptr, size_t, size_t, memory, unsigned long long),
                (address, bytes, offset, from, 0));
}

static inline CUresult give_access(CUdeviceptr address, size_t bytes)
{
    const CUmemAccessDesc access = { { CU_MEM_LOCATION_TYPE_DEVICE, 0 },
                                     CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
    return CALL(cuMemSetAccess, (CUdeviceptr, size_t, const CUmemAccessDesc *, size_t),
                (address, bytes, &access, 1));
}

static inline CUresult unmap(CUdeviceptr address, size_t bytes)
{
    return CALL(cuMemUnmap, (CUdeviceptr, size_t), (address, bytes));
}

static inline void release(memory handle)
{
    OK(CALL(cuMemRelease, (memory), (handle)));
}

static inline void give_up(CUdeviceptr address, size_t bytes)
{
    OK(CALL(cuMemAddressFree, (CUdeviceptr, size_t), (address, bytes)));
}

static inline CUresult run_fill(CUdeviceptr address, unsigned value)
{
    CUmodule module = load(fill_words);
    void *params[] = { &address, &value };
    CUresult status = launch(function_of(module, "fill_words"), 1, 32, 0, params);
    if (!status) status = synchronize();
    unload(module);
    return status;
}

static inline CUresult ask_access(int type, int id, CUdeviceptr address, unsigned long long *flags)
{
    const CUmemLocation who = { type, id };
    *flags = 77;
    return CALL(cuMemGetAccess, (unsigned long long *, const CUmemLocation *, CUdeviceptr),
                (flags, &who, address));
}

#endif
