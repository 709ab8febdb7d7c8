/* SPDX-License-Identifier: Apache-2.0
 *
 * Layers: backends that stand on the backend of a platform.
 *
 * A platform that is opened with layers has a backend of its own, composed slot by slot.
 * Its objects carry a word for each layer after the program's own.
 */
#ifndef RL_LAYERS_H
#define RL_LAYERS_H

#include <rill/layer.h>

/* A layer and all that is beneath it, as one backend. */
struct rl_level {
    const struct rill_layer *layer;
    const struct rill_backend *beneath;
    struct rill_backend backend;
    struct rill_device_ops device;
    struct rill_context_ops context;
    struct rill_memory_ops memory;
    struct rill_module_ops module;
    struct rill_stream_ops stream;
    struct rill_event_ops event;
    struct rill_pool_ops pool;
    struct rill_vmem_ops vmem;
    struct rill_capture_ops capture;
    struct rill_graph_ops graph;
    struct rill_exec_ops exec;
    struct rill_watch_ops watch;
    struct rill_schedule_ops schedule;
};

/* The layers of a platform, fixed when it is opened and freed with its object. */
struct rl_layers {
    const struct rill_backend *bottom;
    unsigned count;
    struct rl_level levels[]; /* the topmost first */
};

/* Returns how many layers stand on a backend. */
static inline unsigned rl_layer_count(const struct rill_backend *backend)
{
    return backend->layers ? backend->layers->count : 0;
}

/* Returns the backend itself, without the layers that stand on it. */
static inline const struct rill_backend *rl_bottom(const struct rill_backend *backend)
{
    return backend->layers ? backend->layers->bottom : backend;
}

/* Tells each layer that has a word of the object that the object ends. */
void rl_layers_end(struct rill_object *head);

#endif
