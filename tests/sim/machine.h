/* SPDX-License-Identifier: Apache-2.0
 *
 * A small simulated machine for the tests of its memory: two devices, a context
 * and a stream on each, and gates that hold streams.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "support/cmocka_all.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <rill/rill.h>
#include <rill/sim.h>

#include "base/alloc.h"

#define MIB ((size_t)1 << 20)

/* Tests that take long under valgrind divide their sizes. */
static inline int scaled(int count)
{
    const char *scale = getenv("RILL_TEST_SCALE");
    int by = scale ? atoi(scale) : 1;
    return by > 1 ? (count + by - 1) / by : count;
}

/* ok(call): it succeeds.  is(status, call): it answers that. */
#define ok(call) is(RILL_SUCCESS, call)
#define is(status, call) machine_check(call, status, #call, __FILE__, __LINE__)
static inline void machine_check(rill_status got, rill_status wanted, const char *call,
                                 const char *file, int line)
{
    if (got == wanted) return;
    const char *got_name = rill_error_name(got), *wanted_name = rill_error_name(wanted);
    print_error("%s\n    answers %s, not %s\n    %s\n", call, got_name ? got_name : "success",
                wanted_name ? wanted_name : "success", got ? rill_last_error()->message : "");
    _fail(file, line);
}

#define INVALID RILL_ERROR_INVALID_VALUE

/* The thread's error record names this argument and says all of these words. */
static inline void blames(const char *argument, const char *words, const char *more)
{
    const rill_error *last = rill_last_error();
    if (last->argument && !strcmp(last->argument, argument) && strstr(last->message, words) &&
        strstr(last->message, more))
        return;
    print_error("the record blames %s: \"%s\"\n", last->argument ? last->argument : "nothing",
                last->message);
    fail();
}

/* No more allocations of the host are left than these.  A worker may hold a
 * strand a little longer than its stream lives. */
static inline bool comes_down_to(long live)
{
    for (int i = 0; i < 10000 && rl_alloc_live() > live; i++)
        nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
    return rl_alloc_live() <= live;
}

/* Of a range of at most 64 MiB, the bytes that the system has memory behind. */
static inline size_t resident(rill_devptr base, size_t bytes)
{
    static unsigned char there[64 * MIB / 4096 + 1];
    size_t page = (size_t)sysconf(_SC_PAGESIZE), count = 0;
    rill_devptr first = base & ~(rill_devptr)(page - 1);
    bytes += base - first;
    assert_int_equal(mincore((void *)(uintptr_t)first, bytes, there), 0);
    for (size_t i = 0; i < (bytes + page - 1) / page; i++) count += there[i] & 1;
    return count * page;
}

/* ---- The machine -------------------------------------------------------------------- */

struct machine {
    rill_platform *platform;
    rill_context *context[2];
    rill_stream *stream[2]; /* non-blocking */
    atomic_uint *words;     /* pinned: one for each gate */
    int gates;
};

enum { MACHINE_GATES = 1024 };

static inline rill_stream *machine_stream(rill_context *context)
{
    const rill_stream_options options = { .size = sizeof options,
                                          .flags = RILL_STREAM_NON_BLOCKING };
    rill_stream *stream = NULL;
    ok(rill_stream_create(context, &options, &stream));
    return stream;
}

static inline rill_context *machine_context(rill_platform *platform, int device)
{
    const rill_context_options options = { .size = sizeof options, .device = device,
                                           .flags = RILL_CONTEXT_OWN };
    rill_context *context = NULL;
    ok(rill_context_create(platform, &options, &context));
    return context;
}

static inline rill_graph *machine_graph(rill_context *context)
{
    rill_graph *graph = NULL;
    ok(rill_graph_create(context, NULL, &graph));
    return graph;
}

static inline void machine_open_with(struct machine *m, uint64_t memory_bytes, int workers)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = 2, .workers = workers,
                                   .memory_bytes = memory_bytes };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    void *page = NULL;
    memset(m, 0, sizeof *m);
    ok(rill_open(&options, &m->platform));
    for (int i = 0; i < 2; i++) {
        m->context[i] = machine_context(m->platform, i);
        m->stream[i] = machine_stream(m->context[i]);
    }
    ok(rill_host_alloc(m->context[0], MACHINE_GATES * sizeof *m->words, 0, &page));
    memset(page, 0, MACHINE_GATES * sizeof *m->words);
    m->words = page;
}

static inline void machine_open(struct machine *m, uint64_t memory_bytes)
{
    machine_open_with(m, memory_bytes, 2);
}

static inline void machine_close(struct machine *m)
{
    for (int i = 0; i < m->gates; i++) atomic_store(&m->words[i], 1);
    for (int i = 0; i < 2; i++) ok(rill_stream_destroy(&m->stream[i]));
    for (int i = 1; i >= 0; i--) ok(rill_context_destroy(&m->context[i]));
    ok(rill_close(&m->platform));
}

/* ---- Gates -------------------------------------------------------------------------- */

/* What comes behind it in the stream does not run before open_gate(). */
static inline int gate(struct machine *m, rill_stream *stream)
{
    assert_true(m->gates < MACHINE_GATES);
    int number = m->gates++;
    ok(rill_stream_wait_value32(stream, (rill_devptr)(uintptr_t)&m->words[number], 1,
                                RILL_WAIT_GEQ));
    return number;
}

static inline void open_gate(struct machine *m, int number)
{
    atomic_store(&m->words[number], 1);
}

/* ---- Calls that wait ---------------------------------------------------------------- */

struct machine_call {
    rill_status (*make)(void *data);
    void *data;
    rill_status status;
    atomic_bool begun, returned;
};

static inline void *machine_call_main(void *data)
{
    struct machine_call *call = data;
    atomic_store(&call->begun, true);
    call->status = call->make(call->data);
    atomic_store(&call->returned, true);
    return NULL;
}

/* Makes a call while `stream` is held; whether it returned before the stream was
 * let go.  A call that is expected to wait is given `ms` to do otherwise. */
static inline bool returns_while_held(struct machine *m, rill_stream *stream, int ms,
                                      rill_status (*make)(void *data), void *data)
{
    struct machine_call call = { .make = make, .data = data };
    pthread_t thread;
    int number = gate(m, stream);
    assert_int_equal(pthread_create(&thread, NULL, machine_call_main, &call), 0);
    while (!atomic_load(&call.begun)) sched_yield();
    for (int i = 0; i < ms && !atomic_load(&call.returned); i++)
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    bool early = atomic_load(&call.returned);
    open_gate(m, number);
    pthread_join(thread, NULL);
    ok(call.status);
    return early;
}

/* One that must not wait has seconds to show it; one that must is given little. */
#define waits(m, stream, make, data) assert_false(returns_while_held(m, stream, 5, make, data))
#define does_not_wait(m, stream, make, data) \
    assert_true(returns_while_held(m, stream, 10000, make, data))

#endif
