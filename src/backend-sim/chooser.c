/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs next: the most urgent priority first, and in it whoever is ready
 * for longest.  A hint, as on hardware: nobody may rely on it.
 */
#include "backend-sim/engine.h"

static struct strand *unlink_first(struct engine *engine, int priority)
{
    struct ready_list *list = &engine->ready[priority];
    struct strand *strand = list->first;
    list->first = strand->ready_next;
    if (!list->first) {
        list->last = NULL;
        engine->occupied &= ~(1u << priority);
    }
    strand->ready_next = NULL;
    /* Before its state is looked at: whoever makes it READY from now on lists
     * it anew. */
    atomic_store(&strand->listed, false);
    return strand;
}

static void link_first(struct engine *engine, struct strand *strand)
{
    struct ready_list *list = &engine->ready[strand->priority];
    strand->ready_next = list->first;
    list->first = strand;
    if (!list->last) list->last = strand;
    engine->occupied |= 1u << strand->priority;
}

struct strand *sim_engine_choose(struct engine *engine)
{
    while (engine->occupied) {
        struct strand *strand = unlink_first(engine, __builtin_ctz(engine->occupied));
        bool claimed = sim_strand_claim(strand);
        /* The list's reference; what is pending keeps a claimed strand. */
        sim_strand_release(strand);
        if (claimed) return strand;
    }
    return NULL;
}

bool sim_engine_has_ready(struct engine *engine)
{
    while (engine->occupied) {
        int priority = __builtin_ctz(engine->occupied);
        if (atomic_load(&engine->ready[priority].first->state) == STRAND_READY) return true;
        struct strand *stale = unlink_first(engine, priority);
        bool ready = atomic_load(&stale->state) == STRAND_READY;
        if (ready && !atomic_exchange(&stale->listed, true)) {
            /* It became READY in between and took itself for listed. */
            link_first(engine, stale);
            return true;
        }
        sim_strand_release(stale);
        if (ready) return true; /* it is about to list itself */
    }
    return false;
}
