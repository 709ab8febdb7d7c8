/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps in which the lanes of a warp look at each other: shfl, vote, match, redux, elect,
 * bar.warp, activemask.
 *
 * Those with .sync name the lanes that take part, and wait for them (meeting.c).  Those
 * without take the lanes that happen to be there.
 */
#include "ptx/run/warp_sync.h"

#include <string.h>

/* ---- What a party of lanes comes to -------------------------------------------------------- */

#define EACH_OF(party, lane) \
    for (uint32_t rest_ = (party)->lanes, lane; \
         rest_ && (lane = (uint32_t)__builtin_ctz(rest_), 1); rest_ &= rest_ - 1)

/* Which lane this one reads from; its own where that would be outside its segment. */
static uint32_t source_lane(uint8_t kind, uint32_t lane, uint32_t b, uint32_t c, uint8_t *inside)
{
    uint32_t by = b & 31, clamp = c & 31, mask = c >> 8 & 31;
    uint32_t most = (lane & mask) | (clamp & ~mask), least = lane & mask, from;
    switch (kind) {
    case PTX_SHFL_UP: from = lane - by; break;
    case PTX_SHFL_DOWN: from = lane + by; break;
    case PTX_SHFL_BFLY: from = lane ^ by; break;
    default: from = least | (by & ~mask); break;
    }
    *inside = kind == PTX_SHFL_UP ? (int32_t)from >= (int32_t)most : from <= most;
    return *inside ? from & 31 : lane;
}

static void shuffle_lanes(struct ptx_party *party, uint8_t kind)
{
    const uint32_t *a = party->a;
    EACH_OF(party, lane) {
        uint8_t inside;
        party->word[lane] = a[source_lane(kind, lane, party->b[lane], party->c[lane], &inside)];
        party->flag[lane] = inside;
    }
}

static void vote_lanes(struct ptx_party *party, uint8_t kind)
{
    const uint8_t *a = party->a;
    uint32_t set = 0;
    EACH_OF(party, lane) set |= (uint32_t)a[lane] << lane;
    bool all = set == party->lanes, any = set != 0;
    bool result = kind == PTX_VOTE_ALL ? all : kind == PTX_VOTE_ANY ? any : all || !any;
    EACH_OF(party, lane) {
        party->word[lane] = set;
        party->flag[lane] = result;
    }
}

static uint64_t lane_value(const struct ptx_party *party, uint32_t lane)
{
    if (party->bytes == 4) return ((const uint32_t *)party->a)[lane];
    return ((const uint64_t *)party->a)[lane];
}

static uint32_t lanes_equal_to(const struct ptx_party *party, uint64_t value)
{
    uint32_t same = 0;
    EACH_OF(party, lane) same |= (uint32_t)(lane_value(party, lane) == value) << lane;
    return same;
}

static void match_lanes(struct ptx_party *party, uint8_t kind)
{
    if (kind == PTX_MATCH_ALL) {
        uint32_t first = (uint32_t)__builtin_ctz(party->lanes);
        bool all = lanes_equal_to(party, lane_value(party, first)) == party->lanes;
        EACH_OF(party, lane) {
            party->word[lane] = all ? party->lanes : 0;
            party->flag[lane] = all;
        }
        return;
    }
    EACH_OF(party, lane) party->word[lane] = lanes_equal_to(party, lane_value(party, lane));
}

static uint32_t reduce_two(uint8_t kind, uint32_t x, uint32_t y)
{
    switch (kind) {
    case PTX_REDUX_ADD: return x + y;
    case PTX_REDUX_MIN_U: return x < y ? x : y;
    case PTX_REDUX_MAX_U: return x > y ? x : y;
    case PTX_REDUX_MIN_S: return (int32_t)x < (int32_t)y ? x : y;
    case PTX_REDUX_MAX_S: return (int32_t)x > (int32_t)y ? x : y;
    case PTX_REDUX_AND: return x & y;
    case PTX_REDUX_OR: return x | y;
    default: return x ^ y;
    }
}

static void reduce_lanes(struct ptx_party *party, uint8_t kind)
{
    const uint32_t *a = party->a;
    uint32_t first = (uint32_t)__builtin_ctz(party->lanes), sum = a[first];
    EACH_OF(party, lane)
        if (lane != first) sum = reduce_two(kind, sum, a[lane]);
    EACH_OF(party, lane) party->word[lane] = sum;
}

static void elect_lane(struct ptx_party *party)
{
    uint32_t first = (uint32_t)__builtin_ctz(party->lanes);
    EACH_OF(party, lane) {
        party->word[lane] = first;
        party->flag[lane] = lane == first;
    }
}

void ptx_party_work(struct ptx_party *party, const struct ptx_step *step)
{
    uint8_t kind = step->kind;
    if (kind <= PTX_SHFL_IDX)
        shuffle_lanes(party, kind);
    else if (kind <= PTX_VOTE_BALLOT)
        vote_lanes(party, kind);
    else if (kind <= PTX_MATCH_ALL)
        match_lanes(party, kind);
    else if (kind <= PTX_REDUX_XOR)
        reduce_lanes(party, kind);
    else if (kind == PTX_ELECT)
        elect_lane(party);
}

/* ---- Without .sync --------------------------------------------------------------------------- */

/* The lanes that take this step, guards considered. */
static void present_lanes(const struct ptx_front *front, struct ptx_mask *lanes)
{
    memset(lanes, 0, sizeof *lanes);
    for (uint32_t r = 0; r < front->range_count; r++)
        for (uint32_t i = front->ranges[r].from; i < front->ranges[r].to; i++)
            ptx_mask_set(lanes, i);
}

void ptx_alone_step(struct ptx_front *front, const struct ptx_step *step)
{
    struct ptx_mask lanes;
    present_lanes(front, &lanes);
    for (uint32_t w = 0; w < front->lanes / PTX_WARP; w++)
        if (ptx_warp_bits(&lanes, w)) ptx_party_here(front, step, w, ptx_warp_bits(&lanes, w));
}

void ptx_activemask_step(struct ptx_front *front, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(front, step->d, uint32_t);
    struct ptx_mask lanes;
    present_lanes(front, &lanes);
    PTX_EACH_LANE(front, i) d[i] = ptx_warp_bits(&lanes, i / PTX_WARP);
}
