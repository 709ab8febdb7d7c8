/* SPDX-License-Identifier: Apache-2.0
 *
 * A short form for each kind of node.
 */
#include "core/graph/graph.h"
#include "core/op/submit.h"

rill_status rill_graph_add_kernel(rill_graph *graph, const rill_node *dependencies,
                                  size_t dependency_count, rill_kernel *kernel, rill_dim3 grid,
                                  rill_dim3 block, size_t shared_bytes, const void *const *params,
                                  rill_node *node)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_check_with(kernel, RILL_OBJECT_KERNEL, "kernel", graph);
    if (status) return rl_finish(__func__, graph, status);
    rill_op op = { .kind = RILL_OP_KERNEL };
    op.kernel = (rill_kernel_op){ .kernel = kernel,
                                  .grid = grid,
                                  .block = block,
                                  .shared_bytes = shared_bytes,
                                  .params = params };
    return rl_add_node(__func__, graph, dependencies, NULL, dependency_count, &op, node);
}

rill_status rill_graph_add_memcpy(rill_graph *graph, const rill_node *dependencies,
                                  size_t dependency_count, const rill_copy *copy, rill_node *node)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_check_copy(copy, graph);
    if (status) return rl_finish(__func__, graph, status);
    rill_op op = { .kind = RILL_OP_MEMCPY };
    op.memcpy = *copy;
    return rl_add_node(__func__, graph, dependencies, NULL, dependency_count, &op, node);
}

rill_status rill_graph_add_memset(rill_graph *graph, const rill_node *dependencies,
                                  size_t dependency_count, const rill_fill *fill, rill_node *node)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required(fill, "fill");
    if (status) return rl_finish(__func__, graph, status);
    rill_op op = { .kind = RILL_OP_MEMSET };
    op.memset = *fill;
    return rl_add_node(__func__, graph, dependencies, NULL, dependency_count, &op, node);
}

rill_status rill_graph_add_host(rill_graph *graph, const rill_node *dependencies,
                                size_t dependency_count, rill_host_fn fn, void *data,
                                rill_destroy_fn destroy, rill_node *node)
{
    rill_op op = { .kind = RILL_OP_HOST };
    op.host = (rill_host_op){ fn, data, destroy };
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required((const void *)(uintptr_t)fn, "fn");
    if (!status)
        return rl_add_node(__func__, graph, dependencies, NULL, dependency_count, &op, node);
    status = rl_finish(__func__, graph, status);
    rl_op_give_back(&op);
    return status;
}

rill_status rill_graph_add_child(rill_graph *graph, const rill_node *dependencies,
                                 size_t dependency_count, rill_graph *child, uint32_t flags,
                                 rill_node *node)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_check_with(child, RILL_OBJECT_GRAPH, "child", graph);
    if (status) return rl_finish(__func__, graph, status);
    rill_op op = { .kind = RILL_OP_GRAPH };
    op.graph = (rill_graph_op){ child, flags };
    return rl_add_node(__func__, graph, dependencies, NULL, dependency_count, &op, node);
}

rill_status rill_graph_add_empty(rill_graph *graph, const rill_node *dependencies,
                                 size_t dependency_count, rill_node *node)
{
    rill_op op = { .kind = RILL_OP_EMPTY };
    return rl_add_node(__func__, graph, dependencies, NULL, dependency_count, &op, node);
}

rill_status rill_graph_add_event_wait(rill_graph *graph, const rill_node *dependencies,
                                      size_t dependency_count, rill_event *event, rill_node *node)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_check_with(event, RILL_OBJECT_EVENT, "event", graph);
    if (status) return rl_finish(__func__, graph, status);
    rill_op op = { .kind = RILL_OP_EVENT_WAIT };
    op.event = (rill_event_op){ event, 0 };
    return rl_add_node(__func__, graph, dependencies, NULL, dependency_count, &op, node);
}

rill_status rill_graph_add_event_record(rill_graph *graph, const rill_node *dependencies,
                                        size_t dependency_count, rill_event *event, rill_node *node)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_check_with(event, RILL_OBJECT_EVENT, "event", graph);
    if (status) return rl_finish(__func__, graph, status);
    rill_op op = { .kind = RILL_OP_EVENT_RECORD };
    op.event = (rill_event_op){ event, 0 };
    return rl_add_node(__func__, graph, dependencies, NULL, dependency_count, &op, node);
}

rill_status rill_graph_add_alloc(rill_graph *graph, const rill_node *dependencies,
                                 size_t dependency_count, size_t bytes, rill_devptr *address,
                                 rill_node *node)
{
    rill_op op = { .kind = RILL_OP_ALLOC };
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required(address, "address");
    if (!status) status = rl_check_work(graph, "name the device with rill_graph_add_node()");
    if (status) return rl_finish(__func__, graph, status);
    const rill_context *context = rill_object_of(graph)->context;
    op.alloc = (rill_alloc_op){ .bytes = bytes, .device = rl_context_part(context)->device };
    status = rl_add_node(__func__, graph, dependencies, NULL, dependency_count, &op, node);
    if (!status) *address = op.alloc.address;
    return status;
}

rill_status rill_graph_add_free(rill_graph *graph, const rill_node *dependencies,
                                size_t dependency_count, rill_devptr address, rill_node *node)
{
    rill_op op = { .kind = RILL_OP_FREE };
    op.free = (rill_free_op){ address };
    return rl_add_node(__func__, graph, dependencies, NULL, dependency_count, &op, node);
}

rill_status rill_graph_add_values(rill_graph *graph, const rill_node *dependencies,
                                  size_t dependency_count, const rill_value *items, size_t count,
                                  uint32_t flags, rill_node *node)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required_array(items, count, "items", "count");
    if (status) return rl_finish(__func__, graph, status);
    rill_op op = { .kind = RILL_OP_VALUES };
    op.values = (rill_values_op){ items, count, flags };
    return rl_add_node(__func__, graph, dependencies, NULL, dependency_count, &op, node);
}

rill_status rill_graph_add_conditional(rill_graph *graph, const rill_node *dependencies,
                                       size_t dependency_count, rill_conditional handle,
                                       rill_conditional_kind kind, uint32_t body_count,
                                       rill_graph **bodies, rill_node *node)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required_array(bodies, body_count, "bodies", "body_count");
    if (status) return rl_finish(__func__, graph, status);
    rill_op op = { .kind = RILL_OP_CONDITIONAL };
    op.conditional = (rill_conditional_op){ handle, kind, body_count, bodies };
    return rl_add_node(__func__, graph, dependencies, NULL, dependency_count, &op, node);
}
