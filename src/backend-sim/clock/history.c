/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/clock/history.h"

#include <string.h>

#include "base/alloc.h"

/* Returns the name as the history keeps it, or NULL if memory is short. */
static const char *keep_name(struct history *history, const char *name)
{
    for (const struct span_name *known = history->names; known; known = known->next)
        if (!strcmp(known->text, name)) return known->text;
    size_t bytes = strlen(name) + 1;
    struct span_name *kept = rl_alloc(sizeof *kept + bytes);
    if (!kept) return NULL;
    memcpy(kept->text, name, bytes);
    kept->next = history->names;
    history->names = kept;
    return kept->text;
}

static bool make_room(struct history *history)
{
    if (history->count < history->room) return true;
    size_t room = history->room ? 2 * history->room : 64;
    rill_sim_span *spans = rl_alloc(room * sizeof *spans);
    if (!spans) return false;
    if (history->count) memcpy(spans, history->spans, history->count * sizeof *spans);
    rl_free(history->spans);
    history->spans = spans;
    history->room = room;
    return true;
}

size_t sim_history_add(struct history *history, const rill_sim_span *span)
{
    const char *name = keep_name(history, span->name);
    if (!name || !make_room(history)) {
        history->left_out++;
        return NO_SPAN;
    }
    rill_sim_span *kept = &history->spans[history->count];
    *kept = *span;
    kept->name = name;
    return history->first + history->count++;
}

rill_sim_span *sim_history_span(struct history *history, size_t number)
{
    bool known = number != NO_SPAN && number >= history->first;
    return known ? &history->spans[number - history->first] : NULL;
}

void sim_history_clear(struct history *history)
{
    history->first += history->count;
    history->count = 0;
    history->left_out = 0;
}

void sim_history_fini(struct history *history)
{
    rl_free(history->spans);
    for (struct span_name *name = history->names, *next; name; name = next) {
        next = name->next;
        rl_free(name);
    }
}

/* ---- The caller's copy ------------------------------------------------------------------- */

/* Lays the names behind the spans, each once, and has the spans name them there. */
static void copy_names(const struct history *history, rill_sim_span *spans, size_t count, char *to)
{
    for (const struct span_name *name = history->names; name; name = name->next) {
        size_t bytes = strlen(name->text) + 1;
        memcpy(to, name->text, bytes);
        for (size_t i = 0; i < count; i++)
            if (spans[i].name == name->text) spans[i].name = to;
        to += bytes;
    }
}

static size_t bytes_of_names(const struct history *history)
{
    size_t bytes = 0;
    for (const struct span_name *name = history->names; name; name = name->next)
        bytes += strlen(name->text) + 1;
    return bytes;
}

/* Walks from the last end back to the beginning: each span began when the one before it was over,
 * or when the host had made it. */
static void mark_critical(rill_sim_history *out, rill_sim_span *spans)
{
    size_t last = RILL_SIM_NO_SPAN;
    for (size_t i = 0; i < out->count; i++)
        if (last == RILL_SIM_NO_SPAN || spans[i].end_ns > spans[last].end_ns) last = i;
    for (; last != RILL_SIM_NO_SPAN; last = spans[last].after) {
        spans[last].critical = 1;
        out->critical_ns += spans[last].end_ns - spans[last].start_ns;
    }
}

rill_sim_history *sim_history_copy(const struct history *history)
{
    size_t bytes = history->count * sizeof(rill_sim_span);
    rill_sim_history *out = rl_zalloc(sizeof *out + bytes + bytes_of_names(history));
    if (!out) return NULL;
    rill_sim_span *spans = (rill_sim_span *)(out + 1);
    *out = (rill_sim_history){ .size = sizeof *out, .spans = spans, .count = history->count,
                               .left_out = history->left_out };
    if (bytes) memcpy(spans, history->spans, bytes);
    copy_names(history, spans, out->count, (char *)(spans + out->count));
    for (size_t i = 0; i < out->count; i++) {
        rill_sim_span *span = &spans[i];
        bool known = span->after != NO_SPAN && span->after >= history->first;
        span->after = known ? span->after - history->first : RILL_SIM_NO_SPAN;
        if (!i || span->start_ns < out->start_ns) out->start_ns = span->start_ns;
        if (span->end_ns > out->end_ns) out->end_ns = span->end_ns;
        out->serial_ns += span->end_ns - span->start_ns;
    }
    out->makespan_ns = out->end_ns - out->start_ns;
    mark_critical(out, spans);
    return out;
}
