/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/write/arrows.h"

#include <stddef.h>

static uint64_t place_of(uint64_t track, uint64_t point)
{
    return (point + track * 0x9e3779b1u) % TR_ENDS;
}

void tr_arrows_note(struct tr_arrows *arrows, const struct tr_end *end, bool record)
{
    struct tr_end *ends = record ? arrows->records : arrows->others;
    ends[place_of(end->track, end->point)] = *end;
}

const struct tr_end *tr_arrows_find(const struct tr_arrows *arrows, uint64_t track,
                                    uint64_t point)
{
    const struct tr_end *end = &arrows->records[place_of(track, point)];
    if (end->track == track && end->point == point) return end;
    end = &arrows->others[place_of(track, point)];
    return end->track == track && end->point == point ? end : NULL;
}
