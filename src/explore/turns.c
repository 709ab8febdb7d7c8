/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/turns.h"

#include "base/alloc.h"
#include "explore/trace.h"

/* Returns how many races a trace has.  Stores those that are wanted: of so many races, `most` at
 * the same distance, or none if `turns` is NULL. */
static size_t list_races(const struct xp_trace *trace, struct xp_turn *turns, size_t most,
                         size_t races)
{
    const struct xp_outcome *outcome = trace->outcome;
    const struct xp_name *names = outcome->steps.items;
    uint32_t count = (uint32_t)outcome->steps.count;
    size_t seen = 0, stored = 0;
    for (uint32_t then = 0; then < count; then++)
        for (uint32_t first = 0; first < then; first++) {
            if (!xp_pairs_has(&outcome->conflicts, first, then) ||
                !xp_trace_is_race(trace, first, then))
                continue;
            if (turns && stored < most && seen * most >= stored * races)
                turns[stored++] = (struct xp_turn){ names[first], names[then] };
            seen++;
        }
    return turns ? stored : seen;
}

size_t xp_turns_list(const struct xp_outcome *outcome, struct xp_turn *turns, size_t most)
{
    uint32_t order[XP_TURNS_STEPS_MOST];
    struct xp_trace trace;
    size_t count = outcome->steps.count, stored = 0;
    if (!count || count > XP_TURNS_STEPS_MOST) return 0;
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    if (xp_trace_init(&trace, outcome)) {
        xp_trace_look(&trace, order);
        size_t races = list_races(&trace, NULL, 0, 0);
        stored = list_races(&trace, turns, most < races ? most : races, races);
    }
    xp_trace_fini(&trace);
    return stored;
}
