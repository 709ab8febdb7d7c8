/* SPDX-License-Identifier: Apache-2.0
 *
 * Taking over what the nodes of a graph do.
 */
#ifndef SIM_UPDATE_H
#define SIM_UPDATE_H

#include "backend-sim/exec/transaction.h"

/* Looks at every node of `graph`, which stands for the part of a program, and
 * puts down what becomes different; refuses, with `result`, what does not fit.
 * `in_order`: nodes must have been created in the same order. */
rill_status sim_overhaul_plan(struct overhaul *overhaul, struct sim_exec *exec,
                              struct program *program, const struct section *section,
                              struct sim_graph *graph, bool in_order,
                              rill_update_result *result);

#endif
