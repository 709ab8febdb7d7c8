/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call costs more through the stand-in than through rill itself: the same call on
 * both, on objects of the same kind, in turns within one process.  Each side has a
 * simulator of its own.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rill/rill.h>

static void check(int status, const char *call)
{
    if (!status) return;
    fprintf(stderr, "%s answers %d\n", call, status);
    exit(1);
}
#define MUST(call) check((int)(call), #call)

/* ---- Both sides --------------------------------------------------------------------- */

static void *library;

static struct {
    void *context, *stream, *other, *event, *graph, *exec;
    uint64_t words;
} theirs;

static struct {
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream, *other;
    rill_event *event;
    rill_graph *graph;
    rill_exec *exec;
    rill_devptr words;
} ours;

static void *entry(const char *name)
{
    void *found = dlsym(library, name);
    if (found) return found;
    fprintf(stderr, "the stand-in has no %s\n", name);
    exit(1);
}

static void nothing(void *data)
{
    (void)data;
}

/* The driver's calls, by the names that its header gives them. */
#define ENTRIES(E) \
    E(query, "cuStreamQuery", void *) \
    E(wait, "cuStreamSynchronize", void *) \
    E(capturing, "cuStreamIsCapturing", void *, int *) \
    E(record, "cuEventRecord", void *, void *) \
    E(after, "cuStreamWaitEvent", void *, void *, unsigned) \
    E(event_query, "cuEventQuery", void *) \
    E(host, "cuLaunchHostFunc", void *, void (*)(void *), void *) \
    E(fill, "cuMemsetD32Async", uint64_t, unsigned, size_t, void *) \
    E(copy, "cuMemcpyDtoDAsync_v2", uint64_t, uint64_t, size_t, void *) \
    E(launch, "cuGraphLaunch", void *, void *)

static struct {
#define ENTRY(name, symbol, ...) int (*name)(__VA_ARGS__);
    ENTRIES(ENTRY)
#undef ENTRY
} cu;

static void find_entries(void)
{
    void *found;
#define ENTRY(name, symbol, ...) \
    found = entry(symbol);       \
    memcpy(&cu.name, &found, sizeof found);
    ENTRIES(ENTRY)
#undef ENTRY
}

#define CALL(name, types, arguments)              \
    do {                                          \
        int (*call) types;                        \
        void *found = entry(name);                \
        memcpy(&call, &found, sizeof found);      \
        check(call arguments, name);              \
    } while (0)

static void set_up_theirs(void)
{
    int device;
    CALL("cuInit", (unsigned), (0));
    CALL("cuDeviceGet", (int *, int), (&device, 0));
    CALL("cuDevicePrimaryCtxRetain", (void **, int), (&theirs.context, device));
    CALL("cuCtxSetCurrent", (void *), (theirs.context));
    CALL("cuStreamCreate", (void **, unsigned), (&theirs.stream, 1));
    CALL("cuStreamCreate", (void **, unsigned), (&theirs.other, 1));
    CALL("cuEventCreate", (void **, unsigned), (&theirs.event, 2));
    CALL("cuMemAlloc_v2", (uint64_t *, size_t), (&theirs.words, 4096));
    CALL("cuStreamBeginCapture_v2", (void *, int), (theirs.stream, 2));
    MUST(cu.host(theirs.stream, nothing, NULL));
    CALL("cuStreamEndCapture", (void *, void **), (theirs.stream, &theirs.graph));
    CALL("cuGraphInstantiateWithFlags", (void **, void *, unsigned long long),
         (&theirs.exec, theirs.graph, 0));
}

static void set_up_ours(void)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim" };
    const rill_stream_options apart = { .size = sizeof apart, .flags = RILL_STREAM_NON_BLOCKING };
    const rill_capture_options relaxed = { .size = sizeof relaxed, .mode = RILL_CAPTURE_RELAXED };
    MUST(rill_open(&options, &ours.platform));
    MUST(rill_context_create(ours.platform, NULL, &ours.context));
    MUST(rill_stream_create(ours.context, &apart, &ours.stream));
    MUST(rill_stream_create(ours.context, &apart, &ours.other));
    MUST(rill_event_create(ours.context, NULL, &ours.event));
    MUST(rill_mem_alloc(ours.context, 4096, &ours.words));
    MUST(rill_stream_begin_capture(ours.stream, &relaxed));
    MUST(rill_launch_host(ours.stream, nothing, NULL, NULL));
    MUST(rill_stream_end_capture(ours.stream, &ours.graph));
    MUST(rill_exec_create(ours.graph, NULL, &ours.exec));
}

/* ---- The cases ---------------------------------------------------------------------- */

static int is_capturing(void)
{
    int state;
    return cu.capturing(theirs.stream, &state);
}

static int capture_info(void)
{
    rill_capture_info info = { .size = sizeof info };
    return (int)rill_stream_capture_info(ours.stream, &info);
}

/* Makes name_theirs(calls) and name_ours(calls). */
#define CASE(name, their_call, our_call) \
    static void name##_theirs(int calls) { for (int i = 0; i < calls; i++) MUST(their_call); } \
    static void name##_ours(int calls) { for (int i = 0; i < calls; i++) MUST(our_call); }

CASE(query, cu.query(theirs.stream), rill_stream_query(ours.stream))
CASE(wait, cu.wait(theirs.stream), rill_stream_synchronize(ours.stream))
CASE(capturing, is_capturing(), capture_info())
CASE(record, cu.record(theirs.event, theirs.stream),
     rill_event_record(ours.event, ours.stream, 0))
CASE(after, cu.after(theirs.other, theirs.event, 0),
     rill_stream_wait_event(ours.other, ours.event, 0))
CASE(event_query, cu.event_query(theirs.event), rill_event_query(ours.event))
CASE(host, cu.host(theirs.stream, nothing, NULL),
     rill_launch_host(ours.stream, nothing, NULL, NULL))
CASE(fill, cu.fill(theirs.words, 7, 4, theirs.stream),
     rill_memset_d32_async(ours.stream, ours.words, 7, 4))
CASE(copy, cu.copy(theirs.words + 64, theirs.words, 16, theirs.stream),
     rill_memcpy_dtod_async(ours.stream, ours.words + 64, ours.words, 16))
CASE(launch, cu.launch(theirs.exec, theirs.stream),
     rill_exec_launch(ours.exec, ours.stream))

static const struct bench_case {
    const char *title;
    void (*theirs)(int calls), (*ours)(int calls);
    int calls;
} cases[] = {
    { "cuStreamQuery, idle", query_theirs, query_ours, 500 },
    { "cuStreamSynchronize, idle", wait_theirs, wait_ours, 500 },
    { "cuStreamIsCapturing", capturing_theirs, capturing_ours, 500 },
    { "cuEventRecord", record_theirs, record_ours, 500 },
    { "cuStreamWaitEvent", after_theirs, after_ours, 500 },
    { "cuEventQuery, complete", event_query_theirs, event_query_ours, 500 },
    { "cuLaunchHostFunc", host_theirs, host_ours, 50 },
    { "cuMemsetD32Async, 16 bytes", fill_theirs, fill_ours, 50 },
    { "cuMemcpyDtoDAsync, 16 bytes", copy_theirs, copy_ours, 50 },
    { "cuGraphLaunch, 1 node", launch_theirs, launch_ours, 50 },
};

/* ---- Measuring ------------------------------------------------------------------------- */

enum { ROUNDS = 1000, WARM_UP = 50 };

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void settle(void)
{
    MUST(cu.wait(theirs.stream));
    MUST(cu.wait(theirs.other));
    MUST(rill_context_synchronize(ours.context));
}

/* The calls alone; what they began is waited for afterwards. */
static double time_of(void (*body)(int calls), int calls)
{
    double begin = now_ns();
    body(calls);
    double end = now_ns();
    settle();
    return (end - begin) / calls;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *samples)
{
    qsort(samples, ROUNDS, sizeof *samples, by_size);
    return samples[ROUNDS / 2];
}

static void compare(const struct bench_case *what)
{
    static double their_ns[ROUNDS], our_ns[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++) {
        int at = i < 0 ? 0 : i;
        if (i & 1) our_ns[at] = time_of(what->ours, what->calls);
        their_ns[at] = time_of(what->theirs, what->calls);
        if (!(i & 1)) our_ns[at] = time_of(what->ours, what->calls);
    }
    double t = median(their_ns), o = median(our_ns);
    printf("%-30s %8.1f %8.1f %+8.1f\n", what->title, o, t, t - o);
}

int main(int count, char **arguments)
{
    const char *path = count > 1 ? arguments[1] : STANDIN;
    /* As its users' programs do, host functions run in the thread of its own; here both
     * sides shall do the same. */
    setenv("RILL_SIM_HOST_THREAD", "0", 0);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    find_entries();
    set_up_theirs();
    set_up_ours();
    printf("nanoseconds for a call, medians      rill stand-in     more\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) compare(&cases[i]);
    return 0;
}
