/* SPDX-License-Identifier: Apache-2.0
 *
 * The benchmark: rill's simulator beside its peers and a plain loop over function
 * pointers, for streams, for graphs, and for what graphs cost before they run.
 *
 *     metric     one figure, in nanoseconds for a unit of work
 *     contender  who does the work
 *     block      a function that sets a contender up and measures a few metrics
 *     question   blocks of one name, one for each contender
 *     round      all questions in random order; the blocks of a question one right
 *                after the other, also in random order, each in its own process
 *
 * A block that was disturbed is repeated, and what stays disturbed counts only
 * where there are not three undisturbed rounds.  What is reported is the median
 * over all samples of all rounds, and ratios of medians of the same round.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "graphs.h"

/* Contenders and metrics come in the order of the report, which says what they
 * are.  Those behind rill are its peers. */
enum contender {
    SERIAL, SPLIT, RILL, TBB, TBB_LIGHT, GLIB, LIBGOMP, LIBOMP, STARPU, POCL, CONTENDERS
};

enum metric {
    CALL,              /* the plain loop, for comparison */
    BUSY, BUSY_SUBMIT, BUSY_BLOCKING,
    WAIT, BURST, COLD, ASLEEP,
    HOP, ROBIN, THREADS,
    KERNEL, KERNEL_SUBMIT,
    FILL, FILL_SUBMIT, COPY, COPY_SUBMIT,
    RECORD, RECORD_TIMED, QUERY, EVENT_LIFE,
    MANY_BUSY, MANY_WAIT, MANY_HOP,
    STREAM_LIFE,
    STREAM_BYTES, USED_BYTES, /* not times: bytes         */
    WOKEN,                    /* nor this: threads woken by a thousand waits */
    CALIBRATION,              /* ns for a call through a pointer */

    /* Graphs: for each case of graphs.h the time, and how many processors were
     * busy with it; for each size of a graph its costs; a node's time by size; time and
     * processors on many threads. */
    GRAPH_TIME,
    GRAPH_USE = GRAPH_TIME + GRAPH_CASES,
    GRAPH_COST = GRAPH_USE + GRAPH_CASES,
    SCALE_TIME = GRAPH_COST + COST_SIZES * COSTS,
    WIDE_TIME = SCALE_TIME + SCALE_CASES,
    WIDE_USE = WIDE_TIME + WIDE_CASES,
    METRICS = WIDE_USE + WIDE_CASES
};

/* ---- measure.c: inside a block ------------------------------------------- */

struct recorder {
    struct sample {
        int metric;
        double value;
    } *samples;
    size_t count, room;
    const char *version;       /* of the contender, a static string or NULL */
};

uint64_t now_ns(void);
void pause_ns(uint64_t ns);
void record(struct recorder *recorder, enum metric metric, double value);

/* Ends the block as failed, in words. */
_Noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Warms `body` up, then takes samples of `count` runs of it, or of as many as
 * last a millisecond when `count` is 0.  Records nanoseconds for each run. */
void measure(struct recorder *recorder, enum metric metric, void (*body)(void *data, long runs),
             void *data, long count);

/* The same in a tenth of the time, for what is one of many. */
void measure_briefly(struct recorder *recorder, enum metric metric,
                     void (*body)(void *data, long runs), void *data);

/* Nanoseconds for a call through a pointer, on the slowest processor. */
double calibrate(void);

/* Bytes of memory that this process holds, without what could be given back. */
double resident_bytes(void);

/* ---- Blocks ---------------------------------------------------------------- */

struct block {
    const char *name;
    enum contender contender;
    void (*run)(struct recorder *recorder, const struct queues *queues);
    const struct queues *queues; /* what `run` is given; NULL: the peer's */

    /* Blocks of graphs have this instead. */
    void (*run_graph)(struct recorder *recorder, const struct engine *engine, int which);
    int which; /* what it takes: a case, a size, a line */
};

/* Lists, each ended by a NULL name. */
extern const struct block serial_blocks[], rill_blocks[];

/* ---- queue_blocks.c: what every contender with queues can do ---------------- */

/* The blocks of all peers with queues, ended by a NULL name. */
const struct block *queue_blocks(void);

void run_queue_block(const struct block *block, struct recorder *recorder);

void block_busy(struct recorder *recorder, const struct queues *queues);
void block_wait(struct recorder *recorder, const struct queues *queues);
void block_burst(struct recorder *recorder, const struct queues *queues);
void block_cold(struct recorder *recorder, const struct queues *queues);
void block_asleep(struct recorder *recorder, const struct queues *queues);
void block_hop(struct recorder *recorder, const struct queues *queues);
void block_robin(struct recorder *recorder, const struct queues *queues);
void block_threads(struct recorder *recorder, const struct queues *queues);

/* ---- graph_blocks.c: what every contender with graphs can do ------------------ */

/* All blocks of graphs, ended by a NULL name. */
const struct block *graph_blocks(void);

/* ---- engines.c: who there is ------------------------------------------------- */

extern const struct contender_info {
    const char *key, *title; /* in file names and JSON; in tables            */
    bool graphs, costs;      /* costs: of a graph apart from that of running it */
    bool queues, threads;    /* threads: of which several threads may submit */
} contenders[CONTENDERS];

/* Whether there is anything to measure. */
bool contender_there(int contender);

/* The engine and the queues of a contender that has them.  They load its module, so
 * they are for the process that measures. */
const struct engine *load_engine(int contender);
const struct queues *load_queues(int contender);

/* ---- rounds.c --------------------------------------------------------------- */

#define ROUNDS_MAX 256

/* All samples of a metric and contender, and the medians of each round. */
struct series {
    double *values;
    size_t count, room;
    double rounds[ROUNDS_MAX]; /* 0 where the round has none */
};

struct outcome {
    struct series series[METRICS][CONTENDERS];
    struct series disturbed[METRICS][CONTENDERS]; /* until the end */
    int rounds;
    bool late; /* the time is over, and this round is to end */
    int blocks, repeated, rough; /* rough: disturbed each time         */
    bool checked;                /* whether the system says who else ran */
    double seconds;
    char versions[CONTENDERS][64];
};

struct plan {
    double seconds;   /* begins no round that would end later       */
    int rounds;       /* at most; 0: as many as fit                 */
    const char *only; /* blocks whose name contains this; NULL: all */
    bool alone;       /* no peers                                   */
    bool quiet;       /* no progress on stderr                      */
};

/* False when a block failed; then it has said so. */
bool run_rounds(const struct plan *plan, struct outcome *outcome);
void free_outcome(struct outcome *outcome);

/* ---- stats.c ---------------------------------------------------------------- */

struct spread {
    double low, median, high; /* the 10th, 50th and 90th percentile */
    size_t count;
};

struct spread spread_of(const double *values, size_t count);

/* ---- machine.c --------------------------------------------------------------- */

/* Processor time of the whole system so far, in seconds; false when it does
 * not say. */
bool system_time(double *busy, double *stolen);

struct machine {
    char processor[128], system[128], compiler[160], date[32];
    long processors;
    bool virtual;
};

struct machine this_machine(void);

/* ---- report.c: what the parts of the report share ------------------------------- */

struct spread pooled(const struct outcome *outcome, enum metric metric, enum contender contender);

/* How many times `other` takes, round by round: the machine was the same. */
struct spread ratio(const struct outcome *outcome, enum metric metric, enum contender other,
                    enum metric base_metric, enum contender base);
struct spread calibration(const struct outcome *outcome);

const char *number(char text[24], double value);
const char *with_commas(char text[24], double value); /* whole numbers */

/* Whether anybody has a figure for one of `count` metrics. */
bool any_of(const struct outcome *outcome, int first, int count);

/* The peer with the smallest median; CONTENDERS when there is none. */
enum contender best_peer(const struct outcome *outcome, enum metric metric);

/* Cells of a table of contenders: their names, their medians and ranges. */
void names_line(FILE *out, const char *first, int first_width, const bool *columns, int width);
void median_cell(FILE *out, const struct spread *spread);
void range_cell(FILE *out, const struct spread *spread);

/* Whoever has a figure for one of `count` metrics has a column. */
void find_columns(const struct outcome *outcome, int first, int count, bool columns[CONTENDERS]);

/* "median [p10-p90]" in 25 columns. */
void cell(FILE *out, const struct spread *spread);

/* ---- report_*.c ------------------------------------------------------------------ */

extern const struct metric_info {
    const char *name;  /* in JSON                       */
    const char *title; /* NULL: not a line of the table */
} stream_metrics[CALIBRATION];

extern const struct cost_info {
    const char *name, *title;
    double goal, goal_of_edge; /* what it is meant to stay below; 0: no goal */
} costs[COSTS];

double cost_goal(enum cost cost, enum cost_size size);

void report_text(FILE *out, const struct outcome *outcome);
void report_streams(FILE *out, const struct outcome *outcome);
void report_graphs(FILE *out, const struct outcome *outcome);
void report_costs(FILE *out, const struct outcome *outcome);

void report_wide(FILE *out, const struct outcome *outcome);

/* A node's time by the size of the graph: the table, and the plot as SVG. */
void report_scale(FILE *out, const struct outcome *outcome);
void report_svg(FILE *out, const struct outcome *outcome);
void report_json(FILE *out, const struct outcome *outcome);

#endif
