/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons of affine integers, which have one answer for all lanes if their bounds are far
 * enough apart.
 */
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

static enum answer compare(const struct ptx_group *group, const struct ptx_step *step)
{
    const uint8_t *known = group->frame->known;
    const unsigned affine = PTX_SAME | PTX_SLOPED;
    const enum ptx_type type = (enum ptx_type)(step->target >> 8);
    struct ptx_bounds x, y;
    if (!group->whole || !(known[step->a] & affine) || !(known[step->b] & affine)) return BOTH;
    if (type != PTX_S32 && type != PTX_U32 && type != PTX_B32) return BOTH;
    if (!find_bounds(group, step->a, type, &x) || !find_bounds(group, step->b, type, &y))
        return BOTH;
    return ask((enum ptx_question)(step->target & 0xff), &x, &y);
}

void ptx_affine_compare(struct ptx_group *group, const struct ptx_step *step)
{
    const enum answer answer = compare(group, step);
    if (answer == BOTH) {
        ptx_take_lanewise(group, step, 2);
        return;
    }
    group->frame->once[step->d] = (uint8_t)((answer == YES) ^ step->kind);
    group->frame->known[step->d] = PTX_SAME | PTX_STALE;
}
