/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/polled.h"

/* Requires engine->polled_lock, as does unlink_polled(). */
static void link_polled(struct engine *engine, struct strand *strand)
{
    strand->polled_previous = NULL;
    strand->polled_next = engine->polled;
    if (engine->polled) engine->polled->polled_previous = strand;
    else sim_engine_set_attention(engine, ATTEND_POLLED, true);
    engine->polled = strand;
}

static void unlink_polled(struct engine *engine, struct strand *strand)
{
    if (strand->polled_previous) strand->polled_previous->polled_next = strand->polled_next;
    else engine->polled = strand->polled_next;
    if (strand->polled_next) strand->polled_next->polled_previous = strand->polled_previous;
    if (!engine->polled) sim_engine_set_attention(engine, ATTEND_POLLED, false);
}

bool sim_strand_park_polled(struct strand *strand, struct cell *cell)
{
    struct engine *engine = strand->engine;
    sim_strand_set_parked_cell(strand, PARKED_ON_MEMORY, cell);
    rl_lock(&engine->polled_lock);
    /* A fault ends all waits.  If it was raised before this, the strand must not wait; if it is
     * raised later, the list is polled then. */
    bool over = (atomic_load(&engine->attention) & ATTEND_FAULT) || cell->type->ready(strand, cell);
    if (!over) link_polled(engine, strand);
    rl_unlock(&engine->polled_lock);
    if (over) {
        sim_strand_set_parked_cell(strand, PARKED_ON_NOTHING, NULL);
        return false;
    }
    /* From here on a thread must poll: the watch, or whichever comes first. */
    if (!atomic_load(&engine->watched)) sim_engine_wake_worker(engine);
    return true;
}

/* Tells whether the operation of a strand that is parked and polled is ready.  Its cell stays in
 * place while the strand is in the list.  Requires engine->polled_lock. */
static bool is_ready(struct strand *strand)
{
    struct cell *cell = strand->parked_cell;
    return cell->type->ready(strand, cell);
}

bool sim_engine_poll(struct engine *engine)
{
    struct strand *woken = NULL;
    rl_lock(&engine->polled_lock);
    bool failed = atomic_load(&engine->attention) & ATTEND_FAULT;
    for (struct strand *strand = engine->polled; strand;) {
        struct strand *next = strand->polled_next;
        if (failed || is_ready(strand)) {
            unlink_polled(engine, strand);
            strand->polled_next = woken;
            woken = strand;
        }
        strand = next;
    }
    rl_unlock(&engine->polled_lock);
    bool any = woken != NULL;
    while (woken) {
        struct strand *next = woken->polled_next; /* it may run at once */
        sim_strand_unpark(woken);
        woken = next;
    }
    return any;
}
