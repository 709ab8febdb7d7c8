/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/watch/watcher.h"

#include "backend-sim/scheduler/watch/observe.h"
#include "backend-sim/scheduler/steering.h"
#include "backend-sim/scheduler/watch/timekeeper.h"

/* Nothing runs yet, so that setting the flag publishes the watcher. */
bool sim_watcher_set(struct engine *engine, const struct rill_watcher *watcher)
{
    if (sim_is_watched(engine)) return false;
    engine->watcher = *watcher;
    sim_engine_set_attention(engine, ATTEND_WATCHER, true);
    return true;
}

void sim_watcher_tell_abandon(const struct engine *engine)
{
    const struct rill_watcher *watcher = &engine->watcher;
    if (sim_is_watched(engine) && watcher->abandons) watcher->abandons(watcher->data);
}

/* ---- Submitted ------------------------------------------------------------------------ */

/* The cells are still the producer's. */
static void watch_submitted(const struct submission *submission)
{
    const struct strand *strand = submission->strand;
    const struct rill_watcher *watcher = &strand->engine->watcher;
    struct queue_walk walk = sim_queue_walk(&strand->queue, submission->start);
    uint64_t number = sim_strand_submitted(strand);
    for (uint64_t left = submission->count; left; left--) {
        struct cell *cell = sim_queue_walk_on(&walk);
        number++;
        if (!cell->type->run_watched) continue;
        if (cell->type->get_watched) cell->type->get_watched(cell);
        watcher->submitted(watcher->data, strand->id, number, cell->type->kind);
    }
}

static void tell_steering(const struct submission *submission)
{
    struct steering *steering = submission->strand->engine->steering;
    steering->submitted(steering, submission);
}

__attribute__((noinline))
static void tell_all(const struct submission *submission, unsigned attention)
{
    if (attention & ATTEND_OBSERVER) sim_observe_submitted(submission);
    if (attention & ATTEND_TIMEKEEPER) sim_timekeeper_submitted(submission);
    if (attention & ATTEND_WATCHER) watch_submitted(submission);
    if (attention & ATTEND_ORDER) tell_steering(submission);
}

void sim_submission_tell(const struct submission *submission)
{
    unsigned attention = sim_strand_attention(submission->strand);
    if (attention & (ATTEND_TIMES | ATTEND_WATCHER)) tell_all(submission, attention);
    /* The watcher that was to be told when the caller asked may be gone by now. */
    else if (attention & ATTEND_ORDER) tell_steering(submission);
}

/* ---- Running -------------------------------------------------------------------------- */

struct told sim_watched_operation(const struct strand *strand, uint64_t number,
                                  rill_op_kind kind)
{
    return (struct told){
        .watcher = &strand->engine->watcher,
        .running = { .queue = strand->id, .point = number, .kind = kind },
    };
}

void sim_watch_operation(struct strand *strand, struct cell *cell, uint64_t number, bool drops)
{
    struct told told = sim_watched_operation(strand, number, cell->type->kind);
    told.running.dropped = drops;
    cell->type->run_watched(strand, cell, &told);
}

void sim_watch_silently(struct strand *strand, struct cell *cell, const struct told *told)
{
    if (!told->running.dropped) cell->type->run(strand, cell);
    else if (cell->type->drop) cell->type->drop(strand, cell);
}

void sim_watch_around(struct strand *strand, struct cell *cell, struct told *told)
{
    sim_watch_begins(told);
    sim_watch_silently(strand, cell, told);
    sim_watch_ends(told);
}
