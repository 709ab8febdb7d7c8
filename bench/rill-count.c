/* SPDX-License-Identifier: Apache-2.0
 *
 * One kind of operation, many times, for callgrind to count its instructions:
 *
 *     rill-count NAME          with the worker out of the way, for count.sh
 *     rill-count NAME RUNS     with the worker, for check.sh
 */
#include <stdbool.h>
#include <string.h>

#include "held.h"

#define RUNS 2000

static rill_platform *platform;
static rill_context *context;
static rill_stream *stream, *other, *held;
static rill_module *module;
static rill_event *event, *timed;
static rill_kernel *kernel;
static rill_devptr memory;
static rill_exec *single, *short_chain, *chain, *long_chain, *apart;

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

static void graph_long_chain(void)
{
    graph(long_chain);
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
    { "graph-chain-of-1000-and-wait", graph_long_chain },
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

/* Runs operations as a program does: the layer `check` looks at them once they have run, which
 * nothing may hold back. */
static void run_freely(void (*fn)(void), int runs)
{
    for (int i = 0; i < runs; i++) fn();
    finish();
}

static void run_held(void (*fn)(void))
{
    for (int i = 0; i < 100; i++) fn(); /* memory is there, symbols are bound */
    finish();
    held_begin(held);
    counted_submit(fn);
    counted_finish();
    held_end();
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
    const rill_stream_options non_blocking = {
        .size = sizeof non_blocking, .flags = RILL_STREAM_NON_BLOCKING,
    };
    const rill_event_options timing = { .size = sizeof timing, .flags = RILL_EVENT_TIMING };
    platform = held_open();
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
    long_chain = exec_of(1000, true);
    apart = exec_of(100, false);
}

static void close_all(void)
{
    TRY(rill_exec_destroy(&single));
    TRY(rill_exec_destroy(&short_chain));
    TRY(rill_exec_destroy(&chain));
    TRY(rill_exec_destroy(&long_chain));
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
    if (argc > 2) run_freely(cases[at].fn, atoi(argv[2]));
    else run_held(cases[at].fn);
    close_all();
    printf("%d\n", RUNS);
    return EXIT_SUCCESS;
}
