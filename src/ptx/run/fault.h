/* SPDX-License-Identifier: Apache-2.0
 *
 * How a launch fails, and the thread that is to blame.
 */
#ifndef PTX_RUN_FAULT_H
#define PTX_RUN_FAULT_H

#include "ptx/run/machine.h"

/* The thread of a lane: its number in the block, and its place. */
uint32_t ptx_thread_of(const struct ptx_group *group, uint32_t lane);
void ptx_thread_place(const struct ptx_group *group, uint32_t lane, uint32_t place[3]);

/* The launch fails in this lane, and ends: the first failure is kept.  The sentence goes
 * on after "kernel 'k', line 12, thread (1,0,0) of block (0,0,0): ". */
void ptx_fail(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
              rill_status status, uint64_t address, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Whether the launch has failed, wherever: steps that loop for long look at it. */
bool ptx_failed(const struct ptx_group *group);


/* The launch fails without a thread that is to blame; the sentence stands for itself. */
void ptx_grid_fail(struct ptx_grid *grid, rill_status status, const char *sentence);

/* Nothing in the block can go on, and it is not at its end. */
void ptx_fail_deadlock(struct ptx_block *block);

#endif
