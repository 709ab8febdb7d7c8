/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of calls (support/call_list.h): those of streams, operations, events, pools and virtual
 * memory.
 */

/* ---- <rill/stream.h> -------------------------------------------------------------- */

CALL(rill_stream_create, "backend->stream->create", NULL, destroy_stream,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(out, "stream")),
     a->w.context, NULL, a->out)
CALL_AS(rill_stream_legacy, "backend->stream->legacy", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")))
CALL_AS(rill_stream_per_thread, "backend->stream->per_thread", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")))
CALL(rill_stream_query, "backend->stream->query", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream)
CALL(rill_stream_synchronize, "backend->stream->synchronize", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream)
CALL(rill_stream_id, "backend->stream->id", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(out, "id")),
     a->w.stream, a->out)
CALL(rill_stream_flags, "backend->stream->flags", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(out, "flags")),
     a->w.stream, a->out)
CALL(rill_stream_priority, "backend->stream->priority", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(out, "priority")),
     a->w.stream, a->out)
CALL(rill_stream_device, NULL, NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(out, "device")),
     a->w.stream, a->out)
CALL(rill_stream_context, NULL, NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(out, "context")),
     a->w.stream, a->out)
CALL(rill_stream_set_label, NULL, NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, NULL)
CALL(rill_stream_get_attribute, "backend->stream->get_attribute", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(attribute, "attribute")),
     a->w.stream, a->attribute)
CALL(rill_stream_set_attribute, "backend->stream->set_attribute", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(attribute, "attribute")),
     a->w.stream, a->attribute)
CALL(rill_stream_copy_attributes, "backend->stream->copy_attributes", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "dst"), HANDLE(STREAM, peer.stream, "src")),
     a->w.stream, a->peer.stream)
CALL(rill_stream_wait_event, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), HANDLE(EVENT, w.event, "event")),
     a->w.stream, a->w.event, 0)
CALL(rill_stream_wait_stream, "backend->event->destroy", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), HANDLE(STREAM, peer.stream, "other")),
     a->w.stream, a->peer.stream)
CALL(rill_stream_fork, "backend->event->destroy", NULL, join_stream,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(streams, "others")),
     a->w.stream, a->streams, 1)
CALL(rill_stream_join, "backend->event->destroy", fork_stream, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(streams, "others")),
     a->w.stream, a->streams, 1)
CALL(rill_stream_join_all, "backend->event->destroy", fork_stream, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream)
CALL(rill_stream_unjoined, "backend->stream->id", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(out, "count")),
     a->w.stream, NULL, a->out)

/* ---- <rill/op.h> ------------------------------------------------------------------ */

CALL(rill_stream_submit, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(op, "op")),
     a->w.stream, a->op)

/* ---- <rill/stream.h> -------------------------------------------------------------- */

CALL(rill_launch_kernel, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), HANDLE(KERNEL, w.kernel, "kernel")),
     a->w.stream, a->w.kernel, one, one, 0, kernel_params)
CALL(rill_launch_host, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(fn, "fn")),
     a->w.stream, a->fn, NULL, NULL)
CALL(rill_stream_add_callback, "backend->stream->add_callback", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(callback, "callback")),
     a->w.stream, a->callback, NULL, 0)
CALL(rill_stream_write_value32, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->w.address, 1, 0)
CALL(rill_stream_write_value64, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->w.address, 1, 0)
CALL(rill_stream_wait_value32, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->w.address, 1, 0)
CALL(rill_stream_wait_value64, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->w.address, 1, 0)
CALL(rill_stream_batch_values, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(items, "items")),
     a->w.stream, a->items, 1, 0)
CALL(rill_stream_attach, "backend->stream->attach", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->w.address, 0, RILL_ATTACH_GLOBAL)

/* ---- <rill/event.h> --------------------------------------------------------------- */

CALL(rill_event_create, "backend->event->create", NULL, destroy_event,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(out, "event")),
     a->w.context, NULL, a->out)
CALL(rill_event_record, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(EVENT, w.event, "event"), HANDLE(STREAM, w.stream, "stream")),
     a->w.event, a->w.stream, 0)
CALL(rill_event_query, "backend->event->query", NULL, NULL,
     ROLES(HANDLE(EVENT, w.event, "event")),
     a->w.event)
CALL(rill_event_synchronize, "backend->event->synchronize", NULL, NULL,
     ROLES(HANDLE(EVENT, w.event, "event")),
     a->w.event)
CALL(rill_event_elapsed, "backend->event->elapsed", record_events, NULL,
     ROLES(HANDLE(EVENT, w.event, "start"), HANDLE(EVENT, peer.event, "end"),
           POINTER(out, "milliseconds")),
     a->w.event, a->peer.event, a->out)
CALL(rill_event_context, NULL, NULL, NULL,
     ROLES(HANDLE(EVENT, w.event, "event"), POINTER(out, "context")),
     a->w.event, a->out)
CALL(rill_event_set_label, NULL, NULL, NULL,
     ROLES(HANDLE(EVENT, w.event, "event")),
     a->w.event, NULL)

/* ---- <rill/pool.h> ---------------------------------------------------------------- */

CALL(rill_pool_create, "backend->pool->create", NULL, destroy_pool,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "pool")),
     a->w.platform, NULL, a->out)
CALL(rill_device_default_pool, "backend->pool->default_pool", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "pool")),
     a->w.platform, 0, a->out)
CALL(rill_device_pool, "backend->pool->current", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "pool")),
     a->w.platform, 0, a->out)
CALL(rill_device_set_pool, "backend->pool->set_current", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), HANDLE(POOL, w.pool, "pool")),
     a->w.platform, 0, a->w.pool)
CALL(rill_pool_get_attribute, "backend->pool->get_attribute", NULL, NULL,
     ROLES(HANDLE(POOL, w.pool, "pool"), POINTER(out, "value")),
     a->w.pool, RILL_POOL_USED_HIGH, a->out)
CALL(rill_pool_set_attribute, "backend->pool->set_attribute", NULL, NULL,
     ROLES(HANDLE(POOL, w.pool, "pool")),
     a->w.pool, RILL_POOL_USED_HIGH, 0)
CALL(rill_pool_trim, "backend->pool->trim", NULL, NULL,
     ROLES(HANDLE(POOL, w.pool, "pool")),
     a->w.pool, 0)
CALL(rill_pool_set_access, "backend->pool->set_access", NULL, NULL,
     ROLES(HANDLE(POOL, w.pool, "pool")),
     a->w.pool, 0, RILL_ACCESS_READ)
CALL(rill_pool_get_access, "backend->pool->get_access", NULL, NULL,
     ROLES(HANDLE(POOL, w.pool, "pool"), POINTER(out, "access")),
     a->w.pool, 0, a->out)
CALL(rill_pool_set_label, NULL, NULL, NULL,
     ROLES(HANDLE(POOL, w.pool, "pool")),
     a->w.pool, NULL)
CALL(rill_mem_alloc_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(out, "address")),
     a->w.stream, 64, a->out)
CALL(rill_mem_alloc_from_pool_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), HANDLE(POOL, w.pool, "pool"),
           POINTER(out, "address")),
     a->w.stream, a->w.pool, 64, a->out)
CALL(rill_mem_free_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, 4096)

/* ---- <rill/vmem.h> ---------------------------------------------------------------- */

CALL(rill_vmem_granularity, "backend->vmem->granularity", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "bytes")),
     a->w.platform, 0, a->out)
CALL(rill_vmem_create, "backend->vmem->create", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "handle")),
     a->w.platform, 2 << 20, NULL, a->out)
CALL(rill_vmem_release, "backend->vmem->release", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform")),
     a->w.platform, 1)
CALL(rill_vmem_retain, "backend->vmem->retain", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "handle")),
     a->w.platform, 2 << 20, a->out)
CALL(rill_vmem_get_options, "backend->vmem->get_options", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(vmem_options, "options")),
     a->w.platform, 1, a->vmem_options)
CALL(rill_vmem_export, "backend->vmem->export_file", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "file")),
     a->w.platform, 1, a->out)
CALL(rill_vmem_import, "backend->vmem->import_file", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "handle")),
     a->w.platform, 0, a->out)
CALL(rill_vmem_reserve, "backend->vmem->reserve", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "address")),
     a->w.platform, 2 << 20, 0, 0, a->out)
CALL(rill_vmem_unreserve, "backend->vmem->unreserve", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform")),
     a->w.platform, 2 << 20, 2 << 20)
CALL(rill_vmem_map, "backend->vmem->map", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform")),
     a->w.platform, 2 << 20, 2 << 20, 1)
CALL(rill_vmem_unmap, "backend->vmem->unmap", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform")),
     a->w.platform, 2 << 20, 2 << 20)
CALL(rill_vmem_set_access, "backend->vmem->set_access", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform")),
     a->w.platform, 2 << 20, 2 << 20, 0, RILL_ACCESS_READ_WRITE)
CALL(rill_vmem_get_access, "backend->vmem->get_access", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "access")),
     a->w.platform, 2 << 20, 0, a->out)
