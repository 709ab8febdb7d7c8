/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/memory/graph_reserve.h"

#include <string.h>

#include "backend-sim/memory/heap.h"
#include "backend-sim/memory/pool.h"
#include "base/alloc.h"

/* Lanes that a device has room for at first. */
#define LANES_MIN 8

bool sim_reserve_open(struct graph_reserve *reserve, struct sim_device *device)
{
    struct lane *lanes = rl_alloc(LANES_MIN * sizeof *lanes);
    if (!lanes) return false;
    *reserve = (struct graph_reserve){
        .device = device,
        .chunk_bytes = sim_chunk_bytes(device->memory_bytes),
        .lanes = lanes,
        .lane_room = LANES_MIN,
    };
    return true;
}

void sim_reserve_close(struct graph_reserve *reserve)
{
    sim_heap_unclaim(reserve->device->heap, reserve->held);
    rl_free(reserve->lanes);
}

/* ---- Memory ------------------------------------------------------------------------- */

/* Whether the device has as much to give, or its pools can do without. */
static bool claim(struct sim_device *device, uint64_t bytes)
{
    if (sim_heap_claim(device->heap, bytes)) return true;
    return sim_pools_reclaim(device, bytes) && sim_heap_claim(device->heap, bytes);
}

bool sim_reserve_claim(struct graph_reserve *reserve, uint64_t bytes)
{
    uint64_t idle = reserve->held - reserve->needed;
    if (bytes > idle) {
        if (!claim(reserve->device, bytes - idle)) return false;
        reserve->held += bytes - idle;
    }
    reserve->needed += bytes;
    if (reserve->held > reserve->held_high) reserve->held_high = reserve->held;
    if (reserve->held > reserve->used_high) reserve->used_high = reserve->held;
    return true;
}

void sim_reserve_unclaim(struct graph_reserve *reserve, uint64_t bytes)
{
    reserve->needed -= bytes;
}

void sim_reserve_trim(struct graph_reserve *reserve)
{
    uint64_t idle = reserve->held - reserve->needed;
    if (idle) sim_heap_unclaim(reserve->device->heap, idle);
    reserve->held = reserve->needed;
}

/* ---- Lanes -------------------------------------------------------------------------- */

static struct lane *find(struct graph_reserve *reserve, const struct strand *strand)
{
    for (uint32_t i = 0; i < reserve->lane_count; i++)
        if (reserve->lanes[i].strand == strand) return &reserve->lanes[i];
    return NULL;
}

/* Room for one more; false when the host's memory is short. */
static bool widen(struct graph_reserve *reserve)
{
    if (reserve->lane_count < reserve->lane_room) return true;
    uint32_t room = 2 * reserve->lane_room;
    struct lane *lanes = rl_alloc(room * sizeof *lanes);
    if (!lanes) return false;
    memcpy(lanes, reserve->lanes, reserve->lane_count * sizeof *lanes);
    rl_free(reserve->lanes);
    reserve->lanes = lanes;
    reserve->lane_room = room;
    return true;
}

static void drop(struct graph_reserve *reserve, struct lane *lane)
{
    *lane = reserve->lanes[--reserve->lane_count];
}

/* The lane of another stream that is the exec's alone and still has its memory. */
static struct lane *find_own(struct graph_reserve *reserve, const void *exec,
                             const struct lane *but)
{
    for (uint32_t i = 0; i < reserve->lane_count; i++) {
        struct lane *lane = &reserve->lanes[i];
        if (lane != but && lane->only == exec && lane->bytes) return lane;
    }
    return NULL;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Makes a lane as wide as one more launch of the exec needs it. */
static bool fit(struct graph_reserve *reserve, struct lane *lane, const void *exec,
                uint64_t bytes)
{
    struct lane *own = lane->only == exec ? find_own(reserve, exec, lane) : NULL;
    uint64_t there = lane->bytes + (own ? own->bytes : 0);
    uint64_t most = larger(lane->bytes, larger(bytes, own ? own->bytes : 0));
    if (most > there && !sim_reserve_claim(reserve, most - there)) return false;
    if (most < there) sim_reserve_unclaim(reserve, there - most);
    if (own) own->bytes = 0;
    lane->bytes = most;
    return true;
}

bool sim_lane_enter(struct graph_reserve *reserve, const struct strand *strand, const void *exec,
                    uint64_t bytes)
{
    struct lane *lane = find(reserve, strand);
    if (!lane) {
        if (!widen(reserve)) return false;
        lane = &reserve->lanes[reserve->lane_count++];
        *lane = (struct lane){ .strand = strand, .only = exec };
    }
    if (!fit(reserve, lane, exec, bytes)) {
        if (!lane->launches) drop(reserve, lane);
        return false;
    }
    if (lane->only != exec) lane->only = NULL;
    lane->launches++;
    return true;
}

void sim_lane_leave(struct graph_reserve *reserve, const struct strand *strand)
{
    struct lane *lane = find(reserve, strand);
    if (--lane->launches) return;
    sim_reserve_unclaim(reserve, lane->bytes);
    drop(reserve, lane);
}

/* ---- Footings ------------------------------------------------------------------------- */

struct footing *sim_footing_make(uint64_t chunks)
{
    struct footing *footing = rl_zalloc(sizeof *footing + (size_t)chunks * sizeof *footing->blocks);
    if (!footing) return NULL;
    footing->references = 1;
    footing->count = (uint32_t)chunks;
    return footing;
}

void sim_footing_release(struct footing *footing)
{
    if (footing && --footing->references == 0) rl_free(footing);
}
