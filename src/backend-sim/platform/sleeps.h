/* SPDX-License-Identifier: Apache-2.0
 *
 * Where time is virtual, the program's sleeps are, too, if librill-sleep.so is there.
 */
#ifndef SIM_SLEEPS_H
#define SIM_SLEEPS_H

struct sim_platform;

/* Has the library take its time from a platform whose clock is virtual, if no other one has. */
void sim_sleeps_attach(struct sim_platform *platform);

/* Ends that before the platform closes. */
void sim_sleeps_detach(struct sim_platform *platform);

#endif
