/* SPDX-License-Identifier: Apache-2.0
 *
 * Updates of whole execs: each node of a graph of the same shape is compared
 * with the one that it stands for, level by level; then all of them change.
 */
#include "backend-sim/exec/update.h"

#include <stdio.h>

#include "backend-sim/exec/match.h"
#include "backend-sim/graph/claim.h"
#include "backend-sim/graph/conditional.h"
#include "backend-sim/graph/user_object.h"
#include "backend-sim/node/conditional_task.h"
#include "backend-sim/node/kinds.h"
#include "backend-sim/node/may_replace.h"
#include "backend-sim/program/conditional_run.h"
#include "base/alloc.h"
#include "base/stack.h"

struct update {
    struct update_transaction *transaction;
    struct sim_exec *exec;
    rill_update_result *result;
    bool in_order; /* nodes must have been created in the same order */
};

/* A graph and the section that it stands for. */
struct level {
    struct update *update;
    struct program *program;
    const struct section *section;
    struct sim_graph *graph;
    struct task_patch *task_patch; /* NULL until nodes are compared one by one */
};

/* ---- Refusals ------------------------------------------------------------------------ */

static rill_status refuse_node(const struct level *level, rill_update_reason reason, uint32_t slot,
                               const char *why)
{
    char name[RILL_LABEL_MAX];
    level->update->result->reason = reason;
    level->update->result->node = sim_node_handle(level->graph, slot);
    sim_node_describe(level->graph, slot, name);
    return rill_backend_fail(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "graph", "%s: %s", name, why);
}

static rill_status refuse_task(const struct level *level, uint32_t slot,
                               const struct update_refusal *refusal)
{
    char why[160];
    snprintf(why, sizeof why, "%s (%s)", refusal->why, refusal->parameter);
    return refuse_node(level, refusal->reason, slot, why);
}

static rill_status refuse_kind(const struct level *level, uint32_t slot, const struct task *before)
{
    char why[96];
    snprintf(why, sizeof why, "in the exec a %s node is in its place",
             rl_op_name(before->kind->op));
    return refuse_node(level, RILL_UPDATE_NODE_TYPE_CHANGED, slot, why);
}

/* Refuses a graph of which no node is at fault. */
static rill_status refuse_whole(const struct level *level)
{
    const char *which = level->graph->parent ? "a graph inside it" : "it";
    level->update->result->reason = RILL_UPDATE_TOPOLOGY_CHANGED;
    if (level->graph->count != level->section->count)
        return rill_backend_fail(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "graph",
                                 "%s has %u nodes, but the exec has %u there", which,
                                 (unsigned)level->graph->count, (unsigned)level->section->count);
    return rill_backend_fail(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "graph",
                             "%s has fewer ends, nodes that nothing depends on, than the exec "
                             "has there", which);
}

static rill_status refuse_shape(const struct level *level, const struct mismatch *mismatch)
{
    if (!mismatch->node) return refuse_whole(level);
    level->update->result->from_node = mismatch->from;
    return refuse_node(level, RILL_UPDATE_TOPOLOGY_CHANGED, sim_node_slot(mismatch->node),
                       "it depends on other nodes than the one in its place in the exec");
}

/* ---- Nodes --------------------------------------------------------------------------------- */

static rill_status compare_graph(struct level *level);

/* Returns the level of a child graph. */
static struct level child_level(const struct level *level, const struct task *before,
                                const struct task *after)
{
    const struct sim_graph *ours = sim_task_child(before);
    struct level child = *level;
    child.section = sim_program_section(level->program, ours->serial);
    child.graph = sim_task_child(after);
    return child;
}

static rill_status compare_child(struct level *level, const struct task *before,
                                 const struct task *after)
{
    struct level child = child_level(level, before, after);
    return compare_graph(&child);
}

static rill_status compare_body(struct update *update, struct program *program,
                                struct sim_graph *graph)
{
    const struct section *section = sim_program_section(program, program->root);
    struct level level = { update, program, section, graph, NULL };
    return compare_graph(&level);
}

/* Returns whether a handle stands for the one of `run`: they have the same number and context.
 * If the transaction has no new set of values, any handle does. */
static bool same_handle(const struct update_transaction *transaction,
                        const struct conditional_run *run, rill_conditional handle)
{
    const struct conditional_value *value =
        sim_conditional_values_find(&transaction->values, handle);
    return !value || (run->context == value->context &&
                      run->number == sim_conditional_number(handle));
}

static rill_status compare_conditional(struct level *level, uint32_t slot, uint32_t place,
                                       const struct task *task)
{
    const struct conditional_task *after = (const struct conditional_task *)task;
    struct conditional_run *run = sim_conditional_run_find(level->program, place);
    if (run->kind != after->kind || run->body_count != after->body_count)
        return refuse_node(level, RILL_UPDATE_NOT_SUPPORTED, slot,
                           "the kind of a conditional and the number of its bodies cannot change");
    if (!same_handle(level->update->transaction, run, after->handle))
        return refuse_node(level, RILL_UPDATE_NOT_SUPPORTED, slot,
                           "it has another one of the graph's handles than in the exec");
    if (!sim_transaction_rebind(level->update->transaction, run, after->handle))
        return RILL_ERROR_OUT_OF_MEMORY;
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; !status && i < run->body_count; i++)
        status = compare_body(level->update, run->bodies[i], sim_graph_of(after->bodies[i]));
    return status;
}

/* Returns whether a task may take the place of another one, both of the kind `kind`.  Of many
 * kinds any may: the tasks are not looked at. */
static bool task_fits(const struct level *level, const struct node_kind *kind,
                      const struct task *before, const struct task *after,
                      struct update_refusal *refusal)
{
    return before == after || !kind->may_replace ||
           kind->may_replace(before, after, level->update->exec->priorities, refusal);
}

static rill_status compare_task(struct level *level, uint32_t slot, uint32_t place,
                                const struct task *before, struct task *after)
{
    struct update_refusal refusal;
    if (!task_fits(level, after->kind, before, after, &refusal))
        return refuse_task(level, slot, &refusal);
    level->task_patch->tasks[place] = before == after ? NULL : after;
    return RILL_SUCCESS;
}

static rill_status compare_node(struct level *level, uint32_t slot, uint32_t place)
{
    const struct task *before = sim_program_next_task(level->program, place);
    struct task *after = sim_node_task(level->graph, slot);
    const struct node_kind *kind = after->kind;
    if (before->kind != kind) return refuse_kind(level, slot, before);
    if (kind->op == RILL_OP_GRAPH) return compare_child(level, before, after);
    if (kind->op == RILL_OP_CONDITIONAL) return compare_conditional(level, slot, place, after);
    /* The memory is the exec's for good. */
    if (kind->traits & KIND_IS_MEMORY) return RILL_SUCCESS;
    return compare_task(level, slot, place, before, after);
}

/* ---- The same, slot by slot ------------------------------------------------------------ */

static bool level_fits(const struct level *level);

/* Returns whether a node, whose kind is one of kinds_to_look_at(), may be replaced. */
static bool node_fits(const struct level *level, rill_op_kind kind, uint32_t slot, uint32_t place)
{
    const struct task *before = sim_program_next_task(level->program, place);
    const struct task *after = sim_node_task(level->graph, slot);
    struct update_refusal refusal;
    if (kind == RILL_OP_GRAPH) {
        struct level child = child_level(level, before, after);
        return level_fits(&child);
    }
    return task_fits(level, sim_kinds[kind], before, after, &refusal);
}

/* Returns the kinds in the program whose nodes are not all alike for an update, one bit
 * each. */
static uint32_t kinds_to_look_at(const struct program *program)
{
    uint32_t kinds = 0;
    for (unsigned kind = 0; kind < RL_OP_KINDS; kind++) {
        if (!(program->kinds & 1u << kind)) continue;
        if (sim_kinds[kind]->may_replace || sim_kinds[kind]->traits & KIND_HOLDS_GRAPHS)
            kinds |= 1u << kind;
    }
    return kinds;
}

static void prefetch_level(const struct level *level, uint32_t slot)
{
    uint32_t near = sim_graph_prefetch(level->graph, slot);
    if (near == NODE_NONE) return;
    uint32_t place = sim_section_place(level->section, near);
    __builtin_prefetch(sim_node_task(level->graph, near));
    __builtin_prefetch(sim_program_next_task(level->program, place));
}

/* Returns whether a graph without conditionals can be adopted as it is. */
static bool level_fits(const struct level *level)
{
    const struct program *program = level->program;
    const struct section *section = level->section;
    uint32_t kinds = kinds_to_look_at(program);
    if (!sim_section_equals(section, level->graph)) return false;
    for (uint32_t slot = 0; kinds && slot < section->slots; slot++) {
        uint32_t place = sim_section_place(section, slot);
        rill_op_kind kind = program->place_kinds[place];
        if (!(kinds & 1u << kind)) continue;
        prefetch_level(level, slot);
        if (!node_fits(level, kind, slot, place)) return false;
    }
    return true;
}

static rill_status adopt_level(const struct level *level)
{
    const struct program *program = level->program;
    bool nested = program->kinds & 1u << RILL_OP_GRAPH;
    rill_status status = RILL_SUCCESS;
    if (!sim_transaction_adopt(level->update->transaction, level->program, level->section,
                               level->graph))
        return RILL_ERROR_OUT_OF_MEMORY;
    for (uint32_t slot = 0; nested && !status && slot < level->section->slots; slot++) {
        uint32_t place = sim_section_place(level->section, slot);
        if (program->place_kinds[place] != RILL_OP_GRAPH) continue;
        struct level child = child_level(level, sim_program_next_task(program, place),
                                         sim_node_task(level->graph, slot));
        status = adopt_level(&child);
    }
    return status;
}

/* Compares a graph of the same shape node by node: with conditionals in it, more changes than
 * tasks. */
static rill_status compare_same(struct level *level)
{
    rill_status status = RILL_SUCCESS;
    for (uint32_t slot = 0; !status && slot < level->section->slots; slot++)
        status = compare_node(level, slot, sim_section_place(level->section, slot));
    return status;
}

/* ---- Node by node ------------------------------------------------------------------------- */

static rill_status compare_matches(struct level *level, const struct section_edges *edges)
{
    struct matching matching;
    struct mismatch mismatch;
    const rill_status shape = sim_match_nodes(edges, level->graph, &matching, &mismatch);
    rill_status status = shape == RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE ? RILL_SUCCESS : shape;
    if (!status && !shape && level->update->in_order && !matching.in_order)
        status = refuse_node(level, RILL_UPDATE_TOPOLOGY_CHANGED, level->graph->first,
                             "its graph's nodes were created in another order than those in the "
                             "exec");
    /* The driver compares what it has matched before it goes on. */
    for (uint32_t i = 0; !status && i < matching.count; i++)
        status = compare_node(level, matching.matches[i].slot,
                              edges->places[matching.matches[i].number]);
    if (!status && shape) status = refuse_shape(level, &mismatch);
    rl_free(matching.matches);
    return status;
}

/* Compares matched nodes in the order in which the driver looks at them. */
static rill_status compare_by_match(struct level *level)
{
    struct section_edges edges;
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    if (sim_section_edges_create(&edges, level->program, level->section))
        status = compare_matches(level, &edges);
    sim_section_edges_destroy(&edges);
    return status;
}

static bool has_conditionals(const struct level *level)
{
    return level->program->kinds & 1u << RILL_OP_CONDITIONAL;
}

static rill_status compare_nodes(struct level *level)
{
    rill_status status = RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    level->task_patch = sim_transaction_patch_tasks(level->update->transaction, level->program);
    if (!level->task_patch) return RILL_ERROR_OUT_OF_MEMORY;
    if (has_conditionals(level) && sim_section_equals(level->section, level->graph))
        status = compare_same(level);
    return status == RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE ? compare_by_match(level) : status;
}

/* Compares a graph with its section.  If it cannot be adopted, it is gone through once more, so
 * that of several nodes at fault the right one is named. */
static rill_status compare_graph(struct level *level)
{
    bool adopts = !has_conditionals(level) && level_fits(level);
    return adopts ? adopt_level(level) : compare_nodes(level);
}

struct comparison {
    struct level *level;
    rill_status status;
};

static void compare_all(void *data)
{
    struct comparison *all = data;
    all->status = compare_graph(all->level);
}

rill_status sim_transaction_compare(struct update_transaction *transaction, struct sim_exec *exec,
                                    struct program *program, const struct section *section,
                                    struct sim_graph *graph, bool in_order,
                                    rill_update_result *result)
{
    struct update update = { transaction, exec, result, in_order };
    struct level level = { &update, program, section, graph, NULL };
    struct comparison all = { &level, RILL_ERROR_OUT_OF_MEMORY };
    rl_with_stack(sim_stack_for(graph->height), compare_all, &all);
    return all.status;
}

/* ---- The call ------------------------------------------------------------------------ */

static rill_status compare_whole(struct update_transaction *transaction, struct sim_exec *exec,
                                 struct sim_graph *graph, rill_update_result *result)
{
    struct program *program = exec->program;
    const struct section *section = sim_program_section(program, program->root);
    transaction->has_values = transaction->has_users = true;
    rill_status status = sim_conditional_values_create(graph, &transaction->values);
    if (!status)
        status = sim_transaction_compare(transaction, exec, program, section, graph, false, result);
    if (!status) status = sim_users_share(graph, &transaction->users);
    return status;
}

static rill_status check_source(const struct sim_graph *graph)
{
    if (graph->role == GRAPH_OWN) return sim_graph_check(graph);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                             "the graph is inside another one; update from that");
}

rill_status sim_exec_update(rill_exec *handle, rill_graph *from, rill_update_result *result)
{
    struct sim_exec *exec = sim_exec_of(handle);
    struct sim_graph *graph = sim_graph_of(from);
    bool claims = sim_graph_has_memory(graph);
    *result = (rill_update_result){ RILL_UPDATE_SUCCESS, NULL, NULL };
    rill_status status = sim_enter(exec->context->platform, CALL_MAKE);
    if (!status) status = check_source(graph);
    if (!status) status = sim_claim_memory_permits(graph, &exec->claimant);
    if (status) return status;
    struct update_transaction *transaction = sim_transaction_create();
    status = RILL_ERROR_OUT_OF_MEMORY;
    if (transaction) status = compare_whole(transaction, exec, graph, result);
    if (!status && claims) status = sim_claim_prepare(graph, &exec->claimant);
    if (!status) status = sim_exec_commit(exec, transaction);
    else if (transaction) sim_transaction_destroy(transaction);
    if (!status && claims) sim_claim_take(graph, &exec->claimant);
    if (status != RILL_ERROR_OUT_OF_MEMORY) return status;
    result->reason = RILL_UPDATE_ERROR;
    return rill_backend_fail(status, NULL, "no memory for the update");
}
