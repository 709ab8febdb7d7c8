/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan: which nodes of a program are worth handing to a thread together, made
 * from what each of them took.
 *
 * Chains stay together, since nothing of them could run beside the rest.  Of the
 * chains that can run beside each other, as many are put into a cluster as make
 * handing it over worth the trouble; a long one is a cluster of its own.
 *
 * Clusters are numbered level by level, those behind a level not before it.
 */
#ifndef SIM_PLAN_H
#define SIM_PLAN_H

#include "backend-sim/program/program.h"

struct cluster {
    uint32_t begin, end; /* in the plan's order                     */
    uint32_t joins;      /* clusters that must be done before       */
    bool opens;          /* those behind it are numbered in a row, and wait for
                            nothing else                            */
};

struct plan {
    uint64_t serial;        /* of all plans there ever are; not 0   */
    uint32_t count;         /* clusters                             */
    uint32_t roots;         /* of these, the first: wait for nothing */
    struct cluster *clusters;
    uint32_t *order;        /* places, cluster by cluster           */
    uint32_t *edge_starts, *successors;      /* of clusters                 */
    uint64_t total_ns;      /* that all nodes took                  */
};

/* Before a run: what the program is to be run as.  True: by a gang. */
bool sim_plan_wants_gang(struct program *program, const struct engine *engine);

/* What is known of the program's costs is not true, or nothing is: the next launches
 * are measured.  `cheap`: its nodes take so little on average that to hand them over one
 * by one would take longer than to run them. */
void sim_plan_measure(struct program *program, bool fine_grained);

/* So they do when so many nodes took so long. */
#define FINE_GRAINED_NS 250u

static inline bool sim_nodes_are_fine_grained(uint64_t nodes, uint64_t took_ns)
{
    return took_ns < nodes * FINE_GRAINED_NS;
}

/* Before a run: anything goes (plan_whim.c). */
void sim_plan_whim(struct program *program);

/* Room for what nodes cost; false when memory is short. */
bool sim_plan_make_room(struct program *program);

/* The least of the launches that were measured since the program changed its pace; `first`:
 * this is one. */
static inline void sim_plan_note(struct program *program, uint32_t place, uint64_t took_ns,
                                 bool first)
{
    uint32_t cost = took_ns < UINT32_MAX ? (uint32_t)took_ns : UINT32_MAX;
    if (first || cost < program->run.costs[place]) program->run.costs[place] = cost;
}

/* Each node was measured: what the program is to be run as by so many threads. */
void sim_plan_judge(struct program *program, uint32_t threads);

/* After a run of a gang: learns from it. */
void sim_plan_learn(struct program *program, uint32_t threads);

void sim_plan_free(struct plan *plan);

#endif
