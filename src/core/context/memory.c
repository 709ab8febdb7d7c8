/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/options.h"

static const struct rill_memory_ops *memory_ops(const rill_context *context)
{
    return rl_backend(context)->memory;
}

/* ---- Device memory ------------------------------------------------------ */

rill_status rill_mem_alloc(rill_context *context, size_t bytes, rill_devptr *address)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(address, "address");
    if (!status) status = memory_ops(context)->acquire(context, bytes, address);
    return rl_finish(__func__, context, status);
}

rill_status rill_mem_alloc_pitch(rill_context *context, size_t width, size_t height,
                                 uint32_t element_bytes, rill_devptr *address, size_t *pitch)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(address, "address");
    if (!status) status = rl_required(pitch, "pitch");
    if (!status) status = rl_need(context, memory_ops(context)->acquire_pitch != NULL, __func__);
    if (!status)
        status = memory_ops(context)->acquire_pitch(context, width, height, element_bytes, address,
                                                    pitch);
    return rl_finish(__func__, context, status);
}

rill_status rill_mem_alloc_managed(rill_context *context, size_t bytes, uint32_t flags,
                                   rill_devptr *address)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(address, "address");
    if (!status) status = rl_need(context, memory_ops(context)->acquire_managed != NULL, __func__);
    if (!status) status = memory_ops(context)->acquire_managed(context, bytes, flags, address);
    return rl_finish(__func__, context, status);
}

rill_status rill_mem_free(rill_context *context, rill_devptr address)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = memory_ops(context)->release(context, address);
    return rl_finish(__func__, context, status);
}

rill_status rill_mem_range(rill_context *context, rill_devptr address, rill_devptr *base,
                           size_t *bytes)
{
    rill_devptr found_base = 0;
    size_t found_bytes = 0;
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = memory_ops(context)->range(context, address, &found_base, &found_bytes);
    if (!status && base) *base = found_base;
    if (!status && bytes) *bytes = found_bytes;
    return rl_finish(__func__, context, status);
}

rill_status rill_mem_info(rill_context *context, size_t *free_bytes, size_t *total_bytes)
{
    size_t free_now = 0, total = 0;
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = memory_ops(context)->info(context, &free_now, &total);
    if (!status && free_bytes) *free_bytes = free_now;
    if (!status && total_bytes) *total_bytes = total;
    return rl_finish(__func__, context, status);
}

/* ---- Host memory -------------------------------------------------------- */

rill_status rill_host_alloc(rill_context *context, size_t bytes, uint32_t flags, void **pointer)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(pointer, "pointer");
    if (!status) status = memory_ops(context)->host_alloc(context, bytes, flags, pointer);
    return rl_finish(__func__, context, status);
}

rill_status rill_host_free(rill_context *context, void *pointer)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = memory_ops(context)->host_free(context, pointer);
    return rl_finish(__func__, context, status);
}

rill_status rill_host_register(rill_context *context, void *pointer, size_t bytes, uint32_t flags)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_need(context, memory_ops(context)->host_register != NULL, __func__);
    if (!status) status = memory_ops(context)->host_register(context, pointer, bytes, flags);
    return rl_finish(__func__, context, status);
}

rill_status rill_host_unregister(rill_context *context, void *pointer)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_need(context, memory_ops(context)->host_unregister != NULL, __func__);
    if (!status) status = memory_ops(context)->host_unregister(context, pointer);
    return rl_finish(__func__, context, status);
}

rill_status rill_host_device_pointer(rill_context *context, void *pointer, rill_devptr *address)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(address, "address");
    if (!status)
        status = rl_need(context, memory_ops(context)->host_device_pointer != NULL, __func__);
    if (!status) status = memory_ops(context)->host_device_pointer(context, pointer, address);
    return rl_finish(__func__, context, status);
}

rill_status rill_host_flags(rill_context *context, void *pointer, uint32_t *flags)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(flags, "flags");
    if (!status) status = rl_need(context, memory_ops(context)->host_flags != NULL, __func__);
    if (!status) status = memory_ops(context)->host_flags(context, pointer, flags);
    return rl_finish(__func__, context, status);
}

/* ---- What a pointer is -------------------------------------------------- */

rill_status rill_pointer_get_info(rill_context *context, rill_devptr address,
                                  rill_pointer_info *info)
{
    rill_pointer_info full = { .size = sizeof full };
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(info, "info");
    if (!status) status = rl_check_output(info, sizeof full, "info->size");
    if (!status) status = rl_need(context, memory_ops(context)->pointer_info != NULL, __func__);
    if (!status) status = memory_ops(context)->pointer_info(context, address, &full);
    if (!status) rl_write_output(info, &full, sizeof full);
    return rl_finish(__func__, context, status);
}

rill_status rill_pointer_set_sync_memops(rill_context *context, rill_devptr address, int on)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_need(context, memory_ops(context)->set_sync_memops != NULL, __func__);
    if (!status) status = memory_ops(context)->set_sync_memops(context, address, on);
    return rl_finish(__func__, context, status);
}
