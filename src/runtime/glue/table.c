/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/glue/table.h"

#include "base/alloc.h"

struct rt_rows {
    struct rt_rows *smaller; /* the array that this one replaced                    */
    size_t used;             /* places that are not NULL; the table's lock          */
    size_t mask;             /* the number of places, a power of two, less one      */
    _Atomic(struct rt_row *) at[];
};

enum { FIRST_PLACES = 64 };

/* In the place of a row that was taken out: those behind it must still be found. */
static struct rt_row removed = { .address = &removed };

static size_t find_home(const void *address, size_t mask)
{
    uint64_t mixed = (uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u;
    return (size_t)(mixed >> 32) & mask;
}

struct rt_row *rt_table_find(const struct rt_table *table, const void *address)
{
    struct rt_rows *rows = atomic_load_explicit(&table->rows, memory_order_acquire);
    if (!rows) return NULL;
    for (size_t i = find_home(address, rows->mask);; i = (i + 1) & rows->mask) {
        struct rt_row *row = atomic_load_explicit(&rows->at[i], memory_order_acquire);
        if (!row || row->address == address) return row;
    }
}

/* Puts a row where it belongs.  Requires the table's lock, or that nobody sees the array. */
static void put_row(struct rt_rows *rows, struct rt_row *row)
{
    size_t i = find_home(row->address, rows->mask);
    struct rt_row *there;
    while ((there = atomic_load_explicit(&rows->at[i], memory_order_relaxed)) &&
           there->address != row->address)
        i = (i + 1) & rows->mask;
    if (!there) rows->used++;
    atomic_store_explicit(&rows->at[i], row, memory_order_release);
}

/* Requires the table's lock. */
static struct rt_rows *grow_rows(struct rt_table *table, struct rt_rows *old)
{
    size_t places = old ? 2 * (old->mask + 1) : FIRST_PLACES;
    struct rt_rows *rows = rl_zalloc(sizeof *rows + places * sizeof rows->at[0]);
    if (!rows) return NULL;
    rows->smaller = old;
    rows->mask = places - 1;
    for (size_t i = 0; old && i <= old->mask; i++) {
        struct rt_row *row = atomic_load_explicit(&old->at[i], memory_order_relaxed);
        if (row && row != &removed) put_row(rows, row);
    }
    atomic_store_explicit(&table->rows, rows, memory_order_release);
    return rows;
}

int rt_table_add(struct rt_table *table, const struct rt_row *model)
{
    struct rt_row *row = rl_alloc(sizeof *row);
    if (!row) return 0;
    *row = *model;
    rl_lock(&table->lock);
    struct rt_rows *rows = atomic_load_explicit(&table->rows, memory_order_relaxed);
    if (!rows || 2 * rows->used > rows->mask) rows = grow_rows(table, rows);
    if (rows) {
        row->older = table->all;
        table->all = row;
        put_row(rows, row);
    }
    rl_unlock(&table->lock);
    if (!rows) rl_free(row);
    return rows != NULL;
}

void rt_table_remove(struct rt_table *table, const struct rt_image *image)
{
    rl_lock(&table->lock);
    struct rt_rows *rows = atomic_load_explicit(&table->rows, memory_order_relaxed);
    for (size_t i = 0; rows && i <= rows->mask; i++) {
        struct rt_row *row = atomic_load_explicit(&rows->at[i], memory_order_relaxed);
        if (!row || row->image != image || row == &removed) continue;
        atomic_store_explicit(&rows->at[i], &removed, memory_order_release);
        atomic_store_explicit(&row->kernel, NULL, memory_order_release);
    }
    rl_unlock(&table->lock);
}
