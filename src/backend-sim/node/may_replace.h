/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kinds share that say whether a task may replace another one (node_kind.h).
 */
#ifndef SIM_MAY_REPLACE_H
#define SIM_MAY_REPLACE_H

#include <rill/exec.h>

#include "backend-sim/machine/machine.h"

/* Why a task may not. */
struct misfit {
    rill_update_reason reason;
    const char *parameter; /* its name in the operation */
    const char *why;
};

/* Says that a parameter cannot change so.  Returns false. */
static inline bool sim_misfit(struct misfit *misfit, const char *parameter, const char *why)
{
    *misfit = (struct misfit){ RILL_UPDATE_PARAMETERS_CHANGED, parameter, why };
    return false;
}

/* Returns whether two addresses are memory of the same owner.  What was freed belongs to
 * any. */
bool sim_same_owner(struct sim_platform *platform, rill_devptr before, rill_devptr after);

/* Returns whether an address is memory of the host. */
bool sim_is_host(struct sim_platform *platform, rill_devptr address);

#endif
