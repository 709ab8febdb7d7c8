/* SPDX-License-Identifier: Apache-2.0
 *
 * Gangs from inside: runs of a program by plans that come and go, and by members that do.
 */
#include "sim/graphs/gang_scene.h"

#include "support/random.h"

enum { NODES = 60, EDGES_MOST = 4 };

/* ---- Programs that know their order --------------------------------------------------- */

static struct member {
    atomic_uint runs;
    int before[EDGES_MOST], edges;
} members[NODES];

static atomic_uint too_early;

/* Those before it ran as often as it will have by now. */
static void run_member(void *data)
{
    struct member *member = data;
    unsigned runs = atomic_load(&member->runs) + 1;
    for (int e = 0; e < member->edges; e++)
        if (atomic_load(&members[member->before[e]].runs) != runs) atomic_fetch_add(&too_early, 1);
    atomic_store(&member->runs, runs);
}

static struct program *make_program(struct dice *dice)
{
    rill_node nodes[NODES];
    rill_graph *graph = machine_graph(m.context[0]);
    for (int i = 0; i < NODES; i++) {
        rill_node before[EDGES_MOST];
        members[i] = (struct member){ .edges = i < 8 ? 0 : 1 + dice_below(dice, EDGES_MOST) };
        for (int e = 0; e < members[i].edges; e++)
            members[i].before[e] = i - 1 - (e + dice_below(dice, 2) * EDGES_MOST);
        for (int e = 0; e < members[i].edges; e++) before[e] = nodes[members[i].before[e]];
        ok(rill_graph_add_host(graph, before, (size_t)members[i].edges, run_member, &members[i],
                               NULL, &nodes[i]));
    }
    struct program *program = freeze(graph);
    assert_true(sim_plan_make_room(program));
    return program;
}

static void free_parts(struct plan *plan)
{
    rl_free(plan->clusters);
    rl_free(plan->order);
    rl_free(plan->edge_starts);
    rl_free(plan->successors);
}

/* Another plan, where the one before was. */
static void plan_anew(struct dice *dice, struct program *program)
{
    static const uint32_t costs[] = { 5, 500, 5000, 50000 };
    uint32_t usual = costs[dice_below(dice, 4)];
    for (uint32_t p = 0; p < program->count; p++)
        program->run.costs[p] = dice_chance(dice, 80) ? usual : costs[dice_below(dice, 4)];
    struct plan *made = sim_plan_make(program, 2 + (uint32_t)dice_below(dice, 3));
    assert_non_null(made);
    if (program->run.plan) free_parts(program->run.plan);
    else program->run.plan = rl_alloc(sizeof *program->run.plan);
    assert_non_null(program->run.plan);
    *program->run.plan = *made;
    rl_free(made);
    program->run.schedule = SCHEDULE_PLANNED;
}

/* The allocator may give out the same place for each plan. */
static void a_plan_in_the_place_of_another_is_another(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)scaled(60); seed++) {
        struct dice dice = { seed };
        struct program *program = make_program(&dice);
        unsigned runs = 0;
        for (int plans = 0; plans < 20; plans++) {
            plan_anew(&dice, program);
            for (int i = 0; i < 3; i++, runs++) run(program);
        }
        assert_int_equal(atomic_load(&too_early), 0);
        for (int i = 0; i < NODES; i++) assert_int_equal(atomic_load(&members[i].runs), runs);
        sim_program_free(program);
    }
}

/* ---- A crowd --------------------------------------------------------------------------- */

/* A run with one unit, which its owner keeps until it is let go. */
static atomic_bool unit_is_kept, unit_is_let_go;
static atomic_int gone; /* of the crowd */

static void keep_unit(void *data)
{
    (void)data;
    atomic_store(&unit_is_kept, true);
    while (!atomic_load(&unit_is_let_go)) sched_yield();
}

static void *run_alone(void *program)
{
    run(program);
    return NULL;
}

struct passer_by {
    pthread_t thread;
    struct gang *gang;
    uint32_t seat;
};

/* Finds nothing to do, and leaves. */
static void *pass_by(void *data)
{
    struct passer_by *passer_by = data;
    sim_gang_help(passer_by->gang, passer_by->seat);
    atomic_fetch_add(&gone, 1);
    return NULL;
}

/* Returns with engine->lock, once the owner of the run is its only member. */
static void lock_alone(struct gang *gang)
{
    for (;;) {
        rl_lock(&engine->lock);
        if (atomic_load(&gang->members) == 1) return;
        rl_unlock(&engine->lock);
        sched_yield();
    }
}

/* On the last two hang the end of the run and that of sim_gang_finish(); the others need not
 * come one after the other. */
static void all_but_two_members_leave_without_the_lock(void **state)
{
    (void)state;
    rill_graph *graph = machine_graph(m.context[0]);
    rill_node node;
    ok(rill_graph_add_host(graph, NULL, 0, keep_unit, NULL, NULL, &node));
    struct program *program = freeze(graph);
    pthread_t owner;
    assert_int_equal(pthread_create(&owner, NULL, run_alone, program), 0);
    while (!atomic_load(&unit_is_kept)) sched_yield();

    struct gang *gang = program->run.gang;
    struct passer_by crowd[CROWD];
    lock_alone(gang);
    for (int i = 0; i < CROWD; i++)
        crowd[i] = (struct passer_by){ .gang = gang, .seat = sim_gang_take_seat(gang) };
    for (int i = 0; i < CROWD; i++)
        assert_int_equal(pthread_create(&crowd[i].thread, NULL, pass_by, &crowd[i]), 0);
    uint64_t end = rl_monotonic_ns() + SECONDS * UINT64_C(1000000000);
    while (atomic_load(&gone) < CROWD - 1 && rl_monotonic_ns() < end) sched_yield();
    int gone_by_now = atomic_load(&gone);
    unsigned left = atomic_load(&gang->members);
    rl_unlock(&engine->lock);

    for (int i = 0; i < CROWD; i++) pthread_join(crowd[i].thread, NULL);
    atomic_store(&unit_is_let_go, true);
    pthread_join(owner, NULL);
    assert_int_equal(gone_by_now, CROWD - 1);
    assert_int_equal(left, 2);
    assert_int_equal(atomic_load(&gang->taken), 0);
    sim_program_free(program);
}

/* ---- Barriers ------------------------------------------------------------------------------ */

enum { BEFORE = 8, BEHIND = 8, ALIKE_NS = 3000 };

static atomic_bool barrier_is_passed;
static atomic_uint gave_up;

static void pass_barrier(void *data)
{
    (void)data;
    atomic_store(&barrier_is_passed, true);
}

/* Belongs to nobody's past: what it waits for can come at any time, as long as no member keeps from
 * the barrier what it has done. */
static void await_passing(void *data)
{
    (void)data;
    uint64_t end = rl_monotonic_ns() + SECONDS * UINT64_C(1000000000) / 2;
    while (!atomic_load(&barrier_is_passed) && rl_monotonic_ns() < end) sched_yield();
    if (!atomic_load(&barrier_is_passed)) atomic_fetch_add(&gave_up, 1);
}

/* Two levels with a barrier between them, and a node on the first one that nothing comes after. */
static struct program *make_levels(void)
{
    rill_node before[BEFORE], node;
    rill_graph *graph = machine_graph(m.context[0]);
    for (int i = 0; i < BEFORE; i++)
        ok(rill_graph_add_host(graph, NULL, 0, do_nothing, NULL, NULL, &before[i]));
    ok(rill_graph_add_host(graph, NULL, 0, await_passing, NULL, NULL, &node));
    for (int i = 0; i < BEHIND; i++)
        ok(rill_graph_add_host(graph, before, BEFORE, pass_barrier, NULL, NULL, &node));
    struct program *program = freeze(graph);
    assert_true(sim_plan_make_room(program) && sim_gang_prepare(engine, program));
    for (uint32_t p = 0; p < program->count; p++) program->run.costs[p] = ALIKE_NS;
    program->run.plan = sim_plan_make(program, 2);
    assert_non_null(program->run.plan);
    assert_int_not_equal(program->run.plan->clusters[0].barrier, NODE_NONE);
    program->run.schedule = SCHEDULE_PLANNED;
    return program;
}

static void what_is_done_before_a_barrier_is_told_before_anything_else_is_begun(void **state)
{
    (void)state;
    struct program *program = make_levels();
    for (int i = 0; i < 20 && !atomic_load(&gave_up); i++) {
        atomic_store(&barrier_is_passed, false);
        run(program);
    }
    assert_int_equal(atomic_load(&gave_up), 0);
    sim_program_free(program);
}

#define WITH(open, test) cmocka_unit_test_setup_teardown(test, open, close_machine)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH(open_pair, a_plan_in_the_place_of_another_is_another),
        WITH(open_crowd, all_but_two_members_leave_without_the_lock),
        WITH(open_pair, what_is_done_before_a_barrier_is_told_before_anything_else_is_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
