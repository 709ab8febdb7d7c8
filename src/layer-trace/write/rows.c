/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/write/rows.h"

#include <unistd.h>

#include "layer-trace/write/event.h"

/* ---- The host ---------------------------------------------------------------------------- */

/* Numbers of processes below are devices'. */
enum { HOST_LEAST = 10000, HOST_ADDED = 1000000 };

void tr_rows_begin(struct tr_writer *writer)
{
    struct tr_out *out = &writer->out;
    uint64_t process = (uint64_t)getpid();
    writer->host = process < HOST_LEAST ? process + HOST_ADDED : process;
    tr_event_begin_name(out, "process_name", writer->host, 0);
    TR_PUT(out, "host (process ");
    tr_put_number(out, process);
    TR_PUT(out, ")\"}}");
    tr_event_sort(out, "process_sort_index", writer->host, 0, 0);
}

void tr_rows_name_thread(struct tr_writer *writer, const struct tr_record *record)
{
    struct tr_out *out = &writer->out;
    tr_event_begin_name(out, "thread_name", writer->host, record->thread);
    TR_PUT(out, "thread ");
    tr_put_number(out, record->thread);
    if (record->name->length) {
        TR_PUT(out, " (");
        tr_put(out, record->name->json, record->name->length);
        TR_PUT(out, ")");
    }
    TR_PUT(out, "\"}}");
    tr_event_sort(out, "thread_sort_index", writer->host, record->thread, record->thread);
}

/* ---- Devices ----------------------------------------------------------------------------- */

void tr_rows_name_device(struct tr_writer *writer, unsigned platform, int device,
                         const struct tr_name *name)
{
    struct tr_out *out = &writer->out;
    uint64_t process = tr_process_of(platform, device);
    tr_out_need(out);
    tr_event_begin_name(out, "process_name", process, 0);
    TR_PUT(out, "device ");
    tr_put_number(out, (uint64_t)device);
    if (platform) {
        TR_PUT(out, " of platform ");
        tr_put_number(out, platform + 1);
    }
    TR_PUT(out, ": ");
    tr_put(out, name->json, name->length);
    TR_PUT(out, "\"}}");
    tr_event_sort(out, "process_sort_index", process, 0, process + 1);
}

static void put_stream_name(struct tr_out *out, const struct tr_track *track)
{
    if (track->label) {
        tr_put(out, track->label->json, track->label->length);
        TR_PUT(out, " (stream ");
    } else {
        TR_PUT(out, "stream ");
    }
    tr_put_number(out, track->queue);
    if (track->label) TR_PUT(out, ")");
}

void tr_rows_name_track(struct tr_writer *writer, struct tr_track *track)
{
    struct tr_out *out = &writer->out;
    uint64_t process = tr_process_of(track->platform, track->device);
    tr_event_begin_name(out, "thread_name", process, track->queue);
    put_stream_name(out, track);
    TR_PUT(out, "\"}}");
    tr_event_sort(out, "thread_sort_index", process, track->queue, track->queue * 1000);
    track->shown = true;
}

/* Returns the number of a new row that is no stream's and no thread's. */
static uint64_t new_row(struct tr_writer *writer)
{
    return ((uint64_t)1 << 24) + ++writer->lanes;
}

uint64_t tr_row_of_node(struct tr_writer *writer, struct tr_track *track,
                        const struct tr_record *record)
{
    struct tr_out *out = &writer->out;
    uint32_t at = tr_lane_take(&track->nodes, record->begin_ns, record->end_ns);
    if (at == UINT32_MAX) return 0;
    struct tr_lane *lane = &track->nodes.items[at];
    if (lane->tid) return lane->tid;
    uint64_t process = tr_process_of(track->platform, track->device);
    lane->tid = new_row(writer);
    tr_event_begin_name(out, "thread_name", process, lane->tid);
    put_stream_name(out, track);
    TR_PUT(out, " nodes");
    if (at) {
        TR_PUT(out, " ");
        tr_put_number(out, at + 1);
    }
    TR_PUT(out, "\"}}");
    tr_event_sort(out, "thread_sort_index", process, lane->tid, track->queue * 1000 + at + 1);
    return lane->tid;
}

uint64_t tr_row_of_wait(struct tr_writer *writer, const struct tr_record *record)
{
    struct tr_out *out = &writer->out;
    uint32_t at = tr_lane_take(&writer->waits, record->begin_ns, record->end_ns);
    if (at == UINT32_MAX) return 0;
    struct tr_lane *lane = &writer->waits.items[at];
    if (lane->tid) return lane->tid;
    lane->tid = new_row(writer);
    tr_event_begin_name(out, "thread_name", writer->host, lane->tid);
    TR_PUT(out, "blocked\"}}");
    tr_event_sort(out, "thread_sort_index", writer->host, lane->tid, at);
    return lane->tid;
}
