/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes of a pattern behind each allocation of device memory: who writes behind an allocation,
 * as only C kernels and functions of the host can, has changed them.
 */
#ifndef SIM_GUARD_BYTES_H
#define SIM_GUARD_BYTES_H

#include "backend-sim/machine/machine.h"
#include "backend-sim/memory/heap.h"

/* Has all heaps lay guards, when nothing is allocated yet. */
void sim_guards_lay(struct sim_platform *platform);

/* Fills what lies behind the allocation, which was just made, if guards are laid. */
void sim_guard_fill(const struct heap *heap, const struct allocation *allocation);

/* Looks at an allocation that is about to be freed, and remembers what is found. */
void sim_guard_keep(struct heap *heap, const struct allocation *allocation);

/* Returns the address of the first byte behind the allocation at `base`, or one that was freed
 * there, that was written, or 0. */
uint64_t sim_guard_broken(struct sim_platform *platform, uint64_t base);

#endif
