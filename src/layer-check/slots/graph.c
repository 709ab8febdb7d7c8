/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: who added a node, or set it.
 */
#include "base/alloc.h"
#include "site/site.h"
#include "layer-check/slots/objects.h"

/* ---- Life ----------------------------------------------------------------------------------- */

static rill_status check_create(rill_graph *graph, const rill_graph_options *options)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(graph)->graph->create(graph, options);
    if (!status) ck_object_made(graph, RILL_OBJECT_GRAPH, site);
    return status;
}

static rill_status check_destroy(rill_graph *graph)
{
    ck_object_gone(graph);
    return ck_beneath(graph)->graph->destroy(graph);
}

/* ---- Nodes ---------------------------------------------------------------------------------- */

/* Has memory that an alloc node will allocate be known from now on. */
void ck_graph_memory(struct ck_checker *checker, const rill_op *op, const void *site)
{
    const struct ck_what what = { .host = true, .name = "the allocation", .site = site };
    struct ck_work *work = ck_host_add(&checker->order, &what);
    struct ck_log_entry *entry = work ? ck_log_add(&checker->log, work, checker->order.host) : NULL;
    if (entry) {
        entry->pending = 0;
        entry->change = CK_CHANGE_ADD;
        entry->kind = CK_BLOCK_GRAPH;
        entry->device = op->alloc.device;
        entry->base = op->alloc.address;
        entry->bytes = op->alloc.bytes;
    } else {
        checker->order.failed = true;
    }
    ck_work_release(work);
}

static void note_node(struct ck_checker *checker, rill_graph *graph, rill_node node,
                      const void *site)
{
    struct ck_notes *notes = ck_notes_of(graph);
    if (notes && !ck_notes_set(notes, node, site, checker->order.serial))
        checker->order.failed = true;
}

/* A graph and its copy, of which the notes are to be copied. */
struct copying {
    struct copying *next;
    rill_graph *graph, *copy;
};

static void push_copying(struct ck_checker *checker, struct copying **first, rill_graph *graph,
                         rill_graph *copy)
{
    struct copying *copying = rl_alloc(sizeof *copying);
    if (!copying) {
        checker->order.failed = true;
        return;
    }
    *copying = (struct copying){ *first, graph, copy };
    *first = copying;
}

/* Gives the nodes of a copy the notes of those that they are copies of.  Lists the graphs inside
 * of them. */
static void copy_own_notes(struct ck_checker *checker, const struct copying *from,
                           struct copying **first)
{
    const struct rill_graph_ops *graphs = checker->beneath->graph;
    const struct ck_notes *notes = ck_notes_of(from->graph);
    struct ck_notes *to = ck_notes_of(from->copy);
    for (size_t i = 0; notes && to && i < notes->room; i++) {
        const struct ck_note *note = &notes->places[i];
        rill_graph *inside, *copy;
        rill_op_kind kind;
        rill_node node;
        if (!note->node || graphs->find_in_clone(from->copy, note->node, &node)) continue;
        if (!ck_notes_set(to, node, note->site, note->born)) checker->order.failed = true;
        if (!graphs->node_kind(from->graph, note->node, &kind) && kind == RILL_OP_GRAPH &&
            !graphs->child(from->graph, note->node, &inside) &&
            !graphs->child(from->copy, node, &copy))
            push_copying(checker, first, inside, copy);
    }
}

/* Copies the notes of a graph and of all inside of it, however deep: the stack may be small. */
static void copy_notes(struct ck_checker *checker, rill_graph *graph, rill_graph *copy)
{
    struct copying *first = NULL;
    push_copying(checker, &first, graph, copy);
    while (first) {
        struct copying *copying = first;
        first = copying->next;
        copy_own_notes(checker, copying, &first);
        rl_free(copying);
    }
}

static rill_status check_add_node(rill_graph *graph, const rill_node *dependencies,
                                  const rill_edge *edges, size_t count, rill_op *op,
                                  rill_node *node)
{
    const void *site = cs_site_here();
    const struct rill_graph_ops *graphs = ck_beneath(graph)->graph;
    bool moves = op->kind == RILL_OP_GRAPH && op->graph.flags & RILL_CHILD_MOVE;
    rill_graph *moving = moves ? op->graph.graph : NULL;
    rill_status status = graphs->add_node(graph, dependencies, edges, count, op, node);
    if (!status && moving) ck_object_gone(moving); /* the other graph owns it */
    struct ck_checker *checker = status ? NULL : ck_enter(graph);
    if (!checker) {
        ck_capture_mind(graph, status, site, "rill_graph_add_node");
        return status;
    }
    rill_graph *child;
    if (op->kind == RILL_OP_ALLOC) ck_graph_memory(checker, op, site);
    note_node(checker, graph, *node, site);
    if (op->kind == RILL_OP_GRAPH && !moves && !graphs->child(graph, *node, &child))
        copy_notes(checker, op->graph.graph, child);
    ck_leave(checker);
    return status;
}

static rill_status check_set_op(rill_graph *graph, rill_node node, const rill_op *op)
{
    rill_status status = ck_beneath(graph)->graph->set_op(graph, node, op);
    struct ck_checker *checker = status ? NULL : ck_enter(graph);
    if (!checker) return status;
    struct ck_notes *notes = ck_notes_of(graph);
    const struct ck_note *note = notes ? ck_notes_find(notes, node) : NULL;
    note_node(checker, graph, node, note ? note->site : NULL);
    ck_leave(checker);
    return status;
}

static rill_status check_clone(rill_graph *graph, rill_graph *clone)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(graph)->graph->clone(graph, clone);
    if (!status) ck_object_made(clone, RILL_OBJECT_GRAPH, site);
    struct ck_checker *checker = status ? NULL : ck_enter(graph);
    if (!checker) return status;
    copy_notes(checker, graph, clone);
    ck_leave(checker);
    return status;
}

const struct rill_graph_ops ck_graph_slots = {
    .create = check_create, .destroy = check_destroy, .add_node = check_add_node,
    .set_op = check_set_op, .clone = check_clone,
};
