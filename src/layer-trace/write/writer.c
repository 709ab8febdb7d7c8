/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/write/writer.h"

#include <rill/status.h>

#include "base/alloc.h"
#include "layer-trace/write/event.h"
#include "layer-trace/write/rows.h"

static void put_words(struct tr_out *out, const char *words)
{
    tr_put(out, words, strlen(words));
}

/* ---- A file ------------------------------------------------------------------------------ */

struct tr_writer *tr_writer_create(int file, bool goes_on, uint64_t start_ns)
{
    struct tr_writer *writer = rl_zalloc(sizeof *writer);
    if (!writer || !tr_out_init(&writer->out, file)) {
        rl_free(writer);
        return NULL;
    }
    writer->start_ns = start_ns;
    /* All events but the first have a comma in front. */
    if (!goes_on) TR_PUT(&writer->out, "[\n{\"ph\":\"M\",\"pid\":0,\"name\":\"trace\"}");
    tr_rows_begin(writer);
    tr_out_flush(&writer->out);
    return writer;
}

int tr_writer_finish(struct tr_writer *writer)
{
    struct tr_out *out = &writer->out;
    tr_out_need(out);
    if (writer->lost) {
        tr_event_begin(out, 'M', writer->host, 0, "records that memory was too short for", 37);
        TR_PUT(out, ",\"args\":{\"count\":");
        tr_put_number(out, writer->lost);
        TR_PUT(out, "}}");
    }
    TR_PUT(out, TR_LAST_LINE);
    tr_out_fini(out);
    int error = out->error;
    tr_tracks_fini(&writer->tracks);
    tr_lanes_fini(&writer->waits);
    tr_places_fini(&writer->places);
    rl_free(writer);
    return error;
}

/* ---- Operations -------------------------------------------------------------------------- */

/* The categories are those of GPU profilers, where they have one. */
static const char *const categories[] = {
    [RILL_OP_KERNEL] = "kernel", [RILL_OP_MEMCPY] = "gpu_memcpy", [RILL_OP_MEMSET] = "gpu_memset",
    [RILL_OP_HOST] = "host_function", [RILL_OP_GRAPH] = "graph", [RILL_OP_EMPTY] = "empty",
    [RILL_OP_EVENT_WAIT] = "wait", [RILL_OP_EVENT_RECORD] = "record", [RILL_OP_ALLOC] = "memory",
    [RILL_OP_FREE] = "memory", [RILL_OP_VALUES] = "value", [RILL_OP_CONDITIONAL] = "conditional",
};

static const char *category_of(unsigned kind)
{
    const char *category = NULL;
    if (kind < sizeof categories / sizeof *categories) category = categories[kind];
    return category ? category : "operation";
}

/* Returns the number of an arrow, which has room for 32 thousand streams in what JavaScript has
 * for a whole number. */
static uint64_t arrow_number(uint64_t track, uint64_t point, bool wait)
{
    return ((track & 0x7fff) << 37 | (point & 0xfffffffff) << 1) + wait;
}

static void put_span(struct tr_writer *writer, const struct tr_record *record, uint64_t process,
                     uint64_t row)
{
    struct tr_out *out = &writer->out;
    uint64_t begin = record->begin_ns - writer->start_ns;
    tr_event_begin(out, 'X', process, row, record->name->json, record->name->length);
    TR_PUT(out, ",\"cat\":\"");
    put_words(out, category_of(record->kind));
    TR_PUT(out, "\",\"ts\":");
    tr_put_time(out, begin);
    TR_PUT(out, ",\"dur\":");
    tr_put_time(out, record->end_ns - record->begin_ns);
    TR_PUT(out, ",\"args\":{\"operation\":");
    tr_put_number(out, record->point);
    if (record->node) {
        TR_PUT(out, ",\"node\":");
        tr_put_number(out, record->node);
    }
    if (record->bytes) {
        TR_PUT(out, ",\"bytes\":");
        tr_put_number(out, record->bytes);
    }
    if (record->dropped) TR_PUT(out, ",\"dropped\":1");
    TR_PUT(out, "}}");
}

/* Returns a moment within the operation, where arrows of it begin or end. */
static uint64_t end_of(const struct tr_record *record)
{
    return record->end_ns > record->begin_ns ? record->end_ns - 1 : record->begin_ns;
}

static void keep_wait(struct tr_writer *writer, const struct tr_track *track,
                      const struct tr_record *record)
{
    struct tr_arrows *arrows = &writer->arrows;
    const struct tr_track *from = tr_track_of(&writer->tracks, track->platform,
                                              record->after.queue);
    if (!from) return;
    if (arrows->wait_count == TR_WAITS) tr_writer_add_arrows(writer, track->platform);
    if (arrows->wait_count == TR_WAITS) arrows->wait_count--;
    arrows->waits[arrows->wait_count++] = (struct tr_wait){
        .track = track, .from = from, .point = record->point, .from_point = record->after.point,
        .at_ns = end_of(record),
    };
}

/* Adds an arrow from what a wait waited for.  Returns false if that is not known. */
static bool add_arrow(struct tr_writer *writer, const struct tr_wait *wait)
{
    const struct tr_track *from = wait->from, *to = wait->track;
    const struct tr_end *end = tr_arrows_find(&writer->arrows, from->number, wait->from_point);
    if (!end || !from->shown || end->at_ns > wait->at_ns) return false;
    uint64_t number = arrow_number(to->number, wait->point, true);
    tr_out_need(&writer->out);
    tr_event_arrow(&writer->out, 's', "wait", tr_process_of(from->platform, from->device),
                   from->queue, end->at_ns - writer->start_ns, number);
    tr_event_arrow(&writer->out, 'f', "wait", tr_process_of(to->platform, to->device), to->queue,
                   wait->at_ns - writer->start_ns, number);
    return true;
}

/* What a wait waited for was noted before it, but perhaps in a ring that was emptied before that
 * of the wait: the next round has it. */
void tr_writer_add_arrows(struct tr_writer *writer, unsigned platform)
{
    struct tr_arrows *arrows = &writer->arrows;
    unsigned kept = 0;
    for (unsigned i = 0; i < arrows->wait_count; i++) {
        struct tr_wait *wait = &arrows->waits[i];
        if (wait->track->platform == platform && (add_arrow(writer, wait) || wait->rounds++))
            continue;
        arrows->waits[kept++] = *wait;
    }
    arrows->wait_count = kept;
}

static void add_span(struct tr_writer *writer, unsigned platform, const struct tr_record *record)
{
    struct tr_track *track = tr_track_of(&writer->tracks, platform, record->queue);
    uint64_t row = record->queue;
    if (track && !track->shown) {
        track->device = record->device;
        tr_rows_name_track(writer, track);
    }
    if (track && record->node) row = tr_row_of_node(writer, track, record);
    if (!track || !row) {
        writer->lost++;
        return;
    }
    uint64_t process = tr_process_of(platform, track->device);
    put_span(writer, record, process, row);
    if (record->node) return;
    if (record->kind != RILL_OP_EMPTY)
        tr_event_arrow(&writer->out, 'f', "submit", process, row,
                       record->begin_ns - writer->start_ns,
                       arrow_number(track->number, record->point, false));
    struct tr_end end = { track->number, record->point, end_of(record) };
    tr_arrows_note(&writer->arrows, &end, record->kind == RILL_OP_EVENT_RECORD);
    if (record->kind == RILL_OP_EVENT_WAIT && record->after.point)
        keep_wait(writer, track, record);
}

static void add_label(struct tr_writer *writer, unsigned platform, const struct tr_record *record)
{
    struct tr_track *track = tr_track_of(&writer->tracks, platform, record->queue);
    if (!track) return;
    track->label = record->name;
    if (track->shown) tr_rows_name_track(writer, track);
}

/* ---- Calls of the host --------------------------------------------------------------------- */

static void put_three(struct tr_out *out, const uint32_t three[3])
{
    for (int i = 0; i < 3; i++) {
        *out->at++ = i ? ',' : '[';
        tr_put_number(out, three[i]);
    }
    *out->at++ = ']';
}

/* Each argument has a comma in front. */
static void put_launch(struct tr_out *out, const struct tr_record *record)
{
    TR_PUT(out, ",\"kernel\":\"");
    tr_put(out, record->launch.kernel->json, record->launch.kernel->length);
    TR_PUT(out, "\",\"grid\":");
    put_three(out, record->launch.grid);
    TR_PUT(out, ",\"block\":");
    put_three(out, record->launch.block);
}

static void put_arguments(struct tr_writer *writer, const struct tr_record *record)
{
    struct tr_out *out = &writer->out;
    const struct tr_place *place = record->site ? tr_place_of(&writer->places, record->site) : NULL;
    if (record->launch.kernel) put_launch(out, record);
    if (record->bytes) {
        TR_PUT(out, ",\"bytes\":");
        tr_put_number(out, record->bytes);
    }
    if (record->status) {
        TR_PUT(out, ",\"status\":\"");
        put_words(out, rill_error_name((rill_status)record->status));
        TR_PUT(out, "\"");
    }
    if (record->does) {
        TR_PUT(out, ",\"does\":\"");
        tr_put(out, record->does->json, record->does->length);
        TR_PUT(out, "\"");
    }
    if (place) tr_put(out, place->json, place->length);
}

static void put_call(struct tr_writer *writer, const struct tr_record *record, uint64_t row,
                     const char *category)
{
    static const char begin[] = ",\"args\":{";
    struct tr_out *out = &writer->out;
    tr_event_begin(out, 'X', writer->host, row, record->name->json, record->name->length);
    TR_PUT(out, ",\"cat\":\"");
    put_words(out, category);
    TR_PUT(out, "\",\"ts\":");
    tr_put_time(out, record->begin_ns - writer->start_ns);
    TR_PUT(out, ",\"dur\":");
    tr_put_time(out, record->end_ns - record->begin_ns);
    /* The first argument's comma is where the brace is to be. */
    char *before = out->at, *first = before + sizeof begin - 2;
    out->at = first;
    put_arguments(writer, record);
    bool any = out->at != first;
    if (any) memcpy(before, begin, sizeof begin - 1);
    else out->at = before;
    put_words(out, any ? "}}" : "}");
}

/* Adds an arrow from a call to each operation that it submitted. */
static void add_parts(struct tr_writer *writer, unsigned platform, const struct tr_record *record)
{
    struct tr_track *track = record->parts ? tr_track_of(&writer->tracks, platform, record->queue)
                                           : NULL;
    for (uint64_t i = 0; track && i < record->parts; i++) {
        tr_out_need(&writer->out);
        tr_event_arrow(&writer->out, 's', "submit", writer->host, record->thread,
                       record->begin_ns - writer->start_ns,
                       arrow_number(track->number, record->point + i, false));
    }
}

static void add_call(struct tr_writer *writer, unsigned platform, const struct tr_record *record)
{
    put_call(writer, record, record->thread, "call");
    add_parts(writer, platform, record);
    if (!record->blocks) return;
    uint64_t row = tr_row_of_wait(writer, record);
    if (row) put_call(writer, record, row, "blocked");
    else writer->lost++;
}

void tr_writer_add(struct tr_writer *writer, unsigned platform, const struct tr_record *record)
{
    tr_out_need(&writer->out);
    switch ((enum tr_what)record->what) {
    case TR_SPAN: add_span(writer, platform, record); return;
    case TR_CALL: add_call(writer, platform, record); return;
    case TR_PARTS: add_parts(writer, platform, record); return;
    case TR_LABEL: add_label(writer, platform, record); return;
    case TR_THREAD: tr_rows_name_thread(writer, record); return;
    }
}
