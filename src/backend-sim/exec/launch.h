/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch: one run of an exec's program, as an operation of a stream.
 *
 * Whoever runs the strand begins the launch and goes on with it for as long as
 * it finds something to do; when what is left is in other hands, the strand
 * parks until there is more, or the end.
 */
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include "backend-sim/exec/exec.h"

/* Submits a launch of the exec, after all checks. */
rill_status sim_launch_submit(struct sim_stream *stream, struct sim_exec *exec);

/* Whether launches of the program can be plain ones, and submits one. */
bool sim_launch_is_plain(const struct program *program);
rill_status sim_launch_submit_plain(struct sim_stream *stream, struct sim_exec *exec);

/* What the exec's next launch comes behind. */
void sim_launch_move_last(struct sim_exec *exec, struct point last);

static inline void sim_launch_remember(struct sim_exec *exec, struct point last)
{
    if (exec->last.strand == last.strand) exec->last.number = last.number;
    else sim_launch_move_last(exec, last);
}

/* Holds the place of an upload, which comes behind earlier launches as those do. */
rill_status sim_launch_upload(struct sim_stream *stream, struct sim_exec *exec);

#endif
