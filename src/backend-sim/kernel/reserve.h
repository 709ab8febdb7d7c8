/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in which a launch of a kernel of PTX runs when there is no other.
 *
 * A launch takes the memory of its blocks when it begins, and then it cannot be refused any
 * more.  So whoever submits one, or makes a node of one, sees to it beforehand that there is
 * room for the largest so far, and is refused if there is not.  One launch at a time runs in
 * it; others that find no memory either wait for that one, so under such a shortage kernels
 * of different streams do not run beside each other.
 */
#ifndef SIM_RESERVE_H
#define SIM_RESERVE_H

#include <rill/status.h>
#include <stddef.h>

struct kernel_reserve;

/* There are so many bytes from now on.  OUT_OF_MEMORY, with a note. */
rill_status sim_kernel_reserve(struct kernel_reserve *reserve, size_t bytes);

/* On a boundary of 64, until they are given back. */
void *sim_kernel_reserve_acquire(struct kernel_reserve *reserve);
void sim_kernel_reserve_release(struct kernel_reserve *reserve);

void sim_kernel_reserve_free(struct kernel_reserve *reserve);

#endif
