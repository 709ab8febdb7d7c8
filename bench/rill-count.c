/* SPDX-License-Identifier: Apache-2.0
 *
 * One kind of operation, many times, for callgrind to count its instructions:
 * count.sh runs this.  The only worker is kept busy elsewhere, so the thread
 * that submits also runs what it submitted, and the count is the same each
 * time.
 */
#include <rill/rill.h>
#include <rill/sim.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(call) \
    do { \
        if (call) { \
            fprintf(stderr, "%s: %s\n", rill_last_error()->operation, rill_last_error()->message); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)

#define RUNS 2000

static rill_platform *platform;
static rill_context *context;
static rill_stream *stream, *other, *held;
static rill_module *module;
static rill_event *event, *timed;
static rill_kernel *kernel;
static rill_devptr memory;
static rill_exec *single, *short_chain, *chain, *apart;

/* ---- The worker, out of the way ------------------------------------------------ */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static enum { WAITING, HELD, RELEASED } gate;

static void hold(void *data)
{
    (void)data;
    pthread_mutex_lock(&mutex);
    gate = HELD;
    pthread_cond_signal(&changed);
    while (gate != RELEASED) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void move_gate(int from, int to)
{
    pthread_mutex_lock(&mutex);
    while ((int)gate != from) pthread_cond_wait(&changed, &mutex);
    gate = to;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

/* ---- What is counted -------------------------------------------------------------- */

static void nothing(void *data)
{
    (void)data;
}

static void no_kernel(const rill_launch *launch)
{
    (void)launch;
}

static void host(void)
{
    TRY(rill_launch_host(stream, nothing, NULL, NULL));
}

static void host_legacy(void)
{
    TRY(rill_launch_host(rill_stream_legacy(context), nothing, NULL, NULL));
}

static void launch(void)
{
    static const int32_t number = 1;
    const void *params[] = { &memory, &number };
    const rill_dim3 one = { 1, 1, 1 };
    TRY(rill_launch_kernel(stream, kernel, one, one, 0, params));
}

static void fill(void)
{
    TRY(rill_memset_d32_async(stream, memory, 1, 1));
}

static void copy(void)
{
    TRY(rill_memcpy_dtod_async(stream, memory, memory + 32, 4));
}

static void record(void)
{
    TRY(rill_event_record(event, stream, 0));
}

static void record_timed(void)
{
    TRY(rill_event_record(timed, stream, 0));
}

static void query(void)
{
    TRY(rill_event_query(event));
}

static void finish(void)
{
    TRY(rill_stream_synchronize(stream));
    TRY(rill_stream_synchronize(other));
    TRY(rill_stream_synchronize(rill_stream_legacy(context)));
}

static void host_and_wait(void)
{
    host();
    TRY(rill_stream_synchronize(stream));
}

/* Two hops: there and back. */
static void hops(void)
{
    host();
    TRY(rill_event_record(event, stream, 0));
    TRY(rill_stream_wait_event(other, event, 0));
    TRY(rill_launch_host(other, nothing, NULL, NULL));
    TRY(rill_event_record(timed, other, 0));
    TRY(rill_stream_wait_event(stream, timed, 0));
}

static void graph(rill_exec *exec)
{
    TRY(rill_exec_launch(exec, stream));
    TRY(rill_stream_synchronize(stream));
}

static void graph_of_one(void)
{
    graph(single);
}

static void graph_short_chain(void)
{
    graph(short_chain);
}

static void graph_chain(void)
{
    graph(chain);
}

static void graph_apart(void)
{
    graph(apart);
}

static const struct {
    const char *name;
    void (*fn)(void);
} cases[] = {
    { "host-function", host },
    { "host-function-in-legacy-stream", host_legacy },
    { "kernel-2-arguments", launch },
    { "memset-4-bytes", fill },
    { "memcpy-4-bytes", copy },
    { "event-record", record },
    { "event-record-with-timing", record_timed },
    { "event-query", query },
    { "host-function-and-wait", host_and_wait },
    { "two-hops-between-streams", hops },
    { "graph-of-1-and-wait", graph_of_one },
    { "graph-chain-of-20-and-wait", graph_short_chain },
    { "graph-chain-of-100-and-wait", graph_chain },
    { "graph-of-100-apart-and-wait", graph_apart },
};

#define CASES (sizeof cases / sizeof *cases)

/* The names that callgrind is told to count in; what they call is in the count. */
void counted_submit(void (*fn)(void));
void counted_finish(void);

__attribute__((noinline)) void counted_submit(void (*fn)(void))
{
    for (int i = 0; i < RUNS; i++) fn();
}

__attribute__((noinline)) void counted_finish(void)
{
    finish();
}

/* ---- Setting up ---------------------------------------------------------------------- */

/* Nodes that do nothing, one after the other or side by side. */
static rill_exec *exec_of(int nodes, bool in_a_row)
{
    rill_graph *graph;
    rill_exec *exec;
    rill_node node = NULL;
    TRY(rill_graph_create(context, NULL, &graph));
    for (int i = 0; i < nodes; i++) {
        rill_op op = { .kind = RILL_OP_HOST, .host = { .fn = nothing } };
        const rill_node before = node;
        TRY(rill_graph_add_node(graph, &before, in_a_row && i ? 1 : 0, &op, &node));
    }
    TRY(rill_exec_create(graph, NULL, &exec));
    TRY(rill_graph_destroy(&graph));
    return exec;
}

static void open_all(void)
{
    static const rill_param params[] = { RILL_PARAM(rill_devptr), RILL_PARAM(int32_t) };
    static const rill_function function = {
        .name = "nothing", .over_grid = no_kernel, .params = params, .param_count = 2,
    };
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    const rill_sim_options sim = { .size = sizeof sim, .workers = 1 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_stream_options non_blocking = {
        .size = sizeof non_blocking, .flags = RILL_STREAM_NON_BLOCKING,
    };
    const rill_event_options timing = { .size = sizeof timing, .flags = RILL_EVENT_TIMING };
    TRY(rill_open(&options, &platform));
    TRY(rill_context_create(platform, NULL, &context));
    TRY(rill_stream_create(context, &non_blocking, &stream));
    TRY(rill_stream_create(context, &non_blocking, &other));
    TRY(rill_stream_create(context, &non_blocking, &held));
    TRY(rill_event_create(context, NULL, &event));
    TRY(rill_event_create(context, &timing, &timed));
    TRY(rill_mem_alloc(context, 64, &memory));
    TRY(rill_module_load(context, &image, &module));
    TRY(rill_module_kernel(module, "nothing", &kernel));
    single = exec_of(1, true);
    short_chain = exec_of(20, true);
    chain = exec_of(100, true);
    apart = exec_of(100, false);
}

static void close_all(void)
{
    TRY(rill_exec_destroy(&single));
    TRY(rill_exec_destroy(&short_chain));
    TRY(rill_exec_destroy(&chain));
    TRY(rill_exec_destroy(&apart));
    TRY(rill_module_unload(&module));
    TRY(rill_mem_free(context, memory));
    TRY(rill_event_destroy(&event));
    TRY(rill_event_destroy(&timed));
    TRY(rill_stream_destroy(&stream));
    TRY(rill_stream_destroy(&other));
    TRY(rill_stream_destroy(&held));
    TRY(rill_context_destroy(&context));
    TRY(rill_close(&platform));
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        for (size_t i = 0; i < CASES; i++) puts(cases[i].name);
        return EXIT_SUCCESS;
    }
    size_t at = 0;
    while (at < CASES && strcmp(cases[at].name, argv[1]) != 0) at++;
    if (at == CASES) return fprintf(stderr, "rill-count: no case %s\n", argv[1]), 2;
    open_all();
    for (int i = 0; i < 100; i++) cases[at].fn(); /* memory is there, symbols are bound */
    finish();
    TRY(rill_launch_host(held, hold, NULL, NULL));
    move_gate(HELD, HELD);
    counted_submit(cases[at].fn);
    counted_finish();
    move_gate(HELD, RELEASED);
    close_all();
    printf("%d\n", RUNS);
    return EXIT_SUCCESS;
}
