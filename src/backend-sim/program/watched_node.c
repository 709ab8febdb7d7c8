/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/watched_node.h"

#include <string.h>

#include "backend-sim/graph/task.h"
#include "backend-sim/node/host_task.h"
#include "backend-sim/program/conditional_run.h"
#include "backend-sim/scheduler/watch/watcher.h"
#include "base/alloc.h"

/* ---- Running ------------------------------------------------------------------------ */

static const struct rill_watcher *name_launch(struct watched_node *node,
                                              const struct launch *launch)
{
    const struct strand *strand = launch->context.strand;
    node->running.queue = strand->id;
    node->running.point = launch->context.point;
    return &strand->engine->watcher;
}

/* There may be thousands in a launch, each of which does little. */
static inline void run_function(struct watched_node *node, const struct launch *launch)
{
    const struct host_task *host = (const void *)node->program->tasks[node->place];
    const struct rill_watcher *watcher = name_launch(node, launch);
    watcher->begins(watcher->data, &node->running);
    host->fn(host->data);
    watcher->ends(watcher->data, &node->running, NULL);
}

static void run_task(struct watched_node *node, const struct launch *launch)
{
    struct task *task = node->program->tasks[node->place];
    const struct told told = { .watcher = name_launch(node, launch), .running = node->running };
    if (task->kind->run_watched) {
        task->kind->run_watched(task, &told);
        return;
    }
    const struct entry entry = sim_program_task_entry(task);
    sim_watch_begins(&told);
    entry.fn(entry.arg);
    sim_watch_ends(&told);
}

void sim_watched_node_run(struct watched_node *node, const struct launch *launch)
{
    if (node->running.kind == RILL_OP_HOST) run_function(node, launch);
    else run_task(node, launch);
}

static void run_function_here(void *node)
{
    if (!sim_run_failed()) run_function(node, sim_launch_here());
}

static void run_task_here(void *node)
{
    if (!sim_run_failed()) run_task(node, sim_launch_here());
}

struct entry sim_watched_entry(const struct program *program, uint32_t place)
{
    struct watched_node *node = &program->watched->items[place];
    bool function = node->running.kind == RILL_OP_HOST;
    return (struct entry){ function ? run_function_here : run_task_here, node };
}

/* The rounds of the bodies around this one stay the same while it runs. */
void sim_watched_round(struct watched_nodes *body)
{
    uint32_t *own = &body->rounds[body->depth - 1];
    uint64_t launch = sim_launch_here()->number;
    if (body->launch != launch) *own = 0;
    body->launch = launch;
    ++*own;
    if (body->depth > 1) memcpy(body->rounds, body->outer->rounds, (body->depth - 1) * sizeof *own);
}

/* ---- Making ------------------------------------------------------------------------- */

static struct watched_nodes *make_nodes(struct program *program, const struct watched_nodes *outer,
                                        uint32_t depth)
{
    size_t head = sizeof(struct watched_nodes) + program->count * sizeof(struct watched_node);
    struct watched_nodes *nodes = rl_zalloc(head + depth * sizeof(uint32_t));
    if (!nodes) return NULL;
    nodes->outer = outer;
    nodes->depth = depth;
    nodes->rounds = (uint32_t *)(void *)((unsigned char *)nodes + head);
    for (uint32_t place = 0; place < program->count; place++) {
        const rill_running running = { .node = sim_program_node_number(program, place),
                                       .kind = program->place_kinds[place],
                                       .rounds = nodes->rounds, .depth = depth };
        nodes->items[place] = (struct watched_node){ program, place, running };
    }
    return nodes;
}

static rill_status watch_program(struct program *program, const struct watched_nodes *outer,
                                 uint32_t depth)
{
    rill_status status = RILL_SUCCESS;
    program->watched = make_nodes(program, outer, depth);
    if (!program->watched) return RILL_ERROR_OUT_OF_MEMORY;
    for (uint32_t place = 0; place < program->count; place++)
        program->entries[place] = sim_program_entry(program, place);
    for (struct conditional_run *run = program->conditionals; run; run = run->next)
        for (uint32_t i = 0; !status && i < run->body_count; i++)
            status = watch_program(run->bodies[i], program->watched, depth + 1);
    return status;
}

rill_status sim_program_watch(struct program *program)
{
    return watch_program(program, NULL, 0);
}

void sim_watched_nodes_free(struct watched_nodes *nodes)
{
    rl_free(nodes);
}
