/* SPDX-License-Identifier: Apache-2.0
 *
 * The layer `fail`: one call fails that could, with a status that a driver has for it, and before
 * anything is done.  A program that forgets to look, or gives back what it does not have, shows
 * it then.
 */
#include <rill/layer.h>

#include <stdbool.h>

#include "layer-fail/plan/plan.h"

extern const struct rill_layer rl_layer_fail;

static const struct rill_backend *beneath(const void *object)
{
    return rill_layer_beneath(&rl_layer_fail, object);
}

/* Counts a call that can fail so.  Returns the status if it is the one that does. */
static rill_status count_call(const char *name, rill_status status)
{
    if (!fa_plan_call(name)) return RILL_SUCCESS;
    return rill_backend_fail(status, NULL, "the layer `fail` has this call fail (RILL_FAIL)");
}

static rill_status open_platform(rill_platform *platform, const rill_open_options *options)
{
    rill_status status = fa_plan_read();
    if (status) return status;
    fa_plan_begin();
    return beneath(platform)->open(platform, options);
}

/* ---- Contexts and memory ----------------------------------------------------- */

static rill_status context_create(rill_context *context, const rill_context_options *options)
{
    rill_status status = count_call("context->create", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(context)->context->create(context, options);
}

static rill_status memory_acquire(rill_context *context, size_t bytes, rill_devptr *address)
{
    rill_status status = count_call("memory->acquire", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(context)->memory->acquire(context, bytes, address);
}

static rill_status memory_acquire_pitch(rill_context *context, size_t width, size_t height,
                                        uint32_t element_bytes, rill_devptr *address,
                                        size_t *pitch)
{
    rill_status status = count_call("memory->acquire_pitch", RILL_ERROR_OUT_OF_MEMORY);
    if (status) return status;
    return beneath(context)->memory->acquire_pitch(context, width, height, element_bytes,
                                                   address, pitch);
}

static rill_status memory_acquire_managed(rill_context *context, size_t bytes, uint32_t flags,
                                          rill_devptr *address)
{
    rill_status status = count_call("memory->acquire_managed", RILL_ERROR_OUT_OF_MEMORY);
    if (status) return status;
    return beneath(context)->memory->acquire_managed(context, bytes, flags, address);
}

static rill_status memory_host_alloc(rill_context *context, size_t bytes, uint32_t flags,
                                     void **pointer)
{
    rill_status status = count_call("memory->host_alloc", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(context)->memory->host_alloc(context, bytes, flags, pointer);
}

static rill_status memory_host_register(rill_context *context, void *pointer, size_t bytes,
                                        uint32_t flags)
{
    rill_status status = count_call("memory->host_register", RILL_ERROR_OUT_OF_MEMORY);
    if (status) return status;
    return beneath(context)->memory->host_register(context, pointer, bytes, flags);
}

/* ---- Modules ----------------------------------------------------------------- */

static rill_status module_load(rill_module *module, const rill_image *image)
{
    rill_status status = count_call("module->load", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(module)->module->load(module, image);
}

/* ---- Streams and events ------------------------------------------------------ */

static rill_status stream_create(rill_stream *stream, const rill_stream_options *options)
{
    rill_status status = count_call("stream->create", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(stream)->stream->create(stream, options);
}

/* Returns the status with which a driver refuses such an operation, or RILL_SUCCESS if it does
 * not. */
static rill_status refusal_of(rill_op_kind kind)
{
    switch (kind) {
    case RILL_OP_KERNEL: return RILL_ERROR_LAUNCH_OUT_OF_RESOURCES;
    case RILL_OP_MEMCPY:
    case RILL_OP_MEMSET:
    case RILL_OP_HOST:
    case RILL_OP_ALLOC: return RILL_ERROR_OUT_OF_MEMORY;
    default: return RILL_SUCCESS;
    }
}

/* Gives up what the operation holds, since a backend that refuses it must. */
static void give_up(const rill_op *op)
{
    if (op->kind == RILL_OP_HOST && op->host.destroy) op->host.destroy(op->host.data);
}

/* Fails the stream's device where the operation would have run, if the backend can. */
static void fault_after(rill_stream *stream, rill_op_kind kind)
{
    const struct rill_backend *backend = beneath(stream);
    bool runs = kind == RILL_OP_KERNEL || kind == RILL_OP_MEMCPY;
    if (!runs || !backend->watch || !backend->watch->fault || !fa_plan_fault("stream->submit"))
        return;
    backend->watch->fault(stream, RILL_ERROR_LAUNCH_FAILED,
                          "the layer `fail` has this operation fail its device (RILL_FAIL)");
}

static rill_status stream_submit(rill_stream *stream, rill_op *op)
{
    rill_op_kind kind = op->kind;
    rill_status status = refusal_of(kind);
    if (status) status = count_call("stream->submit", status);
    if (status) {
        give_up(op);
        return status;
    }
    status = beneath(stream)->stream->submit(stream, op);
    if (!status) fault_after(stream, kind);
    return status;
}

static rill_status stream_copy_row(rill_stream *stream, rill_memory_kind dst_kind, rill_devptr dst,
                                   rill_memory_kind src_kind, rill_devptr src, size_t bytes)
{
    rill_status status = count_call("stream->copy_row", RILL_ERROR_OUT_OF_MEMORY);
    if (status) return status;
    return beneath(stream)->stream->copy_row(stream, dst_kind, dst, src_kind, src, bytes);
}

static rill_status stream_fill_row(rill_stream *stream, rill_devptr dst, uint32_t value,
                                   uint32_t element_bytes, size_t count)
{
    rill_status status = count_call("stream->fill_row", RILL_ERROR_OUT_OF_MEMORY);
    if (status) return status;
    return beneath(stream)->stream->fill_row(stream, dst, value, element_bytes, count);
}

static rill_status stream_add_callback(rill_stream *stream, rill_stream_callback callback,
                                       void *data, uint32_t flags)
{
    rill_status status = count_call("stream->add_callback", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(stream)->stream->add_callback(stream, callback, data, flags);
}

static rill_status event_create(rill_event *event, const rill_event_options *options)
{
    rill_status status = count_call("event->create", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(event)->event->create(event, options);
}

static rill_status pool_create(rill_pool *pool, const rill_pool_options *options)
{
    rill_status status = count_call("pool->create", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(pool)->pool->create(pool, options);
}

/* ---- Graphs and execs -------------------------------------------------------- */

static rill_status graph_create(rill_graph *graph, const rill_graph_options *options)
{
    rill_status status = count_call("graph->create", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(graph)->graph->create(graph, options);
}

static rill_status graph_add_node(rill_graph *graph, const rill_node *dependencies,
                                  const rill_edge *edges, size_t count, rill_op *op,
                                  rill_node *node)
{
    rill_status status = count_call("graph->add_node", RILL_ERROR_OUT_OF_MEMORY);
    if (status) {
        give_up(op);
        return status;
    }
    return beneath(graph)->graph->add_node(graph, dependencies, edges, count, op, node);
}

static rill_status graph_add_edges(rill_graph *graph, const rill_node *from, const rill_node *to,
                                   const rill_edge *edges, size_t count)
{
    rill_status status = count_call("graph->add_edges", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(graph)->graph->add_edges(graph, from, to, edges, count);
}

static rill_status graph_clone(rill_graph *graph, rill_graph *clone)
{
    rill_status status = count_call("graph->clone", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(graph)->graph->clone(graph, clone);
}

static rill_status graph_conditional(rill_graph *graph, uint32_t initial, uint32_t flags,
                                     rill_conditional *handle)
{
    rill_status status = count_call("graph->conditional", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(graph)->graph->conditional(graph, initial, flags, handle);
}

static rill_status graph_user_object_create(rill_user_object *object, void *data,
                                            rill_destroy_fn destroy, uint32_t references)
{
    rill_status status = count_call("graph->user_object_create", RILL_ERROR_OUT_OF_MEMORY);
    if (status) return status;
    return beneath(object)->graph->user_object_create(object, data, destroy, references);
}

static rill_status exec_create(rill_exec *exec, rill_graph *graph, rill_exec_options *options)
{
    rill_status status = count_call("exec->create", RILL_ERROR_OUT_OF_MEMORY);
    if (!status) return beneath(exec)->exec->create(exec, graph, options);
    options->result = RILL_EXEC_ERROR;
    return status;
}

static rill_status exec_launch(rill_exec *exec, rill_stream *stream)
{
    rill_status status = count_call("exec->launch", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(exec)->exec->launch(exec, stream);
}

static rill_status exec_upload(rill_exec *exec, rill_stream *stream)
{
    rill_status status = count_call("exec->upload", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(exec)->exec->upload(exec, stream);
}

static rill_status exec_update(rill_exec *exec, rill_graph *graph, rill_update_result *result)
{
    rill_status status = count_call("exec->update", RILL_ERROR_OUT_OF_MEMORY);
    return status ? status : beneath(exec)->exec->update(exec, graph, result);
}

/* ---- The layer ------------------------------------------------------------------ */

static const struct rill_context_ops context_slots = {
    .create = context_create,
};

static const struct rill_memory_ops memory_slots = {
    .acquire = memory_acquire, .acquire_pitch = memory_acquire_pitch, .acquire_managed =
    memory_acquire_managed, .host_alloc = memory_host_alloc, .host_register = memory_host_register,
};

static const struct rill_module_ops module_slots = {
    .load = module_load,
};

static const struct rill_stream_ops stream_slots = {
    .create = stream_create, .submit = stream_submit, .copy_row = stream_copy_row, .fill_row =
    stream_fill_row, .add_callback = stream_add_callback,
};

static const struct rill_event_ops event_slots = {
    .create = event_create,
};

static const struct rill_pool_ops pool_slots = {
    .create = pool_create,
};

static const struct rill_graph_ops graph_slots = {
    .create = graph_create, .add_node = graph_add_node, .add_edges = graph_add_edges, .clone =
    graph_clone, .conditional = graph_conditional, .user_object_create =
    graph_user_object_create,
};

static const struct rill_exec_ops exec_slots = {
    .create = exec_create, .launch = exec_launch, .upload = exec_upload, .update = exec_update,
};

static const struct rill_backend slots = {
    .open = open_platform, .context = &context_slots, .memory = &memory_slots, .module =
    &module_slots, .stream = &stream_slots, .event = &event_slots, .pool = &pool_slots, .graph
    = &graph_slots, .exec = &exec_slots,
};

const struct rill_layer rl_layer_fail = {
    .abi = RILL_BACKEND_ABI, .size = sizeof(struct rill_layer), .name = "fail", .slots = &slots,
};
