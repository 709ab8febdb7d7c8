/* SPDX-License-Identifier: Apache-2.0
 *
 * Conflicts that are held back: a flag that works set which were submitted later may order them.
 *
 * The checker's lock protects all of it.
 */
#ifndef CK_HELD_H
#define CK_HELD_H

#include "layer-check/access/tellings.h"
#include "layer-check/access/verdict.h"

struct ck_held_conflict;

struct ck_held {
    struct ck_held_conflict *first;
    unsigned count;
};

/* Holds a conflict back until all works up to a serial are judged, unless there are many.  Returns
 * false if memory is short. */
bool ck_held_add(struct ck_held *held, const struct ck_conflict *conflict,
                 const struct ck_block *block, uint64_t until, struct ck_verdicts *verdicts);

/* Lists the verdicts that nothing was found to order, now that all works before a serial are
 * judged. */
void ck_held_release(struct ck_held *held, const struct ck_tellings *tellings, uint64_t serial,
                     struct ck_verdicts *verdicts);

/* Forgets all. */
void ck_held_fini(struct ck_held *held);

/* Tells whether what was told orders a conflict, so that it is none. */
bool ck_tellings_settle(const struct ck_tellings *tellings, const struct ck_conflict *conflict);

#endif
