/* SPDX-License-Identifier: Apache-2.0
 *
 * Values in memory that streams wait for: which write lets which wait through.
 */
#ifndef CK_VALUES_H
#define CK_VALUES_H

#include "layer-check/order/order.h"

/* A value that was written, and by which step. */
struct ck_value_write {
    struct ck_value_write *next; /* the one before */
    struct ck_step step;         /* retained       */
    uint64_t address, value;
    uint32_t bytes;
};

/* The checker's lock protects all of it. */
struct ck_values {
    struct ck_value_write *writes;
    size_t count, swept; /* how many there are, and were when old ones were dropped last */
};

void ck_values_fini(struct ck_values *values);

/* Notes a value that a step writes, and fills the holes of waits that it lets through. */
void ck_values_write(struct ck_values *values, struct ck_order *order, const struct ck_step *step,
                     const rill_value *value);

/* Returns a clock of what is done once a wait is over that comes after `before`, to be released;
 * NULL if memory is short.  Each write that is known and meets the condition may have let the
 * wait through, so the clock promises what all of them do.  If there is none yet, it has a
 * hole. */
struct ck_clock *ck_values_wait(struct ck_values *values, struct ck_order *order,
                                const rill_value *value);

/* Has all waits that nobody has let through be over: the host has seen that they are. */
void ck_values_give_up(struct ck_order *order);

#endif
