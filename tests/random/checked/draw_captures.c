/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded programs: captures with forks, joins, and waits among the forks.
 */
#include "random/checked/draw.h"

enum { FORKS_MAX = 3 };

/* A capture in the making: its streams, the one in which it begins first. */
struct capture_plan {
    int graph, count;
    int stream[FORKS_MAX];
};

static void append_event_step(struct drawing *drawing, const struct capture_plan *plan,
                              enum verb verb, int stream, int event)
{
    struct step step = step_of(verb);
    step.stream = (int8_t)stream;
    step.event = (int8_t)event;
    step.graph = (int8_t)plan->graph;
    draw_append(drawing, step);
}

/* Has what comes next in a stream wait for what is captured of another. */
static bool order_streams(struct drawing *drawing, const struct capture_plan *plan, int from,
                          int to)
{
    int event = draw_fresh_event(drawing, drawing->program->stream[from].context);
    if (event < 0) return false;
    append_event_step(drawing, plan, DO_RECORD, from, event);
    append_event_step(drawing, plan, DO_WAIT, to, event);
    return true;
}

/* The node that the work would race with, as the next one of the stream, or -1. */
static int racing_node(const struct drawing *drawing, const struct capture_plan *plan, int stream,
                       const struct work *work)
{
    const struct promises *promises = &drawing->promises;
    const struct graph_shape *shape = &promises->graph[plan->graph];
    const struct touch_list touches = touches_of(work);
    uint32_t before = promises->frontier[stream];
    for (int i = 0; i < shape->nodes; i++)
        if (promises->frontier[stream] >> i & 1) before |= graph_before(shape, i);
    for (int i = shape->nodes - 1; i >= 0; i--) {
        const struct touch_list other = touches_of(&shape->node[i].work);
        if (!(before >> i & 1) && touches_conflict(&touches, &other)) return i;
    }
    return -1;
}

static void append_work(struct drawing *drawing, const struct capture_plan *plan)
{
    const struct recorded *program = drawing->program;
    const struct graph_shape *shape = &drawing->promises.graph[plan->graph];
    struct step step = step_of(DO_WORK);
    int stream = plan->stream[dice_below(&drawing->dice, plan->count)], racing;
    if (shape->nodes >= NODES_MAX - 1 || program->steps >= STEPS_MAX - 40) return;
    if (!draw_work(drawing, stream, &step.work)) return;
    if (program->memory[step.work.out.memory].kind == MEMORY_POOL) return;
    if (step.work.in.memory >= 0 && program->memory[step.work.in.memory].kind == MEMORY_POOL)
        return;
    while ((racing = racing_node(drawing, plan, stream, &step.work)) >= 0) {
        int from = program->step[shape->node[racing].step].stream;
        if (!order_streams(drawing, plan, from, stream)) return;
    }
    step.stream = (int8_t)stream;
    step.graph = (int8_t)plan->graph;
    draw_append(drawing, step);
}

static void mark_end(struct drawing *drawing, const struct capture_plan *plan, enum verb verb)
{
    struct step step = step_of(verb);
    step.stream = (int8_t)plan->stream[0];
    step.graph = (int8_t)plan->graph;
    draw_append(drawing, step);
}

/* Draws streams of one context.  A thread's own is left out: all steps of a capture are
 * one thread's. */
static bool draw_streams(struct drawing *drawing, struct capture_plan *plan)
{
    const struct recorded *program = drawing->program;
    int context = dice_below(&drawing->dice, program->contexts);
    int wanted = 1 + dice_below(&drawing->dice, FORKS_MAX);
    for (int s = 0; s < program->streams && plan->count < wanted; s++) {
        const struct stream_plan *stream = &program->stream[s];
        bool fits = stream->kind == BLOCKING || stream->kind == NON_BLOCKING;
        if (fits && stream->context == context) plan->stream[plan->count++] = s;
    }
    return plan->count > 0;
}

void draw_capture(struct drawing *drawing)
{
    struct recorded *program = drawing->program;
    struct capture_plan plan = { .graph = program->graphs };
    if (!drawing->captures_wanted || program->graphs == GRAPHS_MAX ||
        program->steps >= STEPS_MAX - 80 || program->events >= EVENTS_MAX - 40 ||
        !draw_streams(drawing, &plan))
        return;
    program->graphs++;
    int first = program->steps;
    mark_end(drawing, &plan, DO_BEGIN);
    for (int i = 1; i < plan.count; i++)
        order_streams(drawing, &plan, plan.stream[0], plan.stream[i]);
    for (int i = 2 + dice_below(&drawing->dice, 7); i > 0; i--) append_work(drawing, &plan);
    for (int i = 1; i < plan.count; i++)
        order_streams(drawing, &plan, plan.stream[i], plan.stream[0]);
    mark_end(drawing, &plan, DO_END);
    for (int i = first; i < program->steps; i++)
        program->step[i].thread = program->step[first].thread;
    draw_exec(drawing, plan.graph);
}
