/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-tsan/launch/launch.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/tsan.h"

/* ---- Going back --------------------------------------------------------------------------- */

/* A way back through the places of a launch. */
struct walk {
    struct ts_launch *launch;
    bool *seen, *waits; /* places, and those of them that are pending */
    uint32_t *stack, depth;
};

static void push_place(struct walk *walk, uint32_t place)
{
    if (walk->seen[place]) return;
    walk->seen[place] = true;
    walk->stack[walk->depth++] = place;
}

static void push_before(struct walk *walk, uint32_t place)
{
    const struct ts_model *model = walk->launch->model;
    const struct ts_place *at = &model->places[place];
    for (uint32_t i = 0; i < at->count; i++) push_place(walk, model->before[at->first + i]);
    for (uint32_t i = at->begin; at->is_end && i < place; i++) push_place(walk, i);
}

/* Has the calling fiber come after a place, or goes on to what is before that. */
static void visit_place(struct walk *walk, uint32_t place)
{
    struct ts_launch *launch = walk->launch;
    struct ts_point *end = launch->ends[place];
    ts_front_acquire(launch->order, &launch->waits[place]);
    if (end && end->state == TS_PENDING) walk->waits[place] = true;
    else if (end) __tsan_acquire(&end->token);
    if (!end || end->state == TS_PENDING) push_before(walk, place);
}

/* Tells those that are pending, and come after them.  Those at lower places come first, so that
 * none has to be told while another one is. */
static void settle_places(struct walk *walk)
{
    struct ts_launch *launch = walk->launch;
    for (uint32_t i = 0; i < launch->model->count; i++) {
        if (!walk->waits[i]) continue;
        ts_point_settle(launch->order, launch->ends[i]);
        __tsan_acquire(&launch->ends[i]->token);
    }
}

static bool begin_walk(struct walk *walk, struct ts_launch *launch)
{
    const size_t count = launch->model->count + 1;
    *walk = (struct walk){ .launch = launch, .seen = rl_zalloc(count), .waits = rl_zalloc(count),
                           .stack = rl_alloc(count * sizeof *walk->stack) };
    ts_front_acquire(launch->order, &launch->before);
    if (walk->seen && walk->waits && walk->stack) return true;
    launch->order->failed = true;
    return false;
}

static void end_walk(struct walk *walk)
{
    while (walk->depth) visit_place(walk, walk->stack[--walk->depth]);
    settle_places(walk);
}

static void free_walk(struct walk *walk)
{
    rl_free(walk->seen);
    rl_free(walk->waits);
    rl_free(walk->stack);
}

void ts_launch_acquire(struct ts_launch *launch, uint32_t place)
{
    struct walk walk;
    if (begin_walk(&walk, launch)) {
        walk.seen[place] = true;
        ts_front_acquire(launch->order, &launch->waits[place]);
        push_before(&walk, place);
        end_walk(&walk);
    }
    free_walk(&walk);
}

static void acquire_whole(struct ts_launch *launch)
{
    struct walk walk;
    if (begin_walk(&walk, launch)) {
        for (uint32_t i = 0; i < launch->model->count; i++) push_place(&walk, i);
        end_walk(&walk);
    }
    free_walk(&walk);
}

/* ---- Points of places --------------------------------------------------------------------- */

#define WHOLE UINT32_MAX

/* What is before a place, or all of the launch. */
struct spot {
    struct ts_many many;
    struct ts_launch *launch;
    uint32_t place;
};

static void acquire_spot(struct ts_many *many)
{
    const struct spot *spot = (const struct spot *)many;
    if (spot->place == WHOLE) acquire_whole(spot->launch);
    else ts_launch_acquire(spot->launch, spot->place);
}

static void release_spot(struct ts_many *many)
{
    struct spot *spot = (struct spot *)many;
    ts_launch_release(spot->launch);
    rl_free(spot);
}

/* Has a point be pending that comes after what is before a place. */
static void tie_point(struct ts_launch *launch, struct ts_point *point, uint32_t place)
{
    struct spot *spot = rl_alloc(sizeof *spot);
    point->state = TS_PENDING;
    if (!spot) {
        launch->order->failed = true;
        return;
    }
    *spot = (struct spot){ { acquire_spot, release_spot }, ts_launch_retain(launch), place };
    point->many = &spot->many;
}

static void tie_copy(struct ts_launch *launch, uint32_t i)
{
    const struct ts_place *place = &launch->model->places[i];
    if (!place->access_count || place->disabled) return;
    struct ts_point *point = ts_point_create(launch->order, ts_line_new(), 1);
    if (!point) return;
    snprintf(point->name, sizeof point->name, "%s in a graph",
             place->kind == RILL_OP_MEMSET ? "fill" : "copy");
    point->site = launch->point->site;
    point->access_count = place->access_count;
    for (unsigned a = 0; a < place->access_count; a++) point->accesses[a] = place->accesses[a];
    tie_point(launch, point, i);
    launch->ends[i] = point;
}

void ts_launch_events(struct ts_launch *launch)
{
    for (uint32_t i = 0; i < launch->model->count; i++) {
        const struct ts_place *place = &launch->model->places[i];
        struct ts_event *event = place->event;
        if (!event) continue;
        if (place->kind == RILL_OP_EVENT_WAIT) {
            ts_front_join(launch->order, &launch->waits[i], &event->front);
            continue;
        }
        struct ts_point *point = ts_point_create(launch->order, ts_line_new(), 1);
        if (!point) return;
        tie_point(launch, point, i);
        ts_front_set(launch->order, &event->front, point);
        event->recorded = true;
        ts_point_release(point);
    }
}

/* ---- Life --------------------------------------------------------------------------------- */

struct ts_launch *ts_launch_create(struct ts_order *order, struct ts_model *model,
                                   struct ts_point *point)
{
    struct ts_launch *launch = rl_zalloc(sizeof *launch);
    const size_t count = model->count + 1;
    if (launch) {
        launch->ends = rl_zalloc(count * sizeof(struct ts_point *));
        launch->waits = rl_zalloc(count * sizeof *launch->waits);
    }
    if (!launch || !launch->ends || !launch->waits) {
        if (launch) rl_free(launch->ends);
        if (launch) rl_free(launch->waits);
        rl_free(launch);
        order->failed = true;
        return NULL;
    }
    launch->references = 1;
    launch->order = order;
    launch->model = model;
    model->references++;
    launch->point = ts_point_retain(point);
    ts_front_join(order, &launch->before, &point->before);
    for (uint32_t i = 0; i < model->count; i++) tie_copy(launch, i);
    tie_point(launch, point, WHOLE);
    return launch;
}

void ts_launch_release(struct ts_launch *launch)
{
    if (--launch->references) return;
    for (uint32_t i = 0; i < launch->model->count; i++) {
        ts_point_release(launch->ends[i]);
        ts_front_fini(&launch->waits[i]);
    }
    ts_front_fini(&launch->before);
    ts_model_release(launch->model);
    ts_point_release(launch->point);
    rl_free(launch->ends);
    rl_free(launch->waits);
    rl_free(launch);
}

void ts_launch_ran(struct ts_launch *launch, uint32_t place)
{
    struct ts_point *point = ts_point_create(launch->order, ts_line_new(), 1);
    if (!point) return;
    __tsan_release(&point->token);
    ts_point_finish(point);
    ts_point_release(launch->ends[place]);
    launch->ends[place] = point;
}

void ts_launch_end(struct ts_launch *launch, bool ran)
{
    struct ts_point *point = launch->point;
    if (!point) return;
    launch->point = NULL;
    for (uint32_t i = 0; !ran && i < launch->model->count; i++)
        if (launch->ends[i]) launch->ends[i]->access_count = 0;
    if (ran) ts_point_settle(launch->order, point);
    ts_point_release(point);
}
