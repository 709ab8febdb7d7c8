/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/explorer.h"

#include <string.h>

#include "base/alloc.h"

/* An order that is to be tried. */
struct xp_wish {
    struct xp_wish *next;
    uint64_t key;
    size_t count;
    struct xp_name names[];
};

void xp_explorer_init(struct xp_explorer *explorer, const struct xp_limits *limits)
{
    *explorer = (struct xp_explorer){ .limits = *limits };
}

static void forget_wishes(struct xp_explorer *explorer)
{
    while (explorer->wishes) {
        struct xp_wish *next = explorer->wishes->next;
        rl_free(explorer->wishes);
        explorer->wishes = next;
    }
}

void xp_explorer_fini(struct xp_explorer *explorer)
{
    forget_wishes(explorer);
    xp_classes_fini(&explorer->classes);
    xp_outcome_fini(&explorer->first);
    xp_keys_fini(&explorer->met);
    xp_keys_fini(&explorer->meant);
}

/* ---- While all is as in the first run ------------------------------------------------------ */

static bool is_of_part(const struct xp_explorer *explorer, uint64_t key)
{
    return key % explorer->limits.parts == explorer->limits.part;
}

/* Asks for the next class that is this part's. */
static bool plan_class(struct xp_explorer *explorer, struct xp_plan *plan)
{
    const struct xp_order *steps = &explorer->first.steps;
    const uint32_t *order;
    while ((order = xp_classes_next(&explorer->classes, &plan->key))) {
        explorer->classes_known++;
        explorer->keys += plan->key;
        if (!is_of_part(explorer, plan->key)) continue;
        for (size_t i = 0; i < steps->count && !explorer->failed; i++)
            explorer->failed = !xp_order_add(&plan->order, steps->items[order[i]]);
        return !explorer->failed;
    }
    if (explorer->classes.failed) explorer->failed = true;
    return false;
}

static bool begin_classes(struct xp_explorer *explorer, struct xp_outcome *outcome)
{
    uint64_t key = 0;
    explorer->first = *outcome;
    *outcome = (struct xp_outcome){ .others = 0 };
    if (!xp_classes_init(&explorer->classes, &explorer->first)) return false;
    xp_classes_next(&explorer->classes, &key);
    explorer->classes_known = 1;
    explorer->keys = key;
    explorer->explored = is_of_part(explorer, key);
    return !explorer->classes.failed;
}

/* Returns the key of the class that a run was in. */
static uint64_t key_of(struct xp_explorer *explorer, const struct xp_outcome *outcome)
{
    uint64_t key = 0;
    uint32_t *places = rl_alloc((outcome->steps.count + 1) * sizeof *places);
    if (!places) {
        explorer->failed = true;
        return 0;
    }
    for (uint32_t i = 0; i < outcome->steps.count; i++) places[i] = i;
    key = xp_trace_key(outcome, places);
    rl_free(places);
    return key;
}

/* ---- Once it varies ------------------------------------------------------------------------ */

/* Adds the exchange of a race to what is to be tried, unless that class is known. */
static void add_wish(struct xp_explorer *explorer, const struct xp_trace *trace, uint32_t first,
                     uint32_t then, uint32_t *order, uint32_t *places)
{
    const struct xp_outcome *outcome = trace->outcome;
    size_t count = outcome->steps.count;
    xp_trace_exchange(trace, first, then, order);
    for (uint32_t at = 0; at < count; at++) places[order[at]] = at;
    uint64_t key = xp_trace_key(outcome, places);
    if (xp_keys_has(&explorer->met, key)) return;
    if (!xp_keys_add(&explorer->meant, key, &explorer->failed)) return;
    struct xp_wish *wish = rl_alloc(sizeof *wish + count * sizeof wish->names[0]);
    if (!wish) {
        explorer->failed = true;
        return;
    }
    *wish = (struct xp_wish){ explorer->wishes, key, count };
    for (size_t i = 0; i < count; i++) wish->names[i] = outcome->steps.items[order[i]];
    explorer->wishes = wish;
}

static void add_races(struct xp_explorer *explorer, struct xp_trace *trace, uint32_t *order,
                      uint32_t *places)
{
    uint32_t count = (uint32_t)trace->outcome->steps.count;
    for (uint32_t i = 0; i < count; i++) places[i] = i;
    uint32_t *exchanged = places + count;
    memcpy(order, places, count * sizeof *order);
    xp_trace_look(trace, order);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count && !explorer->failed; j++)
            if (xp_pairs_has(&trace->outcome->conflicts, i, j) && xp_trace_is_race(trace, i, j))
                add_wish(explorer, trace, i, j, exchanged, places);
}

/* Notes the class that a run was in, and those beside it, if it is the first one there. */
static void meet_class(struct xp_explorer *explorer, const struct xp_outcome *outcome)
{
    struct xp_trace trace;
    size_t count = outcome->steps.count;
    uint64_t key = key_of(explorer, outcome);
    if (explorer->failed || !xp_keys_add(&explorer->met, key, &explorer->failed)) return;
    explorer->classes_known = ++explorer->explored;
    uint32_t *room = rl_alloc((3 * count + 1) * sizeof *room);
    if (!xp_trace_init(&trace, outcome) || !room) explorer->failed = true;
    else add_races(explorer, &trace, room, room + count);
    xp_trace_fini(&trace);
    rl_free(room);
}

/* Begins again, with what each run shows. */
static void begin_to_vary(struct xp_explorer *explorer)
{
    explorer->varies = true;
    explorer->explored = 0;
    xp_classes_fini(&explorer->classes);
    explorer->classes = (struct xp_classes){ .outcome = NULL };
    meet_class(explorer, &explorer->first);
}

/* Asks for what was found last and is not known by now. */
static bool take_wish(struct xp_explorer *explorer, struct xp_plan *plan)
{
    while (explorer->wishes) {
        struct xp_wish *wish = explorer->wishes;
        bool known = xp_keys_has(&explorer->met, wish->key);
        explorer->wishes = wish->next;
        plan->key = wish->key;
        for (size_t i = 0; i < wish->count && !known; i++)
            if (!xp_order_add(&plan->order, wish->names[i])) explorer->failed = true;
        rl_free(wish);
        if (!known) return !explorer->failed;
    }
    return false;
}

/* ---- Runs ---------------------------------------------------------------------------------- */

static bool plan_another(struct xp_explorer *explorer, struct xp_plan *plan)
{
    return explorer->varies ? take_wish(explorer, plan) : plan_class(explorer, plan);
}

bool xp_explorer_next(struct xp_explorer *explorer, struct xp_plan *plan)
{
    bool pending = explorer->begun > explorer->runs, first = !explorer->begun;
    plan->order.count = 0;
    if (explorer->failed || explorer->done || explorer->too_many_steps) return false;
    if (!first && !explorer->told_first) return false;
    if (!first && !plan_another(explorer, plan)) {
        explorer->done = !pending && !explorer->failed;
        return false;
    }
    if (explorer->begun == explorer->limits.runs) {
        explorer->too_many_runs = true;
        return false;
    }
    explorer->begun++;
    return true;
}

/* Tells whether a run was in the class that it was meant for. */
static bool is_as_meant(struct xp_explorer *explorer, const struct xp_plan *plan,
                        const struct xp_outcome *outcome)
{
    return outcome->steps.count == plan->order.count &&
           xp_outcome_has_order(outcome, plan->order.items, plan->order.count) &&
           key_of(explorer, outcome) == plan->key;
}

static void tell_other(struct xp_explorer *explorer, const struct xp_plan *plan,
                       const struct xp_outcome *outcome)
{
    if (!explorer->varies && is_as_meant(explorer, plan, outcome)) {
        explorer->explored++;
        return;
    }
    if (!explorer->varies) begin_to_vary(explorer);
    meet_class(explorer, outcome);
}

void xp_explorer_tell(struct xp_explorer *explorer, const struct xp_plan *plan,
                      struct xp_outcome *outcome)
{
    explorer->runs++;
    if (outcome->others > explorer->others) explorer->others = outcome->others;
    if (outcome->steps.count > explorer->limits.steps) explorer->too_many_steps = true;
    else if (explorer->told_first) tell_other(explorer, plan, outcome);
    else if (!begin_classes(explorer, outcome)) explorer->failed = true;
    explorer->told_first = true;
    xp_outcome_fini(outcome);
}

bool xp_explorer_is_complete(const struct xp_explorer *explorer)
{
    return explorer->done && !explorer->others && !(explorer->varies && explorer->limits.parts > 1);
}
