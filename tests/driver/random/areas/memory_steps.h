/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the memory area.
 */
#ifndef RANDOM_MEMORY_STEPS_H
#define RANDOM_MEMORY_STEPS_H

#include "graph_steps.h"

/* What a piece of memory came from: its object's flags. */
enum { PLAIN = 1, ORDERED = 2, OF_GRAPH = 4 };

/* Each step ends with a context that has nothing left to do. */
void settle(struct world *);

/* memory_calls.c */
void allocate_step(struct world *);
void free_step(struct world *);
void use_step(struct world *);
void pointer_step(struct world *);

/* memory_pools.c */
void pool_create_step(struct world *);
void pool_destroy_step(struct world *);
void pool_attribute_step(struct world *);
void pool_access_step(struct world *);
void pool_current_step(struct world *);

/* memory_graphs.c */
void memory_node_step(struct world *);
void memory_exec_step(struct world *);
void memory_launch_step(struct world *);
void graph_memory_step(struct world *);

#endif
