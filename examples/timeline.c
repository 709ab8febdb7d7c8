/* SPDX-License-Identifier: Apache-2.0
 *
 * A timeline in text, for pipeline.c and tiles.c; no example to begin with, but one of
 * rill_sim_observe().  The observer only notes what it sees; everything is put together
 * and drawn when the work is done.  `rill run --timeline` draws one of any program, without
 * a line of code.
 */
#include "timeline.h"

#include <ctype.h>
#include <rill/sim.h>
#include <stdatomic.h>
#include <string.h>

#include "must.h"

enum { SIGHTINGS_MAX = 4096, COLUMNS = 72, LABEL_MAX = 24 };

struct sighting {
    rill_sim_sighting seen;
    char stream_label[LABEL_MAX]; /* the stream may be gone when we draw */
};

struct timeline {
    rill_platform *platform;
    atomic_size_t count;
    struct sighting sightings[SIGHTINGS_MAX];
};

/* ---- Watching ---------------------------------------------------------------- */

/* Called by many threads at once, in the midst of their work. */
static void see(void *data, const rill_sim_sighting *seen)
{
    struct timeline *timeline = data;
    size_t at = atomic_fetch_add(&timeline->count, 1);
    if (at >= SIGHTINGS_MAX) return;
    struct sighting *sighting = &timeline->sightings[at];
    sighting->seen = *seen;
    if (seen->stream_label)
        snprintf(sighting->stream_label, LABEL_MAX, "%s", seen->stream_label);
    else
        snprintf(sighting->stream_label, LABEL_MAX, "stream %llu",
                 (unsigned long long)seen->stream);
}

struct timeline *timeline_start(rill_platform *platform)
{
    const char *backend;
    MUST(rill_platform_backend(platform, &backend));
    if (strcmp(backend, "sim") != 0) return NULL;
    struct timeline *timeline = calloc(1, sizeof *timeline);
    if (!timeline) return NULL;
    timeline->platform = platform;
    MUST(rill_sim_observe(platform, &(rill_sim_observer){ see, timeline }));
    return timeline;
}

/* ---- From sightings to bars ---------------------------------------------------- */

/* What ran: an operation, or a node of the graph that one launches. */
struct bar {
    uint64_t stream, thread, start, end;
    const char *stream_label, *name;
    int drawn;
};

/* What takes time of its own: launches have nodes for that, and events none. */
static int is_work(rill_op_kind kind)
{
    return kind == RILL_OP_KERNEL || kind == RILL_OP_MEMCPY || kind == RILL_OP_MEMSET ||
           kind == RILL_OP_HOST;
}

static int is_start_of(const rill_sim_sighting *start, const rill_sim_sighting *end)
{
    return start->moment == RILL_SIM_STARTED && start->stream == end->stream &&
           start->point == end->point && start->node == end->node;
}

/* Sightings need not come in order, and each launch of a graph has its nodes anew. */
static size_t bars_of(const struct timeline *timeline, size_t seen, struct bar *bars)
{
    size_t count = 0;
    for (size_t i = 0; i < seen; i++) {
        const rill_sim_sighting *end = &timeline->sightings[i].seen;
        if (end->moment != RILL_SIM_DONE || !is_work(end->kind)) continue;
        for (size_t k = 0; k < seen; k++) {
            const rill_sim_sighting *start = &timeline->sightings[k].seen;
            if (!is_start_of(start, end)) continue;
            bars[count++] = (struct bar){ end->stream, end->thread, start->time_ns, end->time_ns,
                                          timeline->sightings[i].stream_label, end->name, 0 };
            break;
        }
    }
    return count;
}

/* ---- Drawing --------------------------------------------------------------------- */

struct chart {
    const struct bar *bars;
    size_t count;
    uint64_t start, end; /* of everything, in ns */
};

static int column_of(const struct chart *chart, uint64_t time)
{
    return (int)((time - chart->start) * COLUMNS / (chart->end - chart->start + 1));
}

/* Draws the bars of a stream, or those of a thread. */
static void draw_row(FILE *out, const struct chart *chart, const char *label, uint64_t stream,
                     uint64_t thread)
{
    char row[COLUMNS];
    int length = 0;
    memset(row, ' ', sizeof row);
    for (size_t i = 0; i < chart->count; i++) {
        const struct bar *bar = &chart->bars[i];
        if (stream ? bar->stream != stream : bar->thread != thread) continue;
        int first = column_of(chart, bar->start), last = column_of(chart, bar->end);
        memset(row + first, '=', (size_t)(last - first + 1));
        row[first] = (char)toupper((unsigned char)bar->name[0]);
        if (last >= length) length = last + 1;
    }
    fprintf(out, "%16s %.*s\n", label, length, row);
}

/* A row for each stream, then one for each thread, in the order in which they begin to work. */
static void draw(FILE *out, const struct chart *chart, struct bar *bars, int threads)
{
    for (size_t i = 0; i < chart->count; i++) {
        char label[LABEL_MAX];
        if (bars[i].drawn == threads + 1) continue;
        for (size_t k = i; k < chart->count; k++)
            if (threads ? bars[k].thread == bars[i].thread : bars[k].stream == bars[i].stream)
                bars[k].drawn = threads + 1;
        snprintf(label, sizeof label, "thread %llu", (unsigned long long)bars[i].thread);
        draw_row(out, chart, threads ? label : bars[i].stream_label,
                 threads ? 0 : bars[i].stream, bars[i].thread);
    }
    fputc('\n', out);
}

void timeline_finish(struct timeline *timeline, FILE *out)
{
    if (!timeline) return;
    MUST(rill_sim_observe(timeline->platform, NULL));
    size_t seen = atomic_load(&timeline->count);
    if (seen > SIGHTINGS_MAX) {
        fprintf(out, "(only the first %d moments are drawn)\n", SIGHTINGS_MAX);
        seen = SIGHTINGS_MAX;
    }
    struct bar *bars = calloc(seen + 1, sizeof *bars);
    struct chart chart = { .bars = bars, .start = UINT64_MAX };
    if (bars) chart.count = bars_of(timeline, seen, bars);
    double sum = 0;
    for (size_t i = 0; i < chart.count; i++) {
        if (bars[i].start < chart.start) chart.start = bars[i].start;
        if (bars[i].end > chart.end) chart.end = bars[i].end;
        sum += (double)(bars[i].end - bars[i].start) / 1e6;
    }
    if (chart.count) {
        double total = (double)(chart.end - chart.start) / 1e6;
        draw(out, &chart, bars, 0);
        draw(out, &chart, bars, 1);
        fprintf(out, "%zu operations in %.1f ms; one after the other they take %.1f ms, "
                     "%.2f times as long\n", chart.count, total, sum, sum / total);
    }
    free(bars);
    free(timeline);
}
