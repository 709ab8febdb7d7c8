/* SPDX-License-Identifier: Apache-2.0
 *
 * Freezing: from a graph to a program.
 *
 *     number    every node, in the order of creation; a child graph gets a
 *               number for its begin, then those of its nodes, then one for
 *               its end
 *     lay out   tasks and edges by number
 *     sort      numbers so that each node comes after what it depends on;
 *               mostly they are already, and the rest is not needed
 *     arrange   tasks and edges in that order
 *
 * Each step is linear in nodes and edges.  Graphs may be far larger than the
 * caches, so each node, task and edge is looked at once where that is possible.
 */
#include <stdlib.h>
#include <string.h>

#include "backend-sim/graph/cycle.h"
#include "backend-sim/program/conditional_run.h"
#include "backend-sim/program/external_node.h"
#include "backend-sim/program/program.h"
#include "base/alloc.h"

/* A graph inside the one that is frozen. */
struct layer {
    struct sim_graph *graph;
    uint32_t *numbers;      /* by slot: of the node, or of its begin; NULL if slot
                               by slot from `first` on                        */
    uint32_t first;
    uint32_t begin, end;    /* of the child node that it is in; or NODE_NONE */
};

struct freeze {
    struct program *program;
    struct freeze_failure *failure;
    struct layer *layers;   /* each before those inside it                 */
    uint32_t layer_count;
    uint32_t laid;          /* layers that were laid out, or begun         */
    uint32_t count;         /* numbers given so far                        */
    uint32_t edges;
    bool unsorted;          /* an edge leads to a lower number             */
    uint32_t *places;       /* by number; NULL if the same                 */
};

/* ---- Counting -------------------------------------------------------------- */

static struct sim_graph *child_of(const struct sim_graph *graph, uint32_t slot)
{
    if (sim_node(graph, slot)->kind != RILL_OP_GRAPH) return NULL;
    return sim_task_child(sim_node_task(graph, slot));
}

/* Adds up what is in a graph.  Of edges to and from the ends of child graphs it adds the most
 * that there can be. */
static void count_graph(const struct sim_graph *graph, struct program_size *all)
{
    if (all->graphs++) all->edges += 2 * (uint64_t)graph->count + 1;
    all->nodes += graph->count;
    all->edges += graph->edge_count;
    all->data = all->data || graph->data_count;
    if (graph->fan > all->fan) all->fan = graph->fan;
    if (!graph->height) return;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        const struct sim_graph *child = child_of(graph, slot);
        if (!child) continue;
        all->nodes++;
        count_graph(child, all);
    }
}

/* ---- Numbering -------------------------------------------------------------- */

static bool number_graph(struct freeze *freeze, struct sim_graph *graph, uint32_t begin);

static bool number_each(struct freeze *freeze, struct layer *layer)
{
    const struct sim_graph *graph = layer->graph;
    layer->numbers = rl_alloc((size_t)graph->slots * sizeof *layer->numbers);
    if (!layer->numbers) return false;
    memset(layer->numbers, 0xff, graph->slots * sizeof *layer->numbers);
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        uint32_t own = freeze->count++;
        struct sim_graph *child = child_of(graph, slot);
        layer->numbers[slot] = own;
        if (child && !number_graph(freeze, child, own)) return false;
    }
    return true;
}

/* Numbers the nodes of a graph.  Of most graphs the slots are the numbers. */
static bool number_graph(struct freeze *freeze, struct sim_graph *graph, uint32_t begin)
{
    struct layer *layer = &freeze->layers[freeze->layer_count++];
    *layer = (struct layer){
        .graph = graph, .first = freeze->count, .begin = begin, .end = NODE_NONE,
    };
    if (!graph->reused && !graph->height) freeze->count += graph->count;
    else if (!number_each(freeze, layer)) return false;
    if (begin != NODE_NONE) layer->end = freeze->count++;
    return true;
}

static inline uint32_t number_of(const struct layer *layer, uint32_t slot)
{
    return layer->numbers ? layer->numbers[slot] : layer->first + slot;
}

/* ---- Nodes and edges ----------------------------------------------------------- */

/* Appends an edge: nodes come in the order of their numbers, so the edges of each follow those
 * of the node before. */
static inline void put_edge(struct freeze *freeze, uint32_t from, uint32_t to)
{
    freeze->program->successors[freeze->edges++] = to;
    if (from >= to) freeze->unsorted = true;
}

static void put_edges(struct freeze *freeze, const struct layer *layer, const struct links *behind,
                      uint32_t from)
{
    struct program *program = freeze->program;
    uint32_t edge = freeze->edges, *to = program->successors + edge, lowest = NODE_NONE;
    const struct link *items = sim_links(behind);
    program->edge_starts[from] = edge;
    for (uint32_t i = 0; i < behind->count; i++) {
        to[i] = number_of(layer, items[i].slot);
        if (to[i] < lowest) lowest = to[i];
    }
    sim_program_put_notes(program, edge, behind);
    freeze->edges = edge + behind->count;
    if (lowest <= from) freeze->unsorted = true;
    if (layer->end == NODE_NONE || behind->count) return;
    put_edge(freeze, from, layer->end);
    program->in_degrees[layer->end]++;
}

static void lay_out_layer(struct freeze *freeze);

/* Lays out a child graph: edges from its begin to its first nodes, its own edges, and edges
 * from its last nodes to its end. */
static void lay_out_child(struct freeze *freeze)
{
    struct program *program = freeze->program;
    const struct layer *layer = &freeze->layers[freeze->laid];
    const struct sim_graph *graph = layer->graph;
    program->edge_starts[layer->begin] = freeze->edges;
    sim_program_put_end(program, layer->end);
    program->in_degrees[layer->end] = !graph->count;
    if (!graph->count) put_edge(freeze, layer->begin, layer->end);
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next)
        if (!sim_node(graph, slot)->predecessors.count)
            put_edge(freeze, layer->begin, number_of(layer, slot));
    lay_out_layer(freeze);
}

/* Lays out the next layer, and those inside it. */
static void lay_out_layer(struct freeze *freeze)
{
    struct program *program = freeze->program;
    const struct layer *layer = &freeze->layers[freeze->laid++];
    const struct sim_graph *graph = layer->graph;
    bool inside = layer->end != NODE_NONE;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_graph_next(graph, slot)) {
        const struct node *node = sim_node(graph, slot);
        uint32_t at = number_of(layer, slot);
        uint32_t near = sim_graph_prefetch(graph, slot);
        if (near != NODE_NONE) __builtin_prefetch(sim_node_task(graph, near), 1);
        sim_program_put(program, at, sim_node_task(graph, slot));
        program->in_degrees[at] = node->predecessors.count + (inside && !node->predecessors.count);
        if (graph->height && child_of(graph, slot)) {
            at = freeze->layers[freeze->laid].end;
            lay_out_child(freeze);
        }
        put_edges(freeze, layer, &node->successors, at);
    }
}

/* ---- Sorting ------------------------------------------------------------------ */

static rill_status refuse_cycle(struct freeze *freeze)
{
    rill_status status = sim_cycle_find(freeze->layers[0].graph, &freeze->failure->node);
    if (status) return status;
    freeze->failure->result = RILL_EXEC_INVALID_STRUCTURE;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                             "the graph has a cycle; remove an edge of it");
}

/* Finds a place for each number: first those that depend on nothing, and after each the numbers
 * that became free by it. */
static rill_status sort_numbers(struct freeze *freeze)
{
    struct program *program = freeze->program;
    size_t bytes = program->count * sizeof(uint32_t);
    uint32_t *left = rl_alloc(bytes), *stack = rl_alloc(bytes);
    freeze->places = rl_alloc(bytes);
    rill_status status = left && stack && freeze->places ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
    uint32_t depth = 0, placed = 0;
    if (!status) {
        memcpy(left, program->in_degrees, bytes);
        for (uint32_t i = program->count; i-- > 0;)
            if (!left[i]) stack[depth++] = i;
        while (depth) {
            uint32_t at = stack[--depth];
            freeze->places[at] = placed++;
            for (uint32_t e = program->edge_starts[at + 1]; e-- > program->edge_starts[at];)
                if (!--left[program->successors[e]]) stack[depth++] = program->successors[e];
        }
        if (placed < program->count) status = refuse_cycle(freeze);
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

static void move_node(struct freeze *freeze, const struct program *from, uint32_t n, uint32_t place)
{
    struct program *to = freeze->program;
    to->tasks[place] = from->tasks[n];
    to->entries[place] = from->entries[n];
    to->in_degrees[place] = from->in_degrees[n];
    to->place_kinds[place] = from->place_kinds[n];
    to->edge_starts[place] = freeze->edges;
    for (uint32_t e = from->edge_starts[n]; e < from->edge_starts[n + 1]; e++) {
        sim_program_move_note(to, freeze->edges, from, e);
        to->successors[freeze->edges++] = freeze->places[from->successors[e]];
    }
}

/* Moves tasks and edges from the order of numbers into that of places. */
static bool arrange_places(struct freeze *freeze, const struct program_size *size)
{
    struct program *program = freeze->program, old = *program;
    uint32_t *numbers = rl_alloc(program->count * sizeof *numbers);
    bool fits = numbers && sim_program_make_room(program, size);
    if (fits) {
        freeze->edges = 0;
        for (uint32_t n = 0; n < program->count; n++) numbers[freeze->places[n]] = n;
        for (uint32_t p = 0; p < program->count; p++) move_node(freeze, &old, numbers[p], p);
        program->edge_starts[program->count] = freeze->edges;
        sim_program_free_room(&old);
    } else {
        *program = old;
    }
    rl_free(numbers);
    return fits;
}

/* Returns whether each place has the next one as its only successor, and is the next one's only
 * predecessor. */
static bool nodes_are_line(const struct program *program)
{
    for (uint32_t i = 0; i + 1 < program->count; i++)
        if (program->edge_starts[i + 1] - program->edge_starts[i] != 1 ||
            program->successors[program->edge_starts[i]] != i + 1 ||
            program->in_degrees[i + 1] != 1)
            return false;
    return true;
}

static int by_serial(const void *a, const void *b)
{
    uint32_t x = ((const struct section *)a)->serial, y = ((const struct section *)b)->serial;
    return x < y ? -1 : x > y;
}

/* Turns the numbers of a layer into places. */
static bool settle_places(const struct freeze *freeze, struct layer *layer)
{
    const struct sim_graph *graph = layer->graph;
    if (!freeze->places) return true;
    if (!layer->numbers) {
        layer->numbers = rl_alloc(graph->count * sizeof *layer->numbers);
        for (uint32_t slot = 0; layer->numbers && slot < graph->count; slot++)
            layer->numbers[slot] = layer->first + slot;
    }
    if (!layer->numbers) return false;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_graph_next(graph, slot))
        layer->numbers[slot] = freeze->places[layer->numbers[slot]];
    return true;
}

static bool keep_section(struct freeze *freeze, struct layer *layer, struct section *section)
{
    if (!settle_places(freeze, layer)) return false;
    section->places = layer->numbers;
    layer->numbers = NULL;
    section->first = layer->first;
    section->end = layer->end == NODE_NONE ? NODE_NONE : place_of(freeze, layer->end);
    return sim_section_keep(section, layer->graph);
}

static bool keep_sections(struct freeze *freeze)
{
    struct program *program = freeze->program;
    program->sections = rl_zalloc(freeze->layer_count * sizeof *program->sections);
    if (!program->sections) return false;
    program->section_count = freeze->layer_count;
    for (uint32_t i = 0; i < freeze->layer_count; i++)
        if (!keep_section(freeze, &freeze->layers[i], &program->sections[i])) return false;
    qsort(program->sections, program->section_count, sizeof *program->sections, by_serial);
    return true;
}

/* ---- All of it -------------------------------------------------------------------- */

static rill_status measure_graph(const struct sim_graph *graph, struct program_size *size)
{
    *size = (struct program_size){ 0 };
    count_graph(graph, size);
    if (size->nodes < NODE_NONE && size->edges < NODE_NONE) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                             "with its child graphs it has too many nodes or edges");
}

/* Lays out the whole graph in the order of numbers. */
static rill_status lay_out_graph(struct freeze *freeze, struct sim_graph *graph,
                                 const struct program_size *size)
{
    struct program *program = freeze->program;
    freeze->layers = rl_zalloc(size->graphs * sizeof *freeze->layers);
    if (!freeze->layers || !number_graph(freeze, graph, NODE_NONE) ||
        !sim_program_make_room(program, size))
        return RILL_ERROR_OUT_OF_MEMORY;
    program->root = graph->serial;
    program->count = freeze->count;
    lay_out_layer(freeze);
    program->edge_starts[program->count] = program->edge_count = freeze->edges;
    return sim_program_make_bits(program) ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

static rill_status freeze_all(struct freeze *freeze, struct sim_graph *graph,
                              struct sim_context *context)
{
    struct program *program = freeze->program;
    struct program_size size;
    rill_status status = measure_graph(graph, &size);
    if (!status) status = lay_out_graph(freeze, graph, &size);
    if (!status && freeze->unsorted) {
        status = sort_numbers(freeze);
        if (!status && !arrange_places(freeze, &size)) status = RILL_ERROR_OUT_OF_MEMORY;
    }
    if (!status && !keep_sections(freeze)) status = RILL_ERROR_OUT_OF_MEMORY;
    if (status) return status;
    program->is_line = nodes_are_line(program);
    status = sim_external_create(program, context);
    if (!status) status = sim_conditional_runs_freeze(program, context, freeze->failure);
    if (!status) sim_program_prepare(program);
    return status;
}

rill_status sim_program_freeze(struct sim_graph *graph, struct sim_context *context,
                               struct program **out, struct freeze_failure *failure)
{
    struct freeze freeze = { .failure = failure };
    *failure = (struct freeze_failure){ .result = RILL_EXEC_OK };
    freeze.program = rl_zalloc(sizeof *freeze.program);
    if (!freeze.program) return RILL_ERROR_OUT_OF_MEMORY;
    freeze.program->run.untimed = 2; /* the first finds nothing in the caches */
    rill_status status = freeze_all(&freeze, graph, context);
    for (uint32_t i = 0; i < freeze.layer_count; i++) rl_free(freeze.layers[i].numbers);
    rl_free(freeze.layers);
    rl_free(freeze.places);
    if (status) {
        if (!failure->result) failure->result = RILL_EXEC_ERROR;
        sim_program_free(freeze.program);
        return status;
    }
    *out = freeze.program;
    return RILL_SUCCESS;
}
