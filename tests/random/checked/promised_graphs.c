/* SPDX-License-Identifier: Apache-2.0
 *
 * Promises of graphs: their shapes, built and captured, and their launches.
 */
#include "random/checked/promised.h"

/* ---- Shapes ------------------------------------------------------------------------------ */

static struct node_shape *add_node(struct promises *promises, int graph, int step, uint32_t after)
{
    struct graph_shape *shape = &promises->graph[graph];
    const struct step *s = &promises->program->step[step];
    struct node_shape *node = &shape->node[shape->nodes];
    if (!promises->graph_made[graph] || after >> shape->nodes) promises->valid = false;
    if (s->verb == DO_CHILD && !promises->graph_made[s->other]) promises->valid = false;
    if (shape->nodes < NODES_MAX - 1) shape->nodes++;
    else promises->valid = false;
    *node = (struct node_shape){ .verb = s->verb == DO_WORK ? DO_NODE : s->verb, .how = s->how,
                                 .inside = s->other, .event = s->event,
                                 .memory = s->memory,
                                 .step = (int16_t)step, .after = after, .number = s->number,
                                 .work = s->work };
    return node;
}

static void make_graph(struct promises *promises, int graph)
{
    promises->graph[graph].nodes = 0;
    promises->graph_made[graph] = true;
}

/* How often what is inside a node runs. */
static uint32_t rounds_of(const struct node_shape *node, const struct graph_shape *body)
{
    if (node->verb == DO_CHILD) return 1;
    if (node->how == CHOOSE_IF) return node->number != 0;
    if (node->how == CHOOSE_SWITCH) return node->number == 0; /* it has one body */
    for (int i = 0; i < body->nodes && node->number; i++)
        if (body->node[i].verb == DO_LEAVE) return body->node[i].number;
    return 0;
}

/* A loop without an end is no program. */
static bool loops_end(const struct promises *promises, const struct graph_shape *graph)
{
    for (int i = 0; i < graph->nodes; i++) {
        const struct node_shape *node = &graph->node[i];
        bool loops = node->verb == DO_CONDITIONAL && node->how == CHOOSE_WHILE && node->number;
        if (loops && !rounds_of(node, &promises->graph[node->inside])) return false;
    }
    return true;
}

static void make_exec(struct promises *promises, const struct step *s)
{
    if (!loops_end(promises, &promises->graph[s->graph])) promises->valid = false;
    if (!promises->graph_made[s->graph]) promises->valid = false;
    promises->exec_made[s->exec] = true;
    promises->exec[s->exec] = promises->graph[s->graph];
    promises->exec_graph[s->exec] = s->graph;
}

/* Takes over what the nodes of another graph do. */
static void update_exec(struct promises *promises, const struct step *s)
{
    struct graph_shape *exec = &promises->exec[s->exec];
    const struct graph_shape *from = &promises->graph[s->graph];
    if (from->nodes != exec->nodes || !promises->exec_made[s->exec]) promises->valid = false;
    for (int i = 0; i < exec->nodes; i++) {
        if (from->node[i].after != exec->node[i].after) promises->valid = false;
        exec->node[i].work = from->node[i].work;
    }
}

/* The node of an exec that a step changes. */
static struct node_shape *changed_node(struct promises *promises, const struct step *s)
{
    struct graph_shape *exec = &promises->exec[s->exec];
    if (s->node >= exec->nodes || exec->node[s->node].verb != DO_NODE) promises->valid = false;
    return &exec->node[s->node];
}

uint32_t graph_before(const struct graph_shape *graph, int to)
{
    uint32_t before = graph->node[to].after;
    for (int i = to - 1; i >= 0; i--)
        if (before >> i & 1) before |= graph->node[i].after;
    return before;
}

/* ---- Captures ---------------------------------------------------------------------------- */

static void begin_capture(struct promises *promises, const struct step *s)
{
    promises->capturing[s->stream] = s->graph;
    promises->frontier[s->stream] = 0;
    make_graph(promises, s->graph);
}

/* The stream in which the capture began has to come after all nodes. */
static void end_capture(struct promises *promises, const struct step *s)
{
    const struct graph_shape *graph = &promises->graph[s->graph];
    uint32_t joined = promises->frontier[s->stream];
    if (promises->capturing[s->stream] != s->graph) promises->valid = false;
    for (int i = 0; i < graph->nodes; i++)
        if (promises->frontier[s->stream] >> i & 1) joined |= graph_before(graph, i);
    if (joined != (UINT32_C(1) << graph->nodes) - 1) promises->valid = false;
    for (int k = 0; k < STREAMS_MAX; k++)
        if (promises->capturing[k] == s->graph) promises->capturing[k] = -1;
}

void promises_capture(struct promises *promises, const struct step *s, int step)
{
    if (s->verb == DO_WAIT) {
        bool joins = promises->capturing[s->stream] < 0;
        if (promises->event_graph[s->event] != s->graph) promises->valid = false;
        if (joins) promises->frontier[s->stream] = 0;
        promises->capturing[s->stream] = s->graph;
        promises->frontier[s->stream] |= promises->event_nodes[s->event];
        return;
    }
    if (promises->capturing[s->stream] != s->graph) {
        promises->valid = false;
    } else if (s->verb == DO_RECORD) {
        promises->event_graph[s->event] = s->graph;
        promises->event_nodes[s->event] = promises->frontier[s->stream];
    } else {
        int number = promises->graph[s->graph].nodes;
        add_node(promises, s->graph, step, promises->frontier[s->stream]);
        promises->frontier[s->stream] = UINT32_C(1) << number;
    }
}

/* ---- Steps ------------------------------------------------------------------------------- */

void promises_graph_step(struct promises *promises, const struct step *s, int step)
{
    switch (s->verb) {
    case DO_GRAPH: make_graph(promises, s->graph); break;
    case DO_CONDITIONAL: make_graph(promises, s->other); /* fall through */
    case DO_NODE:
    case DO_EMPTY:
    case DO_RECORD_NODE:
    case DO_WAIT_NODE:
    case DO_ALLOC_NODE:
    case DO_FREE_NODE:
    case DO_LEAVE:
    case DO_CHILD: add_node(promises, s->graph, step, s->after); break;
    case DO_BEGIN: begin_capture(promises, s); break;
    case DO_END: end_capture(promises, s); break;
    case DO_EXEC: make_exec(promises, s); break;
    case DO_SET_WORK: changed_node(promises, s)->work = s->work; break;
    case DO_ENABLE: changed_node(promises, s)->off = !s->number; break;
    case DO_UPDATE: update_exec(promises, s); break;
    default: break;
    }
}

/* ---- Launches ---------------------------------------------------------------------------- */

/* A launch on the way through its graphs. */
struct descent {
    struct promises *promises;
    int step;
    int outer; /* the node of the launched graph, or -1 */
};

static struct act_set descend(struct descent *descent, const struct graph_shape *shape, int graph,
                              const struct act_set *entry);

static void unroll_inside(struct descent *descent, const struct node_shape *node,
                          struct act_set *set)
{
    const struct graph_shape *body = &descent->promises->graph[node->inside];
    for (uint32_t left = rounds_of(node, body); left > 0; left--)
        *set = descend(descent, body, node->inside, set);
}

/* An event stands for what it was recorded after, by the call that launches the node. */
static void unroll_event(struct promises *promises, const struct node_shape *node,
                         struct act_set *set)
{
    if (node->verb == DO_RECORD_NODE) {
        promises->event[node->event] = *set;
        promises->recorded[node->event] = true;
    } else if (promises->recorded[node->event]) {
        acts_join(set, &promises->event[node->event]);
    }
}

/* Adds what a node does, after `set`, to which it adds that. */
static void unroll_node(struct descent *descent, const struct graph_shape *shape, int graph,
                        int number, struct act_set *set)
{
    struct promises *promises = descent->promises;
    const struct node_shape *node = &shape->node[number];
    bool outermost = descent->outer < 0;
    if (outermost) descent->outer = number;
    if ((node->verb == DO_NODE && !node->off) || node->memory >= 0) {
        struct act *act = promises_act(promises, descent->step, set);
        act->work = node->work;
        act->touches = touches_of_node(node);
        act->node_step = node->step;
        act->graph = (int8_t)graph;
        act->node = (int8_t)number;
        act->outer = (int8_t)descent->outer;
        acts_add(set, (int)(act - promises->act));
    } else if (node->inside >= 0) {
        unroll_inside(descent, node, set);
    } else if (node->event >= 0) {
        unroll_event(promises, node, set);
    }
    if (outermost) descent->outer = -1;
}

/* Adds the acts of a graph's nodes.  Returns what is done when all of them are. */
static struct act_set descend(struct descent *descent, const struct graph_shape *shape, int graph,
                              const struct act_set *entry)
{
    struct act_set done[NODES_MAX], all = *entry;
    for (int i = 0; i < shape->nodes; i++) {
        done[i] = *entry;
        for (int k = 0; k < i; k++)
            if (shape->node[i].after >> k & 1) acts_join(&done[i], &done[k]);
        unroll_node(descent, shape, graph, i, &done[i]);
        acts_join(&all, &done[i]);
    }
    return all;
}

struct act_set promises_launch(struct promises *promises, int step, const struct act_set *entry)
{
    int exec = promises->program->step[step].exec;
    struct descent descent = { promises, step, -1 };
    return descend(&descent, &promises->exec[exec], promises->exec_graph[exec], entry);
}
