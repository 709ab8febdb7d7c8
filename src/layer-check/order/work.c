/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/work.h"

#include "base/alloc.h"
#include "layer-check/order/caller.h"
#include "layer-check/order/hole.h"

static const struct ck_point no_point = { .line = CK_HOST_LINE, .number = 0 };

/* How many open holes are looked behind.  A work is judged only when it has none. */
#define OPEN_MAX 64u

void ck_who_release(struct ck_who *who)
{
    if (who && !--who->references) rl_free(who);
}

struct ck_work *ck_work_create(struct ck_point at, struct ck_clock *before, struct ck_who *who,
                               const struct ck_what *what)
{
    struct ck_work *work = rl_zalloc(sizeof *work);
    if (!work) return NULL;
    work->references = 1;
    work->at = at;
    work->own_before = at.number - 1;
    work->before = before;
    work->what = *what;
    work->who = who;
    if (who) who->references++;
    return work;
}

void ck_work_release(struct ck_work *work)
{
    if (!work || --work->references) return;
    while (work->waits) {
        struct ck_node_wait *wait = work->waits;
        work->waits = wait->next;
        ck_clock_release(wait->clock);
        rl_free(wait);
    }
    if (work->inside) work->inside->type->release(work->inside);
    ck_caller_release(work->caller);
    ck_clock_release(work->before);
    ck_who_release(work->who);
    ck_signals_free(work->signals);
    rl_free(work);
}

/* ---- Order --------------------------------------------------------------------------------- */

bool ck_node_reaches(const struct ck_work *launch, uint32_t from, uint32_t to)
{
    if (from == to) return true;
    return launch->inside && launch->inside->type->reaches(launch->inside, from, to);
}

/* Tells whether a clock promises it by its numbers or by a part of a launch. */
static bool covers_itself(const struct ck_clock *clock, const struct ck_step *step)
{
    if (ck_clock_covers(clock, step->work->at)) return true;
    for (uint32_t i = 0; step->node && i < clock->extra_count; i++)
        if (clock->extras[i].launch == step->work &&
            ck_node_reaches(step->work, step->node, clock->extras[i].node))
            return true;
    return false;
}

/* Tells whether a clock promises it by itself or by what filled its holes. */
static bool covers_step(const struct ck_clock *clock, const struct ck_step *step)
{
    const struct ck_clock *newest = ck_clock_newest(clock);
    if (covers_itself(newest, step)) return true;
    if (!newest->extra_count) return false;
    struct ck_walk walk = ck_walk_begin();
    const struct ck_hole *hole;
    uint32_t open = 0;
    ck_walk_add(&walk, newest);
    while ((hole = ck_walk_next(&walk))) {
        if (covers_itself(hole->before, step)) return true;
        if (hole->filled && covers_itself(hole->clock, step)) return true;
        if (!hole->filled && open++ < OPEN_MAX) ck_walk_add(&walk, hole->before);
    }
    return false;
}

/* Tells whether a step was submitted by a caller that has waited for it, so that it is done when
 * the caller is. */
static bool ends_with_caller(const struct ck_step *step)
{
    const struct ck_caller *caller = step->work->caller;
    return caller && covers_step(caller->known, step);
}

bool ck_clock_covers_step(const struct ck_clock *clock, const struct ck_step *step)
{
    if (covers_step(clock, step)) return true;
    return ends_with_caller(step) && ck_clock_covers_step(clock, &step->work->caller->step);
}

/* Tells whether a clock has a hole that nobody has filled yet. */
static bool is_clock_open(const struct ck_clock *clock)
{
    if (!clock->extra_count) return false;
    struct ck_walk walk = ck_walk_begin();
    const struct ck_hole *hole;
    ck_walk_add(&walk, ck_clock_newest(clock));
    while ((hole = ck_walk_next(&walk)))
        if (!hole->filled) return true;
    return false;
}

bool ck_work_is_open(const struct ck_work *work)
{
    if (is_clock_open(work->before)) return true;
    for (const struct ck_node_wait *wait = work->waits; wait; wait = wait->next)
        if (is_clock_open(wait->clock)) return true;
    return false;
}

/* What the clock gets to know may be another caller. */
bool ck_clock_follow_callers(struct ck_clock **clock, uint32_t line, uint64_t own_before,
                             const struct ck_caller *callers)
{
    bool news;
    do {
        news = false;
        for (const struct ck_caller *caller = callers, *next; caller; caller = next) {
            const struct ck_point at = caller->step.work->at;
            bool known = at.line == line ? at.number <= own_before
                                         : ck_clock_covers_step(*clock, &caller->step);
            next = known ? caller->past : caller->next;
            if (!known || !ck_clock_lacks(*clock, caller->known, no_point, line)) continue;
            if (!ck_clock_join(clock, caller->known, no_point, line)) return false;
            news = true;
        }
    } while (news);
    return true;
}

bool ck_work_settle(struct ck_work *work, const struct ck_caller *callers)
{
    const uint32_t line = work->at.line;
    bool fits = ck_clock_settle(&work->before) &&
                ck_clock_follow_callers(&work->before, line, work->own_before, callers);
    for (struct ck_node_wait *wait = work->waits; fits && wait; wait = wait->next)
        fits = ck_clock_settle(&wait->clock) &&
               ck_clock_follow_callers(&wait->clock, line, 0, callers);
    return fits;
}

static bool ordered_inside(const struct ck_step *before, const struct ck_step *after)
{
    struct ck_inside *inside = after->work->inside;
    if (before->node == after->node && before->round == after->round) return true;
    if (!inside) return false;
    if (inside->type->rounds_differ(inside, before->node, before->round, after->node,
                                    after->round))
        return true;
    return inside->type->reaches(inside, before->node, after->node);
}

/* Tells whether `before` was waited for by nodes that `after` comes after, or by itself. */
static bool was_waited_for(const struct ck_step *before, const struct ck_step *after)
{
    const struct ck_work *work = after->work;
    for (const struct ck_node_wait *wait = work->waits; wait; wait = wait->next)
        if (ck_node_reaches(work, wait->node, after->node) &&
            ck_clock_covers_step(wait->clock, before))
            return true;
    for (const struct ck_caller *caller = work->callers; caller; caller = caller->sibling)
        if (ck_node_reaches(work, caller->step.node, after->node) &&
            ck_clock_covers_step(caller->known, before))
            return true;
    return false;
}

bool ck_step_ordered(const struct ck_step *before, const struct ck_step *after)
{
    const struct ck_work *work = after->work;
    if (before->work == work) return ordered_inside(before, after);
    if (before->work->at.line == work->at.line)
        return before->work->at.number <= work->own_before;
    if (covers_step(work->before, before) || was_waited_for(before, after)) return true;
    return ends_with_caller(before) && ck_step_ordered(&before->work->caller->step, after);
}

struct ck_what ck_step_what(const struct ck_step *step)
{
    const struct ck_work *work = step->work;
    bool inside = step->node && work->inside;
    struct ck_what what = inside ? work->inside->type->what(work->inside, step->node) : work->what;
    what.assumed = step->assumed;
    return what;
}
