/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/trace/tracer.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/park.h"
#include "base/process/asleep.h"
#include "layer-trace/write/rows.h"

/* What is noted is in the file after this time at the latest, should the process be killed. */
#define PAUSE_NS 100000000
enum { AWAKE = 0, WOKEN = 1, ENDS = 2 };

_Thread_local struct tr_here tr_here RL_THREAD_WORD;

/* ---- Rings ----------------------------------------------------------------------------------- */

static void fill_ring(struct tr_ring *ring, uint64_t thread)
{
    ring->thread = thread;
    atomic_store(&ring->told, 0);
    if (pthread_getname_np(pthread_self(), ring->thread_name, sizeof ring->thread_name))
        ring->thread_name[0] = 0;
}

/* Finds the thread's ring, or one whose thread has ended.  Requires tracer->rings_lock. */
static struct tr_ring *reuse_ring(struct tr_tracer *tracer, uint64_t thread)
{
    struct tr_ring *first = atomic_load(&tracer->rings), *ring = first;
    while (ring && ring->thread != thread) ring = ring->next;
    if (ring) return ring;
    for (ring = first; ring && !rl_thread_has_ended(ring->thread);) ring = ring->next;
    if (ring) fill_ring(ring, thread);
    return ring;
}

/* Requires tracer->rings_lock. */
static struct tr_ring *add_ring(struct tr_tracer *tracer, uint64_t thread)
{
    struct tr_ring *ring = rl_zalloc_lines(sizeof *ring);
    if (!ring) return NULL;
    fill_ring(ring, thread);
    ring->next = atomic_load(&tracer->rings);
    atomic_store(&tracer->rings, ring);
    return ring;
}

struct tr_ring *tr_ring_find(struct tr_tracer *tracer)
{
    uint64_t thread = rl_thread_id();
    if (tr_here.serial == tracer->serial && tr_here.ring->thread == thread) return tr_here.ring;
    rl_lock(&tracer->rings_lock);
    struct tr_ring *ring = reuse_ring(tracer, thread);
    if (!ring) ring = add_ring(tracer, thread);
    rl_unlock(&tracer->rings_lock);
    if (!ring) return NULL;
    tr_here.serial = tracer->serial;
    tr_here.ring = ring;
    return ring;
}

/* ---- Noting ---------------------------------------------------------------------------------- */

/* Tells whether the trace goes on; if so, it does until the ring is busy no more. */
static inline bool enter_ring(struct tr_tracer *tracer, struct tr_ring *ring)
{
    atomic_store_explicit(&ring->busy, true, memory_order_relaxed);
    rl_fence_often();
    if (atomic_load_explicit(&tracer->on, memory_order_acquire)) return true;
    atomic_store_explicit(&ring->busy, false, memory_order_release);
    return false;
}

/* Requires tracer->trace->lock. */
static void drain_ring(struct tr_tracer *tracer, struct tr_ring *ring, bool discards)
{
    uint64_t added = atomic_load_explicit(&ring->added, memory_order_acquire);
    uint64_t at = atomic_load_explicit(&ring->taken, memory_order_relaxed);
    for (; at < added && !discards; at++) {
        tr_trace_add(tracer->trace, tracer->number, &ring->records[at % TR_RING_RECORDS]);
        if (at % 256 == 255) atomic_store_explicit(&ring->taken, at + 1, memory_order_release);
    }
    atomic_store_explicit(&ring->taken, added, memory_order_release);
}

/* Empties all rings into the trace. */
static void drain_tracer(struct tr_tracer *tracer)
{
    struct tr_trace *trace = tracer->trace;
    bool discards = tr_trace_is_parents(trace);
    rl_lock(&trace->lock);
    for (struct tr_ring *ring = atomic_load(&tracer->rings); ring; ring = ring->next)
        drain_ring(tracer, ring, discards);
    if (!discards && trace->writer) tr_writer_add_arrows(trace->writer, tracer->number);
    rl_unlock(&trace->lock);
}

struct tr_record *tr_begin(struct tr_tracer *tracer, struct tr_ring **found)
{
    struct tr_ring *ring = tr_ring_find(tracer);
    struct tr_record *record;
    *found = ring;
    if (!ring || !enter_ring(tracer, ring)) return NULL;
    while (!(record = tr_ring_place(ring))) drain_tracer(tracer);
    memset(record, 0, sizeof *record);
    return record;
}

static void wake_writer(struct tr_tracer *tracer)
{
    unsigned expected = AWAKE;
    if (!atomic_compare_exchange_strong(&tracer->wake, &expected, WOKEN)) return;
    rl_unpark(&tracer->wake, 1);
}

void tr_end(struct tr_tracer *tracer, struct tr_ring *ring)
{
    bool half = tr_ring_add(ring) == TR_RING_RECORDS / 2;
    atomic_store_explicit(&ring->busy, false, memory_order_release);
    if (half) wake_writer(tracer);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void flush_file(struct tr_tracer *tracer)
{
    struct tr_writer *writer = tracer->trace->writer;
    rl_lock(&tracer->trace->lock);
    if (writer) tr_out_flush(&writer->out);
    rl_unlock(&tracer->trace->lock);
}

static void *write_on(void *data)
{
    struct tr_tracer *tracer = data;
    rl_begin_standing_by();
    for (unsigned seen = AWAKE; seen != ENDS;) {
        rl_park(&tracer->wake, AWAKE, PAUSE_NS);
        seen = atomic_load(&tracer->wake);
        unsigned woken = WOKEN;
        atomic_compare_exchange_strong(&tracer->wake, &woken, AWAKE);
        drain_tracer(tracer);
        if (seen == AWAKE) flush_file(tracer);
    }
    rl_end_standing_by();
    return NULL;
}

/* ---- All that trace -------------------------------------------------------------------------- */

static struct rl_lock all_lock;
static struct tr_tracer *all; /* all_lock */

static void list_tracer(struct tr_tracer *tracer)
{
    rl_lock(&all_lock);
    tracer->next = all;
    all = tracer;
    rl_unlock(&all_lock);
}

static void unlist_tracer(struct tr_tracer *tracer)
{
    rl_lock(&all_lock);
    struct tr_tracer **link = &all;
    while (*link && *link != tracer) link = &(*link)->next;
    if (*link) *link = tracer->next;
    rl_unlock(&all_lock);
}

/* ---- Start and stop -------------------------------------------------------------------------- */

/* Names the devices.  Requires tracer->change. */
static void name_devices(struct tr_tracer *tracer)
{
    const struct rill_device_ops *devices = tracer->beneath->device;
    struct tr_recent_names recent = { 0 };
    int count = 0;
    if (!tracer->trace->writer || devices->count(tracer->platform, &count)) return;
    rl_lock(&tracer->trace->lock);
    for (int i = 0; i < count; i++) {
        rill_device_info info = { .size = sizeof info };
        if (devices->info(tracer->platform, i, &info)) continue;
        tr_rows_name_device(tracer->trace->writer, tracer->number, i,
                            tr_name_of(&tracer->trace->names, &recent, info.name));
    }
    rl_unlock(&tracer->trace->lock);
}

/* Empties what the rings know of an earlier trace.  Nothing is noted. */
static void reset_rings(struct tr_tracer *tracer)
{
    rl_lock(&tracer->rings_lock);
    for (struct tr_ring *ring = atomic_load(&tracer->rings); ring; ring = ring->next)
        memset(&ring->recent, 0, sizeof ring->recent);
    rl_unlock(&tracer->rings_lock);
}

/* Requires tracer->change. */
static rill_status start_trace(struct tr_tracer *tracer, const char *file)
{
    struct tr_trace *trace = NULL;
    rill_status status = file ? tr_trace_open(file, tr_now(tracer), &trace)
                              : tr_trace_of_process(&tracer->settings, tr_now(tracer), &trace,
                                                    &tracer->in_process);
    if (status || !trace) return status;
    tracer->trace = trace;
    tracer->number = file ? 0 : tracer->in_process;
    atomic_fetch_add(&tracer->traces, 1);
    reset_rings(tracer);
    name_devices(tracer);
    atomic_store(&tracer->wake, AWAKE);
    tracer->has_thread = rl_thread_start(&tracer->thread, write_on, tracer);
    list_tracer(tracer);
    atomic_store(&tracer->on, true);
    return RILL_SUCCESS;
}

/* Waits until no thread notes anything any more. */
static void quiesce(struct tr_tracer *tracer)
{
    static const struct timespec pause = { 0, 100000 };
    atomic_store(&tracer->on, false);
    rl_fence_rarely();
    for (struct tr_ring *ring = atomic_load(&tracer->rings); ring; ring = ring->next)
        while (atomic_load_explicit(&ring->busy, memory_order_acquire) &&
               !rl_thread_has_ended(ring->thread))
            nanosleep(&pause, NULL);
}

/* Requires tracer->change. */
static int stop_trace(struct tr_tracer *tracer)
{
    struct tr_trace *trace = tracer->trace;
    bool parents = tr_trace_is_parents(trace);
    unlist_tracer(tracer);
    quiesce(tracer);
    if (tracer->has_thread && !parents) {
        atomic_store(&tracer->wake, ENDS);
        rl_unpark(&tracer->wake, 1);
        pthread_join(tracer->thread, NULL);
    }
    /* Twice, so that each arrow is found. */
    drain_tracer(tracer);
    drain_tracer(tracer);
    tracer->trace = NULL;
    return tr_trace_close(trace);
}

rill_status tr_tracer_start(struct tr_tracer *tracer, const char *file)
{
    rill_status status;
    rl_lock(&tracer->change);
    if (tracer->trace && tracer->trace->of_process) stop_trace(tracer);
    if (tracer->trace)
        status = rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "platform",
                                   "the platform is traced already; end that with "
                                   "rill_trace_stop() first");
    else
        status = start_trace(tracer, file);
    if (status && file && !tracer->trace) start_trace(tracer, NULL);
    rl_unlock(&tracer->change);
    return status;
}

static rill_status status_of(int error)
{
    if (!error) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_OPERATING_SYSTEM, "platform",
                             "the trace is not whole, since writing it failed: %s",
                             strerror(error));
}

rill_status tr_tracer_stop(struct tr_tracer *tracer)
{
    int error = 0;
    rl_lock(&tracer->change);
    if (tracer->trace && !tracer->trace->of_process) {
        error = stop_trace(tracer);
        start_trace(tracer, NULL);
    }
    rl_unlock(&tracer->change);
    return status_of(error);
}

void tr_tracer_end(struct tr_tracer *tracer)
{
    rl_lock(&tracer->change);
    if (tracer->trace) stop_trace(tracer);
    rl_unlock(&tracer->change);
}

/* Ends the traces of platforms that a process leaves open, after all that it registered for its
 * end. */
__attribute__((destructor(102))) static void end_traces(void)
{
    for (;;) {
        rl_lock(&all_lock);
        struct tr_tracer *tracer = all;
        rl_unlock(&all_lock);
        if (!tracer) return;
        tr_tracer_end(tracer);
    }
}

/* ---- A tracer -------------------------------------------------------------------------------- */

rill_status tr_tracer_create(rill_platform *platform, const struct rill_backend *beneath,
                             struct tr_tracer **made)
{
    static atomic_uint_least64_t serials;
    char why[TR_WHY_MAX];
    struct tr_tracer *tracer = rl_zalloc_lines(sizeof *tracer);
    if (!tracer)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "there is no memory to trace with");
    if (!tr_settings_read(&tracer->settings, rl_getenv("RILL_TRACE"), why)) {
        rl_free(tracer);
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "RILL_TRACE", "%.300s", why);
    }
    rl_fence_init();
    tracer->platform = platform;
    tracer->beneath = beneath;
    tracer->in_process = TR_NO_NUMBER;
    tracer->serial = atomic_fetch_add(&serials, 1) + 1;
    *made = tracer;
    return RILL_SUCCESS;
}

void tr_tracer_destroy(struct tr_tracer *tracer)
{
    struct tr_ring *ring = atomic_load(&tracer->rings);
    while (ring) {
        struct tr_ring *next = ring->next;
        rl_free(ring);
        ring = next;
    }
    rl_free(tracer);
}
