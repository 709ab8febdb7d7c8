/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/pages/table.h"

#include <sched.h>
#include <string.h>

#include "base/alloc.h"

/* Written under the lock; the one in use is read by handlers. */
static struct ck_table tables[2];
static _Atomic(struct ck_table *) used = &tables[0];
static size_t room; /* areas that either table has room for; the lock */

static atomic_uint readers;

const struct ck_table *ck_table_enter(void)
{
    atomic_fetch_add(&readers, 1);
    return atomic_load(&used);
}

void ck_table_leave(void)
{
    atomic_fetch_sub(&readers, 1);
}

const struct ck_table *ck_table_get(void)
{
    return atomic_load(&used);
}

size_t ck_table_from(const struct ck_table *table, uintptr_t address)
{
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->areas[middle]->end > address) high = middle;
        else low = middle + 1;
    }
    return low;
}

struct ck_area *ck_table_find(const struct ck_table *table, uintptr_t address)
{
    size_t at = ck_table_from(table, address);
    return at < table->count && table->areas[at]->begin <= address ? table->areas[at] : NULL;
}

/* Handlers never wait for the lock, so they leave. */
static void wait_for_readers(void)
{
    while (atomic_load(&readers)) sched_yield();
}

static struct ck_table *spare_table(void)
{
    return &tables[atomic_load(&used) == &tables[0]];
}

/* Puts the spare table in the place of the one in use. */
static void use_table(struct ck_table *table)
{
    atomic_store(&used, table);
    wait_for_readers();
}

/* Makes room for one more area in the spare table; in the one in use there is that much or
 * less. */
static bool make_room(void)
{
    struct ck_table *spare = spare_table();
    size_t more = room ? 2 * room : 16;
    if (ck_table_get()->count < room) return true;
    struct ck_area **first = rl_alloc(more * sizeof *first);
    struct ck_area **second = first ? rl_alloc(more * sizeof *second) : NULL;
    if (!second) {
        rl_free(first);
        return false;
    }
    struct ck_table *old = atomic_load(&used);
    if (old->count) memcpy(first, old->areas, old->count * sizeof *first);
    rl_free(spare->areas);
    *spare = (struct ck_table){ first, old->count };
    use_table(spare);
    rl_free(old->areas);
    *old = (struct ck_table){ second, 0 };
    room = more;
    return true;
}

/* Frees the tables when they are empty, so that a process without areas holds no memory. */
static void free_tables(void)
{
    spare_table()->count = 0; /* a handler may be reading the other one's, which is 0 */
    for (int i = 0; i < 2; i++) {
        rl_free(tables[i].areas);
        tables[i].areas = NULL;
    }
    room = 0;
}

bool ck_table_add(struct ck_area *area)
{
    const struct ck_table *old = ck_table_get();
    size_t at = ck_table_from(old, area->begin);
    if (at < old->count && old->areas[at]->begin < area->end) return false;
    if (!make_room()) return false;
    old = ck_table_get();
    struct ck_table *spare = spare_table();
    for (size_t i = 0; i < old->count; i++) spare->areas[i + (i >= at)] = old->areas[i];
    spare->areas[at] = area;
    spare->count = old->count + 1;
    use_table(spare);
    return true;
}

void ck_table_remove(struct ck_area *area)
{
    const struct ck_table *old = ck_table_get();
    struct ck_table *spare = spare_table();
    spare->count = 0;
    for (size_t i = 0; i < old->count; i++)
        if (old->areas[i] != area) spare->areas[spare->count++] = old->areas[i];
    use_table(spare);
    if (!spare->count) free_tables();
}
