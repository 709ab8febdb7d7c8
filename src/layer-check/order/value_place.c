/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/value_place.h"

#include <string.h>

#include "base/alloc.h"

/* How many writes of one writer are told apart, at least: the newest. */
#define WRITES_MAX 1024u

bool ck_value_meets(uint64_t seen, uint64_t wanted, uint32_t bytes, uint32_t flags)
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

/* ---- Noting -------------------------------------------------------------------------------- */

/* Returns the writer that a step is of.  Returns NULL if memory is short. */
static struct ck_value_writer *writer_of(struct ck_value_place *place, const struct ck_step *step)
{
    const uint32_t line = step->work->at.line;
    struct ck_value_writer *writer = place->writers;
    while (writer && (writer->line != line || writer->node != step->node)) writer = writer->next;
    if (writer || !(writer = rl_zalloc(sizeof *writer))) return writer;
    writer->line = line;
    writer->node = step->node;
    writer->next = place->writers;
    return place->writers = writer;
}

static bool grow_writer(struct ck_value_writer *writer)
{
    size_t room = writer->room ? 2 * writer->room : 4;
    struct ck_value_write *writes = rl_alloc(room * sizeof *writes);
    if (!writes) return false;
    if (writer->count) memcpy(writes, writer->writes, writer->count * sizeof *writes);
    rl_free(writer->writes);
    writer->writes = writes;
    writer->room = room;
    return true;
}

static void drop_writes(struct ck_value_writer *writer, size_t count)
{
    for (size_t i = 0; i < count; i++) ck_work_release(writer->writes[i].step.work);
    writer->count -= count;
    if (count && writer->count)
        memmove(writer->writes, writer->writes + count, writer->count * sizeof *writer->writes);
}

/* Drops the writes that are past, since the host knows a later one to be done.  If there are many,
 * it drops the oldest ones that were judged, too: nobody else has their works any more. */
static void sweep_writer(struct ck_value_writer *writer, const struct ck_order *order)
{
    size_t low = 0, high = writer->count; /* the host knows those below */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ck_host_knows(order, &writer->writes[middle].step)) low = middle + 1;
        else high = middle;
    }
    size_t past = low ? low - 1 : 0;
    while (writer->count - past > WRITES_MAX && writer->writes[past].step.work->references == 1)
        past++;
    drop_writes(writer, past);
}

static void sweep_place(struct ck_value_place *place, const struct ck_order *order)
{
    place->count = 0;
    for (struct ck_value_writer *writer = place->writers; writer; writer = writer->next) {
        sweep_writer(writer, order);
        place->count += writer->count;
    }
    place->swept = place->count;
}

/* Returns where a write of a work with a number belongs: what a kernel has written is known only
 * when the kernel has ended. */
static size_t place_of(const struct ck_value_writer *writer, uint64_t number)
{
    size_t at = writer->count;
    while (at && writer->writes[at - 1].step.work->at.number > number) at--;
    return at;
}

bool ck_value_place_add(struct ck_value_place *place, const struct ck_order *order,
                        const struct ck_step *step, const uint64_t *value)
{
    struct ck_value_writer *writer = writer_of(place, step);
    if (!writer || (writer->count == writer->room && !grow_writer(writer))) return false;
    size_t at = place_of(writer, step->work->at.number);
    memmove(&writer->writes[at + 1], &writer->writes[at],
            (writer->count - at) * sizeof *writer->writes);
    writer->count++;
    writer->writes[at] = (struct ck_value_write){ .step = *step, .value = value ? *value : 0,
                                                  .unknown = !value, .number = ++place->newest };
    ck_work_retain(step->work);
    if (++place->count > 32 && place->count > 2 * place->swept) sweep_place(place, order);
    return true;
}

void ck_value_place_fini(struct ck_value_place *place)
{
    while (place->writers) {
        struct ck_value_writer *writer = place->writers;
        place->writers = writer->next;
        drop_writes(writer, writer->count);
        rl_free(writer->writes);
        rl_free(writer);
    }
}

/* ---- Searching ----------------------------------------------------------------------------- */

/* Tells whether a write and a wait are of one operation or node, whose values have an order of
 * their own. */
static bool are_together(const struct ck_value_write *write, const struct ck_value_wait *wait)
{
    return write->step.work == wait->step.work && write->step.node == wait->step.node;
}

static bool comes_before(const struct ck_value_write *write, const struct ck_value_wait *wait)
{
    if (are_together(write, wait)) return write->number <= wait->newest;
    return ck_step_ordered(&write->step, &wait->step);
}

static bool comes_after(const struct ck_value_write *write, const struct ck_value_wait *wait)
{
    if (are_together(write, wait)) return write->number > wait->newest;
    return ck_step_ordered(&wait->step, &write->step);
}

/* Returns how many writes come before a wait. */
static size_t count_before(const struct ck_value_writer *writer, const struct ck_value_wait *wait)
{
    size_t low = 0, high = writer->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (comes_before(&writer->writes[middle], wait)) low = middle + 1;
        else high = middle;
    }
    while (low && writer->writes[low - 1].step.work->dead) low--;
    return low;
}

void ck_value_place_seek(struct ck_value_place *place, const struct ck_value_wait *wait)
{
    for (struct ck_value_writer *writer = place->writers; writer; writer = writer->next)
        writer->before = count_before(writer, wait);
}

/* Returns the last write that comes before the wait of a search, or NULL. */
static const struct ck_value_write *last_before(const struct ck_value_writer *writer)
{
    return writer->before ? &writer->writes[writer->before - 1] : NULL;
}

/* Tells whether another writer has written something else between a write and the wait of a
 * search. */
static bool is_overwritten(const struct ck_value_place *place,
                           const struct ck_value_writer *writer)
{
    const struct ck_value_write *write = last_before(writer);
    for (const struct ck_value_writer *other = place->writers; other; other = other->next) {
        const struct ck_value_write *last = last_before(other);
        if (other != writer && last && ck_step_ordered(&write->step, &last->step)) return true;
    }
    return false;
}

static bool meets(const struct ck_value_write *write, const struct ck_value_wait *wait)
{
    return !write->unknown && !write->step.work->dead &&
           ck_value_meets(write->value, wait->value, wait->bytes, wait->flags);
}

/* Tells whether somebody who is not known has written since: the write is done, and what is there
 * would not let the wait through. */
static bool was_reset(const struct ck_value_write *write, const struct ck_order *order,
                      const struct ck_value_wait *wait)
{
    return wait->now && ck_host_knows(order, &write->step) &&
           !ck_value_meets(*wait->now, wait->value, wait->bytes, wait->flags);
}

/* Returns the oldest write from number `first` on that meets the condition of a wait, unless it
 * comes after the wait; or NULL.  What follows a write that comes after the wait does, too: that is
 * looked at when the search has become twice as long, so that a long one ends soon. */
static const struct ck_value_write *find_met(const struct ck_value_writer *writer, size_t first,
                                             const struct ck_value_wait *wait)
{
    size_t look = first + 8;
    for (size_t i = first; i < writer->count; i++) {
        const struct ck_value_write *write = &writer->writes[i];
        bool met = meets(write, wait);
        if ((met || i == look) && comes_after(write, wait)) return NULL;
        if (met) return write;
        if (i == look) look += look - first;
    }
    return NULL;
}

/* Of the writes before the wait only the last one can be seen, and any of those in no order. */
const struct ck_value_write *ck_value_place_find(const struct ck_value_place *place,
                                                 const struct ck_value_writer *writer,
                                                 const struct ck_order *order,
                                                 const struct ck_value_wait *wait)
{
    const struct ck_value_write *last = last_before(writer);
    if (last && meets(last, wait) && !is_overwritten(place, writer) &&
        !was_reset(last, order, wait))
        return last;
    return find_met(writer, writer->before, wait);
}

const struct ck_value_write *ck_value_writer_unknown(const struct ck_value_writer *writer,
                                                     const struct ck_value_wait *wait)
{
    for (size_t i = writer->count; i-- > 0;) {
        const struct ck_value_write *write = &writer->writes[i];
        if (write->unknown && !write->step.work->dead && !comes_after(write, wait)) return write;
    }
    return NULL;
}

const struct ck_value_write *ck_value_place_last(const struct ck_value_place *place)
{
    const struct ck_value_write *last = NULL;
    for (const struct ck_value_writer *writer = place->writers; writer; writer = writer->next) {
        size_t count = writer->count;
        while (count && writer->writes[count - 1].unknown) count--;
        const struct ck_value_write *newest = count ? &writer->writes[count - 1] : NULL;
        if (newest && (!last || newest->number > last->number)) last = newest;
    }
    return last;
}
