/* SPDX-License-Identifier: Apache-2.0
 *
 * A ring of records: one thread adds, one at a time takes.
 */
#ifndef TR_RING_H
#define TR_RING_H

#include <stdalign.h>
#include <stdbool.h>

#include "layer-trace/record/names.h"
#include "layer-trace/record/record.h"

enum { TR_RING_RECORDS = 4096 };

struct tr_ring {
    /* ---- written by the thread that adds ---- */
    alignas(64) atomic_uint_least64_t added;
    uint64_t known_taken;        /* `taken` as it was read last                         */
    atomic_bool busy;            /* the thread is adding, unless it finds the trace off */
    struct tr_recent_names recent;
    atomic_uint_least64_t told;  /* the trace of the tracer that has the thread's name  */
    char thread_name[32];
    uint64_t thread;             /* as the system numbers it; changes with these when the
                                    thread has ended; rings_lock of the tracer          */
    struct tr_ring *next;        /* fixed once it is linked                             */

    /* ---- written by the thread that takes ---- */
    alignas(64) atomic_uint_least64_t taken;

    alignas(64) struct tr_record records[TR_RING_RECORDS];
};

/* Returns the place of the next record, or NULL if the ring is full. */
static inline struct tr_record *tr_ring_place(struct tr_ring *ring)
{
    uint64_t added = atomic_load_explicit(&ring->added, memory_order_relaxed);
    if (added - ring->known_taken == TR_RING_RECORDS) {
        ring->known_taken = atomic_load_explicit(&ring->taken, memory_order_acquire);
        if (added - ring->known_taken == TR_RING_RECORDS) return NULL;
    }
    return &ring->records[added % TR_RING_RECORDS];
}

/* Adds the record that was put in the place.  Returns how many there are, as far as known. */
static inline uint64_t tr_ring_add(struct tr_ring *ring)
{
    uint64_t added = atomic_load_explicit(&ring->added, memory_order_relaxed) + 1;
    atomic_store_explicit(&ring->added, added, memory_order_release);
    return added - ring->known_taken;
}

#endif
