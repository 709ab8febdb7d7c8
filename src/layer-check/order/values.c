/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/values.h"

#include "base/alloc.h"
#include "layer-check/order/hole.h"


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

/* ---- Writes -------------------------------------------------------------------------------- */

static void drop_write(struct ck_values *values, struct ck_value_write **link)
{
    struct ck_value_write *write = *link;
    *link = write->next;
    ck_work_release(write->step.work);
    rl_free(write);
    values->count--;
}

void ck_values_fini(struct ck_values *values)
{
    while (values->writes) drop_write(values, &values->writes);
}

/* Tells whether a later write to the same place was known to the host: then this one is past. */
static bool is_past(const struct ck_values *values, const struct ck_order *order,
                    const struct ck_value_write *write)
{
    for (const struct ck_value_write *later = values->writes; later != write; later = later->next)
        if (later->address == write->address && ck_host_knows(order, &later->step)) return true;
    return false;
}

static void sweep_writes(struct ck_values *values, const struct ck_order *order)
{
    for (struct ck_value_write **link = &values->writes; *link;) {
        if (is_past(values, order, *link)) drop_write(values, link);
        else link = &(*link)->next;
    }
    values->swept = values->count;
}

/* Returns a clock of what is done once a step is done. */
static struct ck_clock *clock_of_step(struct ck_order *order, const struct ck_step *step)
{
    struct ck_work *work = step->work;
    struct ck_clock *clock = ck_clock_retain(work->before);
    const struct ck_extra part = { .launch = work, .node = step->node };
    struct ck_point point = step->node ? (struct ck_point){ work->at.line, work->own_before }
                                       : work->at;
    if (!ck_clock_join(&clock, order->nothing, point, UINT32_MAX) ||
        (step->node && !ck_clock_join_extra(&clock, &part)))
        order->failed = true;
    return clock;
}

/* Tells whether a clock has a hole, so that what it stands for comes after the wait: it cannot
 * have let the wait through. */
static bool comes_after(const struct ck_clock *clock, const struct ck_hole *wait)
{
    struct ck_walk walk = ck_walk_begin();
    const struct ck_hole *hole;
    ck_walk_add(&walk, clock);
    while ((hole = ck_walk_next(&walk)))
        if (hole == wait) return true;
    return false;
}

static void fill_holes(struct ck_order *order, const struct ck_step *step, uint64_t address,
                       uint64_t value)
{
    for (struct ck_hole **link = &order->holes; *link;) {
        struct ck_hole *hole = *link;
        if (hole->address != address || !meets(value, hole->value, hole->bytes, hole->flags)) {
            link = &hole->next;
            continue;
        }
        struct ck_clock *clock = clock_of_step(order, step);
        if (comes_after(clock, hole)) {
            ck_clock_release(clock);
            link = &hole->next;
            continue;
        }
        *link = hole->next;
        hole->clock = clock;
        hole->filled = true;
        ck_hole_release(hole);
    }
}

void ck_values_write(struct ck_values *values, struct ck_order *order, const struct ck_step *step,
                     const rill_value *value)
{
    struct ck_value_write *write = rl_alloc(sizeof *write);
    if (!write) {
        order->failed = true;
        return;
    }
    *write = (struct ck_value_write){ .next = values->writes, .step = *step,
                                      .address = value->address, .value = value->value,
                                      .bytes = width_of(value) };
    ck_work_retain(step->work);
    values->writes = write;
    if (++values->count > 32 && values->count > 2 * values->swept) sweep_writes(values, order);
    fill_holes(order, step, value->address, value->value);
}

/* ---- Waits --------------------------------------------------------------------------------- */

static struct ck_clock *open_hole(struct ck_order *order, const rill_value *value)
{
    struct ck_hole *hole = rl_zalloc(sizeof *hole);
    struct ck_clock *clock = ck_clock_retain(order->nothing);
    const struct ck_extra extra = { .hole = hole };
    if (!hole || !ck_clock_join_extra(&clock, &extra)) {
        rl_free(hole);
        order->failed = true;
        return clock;
    }
    hole->references++; /* the list's; the clock has one of its own */
    hole->address = value->address;
    hole->value = value->value;
    hole->bytes = width_of(value);
    hole->flags = value->flags;
    hole->next = order->holes;
    order->holes = hole;
    return clock;
}

/* Tells whether another write is known to have come between a write and the wait, so that the
 * wait cannot have seen it: one that does not meet the condition. */
static bool is_overwritten(const struct ck_values *values, const struct ck_value_write *write,
                           const rill_value *wait)
{
    for (const struct ck_value_write *later = values->writes; later != write; later = later->next)
        if (later->address == write->address &&
            !meets(later->value, wait->value, width_of(wait), wait->flags) &&
            ck_step_ordered(&write->step, &later->step))
            return true;
    return false;
}

struct ck_clock *ck_values_wait(struct ck_values *values, struct ck_order *order,
                                const rill_value *value)
{
    struct ck_clock *clock = NULL;
    for (const struct ck_value_write *write = values->writes; write; write = write->next) {
        if (write->address != value->address || write->step.work->dead ||
            !meets(write->value, value->value, width_of(value), value->flags) ||
            is_overwritten(values, write, value))
            continue;
        struct ck_clock *one = clock_of_step(order, &write->step);
        if (!clock) {
            clock = one;
            continue;
        }
        if (!ck_clock_meet(&clock, one)) order->failed = true;
        ck_clock_release(one);
    }
    return clock ? clock : open_hole(order, value);
}

void ck_values_give_up(struct ck_order *order)
{
    while (order->holes) {
        struct ck_hole *hole = order->holes;
        order->holes = hole->next;
        hole->filled = hole->all = true;
        ck_hole_release(hole);
    }
}
