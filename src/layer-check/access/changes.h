/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries of the log by which the host changes which allocations there are.
 *
 * They return NULL if memory is short, which the order is told of.
 */
#ifndef CK_CHANGES_H
#define CK_CHANGES_H

#include "layer-check/access/log.h"
#include "layer-check/order/order.h"

/* Adds an allocation, as it is described. */
struct ck_log_entry *ck_changes_add(struct ck_log *log, struct ck_order *order,
                                    const struct ck_block *block);

/* Frees an allocation, or all of a range that has bytes: it must come after all that uses the
 * memory. */
struct ck_log_entry *ck_changes_remove(struct ck_log *log, struct ck_order *order,
                                       const struct range *range, const void *site);

#endif
