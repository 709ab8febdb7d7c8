/* SPDX-License-Identifier: Apache-2.0
 *
 * The number of a graph's shape: the same for what looks the same slot by slot, however it
 * came about, and another one for whatever does not.
 */
#include "sim/machine.h"

#include "backend-sim/graph/fingerprint.h"
#include "backend-sim/graph/graph.h"

enum { NODES = 5, FAN = 300 };

struct ends {
    int from, to;
};

static const struct ends diamond[] = { { 0, 1 }, { 0, 2 }, { 1, 3 }, { 2, 3 }, { 3, 4 } };
#define EDGES (sizeof diamond / sizeof *diamond)

struct drawn {
    rill_graph *graph;
    rill_node nodes[NODES];
};

static struct drawn draw(struct machine *m, rill_op_kind last)
{
    struct drawn drawn = { .graph = machine_graph(m->context[0]) };
    for (int i = 0; i < NODES; i++) {
        rill_op op = { .kind = RILL_OP_EMPTY };
        if (i == NODES - 1 && last == RILL_OP_HOST)
            op = (rill_op){ .kind = last, .host = { .fn = free } };
        ok(rill_graph_add_node(drawn.graph, NULL, 0, &op, &drawn.nodes[i]));
    }
    return drawn;
}

static rill_status join(struct drawn *drawn, struct ends ends)
{
    return rill_graph_add_edges(drawn->graph, &drawn->nodes[ends.from], &drawn->nodes[ends.to],
                                NULL, 1);
}

static void part(struct drawn *drawn, struct ends ends)
{
    ok(rill_graph_remove_edges(drawn->graph, &drawn->nodes[ends.from], &drawn->nodes[ends.to],
                               NULL, 1));
}

static struct drawn draw_diamond(struct machine *m)
{
    struct drawn drawn = draw(m, RILL_OP_EMPTY);
    for (size_t i = 0; i < EDGES; i++) ok(join(&drawn, diamond[i]));
    return drawn;
}

static uint64_t shape(const struct drawn *drawn)
{
    return sim_graph_fingerprint(sim_graph_of(drawn->graph));
}

/* Erases it. */
static uint64_t last_shape(struct drawn *drawn)
{
    uint64_t number = shape(drawn);
    ok(rill_graph_destroy(&drawn->graph));
    return number;
}

static void edges_in_another_order_make_the_same_shape(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, 0);
    struct drawn one = draw_diamond(&m), other = draw(&m, RILL_OP_EMPTY);
    for (size_t i = 0; i < EDGES; i++) ok(join(&other, diamond[(i + EDGES - 1) % EDGES]));
    assert_true(shape(&one) == shape(&other));
    assert_true(last_shape(&one) == last_shape(&other));
    machine_close(&m);
}

static void what_differs_has_another_shape(void **state)
{
    static const struct ends changed[][EDGES] = {
        { { 0, 1 }, { 0, 2 }, { 1, 3 }, { 2, 3 }, { 2, 4 } },
        { { 0, 2 }, { 0, 1 }, { 1, 3 }, { 2, 3 }, { 3, 4 } }, /* other places behind  */
        { { 0, 1 }, { 0, 2 }, { 2, 3 }, { 1, 3 }, { 3, 4 } }, /* other places before  */
        { { 1, 0 }, { 0, 2 }, { 1, 3 }, { 2, 3 }, { 3, 4 } },
    };
    struct machine m;
    (void)state;
    machine_open(&m, 0);
    struct drawn drawn = draw_diamond(&m);
    const uint64_t wanted = last_shape(&drawn);
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        drawn = draw(&m, RILL_OP_EMPTY);
        for (size_t e = 0; e < EDGES; e++) ok(join(&drawn, changed[i][e]));
        assert_true(last_shape(&drawn) != wanted);
    }
    drawn = draw(&m, RILL_OP_HOST);
    for (size_t e = 0; e < EDGES; e++) ok(join(&drawn, diamond[e]));
    assert_true(last_shape(&drawn) != wanted);
    machine_close(&m);
}

/* Of what was cut the number is counted anew, and is that of a graph that was built so. */
static void a_graph_that_was_cut_has_the_shape_that_is_left(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, 0);
    struct drawn whole = draw_diamond(&m), cut = draw_diamond(&m), built = draw(&m, RILL_OP_EMPTY);
    part(&cut, diamond[2]);
    for (size_t i = 0; i < EDGES; i++)
        if (i != 2) ok(join(&built, diamond[i]));
    assert_true(shape(&cut) != shape(&whole));
    assert_true(shape(&cut) == shape(&built));
    ok(join(&cut, (struct ends){ 0, 3 }));
    ok(join(&built, (struct ends){ 0, 3 }));
    assert_true(last_shape(&cut) == last_shape(&built));
    ok(rill_graph_destroy(&whole.graph));
    machine_close(&m);
}

static void a_clone_has_the_same_shape(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, 0);
    struct drawn drawn = draw_diamond(&m), clone = drawn;
    ok(rill_graph_clone(drawn.graph, &clone.graph));
    assert_true(last_shape(&clone) == last_shape(&drawn));
    machine_close(&m);
}

/* Nothing was ever behind a node of the fan. */
static bool never_turned(const struct drawn *drawn, const rill_node *fan)
{
    const struct sim_graph *graph = sim_graph_of(drawn->graph);
    for (int i = 0; i < FAN; i++)
        if (sim_node_leaf_order(sim_node(graph, sim_node_slot(fan[i])))) return false;
    return true;
}

/* Edges of a call that fails are taken back, and so is what they added.  A fan asks for
 * memory again and again. */
static void edges_that_memory_was_short_for_leave_the_shape(void **state)
{
    struct machine m;
    int failed = 0;
    (void)state;
    machine_open(&m, 0);
    struct drawn drawn = draw_diamond(&m);
    rill_node from[FAN], to[FAN];
    for (int i = 0; i < FAN; i++) {
        rill_op op = { .kind = RILL_OP_EMPTY };
        from[i] = drawn.nodes[0];
        ok(rill_graph_add_node(drawn.graph, NULL, 0, &op, &to[i]));
    }
    const uint64_t before = shape(&drawn);
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    for (long nth = 0; status; nth++) {
        rl_alloc_fail_after(nth);
        status = rill_graph_add_edges(drawn.graph, from, to, NULL, FAN);
        rl_alloc_fail_after(-1);
        failed += status != RILL_SUCCESS;
        assert_true((shape(&drawn) == before) == (status != RILL_SUCCESS));
    }
    assert_true(failed > 1);
    ok(rill_graph_destroy(&drawn.graph));
    machine_close(&m);
}

/* Ends are told apart by when they became such (pairing.h): those that an edge was taken
 * back from are what they were. */
static void edges_that_memory_was_short_for_leave_the_ends(void **state)
{
    struct machine m;
    int failed = 0;
    (void)state;
    machine_open(&m, 0);
    struct drawn drawn = draw(&m, RILL_OP_EMPTY);
    rill_node from[FAN], to[FAN];
    for (int i = 0; i < FAN; i++) {
        rill_op op = { .kind = RILL_OP_EMPTY };
        to[i] = drawn.nodes[NODES - 1];
        ok(rill_graph_add_node(drawn.graph, NULL, 0, &op, &from[i]));
    }
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    for (long nth = 0; status; nth++) {
        rl_alloc_fail_after(nth);
        status = rill_graph_add_edges(drawn.graph, from, to, NULL, FAN);
        rl_alloc_fail_after(-1);
        failed += status != RILL_SUCCESS;
        assert_true(!status || never_turned(&drawn, from));
    }
    assert_true(failed > 1);
    ok(rill_graph_destroy(&drawn.graph));
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_in_another_order_make_the_same_shape),
        cmocka_unit_test(what_differs_has_another_shape),
        cmocka_unit_test(a_graph_that_was_cut_has_the_shape_that_is_left),
        cmocka_unit_test(a_clone_has_the_same_shape),
        cmocka_unit_test(edges_that_memory_was_short_for_leave_the_shape),
        cmocka_unit_test(edges_that_memory_was_short_for_leave_the_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
