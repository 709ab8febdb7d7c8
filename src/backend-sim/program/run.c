/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/run.h"

#include <stdio.h>

#include "backend-sim/program/conditional_values.h"
#include "backend-sim/program/gang.h"
#include "backend-sim/program/plan.h"
#include "backend-sim/program/solo.h"
#include "backend-sim/scheduler/observe.h"

struct gang *sim_program_run(struct engine *engine, struct program *program, uint32_t *seat)
{
    struct gang *gang = NULL;
    if (sim_plan_wants_gang(program, engine)) gang = sim_gang_begin(engine, program, seat);
    return gang ? gang : sim_solo_run(engine, program, seat);
}

void sim_program_observe_node(const struct launch *launch, const struct program *program,
                              uint32_t place, rill_sim_moment moment)
{
    const struct task *task = program->tasks[place]; /* NULL: the end of a child graph */
    if (!task) return;
    const struct observed_node node = { .point = launch->context.point,
                                        .number = (uint64_t)place + 1,
                                        .kind = task->kind->op, .name = sim_task_name(task) };
    sim_observe_node(launch->context.strand, &node, moment);
}

void sim_program_run_observed(const struct launch *launch, const struct program *program,
                              uint32_t place)
{
    const struct entry *entry = &program->entries[place];
    sim_program_observe_node(launch, program, place, RILL_SIM_STARTED);
    entry->fn(entry->arg);
    sim_program_observe_node(launch, program, place, RILL_SIM_DONE);
}

/* ---- What nodes ask ------------------------------------------------------------------ */

/* Writes "node 3 in stream 'main'", as far as that is known. */
static void describe_node(const struct run_context *context, const void *task,
                          char text[RILL_LABEL_MAX])
{
    char node[24] = "graph launch", label[RILL_LABEL_MAX];
    struct strand *strand = context->strand;
    uint32_t slot = sim_program_slot_of(((const struct launch *)context)->program, task);
    if (slot != NODE_NONE) snprintf(node, sizeof node, "node %u", (unsigned)slot);
    if (sim_strand_label(strand, label))
        snprintf(text, RILL_LABEL_MAX, "%s in stream '%.26s'", node, label);
    else
        snprintf(text, RILL_LABEL_MAX, "%s in stream %llu", node, (unsigned long long)strand->id);
}

static bool set_conditional(const struct run_context *context, uint64_t kernel_context,
                            rill_conditional handle, uint32_t value)
{
    return sim_conditional_values_set(((const struct launch *)context)->values, kernel_context,
                                      handle, value);
}

const struct run_context_type sim_launch_context = {
    .describe = describe_node, .set_conditional = set_conditional,
};
