/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace: a file that one platform is written to, or all that the environment asks for.
 */
#ifndef TR_TRACE_H
#define TR_TRACE_H

#include <rill/status.h>

#include <limits.h>

#include "layer-trace/chart/chart.h"
#include "layer-trace/record/names.h"
#include "layer-trace/trace/settings.h"
#include "layer-trace/write/writer.h"

struct tr_trace {
    struct rl_lock lock;      /* of the writer and the chart */
    struct tr_writer *writer; /* or NULL                     */
    struct tr_chart *chart;   /* or NULL                     */
    int chart_file;           /* where it is drawn           */
    char *drawn;              /* a file that goes then, or NULL */
    struct tr_names names;
    unsigned users;           /* platforms that are written to it; process_lock */
    bool of_process;
    long process;             /* that began it */
};

/* Begins a trace in a file, of a platform whose clock says `now_ns`. */
rill_status tr_trace_open(const char *path, uint64_t now_ns, struct tr_trace **trace);

/* The number of a platform that is not in the trace of the process yet. */
#define TR_NO_NUMBER UINT_MAX

/* Returns the trace that the environment asks for, for one more platform, and gives that a number
 * in it, from 0, unless it has one.  *trace is NULL if it asks for none. */
rill_status tr_trace_of_process(const struct tr_settings *settings, uint64_t now_ns,
                                struct tr_trace **trace, unsigned *number);

/* Adds a record.  Requires trace->lock. */
void tr_trace_add(struct tr_trace *trace, unsigned platform, const struct tr_record *record);

/* Ends the trace, or its part that belongs to a platform.  Returns what writing failed with, or
 * 0. */
int tr_trace_close(struct tr_trace *trace);

/* Tells whether this is a child of the process that began the trace, which has its threads. */
bool tr_trace_is_parents(const struct tr_trace *trace);

#endif
