/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/values.h"

#include "base/alloc.h"
#include "layer-check/order/hole.h"

static uint32_t width_of(const rill_value *value)
{
    return value->kind == RILL_VALUE_WAIT_64 || value->kind == RILL_VALUE_WRITE_64 ? 8 : 4;
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
    while (place && (place->past || place->address != address)) place = place->next;
    if (place) return place;
    place = rl_zalloc(sizeof *place);
    if (!place) return NULL;
    place->address = address;
    place->next = *bucket;
    if (!values->high || address < values->low) values->low = address;
    if (address >= values->high) values->high = address + 1;
    return *bucket = place;
}

/* ---- Holes --------------------------------------------------------------------------------- */

static void list_hole(struct ck_hole **list, struct ck_hole *hole)
{
    hole->next = *list;
    hole->link = list;
    if (hole->next) hole->next->link = &hole->next;
    *list = hole;
}

static void unlist_hole(struct ck_hole *hole)
{
    *hole->link = hole->next;
    if (hole->next) hole->next->link = hole->link;
}

/* Returns a hole of a clock that is settled which nobody has filled, or NULL. */
static struct ck_hole *open_hole_of(const struct ck_clock *clock)
{
    for (uint32_t i = 0; i < clock->extra_count; i++)
        if (clock->extras[i].hole && !clock->extras[i].hole->filled) return clock->extras[i].hole;
    return NULL;
}

/* Puts a hole where it belongs: in the list of its place that the next write looks through, or
 * among those that another open one is before. */
static void place_hole(struct ck_hole *hole)
{
    struct ck_hole *first = open_hole_of(hole->before);
    list_hole(first ? &hole->place->blocked : &hole->place->holes, hole);
    if (!first) return;
    hole->next_behind = first->behind;
    first->behind = hole;
    ck_hole_retain(hole);
}

/* Forgets an open hole. */
static void drop_hole(struct ck_hole *hole)
{
    while (hole->behind) {
        struct ck_hole *blocked = hole->behind;
        hole->behind = blocked->next_behind;
        ck_hole_release(blocked);
    }
    unlist_hole(hole);
    ck_work_release(hole->work);
    ck_hole_release(hole);
}

/* Fills a hole.  Those behind it are ready to be looked at again. */
static void fill_hole(struct ck_values *values, struct ck_hole *hole, struct ck_clock *clock)
{
    while (hole->behind) {
        struct ck_hole *blocked = hole->behind;
        hole->behind = blocked->next_behind;
        blocked->next_behind = values->ready;
        values->ready = blocked;
    }
    hole->clock = ck_clock_retain(clock);
    hole->filled = true;
    drop_hole(hole);
}

/* Forgets the places of a bucket in memory that is new.  Those with an open hole remain, for what
 * fills it is among what was written there. */
static void forget_places(struct ck_value_place **link, uint64_t base, uint64_t bytes)
{
    while (*link) {
        struct ck_value_place *place = *link;
        bool meant = place->address - base < bytes;
        if (!meant || place->holes || place->blocked) {
            place->past = place->past || meant;
            link = &place->next;
            continue;
        }
        *link = place->next;
        ck_value_place_fini(place);
        rl_free(place);
    }
}

void ck_values_forget(struct ck_values *values, uint64_t base, uint64_t bytes)
{
    if (base >= values->high || base + bytes <= values->low) return;
    if (bytes / 4 < CK_VALUE_BUCKETS)
        for (uint64_t at = (base + 3) & ~UINT64_C(3); at - base < bytes; at += 4)
            forget_places(&values->places[bucket_of(at)], base, bytes);
    else
        for (size_t i = 0; i < CK_VALUE_BUCKETS; i++)
            forget_places(&values->places[i], base, bytes);
}

void ck_values_fini(struct ck_values *values)
{
    for (size_t i = 0; i < CK_VALUE_BUCKETS; i++)
        while (values->places[i]) {
            struct ck_value_place *place = values->places[i];
            values->places[i] = place->next;
            while (place->holes) drop_hole(place->holes);
            while (place->blocked) drop_hole(place->blocked);
            ck_value_place_fini(place);
            rl_free(place);
        }
}

/* ---- What lets a wait through -------------------------------------------------------------- */

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

/* Returns what all writes that may have let a wait through promise, to be released, or NULL if
 * there is none. */
static struct ck_clock *clock_of_seen(struct ck_value_place *place, struct ck_order *order,
                                      const struct ck_value_wait *wait)
{
    struct ck_clock *clock = NULL;
    ck_value_place_seek(place, wait);
    for (const struct ck_value_writer *writer = place->writers; writer; writer = writer->next) {
        const struct ck_value_write *write = ck_value_place_find(place, writer, order, wait);
        if (write) meet_step(order, &clock, &write->step);
    }
    return clock;
}

/* Looks again at holes that had an open one before them: what comes before their waits is known
 * now, and with it which of the writes so far they may have seen. */
static void look_again(struct ck_values *values, struct ck_order *order)
{
    while (values->ready) {
        struct ck_hole *hole = values->ready;
        values->ready = hole->next_behind;
        if (!hole->filled) {
            unlist_hole(hole);
            if (!ck_clock_settle(&hole->before)) order->failed = true;
            place_hole(hole);
            const struct ck_value_wait wait = {
                .step = { .work = hole->work, .node = hole->node }, .newest = hole->newest,
                .value = hole->value, .bytes = hole->bytes, .flags = hole->flags
            };
            struct ck_clock *clock =
                open_hole_of(hole->before) ? NULL : clock_of_seen(hole->place, order, &wait);
            if (clock) fill_hole(values, hole, clock);
            ck_clock_release(clock);
        }
        ck_hole_release(hole);
    }
}

/* ---- Writes -------------------------------------------------------------------------------- */

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

void ck_values_write(struct ck_values *values, struct ck_order *order, const struct ck_step *step,
                     const rill_value *value)
{
    struct ck_value_place *place = place_at(values, value->address);
    if (!place || !ck_value_place_add(place, order, step, &value->value)) {
        order->failed = true;
        return;
    }
    if (!place->holes) return;
    struct ck_clock *clock = ck_order_clock_after(order, step);
    for (struct ck_hole *hole = place->holes, *next; hole; hole = next) {
        next = hole->next;
        if (ck_value_meets(value->value, hole->value, hole->bytes, hole->flags) &&
            !comes_after(clock, hole))
            fill_hole(values, hole, clock);
    }
    ck_clock_release(clock);
    look_again(values, order);
}

/* ---- Writes of others ---------------------------------------------------------------------- */

static struct ck_value_place *find_place(const struct ck_values *values, uint64_t address)
{
    struct ck_value_place *place = values->places[bucket_of(address)];
    while (place && (place->past || place->address != address)) place = place->next;
    return place;
}

bool ck_values_know(const struct ck_values *values, uint64_t address)
{
    return find_place(values, address) != NULL;
}

bool ck_values_learn(struct ck_values *values, uint64_t address)
{
    return place_at(values, address) != NULL;
}

static void overwrite_place(struct ck_value_place *place, struct ck_order *order,
                            const struct ck_step *step)
{
    if (!ck_value_place_add(place, order, step, NULL)) order->failed = true;
}

void ck_values_overwrite(struct ck_values *values, struct ck_order *order,
                         const struct ck_step *step, uint64_t base, uint64_t bytes)
{
    if (base >= values->high || base + bytes <= values->low) return;
    if (bytes / 4 < CK_VALUE_BUCKETS) {
        for (uint64_t at = base & ~UINT64_C(3); at < base + bytes; at += 4) {
            struct ck_value_place *place = find_place(values, at);
            if (place) overwrite_place(place, order, step);
        }
        return;
    }
    for (size_t i = 0; i < CK_VALUE_BUCKETS; i++)
        for (struct ck_value_place *place = values->places[i]; place; place = place->next)
            if (!place->past && place->address - base < bytes) overwrite_place(place, order, step);
}

/* ---- Waits --------------------------------------------------------------------------------- */

/* Opens a hole for a wait.  Returns a clock with it. */
static struct ck_clock *open_hole(struct ck_value_place *place, struct ck_order *order,
                                  const struct ck_value_wait *wait, struct ck_clock *before)
{
    struct ck_clock *clock = ck_clock_retain(order->nothing);
    struct ck_hole *hole = rl_zalloc(sizeof *hole);
    if (!hole) {
        order->failed = true;
        return clock;
    }
    *hole = (struct ck_hole){ .references = 1, .at = wait->step.work->at, .node = wait->step.node,
                              .work = ck_work_retain(wait->step.work), .place = place,
                              .before = ck_clock_retain(before), .newest = wait->newest,
                              .value = wait->value, .bytes = wait->bytes, .flags = wait->flags };
    const struct ck_extra extra = { .hole = hole };
    if (!ck_clock_join_extra(&clock, &extra)) order->failed = true;
    place_hole(hole);
    return clock;
}

struct ck_clock *ck_values_wait(struct ck_values *values, struct ck_order *order,
                                const struct ck_step *step, struct ck_clock *before,
                                const rill_value *value, const uint64_t *now)
{
    struct ck_value_place *place = place_at(values, value->address);
    if (!place) return NULL;
    const struct ck_value_wait wait = { .step = *step, .newest = place->newest,
                                        .value = value->value, .bytes = width_of(value),
                                        .flags = value->flags, .now = now };
    ck_clock_retain(before);
    if (!ck_clock_settle(&before)) order->failed = true;
    struct ck_clock *clock =
        open_hole_of(before) ? NULL : clock_of_seen(place, order, &wait);
    if (!clock) clock = open_hole(place, order, &wait, before);
    ck_clock_release(before);
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

/* Returns a clock of what may have let a wait through which nobody is known to have let through, to
 * be released: what the host knows, and who has written there.  Returns NULL if nobody has, or
 * memory is short. */
static struct ck_clock *clock_of_unknown(struct ck_order *order, const struct ck_hole *hole)
{
    const struct ck_value_wait wait = { .step = { .work = hole->work, .node = hole->node },
                                        .newest = hole->newest };
    const struct ck_point host = { CK_HOST_LINE, order->host_number };
    struct ck_clock *clock = NULL;
    if (order->unseen || order->running) return NULL;
    for (struct ck_value_writer *writer = hole->place->writers; writer; writer = writer->next) {
        const struct ck_value_write *write = ck_value_writer_unknown(writer, &wait);
        if (!write) continue;
        struct ck_clock *after = ck_order_clock_after(order, &write->step);
        if (!clock) clock = ck_clock_retain(order->host);
        if (!ck_clock_join(&clock, after, host, UINT32_MAX)) order->failed = true;
        ck_clock_release(after);
    }
    return clock;
}

/* Lists the holes of a clock that nobody has filled, and those behind them, the oldest first; they
 * are retained. */
static struct ck_hole *list_open(const struct ck_clock *clock)
{
    struct ck_walk walk = ck_walk_begin();
    struct ck_hole *hole, *open = NULL;
    ck_walk_add(&walk, clock);
    while ((hole = ck_walk_next(&walk))) {
        if (hole->filled) continue;
        ck_walk_add(&walk, hole->before);
        hole->listed = open;
        open = hole;
        ck_hole_retain(hole);
    }
    return open;
}

static void give_up_hole(struct ck_values *values, struct ck_order *order, struct ck_hole *hole)
{
    struct ck_clock *clock = clock_of_unknown(order, hole);
    if (!clock) clock = clock_of_all(order);
    if (clock) fill_hole(values, hole, clock);
    else order->failed = true;
    ck_clock_release(clock);
    look_again(values, order);
}

/* From the oldest on: what was before a wait tells who may have let it through. */
void ck_values_give_up(struct ck_values *values, struct ck_order *order,
                       const struct ck_clock *clock)
{
    struct ck_hole *open = list_open(clock);
    while (open) {
        struct ck_hole *hole = open;
        open = hole->listed;
        if (!hole->filled && !order->failed) give_up_hole(values, order, hole);
        ck_hole_release(hole);
    }
}

const struct ck_value_place *ck_values_at(const struct ck_values *values, uint64_t address,
                                          const struct ck_value_place *before)
{
    const struct ck_value_place *place =
        before ? before->next : values->places[bucket_of(address)];
    while (place && place->address != address) place = place->next;
    return place;
}
