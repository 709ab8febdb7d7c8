/* SPDX-License-Identifier: Apache-2.0
 *
 * rill's simulator: its streams as queues, and what only it has.
 */
#include <rill/rill.h>
#include <rill/sim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define TRY(call) \
    do { \
        if (call) give_up("%s: %s", rill_last_error()->operation, rill_last_error()->message); \
    } while (0)

static rill_platform *platform;
static rill_context *context;

static const char *open_rill(void)
{
    static char version[64];
    const rill_open_options options = { .size = sizeof options, .backend = "sim" };
    TRY(rill_open(&options, &platform));
    TRY(rill_context_create(platform, NULL, &context));
    snprintf(version, sizeof version, "rill %s, simulator", rill_version());
    return version;
}

static void close_rill(void)
{
    TRY(rill_context_destroy(&context));
    TRY(rill_close(&platform));
}

static rill_sim_counters counters(void)
{
    rill_sim_counters counters = { .size = sizeof counters };
    TRY(rill_sim_get_counters(platform, &counters));
    return counters;
}

/* ---- Streams as queues ------------------------------------------------------------ */

static rill_stream *make_stream(uint32_t flags)
{
    rill_stream *stream;
    const rill_stream_options options = { .size = sizeof options, .flags = flags };
    TRY(rill_stream_create(context, &options, &stream));
    return stream;
}

static void *make(void)
{
    return make_stream(RILL_STREAM_NON_BLOCKING);
}

static void *make_blocking(void)
{
    return make_stream(0);
}

static void unmake(void *queue)
{
    rill_stream *stream = queue;
    TRY(rill_stream_destroy(&stream));
}

static void op(void *queue, void (*fn)(void *), void *data)
{
    TRY(rill_launch_host(queue, fn, data, NULL));
}

static void wait_for(void *queue)
{
    TRY(rill_stream_synchronize(queue));
}

static void hops(void *a, void *b, int count, void (*fn)(void *), void *data)
{
    rill_stream *streams[] = { a, b };
    rill_event *events[2];
    TRY(rill_event_create(context, NULL, &events[0]));
    TRY(rill_event_create(context, NULL, &events[1]));
    for (int i = 0; i < count; i++) {
        rill_stream *stream = streams[i % 2];
        if (i) TRY(rill_stream_wait_event(stream, events[(i - 1) % 2], 0));
        TRY(rill_launch_host(stream, fn, data, NULL));
        TRY(rill_event_record(events[i % 2], stream, 0));
    }
    TRY(rill_stream_synchronize(a));
    TRY(rill_stream_synchronize(b));
    TRY(rill_event_destroy(&events[0]));
    TRY(rill_event_destroy(&events[1]));
}

static const struct queues queues = {
    .open = open_rill, .close = close_rill, .make = make, .unmake = unmake, .op = op,
    .wait = wait_for, .hops = hops,
};

static const struct queues blocking_queues = {
    .open = open_rill, .close = close_rill, .make = make_blocking, .unmake = unmake, .op = op,
    .wait = wait_for, .hops = hops,
};

/* A block of queue_blocks.c whose metrics go by other names here. */
static void renamed(struct recorder *recorder, const struct queues *with,
                    void (*block)(struct recorder *, const struct queues *), enum metric from,
                    enum metric to)
{
    struct recorder all = { .samples = NULL };
    block(&all, with);
    for (size_t i = 0; i < all.count; i++)
        if (all.samples[i].metric == (int)from) record(recorder, to, all.samples[i].value);
    free(all.samples);
}

static void blocking(struct recorder *recorder, const struct queues *with)
{
    renamed(recorder, with, block_busy, BUSY, BUSY_BLOCKING);
}

/* ---- A wait wakes nobody ------------------------------------------------------------- */

static void count(void *data)
{
    ++*(uint64_t *)data;
}

#define WAITS 20000

static void woken(struct recorder *recorder, const struct queues *with)
{
    (void)with;
    uint64_t ran = 0;
    rill_stream *stream = make();
    uint64_t before = 0;
    for (int i = -1000; i < WAITS; i++) {
        if (i == 0) before = counters().wakes;
        op(stream, count, &ran);
        wait_for(stream);
    }
    record(recorder, WOKEN, (double)(counters().wakes - before) * 1000 / WAITS);
    unmake(stream);
}

/* ---- Operations of other kinds -------------------------------------------------------- */

#define OPS 10000

struct work {
    rill_stream *stream;
    rill_kernel *kernel;
    rill_devptr from, to;
};

/* As block_busy() does: submission apart from the whole. */
static void submit_and_run(struct recorder *recorder, enum metric submit, enum metric whole,
                           void (*put)(const struct work *work), const struct work *work)
{
    for (int sample = -5; sample < 31; sample++) {
        uint64_t start = now_ns();
        for (int i = 0; i < OPS; i++) put(work);
        uint64_t submitted = now_ns();
        TRY(rill_stream_synchronize(work->stream));
        uint64_t done = now_ns();
        if (sample < 0) continue;
        record(recorder, submit, (double)(submitted - start) / OPS);
        record(recorder, whole, (double)(done - start) / OPS);
    }
}

static void kernel_body(const rill_launch *launch)
{
    count(RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), uint64_t));
}

static void put_kernel(const struct work *work)
{
    const int32_t number = 1;
    const void *params[] = { &work->to, &number };
    const rill_dim3 one = { 1, 1, 1 };
    TRY(rill_launch_kernel(work->stream, work->kernel, one, one, 0, params));
}

static void put_fill(const struct work *work)
{
    TRY(rill_memset_d32_async(work->stream, work->to, 1, 1));
}

static void put_copy(const struct work *work)
{
    TRY(rill_memcpy_dtod_async(work->stream, work->to, work->from, 4));
}

static void kinds(struct recorder *recorder, const struct queues *with)
{
    (void)with;
    static const rill_param params[] = { RILL_PARAM(rill_devptr), RILL_PARAM(int32_t) };
    static const rill_function function = {
        .name = "count", .over_grid = kernel_body, .params = params, .param_count = 2,
    };
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    rill_module *module;
    struct work work;
    work.stream = make();
    TRY(rill_module_load(context, &image, &module));
    TRY(rill_module_kernel(module, "count", &work.kernel));
    TRY(rill_mem_alloc(context, 64, &work.from));
    TRY(rill_mem_alloc(context, 64, &work.to));
    TRY(rill_memset_d8(context, work.from, 0, 64));
    TRY(rill_memset_d8(context, work.to, 0, 64));
    submit_and_run(recorder, KERNEL_SUBMIT, KERNEL, put_kernel, &work);
    submit_and_run(recorder, FILL_SUBMIT, FILL, put_fill, &work);
    submit_and_run(recorder, COPY_SUBMIT, COPY, put_copy, &work);
    TRY(rill_mem_free(context, work.from));
    TRY(rill_mem_free(context, work.to));
    TRY(rill_module_unload(&module));
    unmake(work.stream);
}

/* ---- Events --------------------------------------------------------------------------- */

struct clocked {
    rill_stream *stream;
    rill_event *event;
};

static void record_body(void *data, long runs)
{
    const struct clocked *c = data;
    for (long i = 0; i < runs; i++) TRY(rill_event_record(c->event, c->stream, 0));
    TRY(rill_stream_synchronize(c->stream));
}

static void query_body(void *data, long runs)
{
    const struct clocked *c = data;
    for (long i = 0; i < runs; i++) TRY(rill_event_query(c->event));
}

static void event_life_body(void *data, long runs)
{
    (void)data;
    rill_event *event;
    for (long i = 0; i < runs; i++) {
        TRY(rill_event_create(context, NULL, &event));
        TRY(rill_event_destroy(&event));
    }
}

static void events(struct recorder *recorder, const struct queues *with)
{
    (void)with;
    const rill_event_options timed = { .size = sizeof timed, .flags = RILL_EVENT_TIMING };
    struct clocked c;
    c.stream = make();
    TRY(rill_event_create(context, NULL, &c.event));
    measure(recorder, RECORD, record_body, &c, 0);
    measure(recorder, QUERY, query_body, &c, 0);
    TRY(rill_event_destroy(&c.event));
    TRY(rill_event_create(context, &timed, &c.event));
    measure(recorder, RECORD_TIMED, record_body, &c, OPS);
    TRY(rill_event_destroy(&c.event));
    measure(recorder, EVENT_LIFE, event_life_body, NULL, 0);
    unmake(c.stream);
}

/* ---- Many idle streams ------------------------------------------------------------------ */

#define MANY 10000

static rill_stream *many[MANY];

static void make_many(void)
{
    for (int i = 0; i < MANY; i++) many[i] = make();
}

static void unmake_many(void)
{
    for (int i = 0; i < MANY; i++) unmake(many[i]);
}

static const char *open_with_many(void)
{
    const char *version = open_rill();
    uint64_t ran = 0;
    make_many();
    for (int i = 0; i < MANY; i++) op(many[i], count, &ran);
    TRY(rill_context_synchronize(context));
    return version;
}

static void close_with_many(void)
{
    unmake_many();
    close_rill();
}

static const struct queues queues_among_many = {
    .open = open_with_many, .close = close_with_many, .make = make, .unmake = unmake, .op = op,
    .wait = wait_for, .hops = hops,
};

static void idle(struct recorder *recorder, const struct queues *with)
{
    (void)with;
    uint64_t ran[MANY];
    memset(ran, 0, sizeof ran);
    double before = resident_bytes();
    uint64_t start = now_ns();
    make_many();
    uint64_t made = now_ns();
    double after = resident_bytes();
    record(recorder, STREAM_BYTES, (after - before) / MANY);
    for (int i = 0; i < MANY; i++) op(many[i], count, &ran[i]);
    TRY(rill_context_synchronize(context));
    record(recorder, USED_BYTES, (resident_bytes() - before) / MANY);
    uint64_t end = now_ns();
    unmake_many();
    record(recorder, STREAM_LIFE, (double)(made - start + now_ns() - end) / MANY);
}

static void among_many(struct recorder *recorder, const struct queues *with)
{
    renamed(recorder, with, block_busy, BUSY, MANY_BUSY);
    renamed(recorder, with, block_wait, WAIT, MANY_WAIT);
    renamed(recorder, with, block_hop, HOP, MANY_HOP);
}

#define BLOCK(title, function, with) \
    { .name = "streams/" title, .contender = RILL, .run = function, .queues = &with }

const struct block rill_blocks[] = {
    BLOCK("busy", block_busy, queues),
    BLOCK("busy-blocking", blocking, blocking_queues),
    BLOCK("wait", block_wait, queues),
    BLOCK("woken", woken, queues),
    BLOCK("burst", block_burst, queues),
    BLOCK("cold", block_cold, queues),
    BLOCK("asleep", block_asleep, queues),
    BLOCK("hop", block_hop, queues),
    BLOCK("robin", block_robin, queues),
    BLOCK("threads", block_threads, queues),
    BLOCK("kinds", kinds, queues),
    BLOCK("events", events, queues),
    BLOCK("idle", idle, queues),
    BLOCK("idle-many", among_many, queues_among_many),
    { .name = NULL },
};
