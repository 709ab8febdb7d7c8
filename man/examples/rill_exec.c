/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>
#include <stdio.h>

static void say(void *text)
{
    puts(text);
}

/* Launches a graph twice, the second time with another function. */
rill_status example(rill_context *context)
{
    rill_stream *stream = rill_stream_legacy(context);
    rill_graph *graph = NULL;
    rill_exec *exec = NULL;
    rill_node node;
    const rill_op second = { .kind = RILL_OP_HOST, .host = { say, "second", NULL } };

    rill_status status = rill_graph_create(context, NULL, &graph);
    if (!status)
        status = rill_graph_add_host(graph, NULL, 0, say, "first", NULL, &node);
    if (!status) status = rill_exec_create(graph, NULL, &exec);
    if (!status) status = rill_exec_launch(exec, stream);
    if (!status) status = rill_exec_set_op(exec, node, &second);
    if (!status) status = rill_exec_launch(exec, stream);
    if (!status) status = rill_stream_synchronize(stream);

    rill_exec_destroy(&exec);
    rill_graph_destroy(&graph);
    return status;
}
