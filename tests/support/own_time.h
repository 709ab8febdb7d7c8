/* SPDX-License-Identifier: Apache-2.0
 *
 * How long something takes on a machine that has nothing else to do.
 *
 * The kernel counts for each thread how long it could have run and had no processor.  What the
 * threads of this process waited like that is taken off the time that went by; what they computed
 * counts in any case, and so do naps and time-outs.
 */
#ifndef OWN_TIME_H
#define OWN_TIME_H

#include <stdbool.h>
#include <stdint.h>

enum { OWN_TIME_THREADS = 256 };

struct own_time {
    uint64_t wall_ns, work_ns; /* when it began */
    int count;                 /* of threads; more are not looked at */
    struct own_time_thread {
        unsigned long id;
        uint64_t waited_ns;
    } threads[OWN_TIME_THREADS];
};

void own_time_begin(struct own_time *time);

/* Returns the nanoseconds since then.  Without the kernel's numbers they are those of the clock. */
uint64_t own_time_since(const struct own_time *time);

/* Tells whether it is less than so long since then, and prints how long it is if not.  Where
 * everything is slow on purpose (RILL_TEST_SCALE), nothing is too long. */
bool own_time_is_below(const struct own_time *time, uint64_t ns);

#endif
