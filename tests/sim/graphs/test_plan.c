/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans: whichever way threads share one, each node runs once, and behind those that it
 * depends on.
 */
#include "sim/machine.h"

#include "backend-sim/program/gang/gang.h"
#include "backend-sim/program/plan_draft.h"
#include "support/random.h"

enum { NODES = 400, NODES_MOST = 1024, EDGES_MOST = 8 };

static struct machine m;

static int open_machine(void **state)
{
    (void)state;
    machine_open(&m, 0);
    return 0;
}

static int close_machine(void **state)
{
    (void)state;
    machine_close(&m);
    return 0;
}

/* ---- Programs ----------------------------------------------------------------------- */

/* Layers of `width` nodes, each behind some nodes of the `reach` layers before. */
struct look {
    int nodes, width, edges, reach;
    int chains;            /* of 100 nodes so many have a single one before them   */
    uint32_t short_ns, long_ns;
    int longs;             /* of 100 nodes so many are long                        */
};

static struct look any_look(struct dice *dice)
{
    static const uint32_t costs[] = { 5, 100, 1000, 3000, 40000 };
    struct look look = {
        .nodes = 1 + dice_below(dice, NODES),
        .width = 1 + dice_below(dice, 40),
        .edges = 1 + dice_below(dice, EDGES_MOST),
        .reach = 1 + dice_below(dice, 3),
        .chains = dice_chance(dice, 30) ? dice_below(dice, 100) : 0,
        .short_ns = costs[dice_below(dice, 4)],
        .long_ns = costs[dice_below(dice, 5)],
        .longs = dice_chance(dice, 50) ? dice_below(dice, 100) : 0,
    };
    return look;
}

static rill_node any_before(struct dice *dice, const struct look *look, int i,
                            const rill_node *nodes)
{
    int layer = i / look->width, first = layer > look->reach ? layer - look->reach : 0;
    int begin = dice_chance(dice, 80) ? layer - 1 : first;
    return nodes[begin * look->width + dice_below(dice, (layer - begin) * look->width)];
}

static void add_edge(rill_graph *graph, rill_node from, rill_node to)
{
    (void)rill_graph_add_edges(graph, &from, &to, NULL, 1); /* there may be one already */
}

static struct program *freeze(struct dice *dice, const struct look *look)
{
    rill_node nodes[NODES_MOST];
    rill_graph *graph;
    struct program *program;
    struct freeze_failure failure;
    ok(rill_graph_create(m.context[0], NULL, &graph));
    for (int i = 0; i < look->nodes; i++) {
        rill_op op = { .kind = RILL_OP_EMPTY };
        ok(rill_graph_add_node(graph, NULL, 0, &op, &nodes[i]));
        int edges = i < look->width ? 0 : dice_chance(dice, look->chains) ? 1 : look->edges;
        for (int e = 0; e < edges; e++)
            add_edge(graph, any_before(dice, look, i, nodes), nodes[i]);
    }
    ok(sim_program_freeze(sim_graph_of(graph), sim_context_of(m.context[0]), &program, &failure));
    ok(rill_graph_destroy(&graph));
    program->run.costs = rl_alloc(program->count * sizeof *program->run.costs);
    assert_non_null(program->run.costs);
    uint32_t clock = (uint32_t)rl_monotonic_cost_ns() * 3 / 2;
    for (uint32_t p = 0; p < program->count; p++)
        program->run.costs[p] = clock + (dice_chance(dice, look->longs) ? look->long_ns
                                                                    : look->short_ns);
    return program;
}

/* ---- A run of a plan ------------------------------------------------------------------ */

struct run {
    const struct program *program;
    const struct plan *plan;
    uint32_t before[NODES_MOST]; /* by place: nodes that have yet to run; those that may */
    uint32_t joins[NODES_MOST];  /* by cluster                                           */
    uint32_t ready[NODES_MOST], ready_count;
    uint32_t clusters, nodes;    /* that ran */
};

static void run_node(struct run *run, uint32_t place)
{
    const struct program *program = run->program;
    assert_int_equal(run->before[place], 0);
    run->before[place] = NODE_NONE; /* and not again */
    for (uint32_t e = program->edge_starts[place]; e < program->edge_starts[place + 1]; e++)
        run->before[program->successors[e]]--;
    run->nodes++;
}

static void run_cluster(struct run *run, uint32_t c)
{
    const struct plan *plan = run->plan;
    for (uint32_t i = plan->clusters[c].begin; i < plan->clusters[c].end; i++)
        run_node(run, plan->order[i]);
    run->clusters++;
    for (uint32_t i = plan->edge_starts[c]; i < plan->edge_starts[c + 1]; i++) {
        uint32_t behind = plan->successors[i];
        if (plan->clusters[c].opens) {
            assert_int_equal(behind, plan->successors[plan->edge_starts[c]] +
                                         (i - plan->edge_starts[c]));
            assert_int_equal(run->joins[behind], 1);
        }
        assert_true(run->joins[behind] > 0);
        if (--run->joins[behind] == 0) run->ready[run->ready_count++] = behind;
    }
}

/* Each time one of those that are ready, whichever. */
static void run_in_any_order(struct dice *dice, const struct program *program,
                             const struct plan *plan)
{
    static struct run run;
    run = (struct run){ .program = program, .plan = plan };
    for (uint32_t p = 0; p < program->count; p++) run.before[p] = program->in_degrees[p];
    for (uint32_t c = 0; c < plan->count; c++) {
        run.joins[c] = plan->clusters[c].joins;
        assert_true((run.joins[c] == 0) == (c < plan->roots));
        if (!run.joins[c]) run.ready[run.ready_count++] = c;
    }
    while (run.ready_count) {
        uint32_t at = (uint32_t)dice_below(dice, (int)run.ready_count), c = run.ready[at];
        run.ready[at] = run.ready[--run.ready_count];
        run_cluster(&run, c);
    }
    assert_int_equal(run.clusters, plan->count);
    assert_int_equal(run.nodes, program->count);
}

static void any_plan_runs_every_node_once_and_in_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)scaled(600); seed++) {
        struct dice dice = { seed };
        struct look look = any_look(&dice);
        struct program *program = freeze(&dice, &look);
        struct plan *plan = sim_plan_make(program, 2 + (uint32_t)dice_below(&dice, 7));
        assert_non_null(plan);
        assert_true(plan->count <= program->count); /* a gang has room for so many */
        for (int i = 0; i < 3; i++) run_in_any_order(&dice, program, plan);
        sim_plan_free(plan);
        sim_program_free(program);
    }
}

/* ---- What it looks like ----------------------------------------------------------------- */

static struct plan *plan_of(const struct look *look, uint32_t threads)
{
    struct dice dice = { 1 };
    struct program *program = freeze(&dice, look);
    struct plan *plan = sim_plan_make(program, threads);
    assert_non_null(plan);
    sim_program_free(program);
    return plan;
}

static uint32_t nodes_in(const struct plan *plan, uint32_t cluster)
{
    return plan->clusters[cluster].end - plan->clusters[cluster].begin;
}

/* However late a thread is, there is little that the others could not do for it. */
static void clusters_of_a_level_become_smaller_towards_its_end(void **state)
{
    static const struct look look = { .nodes = 100, .width = 100, .short_ns = 1000 };
    struct plan *plan = plan_of(&look, 2);
    (void)state;
    assert_int_equal(nodes_in(plan, 0), 25);
    for (uint32_t c = 1; c < plan->count; c++)
        assert_true(nodes_in(plan, c) <= nodes_in(plan, c - 1));
    assert_int_equal(nodes_in(plan, plan->count - 1), 1);
    sim_plan_free(plan);
}

/* Returns how many nodes a lane has of a level of 100, one of several with barriers between. */
static uint32_t nodes_in_lane(const struct plan *plan, uint32_t level, uint32_t lane,
                              uint32_t lanes)
{
    uint32_t c = 0, nodes = 0, in_lane = 0;
    while (nodes < level * 100) nodes += nodes_in(plan, c++);
    for (uint32_t i = 0; nodes < (level + 1) * 100; i++) {
        if (i % lanes == lane) in_lane += nodes_in(plan, c);
        nodes += nodes_in(plan, c++);
    }
    return in_lane;
}

/* Members draw from lanes of their own, each of which has every so-manieth cluster. */
static void behind_a_barrier_lanes_hold_the_same_but_for_one_node(void **state)
{
    static const struct look look = { .nodes = 300, .width = 100, .edges = 8, .reach = 1,
                                      .short_ns = 1000 };
    (void)state;
    for (uint32_t lanes = 2; lanes <= 32; lanes++) {
        struct plan *plan = plan_of(&look, lanes);
        for (uint32_t lane = 0; lane < lanes; lane++)
            assert_in_range(nodes_in_lane(plan, 1, lane, lanes), 100 / lanes, 100 / lanes + 1);
        sim_plan_free(plan);
    }
}

/* Threads come to the first level one after the other. */
static void lanes_of_the_first_level_hold_less_and_less(void **state)
{
    static const struct look look = { .nodes = 300, .width = 100, .edges = 8, .reach = 1,
                                      .short_ns = 1000 };
    enum { LANES = 4 };
    struct plan *plan = plan_of(&look, LANES);
    (void)state;
    for (uint32_t lane = 1; lane < LANES; lane++)
        assert_true(nodes_in_lane(plan, 0, lane, LANES) < nodes_in_lane(plan, 0, lane - 1, LANES));
    sim_plan_free(plan);
}

/* Returns how many barriers there are, each of which makes all of a level ready at once. */
static uint32_t barriers_of(const struct plan *plan)
{
    uint32_t barriers = 0;
    for (uint32_t c = 0; c < plan->count; c++) {
        bool barrier = !nodes_in(plan, c);
        barriers += barrier;
        assert_true(barrier == plan->clusters[c].opens);
        for (uint32_t i = plan->edge_starts[c]; i < plan->edge_starts[c + 1]; i++) {
            uint32_t behind = plan->successors[i];
            uint32_t expected = nodes_in(plan, behind) ? NODE_NONE : behind;
            assert_int_equal(plan->clusters[c].barrier, expected);
        }
    }
    return barriers;
}

/* Edges of pairs would be a hundred and more for each. */
static void between_dense_levels_there_is_a_barrier(void **state)
{
    static const struct look look = { .nodes = 1000, .width = 100, .edges = 4, .reach = 1,
                                      .short_ns = 1000 };
    struct plan *plan = plan_of(&look, 2);
    (void)state;
    assert_int_equal(barriers_of(plan), 9);
    assert_true(plan->edge_starts[plan->count] <= 2 * plan->count);
    sim_plan_free(plan);
}

/* Clusters for many threads are small, and have an edge to few of the others: it is the number of
 * edges that counts. */
static void clusters_with_many_edges_each_have_one_after_them_too(void **state)
{
    static const struct look look = { .nodes = 1000, .width = 100, .edges = 4, .reach = 1,
                                      .short_ns = 1000 };
    struct plan *plan = plan_of(&look, 16);
    (void)state;
    assert_int_equal(barriers_of(plan), 9);
    sim_plan_free(plan);
}

static void clusters_with_few_edges_each_have_none(void **state)
{
    static const struct look look = { .nodes = 1000, .width = 100, .edges = 2, .reach = 1,
                                      .short_ns = 1000 };
    struct plan *plan = plan_of(&look, 32);
    (void)state;
    assert_int_equal(barriers_of(plan), 0);
    sim_plan_free(plan);
}

/* What does not depend on it need not wait for it. */
static void behind_a_long_chain_there_is_none(void **state)
{
    static const struct look look = { .nodes = 1000, .width = 100, .edges = 4, .reach = 1,
                                      .short_ns = 1000, .long_ns = 50000, .longs = 5 };
    struct plan *plan = plan_of(&look, 2);
    (void)state;
    for (uint32_t c = 0; c < plan->count; c++) assert_true(nodes_in(plan, c) > 0);
    sim_plan_free(plan);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_plan_runs_every_node_once_and_in_order),
        cmocka_unit_test(clusters_of_a_level_become_smaller_towards_its_end),
        cmocka_unit_test(behind_a_barrier_lanes_hold_the_same_but_for_one_node),
        cmocka_unit_test(lanes_of_the_first_level_hold_less_and_less),
        cmocka_unit_test(between_dense_levels_there_is_a_barrier),
        cmocka_unit_test(clusters_with_many_edges_each_have_one_after_them_too),
        cmocka_unit_test(clusters_with_few_edges_each_have_none),
        cmocka_unit_test(behind_a_long_chain_there_is_none),
    };
    return cmocka_run_group_tests(tests, open_machine, close_machine);
}
