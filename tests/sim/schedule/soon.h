/* SPDX-License-Identifier: Apache-2.0
 *
 * How soon hangs are told: most of them within 10 ms of a process that has a processor, and each
 * within 100.  A machine that shares its processors with other machines takes some milliseconds now
 * and then, and no counter of the kernel says so.
 */
#ifndef SOON_H
#define SOON_H

#include "support/cmocka_all.h"

#include <stdatomic.h>

#include "support/own_time.h"

#define SOON_NS 10000000u
#define LATE_NS (10 * SOON_NS)

static atomic_int hangs_told, hangs_told_soon;

/* Counts a hang that is told now, of a program that has waited since then.  Returns false if it
 * comes too late even on such a machine. */
static inline bool told_in_time(const struct own_time *since)
{
    bool soon = own_time_is_below(since, SOON_NS);
    atomic_fetch_add(&hangs_told, 1);
    atomic_fetch_add(&hangs_told_soon, soon);
    return soon || own_time_is_below(since, LATE_NS);
}

/* A test for the end of a program. */
static inline void most_hangs_are_told_soon(void **state)
{
    int told = atomic_load(&hangs_told), soon = atomic_load(&hangs_told_soon);
    (void)state;
    if (!told) skip(); /* as the others did */
    if (4 * soon < 3 * told) fail_msg("of %d hangs, %d were told within 10 ms", told, soon);
}

#endif
