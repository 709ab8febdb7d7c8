/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/host_thread.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#include "backend-sim/guard.h"
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
    atomic_uint bell;
};

_Thread_local bool sim_is_host_thread;

rill_status sim_host_thread_create(struct host_thread **host)
{
    *host = rl_zalloc(sizeof **host);
    return *host ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

/* ---- In the thread ------------------------------------------------------------------ */

/* In the midst of the strand's operation, so that it cannot wait for itself. */
static void make(struct host_call *call)
{
    struct running here = { call->strand, sim_running, NULL };
    sim_running = &here;
    sim_inside++;
    call->fn(call->data);
    sim_inside--;
    sim_running = here.outer;
    call->finished(call);
}

/* The call in front, or NULL.  `stops`: no call is made any more. */
static struct host_call *take(struct host_thread *host, bool *stops)
{
    rl_lock(&host->lock);
    struct host_call *call = host->first;
    if (call) host->first = call->next;
    *stops = host->state == HOST_STOPS;
    rl_unlock(&host->lock);
    return call;
}

/* Nobody waits for ever for a call that is not made. */
static void have_turn(struct host_call *call, bool stops)
{
    if (stops) call->finished(call);
    else make(call);
}

/* There may be none yet: it is posted once it is said to be waited for. */
void sim_host_thread_help(struct host_thread *host)
{
    bool stops;
    struct host_call *call = take(host, &stops);
    if (call) have_turn(call, stops);
    else sched_yield();
}

static void *host_main(void *data)
{
    struct host_thread *host = data;
    sim_is_host_thread = true;
    for (;;) {
        bool stops;
        struct host_call *call = take(host, &stops);
        if (call) have_turn(call, stops);
        else if (stops) return NULL;
        else if (!atomic_exchange(&host->bell, 0)) rl_park(&host->bell, 0, RL_FOREVER);
    }
}

/* ---- For others --------------------------------------------------------------------- */

/* A library's threads leave the program's signals to its own.  Under the lock. */
static void begin(struct host_thread *host)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bool failed = pthread_create(&host->thread, NULL, host_main, host);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    host->state = failed ? HOST_HAS_NONE : HOST_RUNS;
    host->joinable = !failed;
}

/* Puts the call into the list of the thread, if that runs; the state. */
static enum host_state put(struct host_thread *host, struct host_call *call)
{
    rl_lock(&host->lock);
    if (host->state == HOST_NOT_BEGUN) begin(host);
    enum host_state state = host->state;
    if (state == HOST_RUNS) {
        if (host->first) host->last->next = call;
        else host->first = call;
        host->last = call;
    }
    rl_unlock(&host->lock);
    return state;
}

static void ring(struct host_thread *host)
{
    atomic_store(&host->bell, 1);
    rl_unpark(&host->bell, 1);
}

void sim_host_post(struct host_thread *host, struct host_call *call)
{
    call->next = NULL;
    enum host_state state = put(host, call);
    if (state == HOST_RUNS) ring(host);
    else have_turn(call, state == HOST_STOPS);
}

/* Whether there is a thread to wait for. */
static bool stop(struct host_thread *host)
{
    rl_lock(&host->lock);
    host->state = HOST_STOPS;
    bool joinable = host->joinable;
    rl_unlock(&host->lock);
    ring(host);
    return joinable;
}

bool sim_host_thread_abandon(struct host_thread *host, uint64_t patience_ns)
{
    if (!stop(host)) return true;
    struct timespec end = rl_in(patience_ns);
    if (!rl_join_until(host->thread, &end)) return false;
    rl_lock(&host->lock);
    host->joinable = false;
    rl_unlock(&host->lock);
    return true;
}

void sim_host_thread_destroy(struct host_thread *host)
{
    if (!host) return;
    if (stop(host)) pthread_join(host->thread, NULL);
    rl_free(host);
}
