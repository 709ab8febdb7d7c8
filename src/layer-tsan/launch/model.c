/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-tsan/launch/model.h"

#include <string.h>

#include "base/alloc.h"
#include "base/stack.h"

/* ---- Places ------------------------------------------------------------------------------- */

static bool grow_array(void **array, uint32_t count, uint32_t *room, size_t bytes)
{
    if (count < *room) return true;
    const uint32_t more = *room ? 2 * *room : 32;
    void *larger = rl_zalloc(more * bytes);
    if (!larger) return false;
    if (*array) memcpy(larger, *array, count * bytes);
    rl_free(*array);
    *array = larger;
    *room = more;
    return true;
}

/* Adds a place with nothing before it, and returns its number. */
static uint32_t add_place(struct ts_model *model, rill_op_kind kind, rill_node node, bool loops)
{
    if (!grow_array((void **)&model->places, model->count, &model->room, sizeof *model->places)) {
        model->failed = true;
        return 0;
    }
    model->places[model->count] = (struct ts_place){
        .kind = kind, .node = node, .loops = loops, .first = model->before_count,
    };
    return model->count++;
}

/* Has another place come right before the newest one. */
static void add_before(struct ts_model *model, uint32_t other)
{
    if (grow_array((void **)&model->before, model->before_count, &model->before_room,
                   sizeof *model->before)) {
        model->before[model->before_count++] = other;
        model->places[model->count - 1].count++;
    } else {
        model->failed = true;
    }
}

static void set_op(const struct ts_survey *survey, struct ts_place *place, const rill_op *op)
{
    ts_event_release(place->event);
    place->event = NULL;
    place->access_count = 0;
    place->reads = false;
    if (op->kind == RILL_OP_EVENT_RECORD || op->kind == RILL_OP_EVENT_WAIT)
        place->event = op->event.event ? survey->event(op->event.event) : NULL;
    else if (op->kind == RILL_OP_MEMCPY || op->kind == RILL_OP_MEMSET)
        survey->look(survey->context, op, place);
}

/* ---- Graphs that are read ----------------------------------------------------------------- */

/* A graph that is being read. */
struct reading {
    const struct ts_survey *survey;
    struct ts_model *model;
    rill_graph *graph;
    uint32_t begin;          /* the place it comes after, if it is inside a node */
    bool inside, loops;
    rill_node *nodes, *from, *to;
    uint32_t *ends;          /* the places after which the nodes are done        */
    uint32_t *left, *order;  /* how many are before each; in which order they come */
    uint32_t *source, *target; /* edges, by the nodes' places in `nodes`         */
    size_t count, edge_count;
};

static bool list_graph(struct reading *reading)
{
    const struct rill_graph_ops *graphs = reading->survey->beneath->graph;
    size_t n, e;
    if (graphs->nodes(reading->graph, NULL, &n) ||
        graphs->edges(reading->graph, NULL, NULL, NULL, &e))
        return false;
    reading->nodes = rl_zalloc((n + 1) * sizeof(rill_node));
    reading->from = rl_zalloc((e + 1) * sizeof(rill_node));
    reading->to = rl_zalloc((e + 1) * sizeof(rill_node));
    reading->ends = rl_zalloc((n + 1) * sizeof(uint32_t));
    reading->left = rl_zalloc((n + 1) * sizeof(uint32_t));
    reading->order = rl_zalloc((n + 1) * sizeof(uint32_t));
    reading->source = rl_zalloc((e + 1) * sizeof(uint32_t));
    reading->target = rl_zalloc((e + 1) * sizeof(uint32_t));
    rill_edge *data = rl_zalloc((e + 1) * sizeof *data);
    bool fits = reading->nodes && reading->from && reading->to && reading->ends && reading->left &&
                reading->order && reading->source && reading->target && data &&
                (!n || !graphs->nodes(reading->graph, reading->nodes, &n)) &&
                (!e || !graphs->edges(reading->graph, reading->from, reading->to, data, &e));
    rl_free(data);
    reading->count = n;
    reading->edge_count = e;
    return fits;
}

static void free_reading(struct reading *reading)
{
    rl_free(reading->nodes);
    rl_free(reading->from);
    rl_free(reading->to);
    rl_free(reading->ends);
    rl_free(reading->left);
    rl_free(reading->order);
    rl_free(reading->source);
    rl_free(reading->target);
}

/* A node and its place in `nodes`, to be found by the first. */
struct known {
    rill_node node;
    uint32_t at;
};

static struct known *find_known(struct known *table, size_t room, rill_node node)
{
    size_t at = (size_t)(((uint64_t)(uintptr_t)node * UINT64_C(0x9e3779b97f4a7c15)) >> 20) % room;
    while (table[at].node && table[at].node != node) at = (at + 1) % room;
    return &table[at];
}

/* Names the ends of edges by their places in `nodes`. */
static bool index_edges(struct reading *reading)
{
    const size_t room = 2 * reading->count + 1;
    struct known *table = rl_zalloc(room * sizeof *table);
    if (!table) return false;
    for (size_t i = 0; i < reading->count; i++)
        *find_known(table, room, reading->nodes[i]) =
            (struct known){ reading->nodes[i], (uint32_t)i };
    for (size_t e = 0; e < reading->edge_count; e++) {
        reading->source[e] = find_known(table, room, reading->from[e])->at;
        reading->target[e] = find_known(table, room, reading->to[e])->at;
        reading->left[reading->target[e]]++;
    }
    rl_free(table);
    return true;
}

/* Sorts edges by one end; `starts` receives where those of each node begin, and the end. */
static uint32_t *sort_edges(const struct reading *reading, const uint32_t *by, uint32_t *starts)
{
    uint32_t *sorted = rl_alloc((reading->edge_count + 1) * sizeof *sorted);
    if (!sorted) return NULL;
    memset(starts, 0, (reading->count + 2) * sizeof *starts);
    for (size_t e = 0; e < reading->edge_count; e++) starts[by[e] + 2]++;
    for (size_t i = 2; i < reading->count + 2; i++) starts[i] += starts[i - 1];
    for (size_t e = 0; e < reading->edge_count; e++) sorted[starts[by[e] + 1]++] = (uint32_t)e;
    return sorted;
}

/* Finds an order in which each node comes after those that it depends on.  Returns false if there
 * is none, or memory is short. */
static bool order_nodes(struct reading *reading)
{
    uint32_t *starts = rl_zalloc((reading->count + 3) * sizeof *starts);
    uint32_t *sorted = starts ? sort_edges(reading, reading->source, starts) : NULL;
    size_t placed = 0;
    for (size_t i = 0; sorted && i < reading->count; i++)
        if (!reading->left[i]) reading->order[placed++] = (uint32_t)i;
    for (size_t next = 0; sorted && next < placed; next++) {
        const uint32_t at = reading->order[next];
        for (uint32_t i = starts[at]; i < starts[at + 1]; i++) {
            const uint32_t to = reading->target[sorted[i]];
            if (!--reading->left[to]) reading->order[placed++] = to;
        }
    }
    rl_free(sorted);
    rl_free(starts);
    return sorted && placed == reading->count;
}

/* ---- Nodes -------------------------------------------------------------------------------- */

static bool read_graph(struct reading *reading);

/* Reads what is between the newest place and an end that is added.  Returns the end. */
static uint32_t read_inside(const struct reading *outer, rill_graph *const *graphs, size_t count,
                            bool loops)
{
    struct ts_model *model = outer->model;
    const uint32_t begin = model->count - 1;
    for (size_t i = 0; i < count; i++) {
        struct reading inner = { .survey = outer->survey, .model = model, .graph = graphs[i],
                                 .begin = begin, .inside = true, .loops = loops };
        if (!read_graph(&inner)) model->failed = true;
    }
    const uint32_t end = add_place(model, RILL_OP_EMPTY, NULL, outer->loops);
    if (model->failed) return 0;
    model->places[end].is_end = true;
    model->places[end].begin = begin;
    return end;
}

/* Reads a node whose place is the newest one, and what is inside.  Returns the place after which
 * all of it is done. */
static uint32_t read_node(const struct reading *reading, rill_node node)
{
    const struct rill_graph_ops *graphs = reading->survey->beneath->graph;
    struct ts_model *model = reading->model;
    struct ts_place *place = &model->places[model->count - 1];
    rill_graph *child;
    rill_op op;
    memset(&op, 0, sizeof op);
    if (place->kind == RILL_OP_GRAPH) {
        if (graphs->child(reading->graph, node, &child)) return model->count - 1;
        return read_inside(reading, &child, 1, reading->loops);
    }
    if (graphs->get_op(reading->graph, node, &op)) return model->count - 1;
    if (op.kind == RILL_OP_CONDITIONAL && op.conditional.bodies)
        return read_inside(reading, op.conditional.bodies, op.conditional.body_count, true);
    /* How often a copy in a body runs is not known. */
    if (!reading->loops) set_op(reading->survey, place, &op);
    return model->count - 1;
}

static void read_nodes(struct reading *reading, const uint32_t *sorted, const uint32_t *starts)
{
    const struct rill_graph_ops *graphs = reading->survey->beneath->graph;
    struct ts_model *model = reading->model;
    for (size_t i = 0; !model->failed && i < reading->count; i++) {
        const uint32_t at = reading->order[i];
        const rill_node node = reading->nodes[at];
        rill_op_kind kind = RILL_OP_EMPTY;
        if (graphs->node_kind(reading->graph, node, &kind)) kind = RILL_OP_EMPTY;
        add_place(model, kind, node, reading->loops);
        if (model->failed) return;
        for (uint32_t e = starts[at]; e < starts[at + 1]; e++)
            add_before(model, reading->ends[reading->source[sorted[e]]]);
        if (starts[at] == starts[at + 1] && reading->inside) add_before(model, reading->begin);
        reading->ends[at] = read_node(reading, node);
    }
}

/* Returns false if memory is short, or the graph cannot be read. */
static bool read_graph(struct reading *reading)
{
    bool fits = list_graph(reading) && index_edges(reading) && order_nodes(reading);
    uint32_t *starts = fits ? rl_zalloc((reading->count + 3) * sizeof *starts) : NULL;
    uint32_t *sorted = starts ? sort_edges(reading, reading->target, starts) : NULL;
    fits = sorted != NULL;
    if (fits) read_nodes(reading, sorted, starts);
    rl_free(sorted);
    rl_free(starts);
    free_reading(reading);
    return fits && !reading->model->failed;
}

/* ---- Models ------------------------------------------------------------------------------- */

struct task {
    struct reading *reading;
    bool fits;
};

static void read_all(void *data)
{
    struct task *task = data;
    task->fits = read_graph(task->reading);
}

struct ts_model *ts_model_create(const struct ts_survey *survey, rill_graph *graph)
{
    struct ts_model *model = rl_zalloc(sizeof *model);
    if (!model) return NULL;
    model->references = 1;
    struct reading reading = { .survey = survey, .model = model, .graph = graph };
    struct task task = { &reading, false };
    if (rl_with_stack(RL_STACK_MOST, read_all, &task) && task.fits) return model;
    ts_model_release(model);
    return NULL;
}

void ts_model_release(struct ts_model *model)
{
    if (!model || --model->references) return;
    for (uint32_t i = 0; i < model->count; i++) ts_event_release(model->places[i].event);
    rl_free(model->places);
    rl_free(model->before);
    rl_free(model->numbers);
    rl_free(model);
}

void ts_model_number(const struct ts_survey *survey, struct ts_model *model, rill_exec *exec)
{
    const struct rill_watch_ops *watch = survey->beneath->watch;
    for (uint32_t i = 0; i < model->count; i++) {
        uint64_t number = 0;
        if (model->places[i].kind != RILL_OP_HOST || model->places[i].is_end) continue;
        if (watch->node_number(exec, model->places[i].node, &number) || number >= UINT32_MAX)
            continue;
        while (number >= model->number_count)
            if (!grow_array((void **)&model->numbers, model->number_count, &model->number_count,
                            sizeof *model->numbers)) {
                model->failed = true;
                return;
            }
        model->numbers[number] = i + 1;
    }
}

bool ts_model_take_numbers(struct ts_model *model, struct ts_model *old)
{
    if (model->count != old->count) return false;
    model->numbers = rl_alloc((old->number_count + 1) * sizeof *model->numbers);
    if (!model->numbers) return false;
    if (old->number_count)
        memcpy(model->numbers, old->numbers, old->number_count * sizeof *model->numbers);
    model->number_count = old->number_count;
    for (uint32_t i = 0; i < model->count; i++) {
        model->places[i].node = old->places[i].node;
        model->places[i].disabled = old->places[i].disabled;
    }
    return true;
}

static struct ts_place *find_place(struct ts_model *model, rill_node node)
{
    for (uint32_t i = 0; i < model->count; i++)
        if (model->places[i].node == node && !model->places[i].is_end) return &model->places[i];
    return NULL;
}

void ts_model_set_op(const struct ts_survey *survey, struct ts_model *model, rill_node node,
                     const rill_op *op)
{
    struct ts_place *place = find_place(model, node);
    if (place && !place->loops && op->kind != RILL_OP_GRAPH) set_op(survey, place, op);
}

void ts_model_set_enabled(struct ts_model *model, rill_node node, bool enabled)
{
    struct ts_place *place = find_place(model, node);
    if (place) place->disabled = !enabled;
}
