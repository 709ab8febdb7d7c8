/* SPDX-License-Identifier: Apache-2.0
 *
 * What follows in a capture behind a kernel that is not over yet: behind the events of
 * its launch, or behind edges that the capture began with.  Measured on an H200, driver
 * 580: anything may, although such edges cannot be added to a graph by hand.
 */
#include "conformance/captures/capturing.h"
#include "conformance/nodes.h"

struct port {
    rill_attribute_id id;
    int at_start;
    uint8_t from, type;
};

static const struct port ports[] = {
    { RILL_ATTRIBUTE_PROGRAMMATIC_EVENT, 0, 1, 1 },
    { RILL_ATTRIBUTE_PROGRAMMATIC_EVENT, 1, 2, 1 },
    { RILL_ATTRIBUTE_COMPLETION_EVENT, 0, 2, 0 },
};
enum { PORTS = sizeof ports / sizeof *ports };

/* A kernel in `stream`, and `side` behind what its event tells. */
static void fork_at(struct fixture *f, const struct port *port, rill_stream *stream,
                    rill_stream *side)
{
    rill_event *event = new_event(f);
    rill_attribute attribute = { .id = port->id };
    attribute.event.event = event;
    attribute.event.trigger_at_start = port->at_start;
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    op.kernel.attributes = &attribute;
    op.kernel.attribute_count = 1;
    ok(rill_stream_submit(stream, &op));
    ok(rill_stream_wait_event(side, event, 0));
}

/* What comes next in the stream depends on one node, through this edge. */
static void is_behind(rill_stream *stream, const struct port *port)
{
    rill_capture_info info = { .size = sizeof info };
    ok(rill_stream_capture_info(stream, &info));
    assert_int_equal(info.dependency_count, 1);
    assert_int_equal(info.edges[0].from_port, port->from);
    assert_int_equal(info.edges[0].to_port, 0);
    assert_int_equal(info.edges[0].type, port->type);
}

/* The one edge of the capture that carries data. */
static void has_one_edge(rill_graph *graph, uint8_t from_port, uint8_t type)
{
    rill_node from[8], to[8];
    rill_edge edges[8];
    size_t count = 8, loose = 0;
    ok(rill_graph_edges(graph, from, to, edges, &count));
    for (size_t i = 0; i < count; i++) {
        if (!edges[i].from_port) continue;
        loose++;
        assert_int_equal(edges[i].from_port, from_port);
        assert_int_equal(edges[i].type, type);
    }
    assert_int_equal(loose, 1);
}

static rill_status follow_with(struct fixture *f, rill_stream *side, int kind)
{
    rill_devptr p = address_of(f, f->words);
    switch (kind) {
    case 0: return rill_memset_d32_async(side, p, 1, 1);
    case 1: return rill_launch_host(side, nothing, NULL, NULL);
    case 2: return launch(kernel(f, &nop_function), side, NULL);
    default: return rill_memcpy_dtod_async(side, p, p + 64, 4);
    }
}

/* PD-7 */
static void anything_may_follow_an_event_of_a_launch(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < PORTS; i++)
        for (int kind = 0; kind < 4; kind++) {
            rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
            ok(begin(s, RILL_CAPTURE_RELAXED));
            fork_at(f, &ports[i], s, side);
            is_behind(side, &ports[i]);
            ok(follow_with(f, side, kind));
            active(s);
            follow(f, side, s);
            rill_graph *graph = keep_graph(f, ended(s));
            has_one_edge(graph, ports[i].from, ports[i].type);
            ok(run_once(f, graph));
        }
}

static void and_an_edge_that_a_capture_begins_with(void **state)
{
    struct fixture *f = *state;
    static const rill_edge edge = { .from_port = 1, .type = 1 };
    for (int kind = 0; kind < 4; kind++) {
        rill_stream *s = new_non_blocking(f);
        rill_graph *graph = new_graph(f), *same = NULL;
        const rill_node node = add(graph, NULL, kernel_op(kernel(f, &nop_function), NULL));
        rill_capture_options options = { .size = sizeof options, .mode = RILL_CAPTURE_RELAXED,
                                         .graph = graph, .dependencies = &node, .edges = &edge,
                                         .dependency_count = 1 };
        ok(rill_stream_begin_capture(s, &options));
        ok(follow_with(f, s, kind));
        ok(rill_stream_end_capture(s, &same));
        assert_ptr_equal(same, graph);
        has_one_edge(graph, 1, 1);
    }
}

/* What a capture is told of its dependencies; a refusal leaves it active. */
static void dependencies_are_of_its_graph_and_of_kernels_where_they_carry_data(void **state)
{
    struct fixture *f = *state;
    static const rill_edge edge = { .from_port = 1, .type = 1 };
    const rill_op empty = { .kind = RILL_OP_EMPTY };
    rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
    rill_graph *graph = new_graph(f);
    const rill_node a = add(graph, NULL, empty), b = add(graph, NULL, empty);
    const rill_node foreign = add(new_graph(f), NULL, empty), twice[] = { a, a };
    ok(begin_into(s, graph, &a, 1, RILL_CAPTURE_RELAXED));
    ok(rill_stream_update_capture(s, twice, NULL, 2, RILL_CAPTURE_SET));
    assert_ptr_equal(last_node(s), a);
    ok(rill_stream_update_capture(s, &a, NULL, 1, RILL_CAPTURE_ADD));
    assert_ptr_equal(last_node(s), a);
    is(RILL_ERROR_INVALID_VALUE,
       rill_stream_update_capture(s, &foreign, NULL, 1, RILL_CAPTURE_SET));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_update_capture(s, &b, &edge, 1, RILL_CAPTURE_SET));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_update_capture(s, NULL, NULL, 1, RILL_CAPTURE_SET));
    is(RILL_ERROR_INVALID_VALUE,
       rill_stream_update_capture(s, &b, NULL, 1, (rill_capture_update)2));
    is(RILL_ERROR_ILLEGAL_STATE, rill_stream_update_capture(other, &b, NULL, 1, RILL_CAPTURE_SET));
    is(RILL_ERROR_ILLEGAL_STATE,
       rill_stream_update_capture(f->legacy, &b, NULL, 1, RILL_CAPTURE_SET));
    active(s);
    assert_ptr_equal(last_node(s), a);
    ok(rill_stream_end_capture(s, NULL));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(anything_may_follow_an_event_of_a_launch),
    cmocka_unit_test(and_an_edge_that_a_capture_begins_with),
    cmocka_unit_test(dependencies_are_of_its_graph_and_of_kernels_where_they_carry_data),
};

SUITE_GROUP(capture_ports, 1);
