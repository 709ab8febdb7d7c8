/* SPDX-License-Identifier: Apache-2.0
 *
 * What each operation becomes in a capture, and what a launch of the graph does.
 */
#include "conformance/captures/capturing.h"
#include "conformance/nodes.h"

/* ---- Running it ----------------------------------------------------------------------- */

static int ran;

static void count_run(void *data)
{
    (void)data;
    ran++;
}

/* CP-41, CP-43: of a stream that is idle, whose work would be done at once. */
static void nothing_runs_while_it_is_captured(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_kernel *add_one = kernel(f, &mul_add_function);
    rill_devptr p = device_words(f, 2);
    atomic_uint *word = new_word(f);
    uint32_t *pin = pinned(f, 64);
    ran = 0;
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(rill_launch_host(s, count_run, NULL, NULL));
    ok(rill_memset_d32_async(s, p, 5, 1));
    ok(mul_add(add_one, s, p + 4, 1, 1));
    ok(rill_memcpy_dtoh_async(s, pin, p, 8));
    ok(rill_stream_write_value32(s, address_of(f, word), 9, 0));
    rill_graph *graph = ended(s);
    ok(rill_context_synchronize(f->context));
    assert_int_equal(ran, 0);
    assert_int_equal(peek(f, p), 0);
    assert_int_equal(peek(f, p + 4), 0);
    assert_int_equal(pin[0] + pin[1], 0);
    assert_int_equal(atomic_load(word), 0);
    for (int i = 1; i <= 2; i++) {
        ok(run_once(f, graph));
        assert_int_equal(ran, i);
        assert_int_equal(pin[0], 5);
        assert_int_equal(pin[1], i);
    }
    assert_int_equal(atomic_load(word), 9);
    ok(rill_graph_destroy(&graph));
}

/* CP-6; oracle capture.empty */
static void an_empty_capture_gives_an_empty_graph(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    behind(s, "");
    rill_graph *graph = ended(s);
    holds(graph, "");
    ok(run_once(f, graph));
    ok(rill_graph_destroy(&graph));
}

static void what_was_captured_outlives_the_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = NULL;
    ok(rill_stream_create(f->context, NULL, &s));
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    rill_graph *graph = ended(s);
    ok(rill_stream_destroy(&s));
    holds(graph, "A");
    ok(run_once(f, graph));
    ok(rill_graph_destroy(&graph));
}

/* oracle capop.replay_fork */
static void branches_see_the_fork_and_the_join_sees_both(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    rill_kernel *step = kernel(f, &mul_add_function), *copy = kernel(f, &copy1_function);
    rill_devptr p = device_words(f, 3), q = p + 4, r = p + 8;
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(mul_add(step, s, p, 2, 1));
    follow(f, s, side);
    ok(copy1(copy, side, q, p));
    ok(mul_add(step, side, q, 2, 5));
    follow(f, side, s);
    ok(copy1(copy, s, r, q));
    ok(mul_add(step, s, r, 1, 100));
    rill_graph *graph = ended(s);
    poke(f, p, 1);
    for (int i = 0; i < 3; i++) ok(run_once(f, graph));
    assert_int_equal(peek(f, p), 15);
    assert_int_equal(peek(f, q), 35);
    assert_int_equal(peek(f, r), 135);
    ok(rill_graph_destroy(&graph));
}

/* ---- Kernels ---------------------------------------------------------------------------- */

/* CP-42; oracle capop.kernel_params_copied */
static void arguments_are_taken_when_the_launch_is_captured(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_kernel *function = kernel(f, &put_function);
    rill_devptr p = device_words(f, 4), address = p;
    uint32_t value = 3;
    const void *params[] = { &address, &value };
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(launch(function, s, params));
    rill_op op = op_of(live_graph(s), last_node(s));
    assert_int_equal(op.kind, RILL_OP_KERNEL);
    assert_ptr_equal(op.kernel.kernel, function);
    value = 9;
    address = p + 8;
    rill_graph *graph = ended(s);
    ok(run_once(f, graph));
    assert_int_equal(peek(f, p), 3);
    assert_int_equal(peek(f, p + 8), 0);
    ok(rill_graph_destroy(&graph));
}

/* oracle capop.kernel_programmatic */
static void programmatic_serialization_becomes_edges_between_kernels(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_kernel *nop = kernel(f, &nop_function);
    const rill_attribute early = { .id = RILL_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION,
                                   .programmatic = 1 };
    rill_op op = { .kind = RILL_OP_KERNEL };
    op.kernel = (rill_kernel_op){ .kernel = nop, .grid = one, .block = one,
                                  .attributes = &early, .attribute_count = 1 };
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    ok(rill_stream_submit(s, &op));
    ok(rill_stream_submit(s, &op));
    ok(launch(nop, s, NULL));
    rill_graph *graph = ended(s);
    rill_node from[4], to[4];
    rill_edge edges[4];
    size_t count = 4;
    ok(rill_graph_edges(graph, from, to, edges, &count));
    assert_int_equal(count, 3);
    static const uint8_t ports[] = { 0, 1, 0 };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(edges[i].from_port, ports[i]);
        assert_int_equal(edges[i].type, ports[i]);
    }
    ok(run_once(f, graph));
    ok(rill_graph_destroy(&graph));
}

/* GR-26 */
static void a_kernel_node_has_its_stream_s_priority(void **state)
{
    struct fixture *f = *state;
    int least, greatest;
    ok(rill_context_priority_range(f->context, &least, &greatest));
    if (greatest >= least) skip_since("the device has one priority");
    rill_stream *s = new_stream_with(f, greatest);
    rill_kernel *nop = kernel(f, &nop_function);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(launch(nop, s, NULL));
    rill_attribute attribute = { .id = RILL_ATTRIBUTE_PRIORITY };
    ok(rill_node_get_attribute(live_graph(s), last_node(s), &attribute));
    assert_int_equal(attribute.priority, greatest);
    gives(s, "k");
}

/* ---- Nothing, and values -------------------------------------------------------------------- */

/* oracle capop.zero_size */
static void nothing_to_do_leaves_no_node(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = device_words(f, 16), address = 1;
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(rill_memset_d8_async(s, p, 0, 0));
    ok(rill_memset_d32_async(s, p, 0, 0));
    ok(rill_memcpy_dtod_async(s, p, p + 16, 0));
    ok(rill_mem_alloc_async(s, 0, &address));
    ok(rill_mem_free_async(s, 0));
    gives(s, "");
}

/* oracle capop.value_nodes, capop.batch_node */
static void value_operations_become_nodes_of_their_own(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    atomic_uint *word = new_word(f);
    rill_devptr p = address_of(f, word);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(rill_stream_write_value32(s, p, 7, 0));
    ok(rill_stream_wait_value32(s, p, 7, RILL_WAIT_EQ));
    rill_op op = op_of(live_graph(s), last_node(s));
    assert_int_equal(op.values.count, 1);
    assert_int_equal(op.values.items[0].kind, RILL_VALUE_WAIT_32);
    ok(rill_stream_batch_values(s, NULL, 0, 0));
    rill_graph *graph = ended(s);
    holds(graph, "v v v | v>v v>v");
    ok(run_once(f, graph));
    assert_int_equal(atomic_load(word), 7);
    ok(rill_graph_destroy(&graph));
}

/* oracle capop.wait_value_holds */
static void a_wait_holds_the_launch_and_not_the_capture(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    atomic_uint *word = new_word(f);
    rill_devptr p = device_words(f, 1);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(rill_stream_wait_value32(s, address_of(f, word), 1, RILL_WAIT_EQ));
    ok(rill_memset_d32_async(s, p, 'A', 1));
    rill_graph *graph = ended(s);
    holds(graph, "A v | v>A");
    rill_exec *exec = new_exec(f, graph);
    ok(rill_exec_launch(exec, s));
    held(s);
    assert_int_equal(peek(f, p), 0);
    atomic_store(word, 1);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, p), 'A');
    ok(rill_graph_destroy(&graph));
}

/* ---- Events, launches ------------------------------------------------------------------ */

/* CP-40; oracle capture.external_record */
static void an_external_record_is_a_node_and_keeps_the_event_s_meaning(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
    rill_event *event = new_event(f);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    ok(rill_event_record(event, s, RILL_EVENT_EXTERNAL));
    behind(s, "r");
    rill_op op = op_of(live_graph(s), last_node(s));
    assert_ptr_equal(op.event.event, event);
    ok(rill_event_query(event));
    ok(rill_stream_wait_event(other, event, 0));
    idle(other);
    ok(rill_stream_wait_event(s, event, RILL_EVENT_EXTERNAL));
    ok(letter(f, s, 'B'));
    gives(s, "A B r w | A>r r>w w>B");
}

/* oracle capop.graph_launch_updated, capop.graph_launch_empty: the driver does not do
 * what its guide says */
static void a_launch_of_a_graph_cannot_be_captured(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_graph *graph = new_graph(f);
    rill_exec *exec = NULL;
    ok(rill_exec_create(graph, NULL, &exec));
    for (int i = 0; i < 2; i++) {
        ok(begin(s, RILL_CAPTURE_RELAXED));
        is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED,
           i ? rill_exec_upload(exec, s) : rill_exec_launch(exec, s));
        broken(s);
        is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_exec_launch(exec, s));
        fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    }
    ok(rill_exec_launch(exec, s));
    ok(rill_exec_destroy(&exec));
}

static atomic_int given_back;

/* Rule of <rill/stream.h>: exactly once, whatever becomes of it. */
static void what_a_captured_host_function_was_given_goes_with_the_graph(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    atomic_store(&given_back, 0);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(rill_launch_host(s, count_run, &given_back, count_up));
    rill_graph *graph = ended(s);
    assert_int_equal(atomic_load(&given_back), 0);
    ok(rill_graph_destroy(&graph));
    assert_int_equal(atomic_load(&given_back), 1);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(rill_launch_host(s, count_run, &given_back, count_up));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_query(s));
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    assert_int_equal(atomic_load(&given_back), 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_runs_while_it_is_captured),
    cmocka_unit_test(an_empty_capture_gives_an_empty_graph),
    cmocka_unit_test(what_was_captured_outlives_the_stream),
    cmocka_unit_test(branches_see_the_fork_and_the_join_sees_both),
    cmocka_unit_test(arguments_are_taken_when_the_launch_is_captured),
    cmocka_unit_test(programmatic_serialization_becomes_edges_between_kernels),
    cmocka_unit_test(a_kernel_node_has_its_stream_s_priority),
    cmocka_unit_test(nothing_to_do_leaves_no_node),
    cmocka_unit_test(value_operations_become_nodes_of_their_own),
    cmocka_unit_test(a_wait_holds_the_launch_and_not_the_capture),
    cmocka_unit_test(an_external_record_is_a_node_and_keeps_the_event_s_meaning),
    cmocka_unit_test(a_launch_of_a_graph_cannot_be_captured),
    cmocka_unit_test(what_a_captured_host_function_was_given_goes_with_the_graph),
};

SUITE_GROUP(capture_operations, 1);
