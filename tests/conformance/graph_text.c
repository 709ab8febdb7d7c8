/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs as Graphviz text.  What dot itself says of it is in tests/sim/test_dot.c.
 */
#include <stdlib.h>
#include <string.h>

#include "conformance/drawing.h"

struct text {
    char bytes[1 << 16];
    size_t used;
    int pieces, most; /* write() refuses after `most` pieces; 0: never */
};

static int write_text(void *data, const char *bytes, size_t count)
{
    struct text *text = data;
    if (text->most && text->pieces == text->most) return 1;
    text->pieces++;
    if (text->used + count >= sizeof text->bytes) return 1;
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    text->bytes[text->used] = '\0';
    return 0;
}

static struct text *dot_of(rill_graph *graph, uint32_t flags)
{
    static struct text text;
    memset(&text, 0, sizeof text);
    ok(rill_graph_write_dot(graph, flags, write_text, &text));
    return &text;
}

static int count_of(const struct text *text, const char *needle)
{
    int count = 0;
    for (const char *at = text->bytes; (at = strstr(at, needle)); at += strlen(needle)) count++;
    return count;
}

static void has_shape(rill_graph *graph, uint32_t flags, int arrows)
{
    const struct text *text = dot_of(graph, flags);
    assert_int_equal(strncmp(text->bytes, "digraph", 7), 0);
    assert_int_equal(count_of(text, "->"), arrows);
    assert_int_equal(count_of(text, "{"), count_of(text, "}"));
}

/* graph.dot_shapes */
static void every_edge_is_an_arrow(void **state)
{
    struct fixture *f = *state;
    struct drawing child = draw(f, "A B:A"), d = draw(f, "A"), apart = draw(f, "A B");
    has_shape(new_graph(f), 0, 0);
    has_shape(apart.graph, 0, 0);
    add(d.graph, node(&d, 'A'), child_op(child.graph, 0));
    has_shape(d.graph, 0, 2);
    has_shape(d.graph, RILL_DOT_VERBOSE, 2);
}

static void labels_and_kernels_are_named(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node k = add(g, NULL, kernel_op(kernel(f, &nop_function), NULL));
    ok(rill_graph_set_label(g, "the whole"));
    ok(rill_node_set_label(g, k, "a \"first\" step\\"));
    const struct text *text = dot_of(g, 0);
    assert_int_equal(count_of(text, "the whole"), 1);
    assert_int_equal(count_of(text, "a \\\"first\\\" step\\\\"), 1);
    assert_int_equal(count_of(text, "nop"), 1);
    ok(rill_node_set_label(g, k, NULL));
    assert_int_equal(count_of(dot_of(g, 0), "step"), 0);
}

static void flags_add_what_nodes_do(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    op.kernel.grid.x = 4711;
    add(g, NULL, op);
    assert_int_equal(count_of(dot_of(g, 0), "4711"), 0);
    assert_int_equal(count_of(dot_of(g, RILL_DOT_MEMSET_PARAMS), "4711"), 0);
    assert_int_equal(count_of(dot_of(g, RILL_DOT_KERNEL_PARAMS), "4711"), 1);
    assert_int_equal(count_of(dot_of(g, RILL_DOT_VERBOSE), "4711"), 1);
}

static void text_that_nobody_takes_ends_the_call(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    for (int i = 0; i < 1000; i++) add(g, NULL, empty_op());
    struct text *text = calloc(1, sizeof *text);
    assert_non_null(text);
    text->most = 3;
    is(RILL_ERROR_OPERATING_SYSTEM, rill_graph_write_dot(g, 0, write_text, text));
    blames("rill_graph_write_dot", "write");
    assert_int_equal(text->pieces, 3);
    free(text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_edge_is_an_arrow),
    cmocka_unit_test(labels_and_kernels_are_named),
    cmocka_unit_test(flags_add_what_nodes_do),
    cmocka_unit_test(text_that_nobody_takes_ends_the_call),
};

SUITE_GROUP(graph_text, 1);
