/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/values.h"

#include "base/alloc.h"
#include "layer-check/order/hole.h"

/* How many writes to one place are told apart, at least: the newest. */
#define WRITES_MAX 1024u

static uint32_t width_of(const rill_value *value)
{
    return value->kind == RILL_VALUE_WAIT_64 || value->kind == RILL_VALUE_WRITE_64 ? 8 : 4;
}

static bool meets(uint64_t seen, uint64_t wanted, uint32_t bytes, uint32_t flags)
{
    uint64_t mask = bytes == 8 ? UINT64_MAX : UINT32_MAX;
    seen &= mask;
    wanted &= mask;
    switch (flags & 3u) {
    case RILL_WAIT_EQ: return seen == wanted;
    case RILL_WAIT_AND: return (seen & wanted) != 0;
    case RILL_WAIT_NOR: return (~(seen | wanted) & mask) != 0;
    default: return !((seen - wanted) & (mask ^ mask >> 1));
    }
}

/* ---- Places -------------------------------------------------------------------------------- */

static uint64_t bucket_of(uint64_t address)
{
    return ((address >> 2) * UINT64_C(0x9E3779B97F4A7C15) >> 32) % CK_VALUE_BUCKETS;
}

/* Returns what is known of a place.  Returns NULL if memory is short. */
static struct ck_value_place *place_at(struct ck_values *values, uint64_t address)
{
    struct ck_value_place **bucket = &values->places[bucket_of(address)], *place = *bucket;
    while (place && place->address != address) place = place->next;
    if (place) return place;
    place = rl_zalloc(sizeof *place);
    if (!place) return NULL;
    place->address = address;
    place->next = *bucket;
    return *bucket = place;
}

static void drop_write(struct ck_value_place *place, struct ck_value_write **link)
{
    struct ck_value_write *write = *link;
    *link = write->next;
    ck_work_release(write->step.work);
    rl_free(write);
    place->count--;
}

static void list_hole(struct ck_value_place *place, struct ck_hole *hole)
{
    hole->next = place->holes;
    hole->link = &place->holes;
    if (hole->next) hole->next->link = &hole->next;
    place->holes = hole;
    ck_hole_retain(hole);
    ck_work_retain(hole->work);
}

static void unlist_hole(struct ck_hole *hole)
{
    *hole->link = hole->next;
    if (hole->next) hole->next->link = hole->link;
    ck_work_release(hole->work);
    ck_hole_release(hole);
}

void ck_values_fini(struct ck_values *values)
{
    for (size_t i = 0; i < CK_VALUE_BUCKETS; i++)
        while (values->places[i]) {
            struct ck_value_place *place = values->places[i];
            values->places[i] = place->next;
            while (place->writes) drop_write(place, &place->writes);
            while (place->holes) unlist_hole(place->holes);
            rl_free(place);
        }
}

/* ---- Writes -------------------------------------------------------------------------------- */

/* Drops the writes from *link on, the oldest ones. */
static void drop_writes(struct ck_value_place *place, struct ck_value_write **link)
{
    for (struct ck_value_write *write = place->writes; *link && write != *link;
         write = write->next)
        if (write->past && write->past->number <= (*link)->number) write->past = NULL;
    while (*link) drop_write(place, link);
}

/* Drops writes that are past, since a later one was known to the host, and the oldest ones if
 * there are many. */
static void sweep_writes(struct ck_value_place *place, const struct ck_order *order)
{
    struct ck_value_write **link = &place->writes;
    bool known = false;
    for (size_t kept = 0; *link && !known && kept < WRITES_MAX; kept++) {
        known = ck_host_knows(order, &(*link)->step);
        link = &(*link)->next;
    }
    drop_writes(place, link);
    place->swept = place->count;
}

/* Tells whether what a clock stands for comes after a wait, so that it cannot have let the wait
 * through. */
static bool comes_after(const struct ck_clock *clock, const struct ck_hole *wait)
{
    if (ck_clock_covers(clock, wait->at)) return true;
    for (uint32_t i = 0; i < clock->extra_count; i++) {
        const struct ck_work *launch = clock->extras[i].launch;
        if (launch && launch->at.line == wait->at.line && launch->at.number == wait->at.number &&
            ck_node_reaches(launch, wait->node, clock->extras[i].node))
            return true;
    }
    return false;
}

static void fill_hole(struct ck_hole *hole, struct ck_clock *clock)
{
    hole->clock = ck_clock_retain(clock);
    hole->filled = true;
    unlist_hole(hole);
}

static void fill_holes(struct ck_value_place *place, struct ck_clock *clock, uint64_t value)
{
    for (struct ck_hole *hole = place->holes, *next; hole; hole = next) {
        next = hole->next;
        if (meets(value, hole->value, hole->bytes, hole->flags) && !comes_after(clock, hole))
            fill_hole(hole, clock);
    }
}

void ck_values_write(struct ck_values *values, struct ck_order *order, const struct ck_step *step,
                     const rill_value *value)
{
    struct ck_value_place *place = place_at(values, value->address);
    struct ck_value_write *write = place ? rl_alloc(sizeof *write) : NULL;
    if (!write) {
        order->failed = true;
        return;
    }
    struct ck_value_write *last = place->writes;
    *write = (struct ck_value_write){ .next = last, .step = *step, .value = value->value,
                                      .number = ++place->newest };
    write->past = last && ck_step_ordered(&last->step, step) ? last->past : last;
    ck_work_retain(step->work);
    place->writes = write;
    if (++place->count > 32 && place->count > 2 * place->swept) sweep_writes(place, order);
    if (!place->holes) return;
    struct ck_clock *clock = ck_order_clock_after(order, step);
    fill_holes(place, clock, value->value);
    ck_clock_release(clock);
}

/* ---- Waits --------------------------------------------------------------------------------- */

static struct ck_clock *open_hole(struct ck_value_place *place, struct ck_order *order,
                                  const struct ck_step *step, struct ck_clock *before,
                                  const rill_value *value)
{
    struct ck_clock *clock = ck_clock_retain(order->nothing);
    struct ck_hole *hole = rl_zalloc(sizeof *hole);
    if (!hole) {
        order->failed = true;
        return clock;
    }
    *hole = (struct ck_hole){ .references = 1, .at = step->work->at, .node = step->node,
                              .work = step->work,
                              .before = ck_clock_retain(before), .value = value->value,
                              .bytes = width_of(value), .flags = value->flags };
    const struct ck_extra extra = { .hole = hole };
    if (ck_clock_settle(&hole->before) && ck_clock_join_extra(&clock, &extra))
        list_hole(place, hole);
    else order->failed = true;
    ck_hole_release(hole);
    return clock;
}

/* Tells whether a write is known to come before one of some later writes.  If these do not meet the
 * condition of a wait, the wait cannot have seen it. */
static bool comes_before(const struct ck_value_write *write, const struct ck_value_write *others)
{
    for (; others; others = others->other)
        if (ck_step_ordered(&write->step, &others->step)) return true;
    return false;
}

/* Has a clock, or none if it is NULL, promise no more than a step does. */
static void meet_step(struct ck_order *order, struct ck_clock **clock, const struct ck_step *step)
{
    struct ck_clock *one = ck_order_clock_after(order, step);
    if (!*clock) {
        *clock = one;
        return;
    }
    if (!ck_clock_meet(clock, one)) order->failed = true;
    ck_clock_release(one);
}

struct ck_clock *ck_values_wait(struct ck_values *values, struct ck_order *order,
                                const struct ck_step *step, struct ck_clock *before,
                                const rill_value *value)
{
    struct ck_value_place *place = place_at(values, value->address);
    const struct ck_value_write *first = NULL;
    struct ck_value_write *others = NULL;
    struct ck_clock *clock = NULL;
    if (!place) return NULL;
    for (struct ck_value_write *write = place->writes, *next; write; write = next) {
        next = write->next;
        if (write->step.work->dead) continue;
        /* What comes before one of the others is past if that one is. */
        if (comes_before(write, others)) {
            next = write->past;
            continue;
        }
        if (!meets(write->value, value->value, width_of(value), value->flags)) {
            write->other = others;
            others = write;
            next = write->past;
            continue;
        }
        /* One that comes before the other promises no more than both do. */
        if (first && !ck_step_ordered(&write->step, &first->step))
            meet_step(order, &clock, &first->step);
        first = write;
    }
    if (!first) return open_hole(place, order, step, before, value);
    meet_step(order, &clock, &first->step);
    return clock;
}

/* Returns a clock of all that was submitted so far, to be released; NULL if memory is short. */
static struct ck_clock *clock_of_all(struct ck_order *order)
{
    const struct ck_point host = { CK_HOST_LINE, order->host_number };
    struct ck_clock *clock = ck_clock_create();
    bool fits = clock && ck_clock_join(&clock, order->host, host, UINT32_MAX);
    for (const struct ck_stream *stream = order->streams; fits && stream; stream = stream->other)
        fits = ck_clock_join(&clock, order->nothing, stream->last, UINT32_MAX);
    for (size_t i = 0; fits && i < order->left_count; i++)
        fits = ck_clock_join(&clock, order->nothing, order->left[i], UINT32_MAX);
    if (fits) return clock;
    ck_clock_release(clock);
    return NULL;
}

void ck_values_give_up(struct ck_order *order, const struct ck_clock *clock)
{
    struct ck_walk walk = ck_walk_begin();
    struct ck_clock *all = NULL;
    struct ck_hole *hole, *open = NULL;
    ck_walk_add(&walk, clock);
    while ((hole = ck_walk_next(&walk))) {
        if (hole->filled) continue;
        ck_walk_add(&walk, hole->before);
        hole->walked = open;
        open = hole;
    }
    if (open && !(all = clock_of_all(order))) order->failed = true;
    while (all && open) {
        hole = open;
        open = hole->walked;
        fill_hole(hole, all);
    }
    ck_clock_release(all);
}

const struct ck_value_place *ck_values_at(const struct ck_values *values, uint64_t address)
{
    const struct ck_value_place *place = values->places[bucket_of(address)];
    while (place && place->address != address) place = place->next;
    return place;
}
