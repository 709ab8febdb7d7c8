/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/own_calls.h"

#include <rill/rill.h>
#include <rill/sim.h>

rill_status preparation;

/* What a preparation leaves for its call. */
static struct {
    rill_devptr address, place;
    rill_vmem_handle handle;
    rill_context *second;
    rill_event *event;
    rill_module *module;
    rill_graph *graph;
    rill_exec *exec;
    rill_node nodes[2];
    rill_conditional conditional;
    int file;
} prepared;

AS(rill_context_destroy, &a->w.context)
AS(rill_stream_destroy, &a->w.stream)
AS(rill_event_destroy, &a->w.event)
AS(rill_module_unload, &a->w.module)
AS(rill_pool_destroy, &a->w.pool)
AS(rill_graph_destroy, &a->w.graph)
AS(rill_exec_destroy, &a->w.exec)
AS(rill_replay_destroy, &a->w.replay)
AS(rill_user_object_release, &a->w.object, 1)
AS(rill_close, &a->w.platform)
AS(rill_replay_step, a->w.replay, a->w.stream)

static void pin(struct arguments *a)
{
    PREPARE(rill_host_alloc(a->w.context, 64, 0, &a->host));
}
AS(rill_host_device_pointer, a->w.context, a->host, a->out)
AS(rill_host_flags, a->w.context, a->host, a->out)

static char ordinary[8192];

static void enregister(struct arguments *a)
{
    PREPARE(rill_host_register(a->w.context, ordinary, sizeof ordinary, 0));
}
AS(rill_host_unregister, a->w.context, ordinary)

static void allocate_managed(struct arguments *a)
{
    PREPARE(rill_mem_alloc_managed(a->w.context, 64, RILL_ATTACH_GLOBAL, &prepared.address));
}
AS(rill_stream_attach, a->w.stream, prepared.address, 0, RILL_ATTACH_GLOBAL)

AS(rill_pool_set_access, a->w.pool, 1, RILL_ACCESS_READ_WRITE)

static void load_variable(struct arguments *a)
{
    const rill_image image = { .size = sizeof image,
                               .code = ".version 6.4\n.target sm_75\n.address_size 64\n"
                                       ".visible .global .align 4 .u32 number;\n" };
    PREPARE(rill_module_load(a->w.context, &image, &prepared.module));
}
AS(rill_module_variable, prepared.module, "number", a->out, a->more_out)

static void open_second(struct arguments *a)
{
    const rill_context_options options = { .size = sizeof options,
                                           .device = 1,
                                           .flags = RILL_CONTEXT_OWN };
    PREPARE(rill_context_create(a->w.platform, &options, &prepared.second));
}
static void open_peer(struct arguments *a)
{
    open_second(a);
    PREPARE(rill_context_enable_peer(a->w.context, prepared.second));
}
AS(rill_context_enable_peer, a->w.context, prepared.second)
AS(rill_context_disable_peer, a->w.context, prepared.second)

static void record_two(struct arguments *a)
{
    const rill_event_options timing = { .size = sizeof timing, .flags = RILL_EVENT_TIMING };
    PREPARE(rill_event_create(a->w.context, &timing, &prepared.event));
    PREPARE(rill_event_record(a->w.event, a->w.stream, 0));
    PREPARE(rill_event_record(prepared.event, a->w.stream, 0));
    PREPARE(rill_stream_synchronize(a->w.stream));
}
AS(rill_event_elapsed, prepared.event, prepared.event, a->out)

static void allocate_in_order(struct arguments *a)
{
    PREPARE(rill_mem_alloc_async(a->w.stream, 64, &prepared.address));
    PREPARE(rill_stream_synchronize(a->w.stream));
}
AS(rill_mem_free_async, a->w.stream, prepared.address)

static rill_status as_rill_stream_join(struct arguments *a)
{
    rill_status status = rill_stream_fork(a->w.stream, a->streams, 1);
    return status ? status : rill_stream_join(a->w.stream, a->streams, 1);
}

static rill_status as_rill_stream_join_all(struct arguments *a)
{
    rill_status status = rill_stream_fork(a->w.stream, a->streams, 1);
    return status ? status : rill_stream_join_all(a->w.stream);
}

/* On a stream that is part of the capture, if there is one. */
static rill_status as_rill_stream_wait_stream(struct arguments *a)
{
    rill_status status = rill_stream_fork(a->w.stream, a->streams, 1);
    if (!status) status = rill_stream_wait_stream(a->w.stream, a->streams[0]);
    return status ? status : rill_stream_join_all(a->w.stream);
}

/* In a capture: that one, or else one of their own. */
static rill_status as_rill_stream_end_capture(struct arguments *a)
{
    (void)rill_stream_begin_capture(a->w.stream, NULL);
    return rill_stream_end_capture(a->w.stream, a->out);
}

static rill_status as_rill_stream_update_capture(struct arguments *a)
{
    rill_graph *graph = NULL;
    rill_status begun = rill_stream_begin_capture(a->w.stream, NULL);
    rill_status status =
        rill_stream_update_capture(a->w.stream, NULL, NULL, 0, RILL_CAPTURE_SET);
    if (!begun) (void)rill_stream_end_capture(a->w.stream, &graph);
    return status;
}

static rill_status as_rill_stream_begin_capture(struct arguments *a)
{
    rill_graph *graph = NULL;
    rill_status status = rill_stream_begin_capture(a->w.stream, NULL);
    if (!status) (void)rill_stream_end_capture(a->w.stream, &graph);
    return status;
}

/* ---- Virtual memory */

enum { MAPPED = 2 << 20 };

static void make_memory(struct arguments *a)
{
    const rill_vmem_options options = { .size = sizeof options, .shareable = 1 };
    PREPARE(rill_vmem_create(a->w.platform, MAPPED, &options, &prepared.handle));
    PREPARE(rill_vmem_reserve(a->w.platform, MAPPED, 0, 0, &prepared.place));
}
static void export_memory(struct arguments *a)
{
    make_memory(a);
    PREPARE(rill_vmem_export(a->w.platform, prepared.handle, &prepared.file));
}
static void map_memory(struct arguments *a)
{
    make_memory(a);
    PREPARE(rill_vmem_map(a->w.platform, prepared.place, MAPPED, prepared.handle));
}
AS(rill_vmem_release, a->w.platform, prepared.handle)
AS(rill_vmem_retain, a->w.platform, prepared.place, a->out)
AS(rill_vmem_get_options, a->w.platform, prepared.handle, a->vmem_options)
AS(rill_vmem_export, a->w.platform, prepared.handle, a->out)
AS(rill_vmem_import, a->w.platform, prepared.file, a->out)
AS(rill_vmem_unreserve, a->w.platform, prepared.place, MAPPED)
AS(rill_vmem_map, a->w.platform, prepared.place, MAPPED, prepared.handle)
AS(rill_vmem_unmap, a->w.platform, prepared.place, MAPPED)
AS(rill_vmem_set_access, a->w.platform, prepared.place, MAPPED, 0, RILL_ACCESS_READ_WRITE)
AS(rill_vmem_get_access, a->w.platform, prepared.place, 0, a->out)

/* ---- Graphs */

static void add_alloc(struct arguments *a)
{
    PREPARE(rill_graph_add_alloc(a->w.graph, NULL, 0, 64, &prepared.address, &prepared.nodes[0]));
}
AS(rill_graph_add_free, a->w.graph, prepared.nodes, 1, prepared.address, a->out)

static void make_conditional(struct arguments *a)
{
    PREPARE(rill_conditional_create(a->w.graph, 1, 0, &prepared.conditional));
}
AS(rill_graph_add_conditional, a->w.graph, a->nodes, 1, prepared.conditional,
   RILL_CONDITIONAL_IF, 1, a->more_out, a->out)

static void join_nodes(struct arguments *a)
{
    PREPARE(rill_graph_add_edges(a->w.graph, a->nodes, a->more_nodes, NULL, 1));
}
AS(rill_graph_remove_edges, a->w.graph, a->nodes, a->more_nodes, NULL, 1)

static void add_kernels(struct arguments *a)
{
    static int number;
    static int *const address = &number;
    static const void *const params[] = { &address };
    const rill_dim3 one = { 1, 1, 1 };
    for (int i = 0; i < 2; i++)
        PREPARE(rill_graph_add_kernel(a->w.graph, NULL, 0, a->w.kernel, one, one, 0, params,
                                      &prepared.nodes[i]));
}
AS(rill_node_get_attribute, a->w.graph, prepared.nodes[0], a->attribute)
AS(rill_node_set_attribute, a->w.graph, prepared.nodes[0], a->attribute)
AS(rill_node_copy_attributes, a->w.graph, prepared.nodes[0], prepared.nodes[1])

/* What an exec can have changed, which an empty node is not. */
static void instantiate_kernels(struct arguments *a)
{
    add_kernels(a);
    PREPARE(rill_exec_create(a->w.graph, NULL, &prepared.exec));
}
static rill_status as_rill_exec_set_op(struct arguments *a)
{
    rill_op op;
    rill_status status = rill_node_get_op(a->w.graph, prepared.nodes[0], &op);
    return status ? status : rill_exec_set_op(prepared.exec, prepared.nodes[0], &op);
}
AS(rill_exec_set_enabled, prepared.exec, prepared.nodes[0], 0)
AS(rill_exec_get_enabled, prepared.exec, prepared.nodes[0], a->out)

static void clone_graph(struct arguments *a)
{
    PREPARE(rill_graph_clone(a->w.graph, &prepared.graph));
}
AS(rill_graph_find_in_clone, prepared.graph, a->w.node, a->out)

/* ---- The simulator's own */

static void make_sim_conditional(struct arguments *a)
{
    PREPARE(rill_sim_conditional_create(a->w.graph, a->w.context, 0, 0, &prepared.conditional));
}
AS(rill_sim_conditional_create, a->w.graph, a->w.context, 0, 0, a->out)
AS(rill_sim_conditional_find, a->w.graph, a->w.context, 1, a->out)
AS(rill_sim_clock, a->w.platform, a->out)
AS(rill_sim_observe, a->w.platform, NULL)
AS(rill_sim_permits, a->w.platform, a->w.context, RILL_SIM_CALL_PLAIN)
AS(rill_sim_node_graph, a->w.platform, a->w.node, a->out)
AS(rill_sim_share, a->w.context, a->w.address, a->out)
AS(rill_sim_lacking_kernel, a->w.module, 0, a->out, a->more_out)

static rill_status as_rill_sim_get_counters(struct arguments *a)
{
    rill_sim_counters counters = { .size = sizeof counters };
    return rill_sim_get_counters(a->w.platform, &counters);
}

/* ---- Platforms */

/* Not of a GPU, if there is one: its driver begins for so long that the schedule lets go. */
static rill_status as_rill_open(struct arguments *a)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim" };
    rill_platform *another = NULL;
    rill_status status = rill_open(&options, &another);
    (void)a;
    (void)rill_close(&another);
    return status;
}
AS(rill_context_status, a->w.context)

static rill_status as_rill_capture_restore(struct arguments *a)
{
    rill_capture_guard guard = rill_capture_relax(a->w.platform);
    return rill_capture_restore(&guard);
}

static const struct call list[] = {
    OWN_CALL(rill_context_destroy, NULL),
    OWN_CALL(rill_stream_destroy, NULL),
    OWN_CALL(rill_event_destroy, NULL),
    OWN_CALL(rill_module_unload, NULL),
    OWN_CALL(rill_pool_destroy, NULL),
    OWN_CALL(rill_graph_destroy, NULL),
    OWN_CALL(rill_exec_destroy, NULL),
    OWN_CALL(rill_replay_destroy, NULL),
    OWN_CALL(rill_user_object_release, NULL),
    OWN_CALL(rill_close, NULL),
    OWN_CALL(rill_replay_step, NULL),
    OWN_CALL(rill_host_device_pointer, pin),
    OWN_CALL(rill_host_flags, pin),
    OWN_CALL(rill_host_unregister, enregister),
    OWN_CALL(rill_stream_attach, allocate_managed),
    OWN_CALL(rill_pool_set_access, NULL),
    OWN_CALL(rill_module_variable, load_variable),
    OWN_CALL(rill_context_enable_peer, open_second),
    OWN_CALL(rill_context_disable_peer, open_peer),
    OWN_CALL(rill_event_elapsed, record_two),
    OWN_CALL(rill_mem_free_async, allocate_in_order),
    OWN_CALL(rill_stream_join, NULL),
    OWN_CALL(rill_stream_join_all, NULL),
    OWN_CALL(rill_stream_wait_stream, NULL),
    OWN_CALL(rill_stream_begin_capture, NULL),
    OWN_CALL(rill_stream_end_capture, NULL),
    OWN_CALL(rill_stream_update_capture, NULL),
    OWN_CALL(rill_vmem_release, make_memory),
    OWN_CALL(rill_vmem_retain, map_memory),
    OWN_CALL(rill_vmem_get_options, make_memory),
    OWN_CALL(rill_vmem_export, make_memory),
    OWN_CALL(rill_vmem_import, export_memory),
    OWN_CALL(rill_vmem_unreserve, make_memory),
    OWN_CALL(rill_vmem_map, make_memory),
    OWN_CALL(rill_vmem_unmap, map_memory),
    OWN_CALL(rill_vmem_set_access, map_memory),
    OWN_CALL(rill_vmem_get_access, map_memory),
    OWN_CALL(rill_graph_add_free, add_alloc),
    OWN_CALL(rill_graph_add_conditional, make_conditional),
    OWN_CALL(rill_graph_remove_edges, join_nodes),
    OWN_CALL(rill_node_get_attribute, add_kernels),
    OWN_CALL(rill_node_set_attribute, add_kernels),
    OWN_CALL(rill_node_copy_attributes, add_kernels),
    OWN_CALL(rill_sim_conditional_create, NULL),
    OWN_CALL(rill_sim_conditional_find, make_sim_conditional),
    OWN_CALL(rill_sim_clock, NULL),
    OWN_CALL(rill_sim_observe, NULL),
    OWN_CALL(rill_sim_permits, NULL),
    OWN_CALL(rill_sim_node_graph, NULL),
    OWN_CALL(rill_sim_share, NULL),
    OWN_CALL(rill_sim_lacking_kernel, NULL),
    OWN_CALL(rill_sim_get_counters, NULL),
    OWN_CALL(rill_open, NULL),
    OWN_CALL(rill_context_status, NULL),
    OWN_CALL(rill_capture_restore, NULL),
    OWN_CALL(rill_graph_find_in_clone, clone_graph),
    OWN_CALL(rill_exec_set_op, instantiate_kernels),
    OWN_CALL(rill_exec_set_enabled, instantiate_kernels),
    OWN_CALL(rill_exec_get_enabled, instantiate_kernels),
};
const struct call_set own_calls = { CALL_SET(list), .backend = "sim" };
