/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures, for the rest of the core: the same steps as the public calls, but without
 * rl_finish(), which makes the error record.
 */
#ifndef RL_CAPTURE_H
#define RL_CAPTURE_H

#include "core/object/error.h"

/* Returns NULL for a backend that cannot capture. */
static inline const struct rill_capture_ops *rl_capture_ops(const void *object)
{
    return rill_object_of(object)->backend->capture;
}

/* Checks what the caller gave and fills `known` from it. */
rill_status rl_read_capture_options(const rill_capture_options *given, rill_capture_options *known,
                                    const rill_stream *stream);

/* Ends the capture.  *graph becomes the caller's, or NULL on failure; *made tells whether the
 * capture made that graph, so that the caller may destroy it. */
rill_status rl_end_capture(rill_stream *stream, rill_graph **graph, int *made);

/* Keeps the memory of a stream, which the function of a capture may destroy, for the checks
 * after the function.  Returns what to pass to rl_release(). */
void *rl_keep(rill_stream *stream);

/* Tells whether a kept stream was destroyed, or its context, which ends a default stream.
 * `context` is what the caller read from the stream while that was alive. */
int rl_is_gone(const rill_stream *stream, const rill_context *context);

/* How far a capture came. */
enum rl_stage { RL_NOT_BEGUN, RL_IN_FUNCTION, RL_NOT_ENDED, RL_CAPTURED };

/* Does what rill_capture() does, for checked arguments, a backend that captures and a kept
 * stream.  *stage is RL_IN_FUNCTION if the function failed. */
rill_status rl_capture(rill_stream *stream, const rill_capture_options *options,
                       rill_capture_fn fn, void *data, rill_graph **graph, enum rl_stage *stage);

/* Writes a note about a function of the program that failed, in the function's own words if
 * the function `recorded` a failure on this thread. */
void rl_note_function(struct rl_note *note, rill_status status, int recorded);

#endif
