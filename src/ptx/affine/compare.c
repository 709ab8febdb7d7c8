/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons of affine integers, which have one answer for all lanes if their bounds are far
 * enough apart.
 */
#include "ptx/affine/box.h"
#include "ptx/affine/lanewise.h"
#include "ptx/affine/value.h"
#include "ptx/step/compare.h"

enum answer { NO, YES, BOTH };

/* Finds the bounds of a column of 32 bits as numbers of a type.  Returns false if lanes wrap
 * around. */
static inline bool find_bounds(const struct ptx_group *group, uint32_t column, enum ptx_type type,
                               struct ptx_bounds *bounds)
{
    const struct ptx_frame *frame = group->frame;
    uint64_t first = ptx_read_once(frame, column, 4);
    if (type != PTX_S32) first = (uint32_t)first;
    *bounds = (struct ptx_bounds){ (int64_t)first, (int64_t)first };
    if (!(frame->known[column] & PTX_SLOPED)) return true;
    *bounds = ptx_bounds_of(group->bundle, first, &frame->slopes[column / 4]);
    return type == PTX_S32 ? bounds->least >= INT32_MIN && bounds->most <= INT32_MAX
                           : bounds->least >= 0 && bounds->most <= UINT32_MAX;
}

static enum answer ask(enum ptx_question question, const struct ptx_bounds *x,
                       const struct ptx_bounds *y)
{
    const bool apart = x->most < y->least || y->most < x->least;
    const bool one = x->least == y->most && x->most == y->least;
    switch (question) {
    case PTX_LESS: return x->most < y->least ? YES : x->least >= y->most ? NO : BOTH;
    case PTX_LEAST: return x->most <= y->least ? YES : x->least > y->most ? NO : BOTH;
    case PTX_EQUAL: return apart ? NO : one ? YES : BOTH;
    case PTX_APART: return apart ? YES : one ? NO : BOTH;
    default: return BOTH;
    }
}

static bool are_affine(const struct ptx_group *group, const struct ptx_step *step)
{
    const uint8_t *known = group->frame->known;
    const unsigned affine = PTX_SAME | PTX_SLOPED;
    const enum ptx_type type = (enum ptx_type)(step->target >> 8);
    return group->whole && known[step->a] & affine && known[step->b] & affine &&
           (type == PTX_S32 || type == PTX_U32 || type == PTX_B32);
}

/* Finds how far the first source is from the second, as a number that climbs. */
static void find_distance(const struct ptx_frame *frame, const struct ptx_step *step,
                          bool is_signed, struct ptx_distance *distance)
{
    uint64_t x = ptx_read_once(frame, step->a, 4), y = ptx_read_once(frame, step->b, 4);
    if (!is_signed) x = (uint32_t)x, y = (uint32_t)y;
    distance->first = (int64_t)(x - y);
    for (unsigned k = 0; k < 3; k++) {
        distance->along[k] = 0;
        if (frame->known[step->a] & PTX_SLOPED)
            distance->along[k] += frame->slopes[step->a / 4].along[k];
        if (frame->known[step->b] & PTX_SLOPED)
            distance->along[k] -= frame->slopes[step->b / 4].along[k];
    }
}

void ptx_affine_compare(struct ptx_group *group, const struct ptx_step *step)
{
    const enum ptx_type type = (enum ptx_type)(step->target >> 8);
    const enum ptx_question question = (enum ptx_question)(step->target & 0xff);
    struct ptx_frame *frame = group->frame;
    struct ptx_bounds x, y;
    struct ptx_distance distance;
    if (!are_affine(group, step) || !find_bounds(group, step->a, type, &x) ||
        !find_bounds(group, step->b, type, &y)) {
        ptx_take_lanewise(group, step, 2);
        return;
    }
    const enum answer answer = ask(question, &x, &y);
    if (answer != BOTH) {
        frame->once[step->d] = (uint8_t)((answer == YES) ^ step->kind);
        frame->known[step->d] = PTX_SAME | PTX_STALE;
        return;
    }
    find_distance(frame, step, type == PTX_S32, &distance);
    if (!ptx_box_where(group->bundle, question, &distance, &frame->boxes[step->d])) {
        ptx_take_lanewise(group, step, 2);
        return;
    }
    frame->once[step->d] = (uint8_t)((question == PTX_APART) ^ step->kind);
    frame->known[step->d] = PTX_BOXED | PTX_STALE;
}
