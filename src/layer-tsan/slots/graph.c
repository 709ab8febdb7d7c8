/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: functions in them, and what they keep.
 */
#include "base/tsan.h"
#include "base/words/op_kind.h"
#include "layer-tsan/slots/function.h"
#include "layer-tsan/slots/graph.h"

/* ---- Functions ---------------------------------------------------------------------------- */

rill_status ts_wrap_node(const void *object, const rill_op *given, rill_op *op)
{
    *op = *given;
    if (op->kind != RILL_OP_HOST || !op->host.fn) return RILL_SUCCESS;
    if (ts_function_wrap(ts_teller_of(object), op, NULL)) return RILL_SUCCESS;
    rl_op_give_back(given);
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                             "there is no memory to tell ThreadSanitizer of the function");
}

static rill_status add_function(rill_graph *graph, const rill_node *dependencies,
                                const rill_edge *edges, size_t count, rill_op *given,
                                rill_node *node)
{
    rill_op op;
    rill_status status = ts_wrap_node(graph, given, &op);
    if (status) return status;
    return ts_beneath(graph)->graph->add_node(graph, dependencies, edges, count, &op, node);
}

static rill_status tell_add_node(rill_graph *graph, const rill_node *dependencies,
                                 const rill_edge *edges, size_t count, rill_op *op,
                                 rill_node *node)
{
    const struct rill_graph_ops *graphs = ts_beneath(graph)->graph;
    if (op->kind != RILL_OP_HOST)
        return graphs->add_node(graph, dependencies, edges, count, op, node);
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    rill_status status = add_function(graph, dependencies, edges, count, op, node);
    ts_call_end(&call);
    return status;
}

static rill_status tell_get_op(rill_graph *graph, rill_node node, rill_op *op)
{
    rill_status status = ts_beneath(graph)->graph->get_op(graph, node, op);
    if (!status) ts_function_unwrap(op);
    return status;
}

static rill_status tell_set_op(rill_graph *graph, rill_node node, const rill_op *given)
{
    rill_op op;
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    rill_status status = ts_wrap_node(graph, given, &op);
    if (!status) status = ts_beneath(graph)->graph->set_op(graph, node, &op);
    ts_call_end(&call);
    return status;
}

/* ---- What ends ---------------------------------------------------------------------------- */

/* What is destroyed from now on may be so since the caller gave it up. */
static void let_go(const void *object)
{
    __tsan_release(&ts_teller_of(object)->order.all);
}

static rill_status tell_destroy(rill_graph *graph)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    let_go(graph);
    rill_status status = ts_beneath(graph)->graph->destroy(graph);
    ts_call_end(&call);
    return status;
}

static rill_status tell_remove_node(rill_graph *graph, rill_node node)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    rill_status status = ts_beneath(graph)->graph->remove_node(graph, node);
    ts_call_end(&call);
    return status;
}

/* ---- User objects ------------------------------------------------------------------------- */

static rill_status tell_user_object_create(rill_user_object *object, void *data,
                                           rill_destroy_fn destroy, uint32_t references)
{
    struct ts_teller *teller = ts_teller_of(object);
    const struct rill_graph_ops *graphs = ts_beneath(object)->graph;
    if (!destroy) return graphs->user_object_create(object, data, destroy, references);
    void *owned = ts_owned_wrap(teller, data, destroy);
    if (!owned)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "there is no memory to tell ThreadSanitizer of the object");
    let_go(object);
    rill_status status = graphs->user_object_create(object, owned, ts_owned_destroy, references);
    if (status) ts_owned_free(owned);
    return status;
}

static rill_status tell_user_object_release(rill_user_object *object, uint32_t count)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    let_go(object);
    rill_status status = ts_beneath(object)->graph->user_object_release(object, count);
    ts_call_end(&call);
    return status;
}

static rill_status tell_release(rill_graph *graph, rill_user_object *object, uint32_t count)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    let_go(object);
    rill_status status = ts_beneath(graph)->graph->release(graph, object, count);
    ts_call_end(&call);
    return status;
}

const struct rill_graph_ops ts_graph_slots = {
    .destroy = tell_destroy, .add_node = tell_add_node, .remove_node = tell_remove_node,
    .get_op = tell_get_op, .set_op = tell_set_op,
    .user_object_create = tell_user_object_create,
    .user_object_release = tell_user_object_release, .release = tell_release,
};
