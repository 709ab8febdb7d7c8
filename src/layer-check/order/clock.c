/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/clock.h"

#include <string.h>

#include "base/alloc.h"
#include "layer-check/order/hole.h"
#include "layer-check/order/work.h"

/* ---- Making -------------------------------------------------------------------------------- */

static struct ck_clock *create_clock(uint32_t lines)
{
    struct ck_clock *clock = rl_zalloc(sizeof *clock + lines * sizeof clock->upto[0]);
    if (!clock) return NULL;
    clock->references = 1;
    clock->lines = lines;
    return clock;
}

struct ck_clock *ck_clock_create(void)
{
    return create_clock(1);
}

/* ---- Releasing ----------------------------------------------------------------------------- */

/* Releases a hole, or lists it as one that nobody refers to. */
static void drop_hole(struct ck_hole *hole, struct ck_hole **dead)
{
    if (!hole || --hole->references) return;
    hole->walked = *dead;
    *dead = hole;
}

/* Releases a clock, which may be NULL, and lists the holes that this leaves to nobody. */
static void drop_clock(struct ck_clock *clock, struct ck_hole **dead)
{
    while (clock && !--clock->references) {
        struct ck_clock *settled = clock->settled;
        for (uint32_t i = 0; i < clock->extra_count; i++) {
            ck_work_release(clock->extras[i].launch);
            drop_hole(clock->extras[i].hole, dead);
        }
        rl_free(clock->extras);
        rl_free(clock);
        clock = settled;
    }
}

/* Holes and clocks refer to each other in turn, perhaps very deeply. */
static void free_holes(struct ck_hole *dead)
{
    while (dead) {
        struct ck_hole *hole = dead;
        dead = hole->walked;
        drop_clock(hole->before, &dead);
        drop_clock(hole->clock, &dead);
        rl_free(hole);
    }
}

void ck_clock_release(struct ck_clock *clock)
{
    struct ck_hole *dead = NULL;
    drop_clock(clock, &dead);
    free_holes(dead);
}

void ck_hole_release(struct ck_hole *hole)
{
    struct ck_hole *dead = NULL;
    drop_hole(hole, &dead);
    free_holes(dead);
}

/* ---- Extras -------------------------------------------------------------------------------- */

/* Tells whether one hole implies another: what follows the later wait of a line follows the
 * earlier one as well. */
static bool implies_hole(const struct ck_hole *hole, const struct ck_hole *other)
{
    return hole == other ||
           (hole->at.line == other->at.line && hole->at.number > other->at.number);
}

static bool implies_extra(const struct ck_extra *a, const struct ck_extra *b)
{
    if (a->hole && b->hole) return implies_hole(a->hole, b->hole);
    return a->launch == b->launch && a->node == b->node && a->hole == b->hole;
}

static bool has_extra(const struct ck_clock *clock, const struct ck_extra *extra)
{
    for (uint32_t i = 0; i < clock->extra_count; i++)
        if (implies_extra(&clock->extras[i], extra)) return true;
    return extra->launch && ck_clock_covers(clock, extra->launch->at);
}

static bool lacks_extra(const struct ck_clock *clock, const struct ck_clock *other)
{
    for (uint32_t i = 0; i < other->extra_count; i++)
        if (!has_extra(clock, &other->extras[i])) return true;
    return false;
}

static void release_extra(const struct ck_extra *extra)
{
    ck_work_release(extra->launch);
    ck_hole_release(extra->hole);
}

/* Drops the extras that the numbers say by now, or that another one implies. */
static void drop_extras(struct ck_clock *clock, const struct ck_extra *by)
{
    uint32_t kept = 0, count = clock->extra_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct ck_extra extra = clock->extras[i];
        bool said = extra.launch ? ck_clock_covers(clock, extra.launch->at)
                                 : by && implies_extra(by, &extra);
        if (said) release_extra(&extra);
        else clock->extras[kept++] = extra;
    }
    clock->extra_count = kept;
}

static bool grow_extras(struct ck_clock *clock)
{
    uint32_t room = clock->extra_room ? 2 * clock->extra_room : 2;
    struct ck_extra *extras = rl_alloc(room * sizeof *extras);
    if (!extras) return false;
    if (clock->extra_count) memcpy(extras, clock->extras, clock->extra_count * sizeof *extras);
    rl_free(clock->extras);
    clock->extras = extras;
    clock->extra_room = room;
    return true;
}

/* Adds an extra to a clock that nobody else has. */
static bool put_extra(struct ck_clock *clock, const struct ck_extra *extra)
{
    if (has_extra(clock, extra)) return true;
    drop_extras(clock, extra);
    if (clock->extra_count == clock->extra_room && !grow_extras(clock)) return false;
    clock->extras[clock->extra_count++] = *extra;
    if (extra->launch) ck_work_retain(extra->launch);
    if (extra->hole) ck_hole_retain(extra->hole);
    return true;
}

/* ---- Adding -------------------------------------------------------------------------------- */

static bool is_filled(const struct ck_extra *extra)
{
    return extra->hole && extra->hole->filled;
}

/* Adds to a clock that nobody else has, and that has all lines, the numbers of another one but for
 * those of line `own`, and its extras but for the holes that are filled. */
static bool add_clock(struct ck_clock *clock, const struct ck_clock *other, uint32_t own)
{
    bool fits = true;
    for (uint32_t i = 0; i < other->lines; i++)
        if (i != own && other->upto[i] > clock->upto[i]) clock->upto[i] = other->upto[i];
    for (uint32_t i = 0; fits && i < other->extra_count; i++)
        if (!is_filled(&other->extras[i])) fits = put_extra(clock, &other->extras[i]);
    return fits;
}

static struct ck_clock *copy_clock(const struct ck_clock *clock, uint32_t lines)
{
    struct ck_clock *copy = create_clock(lines > clock->lines ? lines : clock->lines);
    if (!copy || add_clock(copy, clock, UINT32_MAX)) return copy;
    ck_clock_release(copy);
    return NULL;
}

/* Makes *clock one that nobody else has, with so many lines at least. */
static bool own_clock(struct ck_clock **clock, uint32_t lines)
{
    struct ck_clock *old = *clock;
    if (old->references == 1 && lines <= old->lines) return true;
    struct ck_clock *copy = copy_clock(old, lines);
    if (!copy) return false;
    *clock = copy;
    ck_clock_release(old);
    return true;
}

/* ---- Settling ------------------------------------------------------------------------------ */

static bool has_filled(const struct ck_clock *clock)
{
    for (uint32_t i = 0; i < clock->extra_count; i++)
        if (is_filled(&clock->extras[i])) return true;
    return false;
}

static bool add_newest(struct ck_clock **clock, const struct ck_clock *other)
{
    const struct ck_clock *newest = ck_clock_newest(other);
    return own_clock(clock, newest->lines) && add_clock(*clock, newest, UINT32_MAX);
}

/* Makes a clock with what fills its holes, and theirs, in their place. */
static struct ck_clock *fill_clock(const struct ck_clock *clock)
{
    struct ck_clock *full = copy_clock(clock, 0);
    struct ck_walk walk = ck_walk_begin();
    const struct ck_hole *hole;
    bool fits = full != NULL;
    ck_walk_add(&walk, clock);
    while (fits && (hole = ck_walk_next(&walk)))
        if (hole->filled) fits = add_newest(&full, hole->before) && add_newest(&full, hole->clock);
    if (fits) {
        drop_extras(full, NULL);
        return full;
    }
    ck_clock_release(full);
    return NULL;
}

bool ck_clock_settle(struct ck_clock **clock)
{
    struct ck_clock *old = *clock;
    if (!has_filled(old)) return true;
    if (!old->settled || has_filled(old->settled)) {
        struct ck_clock *full = fill_clock(old->settled ? old->settled : old);
        if (!full) return false;
        ck_clock_release(old->settled);
        old->settled = full;
    }
    *clock = ck_clock_retain(old->settled);
    ck_clock_release(old);
    return true;
}

/* ---- Joining ------------------------------------------------------------------------------- */

static bool lacks_settled(const struct ck_clock *clock, const struct ck_clock *other,
                          struct ck_point point, uint32_t own)
{
    if (point.line != own && !ck_clock_covers(clock, point)) return true;
    for (uint32_t i = 0; i < other->lines; i++)
        if (i != own && other->upto[i] > ck_clock_upto(clock, i)) return true;
    return other->extra_count && lacks_extra(clock, other);
}

bool ck_clock_lacks(struct ck_clock *clock, struct ck_clock *other, struct ck_point point,
                    uint32_t own)
{
    ck_clock_retain(clock);
    ck_clock_retain(other);
    bool lacks = !ck_clock_settle(&clock) || !ck_clock_settle(&other) ||
                 lacks_settled(clock, other, point, own);
    ck_clock_release(clock);
    ck_clock_release(other);
    return lacks;
}

static bool join_settled(struct ck_clock **clock, const struct ck_clock *other,
                         struct ck_point point, uint32_t own)
{
    if (!lacks_settled(*clock, other, point, own)) return true;
    uint32_t lines = other->lines > point.line ? other->lines : point.line + 1;
    if (!own_clock(clock, lines)) return false;
    bool fits = add_clock(*clock, other, own);
    uint64_t *upto = &(*clock)->upto[point.line];
    if (point.line != own && point.number > *upto) *upto = point.number;
    drop_extras(*clock, NULL);
    return fits;
}

bool ck_clock_join(struct ck_clock **clock, struct ck_clock *other, struct ck_point point,
                   uint32_t own)
{
    ck_clock_retain(other);
    bool fits = ck_clock_settle(clock) && ck_clock_settle(&other) &&
                join_settled(clock, other, point, own);
    ck_clock_release(other);
    return fits;
}

bool ck_clock_join_extra(struct ck_clock **clock, const struct ck_extra *extra)
{
    if (!ck_clock_settle(clock)) return false;
    if (has_extra(*clock, extra)) return true;
    return own_clock(clock, 0) && put_extra(*clock, extra);
}

/* Returns a clock with the smaller numbers of two that are settled, and the extras of each that
 * the other one has as well. */
static struct ck_clock *meet_settled(const struct ck_clock *a, const struct ck_clock *b)
{
    struct ck_clock *met = create_clock(a->lines);
    bool fits = met != NULL;
    for (uint32_t i = 0; fits && i < a->lines; i++)
        met->upto[i] = a->upto[i] < ck_clock_upto(b, i) ? a->upto[i] : ck_clock_upto(b, i);
    for (uint32_t i = 0; fits && i < a->extra_count; i++)
        if (has_extra(b, &a->extras[i])) fits = put_extra(met, &a->extras[i]);
    for (uint32_t i = 0; fits && i < b->extra_count; i++)
        if (has_extra(a, &b->extras[i])) fits = put_extra(met, &b->extras[i]);
    if (fits) return met;
    ck_clock_release(met);
    return NULL;
}

bool ck_clock_meet(struct ck_clock **clock, struct ck_clock *other)
{
    ck_clock_retain(other);
    bool fits = ck_clock_settle(clock) && ck_clock_settle(&other);
    struct ck_clock *met = fits ? meet_settled(*clock, other) : NULL;
    ck_clock_release(other);
    if (!met) return false;
    ck_clock_release(*clock);
    *clock = met;
    return true;
}
