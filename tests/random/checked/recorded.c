/* SPDX-License-Identifier: Apache-2.0 */
#include "random/checked/recorded.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct verb_info verb_infos[VERBS] = {
    [DO_WORK] = { "work", true },
    [DO_ALLOC] = { "allocate", true },
    [DO_FREE] = { "free", true },
    [DO_RECORD] = { "record", true },
    [DO_WAIT] = { "wait", true },
    [DO_WAIT_STREAM] = { "wait for stream", true },
    [DO_WRITE_VALUE] = { "write value", true },
    [DO_WAIT_VALUE] = { "wait for value", true },
    [DO_LAUNCH] = { "launch", true },
    [DO_TOUCH] = { "the host", false },
    [DO_GIVE_BACK] = { "give back", false },
    [DO_SYNC_COPY] = { "synchronous", true },
    [DO_SYNC_STREAM] = { "synchronize", false },
    [DO_SYNC_EVENT] = { "synchronize", false },
    [DO_SYNC_CONTEXT] = { "synchronize", false },
    [DO_POLL_STREAM] = { "poll", false },
    [DO_POLL_EVENT] = { "poll", false },
    [DO_RENEW] = { "renew", false },
    [DO_GRAPH] = { "create", false },
    [DO_NODE] = { "node", false },
    [DO_EMPTY] = { "empty node", false },
    [DO_RECORD_NODE] = { "record node", false },
    [DO_WAIT_NODE] = { "wait node", false },
    [DO_ALLOC_NODE] = { "alloc node", false },
    [DO_FREE_NODE] = { "free node", false },
    [DO_LEAVE] = { "leave node", false },
    [DO_CHILD] = { "child graph node", false },
    [DO_CONDITIONAL] = { "conditional node", false },
    [DO_BEGIN] = { "begin capture", false },
    [DO_END] = { "end capture", false },
    [DO_EXEC] = { "instantiate", false },
    [DO_SET_WORK] = { "set", false },
    [DO_ENABLE] = { "enable", false },
    [DO_UPDATE] = { "update", false },
};

bool recorded_insert(struct recorded *program, int at, const struct step *step)
{
    if (program->steps == STEPS_MAX) return false;
    struct step *here = &program->step[at];
    memmove(here + 1, here, (size_t)(program->steps - at) * sizeof *here);
    *here = *step;
    program->steps++;
    return true;
}

void recorded_drop(struct recorded *program, int at)
{
    struct step *here = &program->step[at];
    program->steps--;
    memmove(here, here + 1, (size_t)(program->steps - at) * sizeof *here);
}

/* ---- As text ----------------------------------------------------------------------------- */

struct page {
    char *text;
    size_t room, used;
};

static void __attribute__((format(printf, 2, 3))) print(struct page *page, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(page->text + page->used, page->room - page->used, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    page->used += (size_t)length;
    if (page->used >= page->room) page->used = page->room - 1;
}

static void print_region(struct page *page, const char *role, const struct region *region)
{
    if (region->memory < 0) return;
    print(page, " %s M%d[%d,%d)", role, region->memory, region->at, region->at + region->width);
    if (region->rows > 1) print(page, " x%d every %d", region->rows, region->pitch);
}

static void print_work(struct page *page, const struct work *work)
{
    static const char *const kinds[] = { "copy", "fill", "mix", "add" };
    static const char *const by[] = { "", " by PTX", " by a C kernel", " by a C kernel, guessed",
                                      " by the host" };
    print(page, " %s", kinds[work->kind]);
    print_region(page, "to", &work->out);
    print_region(page, "from", &work->in);
    print(page, " #%u%s", (unsigned)work->value, by[work->by]);
}

static void print_names(struct page *page, const struct step *s)
{
    static const char *const choices[] = { "if", "switch", "while" };
    const struct {
        char letter;
        int8_t number;
    } names[] = { { 'S', s->stream }, { 'E', s->event }, { 'V', s->value }, { 'M', s->memory },
                  { 'C', s->context }, { 'X', s->exec }, { 'G', s->graph }, { 'n', s->node } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number >= 0) print(page, " %c%d", names[i].letter, names[i].number);
    if (s->verb == DO_CONDITIONAL)
        print(page, " %s %u", choices[s->how], (unsigned)s->number);
    if (s->verb == DO_ENABLE) print(page, " %s", s->number ? "on" : "off");
    if (s->verb == DO_LEAVE) print(page, " after %u rounds", (unsigned)s->number);
    if (s->from >= 0) print(page, " for S%d", s->from);
    if (s->other >= 0) print(page, " G%d", s->other);
    for (int i = 0; i < NODES_MAX; i++)
        if (s->after >> i & 1) print(page, " after n%d", i);
}

static void print_step(struct page *page, const struct recorded *program, int i)
{
    const struct step *s = &program->step[i];
    print(page, "%3d T%d %s", i, s->thread, verb_infos[s->verb].name);
    print_names(page, s);
    if (s->work.out.memory >= 0) print_work(page, &s->work);
}

size_t recorded_print_step(const struct recorded *program, int i, char *text, size_t room)
{
    struct page page = { text, room, 0 };
    print_step(&page, program, i);
    return page.used;
}

size_t recorded_print(const struct recorded *program, char *text, size_t room)
{
    static const char *const streams[] = { "blocking", "non-blocking", "legacy", "per thread" };
    static const char *const memories[] = { "device", "pinned", "pool", "graph's" };
    struct page page = { text, room, 0 };
    print(&page, "program %llu, %d workers\n", (unsigned long long)program->seed,
          program->workers);
    for (int s = 0; s < program->streams; s++)
        print(&page, "  S%d %s C%d T%d\n", s, streams[program->stream[s].kind],
              program->stream[s].context, program->stream[s].thread);
    for (int m = 0; m < program->memories; m++)
        print(&page, "  M%d %s C%d\n", m, memories[program->memory[m].kind],
              program->memory[m].context);
    for (int i = 0; i < program->steps; i++) {
        print_step(&page, program, i);
        print(&page, "\n");
    }
    return page.used;
}
