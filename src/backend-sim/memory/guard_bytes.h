/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes of a pattern behind each allocation of device memory, and of pinned and managed memory:
 * a write behind an allocation has changed them.  Kernels of PTX cannot; C kernels,
 * functions of the host and, where the memory is the host's as well, the program can.
 */
#ifndef SIM_GUARD_BYTES_H
#define SIM_GUARD_BYTES_H

#include "backend-sim/machine/machine.h"
#include "backend-sim/memory/address_map.h"

struct guards;

/* Has guards laid, when nothing is allocated yet, unless AddressSanitizer sees more. */
rill_status sim_guards_lay(struct sim_platform *platform);

/* Does nothing for NULL. */
void sim_guards_close(struct guards *guards);

/* Returns how many bytes are needed behind each allocation of pinned or managed memory. */
uint64_t sim_guard_bytes(const struct sim_platform *platform);

/* Fills what lies behind the allocation, which was just made, if guards are laid. */
void sim_guard_fill(const struct sim_platform *platform, const struct allocation *allocation);

/* Looks at an allocation that is about to be freed, and remembers what is found. */
void sim_guard_keep(struct sim_platform *platform, const struct allocation *allocation);

/* Returns the address of the first byte behind the allocation at `base`, or one that was freed
 * there, that was written, or 0. */
uint64_t sim_guard_broken(struct sim_platform *platform, uint64_t base);

#endif
