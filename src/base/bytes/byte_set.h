/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of addresses, exact by bytes: a tree like the page tables of a processor.
 *
 * A slot of a lowest node is a page of 4 KiB: empty, one row of bytes, or a bitmap, which pages
 * that are alike may share.  A node all of whose slots are full is replaced by a full slot in the
 * node above, so what is dense takes no memory, however large it is.
 */
#ifndef RL_BYTE_SET_H
#define RL_BYTE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes/page_index.h"
#include "base/bytes/node_pool.h"

#define RL_PAGE_BITS 12
#define RL_PAGE_BYTES (UINT64_C(1) << RL_PAGE_BITS)

/* A node has 2^6 slots; 9 levels of them and a page are 66 bits. */
#define RL_NODE_BITS 6
#define RL_NODE_SLOTS 64
#define RL_SET_LEVELS 9

/* A slot is 0, a row of its page, RL_SLOT_FULL, or the address of a node: with RL_SLOT_SHARED, of a
 * bitmap that never changes. */
#define RL_SLOT_ROW(from, to) \
    ((uintptr_t)1 | (uintptr_t)(from) << 1 | (uintptr_t)(to) << (RL_PAGE_BITS + 2))
#define RL_SLOT_FULL RL_SLOT_ROW(0, RL_PAGE_BYTES)
#define RL_SLOT_SHARED ((uintptr_t)2)

static inline bool rl_slot_is_row(uintptr_t slot)
{
    return slot & 1;
}

static inline uint32_t rl_slot_from(uintptr_t slot)
{
    return (uint32_t)(slot >> 1) & (2 * RL_PAGE_BYTES - 1);
}

static inline uint32_t rl_slot_to(uintptr_t slot)
{
    return (uint32_t)(slot >> (RL_PAGE_BITS + 2));
}

static inline bool rl_slot_is_shared(uintptr_t slot)
{
    return (slot & 3) == RL_SLOT_SHARED;
}

/* Tells whether a page has a bitmap that no other page has. */
static inline bool rl_slot_is_own(uintptr_t slot)
{
    return slot && (slot & 3) == 0;
}

static inline union rl_node *rl_slot_node(uintptr_t slot)
{
    return (union rl_node *)(slot & ~RL_SLOT_SHARED);
}

struct rl_byte_set {
    struct rl_node_pool *pool;  /* several sets may share one                             */
    uintptr_t root;             /* a slot                                                 */
    uint64_t page;              /* that was looked up last                                */
    union rl_node *path[RL_SET_LEVELS]; /* to it, the lowest first; NULL where it ended   */
    struct rl_page_indexes indexes; /* for what is added all over                         */
    bool missing;               /* some bytes, for want of memory, ...                    */
    uint64_t missing_first, missing_last; /* ... none of them outside of these            */
};

void rl_byte_set_init(struct rl_byte_set *set, struct rl_node_pool *pool);

/* Frees what is not the pool's. */
void rl_byte_set_fini(struct rl_byte_set *set);

/* Adds the bytes `first` to `last`. */
void rl_byte_set_add(struct rl_byte_set *set, uint64_t first, uint64_t last);

/* Adds `count` rows of `bytes` bytes, `stride` apart, which do not touch each other and end
 * before the address space does. */
void rl_byte_set_add_stride(struct rl_byte_set *set, uint64_t address, uint64_t bytes,
                            uint64_t stride, uint64_t count);

/* Adds what is in `from`, whose maps are empty then. */
void rl_byte_set_absorb(struct rl_byte_set *set, struct rl_byte_set *from);

/* Moves what is in maps of the set (page_index.h) to the tree of `to`, which may be the set itself:
 * before anybody looks at the tree. */
void rl_byte_set_fold(struct rl_byte_set *set, struct rl_byte_set *to);

/* Notes that the bytes `first` to `last` may be missing. */
void rl_byte_set_miss(struct rl_byte_set *set, uint64_t first, uint64_t last);

/* ---- For those who add to pages ---------------------------------------------------------- */

/* Returns the slot of a page, which is the one that was looked up last then, or a full slot above
 * it.  NULL if memory is short. */
uintptr_t *rl_byte_set_slot(struct rl_byte_set *set, uint64_t page);

/* Makes a page that is not full a bitmap of its own.  Returns NULL if memory is short. */
uint64_t *rl_byte_set_open(struct rl_byte_set *set, uintptr_t *slot);

/* Makes a page whose own bitmap may be full a full one. */
void rl_byte_set_settle(struct rl_byte_set *set, uintptr_t *slot);

/* Replaces nodes that are full now that the page which was looked up last is. */
void rl_byte_set_settle_path(struct rl_byte_set *set);

/* ---- Bitmaps ------------------------------------------------------------------------------ */

/* Returns a word with the bits from `bit` on. */
static inline uint64_t rl_bits_from(uint32_t bit)
{
    return ~UINT64_C(0) << (bit & 63);
}

/* Returns a word with the bits before `bit`, all of them if that is 64. */
static inline uint64_t rl_bits_to(uint32_t bit)
{
    return ~UINT64_C(0) >> (-bit & 63);
}

/* Adds the bytes `from` to `to` - 1 of a page to its bitmap.  Returns true if some word of it
 * is full. */
bool rl_bitmap_add(uint64_t *words, uint32_t from, uint32_t to);

bool rl_bitmap_is_full(const uint64_t *words);

#endif
