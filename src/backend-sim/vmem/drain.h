/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for all work, which may use mapped memory.
 */
#ifndef SIM_VMEM_DRAIN_H
#define SIM_VMEM_DRAIN_H

#include "backend-sim/scheduler/engine.h"

/* Waits for all that was submitted to any strand.  Returns false, perhaps before, if memory is
 * short. */
bool sim_vmem_drain(struct engine *engine);

#endif
