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
#include "backend-sim/node/kinds.h"
#include "backend-sim/node/may_replace.h"
#include "backend-sim/program/conditional_run.h"
#include "base/alloc.h"
#include "base/stack.h"

struct plan_of_update {
    struct overhaul *overhaul;
    struct sim_exec *exec;
    rill_update_result *result;
    bool in_order; /* of creation, too */
};

/* A graph and what it stands for. */
struct level {
    struct plan_of_update *plan;
    struct program *program;
    const struct section *section;
    struct sim_graph *graph;
    struct rewrite *rewrite; /* once nodes are taken one by one */
};

/* ---- Refusals ------------------------------------------------------------------------ */

static rill_status refuse(const struct level *level, rill_update_reason reason, uint32_t slot,
                          const char *why)
{
    char name[RILL_LABEL_MAX];
    level->plan->result->reason = reason;
    level->plan->result->node = sim_node_handle(level->graph, slot);
    sim_node_describe(level->graph, slot, name);
    return rill_backend_fail(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "graph", "%s: %s", name, why);
}

static rill_status refuse_misfit(const struct level *level, uint32_t slot,
                                 const struct misfit *misfit)
{
    char why[160];
    snprintf(why, sizeof why, "%s (%s)", misfit->why, misfit->parameter);
    return refuse(level, misfit->reason, slot, why);
}

static rill_status refuse_kind(const struct level *level, uint32_t slot, const struct task *before)
{
    char why[96];
    snprintf(why, sizeof why, "in the exec a %s node is in its place",
             rl_op_name(before->kind->op));
    return refuse(level, RILL_UPDATE_NODE_TYPE_CHANGED, slot, why);
}

/* No node is at fault. */
static rill_status refuse_whole(const struct level *level)
{
    const char *which = level->graph->parent ? "a graph inside it" : "it";
    level->plan->result->reason = RILL_UPDATE_TOPOLOGY_CHANGED;
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
    level->plan->result->from_node = mismatch->from;
    return refuse(level, RILL_UPDATE_TOPOLOGY_CHANGED, sim_node_slot(mismatch->node),
                  "it depends on other nodes than the one in its place in the exec");
}

/* ---- Nodes --------------------------------------------------------------------------------- */

static rill_status compare_graph(struct level *level);

/* A child graph, and what it stands for. */
static struct level child_level(const struct level *level, const struct task *before,
                                const struct task *after)
{
    const struct sim_graph *ours = sim_graph_of(((const struct child_task *)before)->graph);
    struct level child = *level;
    child.section = sim_program_section(level->program, ours->serial);
    child.graph = sim_graph_of(((const struct child_task *)after)->graph);
    return child;
}

static rill_status compare_child(struct level *level, const struct task *before,
                                 const struct task *after)
{
    struct level child = child_level(level, before, after);
    return compare_graph(&child);
}

static rill_status compare_body(struct plan_of_update *plan, struct program *program,
                                struct sim_graph *graph)
{
    const struct section *section = sim_program_section(program, program->root);
    struct level level = { plan, program, section, graph, NULL };
    return compare_graph(&level);
}

/* Handles stand for each other by their number and context.  Without a new set of values
 * nothing is to be compared. */
static bool same_handle(const struct overhaul *overhaul, const struct conditional_run *run,
                        rill_conditional handle)
{
    const struct conditional_value *value =
        sim_conditional_values_find(&overhaul->values, handle);
    return !value || (run->context == value->context &&
                      run->number == sim_conditional_number(handle));
}

static rill_status compare_conditional(struct level *level, uint32_t slot, uint32_t place,
                                       const struct task *task)
{
    const struct conditional_task *after = (const struct conditional_task *)task;
    struct conditional_run *run = sim_conditional_run_find(level->program, place);
    if (run->kind != after->kind || run->body_count != after->body_count)
        return refuse(level, RILL_UPDATE_NOT_SUPPORTED, slot,
                      "the kind of a conditional and the number of its bodies cannot change");
    if (!same_handle(level->plan->overhaul, run, after->handle))
        return refuse(level, RILL_UPDATE_NOT_SUPPORTED, slot,
                      "it has another one of the graph's handles than in the exec");
    if (!sim_overhaul_rebind(level->plan->overhaul, run, after->handle))
        return RILL_ERROR_OUT_OF_MEMORY;
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; !status && i < run->body_count; i++)
        status = compare_body(level->plan, run->bodies[i], sim_graph_of(after->bodies[i]));
    return status;
}

/* Returns whether a task may take the place of another one, both of that kind.  For many
 * kinds that is all: the tasks are not looked at. */
static bool fits(const struct level *level, const struct node_kind *kind,
                 const struct task *before, const struct task *after, struct misfit *misfit)
{
    return before == after || !kind->may_replace ||
           kind->may_replace(before, after, level->plan->exec->priorities, misfit);
}

static rill_status compare_task(struct level *level, uint32_t slot, uint32_t place,
                                const struct task *before, struct task *after)
{
    struct misfit misfit;
    if (!fits(level, after->kind, before, after, &misfit))
        return refuse_misfit(level, slot, &misfit);
    level->rewrite->tasks[place] = before == after ? NULL : after;
    return RILL_SUCCESS;
}

static rill_status compare_node(struct level *level, uint32_t slot, uint32_t place)
{
    const struct task *before = sim_program_promised(level->program, place);
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

static bool fits_in(const struct level *level);

/* Returns whether a node fits whose kind is one of kinds_to_look_at(). */
static bool node_fits(const struct level *level, rill_op_kind kind, uint32_t slot, uint32_t place)
{
    const struct task *before = sim_program_promised(level->program, place);
    const struct task *after = sim_node_task(level->graph, slot);
    struct misfit misfit;
    if (kind == RILL_OP_GRAPH) {
        struct level child = child_level(level, before, after);
        return fits_in(&child);
    }
    return fits(level, sim_kinds[kind], before, after, &misfit);
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

static void look_ahead(const struct level *level, uint32_t slot)
{
    uint32_t near = sim_graph_look_ahead(level->graph, slot);
    if (near == NODE_NONE) return;
    uint32_t place = sim_section_place(level->section, near);
    __builtin_prefetch(sim_node_task(level->graph, near));
    __builtin_prefetch(sim_program_promised(level->program, place));
}

/* Whether all of a graph in which no conditionals are can be taken over as it is. */
static bool fits_in(const struct level *level)
{
    const struct program *program = level->program;
    const struct section *section = level->section;
    uint32_t kinds = kinds_to_look_at(program);
    if (!sim_section_equals(section, level->graph)) return false;
    for (uint32_t slot = 0; kinds && slot < section->slots; slot++) {
        uint32_t place = sim_section_place(section, slot);
        rill_op_kind kind = program->place_kinds[place];
        if (!(kinds & 1u << kind)) continue;
        look_ahead(level, slot);
        if (!node_fits(level, kind, slot, place)) return false;
    }
    return true;
}

static rill_status take_over(const struct level *level)
{
    const struct program *program = level->program;
    bool nested = program->kinds & 1u << RILL_OP_GRAPH;
    rill_status status = RILL_SUCCESS;
    if (!sim_overhaul_take_over(level->plan->overhaul, level->program, level->section,
                                level->graph))
        return RILL_ERROR_OUT_OF_MEMORY;
    for (uint32_t slot = 0; nested && !status && slot < level->section->slots; slot++) {
        uint32_t place = sim_section_place(level->section, slot);
        if (program->place_kinds[place] != RILL_OP_GRAPH) continue;
        struct level child = child_level(level, sim_program_promised(program, place),
                                         sim_node_task(level->graph, slot));
        status = take_over(&child);
    }
    return status;
}

/* With conditionals in it more changes than tasks, so it is gone through. */
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
    if (!status && !shape && level->plan->in_order && !matching.in_order)
        status = refuse(level, RILL_UPDATE_TOPOLOGY_CHANGED, level->graph->first,
                        "its graph's nodes were created in another order than those in the exec");
    /* The driver compares what it has matched before it goes on. */
    for (uint32_t i = 0; !status && i < matching.count; i++)
        status = compare_node(level, matching.matches[i].slot,
                              edges->places[matching.matches[i].number]);
    if (!status && shape) status = refuse_shape(level, &mismatch);
    rl_free(matching.matches);
    return status;
}

/* In the order in which the driver looks at them. */
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
    level->rewrite = sim_overhaul_rewrite(level->plan->overhaul, level->program);
    if (!level->rewrite) return RILL_ERROR_OUT_OF_MEMORY;
    if (has_conditionals(level) && sim_section_equals(level->section, level->graph))
        status = compare_same(level);
    return status == RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE ? compare_by_match(level) : status;
}

/* What does not fit is looked for once more, so that of several nodes the right
 * one is named. */
static rill_status compare_graph(struct level *level)
{
    return !has_conditionals(level) && fits_in(level) ? take_over(level) : compare_nodes(level);
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

rill_status sim_overhaul_plan(struct overhaul *overhaul, struct sim_exec *exec,
                              struct program *program, const struct section *section,
                              struct sim_graph *graph, bool in_order,
                              rill_update_result *result)
{
    struct plan_of_update plan = { overhaul, exec, result, in_order };
    struct level level = { &plan, program, section, graph, NULL };
    struct comparison all = { &level, RILL_ERROR_OUT_OF_MEMORY };
    rl_with_stack(sim_stack_for(graph->height), compare_all, &all);
    return all.status;
}

/* ---- The call ------------------------------------------------------------------------ */

static rill_status plan(struct overhaul *overhaul, struct sim_exec *exec, struct sim_graph *graph,
                        rill_update_result *result)
{
    struct program *program = exec->program;
    const struct section *section = sim_program_section(program, program->root);
    overhaul->revalues = overhaul->reuses = true;
    rill_status status = sim_conditional_values_create(graph, &overhaul->values);
    if (!status)
        status = sim_overhaul_plan(overhaul, exec, program, section, graph, false, result);
    if (!status) status = sim_users_share(graph, &overhaul->users);
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
    struct overhaul *overhaul = sim_overhaul_new();
    status = overhaul ? plan(overhaul, exec, graph, result) : RILL_ERROR_OUT_OF_MEMORY;
    if (!status && claims) status = sim_claim_prepare(graph, &exec->claimant);
    if (!status) status = sim_exec_overhaul(exec, overhaul);
    else if (overhaul) sim_overhaul_free(overhaul);
    if (!status && claims) sim_claim_take(graph, &exec->claimant);
    if (status != RILL_ERROR_OUT_OF_MEMORY) return status;
    result->reason = RILL_UPDATE_ERROR;
    return rill_backend_fail(status, NULL, "no memory for the update");
}
