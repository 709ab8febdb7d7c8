/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: handles, whose values kernels set, and bodies, which are
 * graphs of the node's own.
 */
#ifndef SIM_CONDITIONAL_H
#define SIM_CONDITIONAL_H

#include <rill/exec.h>

#include "backend-sim/graph/graph.h"

struct conditional_claims;

/* A value that a launch has.  It belongs to all graphs that are nested in one
 * another: the outermost keeps the list, the newest first.
 *
 * As on hardware, handles are numbered for each graph and each context that their
 * bodies are of, from 1 on, and a kernel names a handle by that number alone.  What
 * tells two handles of one number apart is in the high half: which of the graph's
 * contexts it is, from 0 on in the order in which they came. */
struct conditional_handle {
    struct conditional_handle *next;
    rill_conditional id;  /* unique in the graph */
    uint32_t initial, flags;
    uint64_t context;     /* its id: what bodies hold is of it; 0: of any */
    bool used;            /* by a node                      */
    atomic_uint references; /* the list's, and that of the exec that has it */
    atomic_bool taken;    /* an exec has it                 */
};

/* What a kernel names it by. */
static inline uint32_t sim_conditional_number(rill_conditional id)
{
    return (uint32_t)id;
}

/* Makes a handle for bodies of that context, or of any if it is 0. */
rill_status sim_conditional_create(struct sim_graph *graph, uint64_t context, uint32_t initial,
                                   uint32_t flags, rill_conditional *id);

/* Finds the handle with that number of the context, among those that nodes of the graph may
 * have. */
rill_status sim_conditional_find_number(struct sim_graph *graph, uint64_t context, uint32_t number,
                                        rill_conditional *id);

/* The graph goes, and its handles with it. */
void sim_conditionals_free(struct sim_graph *graph);

/* Gives one reference back. */
void sim_conditional_release(struct conditional_handle *handle);

/* Returns the handle of that name that nodes of the graph may have, or NULL. */
struct conditional_handle *sim_conditional_find(struct sim_graph *graph, rill_conditional id);

/* ---- Before a graph is made an exec (device_check.c) -------------------------------- */

/* Whether all handles are used, and bodies, or with RILL_EXEC_DEVICE_LAUNCH all of the
 * graph, hold only what the device can begin; else `options` says what is wrong and
 * where. */
rill_status sim_device_check(const struct sim_graph *graph, rill_exec_options *options);

/* Takes the graph's handles for an exec; RILL_ERROR_NOT_SUPPORTED while another has
 * any of them.  NULL with RILL_SUCCESS: there are none. (conditional_claims.c) */
rill_status sim_conditionals_take(const struct sim_graph *graph,
                                  struct conditional_claims **claims);

/* The exec is destroyed; NULL is nothing. */
void sim_conditionals_give_back(struct conditional_claims *claims);

#endif
