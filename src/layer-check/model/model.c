/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/model/model.h"

#include <string.h>

#include "base/alloc.h"
#include "layer-check/model/node.h"

/* ---- Reading a graph ----------------------------------------------------------------------- */

/* A model while it is made. */
struct draft {
    const struct ck_survey *survey;
    struct ck_place *places; /* by number, from 1; `begin` is the number of the node's end */
    struct ck_node **nodes;
    uint32_t count, room;
    struct ck_edge *edges;
    uint32_t edge_count, edge_room;
    bool bodies, effects, touches;
};

static bool grow_array(void **array, uint32_t count, uint32_t *room, size_t bytes)
{
    if (count < *room) return true;
    uint32_t more = *room ? 2 * *room : 32;
    void *larger = rl_zalloc(more * bytes);
    if (!larger) return false;
    if (*array) memcpy(larger, *array, count * bytes);
    rl_free(*array);
    *array = larger;
    *room = more;
    return true;
}

static bool add_edge(struct draft *draft, uint32_t from, uint32_t to)
{
    if (!grow_array((void **)&draft->edges, draft->edge_count, &draft->edge_room,
                    sizeof *draft->edges))
        return false;
    draft->edges[draft->edge_count++] = (struct ck_edge){ from, to };
    return true;
}

/* Adds a place; its node, which may be NULL, is taken over. */
static uint32_t add_place(struct draft *draft, struct ck_node *node, uint32_t body, uint32_t loop)
{
    uint32_t room = draft->room;
    if (!grow_array((void **)&draft->places, draft->count + 1, &room, sizeof *draft->places))
        return 0;
    room = draft->room;
    if (!grow_array((void **)&draft->nodes, draft->count + 1, &room, sizeof(struct ck_node *)))
        return 0;
    draft->room = room;
    uint32_t number = ++draft->count;
    draft->places[number] = (struct ck_place){ .begin = number, .body = body, .loop = loop,
                                               .is_end = !node };
    draft->nodes[number] = node;
    return number;
}

static bool read_graph(struct draft *draft, rill_graph *graph, uint32_t begin, uint32_t end,
                       uint32_t body, uint32_t loop);

static struct ck_node *read_node(const struct draft *draft, rill_graph *graph, rill_node handle,
                                 rill_op *op)
{
    const struct ck_survey *survey = draft->survey;
    const struct rill_graph_ops *graphs = survey->beneath->graph;
    memset(op, 0, sizeof *op);
    if (graphs->node_kind(graph, handle, &op->kind)) return NULL;
    rill_op_kind kind = op->kind;
    if (kind != RILL_OP_GRAPH && graphs->get_op(graph, handle, op)) {
        memset(op, 0, sizeof *op);
        op->kind = RILL_OP_EMPTY; /* it cannot be read: it touches nothing that is known */
    }
    struct ck_node *node = ck_node_create(survey, op);
    if (!node) return NULL;
    const struct ck_notes *notes = survey->notes(survey->data, graph);
    const struct ck_note *note = notes ? ck_notes_find(notes, handle) : NULL;
    op->kind = node->what.kind = kind;
    node->handle = handle;
    node->what.site = note ? note->site : survey->site;
    node->what.node = note ? (uint32_t)note->number : 0;
    node->born = note ? note->born : survey->born;
    return node;
}

/* Reads what is inside a node: a child graph, or the bodies of a conditional. */
static bool read_inside(struct draft *draft, rill_graph *graph, rill_node handle,
                        const rill_op *op, uint32_t number)
{
    const struct ck_place place = draft->places[number];
    const struct rill_graph_ops *graphs = draft->survey->beneath->graph;
    bool child = op->kind == RILL_OP_GRAPH;
    if (!child && op->kind != RILL_OP_CONDITIONAL) return true;
    uint32_t end = add_place(draft, NULL, place.body, place.loop);
    if (!end || !add_edge(draft, number, end)) return false;
    draft->places[number].begin = end;
    rill_graph *inside = NULL;
    if (child)
        return graphs->child(graph, handle, &inside) ||
               read_graph(draft, inside, number, end, place.body, place.loop);
    draft->bodies = true;
    for (uint32_t i = 0; i < op->conditional.body_count && op->conditional.bodies; i++)
        if (!read_graph(draft, op->conditional.bodies[i], number, end, number, place.loop + 1))
            return false;
    return true;
}

/* The nodes of one graph, and the numbers of their begins. */
struct listing {
    rill_node *handles, *from, *to;
    uint32_t *numbers;
    size_t count, edge_count;
    bool *first, *last; /* has no dependencies, no dependents */
};

static void free_listing(struct listing *listing)
{
    rl_free(listing->handles);
    rl_free(listing->from);
    rl_free(listing->to);
    rl_free(listing->numbers);
    rl_free(listing->first);
    rl_free(listing->last);
}

static bool list_graph(const struct rill_graph_ops *graphs, rill_graph *graph,
                       struct listing *listing)
{
    size_t n, e;
    *listing = (struct listing){ .count = 0 };
    if (graphs->nodes(graph, NULL, &n) || graphs->edges(graph, NULL, NULL, NULL, &e)) return false;
    listing->handles = rl_zalloc((n + 1) * sizeof(rill_node));
    listing->numbers = rl_zalloc((n + 1) * sizeof(uint32_t));
    listing->first = rl_zalloc(n + 1);
    listing->last = rl_zalloc(n + 1);
    listing->from = rl_zalloc((e + 1) * sizeof(rill_node));
    listing->to = rl_zalloc((e + 1) * sizeof(rill_node));
    if (!listing->handles || !listing->numbers || !listing->first || !listing->last ||
        !listing->from || !listing->to)
        return false;
    rill_edge *data = rl_zalloc((e + 1) * sizeof *data);
    bool fits = data && (!n || !graphs->nodes(graph, listing->handles, &n)) &&
                (!e || !graphs->edges(graph, listing->from, listing->to, data, &e));
    rl_free(data);
    listing->count = n;
    listing->edge_count = e;
    return fits;
}

/* A node and its place in a listing, to find the one by the other. */
static bool index_listing(struct ck_notes *index, const struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++) {
        ck_notes_set(index, listing->handles[i], NULL, i);
        if (!ck_notes_find(index, listing->handles[i])) return false;
    }
    return true;
}

static bool read_edges(struct draft *draft, struct listing *listing)
{
    struct ck_notes index = { .places = NULL };
    bool fits = index_listing(&index, listing);
    memset(listing->first, 1, listing->count);
    memset(listing->last, 1, listing->count);
    for (size_t e = 0; fits && e < listing->edge_count; e++) {
        const struct ck_note *from = ck_notes_find(&index, listing->from[e]);
        const struct ck_note *to = ck_notes_find(&index, listing->to[e]);
        if (!from || !to) continue;
        listing->last[from->born] = listing->first[to->born] = false;
        fits = add_edge(draft, draft->places[listing->numbers[from->born]].begin,
                        listing->numbers[to->born]);
    }
    ck_notes_fini(&index);
    return fits;
}

static bool read_nodes(struct draft *draft, rill_graph *graph, struct listing *listing,
                       uint32_t body, uint32_t loop)
{
    for (size_t i = 0; i < listing->count; i++) {
        rill_op op;
        struct ck_node *node = read_node(draft, graph, listing->handles[i], &op);
        if (!node) return false;
        uint32_t number = listing->numbers[i] = add_place(draft, node, body, loop);
        if (!number) {
            ck_node_release(node);
            return false;
        }
        if (node->event || node->value_count) draft->effects = true;
        if (node->row_count) draft->touches = true;
        if (!read_inside(draft, graph, listing->handles[i], &op, number)) return false;
    }
    return true;
}

/* Reads a graph that lies between two places, or the whole one, for which they are 0. */
static bool read_graph(struct draft *draft, rill_graph *graph, uint32_t begin, uint32_t end,
                       uint32_t body, uint32_t loop)
{
    struct listing listing;
    bool fits = list_graph(draft->survey->beneath->graph, graph, &listing) &&
                read_nodes(draft, graph, &listing, body, loop) && read_edges(draft, &listing);
    for (size_t i = 0; fits && begin && i < listing.count; i++) {
        uint32_t number = listing.numbers[i];
        if (listing.first[i]) fits = add_edge(draft, begin, number);
        if (fits && listing.last[i]) fits = add_edge(draft, draft->places[number].begin, end);
    }
    free_listing(&listing);
    return fits;
}

/* ---- Making -------------------------------------------------------------------------------- */

static struct ck_model *allocate_model(struct ck_shape *shape)
{
    struct ck_model *model = rl_zalloc(sizeof *model + (shape->count + 1) * sizeof(void *));
    if (!model) return NULL;
    model->references = 1;
    model->shape = shape;
    return model;
}

static struct ck_model *finish_draft(struct draft *draft)
{
    uint32_t *order = rl_alloc((draft->count + 1) * sizeof *order);
    struct ck_shape *shape = NULL;
    for (uint32_t i = 1; i <= draft->count; i++) draft->places[i].begin = 0;
    if (!draft->edges) draft->edges = rl_alloc(sizeof *draft->edges);
    if (!draft->places) draft->places = rl_zalloc(sizeof *draft->places);
    if (order)
        shape = ck_shape_create(draft->places, draft->count, draft->edges, draft->edge_count,
                                order);
    if (order) draft->places = NULL, draft->edges = NULL;
    struct ck_model *model = shape ? allocate_model(shape) : NULL;
    if (!model) ck_shape_release(shape);
    for (uint32_t i = 1; model && i <= draft->count; i++) {
        model->nodes[order[i]] = draft->nodes[i];
        draft->nodes[i] = NULL;
    }
    if (model) {
        model->bodies = draft->bodies;
        model->effects = draft->effects;
        model->touches = draft->touches;
    }
    rl_free(order);
    return model;
}

struct ck_model *ck_model_create(const struct ck_survey *survey, rill_graph *graph)
{
    struct draft draft = { .survey = survey };
    struct ck_model *model = NULL;
    if (read_graph(&draft, graph, 0, 0, 0, 0)) model = finish_draft(&draft);
    for (uint32_t i = 1; i <= draft.count; i++) ck_node_release(draft.nodes[i]);
    rl_free(draft.nodes);
    rl_free(draft.places);
    rl_free(draft.edges);
    return model;
}

void ck_model_release(struct ck_model *model)
{
    if (!model || --model->references) return;
    for (uint32_t i = 1; i <= model->shape->count; i++) ck_node_release(model->nodes[i]);
    ck_shape_release(model->shape);
    rl_free(model);
}

/* ---- Changing ------------------------------------------------------------------------------ */

/* Makes *model one that no launch has. */
static bool own_model(struct ck_model **model)
{
    struct ck_model *old = *model;
    if (old->references == 1) return true;
    struct ck_model *copy = allocate_model(old->shape);
    if (!copy) return false;
    old->shape->references++;
    copy->bodies = old->bodies;
    copy->effects = old->effects;
    copy->touches = old->touches;
    for (uint32_t i = 1; i <= old->shape->count; i++) {
        copy->nodes[i] = old->nodes[i];
        if (copy->nodes[i]) copy->nodes[i]->references++;
    }
    *model = copy;
    ck_model_release(old);
    return true;
}

static uint32_t find_node(const struct ck_model *model, rill_node handle)
{
    for (uint32_t i = 1; i <= model->shape->count; i++)
        if (model->nodes[i] && model->nodes[i]->handle == handle) return i;
    return 0;
}

static void replace_node(struct ck_model *model, uint32_t number, struct ck_node *node)
{
    const struct ck_node *old = model->nodes[number];
    node->handle = old->handle;
    node->what.node = old->what.node;
    node->disabled = old->disabled;
    ck_node_release(model->nodes[number]);
    model->nodes[number] = node;
}

bool ck_model_set_op(const struct ck_survey *survey, struct ck_model **model, rill_node handle,
                     const rill_op *op)
{
    uint32_t number = find_node(*model, handle);
    if (!number || op->kind == RILL_OP_GRAPH || op->kind == RILL_OP_CONDITIONAL) return false;
    struct ck_node *node = ck_node_create(survey, op);
    if (!node || !own_model(model)) {
        ck_node_release(node);
        return false;
    }
    node->what.site = (*model)->nodes[number]->what.site;
    node->born = survey->born;
    replace_node(*model, number, node);
    if (node->row_count) (*model)->touches = true;
    return true;
}

bool ck_model_set_enabled(struct ck_model **model, rill_node handle, bool enabled)
{
    uint32_t number = find_node(*model, handle);
    if (!number) return false;
    const struct ck_node *old = (*model)->nodes[number];
    if (old->disabled == !enabled) return true;
    size_t bytes = sizeof *old + old->row_count * sizeof old->rows[0];
    struct ck_node *node = rl_alloc(bytes);
    if (!node || !own_model(model)) {
        rl_free(node);
        return false;
    }
    memcpy(node, (*model)->nodes[number], bytes);
    node->references = 1;
    node->event = NULL; /* nodes of events and values cannot be disabled */
    node->values = NULL;
    node->value_count = 0;
    replace_node(*model, number, node);
    node->disabled = !enabled;
    return true;
}
