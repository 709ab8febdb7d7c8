/* SPDX-License-Identifier: Apache-2.0
 *
 * A series: which schedules a program is tried under, and in which order.
 *
 * `early` comes first, and tells what the program has to do.  Then come the ways that are
 * adversarial to all streams; orders of pairs, if some were given; each stream starved, the one
 * with most to do first, since it is likeliest that one of its operations is not waited for; and
 * seeds.
 */
#ifndef SIM_SCHEDULE_SERIES_H
#define SIM_SCHEDULE_SERIES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SERIES_STREAMS_MOST = 64, /* of which it is known what they have to do */
    SERIES_ORDERS_MOST = 64,
    SERIES_SPEC_MAX = 96
};

struct series {
    unsigned count;        /* of schedules */
    /* Of the first run: */
    uint64_t steps, calls; /* taken, and made before the last step         */
    uint32_t steps_of[SERIES_STREAMS_MOST]; /* of each stream, from stream 1 on */
    unsigned orders;       /* that were given */
    char order[SERIES_ORDERS_MOST][SERIES_SPEC_MAX];
};

/* Begins a series of so many schedules. */
void sim_series_begin(struct series *series, unsigned count);

/* Notes a step of the first run, which is taken after so many calls of the host.  Steps are noted
 * in the order in which they were taken. */
void sim_series_note(struct series *series, uint32_t stream, uint64_t call);

/* Returns how many orders a series has room for. */
unsigned sim_series_room(const struct series *series);

/* Adds an order that is to be tried, as a schedule in words.  Returns false if there is no room. */
bool sim_series_add(struct series *series, const char *spec);

/* Tells whether the schedule of that number is an order that was given. */
bool sim_series_is_order(const struct series *series, unsigned number);

/* Writes the schedule of that number, from 0. */
void sim_series_write(const struct series *series, unsigned number, char spec[SERIES_SPEC_MAX]);

#endif
