/* SPDX-License-Identifier: Apache-2.0
 *
 * What layers ask of a simulated machine: to be told what runs, to keep time, to watch over memory,
 * and to follow a given schedule.
 */
#ifndef SIM_PLATFORM_WATCH_H
#define SIM_PLATFORM_WATCH_H

#include <rill/backend.h>

extern const struct rill_watch_ops sim_watch_ops;
extern const struct rill_schedule_ops sim_schedule_ops;

#endif
