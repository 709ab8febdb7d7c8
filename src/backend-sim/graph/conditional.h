/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: handles, whose values kernels set, and bodies, which are graphs that the
 * node owns.  The header of conditional.c and conditional_claims.c.
 */
#ifndef SIM_CONDITIONAL_H
#define SIM_CONDITIONAL_H

#include "backend-sim/graph/graph.h"

struct conditional_claims;

/* A handle for a value that each launch has.  All graphs that are nested in one another share
 * their handles: the outermost keeps the list, the newest first.
 *
 * As measured, handles are numbered from 1 for each graph and each context of their bodies,
 * and a kernel names a handle by that number alone.  The high half of the id is the index of
 * the context among those of the graph, from 0 in the order in which they came; it tells
 * handles with the same number apart. */
struct conditional_handle {
    struct conditional_handle *next;
    rill_conditional id;  /* unique in the graph */
    uint32_t initial, flags;
    uint64_t context;     /* id of the context of the bodies, or 0 for any */
    bool used;            /* by a node                      */
    atomic_uint references; /* the list's, and that of the exec that claims it */
    atomic_bool claimed;  /* by an exec                     */
};

/* Returns the number that a kernel names the handle by. */
static inline uint32_t sim_conditional_number(rill_conditional id)
{
    return (uint32_t)id;
}

/* Makes a handle for bodies of that context, or of any if it is 0. */
rill_status sim_conditional_create(struct sim_graph *graph, uint64_t context, uint32_t initial,
                                   uint32_t flags, rill_conditional *id);

/* Finds the handle with that number and context, among those that nodes of the graph may
 * name. */
rill_status sim_conditional_find_number(struct sim_graph *graph, uint64_t context, uint32_t number,
                                        rill_conditional *id);

/* Releases the handles of a graph that goes. */
void sim_conditionals_free(struct sim_graph *graph);

/* Gives one reference back. */
void sim_conditional_release(struct conditional_handle *handle);

/* Returns the handle with that id that nodes of the graph may name, or NULL. */
struct conditional_handle *sim_conditional_find(struct sim_graph *graph, rill_conditional id);

/* ---- Claims of execs ----------------------------------------------------------------- */

/* Claims the graph's handles for an exec.  Returns RILL_ERROR_NOT_SUPPORTED while another exec
 * claims any of them, and NULL with RILL_SUCCESS if there are none. */
rill_status sim_conditionals_take(const struct sim_graph *graph,
                                  struct conditional_claims **claims);

/* Gives the handles back when the exec is destroyed; does nothing if `claims` is NULL. */
void sim_conditionals_give_back(struct conditional_claims *claims);

#endif
