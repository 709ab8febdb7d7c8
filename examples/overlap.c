/* SPDX-License-Identifier: Apache-2.0
 *
 * A test that fails when overlap is lost. Two streams take chunks in turn: while a kernel works
 * on one, the next one is copied. On a virtual clock, elapsed times are exact and the same on
 * each machine, so the test can ask for what it expects. Somebody adds a wait that nobody needs,
 * and the results stay right; only the test notices.
 *
 * It prints:
 *     as planned    makespan  8400 us of 11200 us, overlap  2800 us: fine
 *     a wait more   makespan 11200 us of 11200 us, overlap     0 us: overlap is lost
 *     critical: copy host-to-device pinned, scale, copy device-to-host pinned, ...
 *
 */
#include "must.h"

#include <rill/sim.h>

enum { CHUNKS = 8, CHUNK = 1 << 20 };

/* Costs are what the test is about, so they stand beside it: 200 us, 1 ms and 200 us. */
static const char costs[] =
    "copy host-to-device pinned 200us\n"
    "kernel scale               1ms\n"
    "copy device-to-host pinned 200us\n"
    "engines kernels            1\n";

static void scale(const rill_launch *launch)
{
    float *x = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), float);
    for (size_t i = 0; i < CHUNK / sizeof *x; i++) x[i] *= 2;
}

struct pipeline {
    rill_platform *platform;
    rill_context *context;
    rill_stream *streams[2];
    rill_devptr device[2];
    void *host[2];
    rill_module *module;
    rill_kernel *kernel;
};

static void open_pipeline(struct pipeline *p)
{
    static const rill_param params[] = { RILL_PARAM(rill_devptr) };
    static const rill_function function = { .name = "scale", .over_grid = scale,
                                            .params = params, .param_count = 1 };
    const rill_image image = { .size = sizeof image, .functions = &function,
                               .function_count = 1 };
    const rill_sim_options sim = { .size = sizeof sim, .clock = "virtual", .costs = costs };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_stream_options apart = { .size = sizeof apart, .flags = RILL_STREAM_NON_BLOCKING };
    MUST(rill_open(&options, &p->platform));
    MUST(rill_context_create(p->platform, NULL, &p->context));
    for (int i = 0; i < 2; i++) {
        MUST(rill_stream_create(p->context, &apart, &p->streams[i]));
        MUST(rill_mem_alloc(p->context, CHUNK, &p->device[i]));
        MUST(rill_host_alloc(p->context, CHUNK, 0, &p->host[i]));
    }
    MUST(rill_module_load(p->context, &image, &p->module));
    MUST(rill_module_kernel(p->module, "scale", &p->kernel));
}

static void close_pipeline(struct pipeline *p)
{
    MUST(rill_module_unload(&p->module));
    for (int i = 0; i < 2; i++) {
        MUST(rill_host_free(p->context, p->host[i]));
        MUST(rill_mem_free(p->context, p->device[i]));
        MUST(rill_stream_destroy(&p->streams[i]));
    }
    MUST(rill_context_destroy(&p->context));
    MUST(rill_close(&p->platform));
}

static void run_chunks(struct pipeline *p, int with_wait)
{
    const rill_dim3 one = { 1, 1, 1 };
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
        int i = chunk % 2;
        const void *params[] = { &p->device[i] };
        MUST(rill_memcpy_htod_async(p->streams[i], p->device[i], p->host[i], CHUNK));
        MUST(rill_launch_kernel(p->streams[i], p->kernel, one, one, 0, params));
        MUST(rill_memcpy_dtoh_async(p->streams[i], p->host[i], p->device[i], CHUNK));
        if (with_wait) MUST(rill_stream_wait_stream(p->streams[!i], p->streams[i]));
    }
    MUST(rill_context_synchronize(p->context));
}

static rill_sim_history *measure(const char *name, int with_wait)
{
    struct pipeline p;
    uint64_t streams[2];
    rill_sim_history *history;
    open_pipeline(&p);
    run_chunks(&p, with_wait);
    for (int i = 0; i < 2; i++) MUST(rill_stream_id(p.streams[i], &streams[i]));
    MUST(rill_sim_timeline(p.platform, &history));
    uint64_t overlap = rill_sim_overlap(history, streams[0], streams[1]);
    printf("%-13s makespan %5llu us of %5llu us, overlap %5llu us: %s\n", name,
           (unsigned long long)history->makespan_ns / 1000,
           (unsigned long long)history->serial_ns / 1000, (unsigned long long)overlap / 1000,
           10 * history->makespan_ns < 8 * history->serial_ns ? "fine" : "overlap is lost");
    close_pipeline(&p);
    return history;
}

int main(void)
{
    rill_sim_history *planned = measure("as planned", 0), *lost = measure("a wait more", 1);
    printf("critical: ");
    for (size_t i = 0, shown = 0; i < lost->count && shown < 3; i++)
        if (lost->spans[i].critical) shown++, printf("%s, ", lost->spans[i].name);
    printf("...\n");
    rill_sim_history_free(&planned);
    rill_sim_history_free(&lost);
    return 0;
}
