/* SPDX-License-Identifier: Apache-2.0
 *
 * Tickets: units in a row, which members of a gang draw.
 *
 * If many units become ready at once and no member has any others, nobody has to hand them over
 * one by one.  Each member draws from a lane of its own first, which has every so-manieth unit of
 * the row, and then from the lanes of others: so that members that begin a row together, and end it
 * together, do not wait for each other at one counter.  There is one row at a time.
 *
 * A lane's count is one of the row that it says it is of.  A row begins with a unit that no other
 * row of a run has, and is followed by another only once each lane is drawn: so a lane that has
 * tickets left, and whose count has not changed, is one of the row that was looked at.
 */
#ifndef SIM_TICKETS_H
#define SIM_TICKETS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* How many tickets were drawn in the lower half; in the upper one the first unit of the row that
 * this is of, and one. */
struct ticket_lane {
    _Alignas(64) atomic_uint_least64_t drawn;
};

struct tickets {
    /* The first unit in the lower half, the end of the row in the upper one; 0 if there is none. */
    _Alignas(64) atomic_uint_least64_t row;
    _Alignas(64) uint32_t lane_count; /* set before a run */
    struct ticket_lane *lanes;
};

static inline uint32_t sim_row_begin(uint64_t row)
{
    return (uint32_t)row;
}

static inline uint32_t sim_row_size(uint64_t row)
{
    return (uint32_t)(row >> 32) - (uint32_t)row;
}

static inline uint64_t sim_tickets_row(const struct tickets *tickets)
{
    return atomic_load_explicit(&tickets->row, memory_order_acquire);
}

/* Requires that no other thread draws, or opens a row. */
static inline void sim_tickets_reset(struct tickets *tickets, uint32_t lanes)
{
    atomic_store_explicit(&tickets->row, 0, memory_order_relaxed);
    tickets->lane_count = lanes;
    for (uint32_t i = 0; i < lanes; i++)
        atomic_store_explicit(&tickets->lanes[i].drawn, 0, memory_order_relaxed);
}

/* Returns how many of a lane's tickets of a row were drawn, if `drawn` is the lane's count. */
static inline uint32_t sim_lane_drawn(uint64_t drawn, uint64_t row)
{
    return drawn >> 32 == (uint64_t)sim_row_begin(row) + 1 ? (uint32_t)drawn : 0;
}

static inline uint32_t sim_lane_size(const struct tickets *tickets, uint32_t lane, uint64_t row)
{
    const uint32_t size = sim_row_size(row);
    return size > lane ? (size - lane - 1) / tickets->lane_count + 1 : 0;
}

/* Returns true if there is a row that has not ended. */
static inline bool sim_tickets_any(const struct tickets *tickets)
{
    const uint64_t row = sim_tickets_row(tickets);
    for (uint32_t i = 0; row && i < tickets->lane_count; i++) {
        const uint64_t drawn = atomic_load_explicit(&tickets->lanes[i].drawn, memory_order_acquire);
        if (sim_lane_drawn(drawn, row) < sim_lane_size(tickets, i, row)) return true;
    }
    return false;
}

/* Opens a row of the units from `begin` to `end`, after one that has ended.  Returns false if
 * another thread has opened one. */
static inline bool sim_tickets_open_after(struct tickets *tickets, uint64_t ended, uint32_t begin,
                                          uint32_t end)
{
    return atomic_compare_exchange_strong(&tickets->row, &ended, (uint64_t)end << 32 | begin);
}

/* Does the same, or returns false if there is a row that has not ended. */
static inline bool sim_tickets_open(struct tickets *tickets, uint32_t begin, uint32_t end)
{
    const uint64_t row = sim_tickets_row(tickets);
    return !sim_tickets_any(tickets) && sim_tickets_open_after(tickets, row, begin, end);
}

/* Draws a lane's next unit of a row.  Returns false if there is none, or another row by now. */
static inline bool sim_lane_draw(struct tickets *tickets, uint32_t lane, uint64_t row,
                                 uint32_t *unit)
{
    atomic_uint_least64_t *count = &tickets->lanes[lane].drawn;
    const uint32_t size = sim_lane_size(tickets, lane, row);
    uint64_t drawn = atomic_load_explicit(count, memory_order_acquire);
    for (;;) {
        const uint32_t next = sim_lane_drawn(drawn, row);
        /* A count of a later row comes after that row has been opened. */
        if (next >= size || sim_tickets_row(tickets) != row) return false;
        const uint64_t more = ((uint64_t)sim_row_begin(row) + 1) << 32 | (next + 1);
        if (!atomic_compare_exchange_weak(count, &drawn, more)) continue;
        *unit = sim_row_begin(row) + lane + next * tickets->lane_count;
        return true;
    }
}

/* Draws a unit, from the lane of a seat or the next one that has any.  Returns false if the row has
 * ended; then it is noted in *ended, which the caller keeps, and costs a look from then on. */
static inline bool sim_tickets_draw(struct tickets *tickets, uint32_t seat, uint64_t *ended,
                                    uint32_t *unit)
{
    const uint64_t row = sim_tickets_row(tickets);
    if (row == *ended) return false;
    for (uint32_t i = 0, lane = seat % tickets->lane_count; i < tickets->lane_count; i++) {
        if (sim_lane_draw(tickets, lane, row, unit)) return true;
        if (++lane == tickets->lane_count) lane = 0;
    }
    if (sim_tickets_row(tickets) == row) *ended = row;
    return false;
}

#endif
