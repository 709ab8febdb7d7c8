/* SPDX-License-Identifier: Apache-2.0
 *
 * From a plan to a graph and its exec.
 */
#include <rill/exec.h>

#include <string.h>

#include "random/play.h"
#include "support/random.h"

struct builder {
    struct play *play;
    const struct graph_plan *plan;
    struct built_graph *made;
    struct dice dice;
    int graph, step;
    unsigned version;
    bool ok;
    int age[NODES_MAX], added; /* the order of the nodes */
    int edges;
    struct { int from, to; } edge[NODES_MAX * NODES_MAX]; /* of a part, still to be added */
};

static bool built(struct builder *builder, rill_status status, const char *call)
{
    if (!status) return true;
    accuse(builder->play, builder->step, "%s for G%d gave %d: %s", call, builder->graph,
           (int)status, rill_last_error()->message);
    return builder->ok = false;
}

#define FINE(builder, call) built(builder, call, #call)

/* ---- What a node does ------------------------------------------------------------- */

static rill_op copy_of(rill_devptr dst, rill_devptr src)
{
    return (rill_op){
        .kind = RILL_OP_MEMCPY,
        .memcpy = { .dst = rill_device_place(dst), .src = rill_device_place(src),
                    .width = CELL_BYTES, .height = 1, .depth = 1 },
    };
}

static void fill_kernel(const struct play *play, const struct graph_plan *plan, int n,
                        const rill_conditional *handles, struct node_form *form)
{
    const rill_dim3 one = { 1, 1, 1 };
    int sets = plan->node[n].sets;
    form->handle = sets >= 0 ? handles[sets] : 0;
    form->params[0] = &form->version;
    form->params[1] = &form->post;
    form->params[2] = &form->handle;
    form->op = (rill_op){
        .kind = RILL_OP_KERNEL,
        .kernel = { .kernel = play->node_kernel[plan->context], .grid = one, .block = one,
                    .params = form->params },
    };
}

static void fill_values(rill_devptr cell, uint32_t mark, struct node_form *form)
{
    for (unsigned w = 0; w < CELL_WORDS; w++)
        form->values[w] = (rill_value){ .kind = RILL_VALUE_WRITE_32, .value = mark,
                                        .address = cell + w * sizeof mark };
    form->op = (rill_op){ .kind = RILL_OP_VALUES,
                          .values = { .items = form->values, .count = CELL_WORDS } };
}

static rill_op event_op(rill_op_kind kind, rill_event *event)
{
    return (rill_op){ .kind = kind, .event = { .event = event } };
}

void graph_fill_form(struct play *play, int graph, int n, unsigned version,
                     const rill_conditional *handles, struct node_form *form)
{
    const struct graph_plan *plan = &play->program->graph[graph];
    const struct node_plan *node = &plan->node[n];
    struct post *post = &play->graph[graph].post[n];
    struct duty *duty = &post->duty[version];
    uint32_t mark = graph_mark(graph, n, version);
    form->version = version;
    form->post = (uintptr_t)post;
    form->op = (rill_op){ .kind = RILL_OP_EMPTY };
    if (node->dropped) return;
    switch (node->kind) {
    case NODE_HOST:
        duty->given++;
        form->op = (rill_op){ .kind = RILL_OP_HOST,
                              .host = { graph_run_host, duty, graph_give_back } };
        break;
    case NODE_KERNEL:
        fill_kernel(play, plan, n, handles, form);
        break;
    case NODE_FILL:
        form->op = (rill_op){ .kind = RILL_OP_MEMSET,
                              .memset = { .dst = post->cell, .value = mark, .element_bytes = 4,
                                          .width = CELL_WORDS, .height = 1 } };
        break;
    case NODE_COPY:
        form->op = copy_of(post->cell, post[node->source[version % 2] - n].cell);
        break;
    case NODE_VALUES:
        fill_values(post->cell, mark, form);
        break;
    case NODE_RECORD:
        form->op = event_op(RILL_OP_EVENT_RECORD, play->event[plan->recorded]);
        break;
    case NODE_WAIT:
        form->op = event_op(RILL_OP_EVENT_WAIT, play->event[plan->awaited]);
        break;
    default:
        break;
    }
}

/* ---- Nodes -------------------------------------------------------------------------- */

static void build_part(struct builder *builder, int part, rill_graph *graph);

/* Moves the nodes of a kind to the front. */
static void to_front(const struct graph_plan *plan, int kind, int *order, int count)
{
    int first = 0;
    for (int i = 0; i < count; i++) {
        if (plan->node[order[i]].kind != kind) continue;
        int kept = order[first];
        order[first++] = order[i];
        order[i] = kept;
    }
}

static void turn_around(int *order, int count)
{
    for (int i = 0; i < count / 2; i++) {
        int kept = order[i];
        order[i] = order[count - 1 - i];
        order[count - 1 - i] = kept;
    }
}

/* The nodes of a part, in the order in which they are added: some other one than
 * theirs, but what uses memory of the graph is added between ALLOC and FREE. */
static int choose_order(struct builder *builder, int part, int *order)
{
    const struct graph_plan *plan = builder->plan;
    int count = 0;
    for (int n = 0; n < plan->nodes; n++)
        if (plan->node[n].part == part) order[count++] = n;
    if (dice_chance(&builder->dice, 40)) return count;
    for (int i = count - 1; i > 0; i--) {
        int other = dice_below(&builder->dice, i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    to_front(plan, NODE_FREE, order, count);
    turn_around(order, count);
    to_front(plan, NODE_ALLOC, order, count);
    return count;
}

/* Some of the edges that can be there at once; the others follow. */
static size_t choose_edges(struct builder *builder, int n, uint32_t there, rill_node *nodes)
{
    const struct graph_plan *plan = builder->plan;
    size_t count = 0;
    for (int m = 0; m < plan->nodes; m++) {
        if (!(plan->node[n].after >> m & 1)) continue;
        if (there >> m & 1 && dice_chance(&builder->dice, 60)) {
            nodes[count++] = builder->made->node[m];
        } else {
            builder->edge[builder->edges].from = m;
            builder->edge[builder->edges++].to = n;
        }
    }
    return count;
}

/* The nodes of a child graph that was copied are others: they are found by age. */
static void find_inside(struct builder *builder, rill_graph *graph, int n)
{
    const struct graph_plan *plan = builder->plan;
    int part = plan->node[n].first_part;
    rill_graph **inside = &builder->made->part[part];
    rill_node nodes[NODES_MAX];
    size_t count = NODES_MAX;
    if (!FINE(builder, rill_node_child_graph(graph, builder->made->node[n], inside))) return;
    if (!FINE(builder, rill_graph_nodes(*inside, nodes, &count))) return;
    for (int m = 0; m < plan->nodes; m++) {
        size_t older = 0;
        if (plan->node[m].part != part) continue;
        for (int k = 0; k < plan->nodes; k++)
            older += plan->node[k].part == part && builder->age[k] < builder->age[m];
        builder->made->node[m] = nodes[older];
        if (plan->node[m].kind == NODE_CHILD) find_inside(builder, *inside, m);
    }
}

static void add_child(struct builder *builder, rill_graph *graph, const rill_node *after,
                      size_t count, int n)
{
    rill_graph *child;
    rill_context *context = builder->play->context[builder->plan->context];
    bool moves = dice_chance(&builder->dice, 50);
    if (!FINE(builder, rill_graph_create(context, NULL, &child))) return;
    build_part(builder, builder->plan->node[n].first_part, child);
    if (!builder->ok) return;
    FINE(builder, rill_graph_add_child(graph, after, count, child, moves ? RILL_CHILD_MOVE : 0,
                                       &builder->made->node[n]));
    if (!moves) FINE(builder, rill_graph_destroy(&child));
    if (builder->ok) find_inside(builder, graph, n);
}

static void add_conditional(struct builder *builder, rill_graph *graph, const rill_node *after,
                            size_t count, int n)
{
    const struct node_plan *node = &builder->plan->node[n];
    rill_conditional_kind kind = (rill_conditional_kind)(node->kind - NODE_IF);
    if (!FINE(builder, rill_graph_add_conditional(graph, after, count, builder->made->handle[n],
                                                  kind, node->bodies,
                                                  &builder->made->part[node->first_part],
                                                  &builder->made->node[n])))
        return;
    for (int b = 0; b < node->bodies; b++)
        build_part(builder, node->first_part + b, builder->made->part[node->first_part + b]);
}

static void add_memory(struct builder *builder, rill_graph *graph, const rill_node *after,
                       size_t count, int n)
{
    const struct graph_plan *plan = builder->plan;
    struct post *posts = builder->play->graph[builder->graph].post;
    rill_op op = { .kind = RILL_OP_ALLOC,
                   .alloc = { .bytes = NODES_MAX * CELL_BYTES,
                              .device = builder->play->program->device_of[plan->context] } };
    if (plan->node[n].kind == NODE_FREE) {
        FINE(builder, rill_graph_add_free(graph, after, count, posts[plan->node[n].home].cell,
                                          &builder->made->node[n]));
        return;
    }
    if (!FINE(builder, rill_graph_add_node(graph, after, count, &op, &builder->made->node[n])))
        return;
    posts[n].cell = op.alloc.address;
    for (int m = n + 1; m < plan->nodes; m++)
        if (plan->node[m].home == n && plan->node[m].kind != NODE_FREE)
            posts[m].cell = op.alloc.address + (rill_devptr)m * CELL_BYTES;
}

static void add_node(struct builder *builder, rill_graph *graph, const rill_node *after,
                     size_t count, int n)
{
    struct node_form form;
    switch (builder->plan->node[n].kind) {
    case NODE_CHILD:
        add_child(builder, graph, after, count, n);
        return;
    case NODE_IF: case NODE_WHILE: case NODE_SWITCH:
        add_conditional(builder, graph, after, count, n);
        return;
    case NODE_ALLOC: case NODE_FREE:
        add_memory(builder, graph, after, count, n);
        return;
    default:
        graph_fill_form(builder->play, builder->graph, n, builder->version,
                        builder->made->handle, &form);
        FINE(builder, rill_graph_add_node(graph, after, count, &form.op, &builder->made->node[n]));
    }
}

/* ---- Edges --------------------------------------------------------------------------------- */

/* In any order, several at a time. */
static void add_edges(struct builder *builder, rill_graph *graph, int first)
{
    rill_node from[NODES_MAX], to[NODES_MAX];
    while (builder->ok && builder->edges > first) {
        size_t most = 1 + (size_t)dice_below(&builder->dice, 4), count = 0;
        for (; count < most && builder->edges > first; count++) {
            int i = first + dice_below(&builder->dice, builder->edges - first);
            from[count] = builder->made->node[builder->edge[i].from];
            to[count] = builder->made->node[builder->edge[i].to];
            builder->edge[i] = builder->edge[--builder->edges];
        }
        FINE(builder, rill_graph_add_edges(graph, from, to, NULL, count));
    }
}

/* A node and an edge that come and go. */
static void dither(struct builder *builder, rill_graph *graph, const int *order, int count)
{
    const rill_node *node = builder->made->node;
    rill_node guest;
    int a = order[dice_below(&builder->dice, count)], b = order[dice_below(&builder->dice, count)];
    if (!FINE(builder, rill_graph_add_empty(graph, &node[a], 1, &guest))) return;
    FINE(builder, rill_graph_add_edges(graph, &guest, &node[b], NULL, 1));
    if (dice_chance(&builder->dice, 50))
        FINE(builder, rill_graph_remove_edges(graph, &node[a], &guest, NULL, 1));
    FINE(builder, rill_graph_remove_node(graph, guest));
}

static void build_part(struct builder *builder, int part, rill_graph *graph)
{
    int order[NODES_MAX], count = choose_order(builder, part, order), first = builder->edges;
    uint32_t there = 0;
    for (int i = 0; i < count && builder->ok; i++) {
        rill_node after[NODES_MAX];
        size_t edges = choose_edges(builder, order[i], there, after);
        add_node(builder, graph, after, edges, order[i]);
        there |= UINT32_C(1) << order[i];
        builder->age[order[i]] = builder->added++;
        if (!builder->plan->fixed && builder->ok && dice_chance(&builder->dice, 5))
            dither(builder, graph, order, i + 1);
    }
    add_edges(builder, graph, first);
}

/* Before the nodes, since kernels are told of them. */
static void make_handles(struct builder *builder)
{
    const struct graph_plan *plan = builder->plan;
    for (int n = 0; n < plan->nodes; n++) {
        const struct node_plan *node = &plan->node[n];
        if (node->kind < NODE_IF || node->kind > NODE_SWITCH) continue;
        uint32_t found = graph_finds(node);
        FINE(builder, rill_conditional_create(builder->made->graph, node->preset ? found : !found,
                                              RILL_CONDITIONAL_ASSIGN, &builder->made->handle[n]));
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

bool graph_build(struct play *play, int graph, unsigned version, int step,
                 struct built_graph *made)
{
    static _Thread_local struct builder builder;
    builder = (struct builder){ .play = play, .plan = &play->program->graph[graph], .made = made,
                                .graph = graph, .step = step, .version = version, .ok = true };
    builder.dice.state = builder.plan->seed;
    *made = (struct built_graph){ .graph = NULL };
    if (!FINE(&builder, rill_graph_create(play->context[builder.plan->context], NULL,
                                          &made->graph)))
        return false;
    made->part[0] = made->graph;
    make_handles(&builder);
    build_part(&builder, 0, made->graph);
    return builder.ok;
}

void graph_make(struct play *play, int graph)
{
    const struct graph_plan *plan = &play->program->graph[graph];
    struct graph_play *its = &play->graph[graph];
    rill_context *context = play->context[plan->context];
    if (!fine(play, -1, rill_mem_alloc(context, NODES_MAX * CELL_BYTES, &its->cells),
              "rill_mem_alloc"))
        return;
    memset(RILL_DEVICE_MEMORY(its->cells, char), 0, NODES_MAX * CELL_BYTES);
    for (int n = 0; n < plan->nodes; n++) {
        struct post *post = &its->post[n];
        *post = (struct post){ .play = play, .graph = graph, .node = n,
                               .cell = its->cells + (rill_devptr)n * CELL_BYTES };
        for (unsigned v = 0; v < VERSIONS_MAX; v++)
            post->duty[v] = (struct duty){ .post = post, .version = v };
    }
    if (!graph_build(play, graph, 0, -1, &its->own)) return;
    memcpy(its->handle, its->own.handle, sizeof its->handle);
    if (!fine(play, -1, rill_exec_create(its->own.graph, NULL, &its->exec), "rill_exec_create"))
        return;
    if (plan->goes) fine(play, -1, rill_graph_destroy(&its->own.graph), "rill_graph_destroy");
}

void graph_destroy(struct play *play, int graph)
{
    struct graph_play *its = &play->graph[graph];
    const struct graph_plan *plan = &play->program->graph[graph];
    fine(play, -1, rill_exec_destroy(&its->exec), "rill_exec_destroy");
    fine(play, -1, rill_graph_destroy(&its->own.graph), "rill_graph_destroy");
    if (play->program->ending != END_DESTROY)
        fine(play, -1, rill_mem_free(play->context[plan->context], its->cells), "rill_mem_free");
}
