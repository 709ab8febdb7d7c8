/* SPDX-License-Identifier: Apache-2.0
 *
 * What the library that takes a program's sleeps (standin/sleep/sleep.c) is told where time is
 * virtual.  It is loaded before the program, has none of rill inside, and is found by one name.
 */
#ifndef RL_TIME_SOURCE_H
#define RL_TIME_SOURCE_H

#include <stdint.h>

struct rl_time_source {
    void *data;
    uint64_t (*now)(void *data);               /* of the calling thread, in nanoseconds */
    void (*pass)(void *data, uint64_t ns);     /* has time pass for the calling thread  */
};

/* A function of this type: takes the time from the source, which stays as it is, until it is told
 * NULL.  Returns whether it does; there may be another source already. */
#define RL_SLEEP_ATTACH "rill_sleep_attach"
typedef int rl_sleep_attach_fn(const struct rl_time_source *source);

#endif
