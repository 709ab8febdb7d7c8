/* SPDX-License-Identifier: Apache-2.0
 *
 * The points that a strand waited for.  By them pools know which memory the strand may get that
 * another strand freed.
 *
 * A strand keeps the latest points of a few strands only, and not what those waited for.  What
 * is forgotten costs memory that is held for longer, never order.
 */
#include "backend-sim/scheduler/strand.h"

void sim_strand_note_wait(struct strand *strand, uint64_t at, struct point point)
{
    const struct seen_point now = { point.strand->id, point.number, at };
    for (int i = 0; i < STRAND_SEEN; i++) {
        struct seen_point *seen = &strand->seen[i];
        if (seen->id != now.id) continue;
        if (seen->number < now.number) *seen = now;
        return;
    }
    strand->seen[strand->seen_next++ % STRAND_SEEN] = now;
}

uint64_t sim_seen_point(const struct seen_point seen[STRAND_SEEN], uint64_t upto, uint64_t id)
{
    for (int i = 0; i < STRAND_SEEN; i++)
        if (seen[i].id == id) return seen[i].at <= upto ? seen[i].number : 0;
    return 0;
}

uint64_t sim_strand_seen_point(const struct strand *strand, uint64_t upto, uint64_t id)
{
    return sim_seen_point(strand->seen, upto, id);
}
