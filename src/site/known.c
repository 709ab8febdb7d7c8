/* SPDX-License-Identifier: Apache-2.0 */
#include "site/known.h"

#include "base/lock.h"

/* Open addressing; rows are added under the lock. */
struct cs_known cs_known_rows[1 << CS_KNOWN_BITS];

static struct rl_lock known_lock;

/* Returns the row of an address or a free one for it, or NULL.  Requires known_lock. */
static struct cs_known *find_room(uintptr_t address)
{
    size_t index = cs_known_index(address);
    for (int i = 0; i < CS_KNOWN_PROBES; i++, index = cs_known_next(index)) {
        struct cs_known *row = &cs_known_rows[index];
        uintptr_t other = atomic_load_explicit(&row->address, memory_order_relaxed);
        if (!other || other == address) return row;
    }
    return NULL;
}

struct cs_known *cs_known_keep(uintptr_t address, uint64_t word, const struct cs_entry *entry)
{
    rl_lock(&known_lock);
    struct cs_known *row = find_room(address);
    if (row && !atomic_load_explicit(&row->address, memory_order_relaxed)) {
        atomic_store_explicit(&row->word, word, memory_order_relaxed);
        atomic_store_explicit(&row->entry, entry, memory_order_relaxed);
        atomic_store_explicit(&row->address, address, memory_order_release);
    }
    rl_unlock(&known_lock);
    return row;
}
