/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs next: the most urgent priority first, and within it the strand that has been ready
 * for longest.  A hint, as a stream's priority is to a device: no program may rely on it.
 */
#include "backend-sim/scheduler/engine.h"

static struct strand *unlink_first_ready(struct engine *engine, int priority)
{
    struct ready_list *list = &engine->ready[priority];
    struct strand *strand = list->first;
    list->first = strand->ready_next;
    if (!list->first) {
        list->last = NULL;
        sim_ready_set(engine, engine->occupied & ~(1u << priority));
    }
    strand->ready_next = NULL;
    return strand;
}

static void link_first_ready(struct engine *engine, struct strand *strand)
{
    struct ready_list *list = &engine->ready[strand->priority];
    strand->ready_next = list->first;
    list->first = strand;
    if (!list->last) list->last = strand;
    sim_ready_set(engine, engine->occupied | 1u << strand->priority);
}

/* Notes that the strand was taken off the list, before the caller reads its state: the thread that
 * makes the strand READY reads `listed` after that, so one of the two sees the other. */
static void set_unlisted(struct strand *strand)
{
    atomic_store(&strand->listed, false);
}

struct strand *sim_engine_take_ready(struct engine *engine)
{
    while (engine->occupied) {
        struct strand *strand = unlink_first_ready(engine, __builtin_ctz(engine->occupied));
        set_unlisted(strand);
        bool ready = sim_strand_claim(strand);
        /* A strand that runs is kept until it is IDLE. */
        sim_strand_release(strand);
        if (ready) return strand;
    }
    return NULL;
}

bool sim_engine_has_ready(struct engine *engine)
{
    while (engine->occupied) {
        int priority = __builtin_ctz(engine->occupied);
        if (sim_strand_state(engine->ready[priority].first) == STRAND_READY) return true;
        struct strand *stale = unlink_first_ready(engine, priority);
        set_unlisted(stale);
        bool ready = sim_strand_state(stale) == STRAND_READY;
        bool back = ready && !atomic_exchange(&stale->listed, true);
        if (back) link_first_ready(engine, stale);
        else sim_strand_release(stale);
        if (ready) return true; /* if it is not back, another thread is about to list it */
    }
    return false;
}
