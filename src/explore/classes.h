/* SPDX-License-Identifier: Apache-2.0
 *
 * All classes of the orders of one outcome's steps, each once, in little memory.
 *
 * The steps are numbered as they were taken in the outcome, whose class is the root of a tree.  In
 * each other class some races are turned against these numbers; the class above it is the one with
 * the least of those exchanged, which has one turned pair less.  So a class is found by exchanging
 * a race that is not turned, if the race is the least that is turned in what comes out.  Nothing
 * has to be remembered but the way from the root.
 */
#ifndef XP_CLASSES_H
#define XP_CLASSES_H

#include "explore/trace.h"

struct xp_level;

struct xp_classes {
    const struct xp_outcome *outcome;
    struct xp_trace here, there; /* the class at the end of the way; one that may follow it */
    struct xp_level *way;        /* from the root, the last first                           */
    bool begun;
    bool failed;                 /* memory was short                                        */
};

/* Begins with the classes of an outcome, which stays until the end.  Returns false if memory is
 * short. */
bool xp_classes_init(struct xp_classes *classes, const struct xp_outcome *outcome);
void xp_classes_fini(struct xp_classes *classes);

/* Returns an order of the next class, valid until the next call; NULL after the last one, or if
 * memory is short.  Stores the key of the class. */
const uint32_t *xp_classes_next(struct xp_classes *classes, uint64_t *key);

#endif
