/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-tsan/order/point.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/tsan.h"

/* ---- Life --------------------------------------------------------------------------------- */

struct ts_point *ts_point_create(struct ts_order *order, uint64_t line, uint64_t number)
{
    struct ts_point *point = rl_zalloc(sizeof *point);
    if (!point) {
        order->failed = true;
        return NULL;
    }
    point->references = 1;
    point->line = line;
    point->number = number;
    return point;
}

void ts_shared_home_release(struct ts_shared_home *home)
{
    if (!home || --home->references) return;
    ts_home_destroy(home->home);
    rl_free(home);
}

/* Those that only this one kept go with it; a list, since they may be many. */
void ts_point_release(struct ts_point *point)
{
    if (!point || --point->references) return;
    struct ts_point *going = point;
    point->later = NULL;
    while (going) {
        struct ts_point *gone = going;
        going = gone->later;
        for (size_t i = 0; i < gone->before.count; i++) {
            struct ts_point *other = gone->before.points[i];
            if (--other->references) continue;
            other->later = going;
            going = other;
        }
        rl_free(gone->before.points);
        ts_shared_home_release(gone->home);
        if (gone->many) gone->many->release(gone->many);
        rl_free(gone);
    }
}

void ts_point_finish(struct ts_point *point)
{
    struct ts_many *many = point->many;
    point->state = TS_DONE;
    point->many = NULL;
    ts_shared_home_release(point->home);
    point->home = NULL;
    ts_front_fini(&point->before);
    if (many) many->release(many);
}

struct ts_point *ts_point_here(struct ts_order *order)
{
    static atomic_uint_least64_t calls;
    const uint64_t number = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    struct ts_point *point = ts_point_create(order, ts_line_here(), number);
    if (!point) return NULL;
    __tsan_release(&point->token);
    point->state = TS_DONE;
    return point;
}

/* ---- Telling ------------------------------------------------------------------------------ */

struct telling {
    struct ts_order *order;
    struct ts_point *point;
};

static void tell_point(void *data)
{
    struct telling *telling = data;
    struct ts_point *point = telling->point;
    ts_front_acquire(telling->order, &point->before);
    if (point->many) point->many->acquire(point->many);
    for (unsigned i = 0; i < point->access_count; i++) ts_access_tell(&point->accesses[i]);
    __tsan_release(&point->token);
}

/* Puts one in front of the list that comes before its first and is not told.  Returns false if
 * there is none.  What is in the list already comes after the first. */
static bool list_before(struct ts_point **first)
{
    const struct ts_front *before = &(*first)->before;
    for (size_t i = 0; i < before->count; i++) {
        struct ts_point *point = before->points[i];
        if (point->state != TS_PENDING || point->waits) continue;
        point->waits = true;
        point->later = *first;
        *first = ts_point_retain(point);
        return true;
    }
    return false;
}

void ts_point_settle(struct ts_order *order, struct ts_point *point)
{
    if (point->state != TS_PENDING || point->waits || order->failed) return;
    struct ts_point *first = ts_point_retain(point);
    point->waits = true;
    point->later = NULL;
    while (first) {
        if (list_before(&first)) continue;
        struct ts_point *told = first;
        const struct ts_fiber fiber = { &order->root, told->name, told->site, false,
                                        told->home ? told->home->home : NULL };
        first = told->later;
        ts_fiber_run(&fiber, tell_point, &(struct telling){ order, told });
        told->waits = false;
        ts_point_finish(told);
        ts_point_release(told);
    }
}

/* ---- Fronts ------------------------------------------------------------------------------- */

void ts_front_fini(struct ts_front *front)
{
    const struct ts_front old = *front;
    *front = (struct ts_front){ .count = 0 };
    for (size_t i = 0; i < old.count; i++) ts_point_release(old.points[i]);
    rl_free(old.points);
}

static bool grow_front(struct ts_front *front)
{
    if (front->count < front->room) return true;
    const size_t room = front->room ? 2 * front->room : 4;
    struct ts_point **points = rl_alloc(room * sizeof(struct ts_point *));
    if (!points) return false;
    if (front->count) memcpy(points, front->points, front->count * sizeof(struct ts_point *));
    rl_free(front->points);
    front->points = points;
    front->room = room;
    return true;
}

void ts_front_add(struct ts_order *order, struct ts_front *front, struct ts_point *point)
{
    if (!point) return;
    for (size_t i = 0; i < front->count; i++) {
        struct ts_point *old = front->points[i];
        if (old->line != point->line) continue;
        if (old->number >= point->number) return;
        front->points[i] = ts_point_retain(point);
        ts_point_release(old);
        return;
    }
    if (grow_front(front)) front->points[front->count++] = ts_point_retain(point);
    else order->failed = true;
}

void ts_front_join(struct ts_order *order, struct ts_front *front, const struct ts_front *other)
{
    for (size_t i = 0; i < other->count; i++) ts_front_add(order, front, other->points[i]);
}

void ts_front_set(struct ts_order *order, struct ts_front *front, struct ts_point *point)
{
    if (!point) return;
    ts_point_retain(point);
    for (size_t i = 0; i < front->count; i++) ts_point_release(front->points[i]);
    front->count = 0;
    ts_front_add(order, front, point);
    ts_point_release(point);
}

/* More lines than a program has that goes on without new streams. */
#define POINTS_MANY 64u

void ts_front_fold(struct ts_order *order, struct ts_front *front)
{
    struct ts_point *point =
        front->count > POINTS_MANY ? ts_point_create(order, ts_line_new(), 1) : NULL;
    if (!point) return;
    point->before = *front;
    point->state = TS_PENDING;
    *front = (struct ts_front){ .count = 0 };
    ts_front_set(order, front, point);
    ts_point_release(point);
}

void ts_front_settle(struct ts_order *order, const struct ts_front *front)
{
    for (size_t i = 0; i < front->count; i++) ts_point_settle(order, front->points[i]);
}

void ts_front_acquire(struct ts_order *order, const struct ts_front *front)
{
    for (size_t i = 0; i < front->count; i++) {
        ts_point_settle(order, front->points[i]);
        __tsan_acquire(&front->points[i]->token);
    }
}
