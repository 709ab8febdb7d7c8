/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/write/lanes.h"

#include <string.h>

#include "base/alloc.h"

/* The items have room for the next power of two. */
static bool add_lane(struct tr_lanes *lanes)
{
    uint32_t count = lanes->count;
    if (!(count & (count - 1))) {
        struct tr_lane *items = rl_alloc((count ? 2 * count : 1) * sizeof *items);
        if (!items) return false;
        if (count) memcpy(items, lanes->items, count * sizeof *items);
        rl_free(lanes->items);
        lanes->items = items;
    }
    lanes->items[lanes->count++] = (struct tr_lane){ 0, 0 };
    return true;
}

uint32_t tr_lane_take(struct tr_lanes *lanes, uint64_t begin_ns, uint64_t end_ns)
{
    uint32_t at = 0;
    while (at < lanes->count && lanes->items[at].end_ns > begin_ns) at++;
    if (at == lanes->count && !add_lane(lanes)) return UINT32_MAX;
    lanes->items[at].end_ns = end_ns;
    return at;
}

void tr_lanes_fini(struct tr_lanes *lanes)
{
    rl_free(lanes->items);
    *lanes = (struct tr_lanes){ NULL, 0 };
}
