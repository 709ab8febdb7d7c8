/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>
#include <stdio.h>

static void say(void *text)
{
    puts(text);
}

static int write_text(void *file, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, file) != bytes;
}

/* One node, then two that may run at once; and a drawing for Graphviz. */
rill_status example(rill_context *context)
{
    rill_graph *graph = NULL;
    rill_node root, leaf;

    rill_status status = rill_graph_create(context, NULL, &graph);
    if (!status)
        status = rill_graph_add_host(graph, NULL, 0, say, "root", NULL, &root);
    if (!status)
        status = rill_graph_add_host(graph, &root, 1, say, "left", NULL, &leaf);
    if (!status)
        status = rill_graph_add_host(graph, &root, 1, say, "right", NULL, &leaf);
    if (!status) status = rill_node_set_label(graph, root, "the first");
    if (!status) status = rill_graph_write_dot(graph, 0, write_text, stdout);

    rill_graph_destroy(&graph);
    return status;
}
