/* SPDX-License-Identifier: Apache-2.0
 *
 * One object of each kind, on a platform of its own.
 */
#ifndef WORLD_H
#define WORLD_H

#include <rill/rill.h>

struct world {
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_event *event;
    rill_module *module;
    rill_kernel *kernel;
    rill_pool *pool;
    rill_graph *graph;
    rill_node node, child_node; /* of `graph`; the second has a child graph */
    rill_exec *exec;
    rill_user_object *object; /* with two references */
    rill_replay *replay;      /* of steps that are empty */
    rill_devptr address;      /* 64 bytes */
};

/* Opens the backend, makes a context of the world's own, and the rest. */
rill_status world_open(struct world *world, const char *backend);

/* The same on a platform that is open. */
rill_status world_fill(struct world *world, rill_platform *platform);

/* Gives back all but the platform, also of a world that failed to open. */
rill_status world_empty(struct world *world);
rill_status world_close(struct world *world);

/* A world without pools, graphs and execs, for backends that have none. */
rill_status plain_world_open(struct world *world, const char *backend);

/* The module's kernel, "count": adds one to the int behind argument 0. */
extern const rill_image world_image;

/* How often the user object's destroy was called, in all worlds. */
extern int world_destroyed;

#endif
