/* SPDX-License-Identifier: Apache-2.0
 *
 * The processors that threads run on.
 *
 * A system runs a thread that is woken where it ran last, or next to the thread that
 * woke it, and balances the load some milliseconds later.  Threads that share a program
 * of one millisecond cannot wait for that.
 */
#ifndef RL_PROCESSOR_H
#define RL_PROCESSOR_H

#define RL_PROCESSOR_NONE (-1)

/* Returns the processor of the calling thread, or RL_PROCESSOR_NONE if the system does not
 * say. */
int rl_processor(void);

/* Moves the calling thread away from these processors if it may run on any other, and
 * restores its affinity.  For the library's own threads. */
void rl_processor_leave(const int *processors, int count);

#endif
