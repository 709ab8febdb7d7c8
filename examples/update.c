/* SPDX-License-Identifier: Apache-2.0
 *
 * Changing an exec instead of making a new one: one node, the whole graph, and
 * what is said when a graph of another shape is refused.  It prints:
 *
 *     as it was made:
 *       load
 *       compute
 *       store
 *     with one node changed:
 *       load
 *       compute differently
 *       store
 *     with everything taken over from a graph of the same shape:
 *       load the next
 *       compute more
 *       store elsewhere
 *     refused, reason 2: it has 2 nodes, but the exec has 3 there
 */
#include "must.h"

static void say(void *text)
{
    printf("  %s\n", (const char *)text);
}

/* A chain of host functions, one for each text. */
static rill_graph *chain(rill_context *context, const char *const *texts, int count,
                         rill_node *nodes)
{
    rill_graph *graph;
    MUST(rill_graph_create(context, NULL, &graph));
    for (int i = 0; i < count; i++)
        MUST(rill_graph_add_host(graph, i ? &nodes[i - 1] : NULL, i > 0, say, (void *)texts[i],
                                 NULL, &nodes[i]));
    return graph;
}

static void run(const char *title, rill_exec *exec, rill_stream *stream)
{
    printf("%s\n", title);
    fflush(stdout);
    MUST(rill_exec_launch(exec, stream));
    MUST(rill_stream_synchronize(stream));
}

int main(void)
{
    static const char *const first[] = { "load", "compute", "store" };
    static const char differently[] = "compute differently";
    static const char *const second[] = { "load the next", "compute more", "store elsewhere" };
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_exec *exec;
    rill_node nodes[3], others[3];

    MUST(rill_open(NULL, &platform));
    MUST(rill_context_create(platform, NULL, &context));
    MUST(rill_stream_create(context, NULL, &stream));
    rill_graph *graph = chain(context, first, 3, nodes);
    MUST(rill_exec_create(graph, NULL, &exec));
    run("as it was made:", exec, stream);

    rill_op op = { .kind = RILL_OP_HOST };
    op.host = (rill_host_op){ .fn = say, .data = (void *)differently };
    MUST(rill_exec_set_op(exec, nodes[1], &op));
    run("with one node changed:", exec, stream);

    rill_graph *same = chain(context, second, 3, others);
    MUST(rill_exec_update(exec, same, NULL));
    run("with everything taken over from a graph of the same shape:", exec, stream);

    /* One node less: the exec stays as it is, and the record says why. */
    rill_graph *shorter = chain(context, second, 2, others);
    rill_update_result result;
    if (rill_exec_update(exec, shorter, &result) != RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE) return 1;
    printf("refused, reason %d: %s\n", result.reason, rill_last_error()->message);

    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&shorter));
    MUST(rill_graph_destroy(&same));
    MUST(rill_graph_destroy(&graph));
    MUST(rill_stream_destroy(&stream));
    MUST(rill_context_destroy(&context));
    MUST(rill_close(&platform));
    return 0;
}
