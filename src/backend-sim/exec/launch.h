/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch: one run of an exec's program, as an operation of a stream.
 *
 * The thread that runs the strand begins the launch and goes on with it for as long as
 * it finds something to do; if others do what is left, the strand parks until there is
 * more, or until the launch ends.
 *
 * The header of launch.c and launch_plain.c.
 */
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include "backend-sim/exec/exec.h"

/* Returns the type of launches that are not plain, and whose steps are chosen (stepper.h) or
 * not. */
const struct op_type *sim_launch_type(bool chosen);

/* Submits a launch of the exec, after all checks. */
rill_status sim_launch_submit(struct sim_stream *stream, struct sim_exec *exec);

/* Returns whether launches of the program can be plain. */
bool sim_launch_is_plain(const struct program *program);

/* Submits a plain launch, after all checks. */
rill_status sim_launch_submit_plain(struct sim_stream *stream, struct sim_exec *exec);

/* Sets the point that the exec's next launch comes after, in another strand than before. */
void sim_launch_move_last(struct sim_exec *exec, struct point last);

/* Sets the point that the exec's next launch comes after. */
static inline void sim_launch_remember(struct sim_exec *exec, struct point last)
{
    if (exec->last.strand == last.strand) exec->last.number = last.number;
    else sim_launch_move_last(exec, last);
}

/* Submits an upload, which comes after earlier launches as launches do. */
rill_status sim_launch_upload(struct sim_stream *stream, struct sim_exec *exec);

#endif
