/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/conditional_run.h"

#include "backend-sim/graph/conditional.h"
#include "backend-sim/node/conditional_task.h"
#include "backend-sim/program/gang/gang.h"
#include "backend-sim/program/plan.h"
#include "backend-sim/program/run.h"
#include "backend-sim/program/watched_node.h"
#include "base/alloc.h"
#include "base/stack.h"

/* ---- Freezing ------------------------------------------------------------------- */

static rill_status freeze_conditional(struct program *program, uint32_t place,
                                      struct sim_context *context, struct freeze_failure *failure)
{
    const struct conditional_task *task = (void *)program->tasks[place];
    struct conditional_run *run = rl_zalloc(sizeof *run +
                                            task->body_count * sizeof run->bodies[0]);
    if (!run) return RILL_ERROR_OUT_OF_MEMORY;
    run->place = place;
    run->kind = task->kind;
    run->handle = task->handle;
    run->body_count = task->body_count;
    run->next = program->conditionals;
    program->conditionals = run;
    for (uint32_t i = 0; i < task->body_count; i++) {
        rill_status status = sim_program_freeze(sim_graph_of(task->bodies[i]), context,
                                                &run->bodies[i], failure);
        if (status) return status;
        if (run->bodies[i]->depth >= program->depth) program->depth = run->bodies[i]->depth + 1;
    }
    return RILL_SUCCESS;
}

/* Makes the index.  The list is in the order of places: each was put in front of the later
 * ones. */
static bool index_runs(struct program *program)
{
    uint32_t count = 0;
    for (const struct conditional_run *run = program->conditionals; run; run = run->next) count++;
    program->conditional_index = rl_alloc(count * sizeof(struct conditional_run *));
    if (!program->conditional_index) return false;
    for (struct conditional_run *run = program->conditionals; run; run = run->next)
        program->conditional_index[program->conditional_count++] = run;
    return true;
}

rill_status sim_conditional_runs_freeze(struct program *program, struct sim_context *context,
                                        struct freeze_failure *failure)
{
    if (!(program->kinds & 1u << RILL_OP_CONDITIONAL)) return RILL_SUCCESS;
    for (uint32_t p = program->count; p-- > 0;) {
        const struct task *task = program->tasks[p];
        if (!task || task->kind->op != RILL_OP_CONDITIONAL) continue;
        rill_status status = freeze_conditional(program, p, context, failure);
        if (status) return status;
    }
    return index_runs(program) ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

size_t sim_conditional_runs_bytes(const struct program *program)
{
    size_t bytes = 0;
    for (const struct conditional_run *run = program->conditionals; run; run = run->next) {
        bytes += sizeof *run;
        for (uint32_t i = 0; i < run->body_count; i++) bytes += sim_program_bytes(run->bodies[i]);
    }
    return bytes;
}

void sim_conditional_runs_free(struct program *program)
{
    rl_free(program->conditional_index);
    while (program->conditionals) {
        struct conditional_run *run = program->conditionals;
        program->conditionals = run->next;
        for (uint32_t i = 0; i < run->body_count; i++) sim_program_free(run->bodies[i]);
        rl_free(run);
    }
}

struct conditional_run *sim_conditional_run_find(const struct program *program, uint32_t place)
{
    uint32_t low = 0, high = program->conditional_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (program->conditional_index[middle]->place < place) low = middle + 1;
        else high = middle;
    }
    return low < program->conditional_count ? program->conditional_index[low] : NULL;
}

uint64_t sim_conditional_runs_number(struct program *program, uint64_t first)
{
    uint64_t next = first + program->count;
    program->first_number = first;
    for (struct conditional_run *run = program->conditionals; run; run = run->next)
        for (uint32_t i = 0; i < run->body_count; i++)
            next = sim_conditional_runs_number(run->bodies[i], next);
    return next;
}

void sim_conditional_runs_bind(struct program *program,
                               const struct conditional_values *values)
{
    for (struct conditional_run *run = program->conditionals; run; run = run->next) {
        run->value = sim_conditional_values_find(values, run->handle);
        run->number = sim_conditional_number(run->handle);
        run->context = run->value->context;
        for (uint32_t i = 0; i < run->body_count; i++)
            sim_conditional_runs_bind(run->bodies[i], values);
    }
}

/* ---- Running ------------------------------------------------------------------------ */

/* Runs a body.  It has no nodes that wait for something outside, so a thread that runs it can
 * stay until it is over. */
static void run_body_here(void *data)
{
    struct program *program = data;
    uint32_t seat;
    struct gang *gang = sim_program_run(sim_run_here->strand->engine, program, &seat);
    if (!gang) return;
    sim_gang_finish(gang, seat);
    sim_plan_learn(program, sim_gang_threads(gang->engine));
}

/* Runs a body with stack enough for those nested in it.  A thread of the application that
 * helps, with little stack, has enough for a body in which none is nested. */
static void run_body(struct program *program)
{
    if (program->watched) sim_watched_round(program->watched);
    if (program->count && !rl_with_stack(sim_stack_for(program->depth), run_body_here, program))
        run_body_here(program);
}

uint32_t sim_conditional_next_body(const struct conditional_run *run)
{
    uint32_t value = atomic_load_explicit(&run->value->value, memory_order_acquire);
    uint32_t body = value;
    if (run->kind != RILL_CONDITIONAL_SWITCH) body = !value;
    return body < run->body_count ? body : NODE_NONE;
}

void sim_conditional_run(void *data)
{
    const struct conditional_run *run = data;
    uint32_t body = sim_conditional_next_body(run);
    if (run->kind != RILL_CONDITIONAL_WHILE) {
        if (body != NODE_NONE) run_body(run->bodies[body]);
        return;
    }
    for (; body != NODE_NONE && !sim_run_failed(); body = sim_conditional_next_body(run))
        run_body(run->bodies[body]);
}
