/* SPDX-License-Identifier: Apache-2.0
 *
 * The code that the operations of a program run, and the judgement of what it
 * noted.
 */
#include <stdio.h>
#include <string.h>

#include "base/park.h"
#include "random/capture_step.h"

#define RELAXED memory_order_relaxed
#define BLOCKS_IN_GRID 3u

static const struct step *step_of(const struct trace *trace)
{
    return &trace->play->program->step[trace->step];
}

static uint64_t take_ticket(struct play *play)
{
    return atomic_fetch_add_explicit(&play->clock, 1, RELAXED) + 1;
}

static unsigned runs_wanted(const struct step *s)
{
    return s->verb == DO_BLOCKS ? BLOCKS_IN_GRID : 1;
}

/* ---- While it runs ----------------------------------------------------------------- */

static bool captured_so_far(const struct trace *trace)
{
    const struct step *s = step_of(trace);
    return !s->captured || (captured_step_lingers(s) ? trace->before : trace->after);
}

/* Whether what the set says of step `k` is so. */
static bool is_so(struct play *play, const struct step_set *set, int k)
{
    const struct trace *trace = &play->trace[k];
    if (play->program->step[k].dropped) return true;
    if (play->program->step[k].verb == DO_LAUNCH)
        return (!set_has(set, k) || graph_is_done(play, k)) &&
               (!set_has(set, RECORD_IN(k)) || graph_has_recorded(play, k));
    if (!set_has(set, k)) return true;
    return (trace->mark || !is_traced(play->program, k)) && captured_so_far(trace);
}

void trace_check(struct play *play, const struct step_set *set, int step, const char *what)
{
    for (int k = 0; k < play->program->steps; k++) {
        if (is_so(play, set, k)) continue;
        char name[80];
        program_print_step(play->program, k, name, sizeof name);
        accuse(play, step, "%s [%s] was done", what, name);
        return;
    }
}

void trace_check_done(struct play *play, int step)
{
    trace_check(play, &play->model->promised[step], step, "it returned before");
}

void trace_check_promised(struct trace *trace)
{
    trace_check(trace->play, &trace->play->model->promised[trace->step], trace->step,
                "it started before");
}

static void fill(uint32_t *memory, uint32_t value)
{
    for (int w = 0; w < BUFFER_WORDS; w++) memory[w] = value;
}

static void check_memory(struct trace *trace, const uint32_t *memory, uint32_t value)
{
    for (int w = 0; w < BUFFER_WORDS; w++) {
        if (memory[w] == value) continue;
        accuse(trace->play, trace->step, "word %d is 0x%08x and must be 0x%08x", w, memory[w],
               value);
        return;
    }
}

static void use_memory(struct trace *trace)
{
    struct play *play = trace->play;
    const struct step *s = step_of(trace);
    uint32_t *memory;
    switch (s->verb) {
    case DO_STORE:
        fill(RILL_DEVICE_MEMORY(play->buffer[s->buffer], uint32_t), value_written(trace->step));
        break;
    case DO_CHECK:
        memory = RILL_DEVICE_MEMORY(play->buffer[s->source], uint32_t);
        check_memory(trace, memory, play->model->value[trace->step]);
        break;
    case DO_ALLOC:
        fill(RILL_DEVICE_MEMORY(trace->scratch, uint32_t), value_written(trace->step));
        break;
    case DO_FREE:
        memory = RILL_DEVICE_MEMORY(play->trace[s->partner].scratch, uint32_t);
        check_memory(trace, memory, value_written(s->partner));
        break;
    default:
        break;
    }
}

void trace_visit(struct trace *trace)
{
    struct play *play = trace->play;
    unsigned wanted = runs_wanted(step_of(trace));
    uint64_t none = 0;
    atomic_compare_exchange_strong_explicit(&trace->start, &none, take_ticket(play), RELAXED,
                                            RELAXED);
    trace_check_promised(trace);
    use_memory(trace);
    /* Some take longer, so that what should wait for them can be seen not to. */
    for (int i = trace->step % 8 == 0 ? 300 : 0; i; i--) rl_relax();
    unsigned runs = atomic_fetch_add_explicit(&trace->runs, 1, RELAXED) + 1;
    if (runs > wanted) accuse(play, trace->step, "it ran %u times", runs);
    if (runs != wanted) return;
    trace->mark = 1;
    atomic_store_explicit(&trace->end, take_ticket(play), RELAXED);
    if (!step_of(trace)->captured)
        atomic_store_explicit(&trace->done, true, memory_order_release);
}

void trace_finish(void *data)
{
    struct trace *trace = data;
    if (!atomic_load_explicit(&trace->runs, RELAXED))
        accuse(trace->play, trace->step, "its data was given back before it ran");
    atomic_fetch_add_explicit(&trace->destroyed, 1, RELAXED);
}

/* ---- Afterwards ----------------------------------------------------------------------- */

static uint64_t start_of(const struct play *play, int k)
{
    return atomic_load_explicit(&play->trace[k].start, RELAXED);
}

static uint64_t end_of(const struct play *play, int k)
{
    return atomic_load_explicit(&play->trace[k].end, RELAXED);
}

static bool judged(const struct play *play, int k)
{
    return is_traced(play->program, k) && !play->program->step[k].dropped;
}

static void judge_one(struct play *play, int step)
{
    const struct step *s = &play->program->step[step];
    struct trace *trace = &play->trace[step];
    unsigned runs = atomic_load(&trace->runs), destroyed = atomic_load(&trace->destroyed);
    if (runs != runs_wanted(s))
        accuse(play, step, "it ran %u times, not %u", runs, runs_wanted(s));
    if (s->verb == DO_HOST && destroyed != (s->how == 0))
        accuse(play, step, "its data was given back %u times", destroyed);
    for (int k = 0; k < step; k++) {
        if (!judged(play, k) || !set_has(&play->model->promised[step], k)) continue;
        if (end_of(play, k) < start_of(play, step)) continue;
        accuse(play, step,
               "it started at %llu, and step %d, promised to be before it, ended at %llu",
               (unsigned long long)start_of(play, step), k, (unsigned long long)end_of(play, k));
    }
}

/* Operations of one stream never run at the same time, whoever submitted them. */
static void judge_overlap(struct play *play, int step)
{
    for (int k = 0; k < step; k++) {
        if (!judged(play, k) || play->program->step[k].stream != play->program->step[step].stream)
            continue;
        if (end_of(play, k) < start_of(play, step) || end_of(play, step) < start_of(play, k))
            continue;
        accuse(play, step, "it ran at the same time as step %d of its stream", k);
    }
}

static void judge_slot(struct play *play, int step)
{
    const struct step *s = &play->program->step[step];
    if (s->verb != DO_READ || s->how == HOW_PAGEABLE || s->dropped) return;
    check_memory(&play->trace[step], play->stage->slots[step], play->model->value[step]);
}

static void judge_captured(struct play *play, int step)
{
    const struct step *s = &play->program->step[step];
    int runs = play->trace[step].after;
    if (s->captured && !s->dropped && runs != 1)
        accuse(play, step, "its graph ran %d times to the end", runs);
}

void judge(struct play *play)
{
    for (int i = 0; i < play->program->steps; i++) {
        judge_slot(play, i);
        judge_captured(play, i);
        if (!judged(play, i)) continue;
        judge_one(play, i);
        judge_overlap(play, i);
    }
    for (int g = 0; g < play->program->graphs; g++) graph_judge(play, g);
}

size_t play_print_state(struct play *play, char *text, size_t room)
{
    const struct program *program = play->program;
    size_t used = 0;
    for (int t = 0; t < program->threads && used < room; t++)
        used += (size_t)snprintf(text + used, room - used, "  thread %d is at step %d\n", t,
                                 atomic_load(&play->progress[t]));
    for (int i = 0; i < program->steps && used < room; i++) {
        if (!judged(play, i) || atomic_load(&play->trace[i].done)) continue;
        used += (size_t)snprintf(text + used, room - used, "  step %d %s\n", i,
                                 start_of(play, i) ? "started and did not end" : "did not run");
    }
    return used < room ? used : room;
}
