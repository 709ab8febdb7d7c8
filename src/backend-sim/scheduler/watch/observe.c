/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/watch/observe.h"

#include "backend-sim/scheduler/engine.h"
#include "backend-sim/scheduler/op_type.h"
#include "base/alloc.h"
#include "base/park.h"
#include "base/thread.h"

struct observer {
    struct rl_lock change;         /* held while the observer is replaced        */
    _Atomic(void (*)(void *, const rill_sim_sighting *)) see; /* or NULL; `change` */
    _Atomic(void *) data;          /* stored before `see`; `change`              */
    atomic_uint number;            /* of the observer, counted from 1; `change`  */
    atomic_uint inside;            /* threads that may be in `see`               */
};

rill_status sim_observer_create(struct observer **observer)
{
    *observer = rl_zalloc(sizeof **observer);
    return *observer ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

void sim_observer_destroy(struct observer *observer)
{
    rl_free(observer);
}

static void show_sighting(struct engine *engine, const rill_sim_sighting *seen)
{
    struct observer *observer = engine->observer;
    /* Counted before `see` is read: a change waits until all threads are out again. */
    atomic_fetch_add(&observer->inside, 1);
    void (*see)(void *, const rill_sim_sighting *) = atomic_load(&observer->see);
    if (see) see(atomic_load(&observer->data), seen);
    atomic_fetch_sub(&observer->inside, 1);
}

static void describe_op(struct sighting *out, struct strand *strand, const struct cell *cell,
                        uint64_t number)
{
    const struct op_type *type = cell->type;
    out->seen = (rill_sim_sighting){
        .size = sizeof out->seen,
        .time_ns = sim_engine_now(strand->engine),
        .thread = rl_thread_id(),
        .device = strand->device->ordinal,
        .stream = strand->id,
        .point = number,
        .kind = type->kind,
        .name = type->name(cell),
        .stream_label = sim_strand_label(strand, out->label) ? out->label : NULL,
    };
    if (!type->after) return;
    struct point after = type->after(cell);
    out->seen.after = (rill_sim_point){ after.strand->id, after.number };
}

/* The cells are still the producer's. */
void sim_observe_submitted(const struct submission *submission)
{
    struct strand *strand = submission->strand;
    unsigned observer = atomic_load(&strand->engine->observer->number);
    if (atomic_load(&strand->observer_number) != observer) {
        atomic_store(&strand->seen_from, sim_strand_submitted(strand) + 1);
        atomic_store(&strand->observer_number, observer);
    }
    struct queue_walk walk = sim_queue_walk(&strand->queue, submission->start);
    uint64_t number = sim_strand_submitted(strand);
    for (uint64_t left = submission->count; left; left--) {
        struct sighting sighting;
        describe_op(&sighting, strand, sim_queue_walk_on(&walk), ++number);
        sighting.seen.moment = RILL_SIM_SUBMITTED;
        show_sighting(strand->engine, &sighting.seen);
    }
}

/* Tells whether the observer sees the operation; not if it was submitted before the observer
 * came. */
static bool is_seen(struct strand *strand, uint64_t number)
{
    unsigned observer = atomic_load(&strand->engine->observer->number);
    return atomic_load(&strand->observer_number) == observer &&
           atomic_load(&strand->seen_from) <= number;
}

void sim_observe_started(struct sighting *sighting, struct strand *strand, const struct cell *cell,
                         uint64_t number)
{
    sighting->seen.size = 0;
    if (!is_seen(strand, number)) return;
    describe_op(sighting, strand, cell, number);
    uint64_t now = sighting->seen.time_ns;
    /* Ready since the operation before it was done, or since the strand was woken: both are
     * noted in ready_since, which is 0 if the operation came in between and runs at once.  What
     * a wait waits for may have come later than either, which is noted nowhere. */
    sighting->seen.moment = RILL_SIM_READY;
    if (strand->ready_since && !cell->type->after)
        sighting->seen.time_ns = strand->ready_since;
    show_sighting(strand->engine, &sighting->seen);
    sighting->seen.moment = RILL_SIM_STARTED;
    sighting->seen.time_ns = strand->begun_at ? strand->begun_at : now;
    show_sighting(strand->engine, &sighting->seen);
}

void sim_observe_done(struct sighting *sighting, struct strand *strand, uint64_t number)
{
    bool more = sim_strand_submitted(strand) > number;
    uint64_t now = sim_engine_now(strand->engine);
    strand->ready_since = more ? now : 0;
    if (!sighting->seen.size) return; /* the observer did not see the start */
    sighting->seen.moment = RILL_SIM_DONE;
    sighting->seen.time_ns = now;
    sighting->seen.thread = rl_thread_id();
    show_sighting(strand->engine, &sighting->seen);
}

void sim_observe_node(struct strand *strand, const struct observed_node *node,
                      rill_sim_moment moment)
{
    struct sighting sighting;
    if (!is_seen(strand, node->point)) return;
    sighting.seen = (rill_sim_sighting){
        .size = sizeof sighting.seen,
        .moment = moment,
        .time_ns = sim_engine_now(strand->engine),
        .thread = rl_thread_id(),
        .device = strand->device->ordinal,
        .stream = strand->id,
        .point = node->point,
        .kind = node->kind,
        .name = node->name,
        .stream_label = sim_strand_label(strand, sighting.label) ? sighting.label : NULL,
        .node = node->number,
    };
    show_sighting(strand->engine, &sighting.seen);
}

void sim_observer_set(struct engine *engine, const rill_sim_observer *wanted)
{
    struct observer *observer = engine->observer;
    rl_lock(&observer->change);
    sim_engine_set_attention(engine, ATTEND_OBSERVER, false);
    atomic_store(&observer->see, NULL);
    while (atomic_load(&observer->inside)) rl_relax();
    if (wanted && wanted->see) {
        atomic_fetch_add(&observer->number, 1);
        atomic_store(&observer->data, wanted->data);
        atomic_store(&observer->see, wanted->see);
        sim_engine_set_attention(engine, ATTEND_OBSERVER, true);
    }
    rl_unlock(&observer->change);
}
