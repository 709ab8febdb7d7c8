/* SPDX-License-Identifier: Apache-2.0
 *
 * Small programs whose instructions tests/layer-check/cost.sh counts: each is run many times
 * between two calls of a function that callgrind knows by its name.  With an argument, only the one
 * of that name is run, to look at it with callgrind_annotate.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rill/rill.h>
#include <rill/sim.h>

enum { NODES = 1000, RUNS = 1000, LAUNCHES = 20, WARM = 200, BATCH = 50, TURNS = 4000 };

#define TRY(call) \
    do { \
        if (call) { \
            fprintf(stderr, "%s\n", rill_last_error()->message); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)

static rill_context *context;
static rill_stream *stream, *other;
static rill_event *event;
static rill_devptr memory;
static rill_exec *functions, *fills;

static void nothing(void *data)
{
    (void)data;
}

/* ---- What is counted ----------------------------------------------------------------------- */

static void run_host(void)
{
    TRY(rill_launch_host(stream, nothing, NULL, NULL));
}

static void run_fill(void)
{
    TRY(rill_memset_d32_async(stream, memory, 1, 1));
}

static void run_copy(void)
{
    TRY(rill_memcpy_dtod_async(stream, memory, memory + 32, 4));
}

static void run_record(void)
{
    TRY(rill_event_record(event, stream, 0));
}

static void run_wait(void)
{
    TRY(rill_event_record(event, stream, 0));
    TRY(rill_stream_wait_event(other, event, 0));
}

static void launch_functions(void)
{
    TRY(rill_exec_launch(functions, stream));
}

static void launch_fills(void)
{
    TRY(rill_exec_launch(fills, stream));
}

/* Two streams that wait for each other in turn, all of one stream first. */
static void take_turns(void)
{
    for (int i = 0; i < TURNS; i++) {
        TRY(rill_stream_wait_value32(other, memory, 1, RILL_WAIT_EQ));
        TRY(rill_stream_write_value32(other, memory, 0, 0));
    }
    for (int i = 0; i < TURNS; i++) {
        TRY(rill_stream_write_value32(stream, memory, 1, 0));
        TRY(rill_stream_wait_value32(stream, memory, 0, RILL_WAIT_EQ));
    }
}

static const struct {
    const char *name;
    void (*run)(void);
    int runs, per_run;
} cases[] = {
    { "host-function", run_host, RUNS, 1 },
    { "fill", run_fill, RUNS, 1 },
    { "copy", run_copy, RUNS, 1 },
    { "record", run_record, RUNS, 1 },
    { "record-and-wait", run_wait, RUNS, 1 },
    { "host-node", launch_functions, LAUNCHES, NODES },
    { "fill-node", launch_fills, LAUNCHES, NODES },
    { "turn", take_turns, 1, 4 * TURNS },
};

enum { CASES = sizeof cases / sizeof *cases };

/* ---- Setting up ---------------------------------------------------------------------------- */

static rill_exec *make_exec(rill_op *op)
{
    rill_graph *graph;
    rill_exec *exec;
    rill_node node = NULL;
    TRY(rill_graph_create(context, NULL, &graph));
    for (int i = 0; i < NODES; i++) {
        const rill_node before = node;
        TRY(rill_graph_add_node(graph, &before, i ? 1 : 0, op, &node));
    }
    TRY(rill_exec_create(graph, NULL, &exec));
    TRY(rill_graph_destroy(&graph));
    return exec;
}

static void open_all(rill_platform **platform)
{
    const rill_stream_options aside = { .size = sizeof aside, .flags = RILL_STREAM_NON_BLOCKING };
    const rill_sim_options sim = { .size = sizeof sim, .workers = 1 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    rill_op function = { .kind = RILL_OP_HOST }, fill = { .kind = RILL_OP_MEMSET };
    TRY(rill_open(&options, platform));
    TRY(rill_context_create(*platform, NULL, &context));
    TRY(rill_stream_create(context, &aside, &stream));
    TRY(rill_stream_create(context, &aside, &other));
    TRY(rill_event_create(context, NULL, &event));
    TRY(rill_mem_alloc(context, 64, &memory));
    TRY(rill_memset_d32(context, memory, 0, 16));
    TRY(rill_context_synchronize(context));
    function.host.fn = nothing;
    fill.memset = (rill_fill){ .dst = memory, .element_bytes = 4, .width = 1, .height = 1 };
    functions = make_exec(&function);
    fills = make_exec(&fill);
}

static void close_all(rill_platform *platform)
{
    TRY(rill_exec_destroy(&functions));
    TRY(rill_exec_destroy(&fills));
    TRY(rill_mem_free(context, memory));
    TRY(rill_event_destroy(&event));
    TRY(rill_stream_destroy(&stream));
    TRY(rill_stream_destroy(&other));
    TRY(rill_context_destroy(&context));
    TRY(rill_close(&platform));
}

/* ---- Running ------------------------------------------------------------------------------- */

static void finish(void)
{
    TRY(rill_stream_synchronize(stream));
    TRY(rill_stream_synchronize(other));
}

static void run_case(int number, int runs)
{
    for (int i = 1; i <= runs; i++) {
        cases[number].run();
        if (i % BATCH == 0 || cases[number].per_run > 1) finish();
    }
    finish();
}

/* Called before and after what is counted. */
void counted_edge(void);
__attribute__((noinline)) void counted_edge(void)
{
    __asm__ volatile("");
}

int main(int count, char **arguments)
{
    rill_platform *platform;
    open_all(&platform);
    for (int i = 0; i < CASES; i++) {
        if (count > 1 && strcmp(arguments[1], cases[i].name) != 0) continue;
        run_case(i, cases[i].per_run > 1 ? cases[i].runs : WARM);
        counted_edge();
        run_case(i, cases[i].runs);
        counted_edge();
        printf("%s %d\n", cases[i].name, cases[i].runs * cases[i].per_run);
    }
    close_all(platform);
    return EXIT_SUCCESS;
}
