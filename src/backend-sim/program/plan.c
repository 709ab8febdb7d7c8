/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/plan.h"

#include "backend-sim/program/gang/gang.h"
#include "backend-sim/program/plan_draft.h"
#include "base/alloc.h"
#include "base/thread.h"

/* A program that takes less time is done before a second thread has come. */
#define WORTH_SHARING_NS 25000u

/* ---- Learning ------------------------------------------------------------------------------ */

/* One of so many runs by one thread is timed: a program of 100 us, say, is done before another
 * thread has looked on for long enough to know (solo.c).  One that is better left to one thread
 * may be worth sharing by then, too. */
#define LIGHT_RUNS 64u
#define SERIAL_RUNS 256u

/* If the run takes so long, nodes are measured. */
#define WORTH_MEASURING_NS 50000u

static void leave_to_one(struct program *program, enum program_schedule schedule)
{
    program->run.schedule = schedule;
    program->run.untimed = schedule == SCHEDULE_SERIAL ? SERIAL_RUNS : LIGHT_RUNS;
}

void sim_plan_timed(struct program *program, const struct engine *engine, uint64_t took_ns)
{
    if (took_ns < WORTH_MEASURING_NS || engine->workers_max < 2) {
        leave_to_one(program, SCHEDULE_LIGHT);
        return;
    }
    sim_plan_measure(program, sim_nodes_are_fine_grained(program->count, took_ns));
    program->run.alone_ns = took_ns < UINT32_MAX ? (uint32_t)took_ns : UINT32_MAX;
}

void sim_plan_measure(struct program *program, bool fine_grained)
{
    program->run.alone_ns = 0;
    program->run.schedule = fine_grained ? SCHEDULE_MEASURE_SERIAL : SCHEDULE_MEASURE;
    program->run.fine_grained = fine_grained;
    program->run.measured = 0;
}

bool sim_plan_make_room(struct program *program)
{
    /* Zeroes, since nodes after a fault do not run and are not noted. */
    uint32_t **costs = &program->run.costs;
    if (!*costs) *costs = rl_zalloc(program->count * sizeof **costs);
    return *costs;
}

bool sim_plan_wants_gang(struct program *program, const struct engine *engine)
{
    if (program->waits || atomic_load(&engine->attention) & ATTEND_TIMES) return true;
    if (engine->whims) sim_plan_whim(program);
    if (engine->workers_max < 2) return false;
    return program->run.schedule == SCHEDULE_MEASURE || program->run.schedule == SCHEDULE_PLANNED;
}

/* Returns the longest path through the program, in nanoseconds, or 0 if memory is short. */
static uint64_t longest_way(const struct program *program, uint64_t *total)
{
    uint64_t *ends = rl_zalloc((program->count + (size_t)1) * sizeof *ends), longest = 0;
    *total = 0;
    for (uint32_t p = 0; ends && p < program->count; p++) {
        uint32_t cost = sim_node_cost(program, p);
        ends[p] += cost;
        *total += cost;
        if (ends[p] > longest) longest = ends[p];
        for (uint32_t e = program->edge_starts[p]; e < program->edge_starts[p + 1]; e++)
            if (ends[program->successors[e]] < ends[p]) ends[program->successors[e]] = ends[p];
    }
    rl_free(ends);
    return longest;
}

/* Launches that are measured before one is judged.  A thread that was held up in a node of a
 * single one would make that node look like most of the program. */
#define MEASURED 2u

void sim_plan_judge(struct program *program, uint32_t threads)
{
    uint64_t total, longest = longest_way(program, &total);
    program->run.measured++;
    leave_to_one(program, SCHEDULE_LIGHT);
    program->run.fine_grained = sim_nodes_are_fine_grained(program->count, total);
    program->run.mispredictions = program->run.weighed = 0;
    program->run.weighed_ns = 0;
    if (!longest || total < WORTH_SHARING_NS) return;
    program->run.schedule = program->run.fine_grained ? SCHEDULE_MEASURE_SERIAL : SCHEDULE_MEASURE;
    if (program->run.measured < MEASURED) return;
    leave_to_one(program, SCHEDULE_SERIAL);
    /* Hardly any two nodes could run at the same time. */
    if (total - longest < total / 16) return;
    sim_plan_free(program->run.plan);
    program->run.plan = sim_plan_make(program, threads);
    if (program->run.plan) program->run.schedule = SCHEDULE_PLANNED;
}

/* What sharing costs, to wake threads above all, can be as much as it gains only if a program
 * takes no longer than this.  Longer ones gain nothing while others have the processors. */
#define MAY_LOSE_NS 500000u

/* So many runs of a plan are weighed together. */
#define WEIGHED_RUNS 32u

/* Leaves the program to one thread if the last runs of the plan gained nothing together.  A run
 * that was held up by something else counts as one that took twice as long as one thread. */
static void weigh_plan(struct program *program, uint64_t took_ns)
{
    struct program_run *run = &program->run;
    uint64_t alone = run->alone_ns ? run->alone_ns : run->plan->total_ns;
    if (alone > MAY_LOSE_NS) return;
    run->weighed_ns += took_ns < 2 * alone ? took_ns : 2 * alone;
    if (++run->weighed < WEIGHED_RUNS) return;
    if (run->weighed_ns >= WEIGHED_RUNS * (alone - alone / 16))
        leave_to_one(program, SCHEDULE_SERIAL);
    run->weighed = 0;
    run->weighed_ns = 0;
}

void sim_plan_check(struct program *program, uint64_t took_ns)
{
    uint64_t known = program->run.plan->total_ns;
    if (took_ns < 3 * known && took_ns > known / 512) {
        program->run.mispredictions = 0;
        weigh_plan(program, took_ns);
    } else if (++program->run.mispredictions > 4) {
        sim_plan_measure(program, sim_nodes_are_fine_grained(program->count, took_ns));
    }
}

void sim_plan_learn(struct program *program, uint32_t threads)
{
    if (program->waits) return;
    if (program->run.gang->timed) sim_plan_judge(program, threads);
    else if (program->run.gang->plan)
        sim_plan_check(program, rl_monotonic_ns() - program->run.began_ns);
}

void sim_plan_free(struct plan *plan)
{
    if (!plan) return;
    rl_free(plan->clusters);
    rl_free(plan->order);
    rl_free(plan->edge_starts);
    rl_free(plan->successors);
    rl_free(plan);
}
