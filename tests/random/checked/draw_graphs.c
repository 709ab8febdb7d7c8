/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded programs: graphs that are built, their execs and launches.
 */
#include "random/checked/draw.h"

/* ---- What conflicts in a graph ----------------------------------------------------------- */

/* Everything that a node may touch. */
struct node_touches {
    int count;
    struct touch_list list[2 * NODES_MAX];
};

static void list_touches(const struct promises *promises, const struct node_shape *node,
                         struct node_touches *touches)
{
    if (touches->count < 2 * NODES_MAX) touches->list[touches->count++] = touches_of_node(node);
    if (node->inside < 0) return;
    const struct graph_shape *inside = &promises->graph[node->inside];
    for (int i = 0; i < inside->nodes; i++) list_touches(promises, &inside->node[i], touches);
}

bool nodes_conflict(const struct promises *promises, const struct graph_shape *shape, int one,
                    int other)
{
    struct node_touches first, second;
    first.count = second.count = 0;
    list_touches(promises, &shape->node[one], &first);
    list_touches(promises, &shape->node[other], &second);
    for (int i = 0; i < first.count; i++)
        for (int k = 0; k < second.count; k++)
            if (touches_conflict(&first.list[i], &second.list[k])) return true;
    return false;
}

bool shape_is_ordered(const struct promises *promises, const struct graph_shape *shape)
{
    for (int i = 0; i < shape->nodes; i++) {
        uint32_t before = graph_before(shape, i);
        for (int k = 0; k < i; k++)
            if (!(before >> k & 1) && nodes_conflict(promises, shape, k, i)) return false;
    }
    return true;
}

/* ---- Nodes ------------------------------------------------------------------------------- */

static bool touches_kind(const struct drawing *drawing, const struct work *work, int kind)
{
    const struct memory_plan *memory = drawing->program->memory;
    return memory[work->out.memory].kind == kind ||
           (work->in.memory >= 0 && memory[work->in.memory].kind == kind);
}

/* Work that a graph may hold, in rows, and what bodies of conditionals may hold. */
static bool draw_node_work(struct drawing *drawing, int context, bool body, struct work *work)
{
    for (int tries = 0; tries < 20; tries++) {
        int stream = draw_stream(drawing, context);
        if (!draw_work(drawing, stream, work) || touches_kind(drawing, work, MEMORY_POOL))
            continue;
        if (body && work->by == BY_HOST) continue;
        if (body && work->in.memory >= 0 && drawing->program->memory[work->in.memory].context !=
                    drawing->program->memory[work->out.memory].context)
            continue;
        return true;
    }
    return false;
}

/* Adds a node, after those that it conflicts with and others. */
static void append_node(struct drawing *drawing, struct step step)
{
    struct promises *promises = &drawing->promises;
    struct graph_shape *shape = &promises->graph[step.graph];
    struct recorded *program = drawing->program;
    int number = shape->nodes;
    if (number >= NODES_MAX - 1 || program->steps >= STEPS_MAX - 4) return;
    for (int k = 0; k < number; k++)
        if (dice_chance(&drawing->dice, 20)) step.after |= UINT32_C(1) << k;
    draw_append(drawing, step);
    struct node_shape *node = &shape->node[number];
    for (int k = number - 1; k >= 0; k--) {
        if (graph_before(shape, number) >> k & 1) continue;
        if (nodes_conflict(promises, shape, k, number)) node->after |= UINT32_C(1) << k;
    }
    program->step[node->step].after = node->after;
}

static void append_work_node(struct drawing *drawing, int graph, int context, bool body)
{
    struct step step = step_of(DO_NODE);
    step.graph = (int8_t)graph;
    if (draw_node_work(drawing, context, body, &step.work)) append_node(drawing, step);
}

static int begin_graph(struct drawing *drawing, int context)
{
    struct step step = step_of(DO_GRAPH);
    step.graph = (int8_t)drawing->program->graphs++;
    step.context = (int8_t)context;
    draw_append(drawing, step);
    return step.graph;
}

/* The body is complete before the node's edges are known: it decides which are needed. */
static void append_conditional(struct drawing *drawing, int graph, int context)
{
    struct recorded *program = drawing->program;
    struct promises *promises = &drawing->promises;
    struct graph_shape *shape = &promises->graph[graph];
    struct step step = step_of(DO_CONDITIONAL);
    if (program->graphs == GRAPHS_MAX || program->steps >= STEPS_MAX - 8) return;
    step.graph = (int8_t)graph;
    step.other = (int8_t)program->graphs++;
    step.context = (int8_t)context;
    step.how = (uint8_t)dice_below(&drawing->dice, 3);
    step.number = (uint32_t)dice_below(&drawing->dice, 2);
    draw_append(drawing, step);
    int number = shape->nodes - 1;
    struct step leave = step_of(DO_LEAVE);
    leave.graph = step.other;
    leave.number = 1 + (uint32_t)dice_below(&drawing->dice, 3);
    if (step.how == CHOOSE_WHILE) append_node(drawing, leave);
    for (int i = 1 + dice_below(&drawing->dice, 3); i > 0; i--)
        append_work_node(drawing, step.other, context, true);
    struct node_shape *node = &shape->node[number];
    for (int k = number - 1; k >= 0; k--)
        if (!(graph_before(shape, number) >> k & 1) && nodes_conflict(promises, shape, k, number))
            node->after |= UINT32_C(1) << k;
    program->step[node->step].after = node->after;
}

/* A graph of plain nodes, to be put into another one. */
static void append_child(struct drawing *drawing, int graph, int context)
{
    struct step step = step_of(DO_CHILD);
    if (drawing->program->graphs == GRAPHS_MAX) return;
    int child = begin_graph(drawing, context);
    for (int i = 1 + dice_below(&drawing->dice, 3); i > 0; i--)
        append_work_node(drawing, child, context, false);
    step.graph = (int8_t)graph;
    step.other = (int8_t)child;
    append_node(drawing, step);
}

/* A node that records an event, or that waits for one: each is that node's alone, since
 * what a node waits for is decided when the node is reached. */
static void append_event_node(struct drawing *drawing, int graph, int context)
{
    int event = draw_fresh_event(drawing, context);
    if (event < 0 || drawing->program->steps >= STEPS_MAX - 8) return;
    struct step step = step_of(dice_chance(&drawing->dice, 50) ? DO_RECORD_NODE : DO_WAIT_NODE);
    struct step record = step_of(DO_RECORD);
    record.stream = (int8_t)draw_stream(drawing, context);
    record.event = step.event = (int8_t)event;
    step.graph = (int8_t)graph;
    if (step.verb == DO_WAIT_NODE) draw_append(drawing, record);
    append_node(drawing, step);
}

/* Memory that is there from one node to another: what touches it comes in between. */
static int append_alloc(struct drawing *drawing, int graph, int context)
{
    struct recorded *program = drawing->program;
    struct step alloc = step_of(DO_ALLOC_NODE), clear = step_of(DO_NODE);
    int memory = program->memories;
    if (memory == MEMORIES_MAX || program->steps >= STEPS_MAX - 16) return -1;
    program->memory[program->memories++] = (struct memory_plan){ MEMORY_GRAPH, (uint8_t)context,
                                                                false };
    alloc.graph = clear.graph = (int8_t)graph;
    alloc.memory = (int8_t)memory;
    append_node(drawing, alloc);
    clear.work = (struct work){ .kind = WORK_FILL, .by = BY_DRIVER, .in.memory = -1,
                                .out = { (int8_t)memory, 0, MEMORY_BYTES, 1, 0 } };
    append_node(drawing, clear);
    return memory;
}

static void append_free(struct drawing *drawing, int graph, int memory)
{
    struct step step = step_of(DO_FREE_NODE);
    step.graph = (int8_t)graph;
    step.memory = (int8_t)memory;
    append_node(drawing, step);
}

/* ---- Graphs and execs -------------------------------------------------------------------- */

void draw_exec(struct drawing *drawing, int graph)
{
    struct recorded *program = drawing->program;
    struct step step = step_of(DO_EXEC);
    if (program->execs == EXECS_MAX || program->steps >= STEPS_MAX - 4) return;
    step.graph = (int8_t)graph;
    step.exec = (int8_t)program->execs++;
    draw_append(drawing, step);
}

static void append_any(struct drawing *drawing, int graph, int context, int memory)
{
    int what = dice_below(&drawing->dice, 100);
    struct step empty = step_of(DO_EMPTY);
    empty.graph = (int8_t)graph;
    if (what < 68) {
        if (memory >= 0) drawing->live[memory] = true;
        append_work_node(drawing, graph, context, false);
        if (memory >= 0) drawing->live[memory] = false;
    } else if (what < 75) {
        append_node(drawing, empty);
    } else if (what < 83) {
        append_event_node(drawing, graph, context);
    } else if (what < 92) {
        append_child(drawing, graph, context);
    } else {
        append_conditional(drawing, graph, context);
    }
}

void draw_graph(struct drawing *drawing)
{
    struct recorded *program = drawing->program;
    if (!drawing->graphs_wanted || program->graphs >= GRAPHS_MAX - 2 ||
        program->steps >= STEPS_MAX - 80)
        return;
    int context = dice_below(&drawing->dice, program->contexts);
    int graph = begin_graph(drawing, context), memory = -1;
    if (drawing->pools_wanted && dice_chance(&drawing->dice, 40))
        memory = append_alloc(drawing, graph, context);
    for (int i = 2 + dice_below(&drawing->dice, 6); i > 0; i--)
        append_any(drawing, graph, context, memory);
    if (memory >= 0) append_free(drawing, graph, memory);
    draw_exec(drawing, graph);
}

static int pick_exec(struct drawing *drawing)
{
    int execs = drawing->program->execs;
    return execs ? dice_below(&drawing->dice, execs) : -1;
}

/* The steps that make a graph say in which context. */
static int context_of_exec(const struct drawing *drawing, int exec)
{
    const struct recorded *program = drawing->program;
    for (int i = 0; i < program->steps; i++) {
        const struct step *s = &program->step[i];
        if (s->graph != drawing->promises.exec_graph[exec]) continue;
        if (s->verb == DO_GRAPH) return s->context;
        if (s->verb == DO_BEGIN) return program->stream[s->stream].context;
    }
    return 0;
}

void draw_launch(struct drawing *drawing)
{
    struct step step = step_of(DO_LAUNCH);
    int exec = pick_exec(drawing);
    if (exec < 0) return;
    int context = context_of_exec(drawing, exec);
    do step.stream = (int8_t)dice_below(&drawing->dice, drawing->program->streams);
    while (drawing->program->stream[step.stream].context != context);
    step.exec = (int8_t)exec;
    draw_ordered(drawing, step);
}

/* ---- Changes of execs -------------------------------------------------------------------- */

/* Fills and kernels take other addresses of the same memories. */
static bool may_change(const struct drawing *drawing, const struct node_shape *node)
{
    const struct work *work = &node->work;
    if (node->verb != DO_NODE || work->by == BY_HOST) return false;
    if (touches_kind(drawing, work, MEMORY_GRAPH)) return false; /* all of it is to be written */
    return work->by != BY_DRIVER || (work->kind == WORK_FILL && work->out.rows == 1);
}

static bool change_work(struct drawing *drawing, struct graph_shape *shape, int number)
{
    struct work *work = &shape->node[number].work, old = *work;
    draw_regions(drawing, work);
    if (old.by == BY_DRIVER) work->out.rows = 1, work->out.width = old.out.width, work->out.at = 0;
    if (shape_is_ordered(&drawing->promises, shape)) return true;
    *work = old;
    return false;
}

static void set_work(struct drawing *drawing, int exec, int number)
{
    struct graph_shape shape = drawing->promises.exec[exec];
    struct step step = step_of(DO_SET_WORK);
    if (!may_change(drawing, &shape.node[number]) || !change_work(drawing, &shape, number)) return;
    step.exec = (int8_t)exec;
    step.node = (int8_t)number;
    step.work = shape.node[number].work;
    draw_append(drawing, step);
}

static void set_enabled(struct drawing *drawing, int exec, int number)
{
    const struct node_shape *node = &drawing->promises.exec[exec].node[number];
    struct step step = step_of(DO_ENABLE);
    if (node->verb != DO_NODE || node->work.by == BY_HOST) return;
    if (touches_kind(drawing, &node->work, MEMORY_GRAPH)) return;
    step.exec = (int8_t)exec;
    step.node = (int8_t)number;
    step.number = node->off;
    draw_append(drawing, step);
}

static bool is_plain(const struct step *s)
{
    return s->verb == DO_NODE || s->verb == DO_EMPTY;
}

/* Builds a graph like that of the exec, in which some nodes do something else.  A capture
 * has its edges in an order of its own, which would have to be the same. */
static void update(struct drawing *drawing, int exec)
{
    struct recorded *program = drawing->program;
    struct graph_shape shape = drawing->promises.exec[exec];
    if (program->graphs == GRAPHS_MAX || program->steps + shape.nodes >= STEPS_MAX - 4) return;
    for (int i = 0; i < shape.nodes; i++)
        if (!is_plain(&program->step[shape.node[i].step])) return;
    for (int i = 0; i < shape.nodes; i++)
        if (may_change(drawing, &shape.node[i]) && dice_chance(&drawing->dice, 60))
            change_work(drawing, &shape, i);
    if (!shape_is_ordered(&drawing->promises, &shape)) return;
    int graph = begin_graph(drawing, context_of_exec(drawing, exec));
    for (int i = 0; i < shape.nodes; i++) {
        struct step step = step_of((enum verb)shape.node[i].verb);
        step.graph = (int8_t)graph;
        step.after = shape.node[i].after;
        step.work = shape.node[i].work;
        draw_append(drawing, step);
    }
    struct step step = step_of(DO_UPDATE);
    step.exec = (int8_t)exec;
    step.graph = (int8_t)graph;
    draw_append(drawing, step);
}

void draw_exec_change(struct drawing *drawing)
{
    int exec = pick_exec(drawing), what = dice_below(&drawing->dice, 3);
    if (exec < 0 || !drawing->promises.exec[exec].nodes ||
        drawing->program->steps >= STEPS_MAX - 4)
        return;
    int number = dice_below(&drawing->dice, drawing->promises.exec[exec].nodes);
    if (what == 0) set_work(drawing, exec, number);
    else if (what == 1) set_enabled(drawing, exec, number);
    else update(drawing, exec);
}
