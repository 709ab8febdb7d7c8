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

/* What was taken off the list is listed no more, and no longer kept by it. */
static void release_unlisted(struct strand *strand, uint64_t life)
{
    if (!life) sim_strand_release(strand);
}

struct strand *sim_engine_choose(struct engine *engine)
{
    while (engine->occupied) {
        struct strand *strand = unlink_first(engine, __builtin_ctz(engine->occupied));
        uint64_t life = atomic_load_explicit(&strand->life, memory_order_relaxed), then;
        bool ready;
        do {
            ready = (life & STRAND_STATE) == STRAND_READY;
            then = (life & ~(uint64_t)STRAND_LISTED) + (ready ? STRAND_RUNNING - STRAND_READY : 0);
        } while (!atomic_compare_exchange_weak(&strand->life, &life, then));
        if (ready) return strand;
        release_unlisted(strand, then);
    }
    return NULL;
}

/* The strand that was taken off the list is listed no more; false when it is READY
 * after all, and has to go back there. */
static bool drop_stale(struct strand *strand)
{
    uint64_t life = atomic_load(&strand->life), then;
    do {
        if ((life & STRAND_STATE) == STRAND_READY) return false;
        then = life & ~(uint64_t)STRAND_LISTED;
    } while (!atomic_compare_exchange_weak(&strand->life, &life, then));
    release_unlisted(strand, then);
    return true;
}

bool sim_engine_has_ready(struct engine *engine)
{
    while (engine->occupied) {
        int priority = __builtin_ctz(engine->occupied);
        if (sim_strand_state(engine->ready[priority].first) == STRAND_READY) return true;
        struct strand *stale = unlink_first(engine, priority);
        if (drop_stale(stale)) continue;
        link_first(engine, stale);
        return true;
    }
    return false;
}
