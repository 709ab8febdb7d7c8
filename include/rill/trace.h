/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/trace.h>: the layer `trace`, which writes down what ran when.
 *
 * A trace is a file that Perfetto (https://ui.perfetto.dev) and chrome://tracing show:
 * each device is a process and each stream of it a row, with an event for each operation
 * that has its name and how many bytes it moved; nodes of launches have rows of their
 * own; the host's calls are in the rows of their threads, and those that block once more
 * in a row of their own.  Arrows lead from calls to what they submitted, and from what
 * was recorded to what waited for it.
 *
 *     rill_open_options options = { .size = sizeof options, .layers = "trace" };
 *     rill_open(&options, &platform);
 *     rill_trace_start(platform, &(rill_trace_options){ .size = sizeof(rill_trace_options),
 *                                                       .file = "run.json" });
 *     ...
 *     rill_trace_stop(platform);
 *
 * Or without a line of code: RILL_LAYERS=trace RILL_TRACE=file=run.json in the
 * environment, or `rill run --trace run.json PROGRAM`.  That trace begins when a platform
 * is opened and has all platforms of the process; it pauses while a program has one of
 * its own.
 */
#ifndef RILL_TRACE_H
#define RILL_TRACE_H

#include <rill/platform.h>

RILL_BEGIN_DECLS

typedef struct rill_trace_options {
    size_t size;
    const char *file; /* is emptied first; %p stands for the number of the process and %%
                         for %.  While another trace is written to it, its name is followed
                         by a dot and that number, and if there is such a file as well, by
                         another dot and a count */
} rill_trace_options;

/* Begins a trace of a platform that was opened with the layer `trace`.  Operations are in
 * it if they end from now on.  Refused with RILL_ERROR_ILLEGAL_STATE while there is one
 * that was begun so, and with RILL_ERROR_OPERATING_SYSTEM if the file cannot be written.
 *
 * While a trace goes on, records of events and waits for them are operations even where
 * none is needed to keep the order, so that a query may find a stream busy for a moment
 * that would be idle; nothing else changes. */
RILL_API rill_status rill_trace_start(rill_platform *platform, const rill_trace_options *options);

/* Ends the trace; the file is whole when this returns.  Does nothing if there is none.
 * Returns RILL_ERROR_OPERATING_SYSTEM if not all could be written.  A trace that is not
 * stopped ends with the platform, which its contexts keep after rill_close(), or with the
 * process; of a process that is killed, the file lacks at most the last tenth of a second,
 * and its last line. */
RILL_API rill_status rill_trace_stop(rill_platform *platform);

RILL_END_DECLS

#endif
