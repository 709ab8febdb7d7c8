/* SPDX-License-Identifier: Apache-2.0
 *
 * Tickets: units in a row, the next of which each member of a gang draws.
 *
 * If many units become ready at once and no member has any others, each of them costs a single
 * update of a shared counter, and no member has to look into another's deque.  There is one
 * row at a time.
 */
#ifndef SIM_TICKETS_H
#define SIM_TICKETS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The next unit in the lower half, the end of the row in the upper one.  A draw from a row
 * that has ended counts up all the same, at most once for each member. */
struct tickets {
    _Alignas(64) atomic_uint_least64_t row;
};

static inline bool sim_tickets_left(uint64_t row)
{
    return (uint32_t)row < (uint32_t)(row >> 32);
}

static inline bool sim_tickets_any(const struct tickets *tickets)
{
    return sim_tickets_left(atomic_load_explicit(&tickets->row, memory_order_relaxed));
}

static inline void sim_tickets_reset(struct tickets *tickets)
{
    atomic_store_explicit(&tickets->row, 0, memory_order_relaxed);
}

/* Opens a row of the units from `begin` to `end`.  Returns false if there is a row that has
 * not ended. */
static inline bool sim_tickets_open(struct tickets *tickets, uint32_t begin, uint32_t end)
{
    uint64_t row = atomic_load_explicit(&tickets->row, memory_order_relaxed);
    return !sim_tickets_left(row) &&
           atomic_compare_exchange_strong(&tickets->row, &row, (uint64_t)end << 32 | begin);
}

/* Draws the next unit.  Returns false if the row has ended.  The row may be another one by the
 * time of the draw, which is as good. */
static inline bool sim_tickets_draw(struct tickets *tickets, uint32_t *unit)
{
    if (!sim_tickets_any(tickets)) return false;
    uint64_t row = atomic_fetch_add(&tickets->row, 1);
    *unit = (uint32_t)row;
    return sim_tickets_left(row);
}

#endif
