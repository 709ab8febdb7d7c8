/* SPDX-License-Identifier: Apache-2.0
 *
 * What is measured of every contender that runs graphs: each shape, on one thread
 * and on two, and what a large graph costs.  A trial comes first: an engine that
 * loses a node or breaks an edge ends the benchmark.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

#define TRIALS 20
#define TRIALS_LEAST 4
#define TRIAL_NS 100000000u

static void try_out(const struct engine *engine, struct trial *trial, const struct dag *dag,
                    const char *who)
{
    void *graph = engine->make(dag, trial_body, trial_data(trial));
    uint64_t start = now_ns();
    for (int i = 0; i < TRIALS; i++) {
        if (i >= TRIALS_LEAST && now_ns() - start > TRIAL_NS) break;
        trial_launch(trial);
        engine->run(graph);
        trial_check(trial, who);
    }
    engine->unmake(graph);
}

/* ---- Launches ------------------------------------------------------------------------ */

struct launches {
    const struct engine *engine;
    void *graph;
    uint64_t count;
};

static void launch_body(void *data, long runs)
{
    struct launches *launches = data;
    for (long i = 0; i < runs; i++) launches->engine->run(launches->graph);
    launches->count += (uint64_t)runs;
}

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void count_nodes(const struct launches *launches, const struct dag *dag, uint64_t before,
                        const char *who)
{
    uint64_t ran = bodies_run() - before, wanted = launches->count * dag->nodes;
    if (ran != wanted)
        give_up("%s: %llu nodes ran, %llu were launched", who, (unsigned long long)ran,
                (unsigned long long)wanted);
}

static struct dag *without_edges(struct dag *dag)
{
    struct dag *apart = draw_apart(dag->nodes);
    erase(dag);
    return apart;
}

static void block_graph(struct recorder *recorder, const struct engine *engine, int which)
{
    const struct shape_info *shape = &shapes[which / GRAPH_THREADS];
    const char *who = engine->open(which % GRAPH_THREADS + 1);
    if (!who) return;
    recorder->version = who;
    struct dag *dag = shape->draw(shape->a, shape->b);
    if (engine == &split_engine) dag = without_edges(dag);
    struct trial *trial = begin_trial(dag, shape->body);
    try_out(engine, trial, dag, who);

    struct launches launches = { .engine = engine };
    launches.graph = engine->make(dag, shape->body, trial_data(trial));
    uint64_t before = bodies_run();
    size_t first = recorder->count;
    double busy = processor_seconds();
    uint64_t start = now_ns();
    measure(recorder, (enum metric)(GRAPH_TIME + which), launch_body, &launches, 0);
    double seconds = (double)(now_ns() - start) / 1e9;
    for (size_t i = first; i < recorder->count && !shape->whole; i++)
        recorder->samples[i].value /= dag->nodes;
    record(recorder, (enum metric)(GRAPH_USE + which), (processor_seconds() - busy) / seconds);
    count_nodes(&launches, dag, before, who);

    engine->unmake(launches.graph);
    end_trial(trial);
    erase(dag);
    engine->close();
}

/* ---- Costs --------------------------------------------------------------------------- */

static void cost(struct recorder *recorder, int size, enum cost cost, double value)
{
    record(recorder, (enum metric)(GRAPH_COST + size * COSTS + (int)cost), value);
}

/* Peers make a graph in one step, so its bytes and its end are not divided either. */
static void measure_costs(struct recorder *recorder, const struct engine *engine, int size,
                          const struct dag *dag, void **data)
{
    struct launches launches = { .engine = engine };
    double empty = resident_bytes(), nodes = dag->nodes;
    uint64_t ran = bodies_run(), start = now_ns();
    launches.graph = engine->make(dag, body_count, data);
    cost(recorder, size, COST_BUILD, (double)(now_ns() - start) / nodes);
    start = now_ns();
    launch_body(&launches, 1);
    cost(recorder, size, COST_FIRST, (double)(now_ns() - start) / nodes);
    cost(recorder, size, COST_GRAPH_BYTES, (resident_bytes() - empty) / nodes);
    for (int i = 0; i < 3; i++) {
        start = now_ns();
        launch_body(&launches, 1);
        cost(recorder, size, COST_LAUNCH, (double)(now_ns() - start) / nodes);
    }
    count_nodes(&launches, dag, ran, recorder->version);
    start = now_ns();
    engine->unmake(launches.graph);
    cost(recorder, size, COST_FREE_GRAPH, (double)(now_ns() - start) / nodes);
}

static void block_costs(struct recorder *recorder, const struct engine *engine, int size)
{
    const struct cost_shape *shape = &cost_shapes[size];
    recorder->version = engine->open(engine == &serial_engine ? 1 : GRAPH_THREADS);
    if (!recorder->version) return;
    struct dag *dag = draw_layers(shape->layers, shape->edges);
    struct trial *trial = begin_trial(dag, body_count);
    for (int i = 0; i < shape->repeats; i++) {
        if (engine == &rill_engine) measure_rill_costs(recorder, size, dag, trial_data(trial));
        else measure_costs(recorder, engine, size, dag, trial_data(trial));
    }
    end_trial(trial);
    erase(dag);
    engine->close();
}

/* ---- The list ------------------------------------------------------------------------- */

static void add(struct block *blocks, int *count, char kind, int which, int contender)
{
    static char names[GRAPH_CASES + COST_SIZES][48];
    bool graph = kind == 'g';
    char *name = names[graph ? which : GRAPH_CASES + which];
    snprintf(name, sizeof names[0], graph ? "graphs/%s" : "costs/%s",
             graph ? shapes[which / GRAPH_THREADS].name : cost_shapes[which].name);
    blocks[(*count)++] = (struct block){
        .name = name,
        .contender = (enum contender)contender,
        .run_graph = graph ? block_graph : block_costs,
        .which = which,
    };
}

static bool takes_part(int contender, int which, bool several)
{
    bool alone = which % GRAPH_THREADS == 0;
    if (contender == SPLIT) return several && !alone && shapes[which / GRAPH_THREADS].split;
    return alone || (several && contender != SERIAL && contender != TBB_LIGHT);
}

const struct block *graph_blocks(void)
{
    static struct block blocks[(GRAPH_CASES + COST_SIZES) * CONTENDERS + 1];
    int count = 0;
    bool several = this_machine().processors >= GRAPH_THREADS;
    for (int c = 0; c < CONTENDERS; c++) {
        if (!contenders[c].graphs || !contender_there(c)) continue;
        for (int which = 0; which < GRAPH_CASES; which++)
            if (takes_part(c, which, several)) add(blocks, &count, 'g', which, c);
        for (int size = 0; size < COST_SIZES && contenders[c].costs; size++)
            add(blocks, &count, 'c', size, c);
    }
    blocks[count].name = NULL;
    return blocks;
}
