/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects: their labels, and the words that programs keep with them.
 */
#include "core/objects.h"

/* ---- Labels ---------------------------------------------------------------- */

static void a_label_stays_readable_when_replaced(void **state)
{
    (void)state;
    rill_stream *stream = NULL;
    rill_stream_options options = { .size = sizeof options, .label = "zero" };
    assert_int_equal(rill_stream_create(world.context, &options, &stream), RILL_SUCCESS);
    const char *handed_out[40];
    char text[16];
    assert_string_equal(rill_stream_label(stream), "zero");
    for (int i = 0; i < 40; i++) {
        snprintf(text, sizeof text, "label %d", i);
        assert_int_equal(rill_stream_set_label(stream, text), RILL_SUCCESS);
        handed_out[i] = rill_stream_label(stream);
        assert_ptr_not_equal(handed_out[i], text); /* a copy */
    }
    for (int i = 0; i < 40; i++) {
        snprintf(text, sizeof text, "label %d", i);
        assert_string_equal(handed_out[i], text);
    }
    assert_int_equal(rill_stream_set_label(stream, NULL), RILL_SUCCESS);
    assert_null(rill_stream_label(stream));
    assert_int_equal(rill_stream_destroy(&stream), RILL_SUCCESS);
}

/* A loop that switches between labels does not grow. */
static void a_label_that_comes_back_takes_no_memory(void **state)
{
    (void)state;
    rill_stream *stream = NULL;
    assert_int_equal(rill_stream_create(world.context, NULL, &stream), RILL_SUCCESS);
    rill_stream_set_label(stream, "prefill");
    rill_stream_set_label(stream, "decode");
    long live = rl_alloc_live();
    for (int i = 0; i < 1000; i++) rill_stream_set_label(stream, i % 2 ? "decode" : "prefill");
    assert_int_equal(rl_alloc_live(), live);
    assert_string_equal(rill_stream_label(stream), "decode");
    rill_stream_destroy(&stream);
}

static void every_kind_has_its_own_label(void **state)
{
    (void)state;
    struct world w;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_context_set_label(w.context, "c");
    rill_stream_set_label(w.stream, "s");
    rill_event_set_label(w.event, "e");
    rill_pool_set_label(w.pool, "p");
    rill_graph_set_label(w.graph, "g");
    rill_exec_set_label(w.exec, "x");
    rill_replay_set_label(w.replay, "r");
    assert_string_equal(rill_context_label(w.context), "c");
    assert_string_equal(rill_stream_label(w.stream), "s");
    assert_string_equal(rill_event_label(w.event), "e");
    assert_string_equal(rill_pool_label(w.pool), "p");
    assert_string_equal(rill_graph_label(w.graph), "g");
    assert_string_equal(rill_exec_label(w.exec), "x");
    assert_string_equal(rill_replay_label(w.replay), "r");
    rill_context_destroy(&w.context);
    assert_string_equal(rill_stream_label(w.stream), "s"); /* to tell which one it is */
    assert_int_equal(rill_stream_set_label(w.stream, "t"), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
}

static void every_object_has_a_word_of_the_programs(void **state)
{
    (void)state;
    struct world w;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    void *const objects[] = { w.context, w.stream, w.event,  w.module, w.kernel,      w.pool,
                              w.graph,   w.exec,   w.object, w.replay, world.platform };
    enum { COUNT = sizeof objects / sizeof objects[0] };
    static int words[COUNT];
    for (int i = 0; i < COUNT; i++) {
        assert_null(rill_data(objects[i]));
        rill_set_data(objects[i], &words[i], NULL);
    }
    rill_context_set_label(w.context, "beside");
    for (int i = 0; i < COUNT; i++) assert_ptr_equal(rill_data(objects[i]), &words[i]);
    rill_context_destroy(&w.context);
    assert_ptr_equal(rill_data(w.stream), &words[1]);
    rill_set_data(world.platform, NULL, NULL);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
}

static void count_gone(void *data)
{
    ++*(int *)data;
}

static void who_gave_a_word_is_told_that_the_object_is_gone(void **state)
{
    (void)state;
    struct world w;
    int stream = 0, event = 0, graph = 0, replaced = 0;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_set_data(w.stream, &stream, count_gone);
    rill_set_data(w.event, &replaced, count_gone);
    rill_set_data(w.event, &event, count_gone);
    rill_set_data(w.graph, &graph, NULL);
    assert_int_equal(rill_stream_destroy(&w.stream), RILL_SUCCESS);
    assert_int_equal(stream, 1);
    assert_int_equal(event, 0);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
    assert_int_equal(stream, 1);
    assert_int_equal(event, 1);
    assert_int_equal(graph + replaced, 0);
}

static void who_gave_a_word_is_told_of_graphs_that_went_with_another(void **state)
{
    (void)state;
    struct world w;
    int gone = 0;
    rill_graph *child = NULL;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    assert_int_equal(rill_node_child_graph(w.graph, w.child_node, &child), RILL_SUCCESS);
    rill_set_data(child, &gone, count_gone);
    assert_int_equal(rill_graph_destroy(&w.graph), RILL_SUCCESS);
    assert_int_equal(gone, 1);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
    assert_int_equal(gone, 1);
}

static void a_label_that_finds_no_memory_changes_nothing(void **state)
{
    (void)state;
    rill_stream *stream = NULL;
    rill_stream_options options = { .size = sizeof options, .label = "old" };
    assert_int_equal(rill_stream_create(world.context, &options, &stream), RILL_SUCCESS);
    rl_alloc_fail_after(0);
    assert_int_equal(rill_stream_set_label(stream, "new"), RILL_ERROR_OUT_OF_MEMORY);
    rl_alloc_fail_after(-1);
    assert_string_equal(rill_last_error()->operation, "rill_stream_set_label");
    assert_string_equal(rill_last_error()->object, "stream 'old'");
    assert_string_equal(rill_stream_label(stream), "old");
    rill_stream_destroy(&stream);
}

static void labels_in_options_are_set_before_the_backend_sees_the_object(void **state)
{
    (void)state;
    const rill_stream_options stream = { .size = sizeof stream, .label = "fails" };
    rill_stream *made = NULL;
    shim_fail("backend->stream->create", 1, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_stream_create(world.context, &stream, &made), RILL_ERROR_UNKNOWN);

    const rill_pool_options pool = { .size = sizeof pool, .label = "pool label" };
    const rill_event_options event = { .size = sizeof event, .label = "event label" };
    const rill_graph_options graph = { .size = sizeof graph, .label = "graph label" };
    rill_exec_options exec = { .size = sizeof exec, .label = "exec label" };
    rill_pool *p = NULL;
    rill_event *e = NULL;
    rill_graph *g = NULL;
    rill_exec *x = NULL;
    rill_pool_create(world.platform, &pool, &p);
    rill_event_create(world.context, &event, &e);
    rill_graph_create(world.context, &graph, &g);
    rill_exec_create(world.graph, &exec, &x);
    assert_string_equal(rill_pool_label(p), "pool label");
    assert_string_equal(rill_event_label(e), "event label");
    assert_string_equal(rill_graph_label(g), "graph label");
    assert_string_equal(rill_exec_label(x), "exec label");
    rill_pool_destroy(&p);
    rill_event_destroy(&e);
    rill_graph_destroy(&g);
    rill_exec_destroy(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_label_stays_readable_when_replaced),
        TEST(a_label_that_comes_back_takes_no_memory),
        TEST(every_kind_has_its_own_label),
        TEST(every_object_has_a_word_of_the_programs),
        TEST(who_gave_a_word_is_told_that_the_object_is_gone),
        TEST(who_gave_a_word_is_told_of_graphs_that_went_with_another),
        TEST(a_label_that_finds_no_memory_changes_nothing),
        TEST(labels_in_options_are_set_before_the_backend_sees_the_object),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
