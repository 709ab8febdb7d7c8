/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/vmem/drain.h"

#include "backend-sim/scheduler/wait.h"
#include "base/alloc.h"

/* Retains a strand of the list, unless it is about to leave the list.  Requires
 * engine->strands_lock. */
static bool retain_listed(struct strand *strand)
{
    uint64_t seen = atomic_load_explicit(&strand->references, memory_order_relaxed);
    while (seen)
        if (atomic_compare_exchange_weak_explicit(&strand->references, &seen, seen + 1,
                                                  memory_order_relaxed, memory_order_relaxed))
            return true;
    return false;
}

/* Lists what is pending now.  Returns false if memory is short. */
static bool list_pending(struct engine *engine, struct point **points, size_t *count)
{
    size_t room = 0;
    *count = 0;
    rl_lock(&engine->strands_lock);
    /* Room for all: other threads submit while this looks. */
    for (const struct strand *s = engine->strands; s; s = s->next) room++;
    *points = room ? rl_alloc(room * sizeof **points) : NULL;
    for (struct strand *s = engine->strands; *points && s && *count < room; s = s->next)
        if (sim_strand_pending(s) && retain_listed(s))
            (*points)[(*count)++] = (struct point){ s, sim_strand_submitted(s) };
    rl_unlock(&engine->strands_lock);
    return *points || !room;
}

bool sim_vmem_drain(struct engine *engine)
{
    struct point *points;
    size_t count;
    bool listed = list_pending(engine, &points, &count);
    for (size_t i = 0; i < count; i++) {
        sim_engine_wait(engine, points[i], false);
        sim_strand_release(points[i].strand);
    }
    rl_free(points);
    return listed;
}
