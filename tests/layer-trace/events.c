/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka_all.h"

/* ---- Reading --------------------------------------------------------------------------- */

static const char *find_value(const char *line, const char *key)
{
    char quoted[40];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(line, quoted);
    return at ? at + strlen(quoted) : NULL;
}

static uint64_t number_of(const char *line, const char *key)
{
    const char *at = find_value(line, key);
    return at ? strtoull(at, NULL, 10) : 0;
}

/* Microseconds with three digits behind the point. */
static uint64_t time_of(const char *line, const char *key)
{
    const char *at = find_value(line, key);
    char *end;
    if (!at) return 0;
    uint64_t whole = strtoull(at, &end, 10);
    assert_int_equal(*end, '.');
    const char *digits = end + 1;
    uint64_t rest = strtoull(digits, &end, 10);
    assert_int_equal(end - digits, 3);
    return whole * 1000 + rest;
}

static void copy_text(char *out, size_t room, const char *line, const char *key)
{
    const char *at = find_value(line, key);
    *out = 0;
    if (at && *at == '"') snprintf(out, room, "%.*s", (int)strcspn(at + 1, "\""), at + 1);
}

static struct event read_event(const char *line)
{
    struct event event = { .line = line };
    char phase[4];
    const char *args = find_value(line, "args");
    copy_text(phase, sizeof phase, line, "ph");
    event.phase = phase[0];
    assert_true(strchr("MXsf", event.phase) && event.phase);
    event.process = number_of(line, "pid");
    event.row = number_of(line, "tid");
    event.id = number_of(line, "id");
    event.begin_ns = time_of(line, "ts");
    event.end_ns = event.begin_ns + time_of(line, "dur");
    copy_text(event.name, sizeof event.name, line, "name");
    copy_text(event.category, sizeof event.category, line, "cat");
    if (!args) return event;
    event.operation = number_of(args, "operation");
    event.node = number_of(args, "node");
    event.bytes = number_of(args, "bytes");
    copy_text(event.text, sizeof event.text, args, "name");
    return event;
}

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, length, file), length);
    text[length] = 0;
    fclose(file);
    return text;
}

struct events events_read(const char *path)
{
    struct events events = { .text = read_all(path) };
    size_t lines = 0;
    for (const char *at = events.text; *at; at++) lines += *at == '\n';
    events.items = calloc(lines + 1, sizeof *events.items);
    assert_non_null(events.items);
    char *rest = events.text, *line = strsep(&rest, "\n");
    assert_string_equal(line, "[");
    while ((line = strsep(&rest, "\n"))) {
        if (!strcmp(line, "]")) events.whole = true;
        if (*line != '{') continue;
        assert_false(events.whole);
        events.items[events.count++] = read_event(line);
    }
    return events;
}

void events_free(struct events *events)
{
    free(events->items);
    free(events->text);
}

/* ---- Finding --------------------------------------------------------------------------- */

static bool matches(const struct event *event, char phase, const char *category, const char *name)
{
    return event->phase == phase && (!category || !strcmp(event->category, category)) &&
           (!name || !strcmp(event->name, name));
}

const struct event *events_find(const struct events *events, char phase, const char *category,
                                const char *name, size_t index)
{
    for (size_t i = 0; i < events->count; i++)
        if (matches(&events->items[i], phase, category, name) && !index--)
            return &events->items[i];
    return NULL;
}

size_t events_count(const struct events *events, char phase, const char *category,
                    const char *name)
{
    size_t count = 0;
    while (events_find(events, phase, category, name, count)) count++;
    return count;
}

const char *events_name(const struct events *events, const char *what, uint64_t process,
                        uint64_t row)
{
    const char *text = NULL;
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->items[i];
        if (matches(event, 'M', NULL, what) && event->process == process && event->row == row)
            text = event->text;
    }
    return text;
}

/* ---- Checking -------------------------------------------------------------------------- */

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* By row, then by time; of two that begin together the longer first. */
static int by_place(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    int order = compare(a->process, b->process);
    if (!order) order = compare(a->row, b->row);
    if (!order) order = compare(a->begin_ns, b->begin_ns);
    return order ? order : compare(b->end_ns, a->end_ns);
}

static void check_rows(const struct event *items, size_t count)
{
    const struct event *open[16] = { NULL };
    size_t depth = 0;
    for (size_t i = 0; i < count; i++) {
        const struct event *event = &items[i];
        if (!i || event->process != event[-1].process || event->row != event[-1].row) depth = 0;
        while (depth && open[depth - 1]->end_ns <= event->begin_ns) depth--;
        if (depth && open[depth - 1]->end_ns < event->end_ns)
            fail_msg("these overlap: %s and %s", open[depth - 1]->line, event->line);
        assert_true(depth < 16);
        open[depth++] = event;
    }
}

static int by_arrow(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    int order = strcmp(a->category, b->category);
    if (!order) order = compare(a->id, b->id);
    return order ? order : compare(b->phase == 's', a->phase == 's');
}

static void check_arrows(const struct event *items, size_t count)
{
    assert_int_equal(count % 2, 0);
    for (size_t i = 0; i < count; i += 2) {
        const struct event *from = &items[i], *to = &items[i + 1];
        if (from->phase != 's' || to->phase != 'f' || from->id != to->id ||
            from->begin_ns > to->begin_ns)
            fail_msg("this is no arrow: %s and %s", from->line, to->line);
    }
}

void events_check(const struct events *events)
{
    struct event *spans = calloc(events->count + 1, sizeof *spans);
    struct event *arrows = calloc(events->count + 1, sizeof *arrows);
    size_t span_count = 0, arrow_count = 0;
    assert_true(events->whole);
    assert_non_null(spans);
    assert_non_null(arrows);
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->items[i];
        if (event->phase == 'X') spans[span_count++] = *event;
        if (event->phase == 's' || event->phase == 'f') arrows[arrow_count++] = *event;
    }
    qsort(spans, span_count, sizeof *spans, by_place);
    check_rows(spans, span_count);
    qsort(arrows, arrow_count, sizeof *arrows, by_arrow);
    check_arrows(arrows, arrow_count);
    free(spans);
    free(arrows);
}
