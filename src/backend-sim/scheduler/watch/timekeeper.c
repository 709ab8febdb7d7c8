/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/watch/timekeeper.h"

/* Nothing runs yet, so that setting the flag publishes the timekeeper. */
bool sim_timekeeper_set(struct engine *engine, const struct rill_timekeeper *timekeeper)
{
    if (atomic_load(&engine->attention) & ATTEND_TIMEKEEPER) return false;
    engine->timekeeper = *timekeeper;
    sim_engine_set_attention(engine, ATTEND_TIMEKEEPER, true);
    return true;
}

/* The cells are still the producer's. */
void sim_timekeeper_submitted(const struct submission *submission)
{
    const struct strand *strand = submission->strand;
    const struct rill_timekeeper *timekeeper = &strand->engine->timekeeper;
    struct queue_walk walk = sim_queue_walk(&strand->queue, submission->start);
    uint64_t number = sim_strand_submitted(strand);
    for (uint64_t left = submission->count; left; left--) {
        const struct cell *cell = sim_queue_walk_on(&walk);
        timekeeper->submitted(timekeeper->data, strand->id, ++number, cell->type->kind);
    }
}

/* Returns since when the operation in front waits or runs, if that is not since now, or 0. */
static uint64_t take_begin(struct strand *strand)
{
    uint64_t since = strand->begun_at ? strand->begun_at : strand->blocked_since;
    strand->blocked_since = 0;
    return since;
}

rill_span sim_timekeeper_begin(struct strand *strand, const struct cell *cell, uint64_t number)
{
    const struct op_type *type = cell->type;
    uint64_t since = take_begin(strand);
    rill_span span = {
        .queue = strand->id, .point = number, .kind = type->kind,
        .device = strand->device->ordinal, .name = type->name(cell),
        .begin_ns = since ? since : sim_engine_now(strand->engine),
        .bytes = type->bytes ? type->bytes(cell) : 0,
        .dropped = sim_strand_attention(strand) & ATTEND_FAULT ? 1 : 0,
    };
    if (!type->after) return span;
    struct point after = type->after(cell);
    span.after_queue = after.strand->id;
    span.after_point = after.number;
    return span;
}

void sim_timekeeper_end(struct engine *engine, rill_span *span)
{
    const struct rill_timekeeper *timekeeper = &engine->timekeeper;
    span->end_ns = sim_engine_now(engine);
    timekeeper->ended(timekeeper->data, span);
}
