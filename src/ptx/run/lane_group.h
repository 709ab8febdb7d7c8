/* SPDX-License-Identifier: Apache-2.0
 *
 * Moving groups: what steps with PTX_STEP_CONTROL do with the lanes that they were given.
 *
 * Such a step looks at its guard itself.  When it is called, group->next is the step after
 * it; it may change that (ptx_jump), split lanes off, and leave another state than
 * PTX_RUNNING.
 *
 * Where lanes want different things of one step, it serves the lanes that want the same as
 * the first one, and lets the others come to the same step again (ptx_group_keep).
 */
#ifndef PTX_RUN_LANE_GROUP_H
#define PTX_RUN_LANE_GROUP_H

#include "ptx/run/machine.h"

/* Returns how many words of a mask there are. */
static inline unsigned ptx_mask_words(const struct ptx_mask *mask)
{
    return (mask->wide ? PTX_WIDEST : PTX_BUNDLE) / 64;
}

/* Copies a mask: the words that there are, since most bundles need a few of many. */
static inline void ptx_mask_copy(struct ptx_mask *to, const struct ptx_mask *from)
{
    to->wide = from->wide;
    for (unsigned i = 0, words = ptx_mask_words(from); i < words; i++) to->bits[i] = from->bits[i];
}

static inline void ptx_mask_clear(struct ptx_mask *mask, bool wide)
{
    mask->wide = wide;
    for (unsigned i = 0, words = ptx_mask_words(mask); i < words; i++) mask->bits[i] = 0;
}

static inline bool ptx_mask_is_empty(const struct ptx_mask *mask)
{
    uint64_t any = 0;
    for (unsigned i = 0, words = ptx_mask_words(mask); i < words; i++) any |= mask->bits[i];
    return !any;
}

static inline bool ptx_mask_is_same(const struct ptx_mask *a, const struct ptx_mask *b)
{
    uint64_t differ = 0;
    for (unsigned i = 0, words = ptx_mask_words(a); i < words; i++)
        differ |= a->bits[i] ^ b->bits[i];
    return !differ;
}

static inline void ptx_mask_add(struct ptx_mask *mask, const struct ptx_mask *more)
{
    for (unsigned i = 0, words = ptx_mask_words(mask); i < words; i++)
        mask->bits[i] |= more->bits[i];
}

static inline void ptx_mask_remove(struct ptx_mask *mask, const struct ptx_mask *less)
{
    for (unsigned i = 0, words = ptx_mask_words(mask); i < words; i++)
        mask->bits[i] &= ~less->bits[i];
}

static inline void ptx_mask_set(struct ptx_mask *mask, uint32_t lane)
{
    mask->bits[lane / 64] |= UINT64_C(1) << (lane % 64);
}

/* Get and set the lanes of one warp. */
static inline uint32_t ptx_warp_bits(const struct ptx_mask *mask, uint32_t warp)
{
    return (uint32_t)(mask->bits[warp / 2] >> (warp % 2 * 32));
}

static inline void ptx_add_warp_bits(struct ptx_mask *mask, uint32_t warp, uint32_t bits)
{
    mask->bits[warp / 2] |= (uint64_t)bits << (warp % 2 * 32);
}

static inline uint32_t ptx_mask_count(const struct ptx_mask *mask)
{
    int count = 0;
    for (unsigned i = 0, words = ptx_mask_words(mask); i < words; i++)
        count += __builtin_popcountll(mask->bits[i]);
    return (uint32_t)count;
}

/* Writes the mask of so many lanes as ranges, at most half as many, and returns how many there
 * are. */
uint32_t ptx_ranges_of(const struct ptx_mask *mask, uint32_t lanes, struct ptx_range *ranges);

/* Returns the lanes of a row of a bundle whose lanes are in boxes. */
static inline uint32_t ptx_box_width(const struct ptx_bundle *bundle)
{
    return bundle->row_lanes < bundle->lanes ? bundle->row_lanes : bundle->lanes;
}

/* Returns the lanes of a box in a row: the last row of a bundle may be cut. */
static inline struct ptx_range ptx_box_row(const struct ptx_bundle *bundle,
                                           const struct ptx_lane_box *box, uint32_t y)
{
    const uint32_t first = y * ptx_box_width(bundle), from = first + box->x[0];
    const uint32_t to = first + box->x[1];
    return (struct ptx_range){ from, to < bundle->lanes ? to : bundle->lanes };
}

/* Finds the lanes of the group whose predicates in a column are set, or not set. */
void ptx_lanes_where(const struct ptx_group *group, uint32_t column, bool negated,
                     struct ptx_mask *lanes);

/* Removes from a mask the lanes whose value in a column of 32 or 64 bits differs from that of
 * `lane`. */
void ptx_keep_alike(const struct ptx_group *group, uint32_t column, uint32_t bytes, uint32_t lane,
                    struct ptx_mask *lanes);

enum ptx_guard_result { PTX_NO_LANE, PTX_SOME_LANES, PTX_ALL_LANES };

/* Finds the lanes for which the step's guard holds. */
enum ptx_guard_result ptx_guarded(const struct ptx_group *group, const struct ptx_step *step,
                                  struct ptx_mask *lanes);

/* ---- Groups ------------------------------------------------------------------------- */

/* Returns the bytes of a group of a bundle of so many lanes. */
static inline size_t ptx_group_bytes(uint32_t lanes)
{
    return sizeof(struct ptx_group) + lanes / 2 * sizeof(struct ptx_range);
}

/* Makes a group that stands at `next`; it is in no list yet.  Returns NULL if there is no
 * memory. */
struct ptx_group *ptx_group_begin(struct ptx_bundle *bundle, struct ptx_frame *frame,
                                  const struct ptx_step *next, const struct ptx_mask *lanes);

void ptx_group_assign(struct ptx_group *group, const struct ptx_mask *lanes);

/* Splits these lanes, some but not all, off into a group of their own at `next` of the same
 * frame; it is in no list yet.  Returns NULL if the launch has failed. */
struct ptx_group *ptx_group_split(struct ptx_group *group, const struct ptx_step *step,
                                  const struct ptx_mask *lanes, const struct ptx_step *next);

/* Keeps only these lanes in the group; the others will take the step `next` when they can.
 * Returns false if the launch has failed. */
bool ptx_group_keep(struct ptx_group *group, const struct ptx_step *step,
                    const struct ptx_mask *stay, const struct ptx_step *next);

/* Keeps the lanes for which the guard holds; the others go on after the step.  Returns false
 * if nothing is left to do for this group. */
bool ptx_group_keep_guarded(struct ptx_group *group, const struct ptx_step *step);

/* Lists a group among those that can run; it may be merged with another one at the same step. */
void ptx_group_list(struct ptx_group *group);

/* Lists a group that waited, in any bundle of the block. */
void ptx_group_wake(struct ptx_group *group);

/* Frees the group's memory for the next one, and releases its frame. */
void ptx_group_end(struct ptx_group *group);

/* Sets the step that the group must not run past, after others were listed. */
void ptx_group_set_limit(struct ptx_group *group);

/* Takes all steps that can be taken in one turn. */
void ptx_group_run(struct ptx_group *group);

static inline void ptx_jump(struct ptx_group *group, const struct ptx_step *step,
                            const struct ptx_step *to)
{
    group->steps += (uint64_t)(step + 1 - group->since);
    group->since = to;
    group->next = to;
    if (group->steps >= group->stop) group->state = PTX_YIELDS;
}

/* Returns how many steps the group's lanes have run, this one included. */
static inline uint64_t ptx_steps_run(const struct ptx_group *group, const struct ptx_step *step)
{
    return group->steps + (uint64_t)(step + 1 - group->since);
}

#endif
