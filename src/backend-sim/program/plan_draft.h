/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan while it is made: chains, the levels that they are on, the clusters that the
 * levels are cut into, and the edges of these.
 */
#ifndef SIM_PLAN_DRAFT_H
#define SIM_PLAN_DRAFT_H

#include "backend-sim/program/plan.h"
#include "base/thread.h"

struct plan_draft {
    const struct program *program;
    struct plan *plan;
    uint32_t threads;
    uint32_t *words;      /* where the arrays are that follow                  */
    uint32_t *chain;      /* by place: the first place of its chain           */
    uint32_t *level;      /* by first place: how many chains must come before */
    uint32_t *by_level;   /* first places, level by level                     */
    uint32_t *starts;     /* levels + 1: where each begins there              */
    uint32_t *next;       /* by place: the next one of its chain; NODE_NONE   */
    uint32_t *cluster_of; /* by place                                         */
    uint32_t *clusters;   /* levels + 2: the first cluster of each            */
    uint32_t *has_long;   /* by level: a chain that is handed over for itself */
    uint32_t *seen;       /* by cluster: behind which one it was put last     */
    uint32_t *barriers;   /* the level before each                            */
    uint64_t *cost;       /* by first place: of the whole chain               */
    uint32_t levels;
    uint32_t barrier_count;
    uint32_t edges;       /* of clusters, so far                              */
};

/* What a node takes, without what looking at the clock adds to it, and half as much again. */
static inline uint32_t sim_node_cost(const struct program *program, uint32_t place)
{
    uint32_t cost = program->run.costs[place], clock = (uint32_t)rl_monotonic_cost_ns() * 3 / 2;
    return cost > clock + 2 ? cost - clock : 2;
}

/* NULL when memory is short. */
struct plan *sim_plan_make(const struct program *program, uint32_t threads);

/* The edges of the clusters (plan_edges.c). */
void sim_plan_connect(struct plan_draft *draft);

#endif
