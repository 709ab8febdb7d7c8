/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/held.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <rill/layer.h>

static const struct rill_layer layer;
static atomic_long held;

long held_objects(void)
{
    return atomic_load(&held);
}

static const struct rill_backend *beneath(const void *object)
{
    return rill_layer_beneath(&layer, object);
}

/* The layer's word of an object that is held leads to the count. */
static rill_status note_made(const void *object, rill_status status)
{
    void **word = rill_layer_word(&layer, object);
    if (status || *word) return status;
    *word = &held;
    atomic_fetch_add(&held, 1);
    return status;
}

static void note_end(const void *object)
{
    void **word = rill_layer_word(&layer, object);
    if (*word) atomic_fetch_sub(&held, 1);
    *word = NULL;
}

/* What a parent took, or a context, ends without a call. */
static void end_object(rill_object_kind kind, void *object, void *word)
{
    (void)kind, (void)object, (void)word;
    atomic_fetch_sub(&held, 1);
}

/* ---- Slots ------------------------------------------------------------------------------- */

static rill_status create_context(rill_context *context, const rill_context_options *options)
{
    return note_made(context, beneath(context)->context->create(context, options));
}

static rill_status destroy_context(rill_context *context)
{
    note_end(context);
    return beneath(context)->context->destroy(context);
}

static rill_status load_module(rill_module *module, const rill_image *image)
{
    return note_made(module, beneath(module)->module->load(module, image));
}

static rill_status unload_module(rill_module *module)
{
    note_end(module);
    return beneath(module)->module->unload(module);
}

static rill_status create_stream(rill_stream *stream, const rill_stream_options *options)
{
    return note_made(stream, beneath(stream)->stream->create(stream, options));
}

static rill_status destroy_stream(rill_stream *stream)
{
    note_end(stream);
    return beneath(stream)->stream->destroy(stream);
}

static rill_status create_event(rill_event *event, const rill_event_options *options)
{
    return note_made(event, beneath(event)->event->create(event, options));
}

static rill_status destroy_event(rill_event *event)
{
    note_end(event);
    return beneath(event)->event->destroy(event);
}

static rill_status create_pool(rill_pool *pool, const rill_pool_options *options)
{
    return note_made(pool, beneath(pool)->pool->create(pool, options));
}

static rill_status destroy_pool(rill_pool *pool)
{
    note_end(pool);
    return beneath(pool)->pool->destroy(pool);
}

static rill_status create_graph(rill_graph *graph, const rill_graph_options *options)
{
    return note_made(graph, beneath(graph)->graph->create(graph, options));
}

static rill_status clone_graph(rill_graph *graph, rill_graph *clone)
{
    return note_made(clone, beneath(graph)->graph->clone(graph, clone));
}

static rill_status end_capture(rill_stream *stream, rill_graph **graph)
{
    rill_status status = beneath(stream)->capture->end(stream, graph);
    return graph && *graph ? note_made(*graph, status) : status;
}

static rill_status destroy_graph(rill_graph *graph)
{
    note_end(graph);
    return beneath(graph)->graph->destroy(graph);
}

/* Ends with its last reference. */
static rill_status create_user_object(rill_user_object *object, void *data, rill_destroy_fn destroy,
                                      uint32_t count)
{
    const struct rill_graph_ops *beneath_graphs = beneath(object)->graph;
    return note_made(object, beneath_graphs->user_object_create(object, data, destroy, count));
}

static rill_status create_exec(rill_exec *exec, rill_graph *graph, rill_exec_options *options)
{
    return note_made(exec, beneath(exec)->exec->create(exec, graph, options));
}

static rill_status destroy_exec(rill_exec *exec)
{
    note_end(exec);
    return beneath(exec)->exec->destroy(exec);
}

/* ---- The layer --------------------------------------------------------------------------- */

static const struct rill_context_ops contexts = { .create = create_context,
                                                  .destroy = destroy_context };
static const struct rill_module_ops modules = { .load = load_module, .unload = unload_module };
static const struct rill_stream_ops streams = { .create = create_stream,
                                                .destroy = destroy_stream };
static const struct rill_event_ops events = { .create = create_event, .destroy = destroy_event };
static const struct rill_pool_ops pools = { .create = create_pool, .destroy = destroy_pool };
static const struct rill_capture_ops captures = { .end = end_capture };
static const struct rill_graph_ops graphs = { .create = create_graph, .clone = clone_graph,
                                              .destroy = destroy_graph,
                                              .user_object_create = create_user_object };
static const struct rill_exec_ops execs = { .create = create_exec, .destroy = destroy_exec };

static const struct rill_backend slots = {
    .context = &contexts, .module = &modules, .stream = &streams, .event = &events,
    .pool = &pools, .capture = &captures, .graph = &graphs, .exec = &execs,
};

static const struct rill_layer layer = {
    .abi = RILL_BACKEND_ABI, .size = sizeof layer, .name = "held", .slots = &slots,
    .gone = end_object,
};

const char *held_layers(void)
{
    static atomic_flag known = ATOMIC_FLAG_INIT;
    const char *asked = getenv("RILL_LAYERS");
    if (!asked || strcmp(asked, "fail") != 0) return NULL;
    if (!atomic_flag_test_and_set(&known) && rill_layer_register(&layer)) abort();
    return "held,fail";
}
