/* SPDX-License-Identifier: Apache-2.0
 *
 * The public calls, each once; read several times by calls.c, which says what CALL
 * makes of it:
 *
 *     CALL(the call, the slot that answers, before, after,
 *          ROLES(arguments that must be right, the object that the call is on first),
 *          all arguments)
 *
 * CALL_AS: the same of a call whose function is written by hand there.
 */

/* ---- <rill/platform.h> ------------------------------------------------------------ */

CALL(rill_platform_backend, NULL, NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "name")),
     a->w.platform, a->out)
CALL(rill_platform_supports, "backend->supports", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform")),
     a->w.platform, RILL_FEATURE_STREAMS)
CALL(rill_device_count, "backend->device->count", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "count")),
     a->w.platform, a->out)
CALL(rill_device_get_info, "backend->device->info", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(device_info, "info")),
     a->w.platform, 0, a->device_info)
CALL(rill_device_can_access_peer, "backend->device->can_access_peer", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "can")),
     a->w.platform, 0, 0, a->out)
CALL(rill_context_create, "backend->context->create", NULL, destroy_context,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "context")),
     a->w.platform, &own_context, a->out)
CALL(rill_context_synchronize, "backend->context->synchronize", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context)
CALL(rill_context_device, NULL, NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(out, "device")),
     a->w.context, a->out)
CALL(rill_context_platform, NULL, NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(out, "platform")),
     a->w.context, a->out)
CALL(rill_context_set_label, NULL, NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, NULL)
CALL(rill_context_priority_range, "backend->context->priority_range", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->out, a->more_out)
CALL(rill_context_enable_peer, "backend->context->enable_peer", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context"), HANDLE(CONTEXT, peer.context, "peer")),
     a->w.context, a->peer.context)
CALL(rill_context_disable_peer, "backend->context->disable_peer", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context"), HANDLE(CONTEXT, peer.context, "peer")),
     a->w.context, a->peer.context)

/* ---- <rill/memory.h> -------------------------------------------------------------- */

CALL(rill_mem_alloc, "backend->memory->acquire", NULL, free_memory,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(out, "address")),
     a->w.context, 64, a->out)
CALL(rill_mem_alloc_pitch, "backend->memory->acquire_pitch", NULL, free_memory,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(out, "address"),
           POINTER(more_out, "pitch")),
     a->w.context, 10, 2, 4, a->out, a->more_out)
CALL(rill_mem_alloc_managed, "backend->memory->acquire_managed", NULL, free_memory,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(out, "address")),
     a->w.context, 10, RILL_ATTACH_GLOBAL, a->out)
CALL(rill_mem_free, "backend->memory->release", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, 0)
CALL(rill_mem_range, "backend->memory->range", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->w.address, a->out, a->more_out)
CALL(rill_mem_info, "backend->memory->info", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->out, a->more_out)
CALL(rill_host_alloc, "backend->memory->host_alloc", NULL, free_host,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(out, "pointer")),
     a->w.context, 64, 0, a->out)
CALL(rill_host_free, "backend->memory->host_free", allocate_host, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->host)
CALL(rill_host_register, "backend->memory->host_register", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->out, 64, 0)
CALL(rill_host_unregister, "backend->memory->host_unregister", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->out)
CALL(rill_host_device_pointer, "backend->memory->host_device_pointer", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(out, "address")),
     a->w.context, NULL, a->out)
CALL(rill_host_flags, "backend->memory->host_flags", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(out, "flags")),
     a->w.context, NULL, a->out)
CALL(rill_pointer_get_info, "backend->memory->pointer_info", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(pointer_info, "info")),
     a->w.context, a->w.address, a->pointer_info)
CALL(rill_pointer_set_sync_memops, "backend->memory->set_sync_memops", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->w.address, 1)
CALL(rill_memcpy, "backend->memory->run", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->w.address, a->w.address + 32, 8)
CALL(rill_memcpy_htod, "backend->memory->run", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->w.address, a->out, 8)
CALL(rill_memcpy_dtoh, "backend->memory->run", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->out, a->w.address, 8)
CALL(rill_memcpy_dtod, "backend->memory->run", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->w.address, a->w.address + 32, 8)
CALL(rill_memcpy_peer, "backend->memory->run", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "dst_context"), HANDLE(CONTEXT, peer.context, "src_context")),
     a->w.context, a->w.address, a->peer.context, a->peer.address, 8)
CALL(rill_memcpy_box, "backend->memory->run", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(copy, "copy")),
     a->w.context, a->copy)
CALL(rill_memset_d8, "backend->memory->run", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->w.address, 7, 2)
CALL(rill_memset_d16, "backend->memory->run", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->w.address, 7, 2)
CALL(rill_memset_d32, "backend->memory->run", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context")),
     a->w.context, a->w.address, 7, 2)
CALL(rill_memset_box, "backend->memory->run", NULL, NULL,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(fill, "fill")),
     a->w.context, a->fill)
CALL(rill_memcpy_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->w.address, a->w.address + 32, 8)
CALL(rill_memcpy_htod_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->w.address, a->out, 8)
CALL(rill_memcpy_dtoh_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->out, a->w.address, 8)
CALL(rill_memcpy_dtod_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->w.address, a->w.address + 32, 8)
CALL(rill_memcpy_peer_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), HANDLE(CONTEXT, w.context, "dst_context"),
           HANDLE(CONTEXT, peer.context, "src_context")),
     a->w.stream, a->w.context, a->w.address, a->peer.context, a->peer.address, 8)
CALL(rill_memcpy_box_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(copy, "copy")),
     a->w.stream, a->copy)
CALL(rill_memset_d8_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->w.address, 7, 2)
CALL(rill_memset_d16_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->w.address, 7, 2)
CALL(rill_memset_d32_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->w.address, 7, 2)
CALL(rill_memset_box_async, "backend->stream->submit", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(fill, "fill")),
     a->w.stream, a->fill)

/* ---- <rill/module.h> -------------------------------------------------------------- */

CALL(rill_module_load, "backend->module->load", NULL, unload_module,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(image, "image"), POINTER(out, "module")),
     a->w.context, a->image, a->out)
CALL(rill_module_kernel, "backend->module->kernel", NULL, NULL,
     ROLES(HANDLE(MODULE, w.module, "module"), POINTER(name, "name"), POINTER(out, "kernel")),
     a->w.module, a->name, a->out)
CALL(rill_module_kernel_count, "backend->module->kernel_count", NULL, NULL,
     ROLES(HANDLE(MODULE, w.module, "module"), POINTER(out, "count")),
     a->w.module, a->out)
CALL(rill_module_variable, "backend->module->variable", NULL, NULL,
     ROLES(HANDLE(MODULE, w.module, "module"), POINTER(name, "name"), POINTER(out, "address")),
     a->w.module, a->name, a->out, a->more_out)
CALL(rill_kernel_param, "backend->module->param", NULL, NULL,
     ROLES(HANDLE(KERNEL, w.kernel, "kernel"), POINTER(out, "offset")),
     a->w.kernel, 0, a->out, a->more_out)
CALL(rill_kernel_get_attribute, "backend->module->get_attribute", NULL, NULL,
     ROLES(HANDLE(KERNEL, w.kernel, "kernel"), POINTER(out, "value")),
     a->w.kernel, RILL_KERNEL_REGISTERS, a->out)
CALL(rill_kernel_set_attribute, "backend->module->set_attribute", NULL, NULL,
     ROLES(HANDLE(KERNEL, w.kernel, "kernel")),
     a->w.kernel, RILL_KERNEL_SHARED_CARVEOUT, 1)

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

/* ---- <rill/graph.h> --------------------------------------------------------------- */

CALL(rill_graph_create, "backend->graph->create", NULL, destroy_graph,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(out, "graph")),
     a->w.context, NULL, a->out)
CALL(rill_graph_create_in, "backend->graph->create", NULL, destroy_graph,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "graph")),
     a->w.platform, NULL, a->out)
CALL(rill_graph_set_label, NULL, NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph")),
     a->w.graph, NULL)
CALL(rill_graph_add_node, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(op, "op"),
           POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->op, a->out)
CALL(rill_graph_add_node_with_edges, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(op, "op"),
           POINTER(out, "node")),
     a->w.graph, a->nodes, NULL, 1, a->op, a->out)
CALL(rill_graph_add_kernel, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"),
           HANDLE(KERNEL, w.kernel, "kernel"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->w.kernel, one, one, 0, kernel_params, a->out)
CALL(rill_graph_add_memcpy, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(copy, "copy"),
           POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->copy, a->out)
CALL(rill_graph_add_memset, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(fill, "fill"),
           POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->fill, a->out)
CALL(rill_graph_add_host, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(fn, "fn"),
           POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->fn, NULL, NULL, a->out)
CALL(rill_graph_add_child, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"),
           HANDLE(GRAPH, peer.graph, "child"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->peer.graph, 0, a->out)
CALL(rill_graph_add_empty, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->out)
CALL(rill_graph_add_event_wait, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"),
           HANDLE(EVENT, w.event, "event"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->w.event, a->out)
CALL(rill_graph_add_event_record, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"),
           HANDLE(EVENT, w.event, "event"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->w.event, a->out)
CALL(rill_graph_add_alloc, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"),
           POINTER(more_out, "address"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, 64, a->more_out, a->out)
CALL(rill_graph_add_free, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, 4096, a->out)
CALL(rill_graph_add_values, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(items, "items"),
           POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->items, 1, 0, a->out)
CALL(rill_graph_add_conditional, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"),
           POINTER(more_out, "bodies"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, 1, RILL_CONDITIONAL_IF, 1, a->more_out, a->out)
CALL(rill_graph_remove_node, "backend->graph->remove_node", add_node, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(extra_node, "node")),
     a->w.graph, a->extra_node)
CALL(rill_graph_add_edges, "backend->graph->add_edges", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "from"), POINTER(more_nodes, "to")),
     a->w.graph, a->nodes, a->more_nodes, NULL, 1)
CALL(rill_graph_remove_edges, "backend->graph->remove_edges", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "from"), POINTER(more_nodes, "to")),
     a->w.graph, a->nodes, a->more_nodes, NULL, 1)
CALL(rill_graph_nodes, "backend->graph->nodes", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(out, "count")),
     a->w.graph, NULL, a->out)
CALL(rill_graph_roots, "backend->graph->roots", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(out, "count")),
     a->w.graph, NULL, a->out)
CALL(rill_graph_edges, "backend->graph->edges", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(out, "count")),
     a->w.graph, NULL, NULL, NULL, a->out)
CALL(rill_node_dependencies, "backend->graph->dependencies", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(out, "count")),
     a->w.graph, a->w.node, NULL, NULL, a->out)
CALL(rill_node_dependents, "backend->graph->dependents", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(out, "count")),
     a->w.graph, a->w.node, NULL, NULL, a->out)
CALL(rill_node_kind, "backend->graph->node_kind", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(out, "kind")),
     a->w.graph, a->w.node, a->out)
CALL(rill_node_get_op, "backend->graph->get_op", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(out, "op")),
     a->w.graph, a->w.node, a->out)
CALL(rill_node_set_op, "backend->graph->set_op", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(op, "op")),
     a->w.graph, a->w.node, a->op)
CALL(rill_node_get_attribute, "backend->graph->get_attribute", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(attribute, "attribute")),
     a->w.graph, a->w.node, a->attribute)
CALL(rill_node_set_attribute, "backend->graph->set_attribute", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(attribute, "attribute")),
     a->w.graph, a->w.node, a->attribute)
CALL(rill_node_copy_attributes, "backend->graph->copy_attributes", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "dst"), NODE(w.child_node, "src")),
     a->w.graph, a->w.node, a->w.child_node)
CALL(rill_node_set_label, "backend->graph->set_node_label", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node")),
     a->w.graph, a->w.node, NULL)
CALL(rill_node_child_graph, "backend->graph->child", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.child_node, "node"), POINTER(out, "child")),
     a->w.graph, a->w.child_node, a->out)
CALL(rill_graph_clone, "backend->graph->clone", NULL, destroy_graph,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(out, "clone")),
     a->w.graph, a->out)
CALL(rill_graph_find_in_clone, "backend->graph->find_in_clone", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "clone"), NODE(w.node, "original"), POINTER(out, "node")),
     a->w.graph, a->w.node, a->out)
CALL(rill_graph_write_dot, "backend->graph->write_dot", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(write, "write")),
     a->w.graph, 0, a->write, NULL)
CALL(rill_conditional_create, "backend->graph->conditional", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(out, "handle")),
     a->w.graph, 0, 0, a->out)
CALL(rill_user_object_create, "backend->graph->user_object_create", NULL, release_object,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(destroy, "destroy"),
           POINTER(out, "object")),
     a->w.platform, NULL, a->destroy, 1, a->out)
CALL(rill_user_object_retain, "backend->graph->user_object_retain", NULL, release_reference,
     ROLES(HANDLE(USER_OBJECT, w.object, "object")),
     a->w.object, 1)
CALL(rill_graph_retain_user_object, "backend->graph->retain", NULL, release_from_graph,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), HANDLE(USER_OBJECT, w.object, "object")),
     a->w.graph, a->w.object, 1, 0)
CALL(rill_graph_release_user_object, "backend->graph->release", retain_in_graph, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), HANDLE(USER_OBJECT, w.object, "object")),
     a->w.graph, a->w.object, 1)
CALL(rill_device_get_graph_memory, "backend->graph->get_memory", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "value")),
     a->w.platform, 0, RILL_GRAPH_MEMORY_USED_HIGH, a->out)
CALL(rill_device_set_graph_memory, "backend->graph->set_memory", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform")),
     a->w.platform, 0, RILL_GRAPH_MEMORY_USED_HIGH, 0)
CALL(rill_device_trim_graph_memory, "backend->graph->trim_memory", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform")),
     a->w.platform, 0)

/* ---- <rill/capture.h> ------------------------------------------------------------- */

CALL(rill_stream_begin_capture, "backend->capture->begin", NULL, end_capture,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, NULL)
CALL(rill_stream_end_capture, "backend->capture->end", begin_capture, destroy_graph,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->out)
CALL(rill_stream_capture_info, "backend->capture->info", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(capture_info, "info")),
     a->w.stream, a->capture_info)
CALL(rill_stream_update_capture, "backend->capture->update", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(nodes, "dependencies")),
     a->w.stream, a->nodes, NULL, 1, RILL_CAPTURE_ADD)
CALL(rill_thread_exchange_capture_mode, "backend->capture->exchange_mode", set_mode, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "mode")),
     a->w.platform, a->out)
CALL(rill_capture, "backend->capture->end", NULL, destroy_graph,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(step, "fn"), POINTER(out, "graph")),
     a->w.stream, NULL, a->step, NULL, a->out)
CALL_AS(rill_capture_relax, "backend->capture->exchange_mode", NULL, restore_mode,
     ROLES(HANDLE(PLATFORM, w.platform, "platform")))

/* ---- <rill/exec.h> ---------------------------------------------------------------- */

CALL(rill_exec_create, "backend->exec->create", NULL, destroy_exec,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(out, "exec")),
     a->w.graph, NULL, a->out)
CALL(rill_exec_launch, "backend->exec->launch", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), HANDLE(STREAM, w.stream, "stream")),
     a->w.exec, a->w.stream)
CALL(rill_exec_upload, "backend->exec->upload", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), HANDLE(STREAM, w.stream, "stream")),
     a->w.exec, a->w.stream)
CALL(rill_exec_flags, "backend->exec->flags", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), POINTER(out, "flags")),
     a->w.exec, a->out)
CALL(rill_exec_bytes, "backend->exec->bytes", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), POINTER(out, "bytes")),
     a->w.exec, a->out)
CALL(rill_exec_set_op, "backend->exec->set_op", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), NODE(w.node, "node"), POINTER(op, "op")),
     a->w.exec, a->w.node, a->op)
CALL(rill_exec_set_enabled, "backend->exec->set_enabled", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), NODE(w.node, "node")),
     a->w.exec, a->w.node, 1)
CALL(rill_exec_get_enabled, "backend->exec->get_enabled", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), NODE(w.node, "node"), POINTER(out, "enabled")),
     a->w.exec, a->w.node, a->out)
CALL(rill_exec_update, "backend->exec->update", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), HANDLE(GRAPH, peer.graph, "graph")),
     a->w.exec, a->peer.graph, NULL)
CALL(rill_exec_set_label, NULL, NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec")),
     a->w.exec, NULL)

/* ---- <rill/replay.h> -------------------------------------------------------------- */

CALL(rill_replay_create, NULL, NULL, destroy_replay,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(step, "step"), POINTER(out, "replay")),
     a->w.context, NULL, a->step, NULL, NULL, a->out)
CALL(rill_replay_clear, NULL, NULL, NULL,
     ROLES(HANDLE(REPLAY, w.replay, "replay")),
     a->w.replay)
CALL(rill_replay_get_info, NULL, NULL, NULL,
     ROLES(HANDLE(REPLAY, w.replay, "replay"), POINTER(replay_info, "info")),
     a->w.replay, a->replay_info)
CALL(rill_replay_set_label, NULL, NULL, NULL,
     ROLES(HANDLE(REPLAY, w.replay, "replay")),
     a->w.replay, NULL)
