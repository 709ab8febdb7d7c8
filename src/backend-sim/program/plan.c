/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/plan.h"

#include "backend-sim/program/gang/gang.h"
#include "backend-sim/program/plan_draft.h"
#include "base/alloc.h"
#include "base/thread.h"

/* A program that takes less time is done before a second thread has come. */
#define WORTH_SHARING_NS 25000u

/* ---- Learning ------------------------------------------------------------------------------ */

/* One of so many runs of a serial program is measured again. */
#define SERIAL_RUNS 256u

void sim_plan_measure(struct program *program, bool fine_grained)
{
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
    if (engine->workers_max < 2 || program->run.schedule == SCHEDULE_LIGHT) return false;
    if (program->run.schedule == SCHEDULE_SERIAL && ++program->run.mispredictions >= SERIAL_RUNS) {
        program->run.mispredictions = 0;
        sim_plan_measure(program, program->run.fine_grained);
    }
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

/* Launches that are measured before one is planned: other threads may have been in the way of
 * a single one. */
#define MEASURED 2u

void sim_plan_judge(struct program *program, uint32_t threads)
{
    uint64_t total, longest = longest_way(program, &total);
    program->run.measured++;
    program->run.schedule = SCHEDULE_LIGHT;
    program->run.fine_grained = sim_nodes_are_fine_grained(program->count, total);
    program->run.mispredictions = 0;
    if (!longest || total < WORTH_SHARING_NS) return;
    /* Hardly any two nodes could run at the same time. */
    program->run.schedule = SCHEDULE_SERIAL;
    if (total - longest < total / 16) return;
    program->run.schedule = program->run.fine_grained ? SCHEDULE_MEASURE_SERIAL : SCHEDULE_MEASURE;
    if (program->run.measured < MEASURED) return;
    program->run.schedule = SCHEDULE_SERIAL;
    sim_plan_free(program->run.plan);
    program->run.plan = sim_plan_make(program, threads);
    if (program->run.plan) program->run.schedule = SCHEDULE_PLANNED;
}

/* Discards the plan if several runs in a row took much longer or shorter than it says. */
static void check_plan(struct program *program)
{
    uint64_t took = rl_monotonic_ns() - program->run.began_ns;
    uint64_t known = program->run.plan->total_ns;
    if (took < 3 * known && took > known / 512) program->run.mispredictions = 0;
    else if (++program->run.mispredictions > 4)
        sim_plan_measure(program, sim_nodes_are_fine_grained(program->count, took));
}

void sim_plan_learn(struct program *program, uint32_t threads)
{
    if (program->waits) return;
    if (program->run.gang->timed) sim_plan_judge(program, threads);
    else if (program->run.gang->plan) check_plan(program);
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
