/* SPDX-License-Identifier: Apache-2.0 */
#include "support/calls.h"

#include <string.h>

/* ---- Arguments ---------------------------------------------------------- */

static const rill_context_options own_context = { .size = sizeof own_context,
                                                  .flags = RILL_CONTEXT_OWN };
static const rill_dim3 one = { 1, 1, 1 };
static int counter;
static int *const counter_address = &counter;
static const void *const kernel_params[] = { &counter_address };

static void do_nothing(void *data)
{
    (void)data;
}

static void call_back(rill_stream *stream, rill_status status, void *data)
{
    (void)stream;
    (void)status;
    (void)data;
}

static int write_nothing(void *data, const char *text, size_t bytes)
{
    (void)data;
    (void)text;
    (void)bytes;
    return 0;
}

static rill_status enqueue_nothing(rill_stream *stream, void *data)
{
    (void)stream;
    (void)data;
    return RILL_SUCCESS;
}

void arguments_init(struct arguments *a, const struct world *w, const struct world *peer)
{
    static _Alignas(64) unsigned char out[2][OUT_BYTES];
    static rill_node nodes[2];
    static rill_op op;
    static rill_copy copy;
    static rill_fill fill;
    static rill_attribute attribute;
    static rill_value item;
    static rill_device_info device_info;
    static rill_pointer_info pointer_info;
    static rill_capture_info capture_info;
    static rill_replay_info replay_info;
    static rill_stream *streams[1];
    static rill_capture_guard guard;

    memset(out, OUT_FILL, sizeof out);
    nodes[0] = w->node;
    nodes[1] = w->child_node;
    op = (rill_op){ .kind = RILL_OP_EMPTY };
    copy = (rill_copy){ .dst = rill_device_place(w->address),
                        .src = rill_device_place(w->address + 32),
                        .width = 8,
                        .height = 1,
                        .depth = 1 };
    fill = (rill_fill){ .dst = w->address, .element_bytes = 1, .width = 8, .height = 1 };
    attribute = (rill_attribute){ .id = RILL_ATTRIBUTE_PRIORITY };
    item = (rill_value){ .kind = RILL_VALUE_WRITE_32, .address = w->address };
    device_info = (rill_device_info){ .size = sizeof device_info };
    pointer_info = (rill_pointer_info){ .size = sizeof pointer_info };
    replay_info = (rill_replay_info){ .size = sizeof replay_info };
    capture_info = (rill_capture_info){ .size = sizeof capture_info };
    streams[0] = peer->stream;
    guard = (rill_capture_guard){ .platform = NULL };
    *a = (struct arguments){ .w = *w,
                             .peer = *peer,
                             .nodes = &nodes[0],
                             .more_nodes = &nodes[1],
                             .op = &op,
                             .copy = &copy,
                             .fill = &fill,
                             .image = &world_image,
                             .attribute = &attribute,
                             .items = &item,
                             .name = "count",
                             .fn = do_nothing,
                             .destroy = do_nothing,
                             .callback = call_back,
                             .write = write_nothing,
                             .step = enqueue_nothing,
                             .streams = streams,
                             .guard = &guard,
                             .device_info = &device_info,
                             .pointer_info = &pointer_info,
                             .capture_info = &capture_info,
                             .replay_info = &replay_info,
                             .out = out[0],
                             .more_out = out[1] };
    a->extra_node = w->node;
}

/* ---- Before and after --------------------------------------------------- */

static void destroy_context(struct arguments *a)
{
    rill_context_destroy(a->out);
}

static void destroy_stream(struct arguments *a)
{
    rill_stream_destroy(a->out);
}

static void destroy_event(struct arguments *a)
{
    rill_event_destroy(a->out);
}

static void destroy_pool(struct arguments *a)
{
    rill_pool_destroy(a->out);
}

static void destroy_graph(struct arguments *a)
{
    rill_graph_destroy(a->out);
}

static void destroy_exec(struct arguments *a)
{
    rill_exec_destroy(a->out);
}

static void destroy_replay(struct arguments *a)
{
    rill_replay_destroy(a->out);
}

static void unload_module(struct arguments *a)
{
    rill_module_unload(a->out);
}

static void free_memory(struct arguments *a)
{
    rill_mem_free(a->w.context, *(rill_devptr *)a->out);
}

static void allocate_host(struct arguments *a)
{
    rill_host_alloc(a->w.context, 64, 0, &a->host);
}

static void free_host(struct arguments *a)
{
    rill_host_free(a->w.context, *(void **)a->out);
}

static void record_events(struct arguments *a)
{
    rill_event_record(a->w.event, a->w.stream, 0);
    rill_event_record(a->peer.event, a->peer.stream, 0);
}

static void add_node(struct arguments *a)
{
    rill_graph_add_node(a->w.graph, NULL, 0, a->op, &a->extra_node);
}

static void remove_node(struct arguments *a)
{
    rill_graph_remove_node(a->w.graph, *(rill_node *)a->out);
}

static void release_object(struct arguments *a)
{
    rill_user_object_release(a->out, 1);
}

static void release_reference(struct arguments *a)
{
    rill_user_object *object = a->w.object;
    rill_user_object_release(&object, 1);
}

static void retain_in_graph(struct arguments *a)
{
    rill_graph_retain_user_object(a->w.graph, a->w.object, 1, 0);
}

static void release_from_graph(struct arguments *a)
{
    rill_graph_release_user_object(a->w.graph, a->w.object, 1);
}

static void begin_capture(struct arguments *a)
{
    rill_stream_begin_capture(a->w.stream, NULL);
}

static void end_capture(struct arguments *a)
{
    rill_graph *graph = NULL;
    rill_stream_end_capture(a->w.stream, &graph);
    rill_graph_destroy(&graph);
}

static void fork_stream(struct arguments *a)
{
    rill_stream_fork(a->w.stream, a->streams, 1);
}

static void join_stream(struct arguments *a)
{
    rill_stream_join_all(a->w.stream);
}

static void restore_mode(struct arguments *a)
{
    rill_capture_restore(a->guard);
}

static void set_mode(struct arguments *a)
{
    *(rill_capture_mode *)a->out = RILL_CAPTURE_RELAXED;
}

/* ---- The calls ---------------------------------------------------------- */

#define CALL(name, ...)                                  \
    static rill_status call_##name(struct arguments *a)  \
    {                                                    \
        return name(__VA_ARGS__);                        \
    }

/* These return no status. */
static rill_status call_rill_stream_legacy(struct arguments *a)
{
    return rill_stream_legacy(a->w.context) ? RILL_SUCCESS : rill_last_error()->status;
}

static rill_status call_rill_stream_per_thread(struct arguments *a)
{
    return rill_stream_per_thread(a->w.context) ? RILL_SUCCESS : rill_last_error()->status;
}

static rill_status call_rill_capture_relax(struct arguments *a)
{
    *a->guard = rill_capture_relax(a->w.platform);
    return a->guard->platform ? RILL_SUCCESS : rill_last_error()->status;
}

CALL(rill_platform_backend, a->w.platform, a->out)
CALL(rill_platform_supports, a->w.platform, RILL_FEATURE_STREAMS)
CALL(rill_device_count, a->w.platform, a->out)
CALL(rill_device_get_info, a->w.platform, 0, a->device_info)
CALL(rill_device_can_access_peer, a->w.platform, 0, 0, a->out)
CALL(rill_context_create, a->w.platform, &own_context, a->out)
CALL(rill_context_synchronize, a->w.context)
CALL(rill_context_device, a->w.context, a->out)
CALL(rill_context_platform, a->w.context, a->out)
CALL(rill_context_set_label, a->w.context, NULL)
CALL(rill_context_priority_range, a->w.context, a->out, a->more_out)
CALL(rill_context_enable_peer, a->w.context, a->peer.context)
CALL(rill_context_disable_peer, a->w.context, a->peer.context)
CALL(rill_mem_alloc, a->w.context, 64, a->out)
CALL(rill_mem_alloc_pitch, a->w.context, 10, 2, 4, a->out, a->more_out)
CALL(rill_mem_free, a->w.context, 0)
CALL(rill_mem_range, a->w.context, a->w.address, a->out, a->more_out)
CALL(rill_mem_info, a->w.context, a->out, a->more_out)
CALL(rill_host_alloc, a->w.context, 64, 0, a->out)
CALL(rill_host_free, a->w.context, a->host)
CALL(rill_host_register, a->w.context, a->out, 64, 0)
CALL(rill_host_unregister, a->w.context, a->out)
CALL(rill_host_device_pointer, a->w.context, NULL, a->out)
CALL(rill_host_flags, a->w.context, NULL, a->out)
CALL(rill_pointer_get_info, a->w.context, a->w.address, a->pointer_info)
CALL(rill_pointer_set_sync_memops, a->w.context, a->w.address, 1)
CALL(rill_memcpy, a->w.context, a->w.address, a->w.address + 32, 8)
CALL(rill_memcpy_htod, a->w.context, a->w.address, a->out, 8)
CALL(rill_memcpy_dtoh, a->w.context, a->out, a->w.address, 8)
CALL(rill_memcpy_dtod, a->w.context, a->w.address, a->w.address + 32, 8)
CALL(rill_memcpy_peer, a->w.context, a->w.address, a->peer.context, a->peer.address, 8)
CALL(rill_memcpy_box, a->w.context, a->copy)
CALL(rill_memset_d8, a->w.context, a->w.address, 7, 2)
CALL(rill_memset_d16, a->w.context, a->w.address, 7, 2)
CALL(rill_memset_d32, a->w.context, a->w.address, 7, 2)
CALL(rill_memset_box, a->w.context, a->fill)
CALL(rill_memcpy_async, a->w.stream, a->w.address, a->w.address + 32, 8)
CALL(rill_memcpy_htod_async, a->w.stream, a->w.address, a->out, 8)
CALL(rill_memcpy_dtoh_async, a->w.stream, a->out, a->w.address, 8)
CALL(rill_memcpy_dtod_async, a->w.stream, a->w.address, a->w.address + 32, 8)
CALL(rill_memcpy_peer_async, a->w.stream, a->w.context, a->w.address, a->peer.context,
     a->peer.address, 8)
CALL(rill_memcpy_box_async, a->w.stream, a->copy)
CALL(rill_memset_d8_async, a->w.stream, a->w.address, 7, 2)
CALL(rill_memset_d16_async, a->w.stream, a->w.address, 7, 2)
CALL(rill_memset_d32_async, a->w.stream, a->w.address, 7, 2)
CALL(rill_memset_box_async, a->w.stream, a->fill)
CALL(rill_module_load, a->w.context, a->image, a->out)
CALL(rill_module_kernel, a->w.module, a->name, a->out)
CALL(rill_module_kernel_count, a->w.module, a->out)
CALL(rill_kernel_param, a->w.kernel, 0, a->out, a->more_out)
CALL(rill_kernel_get_attribute, a->w.kernel, RILL_KERNEL_REGISTERS, a->out)
CALL(rill_kernel_set_attribute, a->w.kernel, RILL_KERNEL_SHARED_CARVEOUT, 1)
CALL(rill_stream_create, a->w.context, NULL, a->out)
CALL(rill_stream_query, a->w.stream)
CALL(rill_stream_synchronize, a->w.stream)
CALL(rill_stream_id, a->w.stream, a->out)
CALL(rill_stream_flags, a->w.stream, a->out)
CALL(rill_stream_priority, a->w.stream, a->out)
CALL(rill_stream_device, a->w.stream, a->out)
CALL(rill_stream_context, a->w.stream, a->out)
CALL(rill_stream_set_label, a->w.stream, NULL)
CALL(rill_stream_get_attribute, a->w.stream, a->attribute)
CALL(rill_stream_set_attribute, a->w.stream, a->attribute)
CALL(rill_stream_copy_attributes, a->w.stream, a->peer.stream)
CALL(rill_stream_wait_event, a->w.stream, a->w.event, 0)
CALL(rill_stream_wait_stream, a->w.stream, a->peer.stream)
CALL(rill_stream_fork, a->w.stream, a->streams, 1)
CALL(rill_stream_join, a->w.stream, a->streams, 1)
CALL(rill_stream_join_all, a->w.stream)
CALL(rill_stream_unjoined, a->w.stream, NULL, a->out)
CALL(rill_stream_submit, a->w.stream, a->op)
CALL(rill_launch_kernel, a->w.stream, a->w.kernel, one, one, 0, kernel_params)
CALL(rill_launch_host, a->w.stream, a->fn, NULL, NULL)
CALL(rill_stream_add_callback, a->w.stream, a->callback, NULL, 0)
CALL(rill_stream_write_value32, a->w.stream, a->w.address, 1, 0)
CALL(rill_stream_write_value64, a->w.stream, a->w.address, 1, 0)
CALL(rill_stream_wait_value32, a->w.stream, a->w.address, 1, 0)
CALL(rill_stream_wait_value64, a->w.stream, a->w.address, 1, 0)
CALL(rill_stream_batch_values, a->w.stream, a->items, 1, 0)
CALL(rill_stream_attach, a->w.stream, a->w.address, 0, RILL_ATTACH_GLOBAL)
CALL(rill_event_create, a->w.context, NULL, a->out)
CALL(rill_event_record, a->w.event, a->w.stream, 0)
CALL(rill_event_query, a->w.event)
CALL(rill_event_synchronize, a->w.event)
CALL(rill_event_elapsed, a->w.event, a->peer.event, a->out)
CALL(rill_event_context, a->w.event, a->out)
CALL(rill_event_set_label, a->w.event, NULL)
CALL(rill_pool_create, a->w.platform, NULL, a->out)
CALL(rill_device_default_pool, a->w.platform, 0, a->out)
CALL(rill_device_pool, a->w.platform, 0, a->out)
CALL(rill_device_set_pool, a->w.platform, 0, a->w.pool)
CALL(rill_pool_get_attribute, a->w.pool, RILL_POOL_USED_HIGH, a->out)
CALL(rill_pool_set_attribute, a->w.pool, RILL_POOL_USED_HIGH, 0)
CALL(rill_pool_trim, a->w.pool, 0)
CALL(rill_pool_set_access, a->w.pool, 0, RILL_ACCESS_READ)
CALL(rill_pool_get_access, a->w.pool, 0, a->out)
CALL(rill_pool_set_label, a->w.pool, NULL)
CALL(rill_mem_alloc_async, a->w.stream, 64, a->out)
CALL(rill_mem_alloc_from_pool_async, a->w.stream, a->w.pool, 64, a->out)
CALL(rill_mem_free_async, a->w.stream, 4096)
CALL(rill_graph_create, a->w.context, NULL, a->out)
CALL(rill_graph_set_label, a->w.graph, NULL)
CALL(rill_graph_add_node, a->w.graph, a->nodes, 1, a->op, a->out)
CALL(rill_graph_add_node_with_edges, a->w.graph, a->nodes, NULL, 1, a->op, a->out)
CALL(rill_graph_add_kernel, a->w.graph, a->nodes, 1,
     a->w.kernel, one, one, 0, kernel_params, a->out)
CALL(rill_graph_add_memcpy, a->w.graph, a->nodes, 1, a->copy, a->out)
CALL(rill_graph_add_memset, a->w.graph, a->nodes, 1, a->fill, a->out)
CALL(rill_graph_add_host, a->w.graph, a->nodes, 1, a->fn, NULL, NULL, a->out)
CALL(rill_graph_add_child, a->w.graph, a->nodes, 1, a->peer.graph, 0, a->out)
CALL(rill_graph_add_empty, a->w.graph, a->nodes, 1, a->out)
CALL(rill_graph_add_event_wait, a->w.graph, a->nodes, 1, a->w.event, a->out)
CALL(rill_graph_add_event_record, a->w.graph, a->nodes, 1, a->w.event, a->out)
CALL(rill_graph_add_alloc, a->w.graph, a->nodes, 1, 64, a->more_out, a->out)
CALL(rill_graph_add_free, a->w.graph, a->nodes, 1, 4096, a->out)
CALL(rill_graph_add_values, a->w.graph, a->nodes, 1, a->items, 1, 0, a->out)
CALL(rill_graph_add_conditional, a->w.graph, a->nodes, 1, 1, RILL_CONDITIONAL_IF, 1, a->more_out,
     a->out)
CALL(rill_graph_remove_node, a->w.graph, a->extra_node)
CALL(rill_graph_add_edges, a->w.graph, a->nodes, a->more_nodes, NULL, 1)
CALL(rill_graph_remove_edges, a->w.graph, a->nodes, a->more_nodes, NULL, 1)
CALL(rill_graph_nodes, a->w.graph, NULL, a->out)
CALL(rill_graph_roots, a->w.graph, NULL, a->out)
CALL(rill_graph_edges, a->w.graph, NULL, NULL, NULL, a->out)
CALL(rill_node_dependencies, a->w.graph, a->w.node, NULL, NULL, a->out)
CALL(rill_node_dependents, a->w.graph, a->w.node, NULL, NULL, a->out)
CALL(rill_node_kind, a->w.graph, a->w.node, a->out)
CALL(rill_node_get_op, a->w.graph, a->w.node, a->out)
CALL(rill_node_set_op, a->w.graph, a->w.node, a->op)
CALL(rill_node_get_attribute, a->w.graph, a->w.node, a->attribute)
CALL(rill_node_set_attribute, a->w.graph, a->w.node, a->attribute)
CALL(rill_node_copy_attributes, a->w.graph, a->w.node, a->w.child_node)
CALL(rill_node_set_label, a->w.graph, a->w.node, NULL)
CALL(rill_node_child_graph, a->w.graph, a->w.child_node, a->out)
CALL(rill_graph_clone, a->w.graph, a->out)
CALL(rill_graph_find_in_clone, a->w.graph, a->w.node, a->out)
CALL(rill_graph_write_dot, a->w.graph, 0, a->write, NULL)
CALL(rill_conditional_create, a->w.graph, 0, 0, a->out)
CALL(rill_user_object_create, a->w.platform, NULL, a->destroy, 1, a->out)
CALL(rill_user_object_retain, a->w.object, 1)
CALL(rill_graph_retain_user_object, a->w.graph, a->w.object, 1, 0)
CALL(rill_graph_release_user_object, a->w.graph, a->w.object, 1)
CALL(rill_device_get_graph_memory, a->w.platform, 0, RILL_GRAPH_MEMORY_USED_HIGH, a->out)
CALL(rill_device_set_graph_memory, a->w.platform, 0, RILL_GRAPH_MEMORY_USED_HIGH, 0)
CALL(rill_device_trim_graph_memory, a->w.platform, 0)
CALL(rill_stream_begin_capture, a->w.stream, NULL)
CALL(rill_stream_end_capture, a->w.stream, a->out)
CALL(rill_stream_capture_info, a->w.stream, a->capture_info)
CALL(rill_stream_update_capture, a->w.stream, a->nodes, NULL, 1, RILL_CAPTURE_ADD)
CALL(rill_thread_exchange_capture_mode, a->w.platform, a->out)
CALL(rill_capture, a->w.stream, NULL, a->step, NULL, a->out)
CALL(rill_exec_create, a->w.graph, NULL, a->out)
CALL(rill_exec_launch, a->w.exec, a->w.stream)
CALL(rill_exec_upload, a->w.exec, a->w.stream)
CALL(rill_exec_flags, a->w.exec, a->out)
CALL(rill_exec_bytes, a->w.exec, a->out)
CALL(rill_exec_set_op, a->w.exec, a->w.node, a->op)
CALL(rill_exec_set_enabled, a->w.exec, a->w.node, 1)
CALL(rill_exec_get_enabled, a->w.exec, a->w.node, a->out)
CALL(rill_exec_update, a->w.exec, a->peer.graph, NULL)
CALL(rill_exec_set_label, a->w.exec, NULL)
CALL(rill_replay_create, a->w.context, NULL, a->step, NULL, NULL, a->out)
CALL(rill_replay_clear, a->w.replay)
CALL(rill_replay_get_info, a->w.replay, a->replay_info)
CALL(rill_replay_set_label, a->w.replay, NULL)

/* ---- The list ----------------------------------------------------------- */

#define HANDLE(kind, field, name) { name, RILL_OBJECT_##kind, offsetof(struct arguments, field) }
#define POINTER(field, name) { name, ROLE_POINTER, offsetof(struct arguments, field) }
#define NODE(field, name) { name, ROLE_NODE, offsetof(struct arguments, field) }

const struct call calls[] = {
    { "rill_platform_backend", NULL, call_rill_platform_backend,
      { HANDLE(PLATFORM, w.platform, "platform"),
        POINTER(out, "name") },
      NULL, NULL },
    { "rill_platform_supports", "backend->supports", call_rill_platform_supports,
      { HANDLE(PLATFORM, w.platform, "platform") },
      NULL, NULL },
    { "rill_device_count", "backend->device->count", call_rill_device_count,
      { HANDLE(PLATFORM, w.platform, "platform"),
        POINTER(out, "count") },
      NULL, NULL },
    { "rill_device_get_info", "backend->device->info", call_rill_device_get_info,
      { HANDLE(PLATFORM, w.platform, "platform"),
        POINTER(device_info, "info") },
      NULL, NULL },
    { "rill_device_can_access_peer", "backend->device->can_access_peer",
      call_rill_device_can_access_peer,
      { HANDLE(PLATFORM, w.platform, "platform"),
        POINTER(out, "can") },
      NULL, NULL },
    { "rill_context_create", "backend->context->create", call_rill_context_create,
      { HANDLE(PLATFORM, w.platform, "platform"),
        POINTER(out, "context") },
      NULL, destroy_context },
    { "rill_context_synchronize", "backend->context->synchronize", call_rill_context_synchronize,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_context_device", NULL, call_rill_context_device,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(out, "device") },
      NULL, NULL },
    { "rill_context_platform", NULL, call_rill_context_platform,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(out, "platform") },
      NULL, NULL },
    { "rill_context_set_label", NULL, call_rill_context_set_label,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_context_priority_range", "backend->context->priority_range",
      call_rill_context_priority_range,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_context_enable_peer", "backend->context->enable_peer", call_rill_context_enable_peer,
      { HANDLE(CONTEXT, w.context, "context"),
        HANDLE(CONTEXT, peer.context, "peer") },
      NULL, NULL },
    { "rill_context_disable_peer", "backend->context->disable_peer", call_rill_context_disable_peer,
      { HANDLE(CONTEXT, w.context, "context"),
        HANDLE(CONTEXT, peer.context, "peer") },
      NULL, NULL },
    { "rill_mem_alloc", "backend->memory->acquire", call_rill_mem_alloc,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(out, "address") },
      NULL, free_memory },
    { "rill_mem_alloc_pitch", "backend->memory->acquire_pitch", call_rill_mem_alloc_pitch,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(out, "address"),
        POINTER(more_out, "pitch") },
      NULL, free_memory },
    { "rill_mem_free", "backend->memory->release", call_rill_mem_free,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_mem_range", "backend->memory->range", call_rill_mem_range,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_mem_info", "backend->memory->info", call_rill_mem_info,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_host_alloc", "backend->memory->host_alloc", call_rill_host_alloc,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(out, "pointer") },
      NULL, free_host },
    { "rill_host_free", "backend->memory->host_free", call_rill_host_free,
      { HANDLE(CONTEXT, w.context, "context") },
      allocate_host, NULL },
    { "rill_host_register", "backend->memory->host_register", call_rill_host_register,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_host_unregister", "backend->memory->host_unregister", call_rill_host_unregister,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_host_device_pointer", "backend->memory->host_device_pointer",
      call_rill_host_device_pointer,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(out, "address") },
      NULL, NULL },
    { "rill_host_flags", "backend->memory->host_flags", call_rill_host_flags,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(out, "flags") },
      NULL, NULL },
    { "rill_pointer_get_info", "backend->memory->pointer_info", call_rill_pointer_get_info,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(pointer_info, "info") },
      NULL, NULL },
    { "rill_pointer_set_sync_memops", "backend->memory->set_sync_memops",
      call_rill_pointer_set_sync_memops,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_memcpy", "backend->memory->run", call_rill_memcpy,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_memcpy_htod", "backend->memory->run", call_rill_memcpy_htod,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_memcpy_dtoh", "backend->memory->run", call_rill_memcpy_dtoh,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_memcpy_dtod", "backend->memory->run", call_rill_memcpy_dtod,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_memcpy_peer", "backend->memory->run", call_rill_memcpy_peer,
      { HANDLE(CONTEXT, w.context, "dst_context"),
        HANDLE(CONTEXT, peer.context, "src_context") },
      NULL, NULL },
    { "rill_memcpy_box", "backend->memory->run", call_rill_memcpy_box,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(copy, "copy") },
      NULL, NULL },
    { "rill_memset_d8", "backend->memory->run", call_rill_memset_d8,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_memset_d16", "backend->memory->run", call_rill_memset_d16,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_memset_d32", "backend->memory->run", call_rill_memset_d32,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_memset_box", "backend->memory->run", call_rill_memset_box,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(fill, "fill") },
      NULL, NULL },
    { "rill_memcpy_async", "backend->stream->submit", call_rill_memcpy_async,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_memcpy_htod_async", "backend->stream->submit", call_rill_memcpy_htod_async,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_memcpy_dtoh_async", "backend->stream->submit", call_rill_memcpy_dtoh_async,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_memcpy_dtod_async", "backend->stream->submit", call_rill_memcpy_dtod_async,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_memcpy_peer_async", "backend->stream->submit", call_rill_memcpy_peer_async,
      { HANDLE(STREAM, w.stream, "stream"),
        HANDLE(CONTEXT, w.context, "dst_context"),
        HANDLE(CONTEXT, peer.context, "src_context") },
      NULL, NULL },
    { "rill_memcpy_box_async", "backend->stream->submit", call_rill_memcpy_box_async,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(copy, "copy") },
      NULL, NULL },
    { "rill_memset_d8_async", "backend->stream->submit", call_rill_memset_d8_async,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_memset_d16_async", "backend->stream->submit", call_rill_memset_d16_async,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_memset_d32_async", "backend->stream->submit", call_rill_memset_d32_async,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_memset_box_async", "backend->stream->submit", call_rill_memset_box_async,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(fill, "fill") },
      NULL, NULL },
    { "rill_module_load", "backend->module->load", call_rill_module_load,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(image, "image"),
        POINTER(out, "module") },
      NULL, unload_module },
    { "rill_module_kernel", "backend->module->kernel", call_rill_module_kernel,
      { HANDLE(MODULE, w.module, "module"),
        POINTER(name, "name"),
        POINTER(out, "kernel") },
      NULL, NULL },
    { "rill_module_kernel_count", "backend->module->kernel_count", call_rill_module_kernel_count,
      { HANDLE(MODULE, w.module, "module"),
        POINTER(out, "count") },
      NULL, NULL },
    { "rill_kernel_param", "backend->module->param", call_rill_kernel_param,
      { HANDLE(KERNEL, w.kernel, "kernel"),
        POINTER(out, "offset") },
      NULL, NULL },
    { "rill_kernel_get_attribute", "backend->module->get_attribute", call_rill_kernel_get_attribute,
      { HANDLE(KERNEL, w.kernel, "kernel"),
        POINTER(out, "value") },
      NULL, NULL },
    { "rill_kernel_set_attribute", "backend->module->set_attribute", call_rill_kernel_set_attribute,
      { HANDLE(KERNEL, w.kernel, "kernel") },
      NULL, NULL },
    { "rill_stream_create", "backend->stream->create", call_rill_stream_create,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(out, "stream") },
      NULL, destroy_stream },
    { "rill_stream_legacy", "backend->stream->legacy", call_rill_stream_legacy,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_stream_per_thread", "backend->stream->per_thread", call_rill_stream_per_thread,
      { HANDLE(CONTEXT, w.context, "context") },
      NULL, NULL },
    { "rill_stream_query", "backend->stream->query", call_rill_stream_query,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_stream_synchronize", "backend->stream->synchronize", call_rill_stream_synchronize,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_stream_id", "backend->stream->id", call_rill_stream_id,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(out, "id") },
      NULL, NULL },
    { "rill_stream_flags", "backend->stream->flags", call_rill_stream_flags,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(out, "flags") },
      NULL, NULL },
    { "rill_stream_priority", "backend->stream->priority", call_rill_stream_priority,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(out, "priority") },
      NULL, NULL },
    { "rill_stream_device", NULL, call_rill_stream_device,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(out, "device") },
      NULL, NULL },
    { "rill_stream_context", NULL, call_rill_stream_context,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(out, "context") },
      NULL, NULL },
    { "rill_stream_set_label", NULL, call_rill_stream_set_label,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_stream_get_attribute", "backend->stream->get_attribute", call_rill_stream_get_attribute,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(attribute, "attribute") },
      NULL, NULL },
    { "rill_stream_set_attribute", "backend->stream->set_attribute", call_rill_stream_set_attribute,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(attribute, "attribute") },
      NULL, NULL },
    { "rill_stream_copy_attributes", "backend->stream->copy_attributes",
      call_rill_stream_copy_attributes,
      { HANDLE(STREAM, w.stream, "dst"),
        HANDLE(STREAM, peer.stream, "src") },
      NULL, NULL },
    { "rill_stream_wait_event", "backend->stream->submit", call_rill_stream_wait_event,
      { HANDLE(STREAM, w.stream, "stream"),
        HANDLE(EVENT, w.event, "event") },
      NULL, NULL },
    { "rill_stream_wait_stream", "backend->event->destroy", call_rill_stream_wait_stream,
      { HANDLE(STREAM, w.stream, "stream"),
        HANDLE(STREAM, peer.stream, "other") },
      NULL, NULL },
    { "rill_stream_fork", "backend->event->destroy", call_rill_stream_fork,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(streams, "others") },
      NULL, join_stream },
    { "rill_stream_join", "backend->event->destroy", call_rill_stream_join,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(streams, "others") },
      fork_stream, NULL },
    { "rill_stream_join_all", "backend->event->destroy", call_rill_stream_join_all,
      { HANDLE(STREAM, w.stream, "stream") },
      fork_stream, NULL },
    { "rill_stream_unjoined", "backend->stream->id", call_rill_stream_unjoined,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(out, "count") },
      NULL, NULL },
    { "rill_stream_submit", "backend->stream->submit", call_rill_stream_submit,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(op, "op") },
      NULL, NULL },
    { "rill_launch_kernel", "backend->stream->submit", call_rill_launch_kernel,
      { HANDLE(STREAM, w.stream, "stream"),
        HANDLE(KERNEL, w.kernel, "kernel") },
      NULL, NULL },
    { "rill_launch_host", "backend->stream->submit", call_rill_launch_host,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(fn, "fn") },
      NULL, NULL },
    { "rill_stream_add_callback", "backend->stream->add_callback", call_rill_stream_add_callback,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(callback, "callback") },
      NULL, NULL },
    { "rill_stream_write_value32", "backend->stream->submit", call_rill_stream_write_value32,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_stream_write_value64", "backend->stream->submit", call_rill_stream_write_value64,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_stream_wait_value32", "backend->stream->submit", call_rill_stream_wait_value32,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_stream_wait_value64", "backend->stream->submit", call_rill_stream_wait_value64,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_stream_batch_values", "backend->stream->submit", call_rill_stream_batch_values,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(items, "items") },
      NULL, NULL },
    { "rill_stream_attach", "backend->stream->attach", call_rill_stream_attach,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_event_create", "backend->event->create", call_rill_event_create,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(out, "event") },
      NULL, destroy_event },
    { "rill_event_record", "backend->stream->submit", call_rill_event_record,
      { HANDLE(EVENT, w.event, "event"),
        HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_event_query", "backend->event->query", call_rill_event_query,
      { HANDLE(EVENT, w.event, "event") },
      NULL, NULL },
    { "rill_event_synchronize", "backend->event->synchronize", call_rill_event_synchronize,
      { HANDLE(EVENT, w.event, "event") },
      NULL, NULL },
    { "rill_event_elapsed", "backend->event->elapsed", call_rill_event_elapsed,
      { HANDLE(EVENT, w.event, "start"),
        HANDLE(EVENT, peer.event, "end"),
        POINTER(out, "milliseconds") },
      record_events, NULL },
    { "rill_event_context", NULL, call_rill_event_context,
      { HANDLE(EVENT, w.event, "event"),
        POINTER(out, "context") },
      NULL, NULL },
    { "rill_event_set_label", NULL, call_rill_event_set_label,
      { HANDLE(EVENT, w.event, "event") },
      NULL, NULL },
    { "rill_pool_create", "backend->pool->create", call_rill_pool_create,
      { HANDLE(PLATFORM, w.platform, "platform"),
        POINTER(out, "pool") },
      NULL, destroy_pool },
    { "rill_device_default_pool", "backend->pool->default_pool", call_rill_device_default_pool,
      { HANDLE(PLATFORM, w.platform, "platform"),
        POINTER(out, "pool") },
      NULL, NULL },
    { "rill_device_pool", "backend->pool->current", call_rill_device_pool,
      { HANDLE(PLATFORM, w.platform, "platform"),
        POINTER(out, "pool") },
      NULL, NULL },
    { "rill_device_set_pool", "backend->pool->set_current", call_rill_device_set_pool,
      { HANDLE(PLATFORM, w.platform, "platform"),
        HANDLE(POOL, w.pool, "pool") },
      NULL, NULL },
    { "rill_pool_get_attribute", "backend->pool->get_attribute", call_rill_pool_get_attribute,
      { HANDLE(POOL, w.pool, "pool"),
        POINTER(out, "value") },
      NULL, NULL },
    { "rill_pool_set_attribute", "backend->pool->set_attribute", call_rill_pool_set_attribute,
      { HANDLE(POOL, w.pool, "pool") },
      NULL, NULL },
    { "rill_pool_trim", "backend->pool->trim", call_rill_pool_trim,
      { HANDLE(POOL, w.pool, "pool") },
      NULL, NULL },
    { "rill_pool_set_access", "backend->pool->set_access", call_rill_pool_set_access,
      { HANDLE(POOL, w.pool, "pool") },
      NULL, NULL },
    { "rill_pool_get_access", "backend->pool->get_access", call_rill_pool_get_access,
      { HANDLE(POOL, w.pool, "pool"),
        POINTER(out, "access") },
      NULL, NULL },
    { "rill_pool_set_label", NULL, call_rill_pool_set_label,
      { HANDLE(POOL, w.pool, "pool") },
      NULL, NULL },
    { "rill_mem_alloc_async", "backend->stream->submit", call_rill_mem_alloc_async,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(out, "address") },
      NULL, NULL },
    { "rill_mem_alloc_from_pool_async", "backend->stream->submit",
      call_rill_mem_alloc_from_pool_async,
      { HANDLE(STREAM, w.stream, "stream"),
        HANDLE(POOL, w.pool, "pool"),
        POINTER(out, "address") },
      NULL, NULL },
    { "rill_mem_free_async", "backend->stream->submit", call_rill_mem_free_async,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_graph_create", "backend->graph->create", call_rill_graph_create,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(out, "graph") },
      NULL, destroy_graph },
    { "rill_graph_set_label", NULL, call_rill_graph_set_label,
      { HANDLE(GRAPH, w.graph, "graph") },
      NULL, NULL },
    { "rill_graph_add_node", "backend->graph->add_node", call_rill_graph_add_node,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        POINTER(op, "op"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_node_with_edges", "backend->graph->add_node",
      call_rill_graph_add_node_with_edges,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        POINTER(op, "op"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_kernel", "backend->graph->add_node", call_rill_graph_add_kernel,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        HANDLE(KERNEL, w.kernel, "kernel"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_memcpy", "backend->graph->add_node", call_rill_graph_add_memcpy,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        POINTER(copy, "copy"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_memset", "backend->graph->add_node", call_rill_graph_add_memset,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        POINTER(fill, "fill"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_host", "backend->graph->add_node", call_rill_graph_add_host,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        POINTER(fn, "fn"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_child", "backend->graph->add_node", call_rill_graph_add_child,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        HANDLE(GRAPH, peer.graph, "child"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_empty", "backend->graph->add_node", call_rill_graph_add_empty,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_event_wait", "backend->graph->add_node", call_rill_graph_add_event_wait,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        HANDLE(EVENT, w.event, "event"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_event_record", "backend->graph->add_node", call_rill_graph_add_event_record,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        HANDLE(EVENT, w.event, "event"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_alloc", "backend->graph->add_node", call_rill_graph_add_alloc,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        POINTER(more_out, "address"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_free", "backend->graph->add_node", call_rill_graph_add_free,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_values", "backend->graph->add_node", call_rill_graph_add_values,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        POINTER(items, "items"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_add_conditional", "backend->graph->add_node", call_rill_graph_add_conditional,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "dependencies"),
        POINTER(more_out, "bodies"),
        POINTER(out, "node") },
      NULL, remove_node },
    { "rill_graph_remove_node", "backend->graph->remove_node", call_rill_graph_remove_node,
      { HANDLE(GRAPH, w.graph, "graph"),
        NODE(extra_node, "node") },
      add_node, NULL },
    { "rill_graph_add_edges", "backend->graph->add_edges", call_rill_graph_add_edges,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "from"),
        POINTER(more_nodes, "to") },
      NULL, NULL },
    { "rill_graph_remove_edges", "backend->graph->remove_edges", call_rill_graph_remove_edges,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(nodes, "from"),
        POINTER(more_nodes, "to") },
      NULL, NULL },
    { "rill_graph_nodes", "backend->graph->nodes", call_rill_graph_nodes,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(out, "count") },
      NULL, NULL },
    { "rill_graph_roots", "backend->graph->roots", call_rill_graph_roots,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(out, "count") },
      NULL, NULL },
    { "rill_graph_edges", "backend->graph->edges", call_rill_graph_edges,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(out, "count") },
      NULL, NULL },
    { "rill_node_dependencies", "backend->graph->dependencies", call_rill_node_dependencies,
      { HANDLE(GRAPH, w.graph, "graph"),
        NODE(w.node, "node"),
        POINTER(out, "count") },
      NULL, NULL },
    { "rill_node_dependents", "backend->graph->dependents", call_rill_node_dependents,
      { HANDLE(GRAPH, w.graph, "graph"),
        NODE(w.node, "node"),
        POINTER(out, "count") },
      NULL, NULL },
    { "rill_node_kind", "backend->graph->node_kind", call_rill_node_kind,
      { HANDLE(GRAPH, w.graph, "graph"),
        NODE(w.node, "node"),
        POINTER(out, "kind") },
      NULL, NULL },
    { "rill_node_get_op", "backend->graph->get_op", call_rill_node_get_op,
      { HANDLE(GRAPH, w.graph, "graph"),
        NODE(w.node, "node"),
        POINTER(out, "op") },
      NULL, NULL },
    { "rill_node_set_op", "backend->graph->set_op", call_rill_node_set_op,
      { HANDLE(GRAPH, w.graph, "graph"),
        NODE(w.node, "node"),
        POINTER(op, "op") },
      NULL, NULL },
    { "rill_node_get_attribute", "backend->graph->get_attribute", call_rill_node_get_attribute,
      { HANDLE(GRAPH, w.graph, "graph"),
        NODE(w.node, "node"),
        POINTER(attribute, "attribute") },
      NULL, NULL },
    { "rill_node_set_attribute", "backend->graph->set_attribute", call_rill_node_set_attribute,
      { HANDLE(GRAPH, w.graph, "graph"),
        NODE(w.node, "node"),
        POINTER(attribute, "attribute") },
      NULL, NULL },
    { "rill_node_copy_attributes", "backend->graph->copy_attributes",
      call_rill_node_copy_attributes,
      { HANDLE(GRAPH, w.graph, "graph"),
        NODE(w.node, "dst"),
        NODE(w.child_node, "src") },
      NULL, NULL },
    { "rill_node_set_label", "backend->graph->set_node_label", call_rill_node_set_label,
      { HANDLE(GRAPH, w.graph, "graph"),
        NODE(w.node, "node") },
      NULL, NULL },
    { "rill_node_child_graph", "backend->graph->child", call_rill_node_child_graph,
      { HANDLE(GRAPH, w.graph, "graph"),
        NODE(w.child_node, "node"),
        POINTER(out, "child") },
      NULL, NULL },
    { "rill_graph_clone", "backend->graph->clone", call_rill_graph_clone,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(out, "clone") },
      NULL, destroy_graph },
    { "rill_graph_find_in_clone", "backend->graph->find_in_clone", call_rill_graph_find_in_clone,
      { HANDLE(GRAPH, w.graph, "clone"),
        NODE(w.node, "original"),
        POINTER(out, "node") },
      NULL, NULL },
    { "rill_graph_write_dot", "backend->graph->write_dot", call_rill_graph_write_dot,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(write, "write") },
      NULL, NULL },
    { "rill_conditional_create", "backend->graph->conditional", call_rill_conditional_create,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(out, "handle") },
      NULL, NULL },
    { "rill_user_object_create", "backend->graph->user_object_create", call_rill_user_object_create,
      { HANDLE(PLATFORM, w.platform, "platform"),
        POINTER(destroy, "destroy"),
        POINTER(out, "object") },
      NULL, release_object },
    { "rill_user_object_retain", "backend->graph->user_object_retain", call_rill_user_object_retain,
      { HANDLE(USER_OBJECT, w.object, "object") },
      NULL, release_reference },
    { "rill_graph_retain_user_object", "backend->graph->retain", call_rill_graph_retain_user_object,
      { HANDLE(GRAPH, w.graph, "graph"),
        HANDLE(USER_OBJECT, w.object, "object") },
      NULL, release_from_graph },
    { "rill_graph_release_user_object", "backend->graph->release",
      call_rill_graph_release_user_object,
      { HANDLE(GRAPH, w.graph, "graph"),
        HANDLE(USER_OBJECT, w.object, "object") },
      retain_in_graph, NULL },
    { "rill_device_get_graph_memory", "backend->graph->get_memory",
      call_rill_device_get_graph_memory,
      { HANDLE(PLATFORM, w.platform, "platform"),
        POINTER(out, "value") },
      NULL, NULL },
    { "rill_device_set_graph_memory", "backend->graph->set_memory",
      call_rill_device_set_graph_memory,
      { HANDLE(PLATFORM, w.platform, "platform") },
      NULL, NULL },
    { "rill_device_trim_graph_memory", "backend->graph->trim_memory",
      call_rill_device_trim_graph_memory,
      { HANDLE(PLATFORM, w.platform, "platform") },
      NULL, NULL },
    { "rill_stream_begin_capture", "backend->capture->begin", call_rill_stream_begin_capture,
      { HANDLE(STREAM, w.stream, "stream") },
      NULL, end_capture },
    { "rill_stream_end_capture", "backend->capture->end", call_rill_stream_end_capture,
      { HANDLE(STREAM, w.stream, "stream") },
      begin_capture, destroy_graph },
    { "rill_stream_capture_info", "backend->capture->info", call_rill_stream_capture_info,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(capture_info, "info") },
      NULL, NULL },
    { "rill_stream_update_capture", "backend->capture->update", call_rill_stream_update_capture,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(nodes, "dependencies") },
      NULL, NULL },
    { "rill_thread_exchange_capture_mode", "backend->capture->exchange_mode",
      call_rill_thread_exchange_capture_mode,
      { HANDLE(PLATFORM, w.platform, "platform"),
        POINTER(out, "mode") },
      set_mode, NULL },
    { "rill_capture", "backend->capture->end", call_rill_capture,
      { HANDLE(STREAM, w.stream, "stream"),
        POINTER(step, "fn"),
        POINTER(out, "graph") },
      NULL, destroy_graph },
    { "rill_capture_relax", "backend->capture->exchange_mode", call_rill_capture_relax,
      { HANDLE(PLATFORM, w.platform, "platform") },
      NULL, restore_mode },
    { "rill_exec_create", "backend->exec->create", call_rill_exec_create,
      { HANDLE(GRAPH, w.graph, "graph"),
        POINTER(out, "exec") },
      NULL, destroy_exec },
    { "rill_exec_launch", "backend->exec->launch", call_rill_exec_launch,
      { HANDLE(EXEC, w.exec, "exec"),
        HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_exec_upload", "backend->exec->upload", call_rill_exec_upload,
      { HANDLE(EXEC, w.exec, "exec"),
        HANDLE(STREAM, w.stream, "stream") },
      NULL, NULL },
    { "rill_exec_flags", "backend->exec->flags", call_rill_exec_flags,
      { HANDLE(EXEC, w.exec, "exec"),
        POINTER(out, "flags") },
      NULL, NULL },
    { "rill_exec_bytes", "backend->exec->bytes", call_rill_exec_bytes,
      { HANDLE(EXEC, w.exec, "exec"),
        POINTER(out, "bytes") },
      NULL, NULL },
    { "rill_exec_set_op", "backend->exec->set_op", call_rill_exec_set_op,
      { HANDLE(EXEC, w.exec, "exec"),
        NODE(w.node, "node"),
        POINTER(op, "op") },
      NULL, NULL },
    { "rill_exec_set_enabled", "backend->exec->set_enabled", call_rill_exec_set_enabled,
      { HANDLE(EXEC, w.exec, "exec"),
        NODE(w.node, "node") },
      NULL, NULL },
    { "rill_exec_get_enabled", "backend->exec->get_enabled", call_rill_exec_get_enabled,
      { HANDLE(EXEC, w.exec, "exec"),
        NODE(w.node, "node"),
        POINTER(out, "enabled") },
      NULL, NULL },
    { "rill_exec_update", "backend->exec->update", call_rill_exec_update,
      { HANDLE(EXEC, w.exec, "exec"),
        HANDLE(GRAPH, peer.graph, "graph") },
      NULL, NULL },
    { "rill_exec_set_label", NULL, call_rill_exec_set_label,
      { HANDLE(EXEC, w.exec, "exec") },
      NULL, NULL },
    { "rill_replay_create", NULL, call_rill_replay_create,
      { HANDLE(CONTEXT, w.context, "context"),
        POINTER(step, "step"),
        POINTER(out, "replay") },
      NULL, destroy_replay },
    { "rill_replay_clear", NULL, call_rill_replay_clear,
      { HANDLE(REPLAY, w.replay, "replay") },
      NULL, NULL },
    { "rill_replay_get_info", NULL, call_rill_replay_get_info,
      { HANDLE(REPLAY, w.replay, "replay"),
        POINTER(replay_info, "info") },
      NULL, NULL },
    { "rill_replay_set_label", NULL, call_rill_replay_set_label,
      { HANDLE(REPLAY, w.replay, "replay") },
      NULL, NULL },
};
const size_t call_count = sizeof calls / sizeof *calls;
