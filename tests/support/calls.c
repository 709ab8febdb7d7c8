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
    static rill_vmem_options vmem_options;
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
    vmem_options = (rill_vmem_options){ .size = sizeof vmem_options };
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
                             .replay_info = &replay_info, .vmem_options = &vmem_options,
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

#define CALL(name, slot, before, after, roles, ...)      \
    static rill_status call_##name(struct arguments *a)  \
    {                                                    \
        return name(__VA_ARGS__);                        \
    }
#define CALL_AS(name, slot, before, after, roles)
#include "support/call_list.h"
#undef CALL
#undef CALL_AS

/* ---- The list ----------------------------------------------------------- */

#define HANDLE(kind, field, name) { name, RILL_OBJECT_##kind, offsetof(struct arguments, field) }
#define POINTER(field, name) { name, ROLE_POINTER, offsetof(struct arguments, field) }
#define NODE(field, name) { name, ROLE_NODE, offsetof(struct arguments, field) }
#define ROLES(...) { __VA_ARGS__ }

#define CALL_AS(name, slot, before, after, roles) \
    { #name, slot, call_##name, roles, before, after },
#define CALL(name, slot, before, after, roles, ...) \
    { #name, slot, call_##name, roles, before, after },

const struct call calls[] = {
#include "support/call_list.h"
};
const size_t call_count = sizeof calls / sizeof *calls;
