/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole graphs.  Nodes and edges are in node.c.
 */
#include "core/graph/graph.h"

#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/options.h"

/* Returns NULL for a backend without graphs; a graph's own backend has them. */
static const struct rill_graph_ops *graph_ops(const void *object)
{
    return rl_backend(object)->graph;
}

/* ---- Lifetime ----------------------------------------------------------- */

/* Creates a graph on a platform, or in a context, which is for work that names none. */
static rill_status create_in(const char *operation, const void *parent,
                             const rill_graph_options *options, rill_graph **graph)
{
    rill_graph_options known;
    rill_graph *made = NULL;
    rill_status status = rl_need(parent, graph_ops(parent) != NULL, operation);
    if (!status) status = rl_required(graph, "graph");
    if (!status) status = rl_read_options(options, &known, sizeof known, "options->size");
    if (status) return status;
    made = rl_object_new(RILL_OBJECT_GRAPH, parent, known.label);
    status = made ? graph_ops(made)->create(made, &known) : RILL_ERROR_OUT_OF_MEMORY;
    if (!status)
        *graph = made;
    else if (made)
        rl_object_drop(made);
    return status;
}

rill_status rill_graph_create(rill_context *context, const rill_graph_options *options,
                              rill_graph **graph)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = create_in(__func__, context, options, graph);
    return rl_finish(__func__, context, status);
}

rill_status rill_graph_create_in(rill_platform *platform, const rill_graph_options *options,
                                 rill_graph **graph)
{
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = create_in(__func__, platform, options, graph);
    return rl_finish(__func__, platform, status);
}

rill_status rill_graph_destroy(rill_graph **graph)
{
    rill_graph *given = graph ? *graph : NULL;
    if (!given) return RILL_SUCCESS;
    rill_status status = RILL_SUCCESS;
    if (rl_usable(given, RILL_OBJECT_GRAPH) && graph_ops(given)->may_destroy)
        status = graph_ops(given)->may_destroy(given);
    if (!status) status = rl_object_end(given, RILL_OBJECT_GRAPH, "graph");
    if (status) return rl_finish(__func__, given, status);
    *graph = NULL;
    status = rl_finish(__func__, given, graph_ops(given)->destroy(given));
    rl_release(given);
    return status;
}

rill_status rl_graph_end(rill_graph *graph)
{
    rill_status status = rl_object_end(graph, RILL_OBJECT_GRAPH, "graph");
    if (status) return status;
    status = graph_ops(graph)->destroy(graph);
    rl_release(graph);
    return status;
}

/* ---- Copies of a graph -------------------------------------------------- */

rill_status rill_graph_clone(rill_graph *graph, rill_graph **clone)
{
    rill_graph *made = NULL;
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required(clone, "clone");
    if (!status) {
        made = rl_object_new_beside(graph, NULL);
        status = made ? graph_ops(graph)->clone(graph, made) : RILL_ERROR_OUT_OF_MEMORY;
    }
    if (!status)
        *clone = made;
    else if (made)
        rl_object_drop(made);
    return rl_finish(__func__, graph, status);
}

rill_status rill_graph_find_in_clone(rill_graph *clone, rill_node original, rill_node *node)
{
    rill_status status = rl_check(clone, RILL_OBJECT_GRAPH, "clone");
    if (!status) status = rl_required(original, "original");
    if (!status) status = rl_required(node, "node");
    if (!status) status = graph_ops(clone)->find_in_clone(clone, original, node);
    return rl_finish(__func__, clone, status);
}

/* ---- The rest ----------------------------------------------------------- */

rill_status rill_graph_write_dot(rill_graph *graph, uint32_t flags, rill_write_fn write, void *data)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required((const void *)(uintptr_t)write, "write");
    if (!status) status = rl_need(graph, graph_ops(graph)->write_dot != NULL, __func__);
    if (!status) status = graph_ops(graph)->write_dot(graph, flags, write, data);
    return rl_finish(__func__, graph, status);
}

rill_status rill_conditional_create(rill_graph *graph, uint32_t initial, uint32_t flags,
                                    rill_conditional *handle)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required(handle, "handle");
    if (!status) status = rl_need(graph, graph_ops(graph)->conditional != NULL, __func__);
    if (!status) status = graph_ops(graph)->conditional(graph, initial, flags, handle);
    return rl_finish(__func__, graph, status);
}

/* ---- Memory of graphs --------------------------------------------------- */

rill_status rill_device_get_graph_memory(rill_platform *platform, int device,
                                         rill_graph_memory_attribute attribute, uint64_t *value)
{
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = rl_required(value, "value");
    if (!status)
        status = rl_need(platform, graph_ops(platform) && graph_ops(platform)->get_memory,
                         __func__);
    if (!status) status = graph_ops(platform)->get_memory(platform, device, attribute, value);
    return rl_finish(__func__, platform, status);
}

rill_status rill_device_set_graph_memory(rill_platform *platform, int device,
                                         rill_graph_memory_attribute attribute, uint64_t value)
{
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status)
        status = rl_need(platform, graph_ops(platform) && graph_ops(platform)->set_memory,
                         __func__);
    if (!status) status = graph_ops(platform)->set_memory(platform, device, attribute, value);
    return rl_finish(__func__, platform, status);
}

rill_status rill_device_trim_graph_memory(rill_platform *platform, int device)
{
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status)
        status = rl_need(platform, graph_ops(platform) && graph_ops(platform)->trim_memory,
                         __func__);
    if (!status) status = graph_ops(platform)->trim_memory(platform, device);
    return rl_finish(__func__, platform, status);
}
