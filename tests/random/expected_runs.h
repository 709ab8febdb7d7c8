/* SPDX-License-Identifier: Apache-2.0
 *
 * What each launch of a plan's exec is to do, worked out from the program's text.
 *
 * The steps that use an exec come one after the other, whichever threads take them,
 * so what was changed before a launch is known, and with it what every cell holds.
 */
#ifndef EXPECTED_RUNS_H
#define EXPECTED_RUNS_H

#include "random/program.h"

/* Launches count from 0. */
struct expected_runs {
    int launches;
    uint8_t version_now[NODES_MAX];
    uint32_t enabled_now;                     /* a bit each                     */
    int16_t step[LAUNCHES_MAX];
    uint32_t enabled[LAUNCHES_MAX];
    uint8_t version[LAUNCHES_MAX][NODES_MAX];
    uint32_t content[LAUNCHES_MAX + 1][NODES_MAX]; /* before a launch; so also after the
                                                 one before it                          */
};

void expected_runs_start(struct expected_runs *expected);

/* A step that uses the plan's exec. */
void expected_runs_add(struct expected_runs *expected, const struct graph_plan *plan,
                       const struct program *program, int step);

/* How often a launch is to run the code of a node. */
static inline unsigned expected_node_runs(const struct expected_runs *expected,
                                          const struct graph_plan *plan, int launch, int n)
{
    bool runs = graph_traced(plan, n) && expected->enabled[launch] >> n & 1;
    return runs ? plan->node[n].times : 0;
}

/* The launch of a step. */
static inline int expected_launch(const struct expected_runs *expected, int step)
{
    int launch = 0;
    while (expected->step[launch] != step) launch++;
    return launch;
}

#endif
