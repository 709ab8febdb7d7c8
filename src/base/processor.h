/* SPDX-License-Identifier: Apache-2.0
 *
 * Where threads run.
 *
 * A system puts a thread that is woken where it ran last, or beside the one that
 * woke it, and evens this out some milliseconds later.  Threads that share a
 * program of one millisecond cannot wait for that.
 */
#ifndef RL_PROCESSOR_H
#define RL_PROCESSOR_H

#define RL_PROCESSOR_NONE (-1)

/* The one that the calling thread is on; RL_PROCESSOR_NONE where the system does not
 * say. */
int rl_processor(void);

/* Moves the calling thread away from these, if it may run on any other.  Where it
 * may run afterwards is what it was.  For threads of the library's own. */
void rl_processor_leave(const int *processors, int count);

#endif
