/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap of kernels: the memory of a device that malloc() of PTX returns.  Each piece is
 * an allocation of its own in the address map until a kernel frees it or its context
 * ends.
 */
#ifndef SIM_KERNEL_HEAP_H
#define SIM_KERNEL_HEAP_H

#include "backend-sim/memory/address_map.h"

struct sim_code;
struct sim_platform;

/* Allocates a piece for a kernel of that code.  Returns 0 if memory is short, or if the piece
 * would exceed the limit of the heap. */
uint64_t sim_kernel_heap_alloc(struct sim_code *code, uint64_t bytes);

/* Frees a piece, and returns how many bytes it had; 0 if none begins at the address. */
uint64_t sim_kernel_heap_free(struct sim_platform *platform, uint64_t address);

/* Copies so many bytes from the begin of a piece, and does the same.  Copies nothing if there is
 * no piece. */
uint64_t sim_kernel_heap_take(struct sim_platform *platform, uint64_t address, void *to,
                              size_t bytes);

#endif
