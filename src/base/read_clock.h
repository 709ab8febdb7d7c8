/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a clock of the system, without a call more than that takes.
 */
#ifndef RL_READ_CLOCK_H
#define RL_READ_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns the nanoseconds of a clock. */
static inline uint64_t rl_read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

#endif
