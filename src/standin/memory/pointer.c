/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pointer is.
 */
#include <string.h>

#include "standin/context/current.h"
#include "standin/memory/pool.h"

/* An answer, of as many bytes as the driver writes. */
struct answer {
    union {
        int number;
        uint64_t large;
        void *pointer;
        uint64_t tokens[2];
    };
    size_t bytes;
};

static struct answer flag(int on)
{
    return (struct answer){ .number = on != 0, .bytes = sizeof(int) };
}

static struct answer number(int value)
{
    return (struct answer){ .number = value, .bytes = sizeof(int) };
}

static struct answer large(uint64_t value)
{
    return (struct answer){ .large = value, .bytes = sizeof value };
}

static struct answer handle(const void *object)
{
    return (struct answer){ .pointer = si_handle_of(object), .bytes = sizeof(void *) };
}

/* Device memory is mapped in pieces of 2 MiB, which small allocations share. */
static void mapping_of(const rill_pointer_info *info, uint64_t *base, uint64_t *bytes)
{
    const uint64_t mask = info->kind == RILL_MEMORY_DEVICE ? ((uint64_t)2 << 20) - 1 : 0;
    *base = info->base & ~mask;
    *bytes = ((info->base + info->bytes + mask) & ~mask) - *base;
}

static int is_pinned(const rill_pointer_info *info)
{
    return info->known && info->kind == RILL_MEMORY_HOST;
}

/* Whether the current context, if there is one, cannot reach what is there. */
static int is_out_of_reach(CUdeviceptr address)
{
    rill_context *context;
    return !si_here(&context) &&
           rill_mem_range(context, address, NULL, NULL) == RILL_ERROR_NOT_FOUND;
}

/* What is allocated can be shared in no way. */
static CUresult answer(int question, CUdeviceptr address, const rill_pointer_info *info,
                       struct answer *a)
{
    uint64_t base, bytes;
    mapping_of(info, &base, &bytes);
    switch (question) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: *a = handle(info->context); break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *a = number((int)info->kind); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        if (info->known && is_out_of_reach(address)) return RILL_ERROR_INVALID_VALUE;
        *a = large(address);
        break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *a = large(is_pinned(info) ? address : 0);
        return is_pinned(info) ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: *a = flag(info->sync_memops); break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: *a = large(info->id); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *a = number(info->device); break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *a = large(info->base); break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *a = large(info->bytes); break;
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: *a = large(base); break;
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: *a = large(bytes); break;
    case CU_POINTER_ATTRIBUTE_MAPPED: *a = flag(info->mapped); break;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: *a = large(0); break;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: *a = number(CU_MEM_ACCESS_FLAGS_PROT_READWRITE); break;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        *a = large((uintptr_t)si_pool_handle(info->pool));
        break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: *a = flag(0); break;
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS: return RILL_ERROR_NOT_SUPPORTED;
    default: return RILL_ERROR_INVALID_VALUE;
    }
    return RILL_SUCCESS;
}

/* What the plural form says of memory that is not the driver's: nothing, which for an
 * ordinal is -2. */
static struct answer nothing(int question)
{
    struct answer none = { .bytes = 0 };
    rill_pointer_info empty = { .size = sizeof empty };
    if (question == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) return number(-2);
    answer(question, 0, &empty, &none);
    return none;
}

static CUresult look(CUdeviceptr address, rill_pointer_info *info)
{
    rill_context *context;
    si_hold_kind(SI_CONTEXT); /* the answer may name one, or a pool */
    si_hold_kind(SI_POOL);
    CUresult status = si_anywhere(&context);
    *info = (rill_pointer_info){ .size = sizeof *info };
    return status || !context ? status : rill_pointer_get_info(context, address, info);
}

ENTRY(cuPointerGetAttribute,
      (void *out, int question, CUdeviceptr address), (out, question, address))
{
    rill_pointer_info info;
    struct answer found = { .bytes = 0 };
    CUresult status = look(address, &info);
    if (status) return status;
    if (!out || !info.known) return RILL_ERROR_INVALID_VALUE;
    status = answer(question, address, &info, &found);
    memcpy(out, &found, found.bytes);
    return status;
}

ENTRY(cuPointerGetAttributes,
      (unsigned count, int *questions, void **out, CUdeviceptr address),
      (count, questions, out, address))
{
    rill_pointer_info info;
    CUresult status = look(address, &info);
    if (status) return status;
    if (!count || !questions || !out) return RILL_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        struct answer found = nothing(questions[i]);
        if (!found.bytes || !out[i]) return RILL_ERROR_INVALID_VALUE;
        if (info.known) answer(questions[i], address, &info, &found);
        memcpy(out[i], &found, found.bytes);
    }
    return RILL_SUCCESS;
}

ENTRY(cuPointerSetAttribute,
      (const void *value, int question, CUdeviceptr address), (value, question, address))
{
    rill_context *context;
    int on;
    CUresult status = si_anywhere(&context);
    if (status) return status;
    if (!value || question != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !context)
        return RILL_ERROR_INVALID_VALUE;
    memcpy(&on, value, sizeof on);
    return rill_pointer_set_sync_memops(context, address, on);
}
