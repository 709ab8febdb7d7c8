/* SPDX-License-Identifier: Apache-2.0
 *
 * The first check of each call of <rill/sim.h>: the object is the simulator's, alive, and of the
 * given platform.
 */
#ifndef SIM_PUBLIC_H
#define SIM_PUBLIC_H

#include "backend-sim/machine/machine.h"

rill_status sim_check_platform(rill_platform *platform);
rill_status sim_check_context(rill_platform *platform, const rill_context *context);

#endif
