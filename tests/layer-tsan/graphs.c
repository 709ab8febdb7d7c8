/* SPDX-License-Identifier: Apache-2.0
 *
 * The same as promises.c, of graphs.
 */
#include "parts.h"

static rill_graph *new_graph(const struct fixture *it)
{
    rill_graph *graph = NULL;
    MUST(rill_graph_create(it->context, NULL, &graph));
    return graph;
}

/* Adds a function after another node, or NULL. */
static rill_node add_host(rill_graph *graph, rill_node after, int *shared)
{
    rill_node node = NULL;
    MUST(rill_graph_add_host(graph, &after, after ? 1 : 0, add_one, shared, NULL, &node));
    return node;
}

static rill_exec *make_exec(rill_graph *graph)
{
    rill_exec *exec = NULL;
    MUST(rill_exec_create(graph, NULL, &exec));
    return exec;
}

/* Launches a graph some times in one stream, and gives it back. */
static void launch(const struct fixture *it, rill_graph *graph, int times)
{
    rill_exec *exec = make_exec(graph);
    for (int i = 0; i < times; i++) MUST(rill_exec_launch(exec, it->a));
    MUST(rill_stream_synchronize(it->a));
    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
}

static void edges(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    rill_graph *graph = new_graph(it);
    rill_node first = add_host(graph, NULL, shared), empty = NULL;
    MUST(rill_graph_add_empty(graph, &first, missing ? 0 : 1, &empty));
    add_host(graph, empty, shared);
    launch(it, graph, 3);
    ++*shared;
}

/* Edges may lead back to nodes that were made first. */
static void late_edges(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    rill_graph *graph = new_graph(it);
    rill_node first = add_host(graph, NULL, shared), second = add_host(graph, NULL, shared);
    if (!missing) MUST(rill_graph_add_edges(graph, &second, &first, NULL, 1));
    launch(it, graph, 1);
}

static void after_launch(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    rill_graph *graph = new_graph(it);
    add_host(graph, NULL, shared);
    rill_exec *exec = make_exec(graph);
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    MUST(rill_exec_launch(exec, missing ? it->b : it->a));
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    finish(it);
    ++*shared;
    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
}

/* Launches of one exec run one after the other, whatever streams they are in. */
static void two_launches(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    rill_graph *graph = new_graph(it);
    add_host(graph, NULL, shared);
    rill_exec *exec = make_exec(graph), *second = make_exec(graph);
    MUST(rill_exec_launch(exec, it->a));
    MUST(rill_exec_launch(missing ? second : exec, it->b));
    finish(it);
    MUST(rill_exec_destroy(&exec));
    MUST(rill_exec_destroy(&second));
    MUST(rill_graph_destroy(&graph));
}

static void children(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    rill_graph *graph = new_graph(it), *child = new_graph(it);
    rill_node first = add_host(graph, NULL, shared), inside, last;
    add_host(child, add_host(child, NULL, shared), shared);
    MUST(rill_graph_add_child(graph, &first, missing ? 0 : 1, child, 0, &inside));
    last = add_host(graph, inside, shared);
    MUST(rill_graph_destroy(&child));
    MUST(rill_graph_remove_node(graph, last));
    add_host(graph, inside, shared);
    launch(it, graph, 2);
}

static void captures(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    rill_stream *const side[] = { it->b };
    rill_graph *graph = NULL;
    MUST(rill_stream_begin_capture(it->a, NULL));
    if (!missing) MUST(rill_launch_host(it->a, add_one, shared, NULL));
    MUST(rill_stream_fork(it->a, side, 1));
    if (missing) MUST(rill_launch_host(it->a, add_one, shared, NULL));
    MUST(rill_launch_host(it->b, add_one, shared, NULL));
    MUST(rill_stream_join(it->a, side, 1));
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    MUST(rill_stream_end_capture(it->a, &graph));
    launch(it, graph, 2);
}

static void event_nodes(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    rill_graph *graph = new_graph(it), *other = new_graph(it);
    rill_node first = add_host(graph, NULL, shared), record, wait;
    MUST(rill_graph_add_event_record(graph, &first, missing ? 0 : 1, it->event, &record));
    MUST(rill_graph_add_event_wait(other, NULL, 0, it->event, &wait));
    add_host(other, wait, shared);
    rill_exec *exec = make_exec(graph), *second = make_exec(other);
    MUST(rill_exec_launch(exec, it->a));
    MUST(rill_exec_launch(second, it->b));
    finish(it);
    MUST(rill_exec_destroy(&exec));
    MUST(rill_exec_destroy(&second));
    MUST(rill_graph_destroy(&graph));
    MUST(rill_graph_destroy(&other));
}

static rill_node add_copy(const struct fixture *it, rill_graph *graph, rill_node after)
{
    const rill_copy copy = { .dst = rill_host_place(it->pinned),
                             .src = rill_device_place(it->memory),
                             .width = 64, .height = 1, .depth = 1 };
    rill_node node = NULL;
    MUST(rill_graph_add_memcpy(graph, &after, after ? 1 : 0, &copy, &node));
    return node;
}

static void copies(const struct fixture *it, bool missing)
{
    rill_graph *graph = new_graph(it);
    rill_node last = add_host(graph, NULL, it->pinned);
    for (int i = 0; i < 3; i++) last = add_copy(it, graph, last);
    add_host(graph, missing ? NULL : last, it->pinned);
    launch(it, graph, 3);
    use(&it->pinned[3]);
}

static void copy_after_launch(const struct fixture *it, bool missing)
{
    rill_graph *graph = new_graph(it);
    add_copy(it, graph, NULL);
    rill_exec *exec = make_exec(graph);
    MUST(rill_exec_launch(exec, it->a));
    if (!missing) MUST(rill_stream_synchronize(it->a));
    it->pinned[3] = 1;
    finish(it);
    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
}

/* What a node does is changed, in the graph and in the exec, and read. */
static void changes(const struct fixture *it, bool missing)
{
    int *shared = new_shared(), *other = new_shared();
    rill_graph *graph = new_graph(it), *clone = NULL;
    rill_node first = add_host(graph, NULL, other), second = add_host(graph, missing ? NULL : first,
                                                                      shared);
    rill_op op;
    (void)second;
    MUST(rill_node_get_op(graph, first, &op));
    if (op.host.fn != add_one || op.host.data != other) exit(2);
    op.host.data = shared;
    MUST(rill_node_set_op(graph, first, &op));
    rill_exec *exec = make_exec(graph);
    MUST(rill_exec_set_op(exec, first, &op));
    MUST(rill_exec_launch(exec, it->a));
    MUST(rill_graph_clone(graph, &clone));
    MUST(rill_exec_update(exec, clone, NULL));
    MUST(rill_graph_destroy(&clone));
    MUST(rill_exec_launch(exec, it->a));
    finish(it);
    ++*shared;
    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
}

/* Pageable memory is read by the call that launches. */
static void pageable_copy(const struct fixture *it, bool missing)
{
    static int plain[16];
    const rill_copy copy = { .dst = rill_device_place(it->memory), .src = rill_host_place(plain),
                             .width = sizeof plain, .height = 1, .depth = 1 };
    rill_graph *graph = new_graph(it);
    rill_node node = NULL;
    MUST(rill_graph_add_memcpy(graph, NULL, 0, &copy, &node));
    rill_exec *exec = make_exec(graph);
    if (missing) MUST(rill_launch_host(it->a, add_one, plain, NULL));
    MUST(rill_exec_launch(exec, it->a));
    plain[3] = 1;
    finish(it);
    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
}

/* What is read by the call may be written by the launch. */
static void there_and_back(const struct fixture *it, bool missing)
{
    static int plain[16];
    const rill_copy there = { .dst = rill_device_place(it->memory), .src = rill_host_place(plain),
                              .width = sizeof plain, .height = 1, .depth = 1 };
    const rill_copy back = { .dst = there.src, .src = there.dst,
                             .width = sizeof plain, .height = 1, .depth = 1 };
    rill_graph *graph = new_graph(it);
    rill_node node = NULL;
    MUST(rill_graph_add_memcpy(graph, NULL, 0, &there, &node));
    MUST(rill_graph_add_memcpy(graph, &node, 1, &back, &node));
    rill_exec *exec = make_exec(graph);
    MUST(rill_exec_launch(exec, it->a));
    if (!missing) finish(it);
    plain[3] = 1;
    finish(it);
    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
}

/* A copy that is disabled does nothing. */
static void disabled_copy(const struct fixture *it, bool missing)
{
    rill_graph *graph = new_graph(it);
    rill_node node = add_copy(it, graph, NULL);
    rill_exec *exec = make_exec(graph);
    if (!missing) MUST(rill_exec_set_enabled(exec, node, 0));
    MUST(rill_exec_launch(exec, it->a));
    it->pinned[3] = 1;
    finish(it);
    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
}

/* `destroy` of a node, and of a user object, comes after all launches. */
static void ends(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    rill_graph *graph = new_graph(it);
    rill_user_object *object = NULL;
    rill_node node = NULL;
    (void)missing;
    MUST(rill_user_object_create(it->platform, shared, destroy_one, 1, &object));
    MUST(rill_graph_retain_user_object(graph, object, 1, RILL_USER_OBJECT_MOVE));
    MUST(rill_graph_add_host(graph, NULL, 0, add_one, shared, NULL, &node));
    MUST(rill_graph_add_host(graph, &node, 1, add_one, malloc_shared(), free, &node));
    rill_exec *exec = make_exec(graph);
    MUST(rill_exec_launch(exec, it->a));
    MUST(rill_graph_destroy(&graph));
    MUST(rill_exec_destroy(&exec));
    finish(it);
}

/* ---- Bodies of conditionals --------------------------------------------------------------- */

static void bodies(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    rill_graph *graph = new_graph(it), *body = NULL;
    rill_conditional handle;
    rill_node node = add_host(graph, NULL, shared), inside;
    MUST(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    MUST(rill_graph_add_conditional(graph, &node, missing ? 0 : 1, handle, RILL_CONDITIONAL_IF, 1,
                                    &body, &node));
    MUST(rill_graph_add_empty(body, NULL, 0, &inside));
    add_host(graph, node, shared);
    launch(it, graph, 3);
    ++*shared;
}

static const struct program programs[] = {
    { "edges", edges, true },
    { "late_edges", late_edges, true },
    { "after_launch", after_launch, true },
    { "two_launches", two_launches, true },
    { "children", children, true },
    { "captures", captures, true },
    { "event_nodes", event_nodes, true },
    { "copies", copies, true },
    { "copy_after_launch", copy_after_launch, true },
    { "changes", changes, true },
    { "pageable_copy", pageable_copy, true },
    { "there_and_back", there_and_back, true },
    { "disabled_copy", disabled_copy, true },
    { "ends", ends, false },
    { "bodies", bodies, true },
};

int main(int argc, char **argv)
{
    return run_programs(programs, sizeof programs / sizeof *programs, argc, argv);
}
