/* SPDX-License-Identifier: Apache-2.0
 *
 * Host memory that devices can reach: pinned, and registered by the program.
 */
#include "standin/context/current.h"
#include "standin/memory/host_block.h"

/* ---- Pinned --------------------------------------------------------------------------- */

/* Pinned memory is pinned for all devices, if there are several.  Answers NULL when it fails. */
ENTRY(cuMemHostAlloc, (void **pointer, size_t bytes, unsigned flags), (pointer, bytes, flags))
{
    struct si_context *current;
    rill_context *context;
    CUresult status = si_current(&current);
    if (!status) status = si_here(&context);
    if (si_device_count > 1) flags |= CU_MEMHOSTALLOC_PORTABLE;
    if (!status) {
        flags = si_host_block_flags(current, bytes, flags);
        status = rill_host_alloc(context, bytes, flags, pointer);
    }
    if (!status) si_host_block_add(current, bytes, flags);
    if (status && pointer) *pointer = NULL;
    return status;
}

ENTRY(cuMemAllocHost_v2, (void **pointer, size_t bytes), (pointer, bytes))
{
    return cuMemHostAlloc(pointer, bytes, 0);
}

ENTRY(cuMemAllocHost, (void **pointer, unsigned bytes), (pointer, bytes))
{
    return cuMemHostAlloc(pointer, bytes, 0);
}

ENTRY(cuMemFreeHost, (void *pointer), (pointer))
{
    rill_context *context;
    rill_pointer_info info = { .size = sizeof info };
    uint32_t flags = 0;
    CUresult status = si_anywhere_to_free(&context);
    if (status) return status;
    if (!context) return RILL_ERROR_INVALID_CONTEXT;
    si_hold_kind(SI_CONTEXT); /* whose block it is of */
    bool known = !rill_pointer_get_info(context, (uintptr_t)pointer, &info) && info.context &&
                 !rill_host_flags(context, pointer, &flags);
    status = rill_host_free(context, pointer);
    struct si_context *owner = known && !status ? si_handle_of(info.context) : NULL;
    if (owner) si_host_block_remove(owner, info.bytes, flags);
    return status;
}

/* ---- Registered ------------------------------------------------------------------------- */

/* The driver's flags mean what rill's do, with other numbers. */
static CUresult read_flags(unsigned flags, uint32_t *known)
{
    static const struct {
        unsigned asked;
        uint32_t known;
    } all[] = {
        { CU_MEMHOSTREGISTER_PORTABLE, RILL_HOST_PORTABLE },
        { CU_MEMHOSTREGISTER_DEVICEMAP, RILL_HOST_MAPPED },
        { CU_MEMHOSTREGISTER_IOMEMORY, RILL_HOST_IO_MEMORY },
        { CU_MEMHOSTREGISTER_READ_ONLY, RILL_HOST_READ_ONLY },
    };
    *known = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (flags & all[i].asked) *known |= all[i].known;
        flags &= ~all[i].asked;
    }
    return flags ? RILL_ERROR_INVALID_VALUE : RILL_SUCCESS;
}

ENTRY(cuMemHostRegister_v2, (void *pointer, size_t bytes, unsigned flags), (pointer, bytes, flags))
{
    rill_context *context;
    uint32_t known;
    CUresult status = si_here(&context);
    if (!status) status = read_flags(flags, &known);
    return status ? status : rill_host_register(context, pointer, bytes, known);
}

SAME_AS(cuMemHostRegister, cuMemHostRegister_v2, (void *pointer, size_t bytes, unsigned flags),
        (pointer, bytes, flags))

ENTRY(cuMemHostUnregister, (void *pointer), (pointer))
{
    rill_context *context;
    CUresult status = si_anywhere_to_free(&context);
    if (status) return status;
    return context ? rill_host_unregister(context, pointer) : RILL_ERROR_INVALID_CONTEXT;
}

/* ---- Questions ------------------------------------------------------------------------- */

/* Answers the address 0 when it fails. */
ENTRY(cuMemHostGetDevicePointer_v2,
      (CUdeviceptr *address, void *pointer, unsigned flags), (address, pointer, flags))
{
    rill_context *context;
    CUresult status = si_here(&context);
    if (!status && flags) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = rill_host_device_pointer(context, pointer, address);
    if (status && address) *address = 0;
    return status;
}

static bool is_managed(rill_context *context, const void *pointer)
{
    rill_pointer_info info = { .size = sizeof info };
    return !rill_pointer_get_info(context, (uintptr_t)pointer, &info) && info.managed;
}

/* Managed memory is mapped. */
ENTRY(cuMemHostGetFlags, (unsigned *flags, void *pointer), (flags, pointer))
{
    rill_context *context;
    CUresult status = si_here(&context);
    if (!status) status = rill_host_flags(context, pointer, flags);
    if (status != RILL_ERROR_INVALID_VALUE || !flags || !is_managed(context, pointer))
        return status;
    *flags = CU_MEMHOSTALLOC_DEVICEMAP;
    return RILL_SUCCESS;
}
