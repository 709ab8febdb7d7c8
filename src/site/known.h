/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of return addresses, which stays true: each is looked into once.
 */
#ifndef CS_KNOWN_H
#define CS_KNOWN_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct cs_entry;

/* A row of the table.  The address is written last, and then never changes, so that a row is read
 * without the lock. */
struct cs_known {
    atomic_uintptr_t address;
    atomic_uint_least64_t word;             /* here.c has its meaning                        */
    _Atomic(const struct cs_entry *) entry; /* of the library: the public call that it is in;
                                               of the program: what it calls; or NULL        */
};

enum { CS_KNOWN_BITS = 13, CS_KNOWN_PROBES = 16 };

extern struct cs_known cs_known_rows[1 << CS_KNOWN_BITS];

static inline size_t cs_known_index(uintptr_t address)
{
    return (size_t)((uint64_t)address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - CS_KNOWN_BITS));
}

static inline size_t cs_known_next(size_t index)
{
    return (index + 1) & ((1u << CS_KNOWN_BITS) - 1);
}

/* Returns the row of an address, or NULL. */
static inline struct cs_known *cs_known_find(uintptr_t address)
{
    size_t index = cs_known_index(address);
    for (int i = 0; i < CS_KNOWN_PROBES; i++, index = cs_known_next(index)) {
        struct cs_known *row = &cs_known_rows[index];
        uintptr_t other = atomic_load_explicit(&row->address, memory_order_acquire);
        if (other == address) return row;
        if (!other) break;
    }
    return NULL;
}

/* Adds a row.  Returns the one that is there by then, or NULL if there is no room nearby: then the
 * address is looked into each time. */
struct cs_known *cs_known_keep(uintptr_t address, uint64_t word, const struct cs_entry *entry);

#endif
