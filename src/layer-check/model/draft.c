/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/model/draft.h"

#include <string.h>

#include "base/alloc.h"
#include "layer-check/model/node.h"

/* ---- Growing ------------------------------------------------------------------------------- */

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

static bool add_edge(struct ck_draft *draft, uint32_t from, uint32_t to)
{
    if (!grow_array((void **)&draft->edges, draft->edge_count, &draft->edge_room,
                    sizeof *draft->edges))
        return false;
    draft->edges[draft->edge_count++] = (struct ck_edge){ from, to };
    return true;
}

/* Adds a place; its node, which may be NULL, is taken over. */
static uint32_t add_place(struct ck_draft *draft, struct ck_node *node, uint32_t body,
                          uint32_t loop)
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

/* ---- Graphs that are read ------------------------------------------------------------------ */

/* A graph that is being read: its nodes, and the numbers of their begins. */
struct cs_frame {
    struct cs_frame *outer;
    rill_graph *graph;
    uint32_t begin, end;        /* the places between which it lies; 0: it is the whole one */
    uint32_t body, loop;        /* as in struct ck_place, of its nodes                      */
    rill_node *handles, *from, *to;
    rill_edge *edges;           /* how each leads from one to the other                     */
    uint32_t *numbers, *starts; /* `starts` as split_node() says, or 0                      */
    size_t count, edge_count;
    size_t next;                /* node that is to be read                                  */
    rill_graph *const *bodies;  /* of the conditional that was read last, or NULL: ...      */
    uint32_t body_count, next_body; /* ... those that are to be read                        */
    bool *first, *last;         /* has no dependencies, no dependents                       */
};

static void free_frame(struct cs_frame *frame)
{
    rl_free(frame->handles);
    rl_free(frame->from);
    rl_free(frame->to);
    rl_free(frame->edges);
    rl_free(frame->numbers);
    rl_free(frame->starts);
    rl_free(frame->first);
    rl_free(frame->last);
    rl_free(frame);
}

static void pop_frame(struct ck_draft *draft)
{
    struct cs_frame *frame = draft->frame;
    draft->frame = frame->outer;
    free_frame(frame);
}

static bool list_graph(const struct rill_graph_ops *graphs, struct cs_frame *frame)
{
    size_t n, e;
    if (graphs->nodes(frame->graph, NULL, &n) ||
        graphs->edges(frame->graph, NULL, NULL, NULL, &e))
        return false;
    frame->handles = rl_zalloc((n + 1) * sizeof(rill_node));
    frame->numbers = rl_zalloc((n + 1) * sizeof(uint32_t));
    frame->starts = rl_zalloc((n + 1) * sizeof(uint32_t));
    frame->first = rl_zalloc(n + 1);
    frame->last = rl_zalloc(n + 1);
    frame->from = rl_zalloc((e + 1) * sizeof(rill_node));
    frame->to = rl_zalloc((e + 1) * sizeof(rill_node));
    frame->edges = rl_zalloc((e + 1) * sizeof(rill_edge));
    if (!frame->handles || !frame->numbers || !frame->starts || !frame->first || !frame->last ||
        !frame->from || !frame->to || !frame->edges)
        return false;
    bool fits = (!n || !graphs->nodes(frame->graph, frame->handles, &n)) &&
                (!e || !graphs->edges(frame->graph, frame->from, frame->to, frame->edges, &e));
    frame->count = n;
    frame->edge_count = e;
    return fits;
}

/* Begins to read a graph that lies between two places. */
static bool push_frame(struct ck_draft *draft, rill_graph *graph, uint32_t begin, uint32_t end,
                       uint32_t body, uint32_t loop)
{
    struct cs_frame *frame = rl_zalloc(sizeof *frame);
    if (!frame) return false;
    *frame = (struct cs_frame){ .outer = draft->frame, .graph = graph, .begin = begin, .end = end,
                                .body = body, .loop = loop };
    draft->frame = frame;
    return list_graph(draft->survey->beneath->graph, frame);
}

/* Reads what a node does and returns its kind.  A node whose operation cannot be read touches
 * nothing that is known. */
static rill_op_kind read_op(const struct rill_graph_ops *graphs, rill_graph *graph,
                            rill_node handle, rill_op *op)
{
    memset(op, 0, sizeof *op);
    if (graphs->node_kind(graph, handle, &op->kind)) op->kind = RILL_OP_EMPTY;
    rill_op_kind kind = op->kind;
    if (kind != RILL_OP_GRAPH && graphs->get_op(graph, handle, op)) {
        memset(op, 0, sizeof *op);
        op->kind = RILL_OP_EMPTY;
    }
    return kind;
}

/* Tells whether a kernel waits for the one that let it begin, as far as anybody knows. */
static bool awaits_kernel(const struct ck_draft *draft, rill_graph *graph, rill_node handle)
{
    const struct rill_backend *beneath = draft->survey->beneath;
    rill_op op;
    if (!beneath->watch || !beneath->watch->awaits_kernel) return true;
    return read_op(beneath->graph, graph, handle, &op) != RILL_OP_KERNEL || !op.kernel.kernel ||
           beneath->watch->awaits_kernel(op.kernel.kernel);
}

/* Lists each node with its place in the frame, to find the one by the other. */
static bool index_nodes(struct ck_notes *index, const struct cs_frame *frame)
{
    bool fits = true;
    for (size_t i = 0; fits && i < frame->count; i++)
        fits = ck_notes_set(index, frame->handles[i], NULL, i);
    return fits;
}

/* Return the places at which a node begins and ends. */
static uint32_t start_of(const struct cs_frame *frame, size_t node)
{
    return frame->starts[node] ? frame->starts[node] : frame->numbers[node];
}

static uint32_t end_of(const struct ck_draft *draft, const struct cs_frame *frame, size_t node)
{
    return draft->places[frame->numbers[node]].begin;
}

/* Gives a node a place before its own and one after it, so that an edge can lead from where it
 * begins, and to where it ends. */
static bool split_node(struct ck_draft *draft, struct cs_frame *frame, size_t node)
{
    const uint32_t number = frame->numbers[node];
    if (frame->starts[node]) return true;
    const uint32_t start = add_place(draft, NULL, frame->body, frame->loop);
    if (!start || !add_edge(draft, start, number)) return false;
    frame->starts[node] = start;
    if (draft->places[number].begin != number) return true; /* it has an end already */
    const uint32_t end = add_place(draft, NULL, frame->body, frame->loop);
    if (!end || !add_edge(draft, number, end)) return false;
    draft->places[number].begin = end;
    return true;
}

/* Adds an edge that leads from where a kernel has begun, or has let others begin.  Only a kernel
 * that waits for it by a programmatic edge comes after what it does.  Kernels with such an edge
 * between them end in their order: a third one that waits for the second has been seen to find
 * the first one done, on an H200, though the second did not wait. */
static bool add_loose_edge(struct ck_draft *draft, struct cs_frame *frame, size_t from, size_t to,
                           const rill_edge *edge)
{
    frame->first[to] = false;
    if (!add_edge(draft, start_of(frame, from), start_of(frame, to))) return false;
    if (!edge->type) return true;
    frame->last[from] = false;
    if (!add_edge(draft, end_of(draft, frame, from), end_of(draft, frame, to))) return false;
    return !awaits_kernel(draft, frame->graph, frame->handles[to]) ||
           add_edge(draft, end_of(draft, frame, from), frame->numbers[to]);
}

/* Reads an edge; with `split`, only gives those that need it their places. */
static bool read_edge(struct ck_draft *draft, struct cs_frame *frame, const struct ck_notes *index,
                      size_t e, bool split)
{
    const bool loose = frame->edges[e].from_port;
    if (split && !loose) return true;
    const struct ck_note *from = ck_notes_find(index, frame->from[e]);
    const struct ck_note *to = ck_notes_find(index, frame->to[e]);
    if (!from || !to) return true;
    if (split)
        return split_node(draft, frame, from->born) && split_node(draft, frame, to->born);
    if (loose) return add_loose_edge(draft, frame, from->born, to->born, &frame->edges[e]);
    frame->last[from->born] = frame->first[to->born] = false;
    return add_edge(draft, end_of(draft, frame, from->born), start_of(frame, to->born));
}

static bool read_edges(struct ck_draft *draft, struct cs_frame *frame)
{
    struct ck_notes index = { .places = NULL };
    bool fits = index_nodes(&index, frame);
    memset(frame->first, 1, frame->count);
    memset(frame->last, 1, frame->count);
    for (size_t e = 0; fits && e < frame->edge_count; e++)
        fits = read_edge(draft, frame, &index, e, true);
    for (size_t e = 0; fits && e < frame->edge_count; e++)
        fits = read_edge(draft, frame, &index, e, false);
    ck_notes_fini(&index);
    return fits;
}

/* Reads the edges of a graph whose nodes are read, and those between it and its two places. */
static bool end_frame(struct ck_draft *draft)
{
    struct cs_frame *frame = draft->frame;
    bool fits = read_edges(draft, frame);
    for (size_t i = 0; fits && frame->begin && i < frame->count; i++) {
        if (frame->first[i]) fits = add_edge(draft, frame->begin, start_of(frame, i));
        if (fits && frame->last[i]) fits = add_edge(draft, end_of(draft, frame, i), frame->end);
    }
    pop_frame(draft);
    return fits;
}

/* ---- Nodes --------------------------------------------------------------------------------- */

static struct ck_node *read_node(const struct ck_survey *survey, rill_graph *graph,
                                 rill_node handle, rill_op *op)
{
    rill_op_kind kind = read_op(survey->beneath->graph, graph, handle, op);
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

/* Begins to read what is inside a node: a child graph, or the bodies of a conditional. */
static bool enter_node(struct ck_draft *draft, struct cs_frame *frame, rill_node handle,
                       const rill_op *op, uint32_t number)
{
    const struct rill_graph_ops *graphs = draft->survey->beneath->graph;
    bool child = op->kind == RILL_OP_GRAPH;
    if (!child && op->kind != RILL_OP_CONDITIONAL) return true;
    uint32_t end = add_place(draft, NULL, frame->body, frame->loop);
    if (!end || !add_edge(draft, number, end)) return false;
    draft->places[number].begin = end;
    rill_graph *inside = NULL;
    if (child)
        return graphs->child(frame->graph, handle, &inside) ||
               push_frame(draft, inside, number, end, frame->body, frame->loop);
    draft->bodies = true;
    frame->bodies = op->conditional.bodies;
    frame->body_count = frame->bodies ? op->conditional.body_count : 0;
    frame->next_body = 0;
    return true;
}

static bool add_node(struct ck_draft *draft, struct cs_frame *frame)
{
    rill_op op;
    rill_node handle = frame->handles[frame->next];
    struct ck_node *node = read_node(draft->survey, frame->graph, handle, &op);
    uint32_t number = node ? add_place(draft, node, frame->body, frame->loop) : 0;
    if (!number) {
        ck_node_release(node);
        return false;
    }
    frame->numbers[frame->next++] = number;
    node->what.within = frame->begin ? draft->nodes[frame->begin]->what.node : 0;
    if (node->event || node->value_count) draft->effects = true;
    if (node->row_count) draft->touches = true;
    ck_hull_add(&draft->host, node);
    return enter_node(draft, frame, handle, &op, number);
}

/* Begins to read the next body of the conditional that was read last. */
static bool enter_body(struct ck_draft *draft, struct cs_frame *frame)
{
    uint32_t number = frame->numbers[frame->next - 1];
    return push_frame(draft, frame->bodies[frame->next_body++], number,
                      draft->places[number].begin, number, frame->loop + 1);
}

/* ---- All of it ----------------------------------------------------------------------------- */

bool ck_draft_read(struct ck_draft *draft, rill_graph *graph)
{
    bool fits = push_frame(draft, graph, 0, 0, 0, 0);
    while (fits && draft->frame) {
        struct cs_frame *frame = draft->frame;
        if (frame->next_body < frame->body_count) fits = enter_body(draft, frame);
        else if (frame->next < frame->count) fits = add_node(draft, frame);
        else fits = end_frame(draft);
    }
    return fits;
}

void ck_draft_fini(struct ck_draft *draft)
{
    while (draft->frame) pop_frame(draft);
    for (uint32_t i = 1; i <= draft->count; i++) ck_node_release(draft->nodes[i]);
    rl_free(draft->nodes);
    rl_free(draft->places);
    rl_free(draft->edges);
}
