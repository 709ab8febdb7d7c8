/* SPDX-License-Identifier: Apache-2.0
 *
 * Guards that are pending: which pages, how strict, and until when.
 *
 * A list in no order.  Guards that a later one of the same line and pages outlives are found by
 * sorting when the list is full, so that it grows with the number of ranges and not of
 * operations.
 */
#ifndef CK_GUARDS_H
#define CK_GUARDS_H

#include "layer-check/pages/area.h"

struct ck_guard {
    struct ck_area *area;
    uintptr_t begin, end; /* of whole pages of it */
    enum ck_level level;
    struct ck_until until;
    uint64_t first; /* the lowest number of its works                                  */
    bool lifted;    /* while functions of the program run that may use the pages freely */
};

/* All fields are protected by the module's lock. */
struct ck_guards {
    struct ck_guard *list;
    size_t count, room;
};

/* Returns false if memory is short. */
bool ck_guards_add(struct ck_guards *guards, struct ck_guard guard);

/* Removes the guards that are over.  Returns how many there were before: the removed ones stay in
 * the list, after those that are left, until the next is added. */
size_t ck_guards_end(struct ck_guards *guards, ck_over_fn over, void *data);

/* Removes the guards of an area. */
void ck_guards_forget(struct ck_guards *guards, const struct ck_area *area);

void ck_guards_fini(struct ck_guards *guards);

#endif
