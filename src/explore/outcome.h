/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run of a program showed: the steps that it took, in their order, and which of them
 * conflict although nothing orders them.
 */
#ifndef XP_OUTCOME_H
#define XP_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A step, by the name that it has in each schedule. */
struct xp_name {
    uint32_t stream;
    uint32_t place;  /* of the node, or XP_WHOLE */
    uint64_t number; /* of the operation         */
};

#define XP_WHOLE UINT32_MAX

static inline bool xp_same_name(const struct xp_name *a, const struct xp_name *b)
{
    return a->stream == b->stream && a->number == b->number && a->place == b->place;
}

/* Steps in an order. */
struct xp_order {
    struct xp_name *items;
    size_t count, room;
};

/* Appends a step.  Returns false if memory is short. */
bool xp_order_add(struct xp_order *order, struct xp_name name);
void xp_order_fini(struct xp_order *order);

/* A relation of numbers below `count`. */
struct xp_pairs {
    uint64_t *bits;
    size_t words; /* of a row */
};

bool xp_pairs_init(struct xp_pairs *pairs, size_t count);
void xp_pairs_fini(struct xp_pairs *pairs);

static inline uint64_t *xp_pairs_row(const struct xp_pairs *pairs, size_t from)
{
    return pairs->bits + from * pairs->words;
}

static inline bool xp_pairs_has(const struct xp_pairs *pairs, size_t from, size_t to)
{
    return xp_pairs_row(pairs, from)[to / 64] >> to % 64 & 1;
}

static inline void xp_pairs_add(struct xp_pairs *pairs, size_t from, size_t to)
{
    xp_pairs_row(pairs, from)[to / 64] |= (uint64_t)1 << to % 64;
}

struct xp_outcome {
    struct xp_order taken;  /* all steps                                              */
    struct xp_order steps;  /* those that conflict with another one, in the same order */
    struct xp_pairs before; /* of these: promised to be over before the other begins   */
    struct xp_pairs conflicts; /* of these: promised in no order; both ways            */
    uint64_t others;        /* conflicts in no order with what is no step, as the host is */
};

void xp_outcome_fini(struct xp_outcome *outcome);

/* Tells whether the steps were taken in this order, others in between. */
bool xp_outcome_has_order(const struct xp_outcome *outcome, const struct xp_name *names,
                          size_t count);

#endif
