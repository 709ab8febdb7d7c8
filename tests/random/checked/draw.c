/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded programs: the streams and the order of what is in them.
 */
#include "random/checked/draw.h"

#include <string.h>

/* ---- Steps ------------------------------------------------------------------------------- */

void draw_append(struct drawing *drawing, struct step step)
{
    struct recorded *program = drawing->program;
    if (program->steps == STEPS_MAX) return;
    step.thread = (uint8_t)dice_below(&drawing->dice, program->threads);
    if (step.stream >= 0)
        step.thread = (uint8_t)recorded_thread(program, step.stream, step.thread);
    if (step.from >= 0)
        step.thread = (uint8_t)recorded_thread(program, step.from, step.thread);
    program->step[program->steps++] = step;
    promises_add(&drawing->promises, program->steps - 1);
}

static int pick_stream(struct drawing *drawing)
{
    return dice_below(&drawing->dice, drawing->program->streams);
}

int draw_stream(struct drawing *drawing, int context)
{
    for (;;) {
        int stream = pick_stream(drawing);
        const struct stream_plan *plan = &drawing->program->stream[stream];
        if (plan->kind != LEGACY && (context < 0 || plan->context == context)) return stream;
    }
}

/* ---- Events and values ------------------------------------------------------------------- */

int draw_fresh_event(struct drawing *drawing, int context)
{
    struct recorded *program = drawing->program;
    if (program->events == EVENTS_MAX) return -1;
    program->event_context[program->events] = (uint8_t)context;
    return program->events++;
}

/* An event that streams of the context share; the first few are. */
static int pick_event(struct drawing *drawing, int context)
{
    int turn = dice_below(&drawing->dice, 3);
    return turn * drawing->program->contexts + context;
}

static struct step stream_step(enum verb verb, int stream)
{
    struct step step = step_of(verb);
    step.stream = (int8_t)stream;
    return step;
}

static struct step event_step(enum verb verb, int stream, int event)
{
    struct step step = stream_step(verb, stream);
    step.event = (int8_t)event;
    return step;
}

static int record_now(struct drawing *drawing, int stream)
{
    int event = pick_event(drawing, drawing->program->stream[stream].context);
    draw_append(drawing, event_step(DO_RECORD, stream, event));
    return event;
}

static bool write_value(struct drawing *drawing, int stream, int *value)
{
    struct recorded *program = drawing->program;
    if (!drawing->values_wanted || program->values == VALUES_MAX) return false;
    *value = program->values++;
    program->value_context[*value] = program->stream[stream].context;
    struct step step = stream_step(DO_WRITE_VALUE, stream);
    step.value = (int8_t)*value;
    draw_append(drawing, step);
    return true;
}

static void wait_for_value(struct drawing *drawing, int stream, int value)
{
    struct step step = stream_step(DO_WAIT_VALUE, stream);
    step.value = (int8_t)value;
    draw_append(drawing, step);
}

/* ---- Order where it is needed ------------------------------------------------------------ */

/* An event that stands for the act by now, or -1. */
static int event_after(const struct drawing *drawing, int act)
{
    for (int e = 0; e < drawing->program->events; e++)
        if (drawing->promises.recorded[e] && acts_have(&drawing->promises.event[e], act)) return e;
    return -1;
}

/* Has the host wait for what is in a stream. */
static void make_host_wait(struct drawing *drawing, int from)
{
    const struct stream_plan *plan = &drawing->program->stream[from];
    struct step whole = step_of(DO_SYNC_CONTEXT);
    switch (dice_below(&drawing->dice, 5)) {
    case 0: draw_append(drawing, stream_step(DO_POLL_STREAM, from)); break;
    case 1: draw_append(drawing, event_step(DO_SYNC_EVENT, -1, record_now(drawing, from))); break;
    case 2: draw_append(drawing, event_step(DO_POLL_EVENT, -1, record_now(drawing, from))); break;
    case 3:
        whole.context = (int8_t)plan->context;
        draw_append(drawing, whole);
        break;
    default: draw_append(drawing, stream_step(DO_SYNC_STREAM, from)); break;
    }
}

/* A thread can name no stream of another one. */
static bool may_wait_for(const struct recorded *program, int stream, int other)
{
    const struct stream_plan *one = &program->stream[stream], *two = &program->stream[other];
    return stream != other && (one->kind != PER_THREAD || two->kind != PER_THREAD ||
                               one->thread == two->thread);
}

static void wait_for_stream(struct drawing *drawing, int stream, int other)
{
    struct step step = stream_step(DO_WAIT_STREAM, stream);
    step.from = (int8_t)other;
    draw_append(drawing, step);
}

/* Orders what comes next in the stream, or in the host, after an act. */
static void order_after(struct drawing *drawing, int act, int stream)
{
    int from = drawing->program->step[drawing->promises.act[act].step].stream, value;
    int event = event_after(drawing, act);
    if (stream < 0) {
        if (event >= 0 && dice_chance(&drawing->dice, 40))
            draw_append(drawing, event_step(DO_SYNC_EVENT, -1, event));
        else make_host_wait(drawing, from);
    } else if (event >= 0 && dice_chance(&drawing->dice, 50)) {
        draw_append(drawing, event_step(DO_WAIT, stream, event));
    } else if (dice_chance(&drawing->dice, 20)) {
        make_host_wait(drawing, from);
    } else if (dice_chance(&drawing->dice, 15) && may_wait_for(drawing->program, stream, from)) {
        wait_for_stream(drawing, stream, from);
    } else if (dice_chance(&drawing->dice, 15) && write_value(drawing, from, &value)) {
        wait_for_value(drawing, stream, value);
    } else {
        draw_append(drawing, event_step(DO_WAIT, stream, record_now(drawing, from)));
    }
}

/* An earlier act that races with one of those from `first` on, or -1. */
static int racing_act(const struct promises *promises, int first)
{
    for (int b = first; b < promises->acts; b++)
        for (int a = 0; a < first; a++)
            if (acts_race(promises, a, b)) return a;
    return -1;
}

/* Takes the step on trial, until nothing races with it any more. */
void draw_ordered(struct drawing *drawing, struct step step)
{
    static struct promises before;
    struct promises *promises = &drawing->promises;
    struct recorded *program = drawing->program;
    while (program->steps < STEPS_MAX - 4) {
        before = *promises;
        draw_append(drawing, step);
        int racing = racing_act(promises, before.acts);
        if (racing < 0) return;
        *promises = before;
        program->steps--;
        order_after(drawing, racing, step.stream);
    }
}

/* ---- Steps of all kinds ------------------------------------------------------------------ */

static void draw_operation(struct drawing *drawing)
{
    struct step step = stream_step(DO_WORK, pick_stream(drawing));
    if (draw_work(drawing, step.stream, &step.work)) draw_ordered(drawing, step);
    if (dice_chance(&drawing->dice, 25)) record_now(drawing, step.stream);
}

static void draw_touch(struct drawing *drawing)
{
    struct step step = step_of(DO_TOUCH);
    if (draw_work(drawing, -1, &step.work)) draw_ordered(drawing, step);
}

/* A wait that may or may not order anything. */
static void draw_noise(struct drawing *drawing)
{
    int stream = pick_stream(drawing), event = dice_below(&drawing->dice, 3);
    if (dice_chance(&drawing->dice, 10)) draw_append(drawing, event_step(DO_RENEW, -1, event));
    if (dice_chance(&drawing->dice, 60))
        draw_append(drawing, event_step(DO_WAIT, stream, event));
    else if (dice_chance(&drawing->dice, 50)) record_now(drawing, stream);
    else make_host_wait(drawing, stream);
}

static void draw_sync_copy(struct drawing *drawing)
{
    struct recorded *program = drawing->program;
    int stream = pick_stream(drawing);
    struct step step = stream_step(DO_SYNC_COPY, stream);
    if (program->stream[stream].kind != LEGACY) return;
    if (!draw_work(drawing, stream, &step.work)) return;
    step.work.kind = WORK_COPY;
    step.work.by = BY_DRIVER;
    step.work.in.memory = -1;
    for (int m = 0; m < program->memories; m++)
        if (program->memory[m].kind == MEMORY_PINNED && !drawing->promises.gone[m])
            step.work.in.memory = (int8_t)m;
    if (step.work.in.memory < 0 || program->memory[step.work.out.memory].kind != MEMORY_DEVICE)
        return;
    draw_regions(drawing, &step.work);
    step.work.out.rows = step.work.in.rows = 1;
    if (dice_chance(&drawing->dice, 50)) {
        struct region from = step.work.in;
        step.work.in = step.work.out;
        step.work.out = from;
    }
    draw_ordered(drawing, step);
}

static void draw_alloc(struct drawing *drawing)
{
    struct recorded *program = drawing->program;
    int stream = pick_stream(drawing), memory = program->memories;
    if (!drawing->pools_wanted || memory == MEMORIES_MAX || program->steps >= STEPS_MAX - 4) return;
    program->memories++;
    program->memory[memory] = (struct memory_plan){ MEMORY_POOL, program->stream[stream].context,
                                                    false };
    drawing->live[memory] = true;
    struct step step = stream_step(DO_ALLOC, stream);
    step.memory = (int8_t)memory;
    draw_append(drawing, step);
    struct step clear = stream_step(DO_WORK, stream); /* nothing may read what nobody wrote */
    clear.work = (struct work){ .kind = WORK_FILL, .by = BY_DRIVER, .in.memory = -1,
                                .out = { (int8_t)memory, 0, MEMORY_BYTES, 1, 0 } };
    draw_append(drawing, clear);
}

static void draw_free(struct drawing *drawing)
{
    struct recorded *program = drawing->program;
    int memory = dice_below(&drawing->dice, program->memories);
    if (program->memory[memory].kind != MEMORY_POOL || !drawing->live[memory]) return;
    struct step step = stream_step(DO_FREE, pick_stream(drawing));
    if (program->stream[step.stream].context != program->memory[memory].context) return;
    step.memory = (int8_t)memory;
    drawing->live[memory] = false;
    draw_ordered(drawing, step);
}

static bool names_memory(const struct step *s, int memory)
{
    return s->memory == memory || s->work.out.memory == memory || s->work.in.memory == memory;
}

/* Gives back memory that no graph has, by a call that waits for all that may touch it, even
 * in a program with a bug. */
static void draw_return(struct drawing *drawing)
{
    struct recorded *program = drawing->program;
    int memory = dice_below(&drawing->dice, program->memories);
    const struct memory_plan *plan = &program->memory[memory];
    if (plan->kind > MEMORY_PINNED || plan->registered || memory < 2) return;
    if (drawing->promises.gone[memory] || program->contexts > 1) return;
    for (int i = 0; i < program->steps; i++)
        if (program->step[i].graph >= 0 && names_memory(&program->step[i], memory)) return;
    struct step step = step_of(DO_GIVE_BACK);
    step.memory = (int8_t)memory;
    draw_ordered(drawing, step);
}

/* ---- Programs ---------------------------------------------------------------------------- */

static void draw_streams(struct drawing *drawing)
{
    struct recorded *program = drawing->program;
    for (int c = 0; c < program->contexts; c++) {
        int least = program->streams;
        if (dice_chance(&drawing->dice, 35))
            program->stream[program->streams++] = (struct stream_plan){ LEGACY, (uint8_t)c, 0 };
        if (dice_chance(&drawing->dice, 30))
            program->stream[program->streams++] = (struct stream_plan){
                PER_THREAD, (uint8_t)c, (uint8_t)dice_below(&drawing->dice, program->threads)
            };
        while (program->streams < least + 2 || dice_chance(&drawing->dice, 30)) {
            if (program->streams == (c + 1) * STREAMS_MAX / CONTEXTS_MAX) break;
            program->stream[program->streams++] = (struct stream_plan){
                dice_chance(&drawing->dice, 30) ? BLOCKING : NON_BLOCKING, (uint8_t)c, 0
            };
        }
        if (program->streams > least + 2 || program->stream[least].kind != LEGACY) continue;
        program->stream[least].kind = NON_BLOCKING; /* captures need two that are not legacy */
    }
    program->events = 3 * program->contexts;
    for (int e = 0; e < program->events; e++)
        program->event_context[e] = (uint8_t)(e % program->contexts);
}

static void draw_memories(struct drawing *drawing)
{
    struct recorded *program = drawing->program;
    for (int c = 0; c < program->contexts; c++) {
        int device = 2 + dice_below(&drawing->dice, 3), pinned = 1 + dice_below(&drawing->dice, 2);
        for (int i = 0; i < device + pinned; i++)
            program->memory[program->memories++] = (struct memory_plan){
                i < device ? MEMORY_DEVICE : MEMORY_PINNED, (uint8_t)c,
                i >= device && dice_chance(&drawing->dice, 30)
            };
    }
}

typedef void draw_fn(struct drawing *drawing);

static void draw_step(struct drawing *drawing)
{
    static const struct {
        draw_fn *draw;
        int weight;
    } choices[] = {
        { draw_operation, 46 }, { draw_touch, 9 }, { draw_noise, 10 }, { draw_sync_copy, 8 },
        { draw_alloc, 5 }, { draw_free, 8 }, { draw_graph, 5 }, { draw_capture, 4 },
        { draw_launch, 9 }, { draw_exec_change, 5 }, { draw_return, 2 },
    };
    int total = 0;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) total += choices[i].weight;
    int left = dice_below(&drawing->dice, total);
    size_t i = 0;
    while (left >= choices[i].weight) left -= choices[i++].weight;
    choices[i].draw(drawing);
}

void draw_program(struct recorded *program, uint64_t seed)
{
    static struct drawing drawing;
    memset(program, 0, sizeof *program);
    memset(&drawing, 0, sizeof drawing);
    drawing.program = program;
    drawing.dice.state = seed * UINT64_C(0x2545f4914f6cdd1d);
    program->seed = seed;
    program->workers = 1 << dice_below(&drawing.dice, 3);
    program->threads = dice_chance(&drawing.dice, 40) ? 2 + dice_below(&drawing.dice, 2) : 1;
    program->contexts = 1 + dice_chance(&drawing.dice, 30);
    drawing.values_wanted = dice_chance(&drawing.dice, 40);
    drawing.graphs_wanted = dice_chance(&drawing.dice, 60);
    drawing.captures_wanted = dice_chance(&drawing.dice, 50);
    drawing.pools_wanted = dice_chance(&drawing.dice, 50);
    draw_streams(&drawing);
    draw_memories(&drawing);
    promises_begin(&drawing.promises, program);
    int wanted = 6 + dice_below(&drawing.dice, 40);
    for (int i = 0; i < wanted; i++) draw_step(&drawing);
    for (int m = 0; m < program->memories; m++) /* nothing is to be left */
        while (drawing.live[m]) draw_free(&drawing);
}
