/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of a gang, for the watchdog (watchdog.h), which must be there.
 *
 * While a gang has no member, each unit that is left is ready, waits for one that is ready, or
 * waits for something outside that will make it ready.  If no unit is ready and none waits for
 * something outside, the launch never ends.  A thread that makes a unit ready from outside
 * (sim_gang_resume()) does so under engine->lock, under which members come and the last two go; and
 * external nodes know whether they wait, which only members change.  So under that lock the check
 * is exact.
 */
#ifndef SIM_GANG_CHECK_H
#define SIM_GANG_CHECK_H

#include "backend-sim/program/gang/gang.h"

/* Checks the gang when one of the last two members has left or, if `inside` is 1, a member is about
 * to sleep until others have done what is left.  Requires engine->lock. */
void sim_gang_check_left(struct gang *gang, uint32_t inside);

/* Checks that the counters are those of the plan, before a run of it. */
void sim_gang_check_armed(struct gang *gang);

/* Checks that a member does not report more ends than are left. */
void sim_gang_check_report(uint32_t done, uint32_t left);

#endif
