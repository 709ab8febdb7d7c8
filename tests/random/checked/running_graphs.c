/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded programs: the steps that make graphs and execs.
 */
#include "random/checked/running.h"

/* The nodes that a step names. */
struct node_list {
    size_t count;
    rill_node node[NODES_MAX];
};

static struct node_list nodes_of(const struct running *running, int graph, uint32_t mask)
{
    struct node_list list = { 0 };
    for (int i = 0; i < running->nodes[graph]; i++)
        if (mask >> i & 1) list.node[list.count++] = running->node[graph][i];
    return list;
}

/* The context of a graph's kernels: that of the step which made it, or its outermost one. */
static int context_of(const struct running *running, int graph)
{
    const struct recorded *program = running->program;
    for (int i = 0; i < program->steps; i++) {
        const struct step *s = &program->step[i];
        if (s->verb == DO_CONDITIONAL && s->other == graph) return s->context;
        if (s->graph != graph) continue;
        if (s->verb == DO_GRAPH) return s->context;
        if (s->verb == DO_BEGIN) return program->stream[s->stream].context;
    }
    return 0;
}

static rill_status add_conditional(struct running *running, const struct step *s, rill_op *op,
                                   rill_graph **body)
{
    static const rill_conditional_kind kinds[] = {
        [CHOOSE_IF] = RILL_CONDITIONAL_IF, [CHOOSE_SWITCH] = RILL_CONDITIONAL_SWITCH,
        [CHOOSE_WHILE] = RILL_CONDITIONAL_WHILE,
    };
    rill_conditional handle = 0;
    rill_status status = rill_conditional_create(running->graph[s->graph], s->number,
                                                 RILL_CONDITIONAL_ASSIGN, &handle);
    *op = (rill_op){ .kind = RILL_OP_CONDITIONAL, .conditional = {
        .handle = handle, .body_count = 1, .bodies = body,
        .kind = kinds[s->how],
    } };
    running->loop[s->other].handle = handle;
    running->borrowed[s->other] = true;
    return status;
}

/* Fills in what a node does. */
static rill_status make_node_op(struct running *running, const struct step *s, struct work_op *made)
{
    int context = context_of(running, s->graph);
    switch (s->verb) {
    case DO_NODE:
        return running_make_op(running, &s->work, context, made) ? RILL_SUCCESS
                                                                 : RILL_ERROR_OUT_OF_MEMORY;
    case DO_ALLOC_NODE:
        made->op = (rill_op){ .kind = RILL_OP_ALLOC,
                              .alloc = { .bytes = MEMORY_BYTES, .device = context } };
        return RILL_SUCCESS;
    case DO_FREE_NODE:
        made->op = (rill_op){ .kind = RILL_OP_FREE, .free = { running->memory[s->memory] } };
        return RILL_SUCCESS;
    case DO_LEAVE:
        running->loop[s->graph].rounds = s->number;
        running_make_leave(running, s->graph, context, made);
        return RILL_SUCCESS;
    case DO_RECORD_NODE:
    case DO_WAIT_NODE:
        made->op.kind = s->verb == DO_WAIT_NODE ? RILL_OP_EVENT_WAIT : RILL_OP_EVENT_RECORD;
        made->op.event = (rill_event_op){ running->event[s->event], 0 };
        return RILL_SUCCESS;
    case DO_CHILD:
        made->op = (rill_op){ .kind = RILL_OP_GRAPH, .graph = { running->graph[s->other], 0 } };
        return RILL_SUCCESS;
    case DO_CONDITIONAL:
        return add_conditional(running, s, &made->op, &running->graph[s->other]);
    default: return RILL_SUCCESS; /* an empty node */
    }
}

static rill_status add_node(struct running *running, const struct step *s)
{
    struct work_op made = { .op.kind = RILL_OP_EMPTY };
    const struct node_list after = nodes_of(running, s->graph, s->after);
    rill_status status = make_node_op(running, s, &made);
    if (status) return status;
    status = rill_graph_add_node(running->graph[s->graph], after.node, after.count, &made.op,
                                 &running->node[s->graph][running->nodes[s->graph]++]);
    if (s->verb == DO_ALLOC_NODE) running->memory[s->memory] = made.op.alloc.address;
    return status;
}

static rill_status end_capture(struct running *running, const struct step *s)
{
    rill_status status = rill_stream_end_capture(running->stream[s->stream],
                                                 &running->graph[s->graph]);
    if (status) return status;
    size_t count = NODES_MAX;
    status = rill_graph_nodes(running->graph[s->graph], running->node[s->graph], &count);
    running->nodes[s->graph] = (int)count;
    return status;
}

static int graph_of_exec(const struct running *running, int exec)
{
    const struct recorded *program = running->program;
    for (int i = 0; i < program->steps; i++)
        if (program->step[i].verb == DO_EXEC && program->step[i].exec == exec)
            return program->step[i].graph;
    return -1;
}

static rill_status set_work(struct running *running, const struct step *s)
{
    struct work_op made;
    int graph = graph_of_exec(running, s->exec);
    if (!running_make_op(running, &s->work, context_of(running, graph), &made))
        return RILL_ERROR_OUT_OF_MEMORY;
    return rill_exec_set_op(running->exec[s->exec], running->node[graph][s->node], &made.op);
}

static rill_status enable(struct running *running, const struct step *s)
{
    int graph = graph_of_exec(running, s->exec);
    return rill_exec_set_enabled(running->exec[s->exec], running->node[graph][s->node],
                                 (int)s->number);
}

rill_status running_graph_step(struct running *running, const struct step *s)
{
    switch (s->verb) {
    case DO_GRAPH:
        return rill_graph_create(running->context[s->context], NULL, &running->graph[s->graph]);
    case DO_NODE:
    case DO_EMPTY:
    case DO_RECORD_NODE:
    case DO_WAIT_NODE:
    case DO_ALLOC_NODE:
    case DO_FREE_NODE:
    case DO_LEAVE:
    case DO_CHILD:
    case DO_CONDITIONAL: return add_node(running, s);
    case DO_BEGIN: return rill_stream_begin_capture(running->stream[s->stream], NULL);
    case DO_END: return end_capture(running, s);
    case DO_EXEC:
        return rill_exec_create(running->graph[s->graph], NULL, &running->exec[s->exec]);
    case DO_SET_WORK: return set_work(running, s);
    case DO_ENABLE: return enable(running, s);
    case DO_UPDATE:
        return rill_exec_update(running->exec[s->exec], running->graph[s->graph], NULL);
    default: return RILL_ERROR_INVALID_VALUE;
    }
}
