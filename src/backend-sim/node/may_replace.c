/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/node/may_replace.h"

#include "backend-sim/memory/address_map.h"
#include "backend-sim/memory/graph_heap.h"

static void lookup_address(struct sim_platform *platform, rill_devptr address,
                           struct address_info *info)
{
    if (!sim_graph_memory_lookup(platform, address, info))
        sim_map_lookup(platform->map, address, info);
}

bool sim_same_owner(struct sim_platform *platform, rill_devptr before, rill_devptr after)
{
    struct address_info from, to;
    if (before == after) return true;
    lookup_address(platform, before, &from);
    lookup_address(platform, after, &to);
    if (!from.known || !to.known) return true;
    if (from.context && to.context) return from.context == to.context;
    return sim_address_is_host(&from) || sim_address_is_host(&to) || from.device == to.device;
}

bool sim_is_host(struct sim_platform *platform, rill_devptr address)
{
    struct address_info info;
    lookup_address(platform, address, &info);
    return info.known ? sim_address_is_host(&info) : !info.in_window;
}
