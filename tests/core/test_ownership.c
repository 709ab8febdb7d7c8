/* SPDX-License-Identifier: Apache-2.0
 *
 * What a backend owns, what changes hands, and what is counted.
 */
#include "core/objects.h"

/* ---- What the backend owns ------------------------------------------------- */

static void borrowed_objects_are_not_the_callers_to_destroy(void **state)
{
    (void)state;
    rill_stream *legacy = rill_stream_legacy(world.context);
    rill_stream *per_thread = rill_stream_per_thread(world.context), *kept = legacy;
    rill_pool *pool = NULL;
    rill_graph *child = NULL;
    assert_int_equal(rill_stream_destroy(&legacy), RILL_ERROR_INVALID_HANDLE);
    assert_ptr_equal(legacy, kept); /* a refused call changes nothing */
    assert_int_equal(rill_stream_destroy(&per_thread), RILL_ERROR_INVALID_HANDLE);
    assert_non_null(per_thread);
    assert_int_equal(rill_stream_query(legacy), RILL_SUCCESS);
    assert_int_equal(rill_device_default_pool(world.platform, 0, &pool), RILL_SUCCESS);
    assert_int_equal(rill_pool_destroy(&pool), RILL_ERROR_INVALID_VALUE);
    assert_non_null(pool);
    assert_string_equal(rill_last_error()->argument, "pool");
    assert_int_equal(rill_node_child_graph(world.graph, world.child_node, &child), RILL_SUCCESS);
    assert_int_equal(rill_graph_destroy(&child), RILL_ERROR_INVALID_VALUE);
    assert_non_null(child);
}

static void what_a_backend_gives_is_the_callers_to_destroy(void **state)
{
    (void)state;
    void *made = NULL;
    assert_int_equal(rill_backend_own(RILL_OBJECT_STREAM, world.context, world.context, &made),
                     RILL_SUCCESS);
    rill_stream *stream = made;
    assert_int_equal(rill_stream_destroy(&stream), RILL_ERROR_INVALID_HANDLE);
    rill_backend_give(made);
    stream = made;
    assert_null(rill_object_of(stream)->owner);
    assert_int_equal(rill_stream_query(stream), RILL_SUCCESS);
    assert_int_equal(rill_stream_destroy(&stream), RILL_SUCCESS);
}

/* A graph that a capture made is the caller's; one it was begun into was before. */
static void a_captured_graph_is_the_callers(void **state)
{
    (void)state;
    rill_graph *graph = NULL, *again = NULL, *inside = NULL;
    rill_capture_info info = { .size = sizeof info };
    rill_stream_begin_capture(world.stream, NULL);
    assert_int_equal(rill_stream_capture_info(world.stream, &info), RILL_SUCCESS);
    inside = info.graph;
    assert_int_equal(rill_graph_destroy(&inside), RILL_ERROR_INVALID_VALUE); /* not yet */
    assert_int_equal(rill_stream_end_capture(world.stream, &graph), RILL_SUCCESS);
    assert_ptr_equal(graph, info.graph);

    const rill_capture_options into = { .size = sizeof into, .graph = graph };
    assert_int_equal(rill_stream_begin_capture(world.stream, &into), RILL_SUCCESS);
    assert_int_equal(rill_stream_end_capture(world.stream, &again), RILL_SUCCESS);
    assert_ptr_equal(again, graph);
    assert_int_equal(rill_graph_destroy(&graph), RILL_SUCCESS);
}

static void a_capture_into_a_borrowed_graph_leaves_it_borrowed(void **state)
{
    (void)state;
    rill_graph *child = NULL, *ended = NULL;
    assert_int_equal(rill_node_child_graph(world.graph, world.child_node, &child), RILL_SUCCESS);
    const rill_capture_options into = { .size = sizeof into, .graph = child };
    assert_int_equal(rill_stream_begin_capture(world.stream, &into), RILL_SUCCESS);
    assert_int_equal(rill_stream_end_capture(world.stream, &ended), RILL_SUCCESS);
    assert_ptr_equal(ended, child);
    assert_int_equal(rill_graph_destroy(&ended), RILL_ERROR_INVALID_VALUE);
}

/* A captured graph keeps its context, as any of the caller's does. */
static void a_captured_graph_outlives_its_stream_and_context(void **state)
{
    (void)state;
    struct world w;
    rill_graph *graph = NULL;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_stream_begin_capture(w.stream, NULL);
    assert_int_equal(rill_stream_end_capture(w.stream, &graph), RILL_SUCCESS);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
    assert_int_equal(rill_graph_destroy(&graph), RILL_SUCCESS);
}

static void an_invalid_end_of_capture_yields_no_graph(void **state)
{
    (void)state;
    rill_graph *graph = world.graph;
    assert_int_equal(rill_stream_end_capture(world.stream, &graph), RILL_ERROR_ILLEGAL_STATE);
    assert_null(graph);
    graph = world.graph;
    assert_int_equal(rill_stream_end_capture(NULL, &graph), RILL_ERROR_INVALID_HANDLE);
    assert_null(graph);
}

/* ---- Children that move ---------------------------------------------------- */

static rill_op move_of(rill_graph *child)
{
    rill_op op;
    memset(&op, 0, sizeof op);
    op.kind = RILL_OP_GRAPH;
    op.graph.graph = child;
    op.graph.flags = RILL_CHILD_MOVE;
    return op;
}

static void a_child_that_moved_belongs_to_its_parent(void **state)
{
    (void)state;
    rill_graph *parent = NULL, *child = NULL, *same = NULL;
    rill_node node = NULL;
    rill_graph_create(world.context, NULL, &parent);
    rill_graph_create(world.context, NULL, &child);
    rill_op op = move_of(child);
    assert_int_equal(rill_graph_add_node(parent, NULL, 0, &op, &node), RILL_SUCCESS);
    assert_int_equal(rill_node_child_graph(parent, node, &same), RILL_SUCCESS);
    assert_ptr_equal(same, child);
    assert_int_equal(rill_graph_add_node(parent, NULL, 0, &op, &node), RILL_ERROR_NOT_SUPPORTED);
    assert_string_equal(rill_last_error()->argument, "op->graph.graph");
    assert_int_equal(rill_graph_destroy(&same), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_graph_destroy(&parent), RILL_SUCCESS);
}

/* A graph is of no context: the child lives, whatever becomes of the one that it was made in. */
static void a_child_of_another_context_can_move(void **state)
{
    (void)state;
    struct world w;
    rill_graph *parent = NULL, *child = NULL;
    rill_node node = NULL;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_graph_create(world.context, NULL, &parent);
    rill_graph_create(w.context, NULL, &child);
    rill_op op = move_of(child);
    assert_int_equal(rill_graph_add_node(parent, NULL, 0, &op, &node), RILL_SUCCESS);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
    size_t count;
    assert_int_equal(rill_graph_nodes(child, NULL, &count), RILL_SUCCESS);
    assert_int_equal(rill_graph_destroy(&parent), RILL_SUCCESS);
}

/* A graph inside another one, as a backend makes it, keeps what is left of its context. */
static void a_graph_inside_another_outlives_its_context(void **state)
{
    (void)state;
    struct world w;
    void *inside = NULL;
    size_t count;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    assert_int_equal(rill_backend_own(RILL_OBJECT_GRAPH, world.graph, w.context, &inside),
                     RILL_SUCCESS);
    rill_context *context = w.context;
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
    assert_int_equal(rill_context_synchronize(context), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(rill_graph_nodes(inside, NULL, &count), RILL_SUCCESS);
    rill_backend_disown(inside);
}

static void a_graph_outlives_its_context(void **state)
{
    (void)state;
    struct world w;
    rill_graph *graph = NULL, *clone = NULL, *outer = NULL, *inside = NULL;
    rill_exec *exec = NULL;
    rill_devptr address;
    rill_node node = NULL;
    size_t count;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_graph_create(w.context, NULL, &graph);
    rill_graph_create(world.context, NULL, &outer);
    assert_int_equal(rill_graph_add_child(graph, NULL, 0, outer, 0, &node), RILL_SUCCESS);
    assert_int_equal(rill_node_child_graph(graph, node, &inside), RILL_SUCCESS);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
    assert_int_equal(rill_graph_nodes(inside, NULL, &count), RILL_SUCCESS);
    assert_int_equal(rill_graph_clone(graph, &clone), RILL_SUCCESS);
    assert_int_equal(rill_graph_add_empty(clone, NULL, 0, &node), RILL_SUCCESS);
    assert_int_equal(rill_graph_add_child(outer, NULL, 0, graph, 0, &node), RILL_SUCCESS);
    assert_int_equal(rill_exec_create(graph, NULL, &exec), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_string_equal(rill_last_error()->argument, "graph");
    assert_int_equal(rill_graph_add_alloc(graph, NULL, 0, 8, &address, &node),
                     RILL_ERROR_CONTEXT_IS_DESTROYED);
    rill_exec_options options = { .size = sizeof options, .context = world.context };
    assert_int_equal(rill_exec_create(graph, &options, &exec), RILL_SUCCESS);
    assert_ptr_equal(rill_object_of(exec)->context, world.context);
    assert_int_equal(rill_exec_destroy(&exec), RILL_SUCCESS);
    assert_int_equal(rill_graph_destroy(&graph), RILL_SUCCESS);
    assert_int_equal(rill_graph_destroy(&clone), RILL_SUCCESS);
    assert_int_equal(rill_graph_destroy(&outer), RILL_SUCCESS);
}

static void a_graph_can_be_of_no_context(void **state)
{
    (void)state;
    rill_graph *graph = NULL, *clone = NULL;
    rill_exec *exec = NULL;
    rill_devptr address;
    rill_node node = NULL;
    assert_int_equal(rill_graph_create_in(world.platform, NULL, &graph), RILL_SUCCESS);
    assert_null(rill_object_of(graph)->context);
    assert_int_equal(rill_graph_clone(graph, &clone), RILL_SUCCESS);
    assert_null(rill_object_of(clone)->context);
    assert_int_equal(rill_exec_create(graph, NULL, &exec), RILL_ERROR_INVALID_CONTEXT);
    assert_int_equal(rill_graph_add_alloc(graph, NULL, 0, 8, &address, &node),
                     RILL_ERROR_INVALID_CONTEXT);
    rill_exec_options options = { .size = sizeof options, .context = world.context };
    assert_int_equal(rill_exec_create(graph, &options, &exec), RILL_SUCCESS);
    assert_int_equal(rill_exec_destroy(&exec), RILL_SUCCESS);
    assert_int_equal(rill_graph_destroy(&graph), RILL_SUCCESS);
    assert_int_equal(rill_graph_destroy(&clone), RILL_SUCCESS);
}

static void a_child_that_did_not_move_stays_the_callers(void **state)
{
    (void)state;
    rill_graph *child = NULL;
    rill_node node = NULL;
    rill_graph_create(world.context, NULL, &child);
    rill_op op = move_of(child);
    shim_fail("backend->graph->add_node", 1, RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_graph_add_node(world.graph, NULL, 0, &op, &node),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_graph_destroy(&child), RILL_SUCCESS);
}

/* ---- User objects ---------------------------------------------------------- */

static void on_destroy(void *data)
{
    ++*(int *)data;
}

static void a_user_object_goes_with_its_last_reference(void **state)
{
    (void)state;
    int gone = 0;
    rill_user_object *object = NULL;
    assert_int_equal(rill_user_object_create(world.platform, &gone, on_destroy, 2, &object),
                     RILL_SUCCESS);
    assert_int_equal(rill_user_object_retain(object, 3), RILL_SUCCESS);
    assert_int_equal(rill_user_object_release(&object, 4), RILL_SUCCESS);
    assert_non_null(object); /* one is left */
    assert_int_equal(gone, 0);
    assert_int_equal(rill_user_object_release(&object, 2), RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "count");
    assert_non_null(object);
    assert_int_equal(rill_user_object_release(&object, 1), RILL_SUCCESS);
    assert_null(object);
    assert_int_equal(gone, 1);
}

static void references_can_move_to_a_graph(void **state)
{
    (void)state;
    int gone = 0;
    rill_user_object *object = NULL, *kept;
    assert_int_equal(rill_user_object_create(world.platform, &gone, on_destroy, 2, &object),
                     RILL_SUCCESS);
    kept = object;
    assert_int_equal(rill_graph_retain_user_object(world.graph, object, 3, RILL_USER_OBJECT_MOVE),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_graph_retain_user_object(world.graph, object, 1, RILL_USER_OBJECT_MOVE),
                     RILL_SUCCESS);
    assert_int_equal(rill_user_object_release(&object, 1), RILL_SUCCESS);
    assert_null(object);
    assert_int_equal(gone, 0);
    assert_int_equal(rill_graph_release_user_object(world.graph, kept, 1), RILL_SUCCESS);
    assert_int_equal(gone, 1);
}

static void what_fails_changes_no_count(void **state)
{
    (void)state;
    int gone = 0;
    rill_user_object *object = NULL;
    shim_fail("backend->graph->user_object_create", 1, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_user_object_create(world.platform, &gone, on_destroy, 1, &object),
                     RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_user_object_create(world.platform, &gone, on_destroy, 0, &object),
                     RILL_ERROR_INVALID_VALUE);
    assert_null(object);
    assert_int_equal(gone, 0); /* it never was */
    assert_int_equal(rill_user_object_create(world.platform, &gone, on_destroy, 1, &object),
                     RILL_SUCCESS);
    shim_fail("backend->graph->user_object_retain", 1, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_user_object_retain(object, 1), RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_user_object_retain(object, UINT32_MAX), RILL_ERROR_INVALID_VALUE);
    shim_fail("backend->graph->retain", 1, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_graph_retain_user_object(world.graph, object, 1, RILL_USER_OBJECT_MOVE),
                     RILL_ERROR_UNKNOWN);
    shim_fail("backend->graph->user_object_release", 1, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_user_object_release(&object, 1), RILL_ERROR_UNKNOWN);
    assert_non_null(object);
    assert_int_equal(rill_user_object_release(&object, 2), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_user_object_release(&object, 1), RILL_SUCCESS);
    assert_int_equal(gone, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(borrowed_objects_are_not_the_callers_to_destroy),
        TEST(what_a_backend_gives_is_the_callers_to_destroy),
        TEST(a_captured_graph_is_the_callers),
        TEST(a_capture_into_a_borrowed_graph_leaves_it_borrowed),
        TEST(a_captured_graph_outlives_its_stream_and_context),
        TEST(an_invalid_end_of_capture_yields_no_graph),
        TEST(a_child_that_moved_belongs_to_its_parent),
        TEST(a_child_of_another_context_can_move),
        TEST(a_child_that_did_not_move_stays_the_callers),
        TEST(a_graph_inside_another_outlives_its_context),
        TEST(a_graph_outlives_its_context),
        TEST(a_graph_can_be_of_no_context),
        TEST(a_user_object_goes_with_its_last_reference),
        TEST(references_can_move_to_a_graph),
        TEST(what_fails_changes_no_count),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
