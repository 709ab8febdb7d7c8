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
    uint32_t *words;      /* holds the arrays that follow                      */
    uint32_t *chain;      /* by place: the first place of its chain           */
    uint32_t *level;      /* by first place: how many chains must come before */
    uint32_t *by_level;   /* first places, level by level                     */
    uint32_t *starts;     /* levels + 1: where each begins there              */
    uint32_t *next;       /* by place: the next one of its chain, or NODE_NONE */
    uint32_t *cluster_of; /* by place                                         */
    uint32_t *clusters;   /* levels + 2: the first cluster of each            */
    uint32_t *has_long;   /* by level: it has a chain that is handed over alone */
    uint32_t *seen;       /* by cluster: whose successor it was last          */
    uint32_t *barriers;   /* by barrier cluster: the level before it          */
    uint64_t *cost;       /* by first place: of the whole chain               */
    uint32_t levels;
    uint32_t barrier_count;
    uint32_t edges;       /* of clusters, so far                              */
};

/* Returns what a node takes, less one and a half times what reading the clock adds to it. */
static inline uint32_t sim_node_cost(const struct program *program, uint32_t place)
{
    uint32_t cost = program->run.costs[place], clock = (uint32_t)rl_monotonic_cost_ns() * 3 / 2;
    return cost > clock + 2 ? cost - clock : 2;
}

/* Makes a plan for so many threads.  Returns NULL if memory is short. */
struct plan *sim_plan_make(const struct program *program, uint32_t threads);

/* Finds the edges of the clusters (plan_edges.c). */
void sim_plan_connect(struct plan_draft *draft);

#endif
