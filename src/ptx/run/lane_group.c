/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/lane_group.h"
#include "ptx/run/fault.h"
#include "ptx/run/frame.h"
#include "ptx/run/spare.h"

#include <fenv.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/alloc.h"

/* Returns how many words from this one on have all bits set. */
static uint32_t count_full(const uint64_t *bits, uint32_t from, uint32_t words)
{
    uint32_t count = 0;
    while (from + count < words && bits[from + count] == UINT64_MAX) count++;
    return count;
}

uint32_t ptx_ranges_of(const struct ptx_mask *mask, uint32_t lanes, struct ptx_range *ranges)
{
    const uint32_t words = (lanes + 63) / 64;
    uint32_t count = 0, open = 0; /* whether the last range may go on */
    for (uint32_t i = 0; i < words; i++) {
        uint64_t bits = mask->bits[i];
        uint32_t at = 0;
        if (bits == UINT64_MAX) {
            const uint32_t full = count_full(mask->bits, i, words);
            if (!open) ranges[count++].from = i * 64;
            ranges[count - 1].to = (i + full) * 64;
            open = 1;
            i += full - 1;
            continue;
        }
        if (!(bits & 1)) open = 0;
        while (bits) {
            uint32_t skip = (uint32_t)__builtin_ctzll(bits);
            bits >>= skip;
            at += skip;
            uint32_t run = (uint32_t)__builtin_ctzll(~bits);
            if (open && at == 0)
                ranges[count - 1].to += run;
            else
                ranges[count++] = (struct ptx_range){ i * 64 + at, i * 64 + at + run };
            at += run;
            bits >>= run;
        }
        open = mask->bits[i] >> 63 != 0;
    }
    return count;
}

/* Gathers 32 bytes that are 0 or 1 into 32 bits.  Bytes of lanes that are not the group's may be
 * anything. */
#ifdef __SSE2__
static uint64_t gather_warp(const uint8_t *bytes)
{
    const __m128i *halves = (const __m128i *)(const void *)bytes;
    const __m128i low = _mm_slli_epi16(_mm_loadu_si128(halves), 7);
    const __m128i high = _mm_slli_epi16(_mm_loadu_si128(halves + 1), 7);
    return (uint32_t)_mm_movemask_epi8(low) | (uint64_t)(uint32_t)_mm_movemask_epi8(high) << 16;
}
#else
static uint64_t gather_bits(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    word &= UINT64_C(0x0101010101010101);
    return (word * UINT64_C(0x0102040810204080)) >> 56;
}

static uint64_t gather_warp(const uint8_t *bytes)
{
    uint64_t bits = 0;
    for (uint32_t k = 0; k < PTX_WARP; k += 8) bits |= gather_bits(bytes + k) << k;
    return bits;
}
#endif

void ptx_lanes_where(const struct ptx_group *group, uint32_t column, bool negated,
                     struct ptx_mask *lanes)
{
    const uint8_t *set = PTX_COLUMN(group, column, uint8_t);
    uint64_t flip = negated ? UINT64_MAX : 0;
    lanes->wide = group->mask.wide;
    for (uint32_t i = 0, words = ptx_mask_words(lanes); i < words; i++) {
        uint64_t bits = 0, wanted = group->mask.bits[i];
        if (wanted)
            for (uint32_t k = 0; k < 64 && i * 64 + k < group->lanes; k += PTX_WARP)
                bits |= gather_warp(set + i * 64 + k) << k;
        lanes->bits[i] = (bits ^ flip) & wanted;
    }
}

static void set_lanes(struct ptx_mask *mask, struct ptx_range lanes)
{
    for (uint32_t word = lanes.from / 64; lanes.from < lanes.to; lanes.from = ++word * 64) {
        uint64_t bits = UINT64_MAX << lanes.from % 64;
        if (lanes.to < (word + 1) * 64) bits &= ~(UINT64_MAX << lanes.to % 64);
        mask->bits[word] |= bits;
    }
}

/* The same of a predicate that is boxed. */
static void find_boxed(const struct ptx_group *group, uint32_t column, bool negated,
                       struct ptx_mask *lanes)
{
    const struct ptx_lane_box *box = &group->frame->boxes[column];
    const uint64_t flip = group->frame->once[column] != negated ? UINT64_MAX : 0;
    lanes->wide = group->mask.wide;
    const uint32_t words = ptx_mask_words(lanes);
    memset(lanes->bits, 0, words * sizeof *lanes->bits);
    for (uint32_t y = box->y[0]; y < box->y[1]; y++)
        set_lanes(lanes, ptx_box_row(group->bundle, box, y));
    for (uint32_t i = 0; i < words; i++) lanes->bits[i] = (lanes->bits[i] ^ flip) &
                                                          group->mask.bits[i];
}

static bool is_alike(const struct ptx_group *group, uint32_t column, uint32_t lane)
{
    const uint32_t *value = PTX_COLUMN(group, column, uint32_t);
    uint32_t first = value[lane], differ = 0;
    PTX_EACH_LANE(group, i) differ |= value[i] ^ first;
    return !differ;
}

void ptx_keep_alike(const struct ptx_group *group, uint32_t column, uint32_t bytes, uint32_t lane,
                    struct ptx_mask *lanes)
{
    if (group->frame->known[column] & PTX_SAME) return;
    if (bytes == 4 && is_alike(group, column, lane)) return;
    const unsigned char *values = group->columns + (size_t)column * group->lanes;
    for (uint32_t i = 0; i < group->lanes; i++)
        if (memcmp(values + (size_t)i * bytes, values + (size_t)lane * bytes, bytes) != 0)
            lanes->bits[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

enum ptx_guard_result ptx_guarded(const struct ptx_group *group, const struct ptx_step *step,
                                  struct ptx_mask *lanes)
{
    if (!(step->flags & PTX_STEP_GUARDED)) {
        ptx_mask_copy(lanes, &group->mask);
        return PTX_ALL_LANES;
    }
    bool negated = (step->flags & PTX_STEP_GUARD_NEGATED) != 0;
    if (group->frame->known[step->guard] & PTX_SAME) {
        bool holds = group->frame->once[step->guard] != negated;
        if (holds) ptx_mask_copy(lanes, &group->mask);
        return holds ? PTX_ALL_LANES : PTX_NO_LANE;
    }
    if (group->frame->known[step->guard] & PTX_BOXED)
        find_boxed(group, step->guard, negated, lanes);
    else ptx_lanes_where(group, step->guard, negated, lanes);
    if (ptx_mask_is_same(lanes, &group->mask)) return PTX_ALL_LANES;
    return ptx_mask_is_empty(lanes) ? PTX_NO_LANE : PTX_SOME_LANES;
}

/* ---- Groups ------------------------------------------------------------------------- */

void ptx_group_assign(struct ptx_group *group, const struct ptx_mask *lanes)
{
    ptx_mask_copy(&group->mask, lanes);
    group->whole = ptx_mask_is_same(lanes, &group->bundle->alive);
    group->own_count = ptx_ranges_of(lanes, group->lanes, group->own);
    group->ranges = group->own;
    group->range_count = group->own_count;
}

static struct ptx_group *make_group(struct ptx_block *block)
{
    struct ptx_group *group = rl_alloc(ptx_group_bytes(block->bundle_lanes));
    if (group || !ptx_spare_take(block)) return group;
    group = block->free_groups;
    block->free_groups = group->other;
    return group;
}

struct ptx_group *ptx_group_begin(struct ptx_bundle *bundle, struct ptx_frame *frame,
                                  const struct ptx_step *next, const struct ptx_mask *lanes)
{
    struct ptx_block *block = bundle->block;
    struct ptx_group *group = block->free_groups;
    if (group) block->free_groups = group->other;
    else if (!(group = make_group(block))) return NULL;
    group->columns = frame->columns;
    group->lanes = bundle->lanes;
    group->bundle = bundle;
    group->block = block;
    group->frame = frame;
    group->chain = block->chain;
    group->next = group->since = next;
    group->limit = (const struct ptx_step *)UINTPTR_MAX;
    group->steps = group->stop = 0;
    group->vain = 0;
    group->gave_up = false;
    group->turn = bundle->turns;
    group->other = NULL;
    group->state = PTX_RUNNING;
    group->barrier = 0;
    group->at = NULL;
    frame->references++;
    ptx_group_assign(group, lanes);
    return group;
}

void ptx_group_end(struct ptx_group *group)
{
    ptx_frame_leave(group->bundle, group->frame);
    group->state = PTX_GONE;
    group->other = group->block->free_groups;
    group->block->free_groups = group;
}

struct ptx_group *ptx_group_split(struct ptx_group *group, const struct ptx_step *step,
                                  const struct ptx_mask *lanes, const struct ptx_step *next)
{
    struct ptx_group *apart = ptx_group_begin(group->bundle, group->frame, next, lanes);
    if (!apart) {
        ptx_fail(group, step, group->ranges[0].from, RILL_ERROR_OUT_OF_MEMORY, 0,
                 "there is no memory for threads that go different ways");
        return NULL;
    }
    apart->steps = ptx_steps_run(group, step);
    apart->turn = group->turn;
    struct ptx_mask rest;
    ptx_mask_copy(&rest, &group->mask);
    ptx_mask_remove(&rest, lanes);
    ptx_group_assign(group, &rest);
    return apart;
}

bool ptx_group_keep(struct ptx_group *group, const struct ptx_step *step,
                    const struct ptx_mask *stay, const struct ptx_step *next)
{
    struct ptx_mask rest;
    ptx_mask_copy(&rest, &group->mask);
    ptx_mask_remove(&rest, stay);
    if (ptx_mask_is_empty(&rest)) return true;
    struct ptx_group *apart = ptx_group_split(group, step, &rest, next);
    if (!apart) return false;
    ptx_group_list(apart);
    ptx_group_set_limit(group);
    if (next < group->next) group->state = PTX_YIELDS;
    return true;
}

bool ptx_group_keep_guarded(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_mask lanes;
    switch (ptx_guarded(group, step, &lanes)) {
    case PTX_NO_LANE: return false;
    case PTX_SOME_LANES: return ptx_group_keep(group, step, &lanes, step + 1);
    default: return true;
    }
}

/* ---- Their order ---------------------------------------------------------------------- */

/* Orders groups: those in the deeper call run first, and within a frame the one at the lower
 * step.  Returns 0 if both are at the same step of the same frame. */
static int compare_groups(const struct ptx_group *a, const struct ptx_group *b)
{
    if (a->frame != b->frame) {
        if (a->frame->depth != b->frame->depth) return a->frame->depth > b->frame->depth ? -1 : 1;
        return a->frame->number < b->frame->number ? -1 : 1;
    }
    return a->next < b->next ? -1 : a->next > b->next;
}

static void join_groups(struct ptx_group *into, struct ptx_group *group)
{
    struct ptx_mask lanes;
    ptx_mask_copy(&lanes, &into->mask);
    ptx_mask_add(&lanes, &group->mask);
    ptx_group_assign(into, &lanes);
    if (group->steps > into->steps) into->steps = group->steps;
    if (group->turn < into->turn) into->turn = group->turn;
    ptx_group_end(group);
}

void ptx_group_list(struct ptx_group *group)
{
    struct ptx_group **at = &group->bundle->groups;
    int order = -1;
    while (*at && (order = compare_groups(group, *at)) > 0) at = &(*at)->other;
    if (*at && order == 0) {
        join_groups(*at, group);
        return;
    }
    group->state = PTX_RUNNING;
    group->other = *at;
    *at = group;
}

void ptx_group_wake(struct ptx_group *group)
{
    struct ptx_group **at = &group->bundle->waiting;
    while (*at != group) at = &(*at)->other;
    *at = group->other;
    ptx_group_list(group);
}

void ptx_group_set_limit(struct ptx_group *group)
{
    const struct ptx_bundle *bundle = group->bundle;
    group->limit = (const struct ptx_step *)UINTPTR_MAX;
    if (!bundle->groups) return;
    const uint64_t stop = group->steps + bundle->patience;
    if (group->stop > stop) group->stop = stop;
    for (const struct ptx_group *other = bundle->groups; other; other = other->other)
        if (other->frame == group->frame && other->next >= group->next) {
            group->limit = other->next;
            return;
        }
}

/* ---- Running -------------------------------------------------------------------------- */

static const int roundings[] = {
    [PTX_ROUND_NEAREST] = FE_TONEAREST, [PTX_ROUND_ZERO] = FE_TOWARDZERO,
    [PTX_ROUND_DOWN] = FE_DOWNWARD, [PTX_ROUND_UP] = FE_UPWARD
};

static void take_step(struct ptx_group *group, const struct ptx_step *step)
{
    if (!(step->flags & PTX_STEP_ROUNDED)) {
        step->run(group, step);
        return;
    }
    fesetround(roundings[step->rounding]);
    step->run(group, step);
    fesetround(FE_TONEAREST);
}

static void take_guarded_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_mask lanes;
    enum ptx_guard_result guarded = ptx_guarded(group, step, &lanes);
    if (guarded == PTX_NO_LANE) return;
    if (guarded == PTX_ALL_LANES) {
        take_step(group, step);
        return;
    }
    struct ptx_range *some = group->block->guarded;
    const bool whole = group->whole;
    group->range_count = ptx_ranges_of(&lanes, group->lanes, some);
    group->ranges = some;
    group->whole = false;
    take_step(group, step);
    group->ranges = group->own;
    group->range_count = group->own_count;
    group->whole = whole;
}

/* Takes the steps that were put off. */
static inline void catch_up(const struct ptx_group *group)
{
    if (group->chain->take) group->chain->take(group);
}

/* Returns true if a step sends all lanes the same way, whatever is owed to them: loops go on with
 * what was put off. */
static inline bool is_blind(const struct ptx_group *group, const struct ptx_step *step)
{
    if (!(step->flags & PTX_STEP_BRANCH)) return false;
    return !(step->flags & PTX_STEP_GUARDED) || group->frame->known[step->guard] & PTX_SAME;
}

/* Steps without flags, by far most, cost a call and nothing else.  A step that fails sets
 * `next` to one that ends the turn, so that no check is needed here. */
void ptx_group_run(struct ptx_group *group)
{
    group->whole = ptx_mask_is_same(&group->mask, &group->bundle->alive);
    for (;;) {
        const struct ptx_step *step = group->next;
        unsigned flags = step->flags;
        if (flags & PTX_STEP_LEADER && step >= group->limit) {
            catch_up(group);
            return;
        }
        group->next = step + 1;
        if (!(flags & ~(unsigned)PTX_STEP_LEADER)) {
            step->run(group, step);
            continue;
        }
        if (!is_blind(group, step)) catch_up(group);
        if (flags & PTX_STEP_CONTROL) {
            step->run(group, step);
            if (group->state == PTX_RUNNING && group->next < group->limit) continue;
            catch_up(group);
            return;
        }
        if (flags & PTX_STEP_GUARDED) take_guarded_step(group, step);
        else take_step(group, step);
    }
}
