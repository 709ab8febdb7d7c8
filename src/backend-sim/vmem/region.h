/* SPDX-License-Identifier: Apache-2.0
 *
 * The region that reservations are taken from: addresses that nobody can touch, many times the
 * memory of a device.
 *
 * A reservation gets the lowest addresses that are free, as measured on an H200.  So those that are
 * made one after the other lie side by side, and what a program maps over the end of one meets the
 * next, there as here; it never meets what is not the simulator's.
 */
#ifndef SIM_REGION_H
#define SIM_REGION_H

#include "backend-sim/machine/machine.h"
#include "backend-sim/vmem/vmem.h"

/* All of these but the last require vmem->lock. */

/* Returns free addresses, those wished for if they are free, or 0 if there are not so many in a
 * row.  The region itself is taken from the system when it is first needed. */
uint64_t sim_region_find(struct sim_platform *platform, size_t bytes, size_t alignment,
                         uint64_t wish);

bool sim_region_holds(const struct vmem *vmem, uint64_t address, size_t bytes);

void sim_region_close(struct sim_platform *platform);

#endif
