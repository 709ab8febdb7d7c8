/* SPDX-License-Identifier: Apache-2.0
 *
 * How a launch fails, and which thread is to blame.
 */
#ifndef PTX_RUN_FAULT_H
#define PTX_RUN_FAULT_H

#include "ptx/run/machine.h"

/* Return the thread of a lane: its number in the block, and its index. */
uint32_t ptx_thread_of(const struct ptx_group *group, uint32_t lane);
void ptx_thread_place(const struct ptx_group *group, uint32_t lane, uint32_t place[3]);

/* Finds the place of a lane's block in the grid. */
void ptx_block_place_of(const struct ptx_group *group, uint32_t lane, uint32_t place[3]);

/* Fails the launch on behalf of a lane, and ends the group's turn.  Only the first failure of
 * a launch is kept.  The sentence continues "kernel 'k', line 12, thread (1,0,0) of block
 * (0,0,0): "; for the line see ptx_describe_line(). */
void ptx_fail(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
              rill_status status, uint64_t address, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Returns true if the launch has failed, in any of its threads.  Steps that loop for long
 * ask. */
bool ptx_failed(const struct ptx_group *group);

/* Fails the launch without a thread that is to blame; the sentence is complete. */
void ptx_grid_fail(struct ptx_grid *grid, rill_status status, const char *sentence);

/* Fails a launch because nothing in the block can go on, though threads are left. */
void ptx_fail_deadlock(struct ptx_block *block);

#endif
