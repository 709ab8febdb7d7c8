/* SPDX-License-Identifier: Apache-2.0
 *
 * RILL_PTX_CODE=both: each step is taken with what is known of its columns and then lane by
 * lane, and has to leave the same in all registers of all lanes; what was stored has to be in
 * memory.  Other threads must not change meanwhile what a step loads or has stored.
 */
#include "ptx/affine/affine.h"

#include <string.h>

#include "base/alloc.h"
#include "ptx/run/fault.h"
#include "ptx/run/lane_group.h"
#include "ptx/run/memory.h"

static bool is_alive(const struct ptx_group *group, uint32_t lane)
{
    return group->bundle->alive.bits[lane / 64] >> (lane % 64) & 1;
}

/* ---- Registers ------------------------------------------------------------------------------ */

static void settle_all(const struct ptx_group *group)
{
    const struct ptx_program *program = group->frame->program;
    for (uint32_t i = 0; i < program->place_count; i++)
        ptx_settle(group, program->places[i].column);
}

/* Fails the launch if the columns are not what they are elsewhere. */
static void compare_columns(struct ptx_group *group, const struct ptx_step *step,
                            const unsigned char *others)
{
    const struct ptx_program *program = group->frame->program;
    for (uint32_t i = 0; i < program->place_count; i++) {
        const struct ptx_place_of_columns *place = &program->places[i];
        size_t at = (size_t)place->column * group->lanes, bytes = place->bytes;
        for (uint32_t lane = 0; lane < group->lanes; lane++) {
            size_t mine = at + lane * bytes;
            if (!is_alive(group, lane) || !memcmp(group->columns + mine, others + mine, bytes))
                continue;
            ptx_fail(group, step, lane, RILL_ERROR_UNKNOWN, 0,
                     "the two ways to run a step (RILL_PTX_CODE=both) differ in column %u",
                     place->column);
            return;
        }
    }
}

/* Takes a step both ways; the columns are left as the lanes have them. */
static void take_both(struct ptx_group *group, const struct ptx_step *step, ptx_run *affine,
                      unsigned char *before, unsigned char *after, size_t bytes)
{
    memcpy(before, group->columns, bytes);
    affine(group, step);
    if (ptx_failed(group)) return;
    settle_all(group);
    memcpy(after, group->columns, bytes);
    memcpy(group->columns, before, bytes);
    step->lanes(group, step);
    if (!ptx_failed(group)) compare_columns(group, step, after);
}

/* ---- Memory --------------------------------------------------------------------------------- */

/* Returns where a lane has stored to. */
static const unsigned char *place_of(struct ptx_group *group, const struct ptx_step *step,
                                     uint32_t bytes, uint32_t lane)
{
    struct ptx_access access;
    ptx_access_open(&access, group, step, bytes, true, "store");
    return ptx_access_peek(&access, lane);
}

static bool has_stored(const struct ptx_group *group, const struct ptx_step *step, uint32_t bytes,
                       const unsigned char *place, uint32_t lane)
{
    const struct ptx_program *program = group->frame->program;
    uint32_t element = bytes / step->width;
    for (uint32_t n = 0; n < step->width; n++) {
        uint32_t column = step->width == 1 ? step->b : program->columns[step->more + n];
        size_t size = (size_t)1 << program->sizes[column];
        const unsigned char *value = PTX_COLUMN(group, column, unsigned char) + lane * size;
        if (memcmp(place + (size_t)n * element, value, element) != 0) return false;
    }
    return true;
}

/* Looks for what was stored, from the last lane to the first: what a later lane has stored over is
 * not looked at. */
static void compare_memory(struct ptx_group *group, const struct ptx_step *step, uint32_t bytes,
                           const unsigned char **places)
{
    uint32_t count = 0;
    for (uint32_t r = group->range_count; r-- > 0;)
        for (uint32_t lane = group->ranges[r].to; lane-- > group->ranges[r].from;) {
            const unsigned char *place = place_of(group, step, bytes, lane);
            bool over = false;
            for (uint32_t i = 0; i < count && !over; i++)
                over = place < places[i] + bytes && places[i] < place + bytes;
            places[count++] = place;
            if (over || has_stored(group, step, bytes, place, lane)) continue;
            ptx_fail(group, step, lane, RILL_ERROR_UNKNOWN, 0,
                     "the two ways to run a step (RILL_PTX_CODE=both) store something else");
            return;
        }
}

static void store_both(struct ptx_group *group, const struct ptx_step *step, ptx_run *affine,
                       uint32_t bytes)
{
    affine(group, step);
    if (ptx_failed(group)) return;
    settle_all(group);
    compare_memory(group, step, bytes, group->block->scratch);
}

/* ---- Steps ---------------------------------------------------------------------------------- */

void ptx_affine_both(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_program *program = group->frame->program;
    ptx_run *affine = program->compared[step - program->steps];
    size_t bytes = (size_t)program->lane_bytes * group->lanes;
    uint32_t element = ptx_affine_stored(affine);
    settle_all(group);
    if (affine == ptx_affine_warp && !ptx_affine_is_at_once(group, step)) {
        affine(group, step);
        return;
    }
    if (element) {
        store_both(group, step, affine, element * step->width);
        return;
    }
    unsigned char *copies = rl_alloc(2 * bytes);
    if (!copies) {
        ptx_fail(group, step, group->ranges[0].from, RILL_ERROR_OUT_OF_MEMORY, 0,
                 "there is no memory to run a step both ways");
        return;
    }
    take_both(group, step, affine, copies, copies + bytes, bytes);
    rl_free(copies);
}

bool ptx_affine_is_compared(const struct ptx_step *step)
{
    static ptx_run *const as_lanes[] = { ptx_affine_unknown, ptx_affine_reading,
                                         ptx_affine_unpacking, ptx_affine_writing };
    for (unsigned i = 0; i < sizeof as_lanes / sizeof *as_lanes; i++)
        if (step->run == as_lanes[i]) return false;
    return step->run != step->lanes;
}
