/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/explore.h>: all schedules of a piece of a program that can make a difference.
 *
 * A function is called again and again, each time with a platform of the simulator whose
 * schedule is given.  Two schedules are of one class if all operations that touch the same
 * bytes, of which one changes them, come in the same order in both: then the same comes out.
 * Each class has one run.  A function whose operations are all in a promised order has one
 * class, and "explored 1 of 1" is the proof.
 *
 *     int step(rill_platform *platform, void *data);   // returns 0 if all is right
 *     ...
 *     rill_explore_report report = { .size = sizeof report };
 *     rill_explore(NULL, step, NULL, &report);
 *     assert(report.complete && !report.failed);
 */
#ifndef RILL_EXPLORE_H
#define RILL_EXPLORE_H

#include <rill/platform.h>

RILL_BEGIN_DECLS

/* Runs the program once.  Creates its contexts on the platform, and destroys them before it
 * returns; what it has submitted and not waited for is done by then.  Does the same each time,
 * but for what depends on the order of operations.  Returns 0, or what went wrong. */
typedef int (*rill_explore_fn)(rill_platform *platform, void *data);

/* One run. */
typedef struct rill_explored {
    size_t size;
    uint64_t run;         /* from 1                                              */
    const char *schedule; /* that has the same again: rill_sim_options.schedule  */
    int result;           /* what the function returned                          */
} rill_explored;

typedef struct rill_explore_options {
    size_t size;
    const rill_open_options *open; /* of each platform; with no layers and no schedule;
                                      NULL: all defaults                               */
    uint64_t runs;    /* at most; 0: 100000                                            */
    uint64_t seconds; /* at most, no run begins later; 0: no limit                     */
    uint32_t steps;   /* that conflict, in one run, at most; 0: 256                    */
    uint32_t shard, shards; /* shard I of N, from 1: its classes alone; 0: all of them  */
    /* Called after each run; a result other than 0 ends the exploration. */
    int (*told)(void *data, const rill_explored *explored);
} rill_explore_options;

/* What an exploration was kept from. */
#define RILL_EXPLORE_RUNS 1u    /* there were more classes than runs                        */
#define RILL_EXPLORE_SECONDS 2u /* there was no more time                                   */
#define RILL_EXPLORE_STEPS 4u   /* more operations conflict, or more bytes were touched, than
                                   is looked at                                             */
#define RILL_EXPLORE_HOST 8u    /* conflicts with what no schedule moves: the host, bodies of
                                   conditionals, blocking calls                             */
#define RILL_EXPLORE_SHARDS 16u /* what conflicts depends on the order, which shards that know
                                   nothing of each other do not find all of                 */
#define RILL_EXPLORE_ENDED 32u  /* `told` ended it                                          */

typedef struct rill_explore_report {
    size_t size;
    uint64_t runs;     /* of the function                                              */
    uint64_t explored; /* classes that had a run, of this shard                        */
    uint64_t classes;  /* of all shards, as far as is known                            */
    uint64_t failed;   /* runs whose result was not 0                                  */
    int complete;      /* each class of the shard had a run, and nothing was left out  */
    int varies;        /* what conflicts depends on the order                          */
    uint32_t bounds;   /* RILL_EXPLORE_*                                               */
    int result;        /* of the first run that failed                                 */
    char schedule[1024]; /* of that run, or "" if it is longer                         */
    char words[160];   /* "explored 6 of 6 classes in 6 runs", and the bounds           */
} rill_explore_report;

/* Runs the function once for each class of schedules.  That runs of it fail is no failure of the
 * call. */
RILL_API rill_status rill_explore(const rill_explore_options *options, rill_explore_fn fn,
                                  void *data, rill_explore_report *report);

RILL_END_DECLS

#endif
