/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawing a timeline: a scale, a line for each row, what the letters mean, and sums.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/thread.h"
#include "layer-trace/chart/chart.h"

enum { COLUMNS_MAX = 400, NAMES_MAX = 20, MARGIN = 16 };

struct pen {
    FILE *out;
    bool colour;
    const char *body, *wait, *tick;
    int width;                     /* of the lines, in columns                */
    double columns_per_ns;
    uint64_t start_ns, end_ns;     /* of everything                           */
    const struct tr_name *names[NAMES_MAX]; /* of work, and the letter of each */
    char letters[NAMES_MAX];
    int name_count;
};

/* ---- The pen --------------------------------------------------------------------------- */

static bool is_utf8_terminal(void)
{
    static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    for (int i = 0; i < 3; i++) {
        const char *value = rl_getenv(variables[i]);
        if (!value || !*value) continue;
        const char *dot = strchr(value, '.');
        return dot && (!strncasecmp(dot, ".utf-8", 6) || !strncasecmp(dot, ".utf8", 5));
    }
    return false;
}

static int terminal_columns(FILE *out)
{
    const char *variable = rl_getenv("COLUMNS");
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

static int name_index(struct pen *pen, const struct tr_name *name)
{
    for (int i = 0; i < pen->name_count; i++)
        if (!strcmp(pen->names[i]->text, name->text)) return i;
    if (pen->name_count == NAMES_MAX) return NAMES_MAX - 1;
    pen->letters[pen->name_count] = letter_for(pen, name->text);
    pen->names[pen->name_count] = name;
    return pen->name_count++;
}

static struct pen take_pen(FILE *out, const struct tr_chart *chart)
{
    bool pretty = is_utf8_terminal();
    struct pen pen = { .out = out, .colour = isatty(fileno(out)) && !rl_getenv("NO_COLOR"),
                       .body = pretty ? "━" : "=", .wait = pretty ? "·" : ".",
                       .tick = pretty ? "╷" : "|", .start_ns = UINT64_MAX };
    for (uint32_t i = 0; i < chart->count; i++) {
        const struct tr_mark *mark = &chart->marks[i];
        if (mark->begin_ns < pen.start_ns) pen.start_ns = mark->begin_ns;
        if (mark->end_ns > pen.end_ns) pen.end_ns = mark->end_ns;
    }
    pen.width = terminal_columns(out) - MARGIN - 1;
    pen.columns_per_ns = pen.width / (double)(pen.end_ns - pen.start_ns + 1);
    return pen;
}

static int column(const struct pen *pen, uint64_t time_ns)
{
    return (int)((double)(time_ns - pen->start_ns) * pen->columns_per_ns + 0.5);
}

/* ---- A line ------------------------------------------------------------------------------ */

/* A character for each column: part of a letter or number, or one of these; `kind` is the index of
 * the work's name, for its colour. */
enum { WAIT = 1, BODY = 2 };

struct line {
    char text[COLUMNS_MAX];
    signed char kind[COLUMNS_MAX];
    int next; /* the first column that is free */
};

static void clear_line(struct line *line)
{
    line->next = 0;
    memset(line->text, ' ', sizeof line->text);
    memset(line->kind, -1, sizeof line->kind);
}

/* At least one column, unless its neighbour has it; its time where that fits. */
static void draw_work(struct pen *pen, struct line *line, const struct tr_mark *mark)
{
    int from = column(pen, mark->begin_ns), to = column(pen, mark->end_ns);
    if (to == from) to++;
    if (from < line->next) from = line->next;
    if (to > pen->width) to = pen->width;
    if (from >= to) return;
    int kind = name_index(pen, mark->name);
    memset(line->text + from, BODY, (size_t)(to - from));
    memset(line->kind + from, kind, (size_t)(to - from));
    line->text[from] = pen->letters[kind];
    char time[24];
    double ms = (double)(mark->end_ns - mark->begin_ns) / 1e6;
    int length = snprintf(time, sizeof time, " %.1f ", ms);
    if (to - from > length) memcpy(line->text + from + 1, time, (size_t)length);
    line->next = to;
}

static void draw_wait(const struct pen *pen, struct line *line, const struct tr_mark *mark)
{
    int to = column(pen, mark->end_ns);
    if (to > pen->width) to = pen->width;
    for (int c = column(pen, mark->begin_ns); c < to; c++) line->text[c] = WAIT;
}

static void print_line(const struct pen *pen, const char *title, const struct line *line)
{
    fprintf(pen->out, "%*.*s ", MARGIN - 1, MARGIN - 1, title);
    int now = -1;
    for (int c = 0; c < pen->width; c++) {
        if (pen->colour && line->kind[c] != now) {
            now = line->kind[c];
            if (now < 0) fputs("\033[0m", pen->out);
            else fprintf(pen->out, "\033[0;%dm", 31 + now % 6);
        }
        char text[2] = { line->text[c], '\0' };
        fputs(*text == BODY ? pen->body : *text == WAIT ? pen->wait : text, pen->out);
    }
    fputs(pen->colour ? "\033[0m\n" : "\n", pen->out);
}

/* ---- All of it --------------------------------------------------------------------------- */

/* Milliseconds above the lines, some fifteen columns apart. */
static void print_scale(const struct pen *pen)
{
    double total = (double)(pen->end_ns - pen->start_ns) / 1e6;
    double step = 0.00001;
    for (int i = 0; step * pen->columns_per_ns * 1e6 < 15; i++) step *= i % 3 == 1 ? 2.5 : 2;
    fprintf(pen->out, "\n%*s", MARGIN, "");
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

static int by_place(const void *a, const void *b)
{
    const struct tr_row *const *x = a, *const *y = b;
    if (!(*x)->track != !(*y)->track) return (*x)->track ? -1 : 1; /* the host comes last */
    if ((*x)->platform != (*y)->platform) return (*x)->platform < (*y)->platform ? -1 : 1;
    if ((*x)->device != (*y)->device) return (*x)->device < (*y)->device ? -1 : 1;
    if ((*x)->queue != (*y)->queue) return (*x)->queue < (*y)->queue ? -1 : 1;
    return (*x)->lane < (*y)->lane ? -1 : (*x)->lane > (*y)->lane;
}

static int by_time(const void *a, const void *b)
{
    const struct tr_mark *x = a, *y = b;
    return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static void print_row(struct pen *pen, const struct tr_chart *chart, const struct tr_row *row)
{
    struct line line;
    char title[64] = "blocked";
    clear_line(&line);
    for (uint32_t i = 0; i < chart->count; i++) {
        const struct tr_mark *mark = &chart->marks[i];
        if (mark->row != row - chart->rows) continue;
        if (mark->is_wait) draw_wait(pen, &line, mark);
        else draw_work(pen, &line, mark);
    }
    if (row->track && row->track->label)
        snprintf(title, sizeof title, "%.*s", MARGIN - 1, row->track->label->text);
    else if (row->track)
        snprintf(title, sizeof title, "stream %" PRIu64, row->queue);
    if (row->lane && row->track) snprintf(title, sizeof title, "nodes");
    print_line(pen, title, &line);
}

static void print_rows(struct pen *pen, struct tr_chart *chart)
{
    const struct tr_row *rows[TR_CHART_ROWS];
    for (uint32_t i = 0; i < chart->row_count; i++) rows[i] = &chart->rows[i];
    qsort(rows, chart->row_count, sizeof *rows, by_place);
    for (uint32_t i = 0; i < chart->row_count; i++) {
        if (i && rows[i - 1]->track && !rows[i]->track) fputc('\n', pen->out);
        print_row(pen, chart, rows[i]);
    }
}

static void print_legend(const struct pen *pen)
{
    fprintf(pen->out, "\n%*s", MARGIN, "");
    for (int i = 0; i < pen->name_count; i++)
        fprintf(pen->out, "%c %s   ", pen->letters[i], pen->names[i]->text);
    fprintf(pen->out, "(numbers: ms)\n%*s%s waits for another stream; blocked: the host waits\n",
            MARGIN, "", pen->wait);
}

/* A launch is what its nodes are. */
static void print_totals(const struct pen *pen, const struct tr_chart *chart)
{
    uint64_t parts = 0;
    size_t count = 0;
    for (uint32_t i = 0; i < chart->count; i++) {
        const struct tr_mark *mark = &chart->marks[i];
        if (mark->is_wait || mark->kind == RILL_OP_GRAPH) continue;
        parts += mark->end_ns - mark->begin_ns;
        count++;
    }
    double total = (double)(pen->end_ns - pen->start_ns) / 1e6, sum = (double)parts / 1e6;
    fprintf(pen->out, "\n%zu operations in %.1f ms; one after the other they take %.1f ms",
            count, total, sum);
    if (sum < total) fprintf(pen->out, ", so nothing ran for %.1f ms at least\n", total - sum);
    else fprintf(pen->out, ", %.2f times as long\n", total > 0 ? sum / total : 1.0);
    if (chart->left_out)
        fprintf(pen->out, "(%" PRIu64 " more were not drawn)\n", chart->left_out);
}

void tr_chart_draw(struct tr_chart *chart, FILE *out)
{
    if (!chart->count) return;
    struct pen pen = take_pen(out, chart);
    qsort(chart->marks, chart->count, sizeof *chart->marks, by_time);
    print_scale(&pen);
    print_rows(&pen, chart);
    print_legend(&pen);
    print_totals(&pen, chart);
}
