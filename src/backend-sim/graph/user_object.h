/* SPDX-License-Identifier: Apache-2.0
 *
 * User objects: what a program wants to be alive as long as a graph, its clones,
 * their execs and launches.
 *
 * Each holder has a list of its own, which names an object as often as it was
 * handed over.  The object itself only counts references; the last to go calls
 * `destroy`, with no lock held and no holder half undone.
 *
 * As on the driver a graph may give back more than it was handed, from what others hold:
 * what it has is less than nothing then, and makes up for that when it ends.  So lists may
 * name an object that has ended; its memory stays while one does.
 */
#ifndef SIM_USER_OBJECT_H
#define SIM_USER_OBJECT_H

#include "backend-sim/machine/machine.h"

/* The private bytes of a rill_user_object. */
struct user_object {
    rill_user_object *handle;
    void *data;
    rill_destroy_fn destroy;
    atomic_int_least64_t references;  /* of all holders                       */
    atomic_bool ended;                /* `destroy` is called, or was          */
    atomic_uint_least32_t namings;    /* in lists, and one until it has ended */
};

struct user_reference {
    struct user_object *object;
    int64_t count;
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
