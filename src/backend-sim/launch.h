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

#include "backend-sim/exec.h"

/* The launch that this thread is in the midst of, or NULL. */
extern _Thread_local struct launch *sim_launch_here RL_THREAD_WORD;

/* Whether the launch is of a device that failed: nothing is to be run then. */
static inline bool sim_launch_failed(void)
{
    struct launch *launch = sim_launch_here;
    return launch && (atomic_load_explicit(launch->strand->attention, memory_order_relaxed) &
                      ATTEND_FAULT);
}

/* Whether the point comes behind the launch, which runs now and cannot end while
 * this is asked; NULL comes behind all.  A thread that waits for a point helps with
 * nothing else: what else there is may be waiting for that thread. */
static inline bool sim_launch_comes_before(const struct launch *launch, const struct point *point)
{
    return !point || (launch->strand == point->strand && !sim_point_reached(*point));
}

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

/* Runs a program in the midst of a launch, by as many threads as it is worth and there is
 * memory for.  NULL: all of it ran.  Else the gang that has the rest, with this thread as
 * a member on *seat. */
struct gang *sim_launch_run_program(struct engine *engine, struct program *program,
                                    uint32_t *seat);

/* Runs a node while somebody observes. */
void sim_launch_run_seen(const struct launch *launch, const struct program *program,
                         uint32_t place);

/* Holds the place of an upload, which comes behind earlier launches as those do. */
rill_status sim_launch_upload(struct sim_stream *stream, struct sim_exec *exec);

#endif
