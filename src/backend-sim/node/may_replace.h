/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the kinds for saying whether a task may replace another one (node_kind.h).
 */
#ifndef SIM_MAY_REPLACE_H
#define SIM_MAY_REPLACE_H

#include <rill/exec.h>

#include "backend-sim/machine/machine.h"

/* Why a task may not replace another one. */
struct update_refusal {
    rill_update_reason reason;
    const char *parameter; /* its name in the operation */
    const char *why;
};

/* Notes that a parameter cannot change in this way.  Returns false. */
static inline bool sim_refuse_update(struct update_refusal *refusal, const char *parameter,
                                     const char *why)
{
    *refusal = (struct update_refusal){ RILL_UPDATE_PARAMETERS_CHANGED, parameter, why };
    return false;
}

/* Returns whether two addresses are memory of the same owner.  What was freed belongs to
 * any. */
bool sim_same_owner(struct sim_platform *platform, rill_devptr before, rill_devptr after);

/* Returns whether an address is memory of the host. */
bool sim_is_host(struct sim_platform *platform, rill_devptr address);

#endif
