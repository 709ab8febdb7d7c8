/* SPDX-License-Identifier: Apache-2.0
 *
 * A timeline in text: what was noted is kept, as far as there is room, and drawn in the end.
 */
#ifndef TR_CHART_H
#define TR_CHART_H

#include <stdio.h>

#include "layer-trace/record/record.h"
#include "layer-trace/write/tracks.h"

enum { TR_CHART_MARKS = 1 << 16, TR_CHART_ROWS = 64 };

/* An operation, a node, or a wait of the host. */
struct tr_mark {
    const struct tr_name *name;
    uint64_t begin_ns, end_ns;
    uint16_t row;
    uint8_t kind;   /* rill_op_kind */
    uint8_t is_wait;
};

struct tr_row {
    unsigned platform;
    uint64_t queue;  /* 0 for the host                      */
    uint32_t lane;   /* of nodes, from 1; 0: of the stream  */
    int device;
    const struct tr_track *track; /* NULL for the host      */
};

struct tr_chart {
    struct tr_tracks tracks;
    struct tr_lanes waits;
    struct tr_row rows[TR_CHART_ROWS];
    uint32_t row_count;
    struct tr_mark *marks;
    uint32_t count, room;
    uint64_t left_out;            /* for want of room */
};

/* Returns NULL if memory is short. */
struct tr_chart *tr_chart_create(void);
void tr_chart_destroy(struct tr_chart *chart);

void tr_chart_add(struct tr_chart *chart, unsigned platform, const struct tr_record *record);

/* Draws it; nothing if nothing was noted. */
void tr_chart_draw(struct tr_chart *chart, FILE *out);

#endif
