/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine/box.h"

#include "ptx/affine/lanewise.h"
#include "ptx/run/lane_group.h"

static uint32_t count_rows(const struct ptx_bundle *bundle)
{
    const uint32_t width = ptx_box_width(bundle);
    return (bundle->lanes + width - 1) / width;
}

static struct ptx_lane_box all_of(const struct ptx_bundle *bundle)
{
    return (struct ptx_lane_box){ { 0, (uint16_t)ptx_box_width(bundle) },
                                  { 0, (uint16_t)count_rows(bundle) } };
}

/* ---- Comparisons ---------------------------------------------------------------------------- */

/* Finds what a distance adds from lane to lane of a row, and from row to row.  Returns false if
 * that is not the same everywhere. */
static bool find_steps(const struct ptx_bundle *bundle, const struct ptx_distance *distance,
                       int64_t steps[2])
{
    const int64_t *along = distance->along;
    const uint32_t *size = bundle->block->launch->block;
    const bool alone = bundle->block->abreast == 1;
    const bool one_row = !(bundle->extent[1] | (alone ? bundle->extent[2] : 0));
    if (!bundle->upright || !(bundle->in_rows || one_row)) return false;
    steps[0] = along[0];
    steps[1] = along[1];
    if (!bundle->extent[2]) return true;
    return along[2] == (alone ? along[1] * size[1] : along[0] * size[0]);
}

/* Returns where a number that changes by `step` is below 0 first, or is not any more. */
static int64_t find_change(int64_t first, int64_t step)
{
    if (step > 0) return first >= 0 ? 0 : (step - 1 - first) / step;
    return first < 0 ? 0 : first / -step + 1;
}

/* Finds the places from 0 to `count` - 1 where first + place * step answers a question. */
static void find_places(enum ptx_question question, int64_t first, int64_t step, uint32_t count,
                        uint16_t places[2])
{
    int64_t from = 0, to = count;
    if (question == PTX_EQUAL || question == PTX_APART) {
        from = first % step ? to : -first / step;
        to = from + 1;
    } else {
        const int64_t change = find_change(question == PTX_LEAST ? first - 1 : first, step);
        if (step > 0) to = change;
        else from = change;
    }
    from = from < 0 || from > count ? count : from;
    to = to < from ? from : to > count ? count : to;
    places[0] = (uint16_t)from;
    places[1] = (uint16_t)to;
}

bool ptx_box_where(const struct ptx_bundle *bundle, enum ptx_question question,
                   const struct ptx_distance *distance, struct ptx_lane_box *box)
{
    int64_t steps[2];
    const bool asked = question == PTX_LESS || question == PTX_LEAST || question == PTX_EQUAL ||
                       question == PTX_APART;
    if (!asked || !find_steps(bundle, distance, steps)) return false;
    *box = all_of(bundle);
    if (steps[0] && !steps[1]) find_places(question, distance->first, steps[0], box->x[1], box->x);
    else if (steps[1] && !steps[0])
        find_places(question, distance->first, steps[1], box->y[1], box->y);
    else return false;
    return true;
}

/* ---- Predicates of predicates --------------------------------------------------------------- */

/* Takes what a boxed predicate says inside for what it says outside, if the lanes outside are a
 * box, too: a half of the bundle. */
static bool turn_out(const struct ptx_bundle *bundle, struct ptx_lane_box *box)
{
    const struct ptx_lane_box all = all_of(bundle);
    const bool wide = box->x[0] == 0 && box->x[1] == all.x[1];
    const bool high = box->y[0] == 0 && box->y[1] == all.y[1];
    uint16_t *part = high ? box->x : box->y;
    const uint16_t end = high ? all.x[1] : all.y[1];
    if (wide == high || (part[0] != 0 && part[1] != end)) return false;
    if (part[0] == 0) part[0] = part[1], part[1] = end;
    else part[1] = part[0], part[0] = 0;
    return true;
}

/* Reads a boxed predicate as one that says `outside` there. */
static bool read_box(const struct ptx_group *group, uint32_t column, bool outside,
                     struct ptx_lane_box *box)
{
    *box = group->frame->boxes[column];
    return group->frame->once[column] == outside || turn_out(group->bundle, box);
}

static void narrow(uint16_t to[2], const uint16_t by[2])
{
    if (to[0] < by[0]) to[0] = by[0];
    if (to[1] > by[1]) to[1] = by[1];
    if (to[1] < to[0]) to[1] = to[0];
}

/* Takes a step that is `decided` wherever one of its sources is, and else not. */
static void take_either(struct ptx_group *group, const struct ptx_step *step, bool decided)
{
    struct ptx_frame *frame = group->frame;
    uint8_t *known = frame->known;
    struct ptx_lane_box a, b;
    const unsigned both = known[step->a] & known[step->b], any = known[step->a] | known[step->b];
    if (group->whole && both & PTX_BOXED && read_box(group, step->a, decided, &a) &&
        read_box(group, step->b, decided, &b)) {
        narrow(a.x, b.x);
        narrow(a.y, b.y);
        frame->boxes[step->d] = a;
        frame->once[step->d] = decided;
        known[step->d] = PTX_BOXED | PTX_STALE;
    } else if (group->whole && any & PTX_SAME && any & PTX_BOXED) {
        const bool first = known[step->a] & PTX_SAME;
        const uint32_t same = first ? step->a : step->b, boxed = first ? step->b : step->a;
        const bool over = frame->once[same] == decided;
        frame->boxes[step->d] = frame->boxes[boxed];
        frame->once[step->d] = over ? decided : frame->once[boxed];
        known[step->d] = (over ? PTX_SAME : PTX_BOXED) | PTX_STALE;
    } else {
        ptx_take_lanewise(group, step, 2);
    }
}

void ptx_affine_or_pred(struct ptx_group *group, const struct ptx_step *step)
{
    take_either(group, step, true);
}

void ptx_affine_and_pred(struct ptx_group *group, const struct ptx_step *step)
{
    take_either(group, step, false);
}

void ptx_affine_not_pred(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_frame *frame = group->frame;
    if (!group->whole || !(frame->known[step->a] & PTX_BOXED)) {
        ptx_take_lanewise(group, step, 1);
        return;
    }
    frame->boxes[step->d] = frame->boxes[step->a];
    frame->once[step->d] = !frame->once[step->a];
    frame->known[step->d] = PTX_BOXED | PTX_STALE;
}
