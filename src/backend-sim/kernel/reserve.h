/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in which a launch of a kernel of PTX runs when there is no other.
 *
 * A launch allocates the memory of its blocks when it begins, and more where its threads go
 * different ways or call functions, and then it is too late to refuse it.  So the call that
 * submits a launch or makes a node of one reserves memory for the largest launch so far, and is
 * refused if that fails.  One launch at a time runs in the reserve, or took it as it ran short;
 * others that find no memory wait for that one, so under such a shortage kernels of different
 * streams do not run concurrently.
 */
#ifndef SIM_RESERVE_H
#define SIM_RESERVE_H

#include <rill/status.h>
#include <stddef.h>

struct kernel_reserve;

/* Makes the reserve at least so large.  Fails with RILL_ERROR_OUT_OF_MEMORY and a note. */
rill_status sim_kernel_reserve(struct kernel_reserve *reserve, size_t bytes);

/* Returns the reserve, on a boundary of 64, for the calling launch alone until one of its threads
 * releases it. */
void *sim_kernel_reserve_acquire(struct kernel_reserve *reserve);
void sim_kernel_reserve_release(struct kernel_reserve *reserve);

/* Frees its memory. */
void sim_kernel_reserve_free(struct kernel_reserve *reserve);

#endif
