/* SPDX-License-Identifier: Apache-2.0
 *
 * Values in memory that streams wait for: which write lets which wait through.
 */
#ifndef CK_VALUES_H
#define CK_VALUES_H

#include "layer-check/order/order.h"

#define CK_VALUE_BUCKETS 1024u

/* A value that was written, and by which step. */
struct ck_value_write {
    struct ck_value_write *next;  /* the one before                                     */
    struct ck_value_write *past;  /* the newest of those before that is not known to come
                                     before this one in the promised order; or NULL     */
    struct ck_value_write *other; /* of a search: a later one that meets no condition   */
    struct ck_step step;          /* retained                                           */
    uint64_t value, number;       /* counted in its place, from 1                       */
};

/* A place in memory, with what was written to it and which waits nobody has let through. */
struct ck_value_place {
    struct ck_value_place *next; /* of the bucket                                         */
    uint64_t address;
    struct ck_value_write *writes; /* the newest first                                    */
    size_t count, swept;         /* of writes; when old ones were dropped last            */
    uint64_t newest;             /* the number of the newest write                        */
    struct ck_hole *holes;       /* open ones, the newest first                           */
};

/* The checker's lock protects all of it. */
struct ck_values {
    struct ck_value_place *places[CK_VALUE_BUCKETS];
};

void ck_values_fini(struct ck_values *values);

/* Notes a value that a step writes, and fills the holes of waits that it lets through. */
void ck_values_write(struct ck_values *values, struct ck_order *order, const struct ck_step *step,
                     const rill_value *value);

/* Returns a clock of what is done once a step has waited that comes after `before`, to be
 * released; NULL if memory is short.  Each write that is known and meets the condition may have
 * let the wait through, so the clock promises what all of them do.  If there is none yet, it has
 * a hole. */
struct ck_clock *ck_values_wait(struct ck_values *values, struct ck_order *order,
                                const struct ck_step *step, struct ck_clock *before,
                                const rill_value *value);

/* Returns what is known of a place, or NULL if nothing is. */
const struct ck_value_place *ck_values_at(const struct ck_values *values, uint64_t address);

/* Has the waits in a clock be over that nobody has let through: whoever learns the clock has seen
 * that they are.  Anything that was submitted so far may have written the value. */
void ck_values_give_up(struct ck_order *order, const struct ck_clock *clock);

#endif
