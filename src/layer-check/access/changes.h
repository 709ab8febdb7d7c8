/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries of the log by which the host changes which allocations there are.
 *
 * The functions return NULL if memory is short, which the order is told of.
 */
#ifndef CK_CHANGES_H
#define CK_CHANGES_H

#include "layer-check/access/log.h"
#include "layer-check/order/order.h"

/* Adds an allocation, as it is described. */
struct ck_log_entry *ck_changes_add(struct ck_log *log, struct ck_order *order,
                                    const struct ck_block *block);

/* Begins to free an allocation, or all of a range that has bytes: that must come after all that
 * uses the memory.  It begins before the memory is freed, since that may be another thread's
 * allocation as soon as it is, and nothing behind it is judged before it ends. */
struct ck_log_entry *ck_changes_begin_free(struct ck_log *log, struct ck_order *order,
                                           const struct range *range, const void *site);

/* Ends it.  Nothing has happened if the memory was not `freed`. */
void ck_changes_end_free(struct ck_log_entry *entry, bool freed);

#endif
