/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of calls (support/call_list.h): those of platforms, memory and modules.
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
