/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/chart/chart.h"

#include <string.h>

#include "base/alloc.h"

struct tr_chart *tr_chart_create(void)
{
    return rl_zalloc(sizeof(struct tr_chart));
}

void tr_chart_destroy(struct tr_chart *chart)
{
    if (!chart) return;
    tr_tracks_fini(&chart->tracks);
    tr_lanes_fini(&chart->waits);
    rl_free(chart->marks);
    rl_free(chart);
}

/* ---- Rows ------------------------------------------------------------------------------ */

/* Returns the number of a row, or TR_CHART_ROWS if there is no room for it. */
static uint32_t find_row(struct tr_chart *chart, const struct tr_row *wanted)
{
    for (uint32_t i = 0; i < chart->row_count; i++) {
        const struct tr_row *row = &chart->rows[i];
        if (row->queue == wanted->queue && row->lane == wanted->lane &&
            row->platform == wanted->platform)
            return i;
    }
    if (chart->row_count == TR_CHART_ROWS) return TR_CHART_ROWS;
    chart->rows[chart->row_count] = *wanted;
    return chart->row_count++;
}

static uint32_t row_of_span(struct tr_chart *chart, unsigned platform,
                            const struct tr_record *record)
{
    struct tr_track *track = tr_track_of(&chart->tracks, platform, record->queue);
    if (!track) return TR_CHART_ROWS;
    struct tr_row row = { .platform = platform, .queue = record->queue, .track = track,
                          .device = record->device };
    if (record->node) {
        uint32_t lane = tr_lane_take(&track->nodes, record->begin_ns, record->end_ns);
        if (lane == UINT32_MAX) return TR_CHART_ROWS;
        row.lane = lane + 1;
    }
    return find_row(chart, &row);
}

static uint32_t row_of_wait(struct tr_chart *chart, const struct tr_record *record)
{
    uint32_t lane = tr_lane_take(&chart->waits, record->begin_ns, record->end_ns);
    return lane == UINT32_MAX ? TR_CHART_ROWS : find_row(chart, &(struct tr_row){ .lane = lane });
}

/* ---- Marks ----------------------------------------------------------------------------- */

static struct tr_mark *new_mark(struct tr_chart *chart)
{
    if (chart->count < chart->room) return &chart->marks[chart->count++];
    uint32_t room = chart->room ? 2 * chart->room : 256;
    struct tr_mark *marks = room > TR_CHART_MARKS ? NULL : rl_alloc(room * sizeof *marks);
    if (!marks) return NULL;
    if (chart->count) memcpy(marks, chart->marks, chart->count * sizeof *marks);
    rl_free(chart->marks);
    chart->marks = marks;
    chart->room = room;
    return &chart->marks[chart->count++];
}

static void add_mark(struct tr_chart *chart, const struct tr_record *record, uint32_t row,
                     bool is_wait)
{
    struct tr_mark *mark = row < TR_CHART_ROWS ? new_mark(chart) : NULL;
    if (!mark) {
        chart->left_out++;
        return;
    }
    *mark = (struct tr_mark){ record->name, record->begin_ns, record->end_ns, (uint16_t)row,
                              record->kind, is_wait };
}

/* What holds a stream up is a wait; records take no time. */
static void add_span(struct tr_chart *chart, unsigned platform, const struct tr_record *record)
{
    bool is_wait = record->kind == RILL_OP_EVENT_WAIT;
    if (record->kind == RILL_OP_EVENT_RECORD || record->kind == RILL_OP_EMPTY) return;
    add_mark(chart, record, row_of_span(chart, platform, record), is_wait);
}

void tr_chart_add(struct tr_chart *chart, unsigned platform, const struct tr_record *record)
{
    struct tr_track *track;
    switch ((enum tr_what)record->what) {
    case TR_SPAN: add_span(chart, platform, record); return;
    case TR_CALL:
        if (record->blocks) add_mark(chart, record, row_of_wait(chart, record), true);
        return;
    case TR_LABEL:
        track = tr_track_of(&chart->tracks, platform, record->queue);
        if (track) track->label = record->name;
        return;
    case TR_PARTS:
    case TR_THREAD: return;
    }
}
