/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/clock.h"

#include <string.h>

#include "base/alloc.h"
#include "layer-check/order/hole.h"
#include "layer-check/order/work.h"

/* ---- Making -------------------------------------------------------------------------------- */

static struct ck_clock *create_clock(uint32_t lines, uint32_t extras)
{
    struct ck_clock *clock = rl_zalloc(sizeof *clock + lines * sizeof clock->upto[0]);
    if (!clock) return NULL;
    clock->references = 1;
    clock->lines = lines;
    if (!extras) return clock;
    clock->extras = rl_alloc(extras * sizeof *clock->extras);
    if (clock->extras) return clock;
    rl_free(clock);
    return NULL;
}

struct ck_clock *ck_clock_create(void)
{
    return create_clock(1, 0);
}

void ck_clock_release(struct ck_clock *clock)
{
    if (!clock || --clock->references) return;
    for (uint32_t i = 0; i < clock->extra_count; i++) {
        ck_work_release(clock->extras[i].launch);
        ck_hole_release(clock->extras[i].hole);
    }
    rl_free(clock->extras);
    rl_free(clock);
}

/* ---- Extras -------------------------------------------------------------------------------- */

static bool same_extra(const struct ck_extra *a, const struct ck_extra *b)
{
    return a->launch == b->launch && a->node == b->node && a->hole == b->hole;
}

static bool has_extra(const struct ck_clock *clock, const struct ck_extra *extra)
{
    for (uint32_t i = 0; i < clock->extra_count; i++)
        if (same_extra(&clock->extras[i], extra)) return true;
    return extra->launch && ck_clock_covers(clock, extra->launch->at);
}

/* Adds an extra to a clock that has room for it. */
static void put_extra(struct ck_clock *clock, const struct ck_extra *extra)
{
    if (has_extra(clock, extra)) return;
    struct ck_extra *to = &clock->extras[clock->extra_count++];
    *to = *extra;
    if (to->launch) ck_work_retain(to->launch);
    if (to->hole) ck_hole_retain(to->hole);
}

static bool lacks_extra(const struct ck_clock *clock, const struct ck_clock *other)
{
    for (uint32_t i = 0; i < other->extra_count; i++)
        if (!has_extra(clock, &other->extras[i])) return true;
    return false;
}

/* ---- Joining ------------------------------------------------------------------------------- */

bool ck_clock_lacks(const struct ck_clock *clock, const struct ck_clock *other,
                    struct ck_point point, uint32_t own)
{
    if (point.line != own && !ck_clock_covers(clock, point)) return true;
    for (uint32_t i = 0; i < other->lines; i++)
        if (i != own && other->upto[i] > ck_clock_upto(clock, i)) return true;
    return other->extra_count && lacks_extra(clock, other);
}

static void raise_lines(struct ck_clock *clock, const struct ck_clock *other, uint32_t own)
{
    for (uint32_t i = 0; i < other->lines; i++)
        if (i != own && other->upto[i] > clock->upto[i]) clock->upto[i] = other->upto[i];
}

static struct ck_clock *copy_clock(const struct ck_clock *clock, uint32_t lines, uint32_t more)
{
    uint32_t extras = clock->extra_count + more;
    struct ck_clock *copy = create_clock(lines > clock->lines ? lines : clock->lines, extras);
    if (!copy) return NULL;
    memcpy(copy->upto, clock->upto, clock->lines * sizeof clock->upto[0]);
    return copy;
}

/* Keeps the extras of `from` that the numbers of `to` do not say. */
static void keep_extras(struct ck_clock *to, const struct ck_clock *from)
{
    for (uint32_t i = 0; i < from->extra_count; i++) put_extra(to, &from->extras[i]);
}

bool ck_clock_join(struct ck_clock **clock, const struct ck_clock *other, struct ck_point point,
                   uint32_t own)
{
    struct ck_clock *old = *clock, *joined = old;
    if (!ck_clock_lacks(old, other, point, own)) return true;
    uint32_t lines = other->lines > point.line ? other->lines : point.line + 1;
    bool fits = old->references == 1 && lines <= old->lines && !other->extra_count;
    if (!fits) joined = copy_clock(old, lines, other->extra_count);
    if (!joined) return false;
    raise_lines(joined, other, own);
    if (point.line != own && point.number > joined->upto[point.line])
        joined->upto[point.line] = point.number;
    if (fits) return true;
    keep_extras(joined, old);
    keep_extras(joined, other);
    *clock = joined;
    ck_clock_release(old);
    return true;
}

bool ck_clock_join_extra(struct ck_clock **clock, const struct ck_extra *extra)
{
    if (has_extra(*clock, extra)) return true;
    struct ck_clock *joined = copy_clock(*clock, 0, 1);
    if (!joined) return false;
    keep_extras(joined, *clock);
    put_extra(joined, extra);
    ck_clock_release(*clock);
    *clock = joined;
    return true;
}

bool ck_clock_meet(struct ck_clock **clock, const struct ck_clock *other)
{
    struct ck_clock *old = *clock, *met = copy_clock(old, 0, 0);
    if (!met) return false;
    for (uint32_t i = 0; i < met->lines; i++)
        if (met->upto[i] > ck_clock_upto(other, i)) met->upto[i] = ck_clock_upto(other, i);
    for (uint32_t i = 0; i < old->extra_count; i++)
        if (has_extra(other, &old->extras[i])) put_extra(met, &old->extras[i]);
    *clock = met;
    ck_clock_release(old);
    return true;
}
