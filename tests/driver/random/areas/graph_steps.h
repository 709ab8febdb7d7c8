/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the graph area, which other areas take as well.
 */
#ifndef RANDOM_GRAPH_STEPS_H
#define RANDOM_GRAPH_STEPS_H

#include "../random.h"

/* graph_build.c */
void add_node_step(struct world *);
void add_edges_step(struct world *);
void remove_edges_step(struct world *);
void new_graph_step(struct world *);
void clone_step(struct world *);
void destroy_node_step(struct world *);
void destroy_graph_step(struct world *);
void handle_step(struct world *);

/* graph_ask.c */
void list_step(struct world *);
void find_step(struct world *);
void child_step(struct world *);
void get_params_step(struct world *);
void show_step(struct world *);

/* graph_change.c */
void set_params_step(struct world *);
void attribute_step(struct world *);
void user_object_step(struct world *);

#endif
