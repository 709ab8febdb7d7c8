/* SPDX-License-Identifier: Apache-2.0
 *
 * What an exec's node may do instead of what it does.
 */
#ifndef SIM_FIT_H
#define SIM_FIT_H

#include <rill/exec.h>

#include "backend-sim/task.h"

/* Why it may not. */
struct misfit {
    rill_update_reason reason;
    const char *parameter; /* its name in the operation */
    const char *why;       /* "..., and may not"        */
};

/* Whether a task may take the place of one.  Child graphs, conditionals and
 * memory are not asked about: nothing takes their place.  `priorities`: the exec
 * heeds those of kernels. */
bool sim_task_fits(const struct task *before, const struct task *after, bool priorities,
                   struct sim_platform *platform, struct misfit *misfit);

/* Whether a task of that kind may become any other of it. */
static inline bool sim_kind_fits(rill_op_kind kind)
{
    return kind == RILL_OP_HOST || kind == RILL_OP_EMPTY || kind == RILL_OP_EVENT_RECORD ||
           kind == RILL_OP_EVENT_WAIT;
}

#endif
