/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks the driver for an address.
 */
#include "backend-cuda/memory/pointer.h"

#include <inttypes.h>

#include "backend-cuda/memory/pool.h"

/* What the driver writes; its booleans have one byte, or four. */
struct answers {
    unsigned type, sync_memops, mapped, managed;
    int device;
    CUcontext context;
    CUmemoryPool pool;
    CUdeviceptr base;
    size_t bytes;
    unsigned long long id, handle_types;
};

static CUresult ask_driver(rill_devptr address, struct answers *a)
{
    CUpointer_attribute questions[] = {
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE,      CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
        CU_POINTER_ATTRIBUTE_MAPPED,           CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
        CU_POINTER_ATTRIBUTE_CONTEXT,          CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
        CU_POINTER_ATTRIBUTE_BUFFER_ID,        CU_POINTER_ATTRIBUTE_IS_MANAGED,
        CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES,
    };
    void *places[] = { &a->type, &a->sync_memops, &a->mapped, &a->device,  &a->context,
                       &a->pool, &a->base,        &a->bytes,  &a->id,      &a->managed,
                       &a->handle_types };
    _Static_assert(sizeof questions / sizeof *questions == sizeof places / sizeof *places,
                   "an answer for each question");
    return cuda_api.PointerGetAttributes(sizeof questions / sizeof *questions, questions, places,
                                         address);
}

CUresult cuda_lookup(const struct cuda_context *context, rill_devptr address,
                     struct cuda_address *found)
{
    struct answers a = { .type = 0 };
    struct cuda_visit visit;
    bool inside = context && !cuda_enter(context, &visit);
    CUresult result = ask_driver(address, &a);
    if (inside) cuda_leave(&visit);
    *found = (struct cuda_address){ .known = false };
    if (result || !a.type) return result;
    *found = (struct cuda_address){
        .known = true,
        .host = a.type == CU_MEMORYTYPE_HOST,
        .sync_memops = (a.sync_memops & 0xff) != 0,
        .mapped = (a.mapped & 0xff) != 0,
        .managed = (a.managed & 0xff) != 0,
        .shareable = (a.handle_types & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0,
        .device = a.device,
        .context = a.context,
        .pool = a.pool,
        .base = a.base,
        .bytes = a.bytes,
        .id = a.id,
    };
    return CUDA_SUCCESS;
}

struct cuda_context *cuda_find_owner(struct cuda_platform *platform, rill_devptr address)
{
    struct cuda_address found;
    cuda_lookup(NULL, address, &found);
    rill_context *owner = found.known && found.context
                              ? cuda_find_context(platform, found.context)
                              : NULL;
    return owner ? cuda_context_of(owner) : NULL;
}

const char *cuda_describe_address(const struct cuda_address *found)
{
    if (!found->known) return "memory that the driver does not know, or that was freed";
    if (found->managed) return "managed memory";
    if (found->host) return "host memory that is pinned or registered";
    return found->pool ? "memory of a pool" : "device memory";
}

rill_status cuda_explain_free(const struct cuda_context *context, CUresult result,
                              const char *call, rill_devptr address)
{
    struct cuda_address found;
    if (result != CUDA_ERROR_INVALID_VALUE) return cuda_fail(result, call, NULL);
    cuda_lookup(context, address, &found);
    if (found.known && !found.host && found.base != address)
        return cuda_blame(result, call, "address",
                          "0x%" PRIx64 " is inside the allocation at 0x%" PRIx64 ", and not its "
                          "begin", address, found.base);
    return cuda_blame(result, call, "address", "0x%" PRIx64 " cannot be freed here: it is %s",
                      address, cuda_describe_address(&found));
}

rill_status cuda_pointer_info(rill_context *handle, rill_devptr address, rill_pointer_info *info)
{
    struct cuda_context *context = cuda_context_of(handle);
    struct cuda_platform *platform = context->platform;
    struct cuda_address found;
    rill_status status = cuda_end(cuda_lookup(context, address, &found), "cuPointerGetAttributes");
    if (status) return status;
    rill_pointer_info told = { .size = info->size, .kind = RILL_MEMORY_HOST };
    if (found.known) {
        if (!found.host) told.kind = RILL_MEMORY_DEVICE;
        told.known = 1;
        told.device = found.device;
        told.context = found.context ? cuda_find_context(platform, found.context) : NULL;
        told.pool = found.pool ? cuda_find_pool(platform, found.pool) : NULL;
        told.base = found.base;
        told.bytes = found.bytes;
        told.id = found.id;
        told.sync_memops = found.sync_memops;
        told.mapped = found.mapped;
        told.managed = found.managed;
        told.shareable = found.shareable;
    }
    *info = told;
    return RILL_SUCCESS;
}

rill_status cuda_set_sync_memops(rill_context *handle, rill_devptr address, int on)
{
    struct cuda_visit visit;
    const unsigned value = on != 0;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    status = cuda_end_with(cuda_api.PointerSetAttribute(&value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
                                                        address),
                           "cuPointerSetAttribute", "address");
    cuda_leave(&visit);
    return status;
}
