/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces: orders of the steps of one outcome.  Two orders are of the same class if each pair of
 * steps that conflict comes in the same order in both.
 *
 * A race of a trace is a conflict with nothing in between: there is an order of the class in which
 * one of the two steps comes right after the other.  These two can be exchanged, which leads to
 * another class, and from each class to each other one there is a way of such exchanges.
 */
#ifndef XP_TRACE_H
#define XP_TRACE_H

#include "explore/outcome.h"

/* Steps are numbers: their places in outcome->steps. */
struct xp_trace {
    const struct xp_outcome *outcome;
    uint32_t *order;         /* the steps; the caller's                                   */
    uint32_t *places;        /* where each step is                                        */
    struct xp_pairs earlier; /* in the row of a step: those that come before it in each order
                                of the class                                              */
};

/* Makes room for orders of the steps of an outcome.  Returns false if memory is short. */
bool xp_trace_init(struct xp_trace *trace, const struct xp_outcome *outcome);
void xp_trace_fini(struct xp_trace *trace);

/* Looks at an order. */
void xp_trace_look(struct xp_trace *trace, uint32_t *order);

/* Tells whether `first` and `then`, which conflict, are a race, in this order. */
bool xp_trace_is_race(const struct xp_trace *trace, uint32_t first, uint32_t then);

/* Writes an order in which a race is the other way around and all else is as it was. */
void xp_trace_exchange(const struct xp_trace *trace, uint32_t first, uint32_t then,
                       uint32_t *order);

/* Returns a number that stands for the class of an order of the outcome's steps. */
uint64_t xp_trace_key(const struct xp_outcome *outcome, const uint32_t *places);

#endif
