/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap of kernels: what malloc() of PTX gives out, of a device's memory.  Each piece
 * is an allocation of its own in the address map, until a kernel frees it or the context
 * goes.
 */
#ifndef SIM_KERNEL_HEAP_H
#define SIM_KERNEL_HEAP_H

#include "backend-sim/memory/address_map.h"

struct sim_code;
struct sim_platform;

/* For a kernel of that code; 0: there is not as much, or it would be more than kernels may
 * have. */
uint64_t sim_kernel_heap_alloc(struct sim_code *code, uint64_t bytes);

/* False: no piece begins at the address. */
bool sim_kernel_heap_free(struct sim_platform *platform, uint64_t address);

#endif
