/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>
#include <stdio.h>

static void say(void *text)
{
    puts(text);
}

/* The same operation, once in a stream and once as a node of a graph. */
rill_status example(rill_context *context)
{
    rill_op op = { .kind = RILL_OP_HOST, .host = { .fn = say, .data = "hello" } };
    rill_stream *stream = rill_stream_legacy(context);
    rill_graph *graph = NULL;
    rill_node node;

    rill_status status = rill_stream_submit(stream, &op);
    if (!status) status = rill_graph_create(context, NULL, &graph);
    if (!status) status = rill_graph_add_node(graph, NULL, 0, &op, &node);
    if (!status) status = rill_stream_synchronize(stream);

    rill_graph_destroy(&graph);
    return status;
}
