/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/line.h"

#include <string.h>

#include "base/alloc.h"

struct ck_point ck_line_take(struct ck_order *order)
{
    for (size_t i = 0; i < order->left_count; i++) {
        struct ck_point point = order->left[i];
        if (!ck_clock_covers(order->host, point)) continue;
        order->left[i] = order->left[--order->left_count];
        return point;
    }
    return (struct ck_point){ .line = order->line_count++, .number = 0 };
}

void ck_line_leave(struct ck_order *order, struct ck_point point)
{
    if (order->left_count == order->left_room) {
        size_t room = order->left_room ? 2 * order->left_room : 16;
        struct ck_point *left = rl_alloc(room * sizeof *left);
        if (!left) {
            order->failed = true;
            return;
        }
        if (order->left) memcpy(left, order->left, order->left_count * sizeof *left);
        rl_free(order->left);
        order->left = left;
        order->left_room = room;
    }
    order->left[order->left_count++] = point;
}
