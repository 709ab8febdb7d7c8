/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures, from inside the core: the same steps as the public calls, without
 * the end that makes an error record.
 */
#ifndef RL_CAPTURE_H
#define RL_CAPTURE_H

#include "core/object/error.h"

/* NULL for a backend that cannot capture. */
static inline const struct rill_capture_ops *rl_capture_ops(const void *object)
{
    return rill_object_of(object)->backend->capture;
}

/* Checks what the caller gave and fills `known` from it. */
rill_status rl_read_capture_options(const rill_capture_options *given, rill_capture_options *known,
                                    const rill_stream *stream);

/* Ends the capture.  *graph is NULL when that fails, else the caller's; *made
 * says whether the capture made it, so that the caller may destroy it. */
rill_status rl_end_capture(rill_stream *stream, rill_graph **graph, int *made);

/* The function of a capture may destroy the stream.  This keeps its memory for the
 * checks behind it, and returns what is to be released. */
void *rl_keep(rill_stream *stream);

/* Whether a stream that is kept was destroyed, or its context, which was read before: a
 * default stream is no more then. */
int rl_is_gone(const rill_stream *stream, const rill_context *context);

/* How far a capture came. */
enum rl_stage { RL_NOT_BEGUN, RL_IN_FUNCTION, RL_NOT_ENDED, RL_CAPTURED };

/* rill_capture(), for arguments that were checked, a backend that captures and a
 * stream that is kept.  RL_IN_FUNCTION: the function failed. */
rill_status rl_capture(rill_stream *stream, const rill_capture_options *options,
                       rill_capture_fn fn, void *data, rill_graph **graph, enum rl_stage *stage);

/* How a function of the program's failed, in its own words if it `recorded` a
 * failure on this thread. */
void rl_note_function(struct rl_note *note, rill_status status, int recorded);

#endif
