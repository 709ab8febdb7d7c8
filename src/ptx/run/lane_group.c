/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/lane_group.h"

#include <fenv.h>
#include <string.h>

#include "base/alloc.h"

uint32_t ptx_ranges_of(const struct ptx_mask *mask, struct ptx_range ranges[PTX_CREW / 2])
{
    uint32_t count = 0, open = 0; /* whether the last range may go on */
    for (uint32_t i = 0; i < PTX_MASK_WORDS; i++) {
        uint64_t bits = mask->bits[i];
        uint32_t at = 0;
        if (!(bits & 1)) open = 0;
        while (bits) {
            uint32_t skip = (uint32_t)__builtin_ctzll(bits);
            bits >>= skip;
            at += skip;
            uint32_t run = bits == UINT64_MAX ? 64 : (uint32_t)__builtin_ctzll(~bits);
            if (open && at == 0)
                ranges[count - 1].to += run;
            else
                ranges[count++] = (struct ptx_range){ i * 64 + at, i * 64 + at + run };
            at += run;
            bits = run == 64 ? 0 : bits >> run;
        }
        open = mask->bits[i] >> 63 != 0;
    }
    return count;
}

/* Eight bytes that are 0 or 1 become eight bits.  Bytes of lanes that are not the front's
 * may be anything. */
static uint64_t gather_bits(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    word &= UINT64_C(0x0101010101010101);
    return (word * UINT64_C(0x0102040810204080)) >> 56;
}

void ptx_lanes_where(const struct ptx_front *front, uint32_t column, bool negated,
                     struct ptx_mask *lanes)
{
    const uint8_t *set = PTX_COLUMN(front, column, uint8_t);
    uint64_t flip = negated ? UINT64_MAX : 0;
    for (uint32_t i = 0; i < PTX_MASK_WORDS; i++) {
        uint64_t bits = 0, wanted = front->mask.bits[i];
        if (wanted)
            for (uint32_t k = 0; k < 64 && i * 64 + k < front->lanes; k += 8)
                bits |= gather_bits(set + i * 64 + k) << k;
        lanes->bits[i] = (bits ^ flip) & wanted;
    }
}

static bool is_alike(const struct ptx_front *front, uint32_t column, uint32_t lane)
{
    const uint32_t *value = PTX_COLUMN(front, column, uint32_t);
    uint32_t first = value[lane], differ = 0;
    PTX_EACH_LANE(front, i) differ |= value[i] ^ first;
    return !differ;
}

void ptx_keep_alike(const struct ptx_front *front, uint32_t column, uint32_t bytes, uint32_t lane,
                    struct ptx_mask *lanes)
{
    if (bytes == 4 && is_alike(front, column, lane)) return;
    const unsigned char *values = front->columns + (size_t)column * front->lanes;
    for (uint32_t i = 0; i < front->lanes; i++)
        if (memcmp(values + (size_t)i * bytes, values + (size_t)lane * bytes, bytes) != 0)
            lanes->bits[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

enum ptx_share ptx_guarded(const struct ptx_front *front, const struct ptx_step *step,
                           struct ptx_mask *lanes)
{
    if (!(step->flags & PTX_STEP_GUARDED)) {
        *lanes = front->mask;
        return PTX_ALL_LANES;
    }
    ptx_lanes_where(front, step->guard, (step->flags & PTX_STEP_GUARD_NEGATED) != 0, lanes);
    if (ptx_mask_is_same(lanes, &front->mask)) return PTX_ALL_LANES;
    return ptx_mask_is_empty(lanes) ? PTX_NO_LANE : PTX_SOME_LANES;
}

/* ---- Fronts ------------------------------------------------------------------------- */

void ptx_front_assign(struct ptx_front *front, const struct ptx_mask *lanes)
{
    front->mask = *lanes;
    front->own_count = ptx_ranges_of(lanes, front->own);
    front->ranges = front->own;
    front->range_count = front->own_count;
}

struct ptx_front *ptx_front_begin(struct ptx_crew *crew, struct ptx_frame *frame,
                                  const struct ptx_step *next, const struct ptx_mask *lanes)
{
    struct ptx_block *block = crew->block;
    struct ptx_front *front = block->free_fronts;
    if (front)
        block->free_fronts = front->other;
    else if (!(front = rl_alloc(sizeof *front)))
        return NULL;
    front->columns = frame->columns;
    front->lanes = crew->lanes;
    front->crew = crew;
    front->block = block;
    front->frame = frame;
    front->next = front->since = next;
    front->limit = (const struct ptx_step *)UINTPTR_MAX;
    front->steps = front->stop = 0;
    front->vain = 0;
    front->gave_up = false;
    front->turn = crew->turns;
    front->other = NULL;
    front->state = PTX_RUNNING;
    front->barrier = 0;
    front->at = NULL;
    frame->references++;
    ptx_front_assign(front, lanes);
    return front;
}

void ptx_front_end(struct ptx_front *front)
{
    ptx_frame_leave(front->crew, front->frame);
    front->state = PTX_GONE;
    front->other = front->block->free_fronts;
    front->block->free_fronts = front;
}

struct ptx_front *ptx_front_split(struct ptx_front *front, const struct ptx_step *step,
                                  const struct ptx_mask *lanes, const struct ptx_step *next)
{
    struct ptx_front *apart = ptx_front_begin(front->crew, front->frame, next, lanes);
    if (!apart) {
        ptx_fail(front, step, front->ranges[0].from, RILL_ERROR_OUT_OF_MEMORY, 0,
                 "there is no memory for threads that go different ways");
        return NULL;
    }
    apart->steps = ptx_steps_run(front, step);
    apart->turn = front->turn;
    struct ptx_mask rest = front->mask;
    ptx_mask_remove(&rest, lanes);
    ptx_front_assign(front, &rest);
    return apart;
}

bool ptx_front_keep(struct ptx_front *front, const struct ptx_step *step,
                    const struct ptx_mask *stay, const struct ptx_step *next)
{
    struct ptx_mask rest = front->mask;
    ptx_mask_remove(&rest, stay);
    if (ptx_mask_is_empty(&rest)) return true;
    struct ptx_front *apart = ptx_front_split(front, step, &rest, next);
    if (!apart) return false;
    ptx_front_list(apart);
    ptx_front_set_limit(front);
    if (next < front->next) front->state = PTX_YIELDS;
    return true;
}

bool ptx_front_keep_guarded(struct ptx_front *front, const struct ptx_step *step)
{
    struct ptx_mask lanes;
    switch (ptx_guarded(front, step, &lanes)) {
    case PTX_NO_LANE: return false;
    case PTX_SOME_LANES: return ptx_front_keep(front, step, &lanes, step + 1);
    default: return true;
    }
}

/* ---- Their order ---------------------------------------------------------------------- */

/* Where a front stands against another: calls are run to their end first, and within a
 * frame the one with the lower step.  0: they are at the same step of the same frame. */
static int compare_groups(const struct ptx_front *a, const struct ptx_front *b)
{
    if (a->frame != b->frame) {
        if (a->frame->depth != b->frame->depth) return a->frame->depth > b->frame->depth ? -1 : 1;
        return a->frame->number < b->frame->number ? -1 : 1;
    }
    return a->next < b->next ? -1 : a->next > b->next;
}

static void join_groups(struct ptx_front *into, struct ptx_front *front)
{
    struct ptx_mask lanes = into->mask;
    ptx_mask_add(&lanes, &front->mask);
    ptx_front_assign(into, &lanes);
    if (front->steps > into->steps) into->steps = front->steps;
    if (front->turn < into->turn) into->turn = front->turn;
    ptx_front_end(front);
}

void ptx_front_list(struct ptx_front *front)
{
    struct ptx_front **at = &front->crew->fronts;
    int order = -1;
    while (*at && (order = compare_groups(front, *at)) > 0) at = &(*at)->other;
    if (*at && order == 0) {
        join_groups(*at, front);
        return;
    }
    front->state = PTX_RUNNING;
    front->other = *at;
    *at = front;
}

void ptx_front_wake(struct ptx_front *front)
{
    struct ptx_front **at = &front->crew->waiting;
    while (*at != front) at = &(*at)->other;
    *at = front->other;
    ptx_front_list(front);
}

void ptx_front_set_limit(struct ptx_front *front)
{
    const struct ptx_crew *crew = front->crew;
    front->limit = (const struct ptx_step *)UINTPTR_MAX;
    if (!crew->fronts) return;
    if (front->stop > front->steps + crew->patience) front->stop = front->steps + crew->patience;
    for (const struct ptx_front *other = crew->fronts; other; other = other->other)
        if (other->frame == front->frame && other->next >= front->next) {
            front->limit = other->next;
            return;
        }
}

/* ---- Running -------------------------------------------------------------------------- */

static const int roundings[] = {
    [PTX_ROUND_NEAREST] = FE_TONEAREST, [PTX_ROUND_ZERO] = FE_TOWARDZERO,
    [PTX_ROUND_DOWN] = FE_DOWNWARD, [PTX_ROUND_UP] = FE_UPWARD
};

static void take_step(struct ptx_front *front, const struct ptx_step *step)
{
    if (!(step->flags & PTX_STEP_ROUNDED)) {
        step->run(front, step);
        return;
    }
    fesetround(roundings[step->rounding]);
    step->run(front, step);
    fesetround(FE_TONEAREST);
}

static void take_guarded_step(struct ptx_front *front, const struct ptx_step *step)
{
    struct ptx_mask lanes;
    enum ptx_share share = ptx_guarded(front, step, &lanes);
    if (share == PTX_NO_LANE) return;
    if (share == PTX_ALL_LANES) {
        take_step(front, step);
        return;
    }
    struct ptx_range some[PTX_CREW / 2];
    front->range_count = ptx_ranges_of(&lanes, some);
    front->ranges = some;
    take_step(front, step);
    front->ranges = front->own;
    front->range_count = front->own_count;
}

/* Steps without flags, by far most, cost a call and nothing else.  A step that fails sets
 * `next` to one that ends the turn, so nobody has to ask. */
void ptx_front_run(struct ptx_front *front)
{
    for (;;) {
        const struct ptx_step *step = front->next;
        unsigned flags = step->flags;
        if (flags & PTX_STEP_LEADER && step >= front->limit) return;
        front->next = step + 1;
        if (!(flags & ~(unsigned)PTX_STEP_LEADER)) {
            step->run(front, step);
        } else if (flags & PTX_STEP_CONTROL) {
            step->run(front, step);
            if (front->state != PTX_RUNNING || front->next >= front->limit) return;
        } else if (flags & PTX_STEP_GUARDED) {
            take_guarded_step(front, step);
        } else {
            take_step(front, step);
        }
    }
}
