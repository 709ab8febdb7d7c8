/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes random programs.  Each step is drawn and kept only when the model says
 * that it is sound: memory is used in order, nothing is used after its end, and
 * no thread waits while a gate that only it opens is closed.
 */
#include <string.h>

#include "random/generator.h"
#include "random/theme.h"
#include "random/capture_step.h"

/* ---- What there is in the program ------------------------------------------------ */

static int add_stream(struct program *program, int context, enum stream_kind_of kind)
{
    struct stream_plan *plan = &program->stream[program->streams];
    *plan = (struct stream_plan){ .context = (uint8_t)context, .kind = (uint8_t)kind, .born = -1 };
    return program->streams++;
}

static int add_ordinary(struct generator *generator)
{
    struct program *program = generator->program;
    int s = add_stream(program, dice_below(&generator->dice, program->contexts),
                       dice_chance(&generator->dice, 35) ? NON_BLOCKING : BLOCKING);
    if (dice_chance(&generator->dice, 30))
        program->stream[s].priority = (int8_t)-dice_below(&generator->dice, 7);
    return s;
}

static int add_event(struct generator *generator)
{
    struct program *program = generator->program;
    program->event[program->events] = (struct event_plan){
        .context = (uint8_t)dice_below(&generator->dice, program->contexts),
        .timed = dice_chance(&generator->dice, 40),
        .patient = dice_chance(&generator->dice, 20),
        .shared = program->threads > 1 && dice_chance(&generator->dice, 25),
        .born = -1,
    };
    return program->events++;
}

static void choose_cast(struct generator *generator)
{
    struct program *program = generator->program;
    struct dice *dice = &generator->dice;
    static const int workers[] = { 1, 2, 64 };
    program->workers = workers[program->seed % 3];
    program->whims = program->seed / 3 % 2;
    program->threads = dice_chance(dice, 45) ? 1 : 1 + dice_below(dice, THREADS_MAX);
    program->contexts = dice_chance(dice, 60) ? 1 : 1 + dice_below(dice, CONTEXTS_MAX);
    for (int c = 0; c < program->contexts; c++) {
        program->device_of[c] = (uint8_t)dice_below(dice, 2);
        add_stream(program, c, LEGACY);
        for (int t = 0; t < program->threads; t++)
            program->stream[add_stream(program, c, PER_THREAD)].thread = (uint8_t)t;
    }
    for (int n = 1 + dice_below(dice, 8); n; n--) add_ordinary(generator);
    for (int n = 1 + dice_below(dice, 8); n; n--) add_event(generator);
    program->buffers = 1 + dice_below(dice, BUFFERS_MAX);
    for (int b = 0; b < program->buffers; b++)
        program->context_of[b] = (uint8_t)dice_below(dice, program->contexts);
    program->ending = (uint8_t)dice_below(dice, ENDINGS);
}

/* ---- What a step may use ----------------------------------------------------------- */

static bool usable_stream(struct generator *generator, int stream, int thread)
{
    const struct stream_plan *plan = &generator->program->stream[stream];
    if (generator->stream_gone[stream] || !generator_knows(generator, plan->born)) return false;
    return plan->kind != PER_THREAD || plan->thread == thread;
}

static int pick_stream(struct generator *generator, int thread)
{
    const struct program *program = generator->program;
    bool special = dice_chance(&generator->dice, generator->special);
    for (int tries = 0; tries < 30; tries++) {
        int s = dice_below(&generator->dice, program->streams);
        bool is_special = program->stream[s].kind >= LEGACY;
        if (is_special == special && usable_stream(generator, s, thread)) return s;
    }
    return -1;
}

bool generator_may_use_event(struct generator *generator, int event, bool records)
{
    const struct program *program = generator->program;
    const struct event_plan *plan = &program->event[event];
    if (generator->event_gone[event] || !generator_knows(generator, plan->born)) return false;
    for (int k = 0; k < generator->model.known && !plan->shared; k++) {
        const struct step *s = &program->step[k];
        bool uses = s->event == event || s->event2 == event;
        if (uses && (records || records_event(program, k, event)) && !generator_knows(generator, k))
            return false;
    }
    return true;
}

/* An event; to be recorded when `stream` is given. */
static int pick_event(struct generator *generator, int stream)
{
    const struct program *program = generator->program;
    int e = dice_below(&generator->dice, program->events);
    if (stream >= 0 && program->event[e].context != program->stream[stream].context) return -1;
    return generator_may_use_event(generator, e, stream >= 0) ? e : -1;
}

static bool unused_elsewhere(struct generator *generator, int stream, int event)
{
    const struct program *program = generator->program;
    for (int k = 0; k < generator->model.known; k++) {
        const struct step *s = &program->step[k];
        bool uses = (stream >= 0 && (s->stream == stream || s->other == stream)) ||
                    (event >= 0 && (s->event == event || s->event2 == event));
        if (uses && !generator_knows(generator, k)) return false;
    }
    return true;
}

/* An earlier step of one of two verbs that the thread knows of. */
static int pick_step(struct generator *generator, enum verb verb, enum verb or_verb)
{
    int now = generator->model.known;
    for (int tries = 0; now && tries < 20; tries++) {
        int k = dice_below(&generator->dice, now);
        int v = generator->program->step[k].verb;
        if ((v == (int)verb || v == (int)or_verb) && generator_knows(generator, k)) return k;
    }
    return -1;
}

/* ---- Drawing one step ---------------------------------------------------------------- */

static bool draw_memory(struct generator *generator, struct step *s)
{
    const struct program *program = generator->program;
    unsigned traits = verb_infos[s->verb].traits;
    s->how = HOW_ASYNC;
    if (!(traits & TRACED)) s->how = (uint8_t)(dice_chance(&generator->dice, 60) ? HOW_ASYNC :
                                               HOW_PAGEABLE + dice_below(&generator->dice, 2));
    if (traits & WRITES) s->buffer = (int8_t)dice_below(&generator->dice, program->buffers);
    if (traits & READS) s->source = (int8_t)dice_below(&generator->dice, program->buffers);
    if (s->buffer == s->source) return false;
    int main = s->buffer >= 0 ? s->buffer : s->source;
    int there = program->context_of[main], here = program->stream[s->stream].context;
    if ((traits & TRACED) && there != here) return false;
    /* A device fills no memory of another's. */
    if (s->verb == DO_FILL && program->device_of[there] != program->device_of[here]) return false;
    if (s->how != HOW_SYNC) return true;
    for (int k = 0; k < program->streams; k++)
        if (program->stream[k].kind == LEGACY &&
            program->stream[k].context == program->context_of[main])
            s->stream = (int8_t)k;
    return true;
}

static bool draw_gate(struct generator *generator, struct step *s)
{
    int t = s->thread, *count = &generator->closed_count[t];
    if (s->verb == DO_GATE) {
        s->how = (uint8_t)dice_below(&generator->dice, 4);
        generator->closed[t][(*count)++] = generator->model.known;
        return true;
    }
    if (!*count) return false;
    int which = dice_below(&generator->dice, *count);
    s->partner = (int16_t)generator->closed[t][which];
    generator->closed[t][which] = generator->closed[t][--*count];
    return true;
}

static bool draw_end(struct generator *generator, struct step *s)
{
    struct program *program = generator->program;
    if (s->verb == DO_STREAM_DESTROY) {
        bool ordinary = program->stream[s->stream].kind <= NON_BLOCKING;
        if (!ordinary || !unused_elsewhere(generator, s->stream, -1)) return false;
        return generator->stream_gone[s->stream] = true;
    }
    s->event = (int8_t)pick_event(generator, -1);
    if (s->event < 0 || !unused_elsewhere(generator, -1, s->event)) return false;
    return generator->event_gone[s->event] = true;
}

static bool draw_begin(struct generator *generator, struct step *s)
{
    struct program *program = generator->program;
    int now = generator->model.known;
    if (s->verb == DO_STREAM_CREATE) {
        if (program->streams == STREAMS_MAX) return false;
        s->stream = (int8_t)add_ordinary(generator);
        program->stream[s->stream].born = (int16_t)now;
    } else {
        if (program->events == EVENTS_MAX) return false;
        s->event = (int8_t)add_event(generator);
        program->event[s->event].born = (int16_t)now;
    }
    return true;
}

static bool draw_await(struct generator *generator, struct step *s)
{
    for (int tries = 0; tries < 10; tries++) {
        int k = generator->model.known - 1 - dice_below(&generator->dice, 20);
        if (k < 0 || generator_knows(generator, k)) continue;
        s->partner = (int16_t)k;
        return true;
    }
    return false;
}

static bool draw_partner(struct generator *generator, struct step *s)
{
    switch (s->verb) {
    case DO_WAIT_VALUE:
    case DO_BATCH:
        s->partner = (int16_t)pick_step(generator, DO_WRITE, DO_BATCH);
        s->how = (uint8_t)dice_below(&generator->dice, 4);
        break;
    case DO_LOOK:
        s->partner = (int16_t)pick_step(generator, DO_HOST, DO_KERNEL);
        break;
    default:
        s->partner = (int16_t)pick_step(generator, DO_ALLOC, DO_ALLOC);
    }
    return s->partner >= 0;
}

static bool free_is_sound(struct generator *generator, struct step *s)
{
    const struct program *program = generator->program;
    const struct step *alloc = &program->step[s->partner];
    struct step_set promised = model_foresee(&generator->model);
    if (generator->freed[s->partner] || !set_has(&promised, s->partner)) return false;
    if (program->stream[alloc->stream].context != program->stream[s->stream].context) return false;
    return generator->freed[s->partner] = true;
}

static bool draw_refused(struct generator *generator, struct step *s)
{
    const struct program *program = generator->program;
    s->event = (int8_t)pick_event(generator, -1);
    s->how = (uint8_t)dice_below(&generator->dice, 3);
    return s->event >= 0 &&
           program->event[s->event].context != program->stream[s->stream].context;
}

static bool draw_details(struct generator *generator, struct step *s)
{
    switch (s->verb) {
    case DO_STORE: case DO_CHECK: case DO_FILL: case DO_COPY: case DO_UPLOAD: case DO_READ:
        return draw_memory(generator, s) && (model_foresee(&generator->model), true) &&
               model_memory_ordered(&generator->model, generator->model.known);
    case DO_GATE: case DO_OPEN:
        return draw_gate(generator, s);
    case DO_RECORD:
        return (s->event = (int8_t)pick_event(generator, s->stream)) >= 0;
    case DO_WAIT: case DO_QUERY_EVENT: case DO_SYNC_EVENT:
        return (s->event = (int8_t)pick_event(generator, -1)) >= 0;
    case DO_ELAPSED:
        s->event = (int8_t)pick_event(generator, -1);
        return (s->event2 = (int8_t)pick_event(generator, -1)) >= 0 && s->event >= 0;
    case DO_WAIT_STREAM:
        return (s->other = (int8_t)pick_stream(generator, s->thread)) >= 0;
    case DO_WAIT_VALUE: case DO_BATCH: case DO_LOOK:
        return draw_partner(generator, s);
    case DO_FREE:
        return draw_partner(generator, s) && free_is_sound(generator, s);
    case DO_SYNC_CONTEXT:
        s->context = (int8_t)dice_below(&generator->dice, generator->program->contexts);
        return true;
    case DO_AWAIT:
        if (dice_chance(&generator->dice, 50) && generator_await_exec(generator, s)) return true;
        return draw_await(generator, s);
    case DO_STREAM_CREATE: case DO_EVENT_CREATE:
        return draw_begin(generator, s);
    case DO_STREAM_DESTROY: case DO_EVENT_DESTROY:
        return draw_end(generator, s);
    case DO_REFUSED:
        return draw_refused(generator, s);
    case DO_LAUNCH: case DO_CHANGE: case DO_SWITCH: case DO_UPDATE: case DO_RETIRE:
        return generator_use_exec(generator, s);
    case DO_PAUSE:
        s->how = (uint8_t)dice_below(&generator->dice, 4);
        return true;
    default:
        return true;
    }
}

static int draw_verb(struct generator *generator)
{
    int at = dice_below(&generator->dice, generator->total), verb = 0;
    while (at >= generator->weights[verb]) at -= generator->weights[verb++];
    return verb;
}

static bool wants_stream(int verb)
{
    return (verb_infos[verb].traits & ON_DEVICE) || verb == DO_QUERY_STREAM ||
           verb == DO_SYNC_STREAM || verb == DO_POLL || verb == DO_STREAM_DESTROY ||
           verb == DO_REFUSED;
}

static struct step *blank_step(struct generator *generator, int verb, int thread)
{
    struct step *s = &generator->program->step[generator->model.known];
    *s = (struct step){ .verb = (uint8_t)verb, .thread = (uint8_t)thread, .stream = -1, .other = -1,
                        .event = -1, .event2 = -1, .context = -1, .buffer = -1, .source = -1,
                        .graph = -1, .node = -1, .partner = -1 };
    return s;
}

static void keep(struct generator *generator)
{
    model_add(&generator->model);
    generator->program->steps++;
}

static bool draw_step(struct generator *generator, int verb, int thread)
{
    struct step *s = blank_step(generator, verb, thread);
    model_look_back(&generator->model);
    if (wants_stream(verb) && (s->stream = (int8_t)pick_stream(generator, thread)) < 0)
        return false;
    if (!draw_details(generator, s)) return false;
    if ((traits_of(generator->program, generator->model.known) & BLOCKS) &&
        generator->closed_count[thread])
        return false;
    s->captured = may_be_captured(generator->program, generator->model.known) &&
               dice_chance(&generator->dice, generator->captured);
    keep(generator);
    return true;
}

/* Who synchronizes a context breaks what other threads capture in it. */
static void choose_captures(struct generator *generator)
{
    generator->captured = dice_chance(&generator->dice, 50) ? 25 : 0;
    if (!generator->captured || generator->program->threads == 1) return;
    generator->total -= generator->weights[DO_SYNC_CONTEXT];
    generator->weights[DO_SYNC_CONTEXT] = 0;
}

void program_generate(struct program *program, uint64_t seed)
{
    static _Thread_local struct generator generator;
    memset(&generator, 0, sizeof generator);
    memset(program, 0, sizeof *program);
    program->seed = seed;
    generator.program = program;
    generator.dice.state = seed * UINT64_C(0x2545f4914f6cdd1d);
    choose_cast(&generator);
    generator.total = theme_choose(&generator.dice, generator.weights, &generator.special);
    choose_captures(&generator);
    if (theme_with_graphs(&generator.dice, generator.weights, &generator.total))
        generator_draw_graphs(&generator);
    model_start(&generator.model, program);

    /* Room is left for each thread to open the gates that it closed. */
    int most = dice_chance(&generator.dice, 80) ? 8 + dice_below(&generator.dice, 40)
                                            : 8 + dice_below(&generator.dice, STEPS_MAX / 2 - 8);
    int thread = 0;
    for (int tries = 0; tries < 4 * most && program->steps < most; tries++) {
        if (dice_chance(&generator.dice, 40))
            thread = dice_below(&generator.dice, program->threads);
        draw_step(&generator, draw_verb(&generator), thread);
    }
    for (int t = 0; t < program->threads; t++)
        while (generator.closed_count[t]) draw_step(&generator, DO_OPEN, t);
}
