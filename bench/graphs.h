/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs to measure: their shapes, what their nodes do, and the check that every
 * node runs once and after those before it.
 */
#ifndef GRAPHS_H
#define GRAPHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "peers/peer.h"

/* ---- shapes.c --------------------------------------------------------------- */

enum shape {
    CHAIN_1000, CHAIN_10000, FORK_JOIN, WAVEFRONT_64, WAVEFRONT_100, REDUCTION, LAYERS,
    SINGLE, CHAIN_20,
    LAYERS_1US, APART_1MS, LAYERS_SKEWED,
    SHAPES
};

struct shape_info {
    const char *name;  /* in block names and JSON */
    const char *title;
    struct dag *(*draw)(uint32_t a, uint32_t b);
    uint32_t a, b;
    void (*body)(void *data);
    bool whole; /* times are for a launch, not for a node of it */
    bool split; /* worth two plain loops as a ceiling */
};

extern const struct shape_info shapes[SHAPES];

struct dag *draw(enum shape shape);
struct dag *draw_apart(uint32_t nodes);

/* Layers of 100 nodes, four edges for each node on average. */
struct dag *draw_layers(uint32_t layers, uint32_t edges);
void erase(struct dag *dag);

/* Each shape on one thread and on two. */
#define GRAPH_THREADS 2
#define GRAPH_CASES (SHAPES * GRAPH_THREADS)

static inline int graph_case(enum shape shape, int threads)
{
    return (int)shape * GRAPH_THREADS + threads - 1;
}

/* ---- On many threads --------------------------------------------------------------- */

enum wide { WIDE_LAYERS, WIDE_LAYERS_SKEWED, WIDE_APART_SKEWED, WIDE_SHAPES };

extern const struct shape_info wide_shapes[WIDE_SHAPES];

/* The plain loop has the first count to itself, and all others have the rest of the counts, as
 * far as the machine has processors. */
#define WIDE_COUNTS 5
#define WIDE_CASES (WIDE_SHAPES * WIDE_COUNTS)

extern const int wide_threads[WIDE_COUNTS];

/* ---- What a node costs by the size of the graph ---------------------------------- */

enum family { SCALE_CHAIN, SCALE_LAYERS, FAMILIES };

#define SCALE_SIZES 6

extern const struct family_info {
    const char *name, *title;
} families[FAMILIES];

/* One, ten, a hundred and so on. */
uint32_t scale_nodes(int size);
struct dag *draw_scale(enum family family, int size);

/* A line is a family on so many threads, a case a size of it. */
#define SCALE_LINES (FAMILIES * GRAPH_THREADS)
#define SCALE_CASES (SCALE_LINES * SCALE_SIZES)

static inline int scale_line(enum family family, int threads)
{
    return (int)family * GRAPH_THREADS + threads - 1;
}

/* ---- Costs of a graph before and after it runs ----------------------------------- */

enum cost {
    COST_NEW, COST_BUILD, COST_FREEZE, COST_UPDATE_ONE, COST_UPDATE_ALL,
    COST_FIRST, COST_LAUNCH, COST_FREE_EXEC, COST_FREE_GRAPH,
    COST_GRAPH_BYTES, COST_EXEC_BYTES,
    COSTS
};

enum cost_size { COST_10K, COST_1M, COST_SIZES };

extern const struct cost_shape {
    const char *name, *title;
    uint32_t layers, edges;
    int repeats;
} cost_shapes[COST_SIZES];

/* ---- bodies.c --------------------------------------------------------------------- */

/* Adds one to a counter of the thread that runs it, and nothing else. */
void body_count(void *data);
void body_1us(void *data);
void body_1ms(void *data);
void body_skewed(void *data); /* 8 us for every tenth node, nothing for the others */

/* About what one of them takes. */
double body_ns(void (*body)(void *data), void *data);

/* How often any of them ran so far, on all threads. */
uint64_t bodies_run(void);

/* Settles how much work a microsecond is; before anything forks. */
void calibrate_bodies(void);

/* A trial of an engine: every node checks that those before it ran in this
 * launch, and itself not yet.  In between it does what it does when it is timed:
 * an engine may run what takes long in another way. */
struct trial;
struct trial *begin_trial(const struct dag *dag, void (*body)(void *data));
void trial_body(void *data);
void trial_launch(struct trial *trial);

/* Whether the launch was right so far; ends the benchmark in words if not. */
void trial_check(struct trial *trial, const char *who);
void **trial_data(struct trial *trial);
void end_trial(struct trial *trial);

/* ---- engines.c ---------------------------------------------------------------------- */

extern const struct engine serial_engine, split_engine, rill_engine;

/* What only rill can be asked, in place of the costs that everybody has. */
struct recorder;
void measure_rill_costs(struct recorder *recorder, int size, const struct dag *dag, void **data,
                        bool first);

#endif
