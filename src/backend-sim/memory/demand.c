/* SPDX-License-Identifier: Apache-2.0
 *
 * What copies and fills demand where time is virtual: how many bytes, and by which path.
 */
#include "backend-sim/scheduler/demand.h"
#include "backend-sim/machine/machine.h"
#include "backend-sim/memory/address_map.h"
#include "backend-sim/memory/memory.h"

/* A side of a copy. */
struct end {
    bool is_host, pageable;
    int device; /* unless it is the host's */
};

/* Describes memory at an address.  What the map does not know belongs to the host, and `pageable`
 * says what of it. */
static struct end end_at(const struct sim_platform *platform, uint64_t address, bool pageable,
                         int device)
{
    struct address_info info;
    sim_map_lookup(platform->map, address, &info);
    if (!info.known) return (struct end){ !info.in_window, pageable, device };
    return (struct end){ sim_address_is_host(&info), false, info.device };
}

static void set_path(struct demand *demand, struct end dst, struct end src)
{
    if (dst.is_host && src.is_host) {
        demand->kind = DEMAND_ON_HOST;
    } else if (src.is_host) {
        demand->kind = src.pageable ? DEMAND_TO_DEVICE_PAGEABLE : DEMAND_TO_DEVICE;
        demand->device = dst.device;
    } else {
        demand->device = src.device;
        if (dst.is_host) demand->kind = dst.pageable ? DEMAND_TO_HOST_PAGEABLE : DEMAND_TO_HOST;
        else demand->kind = src.device == dst.device ? DEMAND_ON_DEVICE : DEMAND_PEER;
    }
}

void sim_copy_demand(const struct sim_platform *platform, const struct sim_copy *copy,
                     struct demand *demand)
{
    bool pageable = copy->from_pageable || copy->staged;
    struct end dst = end_at(platform, copy->dst, copy->to_pageable, demand->device);
    struct end src = end_at(platform, copy->src, pageable, demand->device);
    set_path(demand, dst, src);
    demand->amount = (uint64_t)copy->width * copy->height * copy->depth;
}

void sim_row_demand(const struct sim_platform *platform, const struct sim_row *row,
                    struct demand *demand)
{
    set_path(demand, end_at(platform, row->dst, true, demand->device),
             end_at(platform, row->src, true, demand->device));
    demand->amount = row->bytes;
}

void sim_fill_demand(const struct sim_fill *fill, struct demand *demand)
{
    demand->kind = DEMAND_FILL;
    demand->amount = (uint64_t)fill->width * fill->height * fill->element_bytes;
}
