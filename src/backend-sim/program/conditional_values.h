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
    uint64_t context; /* id of that which its bodies are of */
    uint32_t initial, flags;
    atomic_uint value;
};

/* By handle; those of a context one after the other, from number 1 on. */
struct conditional_values {
    struct conditional_value *items; /* NULL if there are none */
    uint32_t count;
};

/* Makes those of a graph.  The handles of an exec are those of the graph that it is made
 * from, whatever is nested in it. */
rill_status sim_conditional_values_create(const struct sim_graph *graph,
                                          struct conditional_values *values);
void sim_conditional_values_destroy(struct conditional_values *values);

/* Returns the value of a handle, or NULL. */
struct conditional_value *sim_conditional_values_find(const struct conditional_values *values,
                                                      rill_conditional handle);

/* A launch begins: those that are assigned then get what they begin with. */
void sim_conditional_values_assign(const struct conditional_values *values);

/* Sets a value from a kernel of that context.  Returns false if none is for its kernels. */
bool sim_conditional_values_set(const struct conditional_values *values, uint64_t kernel_context,
                                rill_conditional handle, uint32_t value);

#endif
