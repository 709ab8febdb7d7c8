/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs as Graphviz text.  Words and shapes are the driver's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/graphs/drawing.h"

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

static void words_only(void)
{
    if (!suite->expects.words_graph_text) skip_since("the words of the text are the driver's own");
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
    assert_int_equal(count_of(dot_of(g, 0), "<4711,"), 0);
    assert_int_equal(count_of(dot_of(g, RILL_DOT_MEMSET_PARAMS), "<4711,"), 0);
    assert_int_equal(count_of(dot_of(g, RILL_DOT_KERNEL_PARAMS), "<4711,"), 1);
    assert_int_equal(count_of(dot_of(g, RILL_DOT_VERBOSE), "<4711,"), 1);
}

/* A box of its own kind for each, and what one flag alone makes of it; as measured on
 * an H200, driver 580. */
static void every_kind_has_its_words(void **state)
{
    words_only();
    struct fixture *f = *state;
    rill_devptr d = device_words(f, 64), address;
    static uint32_t page;
    const rill_value values[] = {
        { RILL_VALUE_WRITE_32, 0, d, 5 }, { RILL_VALUE_WAIT_64, 1, d, 7 },
    };
    rill_event *event = new_event(f);
    rill_op wide = fill_op(d, 0x1234, 5);
    wide.memset.height = 3;
    wide.memset.pitch = 64;
    const struct {
        rill_op op;
        const char *plain;
        uint32_t flag;
        const char *more;
    } kinds[] = {
        { kernel_op(kernel(f, &nop_function), NULL), "shape=\"octagon\" label=\"0\nnop\n\"]",
          RILL_DOT_KERNEL_PARAMS, "nop\n\\<\\<\\<1,1,0\\>\\>\\>\"]" },
        { kernel_op(kernel(f, &nop_function), NULL), "shape=\"octagon\"",
          RILL_DOT_KERNEL_ATTRIBUTES, "{KERNEL\n| {ID | 0 | nop}\n| {accessPolicyWindow" },
        { copy_op(rill_device_place(d), rill_host_place(&page), 4),
          "shape=\"trapezium\" label=\"0\nMEMCPY\n(HtoD,4)\n", RILL_DOT_MEMCPY_PARAMS,
          "{HOST (HOST PAGEABLE) | " },
        { wide, "shape=\"invtrapezium\" label=\"0\nMEMSET\n(4660,60)\n", RILL_DOT_MEMSET_PARAMS,
          " | 64 | 4660 | 4 | 5 | 3}}" },
        { host_op(count_up, &page), "label=\"0\nHOST\n\"]", RILL_DOT_HOST_PARAMS, "userData: 0x" },
        { event_op(RILL_OP_EVENT_RECORD, event), "label=\"0\nEVENT_RECORD\n\"]",
          RILL_DOT_EVENT_PARAMS, "event: 0x" },
        { event_op(RILL_OP_EVENT_WAIT, event), "label=\"0\nEVENT_WAIT\n\"]",
          RILL_DOT_EVENT_PARAMS, "event: 0x" },
        { values_op(values, 2), "label=\"0\nBATCH_MEM_OP\n\"]", RILL_DOT_VALUES_PARAMS,
          " | 0x00000005 | DEFAULT\n| WAIT_VALUE_64 | " },
        { alloc_op(1000), "label=\"0\nMEM_ALLOC\n\"]", RILL_DOT_ALLOC_PARAMS,
          "| {{bytesize | dptr} | {1000 | 0x" },
        { empty_op(), "label=\"0\nEMPTY\n\"]", RILL_DOT_HANDLES, "EMPTY\nnode handle: 0x" },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        rill_graph *g = new_graph(f);
        add(g, NULL, kinds[i].op);
        assert_int_equal(count_of(dot_of(g, 0), kinds[i].plain), 1);
        assert_int_equal(count_of(dot_of(g, 0), kinds[i].more), 0);
        const uint32_t others = ~(RILL_DOT_VERBOSE | kinds[i].flag);
        assert_int_equal(count_of(dot_of(g, others), kinds[i].more), 0);
        assert_int_equal(count_of(dot_of(g, kinds[i].flag), kinds[i].more), 1);
        assert_int_not_equal(count_of(dot_of(g, RILL_DOT_VERBOSE), "(topoId: 0)"), 0);
    }
    rill_graph *g = new_graph(f);
    rill_node alloc = add_alloc(g, NULL, 64, &address);
    add(g, alloc, free_op(address));
    assert_int_equal(count_of(dot_of(g, 0), "label=\"1\nMEM_FREE\n\"]"), 1);
    assert_int_equal(count_of(dot_of(g, RILL_DOT_FREE_PARAMS), "| {{dptr} | {0x"), 1);
}

static void bodies_are_named_in_their_conditional(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *bodies[3];
    static const struct {
        rill_conditional_kind kind;
        uint32_t count;
        const char *last;
    } kinds[] = {
        { RILL_CONDITIONAL_IF, 2, "| {False| graph_" },
        { RILL_CONDITIONAL_WHILE, 1, "| {True|graph_" },
        { RILL_CONDITIONAL_SWITCH, 3, "| {2|  graph_" },
    };
    for (size_t i = 0; i < 3; i++) {
        rill_conditional handle;
        rill_node node;
        ok(rill_conditional_create(g, 0, 0, &handle));
        ok(rill_graph_add_conditional(g, NULL, 0, handle, kinds[i].kind, kinds[i].count, bodies,
                                      &node));
        assert_int_equal(count_of(dot_of(g, 0), kinds[i].last), 1);
    }
    assert_int_equal(count_of(dot_of(g, 0), "subgraph cluster_"), 7);
    assert_int_equal(count_of(dot_of(g, RILL_DOT_CONDITIONAL_PARAMS), "Conditional Handle"), 0);
    assert_int_equal(count_of(dot_of(g, RILL_DOT_VERBOSE), "Conditional Handle"), 3);
}

/* Those that nothing depends on come first, the youngest of them in front; then those
 * before them, and so on. */
static void nodes_are_ranked_from_the_ends(void **state)
{
    struct drawing d = draw(*state, "A B:A C:B D:B E F:E G:E H:DC");
    const struct text *text = dot_of(d.graph, RILL_DOT_EXTRA_TOPOLOGY);
    static const int ranks[] = { 7, 6, 4, 3, 5, 2, 1, 0 };
    for (int i = 0; i < 8; i++) {
        char words[64];
        snprintf(words, sizeof words, "label=\"%d (topoId: %d)\n", i, ranks[i]);
        assert_int_equal(count_of(text, words), 1);
    }
    assert_int_equal(count_of(text, "[headlabel=0]"), 6);
    assert_int_equal(count_of(text, "_node_2\" -> \"graph_"), 1);
    assert_int_equal(count_of(text, "[headlabel=1]"), 1);
    assert_int_equal(count_of(dot_of(d.graph, ~RILL_DOT_EXTRA_TOPOLOGY & ~RILL_DOT_VERBOSE),
                              "topoId"), 0);
    ok(join(&d, "H>A")); /* a circle has ranks, too */
    assert_int_equal(count_of(dot_of(d.graph, RILL_DOT_EXTRA_TOPOLOGY), "topoId"), 8);
}

/* Behind its parent, level by level. */
static void a_child_is_a_cluster_of_its_own(void **state)
{
    words_only();
    struct fixture *f = *state;
    struct drawing inner = draw(f, "A"), outer = draw(f, "A"), d = draw(f, "A");
    add(outer.graph, NULL, child_op(inner.graph, 0));
    add(d.graph, NULL, child_op(outer.graph, 0));
    add(d.graph, NULL, child_op(inner.graph, 0));
    ok(rill_graph_set_label(d.graph, "top"));
    const struct text *text = dot_of(d.graph, 0);
    assert_int_equal(count_of(text, "subgraph cluster_"), 4);
    assert_int_equal(count_of(text, "}\nsubgraph cluster_"), 3);
    assert_int_equal(count_of(text, "EMPTY"), 4);
    assert_int_equal(count_of(text, "'top'"), 1);
}

/* The words of a record, too, whatever they hold. */
static void labels_do_not_end_a_field(void **state)
{
    words_only();
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node k = add(g, NULL, kernel_op(kernel(f, &nop_function), NULL));
    ok(rill_node_set_label(g, k, "a|b{c}<\"d\">\n"));
    assert_int_equal(count_of(dot_of(g, 0), "'a|b{c}<\\\"d\\\">\\n'"), 1);
    assert_int_equal(count_of(dot_of(g, RILL_DOT_VERBOSE),
                              "| {label | 'a\\|b\\{c\\}\\<\\\"d\\\"\\>\\n'}"), 1);
}

static void text_that_nobody_takes_ends_the_call(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    for (int i = 0; i < 1000; i++) add(g, NULL, empty_op());
    struct text *text = calloc(1, sizeof *text);
    assert_non_null(text);
    text->most = 3;
    refuses(RILL_ERROR_OPERATING_SYSTEM, "write", rill_graph_write_dot(g, 0, write_text, text));
    assert_int_equal(text->pieces, 3);
    free(text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_edge_is_an_arrow),
    cmocka_unit_test(labels_and_kernels_are_named),
    cmocka_unit_test(flags_add_what_nodes_do),
    cmocka_unit_test(every_kind_has_its_words),
    cmocka_unit_test(bodies_are_named_in_their_conditional),
    cmocka_unit_test(nodes_are_ranked_from_the_ends),
    cmocka_unit_test(a_child_is_a_cluster_of_its_own),
    cmocka_unit_test(labels_do_not_end_a_field),
    cmocka_unit_test(text_that_nobody_takes_ends_the_call),
};

SUITE_GROUP(graph_text, 1);
