/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/host_thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "backend-sim/scheduler/engine.h"
#include "backend-sim/scheduler/run_context.h"
#include "base/alloc.h"
#include "base/park.h"
#include "base/thread.h"

enum host_state { HOST_NOT_BEGUN, HOST_RUNS, HOST_HAS_NONE, HOST_STOPS };

struct host_thread {
    struct rl_lock lock;
    enum host_state state;           /* the lock */
    struct host_call *first, *last;  /* the lock */
    pthread_t thread;                /* set before the state says that it runs */
    bool joinable;                   /* the lock                               */
    atomic_uint futex_word;
    _Atomic(struct strand *) called; /* whose function is called now, the innermost one */
};

/* How long the thread sleeps while other threads bring about a call whose place is kept. */
#define RECHECK_NS 100000u

_Thread_local bool sim_is_host_thread;

rill_status sim_host_thread_create(struct host_thread **host)
{
    *host = rl_zalloc(sizeof **host);
    return *host ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

/* ---- In the thread ------------------------------------------------------------------ */

/* Makes the call, as a part of the strand's operation, so that it cannot wait for itself. */
static void make_call(struct host_thread *host, struct host_call *call)
{
    struct strand *outer = atomic_exchange(&host->called, call->strand);
    struct running here = { call->strand, sim_running, NULL };
    sim_running = &here;
    sim_host_depth++;
    call->fn(call->data);
    sim_host_depth--;
    sim_running = here.outer;
    atomic_store(&host->called, outer);
    call->finished(call);
}

/* Takes the call that `link` leads to, after `before`, out of the list.  Requires host->lock. */
static void unlink_call(struct host_thread *host, struct host_call **link,
                        struct host_call *before)
{
    struct host_call *call = *link;
    *link = call->next;
    if (host->last == call) host->last = before;
    call->place = HOST_PLACE_NONE;
}

/* Takes and returns the first call that can be made, or NULL.  With `missing` not past a place
 * that is kept, whose point it then stores there, retained.  Stores in `stops` whether no call
 * is made any more. */
static struct host_call *take_call(struct host_thread *host, struct point *missing, bool *stops)
{
    rl_lock(&host->lock);
    struct host_call **link = &host->first, *before = NULL;
    for (; *link && (*link)->place == HOST_PLACE_KEPT && !missing; link = &(*link)->next)
        before = *link;
    struct host_call *call = *link;
    if (call && call->place == HOST_PLACE_KEPT) {
        sim_strand_retain(call->strand);
        *missing = (struct point){ call->strand, call->number };
        call = NULL;
    } else if (call) {
        unlink_call(host, link, before);
    }
    *stops = host->state == HOST_STOPS;
    rl_unlock(&host->lock);
    return call;
}

/* Makes the call, or ends it without, so that no thread waits for it for ever. */
static void end_call(struct host_thread *host, struct host_call *call, bool stops)
{
    if (stops) call->finished(call);
    else make_call(host, call);
}

bool sim_host_thread_calls(struct host_thread *host, const struct strand *strand)
{
    return host && atomic_load(&host->called) == strand;
}

/* There may be no call yet: it is posted once its strand is noted as parked. */
void sim_host_thread_help(struct host_thread *host)
{
    bool stops;
    struct host_call *call = take_call(host, NULL, &stops);
    if (call) end_call(host, call, stops);
    else sched_yield();
}

static void sleep_host_thread(struct host_thread *host, uint64_t timeout_ns)
{
    if (!atomic_exchange(&host->futex_word, 0)) rl_park(&host->futex_word, 0, timeout_ns);
}

/* Does what comes before a call whose place is kept, if no other thread does: kernels may keep all
 * workers while they wait for a function that comes after this call. */
static void bring_call(struct host_thread *host, struct point call)
{
    if (sim_strand_claim(call.strand)) sim_strand_run(call.strand, call.number, UINT32_MAX);
    else sleep_host_thread(host, RECHECK_NS);
    sim_strand_release(call.strand);
}

static void *host_main(void *data)
{
    struct host_thread *host = data;
    sim_is_host_thread = true;
    for (;;) {
        bool stops;
        struct point missing = { NULL, 0 };
        struct host_call *call = take_call(host, &missing, &stops);
        if (call) end_call(host, call, stops);
        else if (stops) return NULL;
        else if (missing.strand) bring_call(host, missing);
        else sleep_host_thread(host, RL_FOREVER);
    }
}

/* ---- For others --------------------------------------------------------------------- */

/* Requires host->lock. */
static void begin_thread(struct host_thread *host)
{
    host->joinable = rl_thread_start(&host->thread, host_main, host);
    host->state = host->joinable ? HOST_RUNS : HOST_HAS_NONE;
}

/* Puts the call into the list of the thread, if the thread runs, unless it is there.  Returns the
 * thread's state. */
static enum host_state put_call(struct host_thread *host, struct host_call *call,
                                enum host_place place)
{
    rl_lock(&host->lock);
    if (host->state == HOST_NOT_BEGUN) begin_thread(host);
    enum host_state state = host->state;
    if (state == HOST_RUNS) {
        bool is_new = call->place == HOST_PLACE_NONE;
        call->place = place;
        if (is_new) {
            call->next = NULL;
            if (host->first) host->last->next = call;
            else host->first = call;
            host->last = call;
        }
    }
    rl_unlock(&host->lock);
    return state;
}

static void wake_host_thread(struct host_thread *host)
{
    atomic_store(&host->futex_word, 1);
    rl_unpark(&host->futex_word, 1);
}

void sim_host_post(struct host_thread *host, struct host_call *call)
{
    enum host_state state = put_call(host, call, HOST_PLACE_POSTED);
    if (state == HOST_RUNS) wake_host_thread(host);
    else end_call(host, call, state == HOST_STOPS);
}

void sim_host_keep_place(struct host_thread *host, struct host_call *call)
{
    put_call(host, call, HOST_PLACE_KEPT);
}

/* Takes kept places out of the list: that of `call`, or all if it is NULL.  Requires host->lock. */
static void give_up_places(struct host_thread *host, const struct host_call *call)
{
    struct host_call **link = &host->first, *before = NULL;
    while (*link) {
        if ((*link)->place == HOST_PLACE_KEPT && (!call || *link == call)) {
            unlink_call(host, link, before);
        } else {
            before = *link;
            link = &before->next;
        }
    }
}

void sim_host_withdraw(struct host_thread *host, struct host_call *call)
{
    rl_lock(&host->lock);
    bool kept = call->place == HOST_PLACE_KEPT;
    if (kept) give_up_places(host, call);
    rl_unlock(&host->lock);
    if (kept) wake_host_thread(host);
}

/* Has no call made any more.  Returns whether there is a thread to wait for. */
static bool stop_calls(struct host_thread *host)
{
    rl_lock(&host->lock);
    host->state = HOST_STOPS;
    give_up_places(host, NULL);
    bool joinable = host->joinable;
    rl_unlock(&host->lock);
    wake_host_thread(host);
    return joinable;
}

bool sim_host_thread_abandon(struct host_thread *host, uint64_t patience_ns)
{
    if (!stop_calls(host)) return true;
    struct timespec end = rl_in(patience_ns);
    if (!rl_join_until(host->thread, &end)) return false;
    rl_lock(&host->lock);
    host->joinable = false;
    rl_unlock(&host->lock);
    return true;
}

void sim_host_thread_stop(struct host_thread *host)
{
    if (!host || !stop_calls(host)) return;
    pthread_join(host->thread, NULL);
    rl_lock(&host->lock);
    host->joinable = false;
    rl_unlock(&host->lock);
}

void sim_host_thread_free(struct host_thread *host)
{
    rl_free(host);
}
