/* SPDX-License-Identifier: Apache-2.0
 *
 * Which schedule of a program is tried next, and what is known after it.
 *
 * The first run shows which steps conflict.  If that is the same in all orders, as it is unless
 * what a step touches depends on what another one wrote, then all classes are known from the first
 * run (classes.h), and one run for each of them shows that it is so.  Part i of n takes those whose
 * keys are i modulo n, and needs to know nothing of the other parts.
 *
 * The first run that shows something else ends this.  From then on each run says by its races
 * which classes are beside it, and those are tried that no run was in and no other was meant for.
 */
#ifndef XP_EXPLORER_H
#define XP_EXPLORER_H

#include "explore/classes.h"
#include "explore/keys.h"

struct xp_limits {
    uint64_t runs;        /* at most               */
    size_t steps;         /* that conflict, at most */
    uint32_t part, parts; /* part is below parts   */
};

struct xp_wish;

/* What a run is to do: take these steps in this order, others as they come. */
struct xp_plan {
    struct xp_order order;
    uint64_t key; /* of the class that it is meant for */
};

struct xp_explorer {
    struct xp_limits limits;
    struct xp_outcome first;     /* what the first run showed                      */
    struct xp_classes classes;   /* of it; until `varies`                          */
    struct xp_keys met, meant;   /* once it varies: classes of runs, and those tried */
    struct xp_wish *wishes;      /* once it varies: what is to be tried            */

    uint64_t begun, runs;        /* runs that were planned, and those that are over */
    uint64_t explored;           /* classes with a run in them, of this part       */
    uint64_t classes_known;      /* of all parts; while it varies, as `explored`   */
    uint64_t keys;               /* their sum, once all classes are known          */
    uint64_t others;             /* the most that an outcome had                   */
    bool told_first;
    bool varies;                 /* conflicts, or which steps there are, depend on the order */
    bool too_many_runs, too_many_steps;
    bool done;                   /* no class is left                               */
    bool failed;                 /* memory was short                               */
};

void xp_explorer_init(struct xp_explorer *explorer, const struct xp_limits *limits);
void xp_explorer_fini(struct xp_explorer *explorer);

/* Plans the next run, in a plan that is all zero or was used before.  Several may run at the same
 * time.  Returns false if there is none, or none before those that are planned have been told. */
bool xp_explorer_next(struct xp_explorer *explorer, struct xp_plan *plan);

/* Tells what the run of a plan showed.  Takes the outcome over. */
void xp_explorer_tell(struct xp_explorer *explorer, const struct xp_plan *plan,
                      struct xp_outcome *outcome);

/* Tells whether each class of this part had a run, and all conflicts are between steps. */
bool xp_explorer_is_complete(const struct xp_explorer *explorer);

#endif
