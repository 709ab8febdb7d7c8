/* SPDX-License-Identifier: Apache-2.0
 *
 * rill as an engine for graphs of host functions, and what only it can be asked:
 * building, freezing and updating apart.
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
static rill_stream *stream;

static const char *open_rill(int threads)
{
    static char version[64];
    const rill_sim_options sim = { .size = sizeof sim, .workers = threads };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_stream_options non_blocking = {
        .size = sizeof non_blocking,
        .flags = RILL_STREAM_NON_BLOCKING,
    };
    TRY(rill_open(&options, &platform));
    if (rill_platform_supports(platform, RILL_FEATURE_EXECS)) {
        TRY(rill_close(&platform));
        return NULL;
    }
    TRY(rill_context_create(platform, NULL, &context));
    TRY(rill_stream_create(context, &non_blocking, &stream));
    snprintf(version, sizeof version, "rill %s, simulator", rill_version());
    return version;
}

static void close_rill(void)
{
    TRY(rill_stream_destroy(&stream));
    TRY(rill_context_destroy(&context));
    TRY(rill_close(&platform));
}

/* ---- Graphs ------------------------------------------------------------------------- */

struct made {
    rill_graph *graph;
    rill_node *nodes;
    rill_exec *exec;
};

static rill_op host_op(void (*fn)(void *data), void *data)
{
    return (rill_op){ .kind = RILL_OP_HOST, .host = { .fn = fn, .data = data } };
}

static void build(struct made *made, const struct dag *dag, void (*fn)(void *data), void **data)
{
    rill_node dependencies_of_few[16], *dependencies = dependencies_of_few;
    uint32_t room = 16;
    TRY(rill_graph_create(context, NULL, &made->graph));
    for (uint32_t v = 0; v < dag->nodes; v++) {
        const uint32_t *before = dag->before + dag->first_before[v];
        uint32_t count = dag->first_before[v + 1] - dag->first_before[v];
        if (count > room) {
            if (dependencies != dependencies_of_few) free(dependencies);
            dependencies = malloc(count * sizeof *dependencies);
            if (!dependencies) give_up("no memory for dependencies");
            room = count;
        }
        for (uint32_t i = 0; i < count; i++) dependencies[i] = made->nodes[before[i]];
        rill_op op = host_op(fn, data[v]);
        TRY(rill_graph_add_node(made->graph, dependencies, count, &op, &made->nodes[v]));
    }
    if (dependencies != dependencies_of_few) free(dependencies);
}

static struct made *new_made(const struct dag *dag)
{
    struct made *made = calloc(1, sizeof *made);
    if (made) made->nodes = calloc(dag->nodes, sizeof(rill_node));
    if (!made || !made->nodes) give_up("no memory for nodes");
    return made;
}

static void *make(const struct dag *dag, void (*fn)(void *data), void **data)
{
    struct made *made = new_made(dag);
    build(made, dag, fn, data);
    TRY(rill_exec_create(made->graph, NULL, &made->exec));
    return made;
}

static void run(void *data)
{
    const struct made *made = data;
    TRY(rill_exec_launch(made->exec, stream));
    TRY(rill_stream_synchronize(stream));
}

static void unmake(void *data)
{
    struct made *made = data;
    TRY(rill_exec_destroy(&made->exec));
    TRY(rill_graph_destroy(&made->graph));
    free(made->nodes);
    free(made);
}

const struct engine rill_engine = {
    .open = open_rill, .close = close_rill, .make = make, .run = run, .unmake = unmake,
};

/* ---- Costs ---------------------------------------------------------------------------- */

struct costing {
    struct recorder *recorder;
    int size;
    double units;
    uint64_t start;
};

/* The time since `start`, for each of `units`; the clock starts again. */
static void lap(struct costing *costing, enum cost cost)
{
    int metric = GRAPH_COST + costing->size * COSTS + (int)cost;
    double took = (double)(now_ns() - costing->start);
    record(costing->recorder, (enum metric)metric, took / costing->units);
    costing->start = now_ns();
}

static void bytes(struct costing *costing, enum cost cost, double from, double to)
{
    int metric = GRAPH_COST + costing->size * COSTS + (int)cost;
    record(costing->recorder, (enum metric)metric, (to - from) / costing->units);
    costing->start = now_ns();
}

static uint64_t updated;

static void count_updated(void *data)
{
    (void)data;
    __atomic_fetch_add(&updated, 1, __ATOMIC_RELAXED);
}

static void launch_and_wait(const struct made *made)
{
    TRY(rill_exec_launch(made->exec, stream));
    TRY(rill_stream_synchronize(stream));
}

#define ONES 100

/* Some nodes one by one, and all from another graph; the next launch has to run the
 * new functions. */
static void update_some(struct costing *costing, const struct made *made, const struct dag *dag)
{
    double nodes = costing->units;
    costing->units = ONES;
    costing->start = now_ns();
    for (uint32_t i = 0; i < ONES; i++) {
        const rill_op op = host_op(count_updated, NULL);
        TRY(rill_exec_set_op(made->exec, made->nodes[i * (dag->nodes / ONES)], &op));
    }
    lap(costing, COST_UPDATE_ONE);
    updated = 0;
    launch_and_wait(made);
    if (updated != ONES) give_up("rill: %d nodes were changed, not %d", (int)updated, ONES);
    costing->units = nodes;
}

static void update_all(struct costing *costing, const struct made *made, const struct dag *dag,
                       void **data)
{
    struct made *other = new_made(dag);
    build(other, dag, count_updated, data);
    costing->start = now_ns();
    rill_status status = rill_exec_update(made->exec, other->graph, NULL);
    if (status != RILL_ERROR_NOT_SUPPORTED) {
        TRY(status);
        lap(costing, COST_UPDATE_ALL);
        updated = 0;
        launch_and_wait(made);
        if (updated != dag->nodes) give_up("rill: an update changed %d nodes", (int)updated);
    }
    TRY(rill_graph_destroy(&other->graph));
    free(other->nodes);
    free(other);
}

void measure_rill_costs(struct recorder *recorder, int size, const struct dag *dag, void **data,
                        bool first)
{
    struct costing costing = { .recorder = recorder, .size = size, .units = dag->nodes };
    struct made *made = new_made(dag);
    memset(made->nodes, 1, dag->nodes * sizeof *made->nodes); /* resident from here on */
    double empty = first ? resident_bytes() : 0;
    costing.start = now_ns();
    build(made, dag, body_count, data);
    lap(&costing, first ? COST_NEW : COST_BUILD);
    double built = first ? resident_bytes() : 0;
    if (first) bytes(&costing, COST_GRAPH_BYTES, empty, built);
    TRY(rill_exec_create(made->graph, NULL, &made->exec));
    lap(&costing, COST_FREEZE);
    launch_and_wait(made);
    lap(&costing, COST_FIRST);
    if (first) bytes(&costing, COST_EXEC_BYTES, built, resident_bytes());
    for (int i = 0; i < 3; i++) {
        launch_and_wait(made);
        lap(&costing, COST_LAUNCH);
    }
    update_some(&costing, made, dag);
    update_all(&costing, made, dag, data);
    costing.start = now_ns();
    TRY(rill_exec_destroy(&made->exec));
    lap(&costing, COST_FREE_EXEC);
    TRY(rill_graph_destroy(&made->graph));
    lap(&costing, COST_FREE_GRAPH);
    free(made->nodes);
    free(made);
}
