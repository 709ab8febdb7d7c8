/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call of rill's costs more than the driver's own: the same work through both,
 * on the same objects, in turns within one process.
 *
 * A case is a pair of functions that make a number of calls.  A round makes them once
 * each, in an order that changes; only the calls are timed, what they began is waited
 * for afterwards.  What is shown is the median over all rounds.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rill/cuda.h>
#include <rill/rill.h>

#include "cuda_driver.h"

static const char *const ptx =
    ".version 6.4\n"
    ".target sm_75\n"
    ".address_size 64\n"
    ".visible .entry put(.param .u64 where, .param .u32 value)\n"
    "{\n"
    "  .reg .b32 %v;\n"
    "  .reg .b64 %p;\n"
    "  ld.param.u64 %p, [where];\n"
    "  ld.param.u32 %v, [value];\n"
    "  st.global.u32 [%p], %v;\n"
    "  ret;\n"
    "}\n";

/* ---- What both sides have ---------------------------------------------------------- */

enum { SHORT, MIDDLE, LONG, GRAPHS };
static const int lengths[GRAPHS] = { 1, 20, 1000 };

struct driver_side {
    CUcontext context;
    CUstream stream, other;
    CUevent event;
    CUfunction kernel;
    CUdeviceptr words;
    void *pinned;
    CUgraph graphs[GRAPHS];
    CUgraphExec execs[GRAPHS];
    CUgraphNode node; /* of the middle one */
};

struct rill_side {
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream, *other;
    rill_event *event;
    rill_kernel *kernel;
    rill_devptr words;
    void *pinned;
    rill_graph *graphs[GRAPHS];
    rill_exec *execs[GRAPHS];
    rill_node node;
};

static struct driver_side raw;
static struct rill_side own;
static uint32_t value = 7;

static void check(rill_status status, const char *call)
{
    if (status == RILL_SUCCESS) return;
    fprintf(stderr, "%s: %s\n", call, rill_last_error()->message);
    exit(1);
}
#define RILL(call) check((call), #call)

/* ---- The cases ---------------------------------------------------------------------- */

/* Makes name_raw(calls) and name_own(calls). */
#define CASE(name, driver_call, rill_call) \
    static void name##_raw(int calls) { for (int i = 0; i < calls; i++) driver_call; } \
    static void name##_own(int calls) { for (int i = 0; i < calls; i++) rill_call; }

static void nothing(void *data)
{
    (void)data;
}

static CUresult raw_state(void)
{
    CUstreamCaptureStatus status;
    return driver.StreamIsCapturing(raw.stream, &status);
}

static CUresult raw_capture_info(void)
{
    CUstreamCaptureStatus status;
    cuuint64_t id;
    CUgraph graph;
    const CUgraphNode *nodes;
    size_t count;
    return driver.StreamGetCaptureInfo(raw.stream, &status, &id, &graph, &nodes, &count);
}

static rill_status own_capture_info(void)
{
    rill_capture_info info = { .size = sizeof info };
    return rill_stream_capture_info(own.stream, &info);
}

static CUresult raw_put(void)
{
    void *params[] = { &raw.words, &value };
    return driver.LaunchKernel(raw.kernel, 1, 1, 1, 1, 1, 1, 0, raw.stream, params, NULL);
}

static const rill_dim3 one = { 1, 1, 1 };

static rill_status own_put(void)
{
    const void *params[] = { &own.words, &value };
    return rill_launch_kernel(own.stream, own.kernel, one, one, 0, params);
}

static CUresult raw_alloc_free(void)
{
    CUdeviceptr p;
    CUresult result = driver.MemAllocAsync(&p, 4096, raw.stream);
    return result ? result : driver.MemFreeAsync(p, raw.stream);
}

static rill_status own_alloc_free(void)
{
    rill_devptr p;
    rill_status status = rill_mem_alloc_async(own.stream, 4096, &p);
    return status ? status : rill_mem_free_async(own.stream, p);
}

static CUresult raw_set_node(void)
{
    void *params[] = { &raw.words, &value };
    const CUDA_KERNEL_NODE_PARAMS node = {
        .func = raw.kernel, .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1,
        .blockDimY = 1, .blockDimZ = 1, .kernelParams = params,
    };
    return driver.ExecKernelNodeSetParams(raw.execs[MIDDLE], raw.node, &node);
}

static rill_status own_set_node(void)
{
    const void *params[] = { &own.words, &value };
    const rill_op op = {
        .kind = RILL_OP_KERNEL,
        .kernel = { .kernel = own.kernel, .grid = one, .block = one, .params = params },
    };
    return rill_exec_set_op(own.execs[MIDDLE], own.node, &op);
}

static CUresult raw_update(void)
{
    CUgraphExecUpdateResultInfo info;
    return driver.GraphExecUpdate(raw.execs[LONG], raw.graphs[LONG], &info);
}

static rill_status own_update(void)
{
    rill_update_result result;
    return rill_exec_update(own.execs[LONG], own.graphs[LONG], &result);
}

/* A chain of kernels. */
static void raw_capture(int nodes, CUgraph *graph)
{
    DRIVER(driver.BeginCapture(raw.stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    for (int i = 0; i < nodes; i++) DRIVER(raw_put());
    DRIVER(driver.EndCapture(raw.stream, graph));
}

static void own_capture(int nodes, rill_graph **graph)
{
    const rill_capture_options options = { .size = sizeof options,
                                           .mode = RILL_CAPTURE_THREAD_LOCAL };
    RILL(rill_stream_begin_capture(own.stream, &options));
    for (int i = 0; i < nodes; i++) RILL(own_put());
    RILL(rill_stream_end_capture(own.stream, graph));
}

static void captured_raw(int nodes)
{
    CUgraph graph;
    raw_capture(nodes, &graph);
    DRIVER(driver.GraphDestroy(graph));
}

static void captured_own(int nodes)
{
    rill_graph *graph;
    own_capture(nodes, &graph);
    RILL(rill_graph_destroy(&graph));
}

CASE(query, DRIVER(driver.StreamQuery(raw.stream)), RILL(rill_stream_query(own.stream)))
CASE(wait_idle, DRIVER(driver.StreamSynchronize(raw.stream)),
     RILL(rill_stream_synchronize(own.stream)))
CASE(state, DRIVER(raw_state()), RILL(own_capture_info()))
CASE(info, DRIVER(raw_capture_info()), RILL(own_capture_info()))
CASE(record, DRIVER(driver.EventRecord(raw.event, raw.stream)),
     RILL(rill_event_record(own.event, own.stream, 0)))
CASE(wait, DRIVER(driver.StreamWaitEvent(raw.other, raw.event, 0)),
     RILL(rill_stream_wait_event(own.other, own.event, 0)))
CASE(event_query, DRIVER(driver.EventQuery(raw.event)), RILL(rill_event_query(own.event)))
CASE(kernel, DRIVER(raw_put()), RILL(own_put()))
CASE(fill, DRIVER(driver.MemsetD32Async(raw.words, 7, 256, raw.stream)),
     RILL(rill_memset_d32_async(own.stream, own.words, 7, 256)))
CASE(upload, DRIVER(driver.MemcpyHtoDAsync(raw.words, raw.pinned, 1024, raw.stream)),
     RILL(rill_memcpy_htod_async(own.stream, own.words, own.pinned, 1024)))
CASE(copy, DRIVER(driver.MemcpyDtoDAsync(raw.words + 1024, raw.words, 1024, raw.stream)),
     RILL(rill_memcpy_dtod_async(own.stream, own.words + 1024, own.words, 1024)))
CASE(host, DRIVER(driver.LaunchHostFunc(raw.stream, nothing, NULL)),
     RILL(rill_launch_host(own.stream, nothing, NULL, NULL)))
CASE(pool, DRIVER(raw_alloc_free()), RILL(own_alloc_free()))
CASE(launch_short, DRIVER(driver.GraphLaunch(raw.execs[SHORT], raw.stream)),
     RILL(rill_exec_launch(own.execs[SHORT], own.stream)))
CASE(launch_middle, DRIVER(driver.GraphLaunch(raw.execs[MIDDLE], raw.stream)),
     RILL(rill_exec_launch(own.execs[MIDDLE], own.stream)))
CASE(launch_long, DRIVER(driver.GraphLaunch(raw.execs[LONG], raw.stream)),
     RILL(rill_exec_launch(own.execs[LONG], own.stream)))
CASE(set_node, DRIVER(raw_set_node()), RILL(own_set_node()))
CASE(update, DRIVER(raw_update()), RILL(own_update()))

#define BOTH(name) name##_raw, name##_own

static const struct bench_case {
    const char *title, *call;
    void (*raw)(int calls);
    void (*own)(int calls);
    int calls; /* in a round                  */
    int parts; /* a call's; what is shown is for one */
} cases[] = {
    { "stream query, idle", "cuStreamQuery", BOTH(query), 200, 1 },
    { "stream synchronize, idle", "cuStreamSynchronize", BOTH(wait_idle), 200, 1 },
    { "capture info, not capturing", "cuStreamIsCapturing", BOTH(state), 500, 1 },
    { "capture info, not capturing", "cuStreamGetCaptureInfo", BOTH(info), 500, 1 },
    { "event record", "cuEventRecord", BOTH(record), 200, 1 },
    { "wait for an event", "cuStreamWaitEvent", BOTH(wait), 200, 1 },
    { "event query, complete", "cuEventQuery", BOTH(event_query), 200, 1 },
    { "kernel launch, two arguments", "cuLaunchKernel", BOTH(kernel), 100, 1 },
    { "memset of 1 KiB", "cuMemsetD32Async", BOTH(fill), 100, 1 },
    { "memcpy of 1 KiB, pinned to device", "cuMemcpyHtoDAsync", BOTH(upload), 100, 1 },
    { "memcpy of 1 KiB on the device", "cuMemcpyDtoDAsync", BOTH(copy), 100, 1 },
    { "host function", "cuLaunchHostFunc", BOTH(host), 50, 1 },
    { "alloc and free in a stream", "cuMemAllocAsync, cuMemFreeAsync", BOTH(pool), 50, 1 },
    { "graph launch, 1 kernel", "cuGraphLaunch", BOTH(launch_short), 50, 1 },
    { "graph launch, 20 kernels", "cuGraphLaunch", BOTH(launch_middle), 20, 1 },
    { "graph launch, 1000 kernels", "cuGraphLaunch", BOTH(launch_long), 2, 1 },
    { "capture, each kernel", "cuLaunchKernel in a capture", BOTH(captured), 100, 1 },
    { "change of a node in an exec", "cuGraphExecKernelNodeSetParams", BOTH(set_node), 50, 1 },
    { "whole update, each of 1000 nodes", "cuGraphExecUpdate", BOTH(update), 2, 1000 },
};
#define CASES (sizeof cases / sizeof *cases)

/* ---- Setup ---------------------------------------------------------------------------- */

static void set_up_own(void)
{
    const rill_open_options cuda = { .size = sizeof cuda, .backend = "cuda" };
    const rill_stream_options apart = { .size = sizeof apart, .flags = RILL_STREAM_NON_BLOCKING };
    const rill_image image = { .size = sizeof image, .code = ptx };
    rill_module *module;
    size_t count = 1;
    RILL(rill_open(&cuda, &own.platform));
    RILL(rill_context_create(own.platform, NULL, &own.context));
    RILL(rill_stream_create(own.context, &apart, &own.stream));
    RILL(rill_stream_create(own.context, &apart, &own.other));
    RILL(rill_event_create(own.context, NULL, &own.event));
    RILL(rill_mem_alloc(own.context, 4096, &own.words));
    RILL(rill_host_alloc(own.context, 4096, 0, &own.pinned));
    RILL(rill_module_load(own.context, &image, &module));
    RILL(rill_module_kernel(module, "put", &own.kernel));
    for (int i = 0; i < GRAPHS; i++) {
        own_capture(lengths[i], &own.graphs[i]);
        RILL(rill_exec_create(own.graphs[i], NULL, &own.execs[i]));
    }
    RILL(rill_graph_nodes(own.graphs[MIDDLE], &own.node, &count));
}

/* The driver's handles of what rill made: two objects of one kind need not cost the
 * same. */
static void set_up_raw(void)
{
    RILL(rill_cuda_get_context(own.context, &raw.context));
    DRIVER(driver.CtxSetCurrent(raw.context));
    RILL(rill_cuda_get_stream(own.stream, &raw.stream));
    RILL(rill_cuda_get_stream(own.other, &raw.other));
    RILL(rill_cuda_get_event(own.event, &raw.event));
    RILL(rill_cuda_get_kernel(own.kernel, &raw.kernel));
    raw.words = own.words;
    raw.pinned = own.pinned;
    for (int i = 0; i < GRAPHS; i++) {
        RILL(rill_cuda_get_graph(own.graphs[i], &raw.graphs[i]));
        RILL(rill_cuda_get_exec(own.execs[i], &raw.execs[i]));
    }
    raw.node = rill_cuda_node(own.node);
}

/* ---- Measuring ------------------------------------------------------------------------- */

enum { ROUNDS = 400, WARM_UP = 20 };

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void settle(void)
{
    DRIVER(driver.StreamSynchronize(raw.stream));
    DRIVER(driver.StreamSynchronize(raw.other));
    RILL(rill_stream_synchronize(own.stream));
    RILL(rill_stream_synchronize(own.other));
}

static double time_of(void (*body)(int calls), const struct bench_case *what)
{
    double begin = now_ns();
    body(what->calls);
    double end = now_ns();
    settle();
    return (end - begin) / what->calls / what->parts;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *samples)
{
    qsort(samples, ROUNDS, sizeof *samples, by_size);
    return (samples[ROUNDS / 2 - 1] + samples[ROUNDS / 2]) / 2;
}

/* What is promised: 2 % over half a microsecond; below that 15 % or ten nanoseconds. */
static const char *verdict(double driver_ns, double rill_ns)
{
    double more = rill_ns - driver_ns, ratio = rill_ns / driver_ns;
    bool kept = driver_ns > 500 ? ratio <= 1.02 : ratio <= 1.15 || more <= 10;
    return kept ? "yes" : "**no**";
}

static void measure(const struct bench_case *what)
{
    static double raw_ns[ROUNDS], own_ns[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++) {
        int at = i < 0 ? 0 : i;
        if (i & 1) own_ns[at] = time_of(what->own, what);
        raw_ns[at] = time_of(what->raw, what);
        if (!(i & 1)) own_ns[at] = time_of(what->own, what);
    }
    double r = median(raw_ns), o = median(own_ns);
    printf("| %s | %s | %.1f | %.1f | %.3f | %+.1f | %s |\n", what->title, what->call, r, o, o / r,
           o - r, verdict(r, o));
    fflush(stdout);
}

int main(int count, char **arguments)
{
    int version = 0;
    load_driver();
    DRIVER(driver.DriverGetVersion(&version));
    set_up_own();
    set_up_raw();
    settle();
    printf("Driver for CUDA %d.%d, %d rounds; nanoseconds for a call.\n\n", version / 1000,
           version % 1000 / 10, ROUNDS);
    printf("| what | driver's call | driver | rill | ratio | more | kept |\n");
    printf("|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < CASES; i++)
        if (count < 2 || strstr(cases[i].title, arguments[1])) measure(&cases[i]);
    return 0;
}
