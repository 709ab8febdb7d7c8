/* SPDX-License-Identifier: Apache-2.0
 *
 * Disjoint ranges of addresses in the order of their addresses: a treap whose
 * nodes are embedded in what they stand for.  Each range has a weight, and each
 * node keeps the greatest weight in its subtree, so that the first range of at
 * least some weight is found on one way down.  Every operation is O(log n).
 *
 * The owner of a tree has a lock that protects it; nothing here locks or allocates.
 */
#ifndef RL_RANGE_H
#define RL_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
    uint64_t base, bytes; /* bytes is not 0 */
    uint64_t weight;      /* read freely; changed by rl_range_weigh() */

    /* ---- maintained by the tree ---- */
    uint64_t heaviest;
    struct range *parent, *left, *right;
    uint32_t priority;
};

struct ranges {
    struct range *root;
    uint32_t seed;
};

static inline uint64_t rl_range_end(const struct range *range)
{
    return range->base + range->bytes; /* the last range may end at 2^64, as 0 */
}

static inline bool rl_range_holds(const struct range *range, uint64_t address)
{
    return address - range->base < range->bytes;
}

/* Adds a range, whose base, bytes and weight are set, that overlaps none in the tree. */
void rl_ranges_add(struct ranges *ranges, struct range *range);
void rl_ranges_remove(struct ranges *ranges, struct range *range);

/* Changes the weight of a range in the tree.  Its base and bytes may be changed directly at
 * any time, as long as the order stays the same. */
void rl_range_weigh(struct range *range, uint64_t weight);

/* Returns the range that holds an address, or NULL. */
struct range *rl_ranges_at(const struct ranges *ranges, uint64_t address);

/* Returns the lowest range that holds `address` or lies above it, or NULL. */
struct range *rl_ranges_from(const struct ranges *ranges, uint64_t address);

/* Returns the lowest range of at least this weight, which is not 0, or NULL. */
struct range *rl_ranges_heavy(const struct ranges *ranges, uint64_t weight);

struct range *rl_range_next(const struct range *range);
struct range *rl_range_previous(const struct range *range);

#endif
