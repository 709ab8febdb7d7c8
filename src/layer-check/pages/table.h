/* SPDX-License-Identifier: Apache-2.0
 *
 * All areas of the process, by their addresses.
 *
 * Fault handlers search the table without a lock.  It is changed by replacing it: there are two
 * of them, of which one is in use; the other one is written when no handler reads it any more.
 */
#ifndef CK_TABLE_H
#define CK_TABLE_H

#include "layer-check/pages/area.h"

struct ck_table {
    struct ck_area **areas; /* sorted */
    size_t count;
};

/* Returns the table, and keeps it and its areas as they are until ck_table_leave().  In between
 * the caller may not wait for anybody.  Safe in signal handlers. */
const struct ck_table *ck_table_enter(void);
void ck_table_leave(void);

/* Returns the table.  Requires the lock, or that there is one thread. */
const struct ck_table *ck_table_get(void);

/* Returns the index of the first area that ends after the address. */
size_t ck_table_from(const struct ck_table *table, uintptr_t address);

/* Returns the area in which the address lies, or NULL. */
struct ck_area *ck_table_find(const struct ck_table *table, uintptr_t address);

/* Adds an area.  Returns false if memory is short or it overlaps another one.  Requires the
 * lock. */
bool ck_table_add(struct ck_area *area);

/* Takes an area out, of which no handler knows any more afterwards.  Requires the lock. */
void ck_table_remove(struct ck_area *area);

#endif
