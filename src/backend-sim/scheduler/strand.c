/* SPDX-License-Identifier: Apache-2.0
 *
 * The life of a strand, and the waiters for its points.  How a strand runs: strand_run.c.
 */
#include "backend-sim/scheduler/strand.h"

#include <stdio.h>

#include "backend-sim/scheduler/engine.h"
#include "backend-sim/scheduler/strand_refs.h"
#include "base/alloc.h"
#include "base/park.h"

struct strand *sim_strand_create(struct engine *engine, struct sim_context *context, uint64_t id,
                                 int priority)
{
    struct strand *strand = rl_zalloc_lines(sizeof *strand);
    if (!strand) return NULL;
    sim_queue_init(&strand->queue, &engine->held);
    atomic_init(&strand->wanted, UINT64_MAX);
    atomic_init(&strand->references, 1);
    strand->engine = engine;
    strand->attention = &engine->attention;
    strand->device = context->device;
    strand->context = context->id;
    strand->id = id;
    strand->priority = priority;
    sim_engine_add_strand(engine, strand);
    return strand;
}

void sim_strand_release_many(struct strand *strand, uint64_t count)
{
    if (atomic_fetch_sub_explicit(&strand->references, count, memory_order_acq_rel) != count)
        return;
    sim_engine_remove_strand(strand->engine, strand);
    sim_queue_fini(&strand->queue);
    rl_free(strand);
}

void sim_strand_release(struct strand *strand)
{
    sim_strand_release_many(strand, 1);
}

void sim_strand_return(struct strand *strand, uint64_t count)
{
    if (atomic_fetch_add_explicit(&strand->returned, count, memory_order_acq_rel) &
        STRAND_DISOWNED)
        sim_strand_release_many(strand, count);
}

void sim_strand_disown(struct strand *strand)
{
    uint64_t returned = atomic_fetch_or_explicit(&strand->returned, STRAND_DISOWNED,
                                                 memory_order_acq_rel);
    if (returned) sim_strand_release_many(strand, returned);
    rl_spin_lock(&strand->submit_lock);
    sim_strand_refs_drop(strand);
    strand->disowned = true;
    bool idle = sim_strand_is_idle(strand);
    rl_spin_unlock(&strand->submit_lock);
    /* Otherwise the thread that lets go of the strand gives this reference back, and the strand
     * may be freed by now. */
    if (idle) sim_strand_release(strand);
}

bool sim_strand_label(struct strand *strand, char text[RILL_LABEL_MAX])
{
    rl_spin_lock(&strand->name_lock);
    const char *label = strand->named_by ? rill_stream_label(strand->named_by) : NULL;
    snprintf(text, RILL_LABEL_MAX, "%s", label ? label : "");
    rl_spin_unlock(&strand->name_lock);
    return *text;
}

/* ---- Points that are reached ------------------------------------------------- */

void sim_strand_wake_waiters(struct strand *strand, uint64_t number)
{
    rl_spin_lock(&strand->waiters_lock);
    struct waiter *woken = strand->first;
    struct waiter *last = NULL;
    for (struct waiter *w = woken; w && w->number <= number; w = w->next) {
        w->linked = false;
        last = w;
    }
    if (!last) {
        rl_spin_unlock(&strand->waiters_lock);
        return;
    }
    strand->first = last->next;
    last->next = NULL;
    if (strand->first) strand->first->previous = NULL;
    else strand->last = NULL;
    atomic_store(&strand->wanted, strand->first ? strand->first->number : UINT64_MAX);
    rl_spin_unlock(&strand->waiters_lock);

    while (woken) {
        struct waiter *next = woken->next; /* read first: a woken waiter may vanish at once */
        if (woken->reached) {
            woken->reached(woken);
        } else {
            atomic_store_explicit(&woken->futex_word, 2, memory_order_release);
            rl_unpark(&woken->futex_word, 1);
        }
        woken = next;
    }
}

/* ---- Waiting ------------------------------------------------------------- */

static void link_waiter(struct strand *strand, struct waiter *waiter)
{
    /* From the back, since most waits are for later points than the one before. */
    struct waiter *before = strand->last;
    while (before && before->number > waiter->number) before = before->previous;
    waiter->previous = before;
    waiter->next = before ? before->next : strand->first;
    if (waiter->next) waiter->next->previous = waiter;
    else strand->last = waiter;
    if (before) before->next = waiter;
    else strand->first = waiter;
    waiter->linked = true;
}

static void unlink_waiter(struct strand *strand, struct waiter *waiter)
{
    if (waiter->previous) waiter->previous->next = waiter->next;
    else strand->first = waiter->next;
    if (waiter->next) waiter->next->previous = waiter->previous;
    else strand->last = waiter->previous;
    waiter->linked = false;
    atomic_store(&strand->wanted, strand->first ? strand->first->number : UINT64_MAX);
}

bool sim_strand_add_waiter(struct strand *strand, struct waiter *waiter)
{
    if (!waiter->reached) atomic_fetch_add(&strand->sleepers, 1);
    rl_spin_lock(&strand->waiters_lock);
    link_waiter(strand, waiter);
    atomic_store(&strand->wanted, strand->first->number);
    /* Read after `wanted` is stored, before any thread can wake this one: either the point is seen
     * to be reached, or the owner sees that it is wanted. */
    bool reached = atomic_load(&strand->completed) >= waiter->number;
    if (reached) unlink_waiter(strand, waiter);
    rl_spin_unlock(&strand->waiters_lock);
    if (reached && !waiter->reached) atomic_fetch_sub(&strand->sleepers, 1);
    return !reached;
}

void sim_strand_remove_sleeper(struct strand *strand, struct waiter *waiter)
{
    rl_spin_lock(&strand->waiters_lock);
    bool linked = waiter->linked;
    if (linked) unlink_waiter(strand, waiter);
    rl_spin_unlock(&strand->waiters_lock);
    /* The thread that unlinked the waiter is about to wake it: wait for the last touch. */
    while (!linked && atomic_load_explicit(&waiter->futex_word, memory_order_acquire) != 2)
        rl_relax();
    atomic_fetch_sub(&strand->sleepers, 1);
}
