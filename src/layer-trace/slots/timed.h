/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of a backend that does not tell when they run: an event with timing is recorded
 * before and after each, and asked later.
 *
 * Launches are timed as a whole.  What is captured is not timed, and while a capture goes on
 * nothing is asked, since that could break it.  Nobody waits for what is timed: as many events are
 * pending as there are operations in the backend's queues.
 */
#ifndef TR_TIMED_H
#define TR_TIMED_H

#include "layer-trace/slots/calls.h"

struct tr_timed;
struct tr_timed_op;

/* Returns what the layer needs for that, or NULL if memory is short. */
struct tr_timed *tr_timed_create(struct tr_tracer *tracer);

/* Frees it; all contexts are gone. */
void tr_timed_destroy(struct tr_timed *timed);

/* Begins an operation of the call that submits it.  Returns NULL if it is not timed. */
struct tr_timed_op *tr_timed_begin(const struct tr_call *call, rill_stream *stream,
                                   rill_op_kind kind, const char *name, uint64_t bytes);

/* Ends it.  `event` is what it recorded or waits for, or NULL; `op` may be NULL. */
void tr_timed_end(struct tr_timed_op *op, rill_stream *stream, rill_event *event,
                  rill_status status);

/* Notes what is done by now. */
void tr_timed_collect(struct tr_tracer *tracer);

/* Does so for a context that will be destroyed, once its work is done, and gives up its events. */
void tr_timed_end_context(struct tr_tracer *tracer, rill_context *context);

/* Counts captures that go on: +1 or -1. */
void tr_timed_count_capture(struct tr_tracer *tracer, int by);

#endif
