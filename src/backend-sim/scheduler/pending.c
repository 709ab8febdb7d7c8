/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/engine.h"

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

/* Lists as many as there is room for.  Returns how many there are.  Requires
 * engine->strands_lock. */
static size_t list_some(struct engine *engine, struct pending *pending, size_t room)
{
    size_t there = 0;
    for (struct strand *s = engine->strands; s; s = s->next) {
        if (!sim_strand_pending(s)) continue;
        there++;
        if (pending->count < room && retain_listed(s))
            pending->points[pending->count++] = (struct point){ s, sim_strand_submitted(s) };
    }
    return there;
}

/* Mostly nothing is pending, and no memory is needed. */
bool sim_pending_list(struct engine *engine, struct pending *pending)
{
    *pending = (struct pending){ NULL, 0 };
    for (size_t room = 0;;) {
        rl_lock(&engine->strands_lock);
        size_t there = list_some(engine, pending, room);
        rl_unlock(&engine->strands_lock);
        if (there <= room) return true;
        sim_pending_drop(pending);
        room = there;
        pending->points = rl_alloc(room * sizeof *pending->points);
        if (!pending->points) return false;
    }
}

bool sim_pending_reached(const struct pending *pending)
{
    size_t i = 0;
    while (i < pending->count && sim_point_reached(pending->points[i])) i++;
    return i == pending->count;
}

void sim_pending_drop(struct pending *pending)
{
    for (size_t i = 0; i < pending->count; i++) sim_strand_release(pending->points[i].strand);
    rl_free(pending->points);
    *pending = (struct pending){ NULL, 0 };
}
