/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/observe.h"

#include "backend-sim/engine.h"
#include "base/alloc.h"
#include "base/park.h"
#include "base/thread.h"

struct observer {
    struct rl_lock change;         /* one change at a time                       */
    _Atomic(void (*)(void *, const rill_sim_sighting *)) see; /* NULL: nobody    */
    _Atomic(void *) data;          /* stored before `see`, by whoever changes it */
    atomic_uint inside;            /* threads that may be in `see`               */
};

rill_status observer_create(struct observer **observer)
{
    *observer = rl_zalloc(sizeof **observer);
    return *observer ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

void observer_destroy(struct observer *observer)
{
    rl_free(observer);
}

static void show(struct engine *engine, const rill_sim_sighting *seen)
{
    struct observer *observer = engine->observer;
    /* In before looking: a change waits until everybody is out again. */
    atomic_fetch_add(&observer->inside, 1);
    void (*see)(void *, const rill_sim_sighting *) = atomic_load(&observer->see);
    if (see) see(atomic_load(&observer->data), seen);
    atomic_fetch_sub(&observer->inside, 1);
}

static void describe(struct sighting *out, struct strand *strand, const struct cell *cell,
                     uint64_t number)
{
    const struct op_type *type = op_types[cell->code];
    out->seen = (rill_sim_sighting){
        .size = sizeof out->seen,
        .time_ns = engine_now(strand->engine),
        .thread = rl_thread_id(),
        .device = strand->context->device->ordinal,
        .stream = strand->id,
        .point = number,
        .kind = type->kind,
        .name = type->name(cell),
        .stream_label = strand_label(strand, out->label) ? out->label : NULL,
    };
    if (!type->after) return;
    struct point after = type->after(cell);
    out->seen.after = (rill_sim_point){ after.strand->id, after.number };
}

/* The cells between a mark and the end of the queue, which the producer still
 * holds. */
void observe_submitted(const struct submission *submission)
{
    struct strand *strand = submission->strand;
    struct chunk *chunk = submission->start.tail ? submission->start.tail : strand->queue.head;
    uint32_t at = submission->start.tail ? submission->start.tail_at : 0;
    uint64_t number = strand_submitted(strand) - submission->count;
    for (uint64_t left = submission->count; left;) {
        const struct cell *cell = (const struct cell *)(const void *)(chunk->cells + at);
        if (!cell->code) {
            chunk = chunk->next;
            at = 0;
            continue;
        }
        struct sighting sighting;
        describe(&sighting, strand, cell, ++number);
        sighting.seen.moment = RILL_SIM_SUBMITTED;
        show(strand->engine, &sighting.seen);
        at += cell->bytes;
        left--;
    }
}

void observe_started(struct sighting *sighting, struct strand *strand, const struct cell *cell,
                     uint64_t number)
{
    describe(sighting, strand, cell, number);
    uint64_t now = sighting->seen.time_ns;
    /* Ready since the operation before it was done, or since the strand was
     * woken: both are noted in ready_since. */
    sighting->seen.moment = RILL_SIM_READY;
    if (strand->ready_since) sighting->seen.time_ns = strand->ready_since;
    show(strand->engine, &sighting->seen);
    sighting->seen.moment = RILL_SIM_STARTED;
    sighting->seen.time_ns = now;
    show(strand->engine, &sighting->seen);
}

void observe_done(struct sighting *sighting, struct strand *strand)
{
    sighting->seen.moment = RILL_SIM_DONE;
    sighting->seen.time_ns = engine_now(strand->engine);
    sighting->seen.thread = rl_thread_id();
    strand->ready_since = sighting->seen.time_ns;
    show(strand->engine, &sighting->seen);
}

void observer_set(struct engine *engine, const rill_sim_observer *wanted)
{
    struct observer *observer = engine->observer;
    rl_lock(&observer->change);
    engine_attend(engine, ATTEND_OBSERVER, false);
    atomic_store(&observer->see, NULL);
    while (atomic_load(&observer->inside)) rl_relax();
    if (wanted && wanted->see) {
        atomic_store(&observer->data, wanted->data);
        atomic_store(&observer->see, wanted->see);
        engine_attend(engine, ATTEND_OBSERVER, true);
    }
    rl_unlock(&observer->change);
}
