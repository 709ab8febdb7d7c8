/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/classes.h"

#include "base/alloc.h"

/* A class on the way, and where the search for the next class below it goes on. */
struct xp_level {
    struct xp_level *above;
    uint32_t first, then; /* the next pair to be exchanged */
    uint32_t order[];
};

bool xp_classes_init(struct xp_classes *classes, const struct xp_outcome *outcome)
{
    *classes = (struct xp_classes){ .outcome = outcome };
    bool fits = xp_trace_init(&classes->here, outcome);
    return xp_trace_init(&classes->there, outcome) && fits;
}

void xp_classes_fini(struct xp_classes *classes)
{
    while (classes->way) {
        struct xp_level *above = classes->way->above;
        rl_free(classes->way);
        classes->way = above;
    }
    xp_trace_fini(&classes->here);
    xp_trace_fini(&classes->there);
}

static struct xp_level *make_level(struct xp_classes *classes)
{
    size_t count = classes->outcome->steps.count;
    struct xp_level *level = rl_alloc(sizeof *level + (count + 1) * sizeof level->order[0]);
    if (level) *level = (struct xp_level){ .first = 0, .then = 1 };
    else classes->failed = true;
    return level;
}

/* Tells whether the pair is the least race that is turned in the class `there`. */
static bool is_least_turned(const struct xp_classes *classes, uint32_t first, uint32_t then)
{
    const struct xp_trace *there = &classes->there;
    const struct xp_pairs *conflicts = &classes->outcome->conflicts;
    for (uint32_t i = 0; i <= first; i++) {
        uint32_t end = i == first ? then : (uint32_t)classes->outcome->steps.count;
        for (uint32_t j = i + 1; j < end; j++)
            if (xp_pairs_has(conflicts, i, j) && xp_trace_is_race(there, j, i)) return false;
    }
    return true;
}

/* Goes down by an exchange of the level's pair, if that leads to a class below. */
static bool go_down(struct xp_classes *classes, struct xp_level *level, struct xp_level *below)
{
    uint32_t first = level->first, then = level->then;
    if (!xp_pairs_has(&classes->outcome->conflicts, first, then) ||
        !xp_trace_is_race(&classes->here, first, then))
        return false;
    xp_trace_exchange(&classes->here, first, then, below->order);
    xp_trace_look(&classes->there, below->order);
    return is_least_turned(classes, first, then);
}

/* Goes on to the next pair.  Returns false after the last one. */
static bool next_pair(const struct xp_classes *classes, struct xp_level *level)
{
    if (level->then < classes->outcome->steps.count) return true;
    level->then = ++level->first + 1;
    return level->then < classes->outcome->steps.count;
}

static const uint32_t *add_level(struct xp_classes *classes, struct xp_level *level, uint64_t *key)
{
    level->above = classes->way;
    classes->way = level;
    xp_trace_look(&classes->here, level->order);
    *key = xp_trace_key(classes->outcome, classes->here.places);
    return level->order;
}

static const uint32_t *begin_at_root(struct xp_classes *classes, uint64_t *key)
{
    struct xp_level *root = make_level(classes);
    classes->begun = true;
    if (!root) return NULL;
    for (uint32_t i = 0; i < classes->outcome->steps.count; i++) root->order[i] = i;
    return add_level(classes, root, key);
}

const uint32_t *xp_classes_next(struct xp_classes *classes, uint64_t *key)
{
    if (!classes->begun) return begin_at_root(classes, key);
    struct xp_level *below = classes->way ? make_level(classes) : NULL;
    while (below && classes->way) {
        struct xp_level *level = classes->way;
        for (; next_pair(classes, level); level->then++) {
            if (!go_down(classes, level, below)) continue;
            level->then++;
            return add_level(classes, below, key);
        }
        classes->way = level->above;
        rl_free(level);
        if (classes->way) xp_trace_look(&classes->here, classes->way->order);
    }
    rl_free(below);
    return NULL;
}
