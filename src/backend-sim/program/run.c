/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/run.h"

#include <stdio.h>

#include "backend-sim/program/conditional_values.h"
#include "backend-sim/program/gang/gang.h"
#include "backend-sim/program/plan.h"
#include "backend-sim/program/solo.h"
#include "backend-sim/scheduler/watch/observe.h"
#include "backend-sim/scheduler/watch/timekeeper.h"
#include "backend-sim/scheduler/virtual_time.h"

struct gang *sim_program_run(struct engine *engine, struct program *program, uint32_t *seat)
{
    struct gang *gang = NULL;
    if (sim_plan_wants_gang(program, engine)) gang = sim_gang_begin(engine, program, seat);
    return gang ? gang : sim_solo_run(engine, program, seat);
}

static struct observed_node observed_node(const struct launch *launch,
                                          const struct program *program, uint32_t place)
{
    const struct task *task = program->tasks[place];
    return (struct observed_node){ .point = launch->context.point,
                                   .number = sim_program_node_number(program, place),
                                   .kind = task->kind->op, .name = sim_task_name(task) };
}

void sim_program_observe_node(const struct launch *launch, const struct program *program,
                              uint32_t place, rill_sim_moment moment)
{
    const struct task *task = program->tasks[place]; /* NULL at the end of a child graph */
    if (!task || !(sim_strand_attention(launch->context.strand) & ATTEND_OBSERVER)) return;
    const struct observed_node node = observed_node(launch, program, place);
    sim_observe_node(launch->context.strand, &node, moment);
}

static uint64_t bytes_of(const struct task *task)
{
    rill_op op;
    if (task->kind->op != RILL_OP_MEMCPY && task->kind->op != RILL_OP_MEMSET) return 0;
    task->kind->read(task, &op);
    if (task->kind->op == RILL_OP_MEMCPY)
        return (uint64_t)op.memcpy.width * op.memcpy.height * op.memcpy.depth;
    return (uint64_t)op.memset.width * op.memset.height * op.memset.element_bytes;
}

static rill_span begin_node(struct strand *strand, const struct observed_node *node,
                            const struct task *task)
{
    return (rill_span){
        .queue = strand->id, .point = node->point, .node = node->number, .kind = node->kind,
        .device = strand->device->ordinal, .name = node->name, .bytes = bytes_of(task),
        .begin_ns = sim_engine_now(strand->engine),
    };
}

void sim_program_demand(const struct program *program, uint32_t place, struct demand *demand)
{
    const struct task *task = program->tasks[place]; /* NULL at the end of a child graph */
    if (task && task->kind->demand && sim_program_enabled(program, place))
        task->kind->demand(task, demand);
}

void sim_program_run_observed(const struct launch *launch, const struct program *program,
                              uint32_t place)
{
    const struct entry *entry = &program->entries[place];
    const struct task *task = program->tasks[place]; /* NULL at the end of a child graph */
    if (!task) {
        entry->fn(entry->arg);
        return;
    }
    const struct observed_node node = observed_node(launch, program, place);
    struct strand *strand = launch->context.strand;
    unsigned attention = sim_strand_attention(strand);
    rill_span span;
    if (attention & ATTEND_OBSERVER) sim_observe_node(strand, &node, RILL_SIM_STARTED);
    if (attention & ATTEND_TIMEKEEPER) span = begin_node(strand, &node, task);
    entry->fn(entry->arg);
    if (attention & ATTEND_VIRTUAL) sim_step_ran(strand, (uint32_t)program->first_number + place);
    if (attention & ATTEND_TIMEKEEPER) sim_timekeeper_end(strand->engine, &span);
    if (attention & ATTEND_OBSERVER) sim_observe_node(strand, &node, RILL_SIM_DONE);
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
