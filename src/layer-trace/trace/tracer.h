/* SPDX-License-Identifier: Apache-2.0
 *
 * The tracer of a platform: what its threads note goes into a ring for each of them and from there
 * to the file, by a thread of the tracer's own.  Nothing is left out: a thread whose ring is full
 * empties all rings itself before it goes on.
 */
#ifndef TR_TRACER_H
#define TR_TRACER_H

#include <rill/backend.h>

#include "base/fence.h"
#include "base/thread.h"
#include "layer-trace/record/ring.h"
#include "layer-trace/trace/trace.h"

struct tr_tracer {
    /* ---- fixed ---- */
    rill_platform *platform;
    const struct rill_backend *beneath;
    uint64_t serial;                  /* unique in the process        */
    struct tr_settings settings;
    struct tr_timed *timed;           /* slots/timed.h; NULL if the backend tells times */

    /* ---- shared ---- */
    atomic_bool on;                   /* is something to be noted?    */
    atomic_uint_least64_t traces;     /* that were started            */
    _Atomic(struct tr_ring *) rings;  /* stored under rings_lock      */
    struct rl_lock rings_lock;
    atomic_uint wake;                 /* the writing thread sleeps on it; 2: it is to end */

    /* ---- of a trace that goes on; `change`, and fixed while `on` ---- */
    struct rl_lock change;            /* held to start and to stop    */
    struct tr_trace *trace;           /* or NULL                      */
    unsigned number;                  /* of the platform in the trace */
    unsigned in_process;              /* ... in that of the process   */
    bool has_thread;
    pthread_t thread;
    struct tr_tracer *next;           /* of all that trace; all_lock in tracer.c */
};

/* The ring of this thread that was used last. */
struct tr_here {
    uint64_t serial; /* of its tracer */
    struct tr_ring *ring;
    struct tr_call *call; /* that this thread is inside of, or NULL: slots/calls.h */
};
extern _Thread_local struct tr_here tr_here RL_THREAD_WORD;

/* Reads the settings in the environment. */
rill_status tr_tracer_create(rill_platform *platform, const struct rill_backend *beneath,
                             struct tr_tracer **tracer);

/* Frees a tracer that has no trace; nobody uses the platform any more. */
void tr_tracer_destroy(struct tr_tracer *tracer);

/* Starts a trace in a file, in place of the one that the environment asks for; or the latter, if
 * any, for NULL. */
rill_status tr_tracer_start(struct tr_tracer *tracer, const char *file);

/* Stops a trace in a file once what was noted so far is there, and goes on with the one that the
 * environment asks for.  Returns RILL_SUCCESS if there is none. */
rill_status tr_tracer_stop(struct tr_tracer *tracer);

/* Stops any trace, for good. */
void tr_tracer_end(struct tr_tracer *tracer);

/* Returns the time on the platform's clock. */
static inline uint64_t tr_now(const struct tr_tracer *tracer)
{
    const struct rill_watch_ops *watch = tracer->beneath->watch;
    return watch && watch->now ? watch->now(tracer->platform) : rl_monotonic_ns();
}

/* ---- Noting ---------------------------------------------------------------------------------- */

/* Returns the ring of this thread, or NULL if memory is short. */
struct tr_ring *tr_ring_find(struct tr_tracer *tracer);

static inline bool tr_is_on(const struct tr_tracer *tracer)
{
    return atomic_load_explicit(&tracer->on, memory_order_relaxed);
}

/* Begins a record, of zeroes, in the ring of this thread.  Returns NULL if nothing is to be noted;
 * else tr_end() must follow, with the ring. */
struct tr_record *tr_begin(struct tr_tracer *tracer, struct tr_ring **ring);
void tr_end(struct tr_tracer *tracer, struct tr_ring *ring);

/* Returns the name, for a record between these two. */
static inline const struct tr_name *tr_name(struct tr_tracer *tracer, struct tr_ring *ring,
                                            const char *text)
{
    return tr_name_of(&tracer->trace->names, &ring->recent, text);
}

#endif
