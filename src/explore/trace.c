/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/trace.h"

#include "base/alloc.h"

bool xp_trace_init(struct xp_trace *trace, const struct xp_outcome *outcome)
{
    *trace = (struct xp_trace){ .outcome = outcome };
    trace->places = rl_alloc((outcome->steps.count + 1) * sizeof *trace->places);
    return trace->places && xp_pairs_init(&trace->earlier, outcome->steps.count);
}

void xp_trace_fini(struct xp_trace *trace)
{
    rl_free(trace->places);
    xp_pairs_fini(&trace->earlier);
}

/* Notes that a step, and all that come before it, come before another one. */
static void note_earlier(struct xp_trace *trace, uint32_t step, uint32_t later)
{
    const uint64_t *from = xp_pairs_row(&trace->earlier, step);
    uint64_t *to = xp_pairs_row(&trace->earlier, later);
    for (size_t i = 0; i < trace->earlier.words; i++) to[i] |= from[i];
    xp_pairs_add(&trace->earlier, later, step);
}

void xp_trace_look(struct xp_trace *trace, uint32_t *order)
{
    const struct xp_outcome *outcome = trace->outcome;
    trace->order = order;
    for (uint32_t at = 0; at < outcome->steps.count; at++) {
        uint32_t step = order[at];
        uint64_t *row = xp_pairs_row(&trace->earlier, step);
        trace->places[step] = at;
        for (size_t i = 0; i < trace->earlier.words; i++) row[i] = 0;
        for (uint32_t before = at; before-- > 0;) {
            uint32_t other = order[before];
            if (xp_pairs_has(&trace->earlier, step, other)) continue;
            if (xp_pairs_has(&outcome->before, other, step) ||
                xp_pairs_has(&outcome->conflicts, other, step))
                note_earlier(trace, other, step);
        }
    }
}

bool xp_trace_is_race(const struct xp_trace *trace, uint32_t first, uint32_t then)
{
    if (trace->places[first] > trace->places[then]) return false;
    for (uint32_t at = trace->places[first] + 1; at < trace->places[then]; at++) {
        uint32_t between = trace->order[at];
        if (xp_pairs_has(&trace->earlier, between, first) &&
            xp_pairs_has(&trace->earlier, then, between))
            return false;
    }
    return true;
}

/* What comes after `first` and is in front of `then` now is none of those that come before
 * `then`. */
void xp_trace_exchange(const struct xp_trace *trace, uint32_t first, uint32_t then, uint32_t *order)
{
    size_t count = trace->outcome->steps.count, n = 0;
    uint32_t end = trace->places[then];
    for (uint32_t at = 0; at < end; at++) {
        uint32_t step = trace->order[at];
        if (step != first && !xp_pairs_has(&trace->earlier, step, first)) order[n++] = step;
    }
    order[n++] = then;
    for (uint32_t at = 0; at < end; at++) {
        uint32_t step = trace->order[at];
        if (step == first || xp_pairs_has(&trace->earlier, step, first)) order[n++] = step;
    }
    for (uint32_t at = end + 1; at < count; at++) order[n++] = trace->order[at];
}

static uint64_t mix_number(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t number_of(const struct xp_name *name)
{
    return mix_number(mix_number(name->number + 0x9e3779b97f4a7c15u) ^
                      ((uint64_t)name->stream << 32 | name->place));
}

uint64_t xp_trace_key(const struct xp_outcome *outcome, const uint32_t *places)
{
    const struct xp_name *names = outcome->steps.items;
    uint64_t key = 0;
    for (size_t i = 0; i < outcome->steps.count; i++)
        for (size_t j = i + 1; j < outcome->steps.count; j++) {
            if (!xp_pairs_has(&outcome->conflicts, i, j)) continue;
            bool turned = places[i] > places[j];
            uint64_t first = number_of(&names[turned ? j : i]);
            uint64_t then = number_of(&names[turned ? i : j]);
            key += mix_number(first + 3 * mix_number(then));
        }
    return mix_number(key);
}
