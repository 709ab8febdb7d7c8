/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/pages/guards.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define RECENT 8 /* guards that are looked at for one of the same pages */
#define ROOM 64  /* at first */

static bool are_akin(const struct ck_guard *a, const struct ck_guard *b)
{
    return a->area == b->area && a->level == b->level && a->until.line == b->until.line &&
           a->until.after_function == b->until.after_function &&
           a->until.apart == b->until.apart && a->lifted == b->lifted;
}

static bool are_alike(const struct ck_guard *a, const struct ck_guard *b)
{
    return a->begin == b->begin && a->end == b->end && are_akin(a, b);
}

/* Prolongs a guard that was added lately, as when operations of a stream use a buffer again and
 * again. */
static bool prolong_recent(struct ck_guards *guards, const struct ck_guard *guard)
{
    size_t oldest = guards->count > RECENT ? guards->count - RECENT : 0;
    for (size_t i = guards->count; i-- > oldest;) {
        struct ck_guard *old = &guards->list[i];
        if (!are_alike(old, guard)) continue;
        if (old->until.number < guard->until.number) old->until.number = guard->until.number;
        if (old->first > guard->first) old->first = guard->first;
        return true;
    }
    return false;
}

/* Orders guards so that one which outlives others of its line is before them. */
static int compare_guards(const void *left, const void *right)
{
    const struct ck_guard *a = left, *b = right;
    if (a->until.line != b->until.line) return a->until.line < b->until.line ? -1 : 1;
    if (a->until.after_function != b->until.after_function) return a->until.after_function ? 1 : -1;
    if (a->until.apart != b->until.apart) return a->until.apart ? 1 : -1;
    if (a->lifted != b->lifted) return a->lifted ? 1 : -1;
    if (a->level != b->level) return a->level < b->level ? -1 : 1;
    if (a->area != b->area) return a->area < b->area ? -1 : 1;
    if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end) return a->end > b->end ? -1 : 1;
    if (a->until.number != b->until.number) return a->until.number > b->until.number ? -1 : 1;
    return 0;
}

static bool outlives(const struct ck_guard *a, const struct ck_guard *b)
{
    return are_akin(a, b) && a->begin <= b->begin && a->end >= b->end &&
           a->until.number >= b->until.number;
}

/* Removes guards that another one makes useless. */
static void compact_guards(struct ck_guards *guards)
{
    size_t kept = 0;
    qsort(guards->list, guards->count, sizeof *guards->list, compare_guards);
    for (size_t i = 0; i < guards->count; i++) {
        struct ck_guard *last = kept ? &guards->list[kept - 1] : NULL;
        if (!last || !outlives(last, &guards->list[i])) guards->list[kept++] = guards->list[i];
        else if (last->first > guards->list[i].first) last->first = guards->list[i].first;
    }
    guards->count = kept;
}

/* Makes room for one more.  After a sorting at least half of the list is free, so that each
 * guard pays for a bounded part of it. */
static bool make_room(struct ck_guards *guards)
{
    if (guards->count < guards->room) return true;
    if (guards->count) compact_guards(guards);
    if (guards->room && guards->count <= guards->room / 2) return true;
    size_t more = guards->room ? 2 * guards->room : ROOM;
    struct ck_guard *list = rl_alloc(more * sizeof *list);
    if (!list) return guards->count < guards->room;
    if (guards->count) memcpy(list, guards->list, guards->count * sizeof *list);
    rl_free(guards->list);
    guards->list = list;
    guards->room = more;
    return true;
}

bool ck_guards_add(struct ck_guards *guards, struct ck_guard guard)
{
    if (prolong_recent(guards, &guard)) return true;
    if (!make_room(guards)) return false;
    guards->list[guards->count++] = guard;
    return true;
}

/* Moves a guard behind those that are left. */
static void remove_guard(struct ck_guards *guards, size_t at)
{
    struct ck_guard gone = guards->list[at];
    guards->list[at] = guards->list[--guards->count];
    guards->list[guards->count] = gone;
}

size_t ck_guards_end(struct ck_guards *guards, ck_over_fn over, void *data)
{
    size_t before = guards->count;
    for (size_t i = 0; i < guards->count;) {
        if (over(data, guards->list[i].until)) remove_guard(guards, i);
        else i++;
    }
    return before;
}

void ck_guards_forget(struct ck_guards *guards, const struct ck_area *area)
{
    for (size_t i = 0; i < guards->count;) {
        if (guards->list[i].area == area) remove_guard(guards, i);
        else i++;
    }
}

void ck_guards_fini(struct ck_guards *guards)
{
    rl_free(guards->list);
    *guards = (struct ck_guards){ NULL, 0, 0 };
}
