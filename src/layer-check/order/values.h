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

/* Tells whether anything is known of an address, or was asked. */
bool ck_values_know(const struct ck_values *values, uint64_t address);

/* Has an address be known from now on.  Returns false if memory is short. */
bool ck_values_learn(struct ck_values *values, uint64_t address);

/* Notes that a step writes bytes which nobody says: what is known to be written there before is
 * not there any more. */
void ck_values_overwrite(struct ck_values *values, struct ck_order *order,
                         const struct ck_step *step, uint64_t base, uint64_t bytes);

/* Returns a clock of what is done once a step has waited that comes after `before`, to be
 * released; NULL if memory is short.  The clock promises what all writes do that may have let the
 * wait through.  If there is none yet, or nobody knows yet what comes before the wait, the clock
 * has a hole.  `now`: what is there at this moment, or NULL. */
struct ck_clock *ck_values_wait(struct ck_values *values, struct ck_order *order,
                                const struct ck_step *step, struct ck_clock *before,
                                const rill_value *value, const uint64_t *now);

/* Has memory be new: what was written there before lets nobody through from now on.  Waits that
 * are open are still for what was there. */
void ck_values_forget(struct ck_values *values, uint64_t base, uint64_t bytes);

/* Return what is known of a place: now, or in memory that was there before.  `before` is what was
 * returned last, or NULL at first.  Return NULL if there is no more. */
const struct ck_value_place *ck_values_at(const struct ck_values *values, uint64_t address,
                                          const struct ck_value_place *before);

/* Has the waits in a clock be over that nobody has let through: a thread that learns the clock
 * has seen that they are.  It was the host who has written the value, or what has written there
 * so far of which nobody says what; or anything that was submitted so far, if nothing has, or not
 * all is seen that may have. */
void ck_values_give_up(struct ck_values *values, struct ck_order *order,
                       const struct ck_clock *clock);

#endif
