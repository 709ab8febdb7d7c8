/* SPDX-License-Identifier: Apache-2.0
 *
 * Units in a row, of which each member of a gang draws the next.
 *
 * Where many become ready at once and nobody else has any, that costs each a single
 * update of a number that all share, and nobody has to look into another's deque.  There
 * is one row at a time.
 */
#ifndef SIM_TICKETS_H
#define SIM_TICKETS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The next unit in the lower half, in the upper one the end of the row.  Who draws from a
 * row that has ended counts up all the same, at most once for each member. */
struct lots {
    _Alignas(64) atomic_uint_least64_t row;
};

static inline bool sim_lots_left(uint64_t row)
{
    return (uint32_t)row < (uint32_t)(row >> 32);
}

static inline bool sim_lots_any(const struct lots *lots)
{
    return sim_lots_left(atomic_load_explicit(&lots->row, memory_order_relaxed));
}

static inline void sim_lots_reset(struct lots *lots)
{
    atomic_store_explicit(&lots->row, 0, memory_order_relaxed);
}

/* Units from `begin` on; false: there is a row that has not ended. */
static inline bool sim_lots_open(struct lots *lots, uint32_t begin, uint32_t end)
{
    uint64_t row = atomic_load_explicit(&lots->row, memory_order_relaxed);
    return !sim_lots_left(row) &&
           atomic_compare_exchange_strong(&lots->row, &row, (uint64_t)end << 32 | begin);
}

/* The row may be another one by the time of the draw: that is as good. */
static inline bool sim_lots_draw(struct lots *lots, uint32_t *unit)
{
    if (!sim_lots_any(lots)) return false;
    uint64_t row = atomic_fetch_add(&lots->row, 1);
    *unit = (uint32_t)row;
    return sim_lots_left(row);
}

#endif
