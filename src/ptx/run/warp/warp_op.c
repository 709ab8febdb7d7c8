/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps in which the lanes of a warp look at each other: shfl, vote, match, redux, elect,
 * bar.warp, activemask.
 *
 * Those with .sync name the lanes that take part, and wait for them (warp_sync.h).  Those
 * without take the lanes that happen to be there.
 */
#include "ptx/run/warp/warp_op.h"
#include "ptx/run/lane_group.h"
#include "ptx/run/vectorize.h"
#include "ptx/run/warp/warp_sync.h"

#include <string.h>

/* ---- What an operation of a warp comes to ------------------------------------------------ */

#define EACH_OF(op, lane) \
    for (uint32_t rest_ = (op)->lanes, lane; \
         rest_ && (lane = (uint32_t)__builtin_ctz(rest_), 1); rest_ &= rest_ - 1)

/* Returns the lane that this one reads from; the lane itself if that would be outside its
 * segment. */
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

/* `kind` is a constant. */
static inline __attribute__((always_inline))
void find_shuffle(uint8_t kind, uint32_t b, uint32_t c, struct ptx_shuffle *shuffle)
{
    for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
        uint8_t inside;
        shuffle->from[lane] = source_lane(kind, lane, b, c, &inside);
        shuffle->inside[lane] = inside;
    }
}

void ptx_shuffle_find(uint8_t kind, uint32_t b, uint32_t c, struct ptx_shuffle *shuffle)
{
    switch (kind) {
    case PTX_SHFL_UP: find_shuffle(PTX_SHFL_UP, b, c, shuffle); break;
    case PTX_SHFL_DOWN: find_shuffle(PTX_SHFL_DOWN, b, c, shuffle); break;
    case PTX_SHFL_BFLY: find_shuffle(PTX_SHFL_BFLY, b, c, shuffle); break;
    default: find_shuffle(PTX_SHFL_IDX, b, c, shuffle); break;
    }
}

static void shuffle_lanes(struct ptx_warp_op *op, uint8_t kind)
{
    const uint32_t *a = op->a;
    EACH_OF(op, lane) {
        uint8_t inside;
        op->word[lane] = a[source_lane(kind, lane, op->b[lane], op->c[lane], &inside)];
        op->flag[lane] = inside;
    }
}

static void vote_lanes(struct ptx_warp_op *op, uint8_t kind)
{
    const uint8_t *a = op->a;
    uint32_t set = 0;
    EACH_OF(op, lane) set |= (uint32_t)a[lane] << lane;
    bool all = set == op->lanes, any = set != 0;
    bool result = kind == PTX_VOTE_ALL ? all : kind == PTX_VOTE_ANY ? any : all || !any;
    EACH_OF(op, lane) {
        op->word[lane] = set;
        op->flag[lane] = result;
    }
}

static uint64_t lane_value(const struct ptx_warp_op *op, uint32_t lane)
{
    if (op->bytes == 4) return ((const uint32_t *)op->a)[lane];
    return ((const uint64_t *)op->a)[lane];
}

static uint32_t lanes_equal_to(const struct ptx_warp_op *op, uint64_t value)
{
    uint32_t same = 0;
    EACH_OF(op, lane) same |= (uint32_t)(lane_value(op, lane) == value) << lane;
    return same;
}

static void match_lanes(struct ptx_warp_op *op, uint8_t kind)
{
    if (kind == PTX_MATCH_ALL) {
        uint32_t first = (uint32_t)__builtin_ctz(op->lanes);
        bool all = lanes_equal_to(op, lane_value(op, first)) == op->lanes;
        EACH_OF(op, lane) {
            op->word[lane] = all ? op->lanes : 0;
            op->flag[lane] = all;
        }
        return;
    }
    EACH_OF(op, lane) op->word[lane] = lanes_equal_to(op, lane_value(op, lane));
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

static void reduce_lanes(struct ptx_warp_op *op, uint8_t kind)
{
    const uint32_t *a = op->a;
    uint32_t first = (uint32_t)__builtin_ctz(op->lanes), sum = a[first];
    EACH_OF(op, lane)
        if (lane != first) sum = reduce_two(kind, sum, a[lane]);
    EACH_OF(op, lane) op->word[lane] = sum;
}

static void elect_lane(struct ptx_warp_op *op)
{
    uint32_t first = (uint32_t)__builtin_ctz(op->lanes);
    EACH_OF(op, lane) {
        op->word[lane] = first;
        op->flag[lane] = lane == first;
    }
}

void ptx_warp_op_compute(struct ptx_warp_op *op, const struct ptx_step *step)
{
    uint8_t kind = step->kind;
    if (kind <= PTX_SHFL_IDX)
        shuffle_lanes(op, kind);
    else if (kind <= PTX_VOTE_BALLOT)
        vote_lanes(op, kind);
    else if (kind <= PTX_MATCH_ALL)
        match_lanes(op, kind);
    else if (kind <= PTX_REDUX_XOR)
        reduce_lanes(op, kind);
    else if (kind == PTX_ELECT)
        elect_lane(op);
}

/* ---- Without .sync --------------------------------------------------------------------------- */

/* Finds the lanes that take this step, guards considered. */
static void present_lanes(const struct ptx_group *group, struct ptx_mask *lanes)
{
    memset(lanes, 0, sizeof *lanes);
    for (uint32_t r = 0; r < group->range_count; r++)
        for (uint32_t i = group->ranges[r].from; i < group->ranges[r].to; i++)
            ptx_mask_set(lanes, i);
}

void ptx_unsynced_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_mask lanes;
    present_lanes(group, &lanes);
    for (uint32_t w = 0; w < group->lanes / PTX_WARP; w++)
        if (ptx_warp_bits(&lanes, w)) ptx_warp_op_take(group, step, w, ptx_warp_bits(&lanes, w));
}

void ptx_activemask_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    struct ptx_mask lanes;
    present_lanes(group, &lanes);
    PTX_EACH_LANE(group, i) d[i] = ptx_warp_bits(&lanes, i / PTX_WARP);
}
