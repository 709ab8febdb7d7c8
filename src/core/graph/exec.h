/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs, for the rest of the core: without rl_finish(), which makes the error record.
 */
#ifndef RL_EXEC_H
#define RL_EXEC_H

#include <rill/backend.h>

static inline const struct rill_exec_ops *rl_exec_ops(const void *object)
{
    return rill_object_of(object)->backend->exec;
}

/* Makes an exec from checked options, and writes their outputs. */
rill_status rl_exec_new(rill_graph *graph, rill_exec_options *options, rill_exec **exec);
rill_status rl_exec_end(rill_exec *exec);

#endif
