/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of a gang, for the watchdog (watchdog.h), which must be there.
 *
 * While nobody is a member, each unit that is left is ready for whoever comes, waits for
 * one that is, or for something outside that will make it ready: so if there is neither,
 * it never becomes ready.  Who makes a unit ready from outside (sim_gang_resume()) does
 * so under the engine's lock, as members come and go; and what waits outside is known by
 * its side, which only members change.  So under that lock this is no matter of time.
 */
#ifndef SIM_GANG_CHECK_H
#define SIM_GANG_CHECK_H

#include "backend-sim/program/gang.h"

/* The member on the seat has left, or, `inside` being 1, is about to sleep until others have
 * done what is left.  Under the engine's lock. */
void sim_gang_check_left(struct gang *gang, uint32_t seat, uint32_t inside);

/* The counters are taken for those of the plan, before a run of it. */
void sim_gang_check_armed(struct gang *gang);

/* A member reports so many units of as many as there are. */
void sim_gang_check_report(uint32_t done, uint32_t left);

#endif
