/* SPDX-License-Identifier: Apache-2.0
 *
 * Values in memory that streams wait for: which write lets which wait through.
 */
#ifndef CK_VALUES_H
#define CK_VALUES_H

#include "layer-check/order/value_place.h"

#define CK_VALUE_BUCKETS 1024u

/* The checker's lock protects all of it. */
struct ck_values {
    struct ck_value_place *places[CK_VALUE_BUCKETS];
    uint64_t low, high;    /* all places lie from one up to the other; 0 if there is none */
    struct ck_hole *ready; /* had an open hole before them, which was filled; NULL between calls */
};

void ck_values_fini(struct ck_values *values);

/* Notes a value that a step writes, and fills the holes of waits that it lets through. */
void ck_values_write(struct ck_values *values, struct ck_order *order, const struct ck_step *step,
                     const rill_value *value);

/* Returns a clock of what is done once a step has waited that comes after `before`, to be
 * released; NULL if memory is short.  The clock promises what all writes do that may have let the
 * wait through.  If there is none yet, or nobody knows yet what comes before the wait, the clock
 * has a hole. */
struct ck_clock *ck_values_wait(struct ck_values *values, struct ck_order *order,
                                const struct ck_step *step, struct ck_clock *before,
                                const rill_value *value);

/* Has memory be new: what was written there before lets nobody through from now on.  Waits that
 * are open are still for what was there. */
void ck_values_forget(struct ck_values *values, uint64_t base, uint64_t bytes);

/* Return what is known of a place: now, or in memory that was there before.  `before` is what was
 * returned last, or NULL at first.  Return NULL if there is no more. */
const struct ck_value_place *ck_values_at(const struct ck_values *values, uint64_t address,
                                          const struct ck_value_place *before);

/* Has the waits in a clock be over that nobody has let through: whoever learns the clock has seen
 * that they are.  Anything that was submitted so far may have written the value. */
void ck_values_give_up(struct ck_values *values, struct ck_order *order,
                       const struct ck_clock *clock);

#endif
