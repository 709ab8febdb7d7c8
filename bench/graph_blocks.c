/* SPDX-License-Identifier: Apache-2.0
 *
 * What is measured of every contender that runs graphs: each shape, on one thread
 * and on two, some on as many as the machine has, what a node costs by the size of the
 * graph, and what a large graph costs before it runs.  A trial comes first: an engine that loses a node or breaks an
 * edge ends the benchmark.
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
    const char *who;
    const struct dag *dag;
    struct trial *trial;
    void *graph;
    uint64_t count;
    uint64_t before; /* nodes that had run */
};

/* A graph that was tried out and can be launched. */
static struct launches begin(const struct engine *engine, const char *who, const struct dag *dag,
                             void (*body)(void *data))
{
    struct trial *trial = begin_trial(dag, body);
    try_out(engine, trial, dag, who);
    struct launches launches = { .engine = engine, .who = who, .dag = dag, .trial = trial };
    launches.graph = engine->make(dag, body, trial_data(trial));
    launches.before = bodies_run();
    return launches;
}

static void launch_body(void *data, long runs)
{
    struct launches *launches = data;
    for (long i = 0; i < runs; i++) launches->engine->run(launches->graph);
    launches->count += (uint64_t)runs;
}

static void count_nodes(const struct launches *launches)
{
    uint64_t ran = bodies_run() - launches->before, wanted = launches->count * launches->dag->nodes;
    if (ran != wanted)
        give_up("%s: %llu nodes ran, %llu were launched", launches->who, (unsigned long long)ran,
                (unsigned long long)wanted);
}

static void end(const struct launches *launches)
{
    count_nodes(launches);
    launches->engine->unmake(launches->graph);
    end_trial(launches->trial);
}

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* What was recorded from `first` on was for a launch. */
static void for_each_node(struct recorder *recorder, size_t first, const struct dag *dag)
{
    for (size_t i = first; i < recorder->count; i++) recorder->samples[i].value /= dag->nodes;
}

static struct dag *without_edges(struct dag *dag)
{
    struct dag *apart = draw_apart(dag->nodes);
    erase(dag);
    return apart;
}

/* Measures launches of a shape on so many threads, as one metric, and how many processors were busy
 * with them, as another. */
static void measure_shape(struct recorder *recorder, const struct engine *engine,
                          const struct shape_info *shape, int threads, int time, int use)
{
    const char *who = engine->open(threads);
    if (!who) return;
    recorder->version = who;
    struct dag *dag = shape->draw(shape->a, shape->b);
    if (engine == &split_engine) dag = without_edges(dag);
    struct launches launches = begin(engine, who, dag, shape->body);
    size_t first = recorder->count;
    double busy = processor_seconds();
    uint64_t start = now_ns();
    measure(recorder, (enum metric)time, launch_body, &launches, 0);
    double seconds = (double)(now_ns() - start) / 1e9;
    if (!shape->whole) for_each_node(recorder, first, dag);
    record(recorder, (enum metric)use, (processor_seconds() - busy) / seconds);
    end(&launches);
    erase(dag);
    engine->close();
}

static void block_graph(struct recorder *recorder, const struct engine *engine, int which)
{
    measure_shape(recorder, engine, &shapes[which / GRAPH_THREADS], which % GRAPH_THREADS + 1,
                  GRAPH_TIME + which, GRAPH_USE + which);
}

static void block_wide(struct recorder *recorder, const struct engine *engine, int which)
{
    measure_shape(recorder, engine, &wide_shapes[which / WIDE_COUNTS],
                  wide_threads[which % WIDE_COUNTS], WIDE_TIME + which, WIDE_USE + which);
}

/* ---- By size -------------------------------------------------------------------------- */

/* A size is left out when its launches would take longer. */
#define SCALE_NS_MOST 2e8

static bool can_run(const struct engine *engine, enum family family, int size)
{
    return family != SCALE_CHAIN || !engine->chain_most || scale_nodes(size) <= engine->chain_most;
}

static double least_since(const struct recorder *recorder, size_t first)
{
    double least = recorder->samples[first].value;
    for (size_t i = first; i < recorder->count; i++)
        if (recorder->samples[i].value < least) least = recorder->samples[i].value;
    return least;
}

static void block_scale(struct recorder *recorder, const struct engine *engine, int line)
{
    enum family family = (enum family)(line / GRAPH_THREADS);
    recorder->version = engine->open(line % GRAPH_THREADS + 1);
    if (!recorder->version) return;
    double took = 0;
    for (int size = 0; size < SCALE_SIZES && 10 * took < SCALE_NS_MOST; size++) {
        if (!can_run(engine, family, size)) break;
        struct dag *dag = draw_scale(family, size);
        struct launches launches = begin(engine, recorder->version, dag, body_count);
        size_t first = recorder->count;
        int metric = SCALE_TIME + line * SCALE_SIZES + size;
        measure_briefly(recorder, (enum metric)metric, launch_body, &launches);
        took = least_since(recorder, first);
        for_each_node(recorder, first, dag);
        end(&launches);
        erase(dag);
    }
    engine->close();
}

/* ---- Costs --------------------------------------------------------------------------- */

static void cost(struct recorder *recorder, int size, enum cost cost, double value)
{
    record(recorder, (enum metric)(GRAPH_COST + size * COSTS + (int)cost), value);
}

/* Peers make a graph in one step, so its bytes and its end are not divided either. */
static void measure_costs(struct recorder *recorder, const struct engine *engine, int size,
                          const struct dag *dag, void **data, bool first)
{
    struct launches launches = {
        .engine = engine, .who = recorder->version, .dag = dag, .before = bodies_run(),
    };
    double empty = first ? resident_bytes() : 0, nodes = dag->nodes;
    uint64_t start = now_ns();
    launches.graph = engine->make(dag, body_count, data);
    cost(recorder, size, first ? COST_NEW : COST_BUILD, (double)(now_ns() - start) / nodes);
    start = now_ns();
    launch_body(&launches, 1);
    cost(recorder, size, COST_FIRST, (double)(now_ns() - start) / nodes);
    if (first) cost(recorder, size, COST_GRAPH_BYTES, (resident_bytes() - empty) / nodes);
    for (int i = 0; i < 3; i++) {
        start = now_ns();
        launch_body(&launches, 1);
        cost(recorder, size, COST_LAUNCH, (double)(now_ns() - start) / nodes);
    }
    count_nodes(&launches);
    start = now_ns();
    engine->unmake(launches.graph);
    cost(recorder, size, COST_FREE_GRAPH, (double)(now_ns() - start) / nodes);
}

/* The first time memory comes from the system, and is counted. */
static void block_costs(struct recorder *recorder, const struct engine *engine, int size)
{
    const struct cost_shape *shape = &cost_shapes[size];
    recorder->version = engine->open(engine == &serial_engine ? 1 : GRAPH_THREADS);
    if (!recorder->version) return;
    struct dag *dag = draw_layers(shape->layers, shape->edges);
    struct trial *trial = begin_trial(dag, body_count);
    for (int i = 0; i < shape->repeats; i++) {
        if (engine == &rill_engine) measure_rill_costs(recorder, size, dag, trial_data(trial), !i);
        else measure_costs(recorder, engine, size, dag, trial_data(trial), !i);
    }
    end_trial(trial);
    erase(dag);
    engine->close();
}

/* ---- The list ------------------------------------------------------------------------- */

static struct block blocks[(GRAPH_CASES + WIDE_CASES + SCALE_LINES + COST_SIZES) * CONTENDERS + 1];
static int listed;

static void add(int contender, const char *kind, const char *name,
                void (*run)(struct recorder *, const struct engine *, int), int which)
{
    static char names[sizeof blocks / sizeof *blocks][32];
    snprintf(names[listed], sizeof names[listed], "%s/%s", kind, name);
    blocks[listed] = (struct block){
        .name = names[listed],
        .contender = (enum contender)contender,
        .run_graph = run,
        .which = which,
    };
    listed++;
}

static bool takes_part(int contender, int threads, const struct shape_info *shape)
{
    if (contender == SPLIT) return threads > 1 && shape && shape->split;
    return threads == 1 || (contender != SERIAL && contender != TBB_LIGHT);
}

/* The plain loop is measured where there are processors to compare it with. */
static void add_wide(int c, long processors)
{
    for (int which = 0; which < WIDE_CASES; which++) {
        int threads = wide_threads[which % WIDE_COUNTS];
        bool floor = threads == wide_threads[0];
        if (processors < wide_threads[1] || threads > processors || floor != (c == SERIAL)) continue;
        if (floor || takes_part(c, threads, &wide_shapes[which / WIDE_COUNTS]))
            add(c, "wide", wide_shapes[which / WIDE_COUNTS].name, block_wide, which);
    }
}

static void add_contender(int c, int threads_most)
{
    for (int threads = 1; threads <= threads_most; threads++) {
        for (int shape = 0; shape < SHAPES; shape++)
            if (takes_part(c, threads, &shapes[shape]))
                add(c, "graphs", shapes[shape].name, block_graph,
                    graph_case((enum shape)shape, threads));
        for (int family = 0; family < FAMILIES; family++)
            if (takes_part(c, threads, NULL))
                add(c, "scale", families[family].name, block_scale,
                    scale_line((enum family)family, threads));
    }
    for (int size = 0; size < COST_SIZES && contenders[c].costs; size++)
        add(c, "costs", cost_shapes[size].name, block_costs, size);
}

const struct block *graph_blocks(void)
{
    listed = 0;
    long processors = this_machine().processors;
    int threads = processors >= GRAPH_THREADS ? GRAPH_THREADS : 1;
    for (int c = 0; c < CONTENDERS; c++) {
        if (!contenders[c].graphs || !contender_there(c)) continue;
        add_contender(c, threads);
        add_wide(c, processors);
    }
    blocks[listed].name = NULL;
    return blocks;
}
