/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend: the optional slots of the tables that no backend can lack.
 */
#include <string.h>

#include "support/fake/parts.h"

/* ---- Platforms and contexts --------------------------------------------- */

static const char *fake_explain(rill_platform *platform, rill_status status)
{
    return status == RILL_ERROR_UNKNOWN ? "the fake backend knows no more" : NULL;
}

static rill_status fake_supports(rill_platform *platform, rill_feature feature)
{
    if (feature != RILL_FEATURE_VALUE_OPERATIONS) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "feature", "values are not waited for here");
}

GIVES(fake_can_access_peer, *can = device == peer, rill_platform *platform, int device, int peer,
      int *can)
YES(fake_peer, rill_context *context, rill_context *peer)

rill_status fake_check_label(const char *label, const char *argument)
{
    if (!label || strcmp(label, "to stay")) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_PERMITTED, argument, "%s is to stay", argument);
}

static rill_status fake_context_may_destroy(rill_context *context)
{
    return fake_check_label(rill_context_label(context), "context");
}

/* ---- Memory ------------------------------------------------------------- */

static rill_status fake_acquire_pitch(rill_context *context, size_t width, size_t height,
                                      uint32_t element_bytes, rill_devptr *address, size_t *pitch)
{
    size_t wide = (width + 63) / 64 * 64;
    rill_status status = fake_memory_ops.acquire(context, wide * height, address);
    if (!status) *pitch = wide;
    return status;
}

static rill_status fake_acquire_managed(rill_context *context, size_t bytes, uint32_t flags,
                                        rill_devptr *address)
{
    (void)flags;
    return fake_memory_ops.acquire(context, bytes, address);
}

YES(fake_host_register, rill_context *context, void *pointer, size_t bytes, uint32_t flags)
YES(fake_host_unregister, rill_context *context, void *pointer)
GIVES(fake_host_device_pointer, *address = (rill_devptr)(uintptr_t)pointer, rill_context *context,
      void *pointer, rill_devptr *address)
GIVES(fake_host_flags, *flags = RILL_HOST_PORTABLE, rill_context *context, void *pointer,
      uint32_t *flags)
GIVES(fake_pointer_info,
      (info->kind = RILL_MEMORY_HOST, info->context = context, info->base = address),
      rill_context *context, rill_devptr address, rill_pointer_info *info)
YES(fake_set_sync_memops, rill_context *context, rill_devptr address, int on)

/* ---- Kernels ------------------------------------------------------------ */

GIVES(fake_param, (*offset = index * 8, *bytes = 8), rill_kernel *kernel, size_t index,
      size_t *offset, size_t *bytes)
GIVES(fake_kernel_get, *value = (int)attribute, rill_kernel *kernel,
      rill_kernel_attribute attribute, int *value)
YES(fake_kernel_set, rill_kernel *kernel, rill_kernel_attribute attribute, int value)
GIVES(fake_variable, (*address = 256, *bytes = 4), rill_module *module, const char *name,
      rill_devptr *address, size_t *bytes)

/* ---- Streams ------------------------------------------------------------ */

rill_status fake_submit_any(rill_stream *stream, rill_op *op)
{
    switch (op->kind) {
    case RILL_OP_ALLOC: op->alloc.address = 4096; return RILL_SUCCESS;
    case RILL_OP_FREE:
    case RILL_OP_VALUES:
    case RILL_OP_GRAPH:
    case RILL_OP_CONDITIONAL: return RILL_SUCCESS;
    default: return fake_stream_ops.submit(stream, op);
    }
}

GIVES(fake_stream_get, attribute->priority = -1, rill_stream *stream, rill_attribute *attribute)
YES(fake_stream_set, rill_stream *stream, const rill_attribute *attribute)
YES(fake_stream_copy, rill_stream *dst, rill_stream *src)
GIVES(fake_add_callback, callback(stream, RILL_SUCCESS, data), rill_stream *stream,
      rill_stream_callback callback, void *data, uint32_t flags)
YES(fake_attach, rill_stream *stream, rill_devptr address, size_t bytes, uint32_t flags)

/* ---- The tables --------------------------------------------------------- */

void fake_add_slots(struct fake_tables *tables)
{
    tables->backend.explain = fake_explain;
    tables->backend.supports = fake_supports;

    tables->device.can_access_peer = fake_can_access_peer;

    tables->context.may_destroy = fake_context_may_destroy;
    tables->context.enable_peer = fake_peer;
    tables->context.disable_peer = fake_peer;

    tables->memory.acquire_pitch = fake_acquire_pitch;
    tables->memory.acquire_managed = fake_acquire_managed;
    tables->memory.host_register = fake_host_register;
    tables->memory.host_unregister = fake_host_unregister;
    tables->memory.host_device_pointer = fake_host_device_pointer;
    tables->memory.host_flags = fake_host_flags;
    tables->memory.pointer_info = fake_pointer_info;
    tables->memory.set_sync_memops = fake_set_sync_memops;

    tables->module.param = fake_param;
    tables->module.get_attribute = fake_kernel_get;
    tables->module.set_attribute = fake_kernel_set;
    tables->module.variable = fake_variable;

    tables->stream.submit = fake_submit_any;
    tables->stream.get_attribute = fake_stream_get;
    tables->stream.set_attribute = fake_stream_set;
    tables->stream.copy_attributes = fake_stream_copy;
    tables->stream.add_callback = fake_add_callback;
    tables->stream.attach = fake_attach;
}
