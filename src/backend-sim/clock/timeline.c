/* SPDX-License-Identifier: Apache-2.0
 *
 * What a history tells of streams and devices: when they were busy, and how long together.
 */
#include <rill/sim.h>

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"

/* Which spans are meant. */
struct filter {
    bool of_device;
    uint64_t number; /* of a stream, or a device */
};

static bool is_meant(const rill_sim_span *span, struct filter filter)
{
    return filter.of_device ? (uint64_t)span->device == filter.number
                            : span->stream == filter.number;
}

/* A time during which spans ran without a gap. */
struct busy {
    uint64_t from, to;
};

/* Finds the next time from span `*at` on.  Spans are in the order in which they began.  Returns
 * false if there is none. */
static bool next_busy(const rill_sim_history *history, struct filter filter, size_t *at,
                      struct busy *busy)
{
    bool any = false;
    *busy = (struct busy){ 0, 0 };
    for (; *at < history->count; ++*at) {
        const rill_sim_span *span = &history->spans[*at];
        if (!is_meant(span, filter) || span->end_ns == span->start_ns) continue;
        if (any && span->start_ns > busy->to) break;
        if (!any) *busy = (struct busy){ span->start_ns, span->end_ns };
        any = true;
        if (span->end_ns > busy->to) busy->to = span->end_ns;
    }
    return any;
}

static uint64_t busy_ns(const rill_sim_history *history, struct filter filter)
{
    struct busy busy;
    uint64_t sum = 0;
    for (size_t at = 0; next_busy(history, filter, &at, &busy);) sum += busy.to - busy.from;
    return sum;
}

uint64_t rill_sim_stream_busy(const rill_sim_history *history, uint64_t stream)
{
    return history ? busy_ns(history, (struct filter){ false, stream }) : 0;
}

uint64_t rill_sim_device_busy(const rill_sim_history *history, int device)
{
    return history && device >= 0 ? busy_ns(history, (struct filter){ true, (uint64_t)device }) : 0;
}

uint64_t rill_sim_overlap(const rill_sim_history *history, uint64_t stream, uint64_t other)
{
    const struct filter first = { false, stream }, second = { false, other };
    struct busy a, b;
    size_t a_at = 0, b_at = 0;
    uint64_t sum = 0;
    if (!history || !next_busy(history, first, &a_at, &a) ||
        !next_busy(history, second, &b_at, &b))
        return 0;
    for (bool more = true; more;) {
        uint64_t from = a.from > b.from ? a.from : b.from, to = a.to < b.to ? a.to : b.to;
        if (from < to) sum += to - from;
        more = a.to < b.to ? next_busy(history, first, &a_at, &a)
                           : next_busy(history, second, &b_at, &b);
    }
    return sum;
}

void rill_sim_history_free(rill_sim_history **history)
{
    if (!history) return;
    rl_free(*history);
    *history = NULL;
}
