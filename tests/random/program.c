/* SPDX-License-Identifier: Apache-2.0 */
#include "random/program.h"

#include <stdarg.h>
#include <stdio.h>

const struct verb_info verb_infos[VERBS] = {
    [DO_HOST] = { "host", ON_DEVICE | TRACED },
    [DO_KERNEL] = { "kernel", ON_DEVICE | TRACED },
    [DO_BLOCKS] = { "blocks", ON_DEVICE | TRACED },
    [DO_CALLBACK] = { "callback", ON_DEVICE | TRACED },
    [DO_STORE] = { "store", ON_DEVICE | TRACED | WRITES },
    [DO_CHECK] = { "check", ON_DEVICE | TRACED | READS },
    [DO_ALLOC] = { "alloc", ON_DEVICE | TRACED },
    [DO_FREE] = { "free", ON_DEVICE | TRACED },
    [DO_EMPTY] = { "empty", ON_DEVICE },
    [DO_FILL] = { "fill", ON_DEVICE | WRITES },
    [DO_COPY] = { "copy", ON_DEVICE | WRITES | READS },
    [DO_UPLOAD] = { "upload", ON_DEVICE | WRITES },
    [DO_READ] = { "read", ON_DEVICE | READS },
    [DO_RECORD] = { "record", ON_DEVICE },
    [DO_WAIT] = { "wait", ON_DEVICE },
    [DO_WAIT_STREAM] = { "wait_stream", ON_DEVICE },
    [DO_GATE] = { "gate", ON_DEVICE },
    [DO_WRITE] = { "write", ON_DEVICE },
    [DO_WAIT_VALUE] = { "wait_value", ON_DEVICE },
    [DO_BATCH] = { "batch", ON_DEVICE },
    [DO_LAUNCH] = { "launch", ON_DEVICE | WRITES | READS },
    [DO_OPEN] = { "open", 0 },
    [DO_QUERY_STREAM] = { "query", 0 },
    [DO_QUERY_EVENT] = { "query", 0 },
    [DO_ELAPSED] = { "elapsed", 0 },
    [DO_SYNC_STREAM] = { "synchronize", BLOCKS | SETTLES },
    [DO_SYNC_EVENT] = { "synchronize", BLOCKS | SETTLES },
    [DO_SYNC_CONTEXT] = { "synchronize", BLOCKS | SETTLES },
    [DO_POLL] = { "poll", BLOCKS | SETTLES },
    [DO_LOOK] = { "look", BLOCKS },
    [DO_AWAIT] = { "await", BLOCKS },
    [DO_PAUSE] = { "pause", 0 },
    [DO_STREAM_CREATE] = { "create", 0 },
    [DO_STREAM_DESTROY] = { "destroy", 0 },
    [DO_EVENT_CREATE] = { "create", 0 },
    [DO_EVENT_DESTROY] = { "destroy", 0 },
    [DO_REFUSED] = { "refused", 0 },
    [DO_CHANGE] = { "change", 0 },
    [DO_SWITCH] = { "switch", 0 },
    [DO_UPDATE] = { "update", 0 },
    [DO_RETIRE] = { "destroy", 0 },
};

/* ---- Text ----------------------------------------------------------------------- */

struct page {
    char *text;
    size_t room, used;
};

__attribute__((format(printf, 2, 3))) static void put(struct page *page, const char *format, ...)
{
    va_list arguments;
    if (page->used + 1 >= page->room) return;
    va_start(arguments, format);
    int wrote = vsnprintf(page->text + page->used, page->room - page->used, format, arguments);
    va_end(arguments);
    if (wrote < 0) return;
    size_t left = page->room - page->used - 1;
    page->used += (size_t)wrote < left ? (size_t)wrote : left;
}

static void put_streams(struct page *page, const struct program *program)
{
    static const char *const kinds[] = { "blocking", "non-blocking", "legacy", "per-thread" };
    for (int s = 0; s < program->streams; s++) {
        const struct stream_plan *plan = &program->stream[s];
        put(page, "  S%d: %s of C%d", s, kinds[plan->kind], plan->context);
        if (plan->kind == PER_THREAD) put(page, ", thread %d", plan->thread);
        if (plan->priority) put(page, ", priority %d", plan->priority);
        if (plan->born >= 0) put(page, ", created by step %d", plan->born);
        put(page, "\n");
    }
}

static void put_events(struct page *page, const struct program *program)
{
    for (int e = 0; e < program->events; e++) {
        const struct event_plan *plan = &program->event[e];
        put(page, "  E%d: of C%d%s%s%s", e, plan->context, plan->timed ? ", timed" : "",
            plan->patient ? ", blocking sync" : "", plan->shared ? ", recorded by any thread" : "");
        if (plan->born >= 0) put(page, ", created by step %d", plan->born);
        put(page, "\n");
    }
}

static void put_graphs(struct page *page, const struct program *program)
{
    for (int g = 0; g < program->graphs; g++) {
        const struct graph_plan *plan = &program->graph[g];
        put(page, "  G%d: of C%d%s%s\n", g, plan->context,
            plan->goes ? ", destroyed when there is an exec of it" : "",
            plan->hot ? ", hot" : "");
        page->used += graph_print(plan, page->text + page->used, page->room - page->used);
    }
}

static void put_step(struct page *page, const struct program *program, int i)
{
    static const char *const hows[] = { "", " pageable", " synchronously" };
    const struct step *s = &program->step[i];
    put(page, "%4d  t%d  %s", i, s->thread, verb_infos[s->verb].name);
    if (s->stream >= 0) put(page, " S%d", s->stream);
    if (s->context >= 0) put(page, " C%d", s->context);
    if (s->graph >= 0) put(page, " G%d", s->graph);
    if (s->node >= 0) put(page, " n%d", s->node);
    if (s->event >= 0) put(page, "%s E%d", s->graph >= 0 ? " recording" : "", s->event);
    if (s->event2 >= 0) put(page, " %s E%d", s->graph >= 0 ? "waiting for" : "to", s->event2);
    if (s->other >= 0) put(page, " for S%d", s->other);
    if (s->source >= 0) put(page, " from B%d", s->source);
    if (s->buffer >= 0) put(page, " into B%d", s->buffer);
    if ((s->buffer >= 0 || s->source >= 0) && s->how <= HOW_SYNC) put(page, "%s", hows[s->how]);
    else if (s->how) put(page, " (variant %d)", s->how);
    if (s->partner >= 0) put(page, " step %d", s->partner);
    if (s->captured) put(page, " in a graph");
}

size_t program_print_step(const struct program *program, int i, char *text, size_t room)
{
    struct page page = { text, room, 0 };
    put_step(&page, program, i);
    return page.used;
}

size_t program_print(const struct program *program, char *text, size_t room)
{
    static const char *const endings[ENDINGS] = {
        [END_SYNC_CONTEXTS] = "the contexts are synchronized",
        [END_SYNC_STREAMS] = "the streams are synchronized",
        [END_DESTROY] = "everything is destroyed as it is",
        [END_LOOK] = "somebody looks on until all is done",
        [END_POLL] = "the streams are asked until all is done",
    };
    struct page page = { text, room, 0 };
    put(&page, "program %llu: %d workers, %d threads%s\n", (unsigned long long)program->seed,
        program->workers, program->threads, program->whims ? ", whims" : "");
    for (int c = 0; c < program->contexts; c++)
        put(&page, "  C%d: of device %d\n", c, program->device_of[c]);
    put_streams(&page, program);
    put_events(&page, program);
    for (int b = 0; b < program->buffers; b++)
        put(&page, "  B%d: of C%d\n", b, program->context_of[b]);
    put_graphs(&page, program);
    for (int i = 0; i < program->steps; i++) {
        if (program->step[i].dropped) continue;
        put_step(&page, program, i);
        put(&page, "\n");
    }
    put(&page, "  at the end %s\n", endings[program->ending]);
    return page.used;
}
