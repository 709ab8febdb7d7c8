/* SPDX-License-Identifier: Apache-2.0
 *
 * User objects: what a program wants to be alive as long as a graph, its clones,
 * their execs and launches.
 *
 * Each holder has a list of its own, which names an object as often as it was
 * handed over.  The object itself only counts references; the last to go calls
 * `destroy`, with no lock held and no holder half undone.
 */
#ifndef SIM_USER_OBJECT_H
#define SIM_USER_OBJECT_H

#include "backend-sim/sim.h"

/* The private bytes of a rill_user_object. */
struct user_object {
    rill_user_object *handle;
    void *data;
    rill_destroy_fn destroy;
    atomic_uint_least64_t references; /* of all holders */
};

struct user_reference {
    struct user_object *object;
    uint32_t count;
};

/* Whoever has the list protects it; a graph's is its caller's. */
struct user_references {
    uint32_t count, room;
    struct user_reference items[];
};

rill_status sim_user_object_create(rill_user_object *handle, void *data, rill_destroy_fn destroy,
                                   uint32_t references);
rill_status sim_user_object_retain(rill_user_object *handle, uint32_t count);
rill_status sim_user_object_release(rill_user_object *handle, uint32_t count);
rill_status sim_graph_retain(rill_graph *handle, rill_user_object *object, uint32_t count,
                             uint32_t flags);
rill_status sim_graph_release(rill_graph *handle, rill_user_object *object, uint32_t count);

#endif
