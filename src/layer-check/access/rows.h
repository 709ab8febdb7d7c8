/* SPDX-License-Identifier: Apache-2.0
 *
 * What operations touch, as far as they say it themselves.
 */
#ifndef CK_ROWS_H
#define CK_ROWS_H

#include <stdbool.h>

#include <rill/backend.h>

/* Rows of an operation, in memory of the caller's or, if they are many, of their own. */
struct ck_row_list {
    rill_touched few[4];
    rill_touched *items;
    size_t count, room;
    bool failed; /* memory was short */
};

void ck_row_list_init(struct ck_row_list *list);
void ck_row_list_fini(struct ck_row_list *list);

/* Adds the values that are written or waited for. */
void ck_rows_of_values(struct ck_row_list *list, const rill_values_op *values);

/* Adds the byte to which the argument of a host function points, as read. */
void ck_rows_of_pointer(struct ck_row_list *list, uint64_t address);

/* Adds what an operation touches, as far as it says so itself: of a copy the rows that it reads,
 * then those that it writes; of a kernel the allocations to which its arguments may point. */
void ck_rows_of_op(struct ck_row_list *list, const struct rill_backend *beneath,
                   const rill_op *op);

#endif
