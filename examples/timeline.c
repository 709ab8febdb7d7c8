/* SPDX-License-Identifier: Apache-2.0
 *
 * A timeline in text, for pipeline.c and tiles.c; no example to begin with, but one of
 * rill_sim_observe().  The observer only notes what it sees; everything is put together
 * and drawn when the work is done.
 */
#include "timeline.h"

#include <ctype.h>
#include <rill/sim.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "must.h"

enum { SIGHTINGS_MAX = 4096, LANES_MAX = 16, NAMES_MAX = 16, COLUMNS_MAX = 400, LABEL_MAX = 24 };

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
        snprintf(sighting->stream_label, sizeof sighting->stream_label, "%s", seen->stream_label);
    else
        snprintf(sighting->stream_label, sizeof sighting->stream_label, "stream %llu",
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

/* ---- From sightings to operations ---------------------------------------------- */

/* Of a stream, or a node of the graph that one launches. */
struct operation {
    uint64_t stream, point, node, thread, submitted, ready, started, done;
    rill_op_kind kind;
    const char *name;
    const char *stream_label;
};

struct chart {
    struct operation *operations; /* by stream, then in the stream's order */
    size_t count;
    uint64_t start, end;          /* of everything, in ns                  */
    uint64_t host;                /* the thread that submitted             */
};

static int by_place(const void *a, const void *b)
{
    const struct operation *x = a, *y = b;
    if (x->stream != y->stream) return x->stream < y->stream ? -1 : 1;
    if (x->point != y->point) return x->point < y->point ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* The sightings of an operation need not come in order; this one makes it. */
static bool is_first(const rill_sim_sighting *seen)
{
    return seen->moment == (seen->node ? RILL_SIM_STARTED : RILL_SIM_SUBMITTED);
}

static struct chart chart_of(const struct timeline *timeline)
{
    size_t seen = atomic_load(&timeline->count);
    if (seen > SIGHTINGS_MAX) seen = SIGHTINGS_MAX;
    struct chart chart = { .operations = calloc(seen + 1, sizeof *chart.operations),
                           .start = UINT64_MAX };
    for (size_t i = 0; chart.operations && i < seen; i++) {
        const struct sighting *s = &timeline->sightings[i];
        if (!is_first(&s->seen)) continue;
        if (!chart.count) chart.host = s->seen.thread;
        chart.operations[chart.count++] = (struct operation){
            .stream = s->seen.stream, .point = s->seen.point, .node = s->seen.node,
            .submitted = s->seen.time_ns,
            .kind = s->seen.kind, .name = s->seen.name, .stream_label = s->stream_label,
        };
        if (s->seen.time_ns < chart.start) chart.start = s->seen.time_ns;
    }
    if (chart.count) qsort(chart.operations, chart.count, sizeof *chart.operations, by_place);
    for (size_t i = 0; chart.count && i < seen; i++) {
        const rill_sim_sighting *s = &timeline->sightings[i].seen;
        struct operation key = { .stream = s->stream, .point = s->point, .node = s->node };
        struct operation *o = bsearch(&key, chart.operations, chart.count, sizeof key, by_place);
        if (!o) continue;
        if (s->moment == RILL_SIM_READY) o->ready = s->time_ns;
        if (s->moment == RILL_SIM_STARTED) o->started = s->time_ns;
        if (s->moment == RILL_SIM_DONE) o->done = s->time_ns, o->thread = s->thread;
        if (s->time_ns > chart.end) chart.end = s->time_ns;
    }
    return chart;
}

static bool is_work(const struct operation *o)
{
    return o->done && o->kind != RILL_OP_EVENT_WAIT && o->kind != RILL_OP_EVENT_RECORD;
}

/* A launch is what the threads do for its nodes. */
static bool is_launch(const struct operation *o)
{
    return o->kind == RILL_OP_GRAPH && !o->node;
}

/* Since when an operation could have run, if nothing but its stream held it. */
static uint64_t in_front(const struct chart *chart, size_t i)
{
    const struct operation *o = &chart->operations[i];
    uint64_t before = 0;
    for (const struct operation *b = o; b > chart->operations && b[-1].stream == o->stream;) {
        if ((--b)->node) continue;
        before = b->done;
        break;
    }
    return before > o->submitted ? before : o->submitted;
}

/* ---- Drawing ------------------------------------------------------------------- */

struct pen {
    FILE *out;
    bool colour;
    const char *body, *wait, *ready, *tick;
    int width;                     /* of the lanes, in columns                 */
    int margin;                    /* left of them                             */
    double columns_per_ns;
    const char *names[NAMES_MAX];  /* of kinds of work, and the letter of each */
    char letters[NAMES_MAX];
    int name_count;
};

static bool utf8_terminal(void)
{
    static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(variables[i]);
        if (!value || !*value) continue;
        const char *dot = strchr(value, '.');
        return dot && (!strncasecmp(dot, ".utf-8", 6) || !strncasecmp(dot, ".utf8", 5));
    }
    return false;
}

static int terminal_columns(FILE *out)
{
    const char *variable = getenv("COLUMNS");
    int columns = variable ? atoi(variable) : 0;
    struct winsize size;
    if (columns <= 0 && ioctl(fileno(out), TIOCGWINSZ, &size) == 0) columns = size.ws_col;
    if (columns <= 0) columns = 100;
    return columns < 40 ? 40 : columns > COLUMNS_MAX ? COLUMNS_MAX : columns;
}

/* The first letter of the name that no other name took. */
static char letter_for(const struct pen *pen, const char *name)
{
    for (const char *c = name; *c; c++) {
        char letter = (char)toupper((unsigned char)*c);
        if (isalpha((unsigned char)*c) && !memchr(pen->letters, letter, (size_t)pen->name_count))
            return letter;
    }
    return '*';
}

static int name_index(struct pen *pen, const char *name)
{
    for (int i = 0; i < pen->name_count; i++)
        if (!strcmp(pen->names[i], name)) return i;
    if (pen->name_count == NAMES_MAX) return NAMES_MAX - 1;
    pen->letters[pen->name_count] = letter_for(pen, name);
    pen->names[pen->name_count] = name;
    return pen->name_count++;
}

static struct pen take_pen(FILE *out, const struct chart *chart)
{
    bool pretty = utf8_terminal(), terminal = isatty(fileno(out));
    struct pen pen = { .out = out, .margin = 13,
                       .colour = terminal && !getenv("NO_COLOR"),
                       .body = pretty ? "━" : "=", .wait = pretty ? "·" : ".",
                       .ready = pretty ? "╌" : "-", .tick = pretty ? "╷" : "|" };
    pen.width = terminal_columns(out) - pen.margin - 1;
    pen.columns_per_ns = pen.width / (double)(chart->end - chart->start + 1);
    for (size_t i = 0; i < chart->count; i++)
        if (is_work(&chart->operations[i])) name_index(&pen, chart->operations[i].name);
    return pen;
}

/* What was not seen has the time 0. */
static int column(const struct pen *pen, const struct chart *chart, uint64_t time)
{
    if (time < chart->start) return 0;
    return (int)((double)(time - chart->start) * pen->columns_per_ns + 0.5);
}

/* A lane, a character for each column: part of a letter or number, or one of
 * these; `kind` is the index of the work's name, for its colour. */
enum { WAIT = 1, READY = 2, BODY = 3 };

struct lane {
    char text[COLUMNS_MAX];
    signed char kind[COLUMNS_MAX];
    int next; /* the first column that is free */
};

static void draw_pause(struct lane *lane, int from, int to, char what)
{
    for (int c = from; c < to; c++) lane->text[c] = what;
}

/* At least one column, unless its neighbour has it; its time where that fits. */
static void draw_work(struct pen *pen, const struct chart *chart, struct lane *lane,
                      const struct operation *o)
{
    int from = column(pen, chart, o->started), to = column(pen, chart, o->done);
    if (to == from) to++;
    if (from < lane->next) from = lane->next;
    if (to > pen->width) to = pen->width;
    if (from >= to) return;
    int kind = name_index(pen, o->name);
    memset(lane->text + from, BODY, (size_t)(to - from));
    memset(lane->kind + from, kind, (size_t)(to - from));
    lane->text[from] = pen->letters[kind];
    char time[16];
    int length = snprintf(time, sizeof time, " %.1f ", (double)(o->done - o->started) / 1e6);
    if (to - from > length) memcpy(lane->text + from + 1, time, (size_t)length);
    lane->next = to;
}

static void print_lane(const struct pen *pen, const char *title, const struct lane *lane)
{
    fprintf(pen->out, "%*.*s ", pen->margin - 1, pen->margin - 1, title);
    int now = -1;
    for (int c = 0; c < pen->width; c++) {
        if (pen->colour && lane->kind[c] != now) {
            now = lane->kind[c];
            if (now < 0) fputs("\033[0m", pen->out);
            else fprintf(pen->out, "\033[0;%dm", 31 + now % 6);
        }
        char text[2] = { lane->text[c], '\0' };
        fputs(*text == BODY ? pen->body
              : *text == WAIT ? pen->wait
              : *text == READY ? pen->ready : text, pen->out);
    }
    fputs(pen->colour ? "\033[0m\n" : "\n", pen->out);
}

static void clear_lane(struct lane *lane)
{
    lane->next = 0;
    memset(lane->text, ' ', sizeof lane->text);
    memset(lane->kind, -1, sizeof lane->kind);
}

/* Milliseconds above the lanes, some fifteen columns apart. */
static void print_scale(const struct pen *pen, const struct chart *chart)
{
    double total = (double)(chart->end - chart->start) / 1e6;
    double step = 0.001;
    for (int i = 0; step * pen->columns_per_ns * 1e6 < 15; i++) step *= i % 3 == 1 ? 2.5 : 2;
    fprintf(pen->out, "\n%*s", pen->margin, "");
    int at = 0;
    for (int i = 0; i * step < total; i++) {
        int to = (int)(i * step * 1e6 * pen->columns_per_ns + 0.5);
        if (to + 12 > pen->width) break;
        at += fprintf(pen->out, "%*s", to - at, "");
        fputs(pen->tick, pen->out);
        at += 1 + fprintf(pen->out, i ? "%g" : "%g ms", i * step);
    }
    fputc('\n', pen->out);
}

static void print_streams(struct pen *pen, const struct chart *chart)
{
    struct lane lane;
    clear_lane(&lane);
    for (size_t i = 0; i < chart->count; i++) {
        const struct operation *o = &chart->operations[i];
        if (o->node) continue;
        if (o->kind == RILL_OP_EVENT_WAIT)
            draw_pause(&lane, column(pen, chart, in_front(chart, i)), column(pen, chart, o->ready),
                       WAIT);
        draw_pause(&lane, column(pen, chart, o->ready), column(pen, chart, o->started), READY);
        if (is_work(o)) draw_work(pen, chart, &lane, o);
        size_t next = i + 1;
        while (next < chart->count && chart->operations[next].node) next++;
        if (next < chart->count && chart->operations[next].stream == o->stream) continue;
        print_lane(pen, o->stream_label, &lane);
        clear_lane(&lane);
    }
}

static int by_thread(const void *a, const void *b)
{
    const struct operation *const *x = a, *const *y = b;
    if ((*x)->thread != (*y)->thread) return (*x)->thread < (*y)->thread ? -1 : 1;
    return (*x)->started < (*y)->started ? -1 : (*x)->started > (*y)->started;
}

static void print_threads(struct pen *pen, const struct chart *chart)
{
    const struct operation **sorted = calloc(chart->count, sizeof *sorted);
    size_t count = 0;
    for (size_t i = 0; sorted && i < chart->count; i++)
        if (is_work(&chart->operations[i]) && !is_launch(&chart->operations[i]))
            sorted[count++] = &chart->operations[i];
    if (count) qsort(sorted, count, sizeof *sorted, by_thread);
    struct lane lane;
    clear_lane(&lane);
    for (size_t i = 0; i < count; i++) {
        draw_work(pen, chart, &lane, sorted[i]);
        if (i + 1 < count && sorted[i + 1]->thread == sorted[i]->thread) continue;
        char title[32];
        const char *who = sorted[i]->thread == chart->host ? "host" : "thread";
        snprintf(title, sizeof title, "%s %llu", who, (unsigned long long)sorted[i]->thread);
        print_lane(pen, title, &lane);
        clear_lane(&lane);
    }
    free(sorted);
}

static void print_legend(const struct pen *pen)
{
    fprintf(pen->out, "\n%*s", pen->margin, "");
    for (int i = 0; i < pen->name_count; i++)
        fprintf(pen->out, "%c %s   ", pen->letters[i], pen->names[i]);
    fprintf(pen->out, "(numbers: ms)\n%*s%s waits for another stream   %s waits for a thread   "
                      "host: the thread that submitted\n", pen->margin, "", pen->wait, pen->ready);
}

static void print_totals(const struct pen *pen, const struct chart *chart)
{
    uint64_t parts = 0;
    size_t count = 0;
    for (size_t i = 0; i < chart->count; i++) {
        const struct operation *o = &chart->operations[i];
        if (is_work(o)) parts += o->done - o->started, count++;
    }
    double total = (double)(chart->end - chart->start) / 1e6, sum = (double)parts / 1e6;
    fprintf(pen->out, "\n%zu operations in %.1f ms; one after the other they take %.1f ms, "
                      "%.2f times as long\n", count, total, sum, sum / total);
}

void timeline_finish(struct timeline *timeline, FILE *out)
{
    if (!timeline) return;
    MUST(rill_sim_observe(timeline->platform, NULL));
    if (atomic_load(&timeline->count) > SIGHTINGS_MAX)
        fprintf(out, "(only the first %d moments are drawn)\n", SIGHTINGS_MAX);
    struct chart chart = chart_of(timeline);
    if (chart.count) {
        struct pen pen = take_pen(out, &chart);
        print_scale(&pen, &chart);
        print_streams(&pen, &chart);
        fputc('\n', out);
        print_threads(&pen, &chart);
        print_legend(&pen);
        print_totals(&pen, &chart);
    }
    free(chart.operations);
    free(timeline);
}
