/* SPDX-License-Identifier: Apache-2.0
 *
 * What graphs cost, and what they are like after an allocation failed: as they
 * were.
 */
#include <malloc.h>

#include "sim/machine.h"
#include "support/glibc.h"

static rill_op empty_op(void)
{
    return (rill_op){ .kind = RILL_OP_EMPTY };
}

static void do_nothing(void *data)
{
    (void)data;
}

static rill_op host_op(void)
{
    rill_op op = { .kind = RILL_OP_HOST };
    op.host = (rill_host_op){ do_nothing, NULL, do_nothing };
    return op;
}

static rill_node add(rill_graph *graph, const rill_node *before, size_t count, rill_op op)
{
    rill_node node = NULL;
    ok(rill_graph_add_node(graph, before, count, &op, &node));
    return node;
}

static size_t edges_of(rill_graph *graph)
{
    size_t count = 0;
    ok(rill_graph_edges(graph, NULL, NULL, NULL, &count));
    return count;
}

/* ---- Memory and time ----------------------------------------------------------------- */

/* What the allocator has handed out, its own share included; 0 where that is
 * not known: sanitizers have allocators of their own. */
static size_t in_use(void)
{
#if GLIBC_SINCE(2, 33)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

#define NODES_MOST 192 /* bytes for a node with its host function */
#define EDGES_MOST 16

/* Each node depends on the four before it. */
static void a_node_and_an_edge_cost_what_they_may(void **state)
{
    int nodes = scaled(1000000);
    struct machine m;
    (void)state;
    machine_open(&m, 64 * MIB);
    rill_node *node = calloc((size_t)nodes, sizeof *node);
    assert_non_null(node);
    size_t before = in_use();
    rill_graph *g = machine_graph(m.context[0]);
    for (int i = 0; i < nodes; i++) {
        int first = i < 4 ? 0 : i - 4;
        node[i] = add(g, node + first, (size_t)(i - first), host_op());
    }
    size_t after = in_use(), edges = edges_of(g);
    if (after > before + (size_t)nodes) {
        print_message("%d nodes, %zu edges: %zu bytes, %.1f for a node if an edge takes %d\n",
                      nodes, edges, after - before,
                      (double)(after - before - EDGES_MOST * edges) / nodes, EDGES_MOST);
        assert_true(after - before <= (size_t)nodes * NODES_MOST + edges * EDGES_MOST);
    }
    ok(rill_graph_destroy(&g));
    free(node);
    machine_close(&m);
}

/* graph.large_fan, larger: built, joined, and taken down in three orders. */
static void a_fan_of_many_is_built_and_taken_down(void **state)
{
    enum { IN_ORDER, BACKWARDS, AT_ONCE, WAYS };
    int width = scaled(200000);
    struct machine m;
    (void)state;
    machine_open(&m, 64 * MIB);
    rill_node *node = calloc((size_t)width, sizeof *node);
    assert_non_null(node);
    for (int way = 0; way < WAYS; way++) {
        rill_graph *g = machine_graph(m.context[0]);
        rill_node hub = add(g, NULL, 0, empty_op());
        for (int i = 0; i < width; i++) node[i] = add(g, &hub, 1, empty_op());
        add(g, node, (size_t)width, empty_op());
        assert_int_equal(edges_of(g), 2 * width);
        for (int i = 0; way == IN_ORDER && i < width; i++)
            ok(rill_graph_remove_node(g, node[i]));
        for (int i = width; way == BACKWARDS && i--;) ok(rill_graph_remove_node(g, node[i]));
        if (way == AT_ONCE) ok(rill_graph_remove_node(g, hub));
        assert_int_equal(edges_of(g), way == AT_ONCE ? width : 0);
        ok(rill_graph_destroy(&g));
    }
    free(node);
    machine_close(&m);
}

/* All edges of a fan in one call each. */
static void many_edges_are_added_and_removed_in_one_call(void **state)
{
    int width = scaled(200000);
    struct machine m;
    (void)state;
    machine_open(&m, 64 * MIB);
    rill_graph *g = machine_graph(m.context[0]);
    rill_node *from = calloc((size_t)width, sizeof *from), *to = calloc((size_t)width, sizeof *to);
    assert_true(from && to);
    from[0] = add(g, NULL, 0, empty_op());
    for (int i = 0; i < width; i++) {
        from[i] = from[0];
        to[i] = add(g, NULL, 0, empty_op());
    }
    ok(rill_graph_add_edges(g, from, to, NULL, (size_t)width));
    assert_int_equal(edges_of(g), width);
    ok(rill_graph_remove_edges(g, from, to, NULL, (size_t)width));
    ok(rill_graph_add_edges(g, to, from, NULL, (size_t)width));
    assert_int_equal(edges_of(g), width);
    ok(rill_graph_remove_edges(g, to, from, NULL, (size_t)width));
    assert_int_equal(edges_of(g), 0);
    ok(rill_graph_destroy(&g));
    free(from);
    free(to);
    machine_close(&m);
}

static void graphs_nest_up_to_a_limit(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, 64 * MIB);
    rill_graph *g = machine_graph(m.context[0]);
    rill_status status = RILL_SUCCESS;
    int depth = 0;
    for (; !status && depth < 1000; depth++) {
        rill_graph *outer = machine_graph(m.context[0]);
        rill_op op = { .kind = RILL_OP_GRAPH };
        rill_node node = NULL;
        op.graph = (rill_graph_op){ g, RILL_CHILD_MOVE };
        status = rill_graph_add_node(outer, NULL, 0, &op, &node);
        if (status) {
            blames("op->graph.graph", "nest", "deep");
            ok(rill_graph_destroy(&outer));
        } else {
            g = outer;
        }
    }
    assert_int_equal(status, RILL_ERROR_NOT_SUPPORTED);
    assert_true(depth > 100);
    rill_graph *clone = NULL;
    ok(rill_graph_clone(g, &clone));
    ok(rill_graph_destroy(&clone));
    ok(rill_graph_destroy(&g));
    machine_close(&m);
}

/* ---- Allocations that fail ------------------------------------------------------------- */

struct text {
    char bytes[1 << 15];
    size_t used;
};

static int write_text(void *data, const char *bytes, size_t count)
{
    struct text *text = data;
    if (text->used + count >= sizeof text->bytes) return 1;
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    text->bytes[text->used] = '\0';
    return 0;
}

static void read_graph(rill_graph *graph, struct text *text)
{
    text->used = 0;
    ok(rill_graph_write_dot(graph, RILL_DOT_VERBOSE, write_text, text));
}

#define FAN 40

struct scene {
    struct machine machine;
    rill_graph *graph, *child, *moving, *clone;
    rill_node fan[FAN];
    rill_user_object *object, *other;
};

static rill_status add_wide(struct scene *s)
{
    rill_op op = host_op();
    rill_node node;
    return rill_graph_add_node(s->graph, s->fan, FAN, &op, &node);
}

static rill_status add_edges(struct scene *s)
{
    rill_node from[FAN - 2], to[FAN - 2];
    for (int i = 0; i < FAN - 2; i++) {
        from[i] = s->fan[i];
        to[i] = s->fan[FAN - 1 - i % 2];
    }
    return rill_graph_add_edges(s->graph, from, to, NULL, FAN - 2);
}

static rill_status add_copy(struct scene *s)
{
    rill_op op = { .kind = RILL_OP_GRAPH };
    rill_node node;
    op.graph = (rill_graph_op){ s->child, 0 };
    return rill_graph_add_node(s->graph, s->fan, 30, &op, &node);
}

static rill_status move_in(struct scene *s)
{
    rill_op op = { .kind = RILL_OP_GRAPH };
    rill_node node;
    op.graph = (rill_graph_op){ s->moving, RILL_CHILD_MOVE };
    rill_status status = rill_graph_add_node(s->graph, s->fan, 30, &op, &node);
    if (!status) s->moving = NULL;
    return status;
}

static rill_status make_clone(struct scene *s)
{
    return rill_graph_clone(s->graph, &s->clone);
}

static rill_status set_label(struct scene *s)
{
    return rill_node_set_label(s->graph, s->fan[3], "a label that is set");
}

static rill_status retain(struct scene *s)
{
    return rill_graph_retain_user_object(s->graph, s->other, 1, 0);
}

static void set_scene(struct scene *s)
{
    memset(s, 0, sizeof *s);
    machine_open(&s->machine, 64 * MIB);
    s->graph = machine_graph(s->machine.context[0]);
    s->child = machine_graph(s->machine.context[0]);
    s->moving = machine_graph(s->machine.context[0]);
    ok(rill_user_object_create(s->machine.platform, NULL, do_nothing, 1, &s->object));
    ok(rill_user_object_create(s->machine.platform, NULL, do_nothing, 1, &s->other));
    rill_node a = add(s->child, NULL, 0, host_op());
    ok(rill_node_set_label(s->child, a, "inside"));
    for (int i = 0; i < 10; i++) add(s->child, &a, 1, host_op());
    ok(rill_graph_retain_user_object(s->child, s->object, 2, 0));
    rill_op op = { .kind = RILL_OP_GRAPH };
    op.graph = (rill_graph_op){ s->child, 0 };
    add(s->moving, NULL, 0, op);
    add(s->graph, NULL, 0, op);
    for (int i = 0; i < FAN; i++) s->fan[i] = add(s->graph, NULL, 0, empty_op());
    ok(rill_graph_retain_user_object(s->graph, s->object, 1, 0));
}

static void strike_scene(struct scene *s)
{
    rill_graph_destroy(&s->clone);
    rill_graph_destroy(&s->moving);
    ok(rill_graph_destroy(&s->graph));
    ok(rill_graph_destroy(&s->child));
    ok(rill_user_object_release(&s->object, 1));
    ok(rill_user_object_release(&s->other, 1));
    machine_close(&s->machine);
}

/* With the first allocation failing, then the second, until none is left to. */
static int fail_each(rill_status (*make)(struct scene *))
{
    static struct text was, is_now;
    struct scene s;
    int failures = 0;
    for (rill_status status = RILL_ERROR_OUT_OF_MEMORY; status; failures++) {
        set_scene(&s);
        read_graph(s.graph, &was);
        rl_alloc_fail_after(failures);
        status = make(&s);
        rl_alloc_fail_after(-1);
        if (status) {
            assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
            read_graph(s.graph, &is_now);
            assert_string_equal(is_now.bytes, was.bytes);
            ok(make(&s));
        }
        strike_scene(&s);
    }
    return failures - 1;
}

static void a_graph_is_as_it_was_when_memory_is_short(void **state)
{
    static rill_status (*const calls[])(struct scene *) = {
        add_wide, add_edges, add_copy, move_in, make_clone, set_label, retain,
    };
    long live = rl_alloc_live();
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) assert_true(fail_each(calls[i]) > 0);
    assert_true(comes_down_to(live));
}

/* ---- What dot thinks of it --------------------------------------------------------------- */

static int write_pipe(void *data, const char *bytes, size_t count)
{
    return fwrite(bytes, 1, count, data) != count;
}

static void dot_takes_the_text(void **state)
{
    struct scene s;
    (void)state;
    if (system("command -v dot >/dev/null 2>&1")) skip();
    set_scene(&s);
    ok(add_wide(&s));
    ok(add_edges(&s));
    ok(rill_graph_set_label(s.graph, "a \"label\" \\ with\nall { kinds } of <signs> |"));
    ok(rill_node_set_label(s.graph, s.fan[0], "\\N \\\" \"\" \\"));
    for (int verbose = 0; verbose < 2; verbose++) {
        FILE *pipe = popen("dot -Tcanon >/dev/null", "w");
        assert_non_null(pipe);
        ok(rill_graph_write_dot(s.graph, verbose ? RILL_DOT_VERBOSE : 0, write_pipe, pipe));
        assert_int_equal(pclose(pipe), 0);
    }
    strike_scene(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_and_an_edge_cost_what_they_may),
        cmocka_unit_test(a_fan_of_many_is_built_and_taken_down),
        cmocka_unit_test(many_edges_are_added_and_removed_in_one_call),
        cmocka_unit_test(graphs_nest_up_to_a_limit),
        cmocka_unit_test(a_graph_is_as_it_was_when_memory_is_short),
        cmocka_unit_test(dot_takes_the_text),
    };
    return cmocka_run_group_tests_name("graphs", tests, NULL, NULL);
}
