/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/outcome.h"

#include <string.h>

#include "base/alloc.h"

bool xp_order_add(struct xp_order *order, struct xp_name name)
{
    if (order->count == order->room) {
        size_t room = order->room ? 2 * order->room : 16;
        struct xp_name *items = rl_alloc(room * sizeof *items);
        if (!items) return false;
        if (order->count) memcpy(items, order->items, order->count * sizeof *items);
        rl_free(order->items);
        order->items = items;
        order->room = room;
    }
    order->items[order->count++] = name;
    return true;
}

void xp_order_fini(struct xp_order *order)
{
    rl_free(order->items);
    *order = (struct xp_order){ .items = NULL };
}

bool xp_pairs_init(struct xp_pairs *pairs, size_t count)
{
    pairs->words = (count + 63) / 64;
    pairs->bits = rl_zalloc((count * pairs->words + 1) * sizeof *pairs->bits);
    return pairs->bits;
}

void xp_pairs_fini(struct xp_pairs *pairs)
{
    rl_free(pairs->bits);
    *pairs = (struct xp_pairs){ .bits = NULL };
}

void xp_outcome_fini(struct xp_outcome *outcome)
{
    xp_order_fini(&outcome->taken);
    xp_order_fini(&outcome->steps);
    xp_pairs_fini(&outcome->before);
    xp_pairs_fini(&outcome->conflicts);
}

bool xp_outcome_has_order(const struct xp_outcome *outcome, const struct xp_name *names,
                          size_t count)
{
    size_t next = 0;
    for (size_t i = 0; next < count && i < outcome->taken.count; i++)
        if (xp_same_name(&outcome->taken.items[i], &names[next])) next++;
    return next == count;
}
