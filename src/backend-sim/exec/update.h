/* SPDX-License-Identifier: Apache-2.0
 *
 * Updating an exec with the tasks of another graph.
 */
#ifndef SIM_UPDATE_H
#define SIM_UPDATE_H

#include "backend-sim/exec/transaction.h"

/* Compares every node of `graph` with the one that it stands for in a section of a program, and
 * adds to the transaction what is to change.  Refuses, with `result`, a graph with a node that
 * may not replace its counterpart.  If `in_order`, nodes must have been created in the same
 * order. */
rill_status sim_transaction_compare(struct update_transaction *transaction, struct sim_exec *exec,
                                    struct program *program, const struct section *section,
                                    struct sim_graph *graph, bool in_order,
                                    rill_update_result *result);

#endif
