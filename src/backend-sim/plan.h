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

#include "backend-sim/program.h"

struct cluster {
    uint32_t begin, end; /* in the plan's order                     */
    uint32_t joins;      /* clusters that must be done before       */
    bool opens;          /* those behind it are numbered in a row, and wait for
                            nothing else                            */
};

struct plan {
    uint32_t count;         /* clusters                             */
    uint32_t roots;         /* of these, the first: wait for nothing */
    struct cluster *clusters;
    uint32_t *order;        /* places, cluster by cluster           */
    uint32_t *behind_start, *behind; /* of clusters                 */
    uint64_t total_ns;      /* that all nodes took                  */
};

/* Before a run: what the program is to be run as.  True: by a gang. */
bool sim_plan_wants_gang(struct program *program, const struct engine *engine);

/* What is known of the program's costs is not true, or nothing is: the next launches
 * are measured. */
void sim_plan_measure(struct program *program);

/* After a run of a gang: learns from it. */
void sim_plan_learn(struct program *program, uint32_t threads);

void sim_plan_free(struct plan *plan);

#endif
