/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines whose time is virtual: two devices, a context and two streams on each, and memory of
 * every kind.
 */
#ifndef TIMED_H
#define TIMED_H

#include "sim/machine.h"

enum { KIB = 1024, TIMED_BYTES = 1 << 20 };

struct timed {
    rill_platform *platform;
    rill_context *contexts[2];
    rill_stream *streams[2][2]; /* by device; non-blocking */
    rill_devptr memory[2][2];   /* by device */
    void *pinned, *pageable;
    rill_module *module;
    rill_kernel *work;          /* of device 0, takes what it is told */
    rill_sim_history *history;  /* the last one that was looked at */
};

/* A kernel is charged for as many instructions as its argument says. */
static inline void work_kernel(const rill_launch *launch)
{
    rill_sim_charge(launch, RILL_ARGUMENT(launch, 0, uint64_t));
}

/* A byte takes a nanosecond, and so does an instruction; all else takes no time. */
#define PLAIN_COSTS \
    "copy host-to-device pageable 0ns 1GB/s\n" \
    "copy host-to-device pinned   0ns 1GB/s\n" \
    "copy device-to-host pageable 0ns 1GB/s\n" \
    "copy device-to-host pinned   0ns 1GB/s\n" \
    "copy device-to-device        0ns 1GB/s\n" \
    "copy peer                    0ns 1GB/s\n" \
    "copy host-to-host            0ns 1GB/s\n" \
    "fill                         0ns 1GB/s\n" \
    "kernel                       0ns 1G/s\n" \
    "host                         0ns\n" \
    "graph                        0ns\n"

static inline void open_timed_with(struct timed *t, const char *costs, int workers)
{
    static const rill_param params[] = { RILL_PARAM(uint64_t) };
    static const rill_function work = { .name = "work", .over_grid = work_kernel,
                                        .params = params, .param_count = 1 };
    const rill_sim_options sim = { .size = sizeof sim, .clock = "virtual", .costs = costs,
                                   .devices = 2, .workers = workers };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_image image = { .size = sizeof image, .functions = &work, .function_count = 1 };
    memset(t, 0, sizeof *t);
    ok(rill_open(&options, &t->platform));
    for (int d = 0; d < 2; d++) {
        t->contexts[d] = machine_context(t->platform, d);
        for (int i = 0; i < 2; i++) {
            t->streams[d][i] = machine_stream(t->contexts[d]);
            ok(rill_mem_alloc(t->contexts[d], TIMED_BYTES, &t->memory[d][i]));
        }
    }
    ok(rill_host_alloc(t->contexts[0], TIMED_BYTES, 0, &t->pinned));
    t->pageable = calloc(1, TIMED_BYTES);
    ok(rill_module_load(t->contexts[0], &image, &t->module));
    ok(rill_module_kernel(t->module, "work", &t->work));
}

static inline void open_timed(struct timed *t)
{
    open_timed_with(t, PLAIN_COSTS, 2);
}

static inline void close_timed(struct timed *t)
{
    rill_sim_history_free(&t->history);
    ok(rill_host_free(t->contexts[0], t->pinned));
    free(t->pageable);
    ok(rill_module_unload(&t->module));
    for (int d = 0; d < 2; d++) {
        for (int i = 0; i < 2; i++) {
            ok(rill_stream_destroy(&t->streams[d][i]));
            ok(rill_mem_free(t->contexts[d], t->memory[d][i]));
        }
        ok(rill_context_destroy(&t->contexts[d]));
    }
    ok(rill_close(&t->platform));
}

/* ---- Work ------------------------------------------------------------------------------- */

/* A kernel that takes so many nanoseconds. */
static inline void work_for(struct timed *t, rill_stream *stream, uint64_t ns)
{
    const rill_dim3 one = { 1, 1, 1 };
    const void *params[] = { &ns };
    ok(rill_launch_kernel(stream, t->work, one, one, 0, params));
}

static inline void to_device(struct timed *t, rill_stream *stream, size_t bytes)
{
    ok(rill_memcpy_htod_async(stream, t->memory[0][0], t->pinned, bytes));
}

static inline void to_host(struct timed *t, rill_stream *stream, size_t bytes)
{
    ok(rill_memcpy_dtoh_async(stream, t->pinned, t->memory[0][0], bytes));
}

static inline rill_event *timing_event(struct timed *t)
{
    const rill_event_options options = { .size = sizeof options, .flags = RILL_EVENT_TIMING };
    rill_event *event = NULL;
    ok(rill_event_create(t->contexts[0], &options, &event));
    return event;
}

/* What comes to `second` next comes after what is in `first`. */
static inline void pass(struct timed *t, rill_stream *first, rill_stream *second)
{
    rill_event *event = NULL;
    ok(rill_event_create(t->contexts[0], NULL, &event));
    ok(rill_event_record(event, first, 0));
    ok(rill_stream_wait_event(second, event, 0));
    ok(rill_event_destroy(&event));
}

static inline uint64_t clock_of(struct timed *t)
{
    uint64_t now = 0;
    ok(rill_sim_clock(t->platform, &now));
    return now;
}

/* What ran so far; lives until the next call. */
static inline const rill_sim_history *look(struct timed *t)
{
    rill_sim_history_free(&t->history);
    ok(rill_sim_timeline(t->platform, &t->history));
    return t->history;
}

static inline const rill_sim_history *wait_and_look(struct timed *t)
{
    for (int d = 0; d < 2; d++) ok(rill_context_synchronize(t->contexts[d]));
    return look(t);
}

#define span_is(span, from, to) do { \
        assert_int_equal((span)->start_ns, from); \
        assert_int_equal((span)->end_ns, to); \
    } while (0)

#endif
