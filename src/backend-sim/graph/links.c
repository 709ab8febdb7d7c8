/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/graph/links.h"

#include <string.h>

#include "base/alloc.h"

/* Grows by half, in whole blocks; the first growth mostly suffices. */
static size_t room_after_growth(const struct links *links, uint32_t more)
{
    enum { WHOLE = BLOCK_UNIT / sizeof(struct link) };
    size_t need = (size_t)links->count + more;
    size_t want = links->count + (size_t)links->count / 2;
    if (links->count && want < LINKS_FEW) want = LINKS_FEW;
    if (want < need) want = need;
    return (want + WHOLE - 1) / WHOLE * WHOLE;
}

static void free_items(struct links *links, struct slabs *slabs)
{
    if (!links->extra) return;
    if (slabs) sim_slabs_free(slabs, links->far, ((size_t)links->extra + 1) * sizeof *links->far);
    else rl_free(links->far);
}

bool sim_links_grow(struct links *links, uint32_t more, struct slabs *slabs)
{
    size_t room = room_after_growth(links, more), bytes = room * sizeof(struct link);
    struct link *items = slabs ? sim_slabs_alloc(slabs, bytes) : rl_alloc(bytes);
    if (!items) return false;
    size_t kept = links->count ? links->count : 1; /* see sim_node_leaf_order() */
    memcpy(items, sim_links(links), kept * sizeof *items);
    free_items(links, slabs);
    links->far = items;
    links->extra = (uint32_t)room - 1;
    return true;
}

/* Searches from both ends: nodes are often removed from a fan in the order in which they were
 * added, or in the opposite order. */
uint32_t sim_links_find(const struct links *links, uint32_t slot)
{
    const struct link *items = sim_links(links);
    for (uint32_t low = 0, high = links->count; low < high; low++) {
        if (items[low].slot == slot) return low;
        if (items[--high].slot == slot) return high;
    }
    return NODE_NONE;
}

void sim_links_free(struct links *links, struct slabs *slabs)
{
    free_items(links, slabs);
    *links = (struct links){ 0 };
}
