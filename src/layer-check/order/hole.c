/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/hole.h"

struct ck_walk ck_walk_begin(void)
{
    static _Atomic uint64_t last;
    return (struct ck_walk){ .number = ++last };
}

void ck_walk_add(struct ck_walk *walk, const struct ck_clock *clock)
{
    for (uint32_t i = 0; i < clock->extra_count; i++) {
        struct ck_hole *hole = clock->extras[i].hole;
        if (!hole || hole->walk == walk->number) continue;
        hole->walk = walk->number;
        hole->walked = walk->left;
        walk->left = hole;
    }
}

struct ck_hole *ck_walk_next(struct ck_walk *walk)
{
    struct ck_hole *hole = walk->left;
    if (!hole) return NULL;
    walk->left = hole->walked;
    if (hole->filled) {
        ck_walk_add(walk, ck_clock_newest(hole->before));
        ck_walk_add(walk, ck_clock_newest(hole->clock));
    }
    return hole;
}
