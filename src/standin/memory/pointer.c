/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about pointers.
 */
#include <string.h>

#include "standin/context/current.h"
#include "standin/memory/pool.h"

/* An answer, as many bytes as the driver writes. */
struct answer {
    union {
        int number;
        uint64_t large;
        void *pointer;
        uint64_t tokens[2];
    };
    size_t bytes;
};

static struct answer flag_answer(int on)
{
    return (struct answer){ .number = on != 0, .bytes = sizeof(int) };
}

static struct answer int_answer(int value)
{
    return (struct answer){ .number = value, .bytes = sizeof(int) };
}

static struct answer large_answer(uint64_t value)
{
    return (struct answer){ .large = value, .bytes = sizeof value };
}

static struct answer handle_answer(const void *object)
{
    return (struct answer){ .pointer = si_handle_of(object), .bytes = sizeof(void *) };
}

/* Finds the mapping: device memory is mapped in pieces of 2 MiB, which small allocations
 * share. */
static void mapping_of(const rill_pointer_info *info, uint64_t *base, uint64_t *bytes)
{
    const uint64_t mask = info->kind == RILL_MEMORY_DEVICE ? ((uint64_t)2 << 20) - 1 : 0;
    *base = info->base & ~mask;
    *bytes = ((info->base + info->bytes + mask) & ~mask) - *base;
}

/* Returns what a device, or the host, may do with memory that is mapped. */
static rill_access access_to(CUdeviceptr address, int who)
{
    rill_access access = RILL_ACCESS_NONE;
    rill_vmem_get_access(si_platform, address, who, &access);
    return access;
}

static int is_on_host(CUdeviceptr address, const rill_pointer_info *info)
{
    if (!info->known || (info->kind != RILL_MEMORY_HOST && !info->managed)) return 0;
    return !info->reserved_bytes || access_to(address, RILL_VMEM_HOST) != RILL_ACCESS_NONE;
}

/* What the current context's device may do; where nobody maps, everything. */
static int access_flags(CUdeviceptr address, const rill_pointer_info *info)
{
    struct si_context *current;
    if (!info->reserved_bytes || si_current(&current)) return CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return (int)access_to(address, current->device);
}

/* Tells whether there is a current context that cannot reach the memory. */
static int is_out_of_reach(CUdeviceptr address)
{
    rill_context *context;
    return !si_here(&context) &&
           rill_mem_range(context, address, NULL, NULL) == RILL_ERROR_NOT_FOUND;
}

static CUresult answer_question(int question, CUdeviceptr address, const rill_pointer_info *info,
                                struct answer *a)
{
    uint64_t base, bytes;
    mapping_of(info, &base, &bytes);
    switch (question) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: *a = handle_answer(info->context); break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *a = int_answer((int)info->kind); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *a = large_answer(address);
        if (!info->known || !is_out_of_reach(address)) break;
        *a = large_answer(0);
        return RILL_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *a = large_answer(is_on_host(address, info) ? address : 0);
        return is_on_host(address, info) ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: *a = flag_answer(info->sync_memops); break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: *a = large_answer(info->id); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *a = int_answer(info->device); break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *a = large_answer(info->reserved_bytes ? info->reserved : info->base);
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *a = large_answer(info->reserved_bytes ? info->reserved_bytes : info->bytes);
        break;
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: *a = large_answer(base); break;
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: *a = large_answer(bytes); break;
    case CU_POINTER_ATTRIBUTE_MAPPED: *a = flag_answer(info->mapped); break;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        *a = int_answer(info->shareable ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : 0);
        break;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        *a = int_answer(access_flags(address, info));
        break;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        *a = large_answer((uintptr_t)si_pool_handle(info->pool));
        break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *a = flag_answer(info->managed); break;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        *a = flag_answer(info->known && info->kind == RILL_MEMORY_DEVICE && info->context &&
                         !info->managed);
        break;
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: *a = flag_answer(0); break;
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS: return RILL_ERROR_NOT_SUPPORTED;
    default: return RILL_ERROR_INVALID_VALUE;
    }
    return RILL_SUCCESS;
}

/* Returns what the plural form answers for memory that the driver does not know: nothing,
 * which for an ordinal is -2; and that the host has it. */
static struct answer empty_answer(int question, CUdeviceptr address)
{
    struct answer none = { .bytes = 0 };
    rill_pointer_info empty = { .size = sizeof empty };
    if (question == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) return int_answer(-2);
    if (question == CU_POINTER_ATTRIBUTE_HOST_POINTER) return large_answer(address);
    answer_question(question, 0, &empty, &none);
    return none;
}

/* What memory that the driver does not know has no answer for, not even an empty one. */
static bool is_of_ranges(int question)
{
    return question == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR ||
           question == CU_POINTER_ATTRIBUTE_RANGE_SIZE;
}

static CUresult read_pointer(CUdeviceptr address, rill_pointer_info *info)
{
    rill_context *context;
    si_hold_kind(SI_CONTEXT); /* the answer may name a context, or a pool */
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
    CUresult status = read_pointer(address, &info);
    if (status) return status;
    if (!out || !info.known) return RILL_ERROR_INVALID_VALUE;
    status = answer_question(question, address, &info, &found);
    memcpy(out, &found, found.bytes);
    return status;
}

ENTRY(cuPointerGetAttributes,
      (unsigned count, int *questions, void **out, CUdeviceptr address),
      (count, questions, out, address))
{
    rill_pointer_info info;
    CUresult status = read_pointer(address, &info);
    if (status) return status;
    if (!count || !questions || !out) return RILL_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        struct answer found = empty_answer(questions[i], info.known ? 0 : address);
        if (!found.bytes || !out[i]) return RILL_ERROR_INVALID_VALUE;
        if (info.known) answer_question(questions[i], address, &info, &found);
        else if (is_of_ranges(questions[i])) continue;
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
    if (!value || question != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !context || si_now_is_gone())
        return RILL_ERROR_INVALID_VALUE;
    memcpy(&on, value, sizeof on);
    return rill_pointer_set_sync_memops(context, address, on);
}
