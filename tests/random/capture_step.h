/* SPDX-License-Identifier: Apache-2.0
 *
 * Captured steps: a step that is not submitted to its stream, but captured into a
 * graph with nodes before, next to and after its own, which is launched there.  What
 * was promised to the step, and by it, holds for all of that graph.
 */
#ifndef CAPTURE_STEP_H
#define CAPTURE_STEP_H

#include "random/play.h"

struct capture_step {
    struct play *play;
    int step;
    rill_stream *side; /* captures */
};

/* Returns true if the step can be captured. */
bool may_be_captured(const struct program *program, int step);

/* Who waits for the step's event or value does not wait for what is behind its node,
 * so that more may be pending then than the model knows. */
static inline bool captured_step_lingers(const struct step *step)
{
    return step->captured &&
           (step->verb == DO_RECORD || step->verb == DO_WRITE || step->verb == DO_BATCH);
}

/* Begins a capture in a stream of its own, which the step is to be put into. */
bool capture_step_begin(struct capture_step *capture, struct play *play, int step);

/* Ends it, makes an exec and launches it in `stream`. */
void capture_step_end(struct capture_step *capture, rill_stream *stream);

#endif
