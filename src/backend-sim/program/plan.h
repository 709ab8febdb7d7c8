/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan: which nodes of a program are worth handing to a thread together, made
 * from what each of them took.
 *
 * Chains stay together, since no two of their nodes could run at the same time.  Of the
 * chains that can, as many are put into a cluster as make handing it over worth the
 * trouble; a long one is a cluster of its own.
 *
 * Clusters are numbered level by level, in the order of the levels.
 *
 * The header of plan.c and plan_whim.c; plan_draft.h has that of making a plan.
 */
#ifndef SIM_PLAN_H
#define SIM_PLAN_H

#include "backend-sim/program/program.h"

struct cluster {
    uint32_t begin, end; /* in the plan's order                     */
    uint32_t joins;      /* clusters that must be done before       */
    uint32_t barrier;    /* its only successor, an empty cluster, or NODE_NONE */
    bool opens;          /* its successors are numbered in a row, and wait for
                            nothing else                            */
};

struct plan {
    uint64_t serial;        /* no other plan ever has it; not 0     */
    uint32_t count;         /* clusters                             */
    uint32_t roots;         /* the first of these: wait for nothing */
    uint32_t ends;          /* clusters that nothing comes after    */
    uint32_t width;         /* clusters on the widest level         */
    struct cluster *clusters;
    uint32_t *order;        /* places, cluster by cluster           */
    uint32_t *edge_starts, *successors;      /* of clusters                */
    uint64_t total_ns;      /* that all nodes took                  */
};

/* Decides, before a run, how the program is run.  Returns true if by a gang. */
bool sim_plan_wants_gang(struct program *program, const struct engine *engine);

/* Counts a run by one thread that begins now.  Returns whether it is to be timed; if nothing is
 * learnt from it, since another thread takes the rest, the next one is. */
static inline bool sim_plan_times_run(struct program *program)
{
    if (--program->run.untimed) return false;
    program->run.untimed = 1;
    return true;
}

/* Learns from a run by one thread that was timed. */
void sim_plan_timed(struct program *program, const struct engine *engine, uint64_t took_ns);

/* Discards the measured costs; the next launches measure again, by one thread if the nodes are
 * `fine_grained`: they take so little on average that to hand them over one by one would take
 * longer than to run them. */
void sim_plan_measure(struct program *program, bool fine_grained);

/* The average time under which nodes are fine-grained. */
#define FINE_GRAINED_NS 250u

static inline bool sim_nodes_are_fine_grained(uint64_t nodes, uint64_t took_ns)
{
    return took_ns < nodes * FINE_GRAINED_NS;
}

/* Decides, before a run, at random (plan_whim.c). */
void sim_plan_whim(struct program *program);

/* Makes room for what nodes cost.  Returns false if memory is short. */
bool sim_plan_make_room(struct program *program);

/* Notes what a node took: the least of the launches that were measured since the schedule
 * changed, the first of which this is if `first`. */
static inline void sim_plan_note(struct program *program, uint32_t place, uint64_t took_ns,
                                 bool first)
{
    uint32_t cost = took_ns < UINT32_MAX ? (uint32_t)took_ns : UINT32_MAX;
    if (first || cost < program->run.costs[place]) program->run.costs[place] = cost;
}

/* Decides, once each node was measured, how so many threads run the program. */
void sim_plan_judge(struct program *program, uint32_t threads);

/* Discards the plan if several runs in a row took much longer or shorter than it says, or if
 * they gained nothing: the last one took so long. */
void sim_plan_check(struct program *program, uint64_t took_ns);

/* Learns from a run of a gang. */
void sim_plan_learn(struct program *program, uint32_t threads);

void sim_plan_free(struct plan *plan);

#endif
