/* SPDX-License-Identifier: Apache-2.0
 *
 * The full backend: all but graphs, captures and execs.
 */
#include "support/full_backend.h"

#include <string.h>

#include "support/full_parts.h"

/* ---- The platform ------------------------------------------------------- */

static rill_status full_open(rill_platform *platform, const rill_open_options *options)
{
    void *pool = NULL;
    rill_status status = fake_backend.open(platform, options);
    if (!status) status = rill_backend_own(RILL_OBJECT_POOL, platform, NULL, &pool);
    full_platform_of(platform)->default_pool = full_platform_of(platform)->current_pool = pool;
    return status;
}

static void full_close(rill_platform *platform)
{
    rill_backend_disown(full_platform_of(platform)->default_pool);
    fake_backend.close(platform);
}

static const char *full_explain(rill_platform *platform, rill_status status)
{
    return status == RILL_ERROR_UNKNOWN ? "the full backend knows no more" : NULL;
}

static rill_status full_supports(rill_platform *platform, rill_feature feature)
{
    if (feature != RILL_FEATURE_VALUE_OPERATIONS) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "feature", "values are not waited for here");
}

GIVES(full_can_access_peer, *can = device == peer, rill_platform *platform, int device, int peer,
      int *can)
YES(full_peer, rill_context *context, rill_context *peer)

/* A context can be kept from going, by name. */
static rill_status full_may_destroy(rill_context *context)
{
    const char *label = rill_context_label(context);
    if (!label || strcmp(label, "to stay")) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_PERMITTED, "context", "context is to stay");
}

/* ---- Memory ------------------------------------------------------------- */

static rill_status full_acquire_pitch(rill_context *context, size_t width, size_t height,
                                      uint32_t element_bytes, rill_devptr *address, size_t *pitch)
{
    rill_status status = fake_backend.memory->acquire(context, (width + 63) / 64 * 64 * height,
                                                      address);
    if (!status) *pitch = (width + 63) / 64 * 64;
    return status;
}

YES(full_host_register, rill_context *context, void *pointer, size_t bytes, uint32_t flags)
YES(full_host_unregister, rill_context *context, void *pointer)
GIVES(full_host_device_pointer, *address = (rill_devptr)(uintptr_t)pointer, rill_context *context,
      void *pointer, rill_devptr *address)
GIVES(full_host_flags, *flags = RILL_HOST_PORTABLE, rill_context *context, void *pointer,
      uint32_t *flags)

static rill_status full_pointer_info(rill_context *context, rill_devptr address,
                                     rill_pointer_info *info)
{
    info->kind = RILL_MEMORY_HOST;
    info->context = context;
    info->base = address;
    return RILL_SUCCESS;
}

YES(full_set_sync_memops, rill_context *context, rill_devptr address, int on)

/* ---- Kernels ------------------------------------------------------------ */

static rill_status full_param(rill_kernel *kernel, size_t index, size_t *offset, size_t *bytes)
{
    *offset = index * 8;
    *bytes = 8;
    return RILL_SUCCESS;
}

GIVES(full_kernel_get, *value = (int)attribute, rill_kernel *kernel,
      rill_kernel_attribute attribute, int *value)
GIVES(full_variable, (*address = 256, *bytes = 4), rill_module *module, const char *name,
      rill_devptr *address, size_t *bytes)
YES(full_kernel_set, rill_kernel *kernel, rill_kernel_attribute attribute, int value)

/* ---- Streams ------------------------------------------------------------ */

/* More kinds than the fake runs; their effect is nobody's business here. */
static rill_status full_submit(rill_stream *stream, rill_op *op)
{
    switch (op->kind) {
    case RILL_OP_ALLOC: op->alloc.address = 4096; return RILL_SUCCESS;
    case RILL_OP_FREE:
    case RILL_OP_VALUES:
    case RILL_OP_GRAPH:
    case RILL_OP_CONDITIONAL: return RILL_SUCCESS;
    default: return fake_backend.stream->submit(stream, op);
    }
}

GIVES(full_stream_get, attribute->priority = -1, rill_stream *stream, rill_attribute *attribute)
YES(full_stream_set, rill_stream *stream, const rill_attribute *attribute)
YES(full_stream_copy, rill_stream *dst, rill_stream *src)

static rill_status full_add_callback(rill_stream *stream, rill_stream_callback callback, void *data,
                                     uint32_t flags)
{
    callback(stream, RILL_SUCCESS, data);
    return RILL_SUCCESS;
}

YES(full_attach, rill_stream *stream, rill_devptr address, size_t bytes, uint32_t flags)

/* ---- Pools -------------------------------------------------------------- */

YES(full_pool_create, rill_pool *pool, const rill_pool_options *options)

/* As a context. */
static rill_status full_pool_may_destroy(rill_pool *pool)
{
    const char *label = rill_pool_label(pool);
    if (!label || strcmp(label, "to stay")) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_PERMITTED, "pool", "pool is to stay");
}

static rill_status full_pool_destroy(rill_pool *pool)
{
    struct full_platform *platform = full_platform_of(pool);
    if (platform->current_pool == pool) platform->current_pool = platform->default_pool;
    return RILL_SUCCESS;
}

GIVES(full_default_pool, *pool = full_platform_of(platform)->default_pool, rill_platform *platform,
      int device, rill_pool **pool)
GIVES(full_current_pool, *pool = full_platform_of(platform)->current_pool, rill_platform *platform,
      int device, rill_pool **pool)

static rill_status full_set_pool(rill_platform *platform, int device, rill_pool *pool)
{
    full_platform_of(platform)->current_pool = pool;
    return RILL_SUCCESS;
}

GIVES(full_pool_get, *value = (uint64_t)attribute, rill_pool *pool, rill_pool_attribute attribute,
      uint64_t *value)
YES(full_pool_set, rill_pool *pool, rill_pool_attribute attribute, uint64_t value)
YES(full_trim, rill_pool *pool, size_t keep)
GIVES(full_get_access, *access = RILL_ACCESS_READ_WRITE, rill_pool *pool, int device,
      rill_access *access)
YES(full_set_access, rill_pool *pool, int device, rill_access access)

/* ---- The tables --------------------------------------------------------- */

static const struct rill_pool_ops pools = {
    .create = full_pool_create,
    .may_destroy = full_pool_may_destroy,
    .destroy = full_pool_destroy,
    .default_pool = full_default_pool,
    .current = full_current_pool,
    .set_current = full_set_pool,
    .get_attribute = full_pool_get,
    .set_attribute = full_pool_set,
    .trim = full_trim,
    .get_access = full_get_access,
    .set_access = full_set_access,
};

/* The fake's tables, with more in them. */
static struct rill_device_ops devices;
static struct rill_context_ops contexts;
static struct rill_memory_ops memory;
static struct rill_module_ops modules;
static struct rill_stream_ops streams;
static struct rill_backend backend;

static void extend_tables(void)
{
    devices = *fake_backend.device;
    devices.can_access_peer = full_can_access_peer;

    contexts = *fake_backend.context;
    contexts.may_destroy = full_may_destroy;
    contexts.enable_peer = full_peer;
    contexts.disable_peer = full_peer;

    memory = *fake_backend.memory;
    memory.acquire_pitch = full_acquire_pitch;
    memory.host_register = full_host_register;
    memory.host_unregister = full_host_unregister;
    memory.host_device_pointer = full_host_device_pointer;
    memory.host_flags = full_host_flags;
    memory.pointer_info = full_pointer_info;
    memory.set_sync_memops = full_set_sync_memops;

    modules = *fake_backend.module;
    modules.param = full_param;
    modules.get_attribute = full_kernel_get;
    modules.set_attribute = full_kernel_set;
    modules.variable = full_variable;

    streams = *fake_backend.stream;
    streams.private_bytes = sizeof(struct full_stream);
    streams.destroy = full_stream_destroy;
    streams.submit = full_submit;
    streams.get_attribute = full_stream_get;
    streams.set_attribute = full_stream_set;
    streams.copy_attributes = full_stream_copy;
    streams.add_callback = full_add_callback;
    streams.attach = full_attach;
}

const struct rill_backend *full_backend(void)
{
    if (backend.abi) return &backend;
    extend_tables();
    backend = fake_backend;
    backend.name = "full";
    backend.platform_private_bytes = sizeof(struct full_platform);
    backend.open = full_open;
    backend.close = full_close;
    backend.explain = full_explain;
    backend.supports = full_supports;
    backend.device = &devices;
    backend.context = &contexts;
    backend.memory = &memory;
    backend.module = &modules;
    backend.stream = &streams;
    backend.pool = &pools;
    backend.capture = &full_capture_ops;
    backend.graph = &full_graph_ops;
    backend.exec = &full_exec_ops;
    return &backend;
}
