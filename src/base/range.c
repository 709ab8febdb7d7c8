/* SPDX-License-Identifier: Apache-2.0 */
#include "base/range.h"

/* ---- The heaviest below ------------------------------------------------------------- */

/* Returns the greatest weight in a subtree, or 0 if that is empty. */
static uint64_t heaviest_of(const struct range *range)
{
    return range ? range->heaviest : 0;
}

static uint64_t greater_weight(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void refresh_heaviest(struct range *range)
{
    uint64_t below = greater_weight(heaviest_of(range->left), heaviest_of(range->right));
    range->heaviest = greater_weight(range->weight, below);
}

static void refresh_up(struct range *range)
{
    for (; range; range = range->parent) refresh_heaviest(range);
}

/* ---- Turning ------------------------------------------------------------------------ */

/* Puts `other`, or nothing if it is NULL, in the place of `range` at its parent. */
static void replace_child(struct ranges *ranges, const struct range *range, struct range *other)
{
    struct range *parent = range->parent;
    if (!parent) ranges->root = other;
    else if (parent->left == range) parent->left = other;
    else parent->right = other;
    if (other) other->parent = parent;
}

/* Puts a child above its parent. */
static void lift_child(struct ranges *ranges, struct range *child)
{
    struct range *parent = child->parent;
    struct range *between; /* the grandchild that changes sides */
    replace_child(ranges, parent, child);
    if (parent->left == child) {
        between = child->right;
        parent->left = between;
        child->right = parent;
    } else {
        between = child->left;
        parent->right = between;
        child->left = parent;
    }
    if (between) between->parent = parent;
    parent->parent = child;
    refresh_heaviest(parent);
    refresh_heaviest(child);
}

/* ---- Adding and removing ------------------------------------------------------------ */

static uint32_t next_priority(struct ranges *ranges)
{
    uint32_t x = ranges->seed ? ranges->seed : 0x9e3779b9u;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return ranges->seed = x;
}

void rl_ranges_add(struct ranges *ranges, struct range *range)
{
    struct range *parent = NULL, **link = &ranges->root;
    while (*link) {
        parent = *link;
        link = range->base < parent->base ? &parent->left : &parent->right;
    }
    range->parent = parent;
    range->left = range->right = NULL;
    range->heaviest = range->weight;
    range->priority = next_priority(ranges);
    *link = range;
    while (range->parent && range->parent->priority < range->priority) lift_child(ranges, range);
    refresh_up(range->parent);
}

void rl_ranges_remove(struct ranges *ranges, struct range *range)
{
    while (range->left && range->right)
        lift_child(ranges, range->left->priority > range->right->priority ? range->left
                                                                          : range->right);
    replace_child(ranges, range, range->left ? range->left : range->right);
    refresh_up(range->parent);
}

void rl_range_weigh(struct range *range, uint64_t weight)
{
    range->weight = weight;
    refresh_up(range);
}

/* ---- Finding ------------------------------------------------------------------------ */

struct range *rl_ranges_from(const struct ranges *ranges, uint64_t address)
{
    struct range *best = NULL, *range = ranges->root;
    while (range) {
        if (rl_range_holds(range, address)) return range;
        if (range->base > address) {
            best = range;
            range = range->left;
        } else {
            range = range->right;
        }
    }
    return best;
}

struct range *rl_ranges_at(const struct ranges *ranges, uint64_t address)
{
    struct range *range = rl_ranges_from(ranges, address);
    return range && rl_range_holds(range, address) ? range : NULL;
}

struct range *rl_ranges_heavy(const struct ranges *ranges, uint64_t weight)
{
    struct range *range = ranges->root;
    if (heaviest_of(range) < weight) return NULL;
    for (;;) {
        if (heaviest_of(range->left) >= weight) range = range->left;
        else if (range->weight >= weight) return range;
        else range = range->right;
    }
}

struct range *rl_range_next(const struct range *range)
{
    if (range->right) {
        struct range *next = range->right;
        while (next->left) next = next->left;
        return next;
    }
    while (range->parent && range->parent->right == range) range = range->parent;
    return range->parent;
}

struct range *rl_range_previous(const struct range *range)
{
    if (range->left) {
        struct range *previous = range->left;
        while (previous->right) previous = previous->right;
        return previous;
    }
    while (range->parent && range->parent->left == range) range = range->parent;
    return range->parent;
}
