/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the conditional area.
 */
#ifndef RANDOM_CONDITIONAL_STEPS_H
#define RANDOM_CONDITIONAL_STEPS_H

#include "exec_steps.h"

/* What is known of a handle: its object's flags. */
enum {
    ASSIGNED = 1, /* the graph's launch gives it its first value       */
    NONZERO = 2,  /* which is not 0                                    */
    CLEARED = 4,  /* a kernel in the loop's body ends the loop         */
    SET = 8,      /* a kernel before the node sets it                  */
    UNSURE = 16,  /* nobody can say what it would be                   */
};

/* A node that sets a handle: its object's flags. */
enum { SETTER = 1 };

/* Whether a launch of it ends, and always in the same way. */
bool is_certain(struct world *, const struct object *graph);

/* conditional_nodes.c */
void condition_handle_step(struct world *);
void condition_node_step(struct world *);
void setter_step(struct world *);
void body_node_step(struct world *);
void body_capture_step(struct world *);
void condition_params_step(struct world *);

/* conditional_run.c */
void condition_exec_step(struct world *);
void condition_launch_step(struct world *);
void condition_update_step(struct world *);

#endif
