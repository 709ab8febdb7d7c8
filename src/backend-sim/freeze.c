/* SPDX-License-Identifier: Apache-2.0
 *
 * Freezing: from a graph to a program.
 *
 *     number    every node, in the order of creation; a child graph gets a
 *               number for its begin, then those of its nodes, then one for
 *               its end
 *     connect   the numbers, as the edges say
 *     sort      them so that each node comes after what it depends on; mostly
 *               they are already
 *     arrange   tasks and edges in that order
 *
 * Each step is linear in nodes and edges.
 */
#include <stdlib.h>
#include <string.h>

#include "backend-sim/conditional_run.h"
#include "backend-sim/program.h"
#include "backend-sim/side.h"
#include "base/alloc.h"

/* A graph inside the one that is frozen, while its nodes are numbered. */
struct layer {
    struct sim_graph *graph;
    uint32_t *numbers;      /* by slot: of the node, or of its begin      */
    uint32_t begin, end;    /* of the child node that it is in; or NODE_NONE */
};

struct freeze {
    struct program *program;
    struct freeze_failure *failure;
    struct layer *layers;
    uint32_t layer_count;
    uint32_t count;         /* numbers given so far                        */
    uint32_t edges;
    bool unsorted;          /* an edge leads to a lower number             */
    uint32_t *ends;         /* by number of a begin: its layer + 1; else 0 */
    uint32_t *places;       /* by number; NULL: the same                   */
};

/* ---- Counting -------------------------------------------------------------- */

static struct sim_graph *child_of(const struct node *node)
{
    if (node->task->type->kind != RILL_OP_GRAPH) return NULL;
    return sim_graph_of(((struct child_task *)node->task)->graph);
}

/* What there is under a graph. */
struct extent_of_graph {
    uint64_t nodes, edges;
    uint32_t graphs;
};

/* Adds it up; of edges to and from the ends of child graphs the most there can be. */
static void count(const struct sim_graph *graph, struct extent_of_graph *all)
{
    if (all->graphs++) all->edges += 2 * (uint64_t)graph->count + 1;
    all->nodes += graph->count;
    all->edges += graph->edge_count;
    if (!graph->height) return;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        const struct sim_graph *child = child_of(sim_node(graph, slot));
        if (!child) continue;
        all->nodes++;
        count(child, all);
    }
}

/* ---- Numbering -------------------------------------------------------------- */

static bool number(struct freeze *freeze, struct sim_graph *graph, uint32_t begin)
{
    uint32_t index = freeze->layer_count++;
    struct layer *layer = &freeze->layers[index];
    *layer = (struct layer){ .graph = graph, .begin = begin, .end = NODE_NONE };
    layer->numbers = rl_alloc((size_t)graph->slots * sizeof *layer->numbers);
    if (!layer->numbers) return false;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        const struct node *node = sim_node(graph, slot);
        uint32_t own = freeze->count++;
        layer->numbers[slot] = own;
        freeze->program->tasks[own] = node->task;
        sim_task_retain(node->task);
        freeze->program->kinds |= 1u << node->task->type->kind;
        struct sim_graph *child = child_of(node);
        if (!child) continue;
        freeze->ends[own] = freeze->layer_count + 1;
        if (!number(freeze, child, own)) return false;
    }
    if (begin != NODE_NONE) layer->end = freeze->count++;
    return true;
}

/* ---- Edges ------------------------------------------------------------------- */

/* Nodes come in the order of their numbers, so each one's edges stand behind
 * those of the one before. */
static inline void put_edge(struct freeze *freeze, uint32_t from, uint32_t to)
{
    freeze->program->behind[freeze->edges++] = to;
    freeze->program->before[to]++;
    if (from >= to) freeze->unsorted = true;
}

static inline void start_edges(struct freeze *freeze, uint32_t from)
{
    freeze->program->behind_start[from] = freeze->edges;
}

static void put_edges(struct freeze *freeze, const struct layer *layer);

/* A child graph: from its begin to its first nodes, its own, and from its last
 * ones to its end. */
static void put_child(struct freeze *freeze, const struct layer *layer)
{
    const struct sim_graph *graph = layer->graph;
    start_edges(freeze, layer->begin);
    if (!graph->count) put_edge(freeze, layer->begin, layer->end);
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next)
        if (!sim_node(graph, slot)->before.count)
            put_edge(freeze, layer->begin, layer->numbers[slot]);
    put_edges(freeze, layer);
}

static void put_edges(struct freeze *freeze, const struct layer *layer)
{
    const struct sim_graph *graph = layer->graph;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        const struct node *node = sim_node(graph, slot);
        uint32_t from = layer->numbers[slot], child = freeze->ends ? freeze->ends[from] : 0;
        if (child) {
            put_child(freeze, &freeze->layers[child - 1]);
            from = freeze->layers[child - 1].end;
        }
        start_edges(freeze, from);
        for (uint32_t i = 0; i < node->behind.count; i++)
            put_edge(freeze, from, layer->numbers[node->behind.items[i].slot]);
        if (layer->begin != NODE_NONE && !node->behind.count) put_edge(freeze, from, layer->end);
    }
}

/* ---- Sorting ------------------------------------------------------------------ */

/* What is left when everything that can run has: each of these depends on one of
 * these, so whoever goes back often enough is on a cycle.  `from` is room. */
static uint32_t find_cycle(const struct program *program, const uint32_t *left, uint32_t *from)
{
    uint32_t at = 0;
    for (uint32_t n = 0; n < program->count; n++) {
        if (!left[n]) continue;
        at = n;
        for (uint32_t e = program->behind_start[n]; e < program->behind_start[n + 1]; e++)
            from[program->behind[e]] = n;
    }
    for (uint32_t steps = 0; steps < program->count; steps++) at = from[at];
    return at;
}

static rill_node handle_of(const struct freeze *freeze, uint32_t number)
{
    for (uint32_t i = 0; i < freeze->layer_count; i++) {
        const struct layer *layer = &freeze->layers[i];
        const struct sim_graph *graph = layer->graph;
        for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next)
            if (layer->numbers[slot] == number) return sim_node_handle(graph, slot);
    }
    return NULL;
}

static rill_status refuse_cycle(struct freeze *freeze, const uint32_t *left, uint32_t *room)
{
    freeze->failure->result = RILL_EXEC_INVALID_STRUCTURE;
    freeze->failure->node = handle_of(freeze, find_cycle(freeze->program, left, room));
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                             "the graph has a cycle; remove an edge of it");
}

/* A place for each number: those that can come first, and behind each whatever
 * became free by it. */
static rill_status sort(struct freeze *freeze)
{
    struct program *program = freeze->program;
    size_t bytes = program->count * sizeof(uint32_t);
    uint32_t *left = rl_alloc(bytes), *stack = rl_alloc(bytes);
    freeze->places = rl_alloc(bytes);
    rill_status status = left && stack && freeze->places ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
    uint32_t depth = 0, placed = 0;
    if (!status) {
        memcpy(left, program->before, bytes);
        for (uint32_t i = program->count; i-- > 0;)
            if (!left[i]) stack[depth++] = i;
        while (depth) {
            uint32_t at = stack[--depth];
            freeze->places[at] = placed++;
            for (uint32_t e = program->behind_start[at + 1]; e-- > program->behind_start[at];)
                if (!--left[program->behind[e]]) stack[depth++] = program->behind[e];
        }
        if (placed < program->count) status = refuse_cycle(freeze, left, stack);
    }
    rl_free(left);
    rl_free(stack);
    return status;
}

/* ---- Laying out ----------------------------------------------------------------- */

static uint32_t place_of(const struct freeze *freeze, uint32_t number)
{
    return freeze->places ? freeze->places[number] : number;
}

/* Brings tasks and edges from the order of numbers into that of places. */
static bool arrange(struct freeze *freeze)
{
    struct program *program = freeze->program;
    const uint32_t *places = freeze->places;
    uint32_t count = program->count;
    if (!places) return true;
    struct task **tasks = rl_alloc(count * sizeof(struct task *));
    uint32_t *start = rl_alloc(((size_t)count + 1) * sizeof *start);
    uint32_t *behind = rl_alloc(((size_t)program->edge_count + 1) * sizeof *behind);
    uint32_t *before = rl_alloc(count * sizeof *before);
    bool fits = tasks && start && behind && before;
    if (fits) {
        uint32_t *number_at = before; /* borrowed for a moment */
        for (uint32_t n = 0; n < count; n++) number_at[places[n]] = n;
        uint32_t at = 0;
        for (uint32_t place = 0; place < count; place++) {
            uint32_t n = number_at[place];
            tasks[place] = program->tasks[n];
            start[place] = at;
            for (uint32_t e = program->behind_start[n]; e < program->behind_start[n + 1]; e++)
                behind[at++] = places[program->behind[e]];
        }
        start[count] = at;
        for (uint32_t n = 0; n < count; n++) before[places[n]] = program->before[n];
        void *old[] = { program->tasks, program->behind_start, program->behind, program->before };
        program->tasks = tasks;
        program->behind_start = start;
        program->behind = behind;
        program->before = before;
        for (int i = 0; i < 4; i++) rl_free(old[i]);
        return true;
    }
    rl_free(tasks);
    rl_free(start);
    rl_free(behind);
    rl_free(before);
    return false;
}

/* Whether each place has the next one as its only dependent, and is the next
 * one's only dependency. */
static bool is_line(const struct program *program)
{
    for (uint32_t i = 0; i + 1 < program->count; i++)
        if (program->behind_start[i + 1] - program->behind_start[i] != 1 ||
            program->behind[program->behind_start[i]] != i + 1 || program->before[i + 1] != 1)
            return false;
    return true;
}

static int by_serial(const void *a, const void *b)
{
    uint32_t x = ((const struct part *)a)->serial, y = ((const struct part *)b)->serial;
    return x < y ? -1 : x > y;
}

static bool keep_part(struct freeze *freeze, const struct layer *layer, struct part *part)
{
    const struct sim_graph *graph = layer->graph;
    *part = (struct part){ .serial = graph->serial, .slots = graph->slots };
    part->places = rl_alloc(graph->slots * sizeof *part->places);
    part->generations = rl_zalloc(graph->slots);
    if (!part->places || !part->generations) return false;
    for (uint32_t slot = 0; slot < graph->slots; slot++) part->places[slot] = NODE_NONE;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        part->places[slot] = place_of(freeze, layer->numbers[slot]);
        part->generations[slot] = sim_node(graph, slot)->generation;
    }
    return sim_outline_keep(&part->outline, graph, part->places);
}

static bool keep_parts(struct freeze *freeze)
{
    struct program *program = freeze->program;
    program->parts = rl_zalloc(freeze->layer_count * sizeof *program->parts);
    if (!program->parts) return false;
    program->part_count = freeze->layer_count;
    for (uint32_t i = 0; i < freeze->layer_count; i++)
        if (!keep_part(freeze, &freeze->layers[i], &program->parts[i])) return false;
    qsort(program->parts, program->part_count, sizeof *program->parts, by_serial);
    return true;
}

/* ---- All of it -------------------------------------------------------------------- */

static rill_status begin(struct freeze *freeze, const struct sim_graph *graph)
{
    struct program *program = freeze->program;
    struct extent_of_graph all = { 0, 0, 0 };
    count(graph, &all);
    uint64_t nodes = all.nodes;
    if (nodes >= NODE_NONE || all.edges >= NODE_NONE)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                                 "with its child graphs it has too many nodes or edges");
    program->count = (uint32_t)nodes;
    program->root = graph->serial;
    program->entries = rl_alloc(nodes * sizeof *program->entries);
    program->tasks = rl_zalloc(nodes * sizeof(struct task *));
    program->behind_start = rl_alloc((nodes + 1) * sizeof(uint32_t));
    program->behind = rl_alloc((all.edges + 1) * sizeof(uint32_t));
    program->before = rl_zalloc(nodes * sizeof(uint32_t));
    freeze->layers = rl_zalloc(all.graphs * sizeof *freeze->layers);
    if (all.graphs > 1) freeze->ends = rl_zalloc(nodes * sizeof(uint32_t));
    bool fits = program->entries && program->tasks && program->behind_start && program->behind &&
                program->before && freeze->layers && (all.graphs == 1 || freeze->ends) &&
                sim_program_make_bits(program);
    return fits ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

static rill_status connect(struct freeze *freeze)
{
    struct program *program = freeze->program;
    put_edges(freeze, &freeze->layers[0]);
    start_edges(freeze, program->count);
    program->edge_count = freeze->edges;
    return freeze->unsorted ? sort(freeze) : RILL_SUCCESS;
}

static rill_status freeze_all(struct freeze *freeze, struct sim_graph *graph)
{
    struct program *program = freeze->program;
    rill_status status = begin(freeze, graph);
    if (!status && !number(freeze, graph, NODE_NONE)) status = RILL_ERROR_OUT_OF_MEMORY;
    if (!status) status = connect(freeze);
    if (status) return status;
    if (!arrange(freeze) || !keep_parts(freeze)) return RILL_ERROR_OUT_OF_MEMORY;
    program->is_line = is_line(program);
    status = sim_sides_create(program, graph->context);
    if (!status) status = sim_conditional_runs_freeze(program, freeze->failure);
    if (!status) sim_program_prepare(program);
    return status;
}

rill_status sim_program_freeze(struct sim_graph *graph, struct program **out,
                               struct freeze_failure *failure)
{
    struct freeze freeze = { .failure = failure };
    *failure = (struct freeze_failure){ .result = RILL_EXEC_OK };
    freeze.program = rl_zalloc(sizeof *freeze.program);
    if (!freeze.program) return RILL_ERROR_OUT_OF_MEMORY;
    rill_status status = freeze_all(&freeze, graph);
    for (uint32_t i = 0; i < freeze.layer_count; i++) rl_free(freeze.layers[i].numbers);
    rl_free(freeze.layers);
    rl_free(freeze.ends);
    rl_free(freeze.places);
    if (status) {
        if (!failure->result) failure->result = RILL_EXEC_ERROR;
        sim_program_free(freeze.program);
        return status;
    }
    *out = freeze.program;
    return RILL_SUCCESS;
}
