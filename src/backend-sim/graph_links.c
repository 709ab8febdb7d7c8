/* SPDX-License-Identifier: Apache-2.0
 *
 * One side of a node's edges, as an array.
 */
#include <string.h>

#include "backend-sim/graph.h"
#include "base/alloc.h"

/* Half as much again, in sizes that fill what malloc hands out. */
static size_t grown(const struct links *links, uint32_t more)
{
    size_t need = (size_t)links->count + more;
    size_t want = links->count + (size_t)links->count / 2;
    return (want < need ? need : want) | 1;
}

static void free_items(struct links *links)
{
    if (links->items != &links->near) rl_free(links->items);
}

bool sim_links_reserve(struct links *links, uint32_t more)
{
    if (!links->items) {
        links->items = &links->near;
        links->room = 1;
    }
    if ((size_t)links->count + more <= links->room) return true;
    size_t room = grown(links, more);
    struct link *items = rl_alloc(room * sizeof *items);
    if (!items) return false;
    if (links->count) memcpy(items, links->items, links->count * sizeof *items);
    free_items(links);
    links->items = items;
    links->room = (uint32_t)room;
    return true;
}

/* Nodes are often taken out of a fan in the order in which they were put in, or
 * backwards, so both ends are quick to find. */
uint32_t sim_links_find(const struct links *links, uint32_t slot)
{
    for (uint32_t low = 0, high = links->count; low < high; low++) {
        if (links->items[low].slot == slot) return low;
        if (links->items[--high].slot == slot) return high;
    }
    return NODE_NONE;
}

void sim_links_free(struct links *links)
{
    free_items(links);
    *links = (struct links){ 0 };
}
