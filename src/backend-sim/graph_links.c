/* SPDX-License-Identifier: Apache-2.0
 *
 * One side of a node's edges.  An array in the order in which the edges came,
 * since that is the order in which they are listed.  Nodes are often taken out
 * of a fan in the order in which they were put in, or backwards, so both ends
 * are cheap to find and to take off.
 */
#include <string.h>

#include "backend-sim/graph.h"
#include "base/alloc.h"

static struct link *base_of(const struct links *links)
{
    return links->items - links->skipped;
}

/* Half as much again, in sizes that fill what malloc hands out. */
static size_t grown(const struct links *links, uint32_t more)
{
    size_t need = (size_t)links->count + more;
    size_t want = links->count + (size_t)links->count / 2;
    if (want < need) want = need;
    return (want + 1) / 4 * 4 + 2;
}

bool sim_links_reserve(struct links *links, uint32_t more)
{
    if (!links->items) {
        links->items = &links->near;
        links->room = 1;
    }
    struct link *base = base_of(links), *items = base;
    size_t room = links->room;
    if ((size_t)links->skipped + links->count + more <= room) return true;
    /* Sliding down pays off when it wins as much as it moves. */
    if ((size_t)links->count + more > room || links->skipped < links->count) {
        room = grown(links, more);
        items = rl_alloc(room * sizeof *items);
        if (!items) return false;
    }
    if (links->count) memmove(items, links->items, links->count * sizeof *items);
    if (items != base && base != &links->near) rl_free(base);
    links->items = items;
    links->room = (uint32_t)room;
    links->skipped = 0;
    return true;
}

uint32_t sim_links_find(const struct links *links, uint32_t slot)
{
    for (uint32_t low = 0, high = links->count; low < high; low++) {
        if (links->items[low].slot == slot) return low;
        if (links->items[--high].slot == slot) return high;
    }
    return NODE_NONE;
}

void sim_links_drop(struct links *links, uint32_t place)
{
    struct link *items = links->items;
    uint32_t last = --links->count;
    if (place < last - place) {
        memmove(items + 1, items, place * sizeof *items);
        links->items++;
        links->skipped++;
    } else if (place < last) {
        memmove(items + place, items + place + 1, (last - place) * sizeof *items);
    }
}

void sim_links_free(struct links *links)
{
    if (links->items && base_of(links) != &links->near) rl_free(base_of(links));
    *links = (struct links){ 0 };
}
