/* SPDX-License-Identifier: Apache-2.0
 *
 * A strand: the operations of one stream, which run one after the other, and
 * the timeline on which each of them is a point.
 *
 * Its state:
 *
 *     IDLE --publish--> READY --claim--> RUNNING --all done--> IDLE
 *                         ^                 |
 *                         +---- yield ------+--must wait--> PARKED --woken--> READY
 *
 * Whoever moves a strand from READY to RUNNING (a worker, or a host thread that
 * waits) owns it until it lets go: only the owner reads the queue and completes
 * operations.
 *
 * It becomes IDLE, and READY from there, under the submit lock, so a producer need
 * not tell anybody of an operation that comes while others are pending: it raises
 * `submitted`, and whoever runs the strand looks there before it lets go.  A strand
 * that is not IDLE has operations that are not completed, and is kept until it is.
 */
#ifndef SIM_STRAND_H
#define SIM_STRAND_H

#include <rill/stream.h>

#include <stdalign.h>

#include "backend-sim/scheduler/point.h"
#include "backend-sim/scheduler/queue.h"
#include "base/spin.h"
#include "base/thread.h"

struct engine;
struct sim_context;

/* What the run of an operation must heed; one load for all of it. */
enum attention {
    ATTEND_OBSERVER = 1, /* somebody watches                              */
    ATTEND_FAULT = 2,    /* the device failed: nothing runs any more      */
    ATTEND_POLLED = 4    /* strands wait for what memory holds: polled.h  */
};

enum strand_state { STRAND_IDLE, STRAND_READY, STRAND_RUNNING, STRAND_PARKED };

/* Of `returned`: from here on references are given back as they are. */
#define STRAND_DISOWNED (UINT64_C(1) << 63)

/* Something that waits for a point: linked into the strand that it waits for,
 * in the order of the points. */
struct waiter {
    uint64_t number;
    struct waiter *next, *previous; /* the strand's waiters_lock */
    bool linked;                    /* the strand's waiters_lock */
    /* Called without locks, once, when the point is reached.  NULL: a thread
     * sleeps on `futex_word`, which lives on its stack. */
    void (*reached)(struct waiter *waiter);
    atomic_uint futex_word; /* 0 asleep, 1 look again, 2 reached and unlinked */
};

#define STRAND_SEEN 4

/* What keeps a parked strand from going on. */
enum parked_on {
    PARKED_ON_NOTHING,
    PARKED_ON_POINT,
    PARKED_ON_MEMORY, /* until its operation is ready: polled.h                 */
    PARKED_ON_HOST,   /* a host function that another thread calls (host_thread_op.c) */
    PARKED_ON_WORK,   /* what is left of its operation is in other hands       */
    PARKED_ON_NODE    /* for good: the timeline of a node, whose points are reached
                         when launches run it (side.h)                         */
};

struct strand {
    /* ---- written by the producer, under submit_lock ---- */
    alignas(64) struct rl_spin submit_lock;
    bool disowned;                   /* ends when it is IDLE; submit_lock   */
    uint32_t seen_next;              /* of `seen`: the next to be replaced  */
    atomic_uint_least64_t submitted; /* so many; what they are is published by it,
                                        under submit_lock                   */
    uint64_t legacy_seen;            /* point of the legacy strand that this
                                        one is ordered behind; submit_lock  */
    uint64_t prompt_to;              /* up to here nothing is pending but what ends by
                                        itself and soon; only where one thread calls
                                        host functions; submit_lock         */
    atomic_bool in_legacy_list;      /* stands in its context's list for the
                                        legacy stream (default_streams.c)   */
    struct strand *ref_source;      /* of the references in stock for waits (loan.h);
                                        without any it may be gone, and is only
                                        compared; submit_lock               */
    uint32_t refs_in_stock;                  /* so many; submit_lock                */
    struct queue queue;              /* see queue.h                         */

    /* ---- written by both sides ---- */
    alignas(64) atomic_uint state;   /* enum strand_state                   */
    atomic_bool listed;              /* in the engine's ready list, maybe as a stale
                                        entry of it, or about to be put there by
                                        whoever set this; the list keeps it */
    atomic_uint_least64_t references;

    /* ---- written by those who run strands ---- */
    alignas(64) atomic_uint_least64_t completed; /* the owner's             */
    atomic_uint_least64_t returned;  /* references that waits gave back, until the
                                        strand is disowned: sim_strand_return()  */

    /* ---- written by the owner ---- */
    struct strand *refs_owed_to;         /* to whom it owes references of waits (loan.h);
                                        without debts only compared         */
    uint32_t refs_owed;                  /* so many                             */
    atomic_uint_least64_t helped;    /* times that a waiting thread ran it  */
    atomic_uint_least64_t parks;     /* times that it had to wait           */
    uint64_t ready_since;            /* the owner's; only when observed     */
    uint64_t begun_at;               /* the same: of a launch that began before it
                                        is over; else 0                     */

    /* What the observer with this number may see: operations from `seen_from`
     * on.  Stored under submit_lock, the number last. */
    atomic_uint_least64_t seen_from;
    atomic_uint observer_number;

    /* ---- waiting ---- */
    alignas(64) atomic_uint_least64_t wanted; /* the least number that a waiter
                                        waits for; stored under waiters_lock */
    struct rl_spin waiters_lock;
    atomic_uint sleepers;            /* threads among the waiters           */
    struct waiter *first, *last;     /* waiters_lock                        */

    struct rl_spin park_lock;        /* the parked ones                     */
    enum parked_on parked;
    struct point parked_point;       /* kept alive by the cell that waits; of a
                                        node's timeline: where the latest launch
                                        ends                                */
    atomic_uint_least64_t ahead_to;  /* the point's number, later by now when whoever
                                        runs this strand runs that one ahead again and
                                        again (run.c); the owner's               */
    struct cell *parked_cell;        /* the operation, of PARKED_ON_WORK and _MEMORY;
                                        park_lock                           */
    struct waiter waiter;            /* this strand, waiting for another    */
    struct strand *polled_next, *polled_previous; /* engine's polled_lock   */

    /* ---- fixed ---- */
    struct engine *engine;
    const atomic_uint *attention;    /* the engine's                        */
    const struct sim_device *device;
    uint64_t context;                /* the id of its context, which may be gone: that
                                        of an exec, of which a launch is left */
    uint64_t id;                     /* of the stream                       */
    int priority;                    /* from 0, the most urgent             */
    bool non_blocking;               /* the default streams order nothing   */
    atomic_bool counts_launches;     /* the timeline of a node (side.h)     */

    struct rl_spin name_lock;
    const rill_stream *named_by;     /* whose label it has, until that is
                                        destroyed; name_lock                */

    struct strand *ready_next;       /* engine's lock                       */
    struct strand *all_next, *all_previous; /* lock of the context's streams */
    struct strand *next, *previous;  /* all of the engine; its strands_lock */
    struct strand *legacy_next, *legacy_previous; /* lock of the context's streams */

    /* What its own earlier waits ordered it behind: the latest point of each of
     * a few strands, for pools (seen_points.c).  submit_lock. */
    struct seen_point {
        uint64_t id, number; /* of the strand; its point                    */
        uint64_t at;         /* operations of this strand from here on come
                                behind it                                   */
    } seen[STRAND_SEEN];
};

static inline void sim_strand_retain(struct strand *strand)
{
    atomic_fetch_add_explicit(&strand->references, 1, memory_order_relaxed);
}

struct strand *sim_strand_create(struct engine *engine, struct sim_context *context, uint64_t id,
                             int priority);

/* Its owner, who created it, is done with it: gives the first reference back. */
void sim_strand_disown(struct strand *strand);

/* Gives back what the submitting thread retained: for who runs a strand.  Mostly both are
 * at it at the same time, so they count in different places.  The sum is taken when the
 * strand is disowned, since before that it cannot be none. */
void sim_strand_return(struct strand *strand, uint64_t count);

void sim_strand_release_many(struct strand *strand, uint64_t count);

/* The strand's label; false, and "", when it has none. */
bool sim_strand_label(struct strand *strand, char text[RILL_LABEL_MAX]);

/* Whether somebody observes: the engine's attention, which the strand points to
 * so that submitting need not know the engine. */
static inline bool sim_strand_observed(const struct strand *strand)
{
    return atomic_load_explicit(strand->attention, memory_order_relaxed) & ATTEND_OBSERVER;
}

/* The strand waited for a point when it held `at` operations, or waits for it in
 * the last of these.  Under its submit lock. */
void sim_strand_note_wait(struct strand *strand, uint64_t at, struct point point);

/* The latest point of the strand `id` that the operations of `strand` come
 * behind, up to the one numbered `upto`; 0: none that is known.  Under its submit
 * lock. */
uint64_t sim_strand_seen_point(const struct strand *strand, uint64_t upto, uint64_t id);

/* The same for a copy of what a strand keeps. */
uint64_t sim_seen_point(const struct seen_point seen[STRAND_SEEN], uint64_t upto, uint64_t id);

/* One more, of what the owner alone counts and others only read. */
static inline void sim_count(atomic_uint_least64_t *counter)
{
    uint64_t count = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, count + 1, memory_order_relaxed);
}

/* ---- Running ------------------------------------------------------------ */

static inline enum strand_state sim_strand_state(const struct strand *strand)
{
    return atomic_load(&strand->state);
}

/* Whether nobody has anything to do with what is in the queue: for who holds the submit
 * lock.  For others it may be otherwise by now. */
static inline bool sim_strand_is_idle(const struct strand *strand)
{
    return atomic_load_explicit(&strand->state, memory_order_relaxed) == STRAND_IDLE;
}

/* Takes a READY strand; false when somebody else did.  The look comes first since mostly
 * that is all, and is ordered behind what the caller stored (chooser.c). */
static inline bool sim_strand_claim(struct strand *strand)
{
    unsigned ready = STRAND_READY;
    return sim_strand_state(strand) == STRAND_READY &&
           atomic_compare_exchange_strong(&strand->state, &ready, STRAND_RUNNING);
}

/* What this thread is in the middle of, the innermost first: a host function may
 * wait for another stream, and helps then. */
struct running {
    const struct strand *strand;
    struct running *outer;
    const struct strand *kept; /* waits for this one, in the same hands (run.c) */
};

extern _Thread_local struct running *sim_running RL_THREAD_WORD;

/* Whether the calling thread is in the middle of an operation of the strand. */
bool sim_strand_runs_here(const struct strand *strand);

/* Runs a claimed strand until `limit` is completed, it must wait, `budget` operations
 * ran, or nothing is left; then lets go of it.  So it does without a limit when few
 * operations came while it ran what there was.  Gives how many operations ran. */
#define STRAND_NO_LIMIT UINT64_MAX
#define STRAND_FEW 64
uint64_t sim_strand_run(struct strand *strand, uint64_t limit, unsigned budget);

/* Those who wait for a point up to `number` go on. */
void sim_strand_wake_waiters(struct strand *strand, uint64_t number);

/* The point `number` of the strand's timeline is reached: for its owner only.  The store
 * and the load are ordered against sim_strand_add_waiter()'s. */
static inline void sim_strand_complete(struct strand *strand, uint64_t number)
{
    atomic_store(&strand->completed, number);
    if (number >= atomic_load(&strand->wanted)) sim_strand_wake_waiters(strand, number);
}

/* The strand waits for a point, which it keeps alive until it is said to wait for
 * none; those who wait for the strand look there. */
static inline void sim_strand_set_parked(struct strand *strand, struct point point)
{
    rl_spin_lock(&strand->park_lock);
    strand->parked = point.strand ? PARKED_ON_POINT : PARKED_ON_NOTHING;
    strand->parked_point = point;
    atomic_store_explicit(&strand->ahead_to, point.number, memory_order_relaxed);
    rl_spin_unlock(&strand->park_lock);
}

/* What is left of the strand's operation is in other hands, or waits to be polled. */
static inline void sim_strand_set_parked_cell(struct strand *strand, enum parked_on on,
                                              struct cell *cell)
{
    rl_spin_lock(&strand->park_lock);
    strand->parked = on;
    strand->parked_cell = cell;
    rl_spin_unlock(&strand->park_lock);
}

/* A parked strand can go on. */
void sim_strand_unpark(struct strand *strand);

/* ---- Waiting ------------------------------------------------------------ */

/* Links a waiter; false when the point is reached already. */
bool sim_strand_add_waiter(struct strand *strand, struct waiter *waiter);

/* Unlinks a sleeping thread's waiter; afterwards nobody touches it. */
void sim_strand_remove_sleeper(struct strand *strand, struct waiter *waiter);

static inline bool sim_strand_reached(struct strand *strand, uint64_t number)
{
    return atomic_load_explicit(&strand->completed, memory_order_acquire) >= number;
}

static inline bool sim_point_reached(struct point point)
{
    return !point.strand || sim_strand_reached(point.strand, point.number);
}

static inline uint64_t sim_strand_submitted(const struct strand *strand)
{
    return atomic_load_explicit(&strand->submitted, memory_order_acquire);
}

/* How many operations are submitted and not completed. */
static inline uint64_t sim_strand_pending(const struct strand *strand)
{
    uint64_t completed = atomic_load_explicit(&strand->completed, memory_order_acquire);
    return sim_strand_submitted(strand) - completed;
}

#endif
