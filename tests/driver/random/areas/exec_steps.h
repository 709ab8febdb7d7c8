/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the exec area.
 */
#ifndef RANDOM_EXEC_STEPS_H
#define RANDOM_EXEC_STEPS_H

#include "graph_steps.h"

/* exec_run.c */
void instantiate_step(struct world *);
void launch_exec(struct world *, struct object *exec);
void launch_exec_step(struct world *);
void exec_other_step(struct world *);
/* The graph that it was made of, or one that descends from the same; or any. */
struct object *draw_kin(struct world *, const struct object *exec);

/* exec_change.c */
void update_exec(struct world *, const struct object *exec, const struct object *graph);
void update_step_whole(struct world *);
void update_step_node(struct world *);
void enable_step(struct world *);

#endif
