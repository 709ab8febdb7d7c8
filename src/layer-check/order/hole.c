/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/hole.h"

#include "base/alloc.h"

void ck_hole_release(struct ck_hole *hole)
{
    if (!hole || --hole->references) return;
    ck_clock_release(hole->clock);
    rl_free(hole);
}
