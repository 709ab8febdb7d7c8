/* SPDX-License-Identifier: Apache-2.0
 *
 * The benchmark of streams and events: rill's simulator beside a thread pool
 * (GLib) and a plain loop over function pointers.
 *
 *     metric     one figure, in nanoseconds for a unit of work
 *     contender  who does the work
 *     block      a function that sets a contender up and measures a few metrics
 *     round      all blocks once, in random order, each in a process of its own
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

enum contender { RILL, GLIB, SERIAL, CONTENDERS };

/* The order here is the order of the report; report.c says what they are. */
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
    METRICS
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

/* Nanoseconds for a call through a pointer, on the slowest processor. */
double calibrate(void);

/* ---- Blocks ---------------------------------------------------------------- */

struct queues;

struct block {
    const char *name;
    enum contender contender;
    void (*run)(struct recorder *recorder, const struct queues *queues);
    const struct queues *queues; /* what `run` is given */
};

/* Lists, each ended by a NULL name; glib_blocks is empty without GLib. */
extern const struct block serial_blocks[], rill_blocks[], glib_blocks[];

/* ---- queue_blocks.c: what every contender with queues can do ---------------- */

/* Queues that run what they are given in order.  What fails gives up. */
struct queues {
    void (*open)(struct recorder *recorder);
    void (*close)(void);
    void *(*make)(void);
    void (*unmake)(void *queue);
    void (*op)(void *queue, void (*fn)(void *data), void *data);
    void (*wait)(void *queue);
    /* `count` operations by turns in two queues, each after the one before. */
    void (*hops)(void *a, void *b, int count, void (*fn)(void *data), void *data);
};

void block_busy(struct recorder *recorder, const struct queues *queues);
void block_wait(struct recorder *recorder, const struct queues *queues);
void block_burst(struct recorder *recorder, const struct queues *queues);
void block_cold(struct recorder *recorder, const struct queues *queues);
void block_asleep(struct recorder *recorder, const struct queues *queues);
void block_hop(struct recorder *recorder, const struct queues *queues);
void block_robin(struct recorder *recorder, const struct queues *queues);
void block_threads(struct recorder *recorder, const struct queues *queues);

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
    int blocks, repeated, rough; /* rough: disturbed each time         */
    bool checked;                /* whether the system says who else ran */
    double seconds;
    char versions[CONTENDERS][64];
};

struct plan {
    double seconds;   /* begins no round that would end later       */
    int rounds;       /* at most; 0: as many as fit                 */
    const char *only; /* blocks whose name contains this; NULL: all */
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

/* ---- report.c ----------------------------------------------------------------- */

void report_text(FILE *out, const struct outcome *outcome);
void report_json(FILE *out, const struct outcome *outcome);

#endif
