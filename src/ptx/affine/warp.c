/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps with .sync, taken by all warps of a bundle at once: nobody is to be waited for where the
 * group has all lanes that are left, and all of them name the same members.  Where a shuffle also
 * asks the same of all lanes, who reads from whom is found out once.
 */
#include "ptx/affine/affine.h"

#include <string.h>

#include "ptx/run/lane_group.h"
#include "ptx/run/warp/warp_op.h"
#include "ptx/run/warp/warp_sync.h"

#define WARPS (PTX_BUNDLE / PTX_WARP)
#define ALL_LANES UINT32_MAX

static bool is_same(const struct ptx_group *group, uint32_t column)
{
    return column == PTX_NO_COLUMN || group->frame->known[column] & PTX_SAME;
}

static uint32_t members_column(const struct ptx_group *group, const struct ptx_step *step)
{
    return group->frame->program->columns[step->more];
}

bool ptx_affine_is_at_once(const struct ptx_group *group, const struct ptx_step *step)
{
    return group->whole && !group->block->checks && !(step->flags & PTX_STEP_GUARDED) &&
           is_same(group, step->b) && is_same(group, step->c) &&
           is_same(group, members_column(group, step));
}

static void settle_sources(const struct ptx_group *group, const struct ptx_step *step)
{
    const uint32_t columns[] = { step->a, step->b, step->c, members_column(group, step) };
    for (unsigned i = 0; i < sizeof columns / sizeof *columns; i++)
        if (columns[i] != PTX_NO_COLUMN) ptx_settle(group, columns[i]);
}

static uint32_t word_of(const struct ptx_group *group, uint32_t column)
{
    uint32_t word;
    memcpy(&word, group->frame->once + column, sizeof word);
    return word;
}

/* ---- Shuffles ------------------------------------------------------------------------------ */

static void shuffle_warp(const struct ptx_group *group, const struct ptx_step *step,
                         const struct ptx_shuffle *shuffle, uint32_t first)
{
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t) + first;
    uint32_t word[PTX_WARP]; /* d may be a */
    for (uint32_t i = 0; i < PTX_WARP; i++) word[i] = a[shuffle->from[i]];
    if (step->d != PTX_NO_COLUMN)
        memcpy(PTX_COLUMN(group, step->d, uint32_t) + first, word, sizeof word);
    if (step->e != PTX_NO_COLUMN)
        memcpy(PTX_COLUMN(group, step->e, uint8_t) + first, shuffle->inside, PTX_WARP);
}

/* Returns by how many lanes a shuffle moves whole warps up, or down as a negative number; 0 if it
 * does something else. */
static int shift_of(uint8_t kind, uint32_t by, uint32_t clamp)
{
    if (by == 0 || by >= PTX_WARP) return 0;
    if (kind == PTX_SHFL_UP && clamp == 0) return (int)by;
    return kind == PTX_SHFL_DOWN && clamp == PTX_WARP - 1 ? -(int)by : 0;
}

/* Copies the lanes of each warp that no other lane reaches: they keep what they have. */
static void copy_ends(uint32_t *to, const uint32_t *from, uint32_t lanes, int shift)
{
    const uint32_t count = (uint32_t)(shift < 0 ? -shift : shift);
    for (uint32_t first = shift < 0 ? PTX_WARP - count : 0; first < lanes; first += PTX_WARP) {
        uint32_t at = first, left = count;
        for (; left >= 4; left -= 4, at += 4) memcpy(to + at, from + at, 4 * sizeof *to);
        for (; left; left--, at++) to[at] = from[at];
    }
}

/* Moves all lanes at once, warps or not, and gives the ends of warps back what they had. */
static void shift_lanes(const struct ptx_group *group, const struct ptx_step *step,
                        const struct ptx_shuffle *shuffle, int shift)
{
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    const uint32_t lanes = group->lanes, by = (uint32_t)(shift < 0 ? -shift : shift);
    uint32_t kept[PTX_BUNDLE]; /* d may be a */
    if (step->d != PTX_NO_COLUMN) {
        uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
        copy_ends(kept, a, lanes, shift);
        if (shift > 0) memmove(d + by, a, (lanes - by) * sizeof *d);
        else memmove(d, a + by, (lanes - by) * sizeof *d);
        copy_ends(d, kept, lanes, shift);
    }
    if (step->e == PTX_NO_COLUMN) return;
    for (uint32_t first = 0; first < lanes; first += PTX_WARP)
        memcpy(PTX_COLUMN(group, step->e, uint8_t) + first, shuffle->inside, PTX_WARP);
}

static bool has_all_lanes(const struct ptx_group *group)
{
    return group->range_count == 1 && group->ranges[0].to - group->ranges[0].from == group->lanes;
}

static void take_shuffle(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_shuffle shuffle;
    const uint32_t by = word_of(group, step->b), clamp = word_of(group, step->c);
    const int shift = shift_of(step->kind, by, clamp);
    ptx_shuffle_find(step->kind, by, clamp, &shuffle);
    if (shift && has_all_lanes(group)) {
        shift_lanes(group, step, &shuffle, shift);
        return;
    }
    for (uint32_t w = 0; w < group->lanes / PTX_WARP; w++) {
        const uint32_t lanes = ptx_warp_bits(&group->mask, w);
        if (lanes == ALL_LANES) shuffle_warp(group, step, &shuffle, w * PTX_WARP);
        else if (lanes) ptx_warp_op_take(group, step, w, lanes);
    }
}

/* ---- Votes --------------------------------------------------------------------------------- */

/* Returns what a warp's vote comes to. */
static uint32_t count_votes(uint8_t kind, uint32_t lanes, uint32_t set)
{
    const bool all = set == lanes, any = set != 0;
    switch (kind) {
    case PTX_VOTE_ALL: return all;
    case PTX_VOTE_ANY: return any;
    case PTX_VOTE_UNI: return all || !any;
    default: return set;
    }
}

static void write_votes(const struct ptx_group *group, const struct ptx_step *step,
                        const uint32_t results[WARPS])
{
    for (uint32_t i = 0; i < group->lanes; i++)
        if (step->kind == PTX_VOTE_BALLOT)
            PTX_COLUMN(group, step->d, uint32_t)[i] = results[i / PTX_WARP];
        else
            PTX_COLUMN(group, step->d, uint8_t)[i] = (uint8_t)results[i / PTX_WARP];
}

/* Whether the warps vote the same is known then, so a branch on it looks at no lane. */
static void take_vote(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_mask set;
    uint32_t results[WARPS], differ = 0;
    uint32_t last = WARPS; /* of the warps that have lanes, the last one; or none yet */
    ptx_lanes_where(group, step->a, false, &set);
    for (uint32_t w = 0; w < group->lanes / PTX_WARP; w++) {
        const uint32_t lanes = ptx_warp_bits(&group->mask, w);
        results[w] = count_votes(step->kind, lanes, ptx_warp_bits(&set, w));
        if (!lanes) continue;
        if (last != WARPS) differ |= results[w] ^ results[last];
        last = w;
    }
    if (step->d == PTX_NO_COLUMN) return;
    if (differ) {
        write_votes(group, step, results);
        return;
    }
    if (step->kind == PTX_VOTE_BALLOT)
        memcpy(group->frame->once + step->d, &results[last], sizeof *results);
    else group->frame->once[step->d] = (uint8_t)results[last];
    group->frame->known[step->d] = PTX_SAME | PTX_STALE;
}

/* ---- Steps --------------------------------------------------------------------------------- */

/* Lanes that wait get their results later. */
static void take_in_turns(struct ptx_group *group, const struct ptx_step *step)
{
    const uint32_t columns[] = { step->d, step->e };
    for (unsigned i = 0; i < 2; i++)
        if (columns[i] != PTX_NO_COLUMN) {
            ptx_settle(group, columns[i]);
            group->frame->known[columns[i]] = 0;
        }
    step->lanes(group, step);
}

void ptx_affine_warp(struct ptx_group *group, const struct ptx_step *step)
{
    const bool at_once = ptx_affine_is_at_once(group, step);
    ptx_catch_up(group);
    settle_sources(group, step);
    if (!at_once) {
        take_in_turns(group, step);
        return;
    }
    if (step->d != PTX_NO_COLUMN) ptx_forget(group, step->d);
    if (step->e != PTX_NO_COLUMN) ptx_forget(group, step->e);
    if (step->kind <= PTX_SHFL_IDX) {
        take_shuffle(group, step);
    } else if (step->kind <= PTX_VOTE_BALLOT) {
        take_vote(group, step);
    } else if (step->kind != PTX_BAR_WARP) {
        for (uint32_t w = 0; w < group->lanes / PTX_WARP; w++)
            if (ptx_warp_bits(&group->mask, w))
                ptx_warp_op_take(group, step, w, ptx_warp_bits(&group->mask, w));
    }
}
