/* SPDX-License-Identifier: Apache-2.0
 *
 * User objects: what a program wants to be alive as long as a graph, its clones,
 * their execs and launches.
 *
 * Each holder has a list of the objects it holds and how many references it has to each.  The
 * object itself only counts references; giving back the last one calls `destroy`, with no lock
 * held and no holder half undone.
 *
 * As on the driver, a graph may give back more references than it was handed, at the expense of
 * other holders: its count is negative then, and the end of the graph settles it.  So lists may
 * name an object that has ended; the object's memory stays while a list names it.
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
    atomic_bool ended;                /* `destroy` was called                 */
    atomic_uint_least32_t namings;    /* in lists, plus one until it has ended */
};

struct sim_graph;

struct user_reference {
    struct user_object *object;
    int64_t count;
};

/* Protected by the holder of the list; that of a graph belongs to the graph's caller. */
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

/* ---- The references of a holder ---------------------------------------------------- */

/* Returns the references that an exec of the graph takes: those of the graph, its children and
 * bodies.  NULL with RILL_SUCCESS if there are none. */
rill_status sim_users_share(const struct sim_graph *graph, struct user_references **users);
rill_status sim_users_copy(struct sim_graph *copy, const struct sim_graph *graph);

/* Adds a reference to each object in `from` that `users` does not name yet.  Returns false if
 * memory is short. */
bool sim_users_unite(struct user_references **users, const struct user_references *from);

/* Releases references and frees the list.  May run the `destroy` function of objects. */
void sim_users_release(struct user_references *users);

#endif
