/* SPDX-License-Identifier: Apache-2.0 */
#include "core/replay/replay_key.h"

#include <string.h>

#include "base/alloc.h"
#include "base/stack.h"

#define CHILDREN_DEEP 32 /* below that a graph is only its kinds        */
#define CHILDREN_FEW 4   /* children that fit any stack                 */
#define CHILD_STACK 4096 /* what each deeper one needs, with sanitizers */

/* ---- Room --------------------------------------------------------------- */

/* A graph's lists, and a table from its nodes to their places. */
struct lists {
    size_t node_count, edge_count, slot_count; /* slot_count is a power of two */
    rill_node *nodes, *from, *to;
    rill_edge *edges;
    size_t *slots; /* 0 if free, else 1 + the node's place */
};

/* Takes room for a list at *at, and moves *at past that. */
static void *carve_list(char **at, size_t count, size_t each)
{
    void *taken = *at;
    *at += (count * each + 15) & ~(size_t)15;
    return taken;
}

static rill_status make_room(struct rl_sketch *sketch, struct lists *lists)
{
    size_t n = lists->node_count, e = lists->edge_count;
    for (lists->slot_count = 4; lists->slot_count < 2 * n;) lists->slot_count *= 2;
    size_t bytes = (n + 2 * e) * sizeof(rill_node) + e * sizeof(rill_edge) +
                   lists->slot_count * sizeof(size_t) + 5 * 16;
    if (sketch->bytes < bytes) {
        rl_sketch_drop(sketch);
        sketch->room = rl_alloc(bytes);
        if (!sketch->room)
            return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                     "there is no memory to look at a graph of %zu nodes", n);
        sketch->bytes = bytes;
    }
    char *at = sketch->room;
    lists->nodes = carve_list(&at, n, sizeof(rill_node));
    lists->from = carve_list(&at, e, sizeof(rill_node));
    lists->to = carve_list(&at, e, sizeof(rill_node));
    lists->edges = carve_list(&at, e, sizeof(rill_edge));
    lists->slots = carve_list(&at, lists->slot_count, sizeof(size_t));
    memset(lists->slots, 0, lists->slot_count * sizeof(size_t));
    return RILL_SUCCESS;
}

void rl_sketch_drop(struct rl_sketch *sketch)
{
    rl_free(sketch->room);
    *sketch = (struct rl_sketch){ NULL, 0 };
}

/* ---- Places ------------------------------------------------------------- */

static uint64_t mix_number(uint64_t number, uint64_t value)
{
    number = (number ^ value) * 0x9e3779b97f4a7c15u;
    return number ^ number >> 29;
}

static size_t *slot_of(const struct lists *lists, rill_node node)
{
    size_t mask = lists->slot_count - 1;
    size_t i = (size_t)mix_number(0, (uint64_t)(uintptr_t)node) & mask;
    while (lists->slots[i] && lists->nodes[lists->slots[i] - 1] != node) i = (i + 1) & mask;
    return &lists->slots[i];
}

static rill_status read_lists(rill_graph *graph, const struct rill_graph_ops *ops,
                              struct rl_sketch *sketch, struct lists *lists)
{
    rill_status status = ops->nodes(graph, NULL, &lists->node_count);
    if (!status) status = ops->edges(graph, NULL, NULL, NULL, &lists->edge_count);
    if (!status) status = make_room(sketch, lists);
    if (!status && lists->node_count) status = ops->nodes(graph, lists->nodes, &lists->node_count);
    if (!status && lists->edge_count)
        status = ops->edges(graph, lists->from, lists->to, lists->edges, &lists->edge_count);
    for (size_t i = 0; !status && i < lists->node_count; i++)
        *slot_of(lists, lists->nodes[i]) = i + 1;
    return status;
}

/* ---- The number --------------------------------------------------------- */

static rill_status add_graph(rill_graph *graph, int depth, struct rl_sketch *sketch,
                             struct rl_replay_key *key);

/* A child graph, with its own room, since the lists of the enclosing graph are still in use. */
struct child {
    rill_graph *graph;
    int depth;
    struct rl_replay_key *key;
    rill_status status;
};

static void add_inside(void *data)
{
    struct child *child = data;
    struct rl_sketch sketch = { NULL, 0 };
    child->status = add_graph(child->graph, child->depth, &sketch, child->key);
    rl_sketch_drop(&sketch);
}

static rill_status add_child(rill_graph *graph, rill_node node, int depth,
                             struct rl_replay_key *key)
{
    const size_t stack = depth == CHILDREN_FEW ? (CHILDREN_DEEP + 1) * CHILD_STACK : 0;
    struct child child = { .depth = depth, .key = key };
    rill_status status = rill_object_of(graph)->backend->graph->child(graph, node, &child.graph);
    if (status) return status;
    if (rl_with_stack(stack, add_inside, &child)) return child.status;
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                             "there is no memory to look at graphs that are nested so deep");
}

static rill_status add_graph(rill_graph *graph, int depth, struct rl_sketch *sketch,
                             struct rl_replay_key *key)
{
    const struct rill_graph_ops *ops = rill_object_of(graph)->backend->graph;
    struct lists lists = { .node_count = 0 };
    rill_status status = read_lists(graph, ops, sketch, &lists);
    if (status) return status;
    key->number = mix_number(key->number, lists.node_count);
    for (size_t i = 0; i < lists.edge_count; i++) {
        uint64_t kind = 0;
        memcpy(&kind, &lists.edges[i], sizeof kind);
        key->number = mix_number(key->number, *slot_of(&lists, lists.from[i]));
        key->number = mix_number(key->number, *slot_of(&lists, lists.to[i]));
        key->number = mix_number(key->number, kind);
    }
    for (size_t i = 0; !status && i < lists.node_count; i++) {
        rill_op_kind kind = RILL_OP_EMPTY;
        status = ops->node_kind(graph, lists.nodes[i], &kind);
        key->number = mix_number(key->number, (uint64_t)kind);
        if (kind == RILL_OP_ALLOC || kind == RILL_OP_FREE) key->has_memory = 1;
        if (!status && kind == RILL_OP_GRAPH && depth < CHILDREN_DEEP)
            status = add_child(graph, lists.nodes[i], depth + 1, key);
    }
    key->nodes += lists.node_count;
    return status;
}

rill_status rl_replay_key_of(rill_graph *graph, struct rl_sketch *sketch,
                             struct rl_replay_key *key)
{
    *key = (struct rl_replay_key){ .number = 0 };
    return add_graph(graph, 0, sketch, key);
}
