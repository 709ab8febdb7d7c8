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
 * Where the schedule is given (steering.h), a strand is HELD in place of READY: no thread claims
 * it, and it runs an operation when it is told to.
 *
 * The thread that moves a strand from READY to RUNNING (a worker, or a host thread that
 * waits) owns the strand until it lets go: only the owner reads the queue and completes
 * operations.
 *
 * A strand becomes IDLE, and READY from there, under the submit lock.  A producer therefore
 * wakes nobody for an operation that comes while others are pending: it raises `submitted`,
 * and the owner reads that before it lets go.  A strand that is not IDLE has operations that
 * are not completed, and is kept until it is IDLE.
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

/* Flags that the run of an operation must heed, in one word, so that one load reads them all. */
enum attention {
    ATTEND_OBSERVER = 1,    /* an observer is installed                       */
    ATTEND_FAULT = 2,       /* the device failed: nothing runs any more       */
    ATTEND_POLLED = 4,      /* strands wait for values in memory: polled.h    */
    ATTEND_WATCHER = 8,     /* a watcher is installed: watch/watcher.h        */
    ATTEND_STEERED = 16,    /* the schedule is given: steering.h              */
    ATTEND_TIMEKEEPER = 32, /* a timekeeper is installed: watch/timekeeper.h  */
    ATTEND_VIRTUAL = 64,    /* time is virtual: virtual_time.h                */
    ATTEND_NUMBERS = 128,   /* numbers of operations are the same in all schedules */
    ATTEND_ORDER = 256,     /* the steering is told in which order they come  */
    ATTEND_TIMES = ATTEND_OBSERVER | ATTEND_TIMEKEEPER /* somebody asks when things run */
};

/* What there is to heed if nothing is but that the schedule is given. */
#define ATTEND_STEERING (ATTEND_STEERED | ATTEND_ORDER | ATTEND_NUMBERS)

enum strand_state { STRAND_IDLE, STRAND_READY, STRAND_RUNNING, STRAND_PARKED, STRAND_HELD };

/* A bit of `returned`: the strand is disowned, and references are given back one by one. */
#define STRAND_DISOWNED (UINT64_C(1) << 63)

/* A thread or a strand that waits for a point.  Linked into the strand whose point that is, in
 * the order of the points. */
struct waiter {
    uint64_t number;
    struct waiter *next, *previous; /* the strand's waiters_lock */
    bool linked;                    /* the strand's waiters_lock */
    /* Called without locks, once, when the point is reached.  NULL if a thread sleeps on
     * `futex_word`; the waiter is then on the stack of that thread. */
    void (*reached)(struct waiter *waiter);
    atomic_uint futex_word; /* 0 asleep, 1 check again, 2 reached and unlinked */
};

#define STRAND_SEEN 4

/* What keeps a parked strand from going on. */
enum parked_on {
    PARKED_ON_NOTHING,
    PARKED_ON_POINT,
    PARKED_ON_MEMORY, /* until its operation is ready: polled.h                 */
    PARKED_ON_HOST,   /* a host function that the host thread calls            */
    PARKED_ON_WORK,   /* other threads have the rest of its operation          */
    PARKED_ON_NODE    /* for good: the timeline of a node, whose points are reached when
                         launches run the node                                 */
};

struct strand {
    /* ---- written by the producer, under submit_lock ---- */
    alignas(64) struct rl_spin submit_lock;
    bool disowned;                   /* ends when it is IDLE; submit_lock   */
    uint32_t seen_next;              /* the entry of `seen` to be replaced next; submit_lock */
    atomic_uint_least64_t submitted; /* how many operations; storing it publishes them;
                                        stored under submit_lock            */
    uint64_t legacy_seen;            /* the point of the legacy strand that this strand
                                        is ordered after; submit_lock       */
    atomic_uint_least64_t noted;     /* how many the schedule was told of, if it asks for their
                                        order; stored under submit_lock     */
    uint64_t prompt_to;              /* all operations up to this one end soon and by
                                        themselves; kept only for a host thread;
                                        submit_lock                         */
    atomic_bool in_legacy_list;      /* in its context's list for the legacy stream;
                                        lock of the context's streams       */
    struct strand *ref_source;       /* whose references are in stock for waits
                                        (strand_refs.h); only compared while there are
                                        none, since it may be freed; submit_lock */
    uint32_t refs_in_stock;          /* how many; submit_lock               */

    /* Of the backlog (backlog.h); stored by submitting threads without a lock, for estimates. */
    atomic_uint_least64_t backlog_seen; /* how many were completed at the last look that found
                                        the strand got on ...               */
    atomic_uint_least64_t backlog_seen_at; /* ... and when that was, or 0   */
    atomic_uint_least64_t backlog_stuck; /* the number of the operation for which a thread waited
                                        in vain, or 0                       */

    struct queue queue;              /* queue.h says who may touch what     */

    /* ---- written by both sides ---- */
    alignas(64) atomic_uint state;   /* enum strand_state                   */
    atomic_bool listed;              /* in the engine's ready list, maybe as a stale
                                        entry, or about to be put there by the thread
                                        that set this; the list holds a reference */
    atomic_uint_least64_t references;

    /* ---- written by threads that run strands ---- */
    alignas(64) atomic_uint_least64_t completed; /* the owner's             */
    atomic_uint_least64_t returned;  /* references that waits gave back, until the
                                        strand is disowned: sim_strand_return()  */

    /* ---- written by the owner ---- */
    atomic_bool calls_program;       /* a function of the program's is running */
    struct strand *refs_owed_to;     /* to which it owes references of waits
                                        (strand_refs.h); only compared while it owes
                                        none; the owner's                   */
    uint32_t refs_owed;              /* how many; the owner's               */
    atomic_uint_least64_t helped;    /* times that a waiting thread ran it  */
    atomic_uint_least64_t parks;     /* times that it was parked            */
    uint64_t ready_since;            /* only when observed; the owner's     */
    uint64_t begun_at;               /* when the launch in front began, or 0; only when
                                        observed; the owner's               */
    uint64_t blocked_since;          /* when the operation in front could not run yet, or
                                        0; only when observed; the owner's  */

    /* The observer with this number sees operations from `seen_from` on.  Stored under
     * submit_lock, the number last. */
    atomic_uint_least64_t seen_from;
    atomic_uint observer_number;

    /* ---- waiting ---- */
    alignas(64) atomic_uint_least64_t wanted; /* the least number that a waiter
                                        waits for; stored under waiters_lock */
    struct rl_spin waiters_lock;
    atomic_uint sleepers;            /* threads among the waiters           */
    struct waiter *first, *last;     /* waiters_lock                        */

    struct rl_spin park_lock;
    enum parked_on parked;           /* park_lock                           */
    struct point parked_point;       /* kept alive by the cell that waits; of a node's
                                        timeline, where the latest launch ends;
                                        park_lock                           */
    atomic_uint_least64_t ahead_to;  /* the number of that point, raised when the owner
                                        runs the other strand ahead again; the owner's */
    struct cell *parked_cell;        /* the operation, if parked on work or memory;
                                        park_lock                           */
    struct waiter waiter;            /* this strand as a waiter; the owner's */
    struct strand *polled_next, *polled_previous; /* engine->polled_lock */

    /* ---- fixed ---- */
    struct engine *engine;
    const atomic_uint *attention;    /* the engine's                        */
    const struct sim_device *device;
    uint64_t context;                /* the id of its context, which may be destroyed by
                                        now                                 */
    uint64_t id;                     /* of the stream                       */
    int priority;                    /* from 0, the most urgent             */
    bool non_blocking;               /* the default streams order nothing   */
    uint32_t ordinal;                /* from 1, in the order in which strands were first HELD;
                                        the steering's lock                 */
    atomic_bool counts_launches;     /* it is the timeline of a node        */

    struct rl_spin name_lock;
    const rill_stream *named_by;     /* whose label it reports, until the stream is
                                        destroyed; name_lock                */

    struct strand *ready_next;       /* engine->lock                        */
    struct strand *all_next, *all_previous; /* lock of the context's streams */
    struct strand *next, *previous;  /* all of the engine; engine->strands_lock */
    struct strand *legacy_next, *legacy_previous; /* lock of the context's streams */

    /* The latest point of each of a few strands that this strand waited for; pools ask for
     * them.  submit_lock. */
    struct seen_point {
        uint64_t id, number; /* of the strand; its point                    */
        uint64_t at;         /* operations of this strand from here on come after the point */
    } seen[STRAND_SEEN];
};

static inline void sim_strand_retain(struct strand *strand)
{
    atomic_fetch_add_explicit(&strand->references, 1, memory_order_relaxed);
}

struct strand *sim_strand_create(struct engine *engine, struct sim_context *context, uint64_t id,
                                 int priority);

/* Gives back the reference of the thread that created the strand.  The strand runs on until it
 * is IDLE. */
void sim_strand_disown(struct strand *strand);

/* Gives back references that a submitting thread took; called by a thread that runs a strand.
 * Mostly both count at the same time, and therefore in different places.  The two counts are only
 * added when the strand is disowned, since until then the owner's reference keeps the strand. */
void sim_strand_return(struct strand *strand, uint64_t count);

void sim_strand_release_many(struct strand *strand, uint64_t count);

/* Copies the strand's label.  Returns false, and copies "", if it has none. */
bool sim_strand_label(struct strand *strand, char text[RILL_LABEL_MAX]);

/* Returns the flags to heed.  The strand points at the engine's, so that submitting need not know
 * the engine. */
static inline unsigned sim_strand_attention(const struct strand *strand)
{
    return atomic_load_explicit(strand->attention, memory_order_relaxed);
}

/* Tells whether an observer or a timekeeper is installed. */
static inline bool sim_strand_observed(const struct strand *strand)
{
    return sim_strand_attention(strand) & ATTEND_TIMES;
}

/* Tells whether each record and wait is to be an operation, so that it is seen, or so that the
 * numbers of others do not depend on what has run.  A timekeeper does not change what a given
 * schedule has to choose from. */
static inline bool sim_strand_shows_all(const struct strand *strand)
{
    unsigned attention = sim_strand_attention(strand);
    if (!(attention & (ATTEND_TIMES | ATTEND_NUMBERS))) return false; /* mostly; one test */
    return attention & (ATTEND_OBSERVER | ATTEND_NUMBERS) || !(attention & ATTEND_STEERED);
}

/* Notes that the strand's operations after the one numbered `at` come after `point`.  Requires
 * strand->submit_lock. */
void sim_strand_note_wait(struct strand *strand, uint64_t at, struct point point);

/* Returns the latest point of the strand `id` that the operations of `strand` come after, as far
 * as that holds for the one numbered `upto`, or 0 if none is known.  Requires
 * strand->submit_lock. */
uint64_t sim_strand_seen_point(const struct strand *strand, uint64_t upto, uint64_t id);

/* Does the same for a copy of a strand's seen points. */
uint64_t sim_seen_point(const struct seen_point seen[STRAND_SEEN], uint64_t upto, uint64_t id);

/* Raises a counter that its owner alone changes and other threads only read. */
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

/* Tells whether the strand is idle.  Exact under the submit lock, otherwise a hint. */
static inline bool sim_strand_is_idle(const struct strand *strand)
{
    return atomic_load_explicit(&strand->state, memory_order_relaxed) == STRAND_IDLE;
}

/* Takes a READY strand.  Returns false if it is not READY or another thread was quicker.  The
 * state is read first, since mostly that settles it; the read is ordered after what the caller
 * stored. */
static inline bool sim_strand_claim(struct strand *strand)
{
    unsigned ready = STRAND_READY;
    return sim_strand_state(strand) == STRAND_READY &&
           atomic_compare_exchange_strong(&strand->state, &ready, STRAND_RUNNING);
}

/* A strand that this thread runs an operation of.  There may be several, the innermost first:
 * a host function may wait for another stream, whose strand its thread then runs. */
struct running {
    const struct strand *strand;
    struct running *outer;
    const struct strand *kept; /* also owned by this thread, and waits for `strand` */
};

extern _Thread_local struct running *sim_running RL_THREAD_WORD;

/* Tells whether the calling thread is running an operation of the strand. */
bool sim_strand_runs_here(const struct strand *strand);

/* Runs a claimed strand until `limit` is completed, the strand must wait, `budget` operations
 * ran, or nothing is left; then lets go of the strand.  Without a limit it also lets go when only
 * few operations came while it ran the others.  Returns how many operations ran. */
#define STRAND_NO_LIMIT UINT64_MAX
#define STRAND_FEW 64
uint64_t sim_strand_run(struct strand *strand, uint64_t limit, unsigned budget);

/* Takes a strand one step on that was HELD and is RUNNING now: runs the operation in front, or a
 * part of it if it works in steps, or parks the strand.  Returns whether the strand has more to do
 * and is still RUNNING: for another step, or to be HELD again.  Else it may be gone. */
bool sim_strand_step(struct strand *strand);

/* Wakes all waiters whose point is at most `number`. */
void sim_strand_wake_waiters(struct strand *strand, uint64_t number);

/* Declares the point `number` of the strand's timeline reached; called by the owner only.  The
 * store and the load are ordered against those of sim_strand_add_waiter(). */
static inline void sim_strand_complete(struct strand *strand, uint64_t number)
{
    atomic_store(&strand->completed, number);
    if (number >= atomic_load(&strand->wanted)) sim_strand_wake_waiters(strand, number);
}

/* Notes which point the strand waits for, or that it waits for none.  The caller keeps the point's
 * strand alive until then.  Threads that wait for this strand follow the note. */
static inline void sim_strand_set_parked(struct strand *strand, struct point point)
{
    rl_spin_lock(&strand->park_lock);
    strand->parked = point.strand ? PARKED_ON_POINT : PARKED_ON_NOTHING;
    strand->parked_point = point;
    atomic_store_explicit(&strand->ahead_to, point.number, memory_order_relaxed);
    rl_spin_unlock(&strand->park_lock);
}

/* Notes that other threads have the rest of the strand's operation, or that it is polled. */
static inline void sim_strand_set_parked_cell(struct strand *strand, enum parked_on on,
                                              struct cell *cell)
{
    rl_spin_lock(&strand->park_lock);
    strand->parked = on;
    strand->parked_cell = cell;
    rl_spin_unlock(&strand->park_lock);
}

/* Makes a parked strand READY. */
void sim_strand_unpark(struct strand *strand);

/* ---- Waiting ------------------------------------------------------------ */

/* Links a waiter.  Returns false if the point is reached already. */
bool sim_strand_add_waiter(struct strand *strand, struct waiter *waiter);

/* Unlinks a sleeping thread's waiter; afterwards no other thread touches the waiter. */
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

/* Tells whether all that was submitted to the strand is completed. */
static inline bool sim_strand_is_drained(struct strand *strand)
{
    return sim_strand_reached(strand, sim_strand_submitted(strand));
}

/* Returns how many operations are submitted and not completed. */
static inline uint64_t sim_strand_pending(const struct strand *strand)
{
    uint64_t completed = atomic_load_explicit(&strand->completed, memory_order_acquire);
    return sim_strand_submitted(strand) - completed;
}

#endif
