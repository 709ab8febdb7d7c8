/* SPDX-License-Identifier: Apache-2.0
 *
 * Weaving: a step that is not submitted to its stream, but captured into a graph
 * with nodes before, beside and behind it, which is launched there.  What was
 * promised to the step and by it holds for all of that graph.
 */
#ifndef CAPTURE_STEP_H
#define CAPTURE_STEP_H

#include "random/play.h"

struct weave {
    struct play *play;
    int step;
    rill_stream *side; /* captures */
};

/* Whether the step can be woven. */
bool weave_can(const struct program *program, int step);

/* Who waits for the step's event or value does not wait for what is behind its node,
 * so that more may be pending then than the model knows. */
static inline bool weave_lingers(const struct step *step)
{
    return step->woven &&
           (step->verb == DO_RECORD || step->verb == DO_WRITE || step->verb == DO_BATCH);
}

/* Begins a capture in a stream of its own, which the step is to be put into. */
bool weave_begin(struct weave *weave, struct play *play, int step);

/* Ends it, makes an exec and launches it in `stream`. */
void weave_end(struct weave *weave, rill_stream *stream);

#endif
