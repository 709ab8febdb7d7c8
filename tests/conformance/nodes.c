/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/nodes.h"

rill_node add(rill_graph *graph, rill_node after, rill_op op)
{
    rill_node node = NULL;
    ok(rill_graph_add_node(graph, &after, after != NULL, &op, &node));
    assert_non_null(node);
    return node;
}

rill_node add_alloc(rill_graph *graph, rill_node after, size_t bytes, rill_devptr *address)
{
    rill_node node = NULL;
    rill_op op = alloc_op(bytes);
    ok(rill_graph_add_node(graph, &after, after != NULL, &op, &node));
    *address = op.alloc.address;
    return node;
}

void link_nodes(rill_graph *graph, rill_node from, rill_node to)
{
    ok(rill_graph_add_edges(graph, &from, &to, NULL, 1));
}

size_t node_count(rill_graph *graph)
{
    size_t count = 0;
    ok(rill_graph_nodes(graph, NULL, &count));
    return count;
}

void fixture_refused(rill_status status, rill_graph *graph, rill_op op, const char *file, int line)
{
    char mark;
    rill_node untouched = (rill_node)(void *)&mark, node = untouched;
    size_t before = node_count(graph);
    fixture_check(rill_graph_add_node(graph, NULL, 0, &op, &node), status, "rill_graph_add_node",
                  file, line);
    if (node != untouched) fail_msg("%s:%d: a refused call wrote its output", file, line);
    if (node_count(graph) != before) fail_msg("%s:%d: a refused node was added", file, line);
}

void fixture_refused_for(rill_status status, const char *argument, rill_graph *graph, rill_op op,
                         const char *file, int line)
{
    fixture_refused(status, graph, op, file, line);
    fixture_blames("rill_graph_add_node", argument, file, line);
}

rill_op op_of(rill_graph *graph, rill_node node)
{
    rill_op op;
    ok(rill_node_get_op(graph, node, &op));
    return op;
}

rill_status run_exec(rill_exec *exec, rill_stream *stream)
{
    rill_status status = rill_exec_launch(exec, stream), end = rill_stream_synchronize(stream);
    return status ? status : end;
}

rill_status run_once(struct fixture *f, rill_graph *graph)
{
    rill_exec *exec = NULL;
    rill_stream *stream = new_non_blocking(f);
    rill_status status = rill_exec_create(graph, NULL, &exec);
    if (!status) status = run_exec(exec, stream);
    rill_exec_destroy(&exec);
    forget(f, stream);
    rill_stream_destroy(&stream);
    return status;
}

/* ---- Operations ------------------------------------------------------------------- */

rill_op kernel_op(rill_kernel *kernel, const void *const *params)
{
    return (rill_op){
        .kind = RILL_OP_KERNEL,
        .kernel = { .kernel = kernel, .grid = one, .block = one, .params = params },
    };
}

rill_op copy_op(rill_place dst, rill_place src, size_t bytes)
{
    return (rill_op){
        .kind = RILL_OP_MEMCPY,
        .memcpy = { .dst = dst, .src = src, .width = bytes, .height = 1, .depth = 1 },
    };
}

rill_op fill_op(rill_devptr dst, uint32_t value, size_t words)
{
    return (rill_op){
        .kind = RILL_OP_MEMSET,
        .memset = { .dst = dst, .value = value, .element_bytes = 4, .width = words, .height = 1 },
    };
}

rill_op host_op(rill_host_fn fn, void *data)
{
    return (rill_op){ .kind = RILL_OP_HOST, .host = { .fn = fn, .data = data } };
}

rill_op event_op(rill_op_kind kind, rill_event *event)
{
    return (rill_op){ .kind = kind, .event = { .event = event } };
}

rill_op values_op(const rill_value *items, size_t count)
{
    return (rill_op){ .kind = RILL_OP_VALUES, .values = { .items = items, .count = count } };
}

rill_op alloc_op(size_t bytes)
{
    return (rill_op){ .kind = RILL_OP_ALLOC, .alloc = { .bytes = bytes } };
}

rill_op free_op(rill_devptr address)
{
    return (rill_op){ .kind = RILL_OP_FREE, .free = { .address = address } };
}

rill_op empty_op(void)
{
    return (rill_op){ .kind = RILL_OP_EMPTY };
}

rill_op child_op(rill_graph *graph, uint32_t flags)
{
    rill_op op = { .kind = RILL_OP_GRAPH };
    op.graph = (rill_graph_op){ graph, flags };
    return op;
}
