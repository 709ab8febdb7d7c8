/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the process's heap that a program freed while work was pending that may use it.
 *
 * A driver waits for the work of the context that made the memory, and no other's, as measured.
 * What a copy of another context does then, on hardware, to memory that is nobody's, it must not do
 * here to memory that is somebody else's by now.  So the memory stays until a later call that frees
 * some finds that all is done that was pending when it was freed, or the platform is closed.
 */
#include "backend-sim/memory/host_memory.h"

#include "backend-sim/scheduler/engine.h"
#include "base/alloc.h"

struct deferred_free {
    struct deferred_free *next; /* platform->deferred_frees_lock */
    void *bytes;                /* fixed, as the rest            */
    struct pending pending;
};

static void free_now(struct deferred_free *deferred)
{
    sim_pending_drop(&deferred->pending);
    rl_free(deferred->bytes);
    rl_free(deferred);
}

/* Frees what no work can use any more. */
static void sweep(struct sim_platform *platform)
{
    struct deferred_free *done = NULL;
    rl_lock(&platform->deferred_frees_lock);
    for (struct deferred_free **link = &platform->deferred_frees; *link;) {
        struct deferred_free *deferred = *link;
        if (!sim_pending_reached(&deferred->pending)) {
            link = &deferred->next;
            continue;
        }
        *link = deferred->next;
        deferred->next = done;
        done = deferred;
    }
    rl_unlock(&platform->deferred_frees_lock);
    for (struct deferred_free *next; done; done = next) {
        next = done->next;
        free_now(done);
    }
}

/* Where memory is too short to remember it, the memory is not freed at all. */
static void defer(struct sim_platform *platform, void *bytes, struct pending *pending)
{
    struct deferred_free *deferred = rl_alloc(sizeof *deferred);
    if (!deferred) {
        sim_pending_drop(pending);
        return;
    }
    rl_lock(&platform->deferred_frees_lock);
    *deferred = (struct deferred_free){ platform->deferred_frees, bytes, *pending };
    platform->deferred_frees = deferred;
    rl_unlock(&platform->deferred_frees_lock);
}

void sim_defer_free(struct sim_platform *platform, void *bytes)
{
    struct pending pending;
    sweep(platform);
    if (!sim_pending_list(platform->engine, &pending)) return; /* as where defer() has no memory */
    if (pending.count) defer(platform, bytes, &pending);
    else rl_free(bytes);
}

void sim_deferred_frees_close(struct sim_platform *platform)
{
    for (struct deferred_free *next; platform->deferred_frees; platform->deferred_frees = next) {
        next = platform->deferred_frees->next;
        free_now(platform->deferred_frees);
    }
}
