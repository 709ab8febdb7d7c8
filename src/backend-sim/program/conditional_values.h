/* SPDX-License-Identifier: Apache-2.0
 *
 * The values of an exec's conditionals: set by kernels of a launch, read by its conditional
 * nodes.
 */
#ifndef SIM_CONDITIONAL_VALUES_H
#define SIM_CONDITIONAL_VALUES_H

#include "backend-sim/graph/graph.h"

struct conditional_value {
    rill_conditional handle;
    uint64_t context; /* id of its bodies' context */
    uint32_t initial, flags;
    atomic_uint value;
};

/* In the order of handles: the values of a context follow each other, from number 1 on. */
struct conditional_values {
    struct conditional_value *items; /* NULL if there are none */
    uint32_t count;
};

/* Makes the values of a graph's handles.  An exec has the handles of the graph that it is made
 * from, which are also those of the graphs nested in it. */
rill_status sim_conditional_values_create(const struct sim_graph *graph,
                                          struct conditional_values *values);
void sim_conditional_values_destroy(struct conditional_values *values);

/* Returns the value of a handle, or NULL. */
struct conditional_value *sim_conditional_values_find(const struct conditional_values *values,
                                                      rill_conditional handle);

/* Assigns, when a launch begins, the defaults of the conditionals that have one. */
void sim_conditional_values_assign(const struct conditional_values *values);

/* Sets a value from a kernel of that context.  Returns false if none is for its kernels. */
bool sim_conditional_values_set(const struct conditional_values *values, uint64_t kernel_context,
                                rill_conditional handle, uint32_t value);

#endif
