/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/graph/graph.h"

#include <stdio.h>

#include <rill/sim.h>

#include "base/alloc.h"

/* ---- Handles ------------------------------------------------------------------------------ */

/* Held while a graph gets its handle: two threads may be given the graph at once. */
static struct rl_lock first_handle_lock;

/* Called by rill when the graph is gone: its handle dies. */
static void end_handle(void *handle)
{
    struct si_graph *graph = handle;
    si_handle_kill(graph);
    si_await(graph);
    si_node_storage_free(graph->storage);
    si_handle_free(SI_GRAPH, graph);
}

static CUresult find_handle(rill_graph *graph, struct si_context *context, CUgraph outer,
                            CUgraph *handle)
{
    rl_lock(&first_handle_lock);
    struct si_slot *slot = si_handle_of(graph);
    if (!slot && (slot = si_handle_reserve(SI_GRAPH, context))) {
        atomic_store_explicit(&((struct si_part *)slot)->owner, (struct si_slot *)outer,
                              memory_order_relaxed);
        si_handle_publish(slot, graph);
        rill_set_data(graph, slot, end_handle);
    }
    rl_unlock(&first_handle_lock);
    if (!slot) return RILL_ERROR_OUT_OF_MEMORY;
    *handle = (CUgraph)(void *)slot;
    return RILL_SUCCESS;
}

CUresult si_graph_handle(rill_graph *graph, struct si_context *context, CUgraph *handle)
{
    return find_handle(graph, context, NULL, handle);
}

CUresult si_graph_handle_in(rill_graph *graph, CUgraph outer, CUgraph *handle)
{
    return find_handle(graph, ((struct si_slot *)outer)->context, outer, handle);
}

struct si_node_storage **si_node_storage_of(rill_graph *graph)
{
    CUgraph handle = si_handle_of(graph);
    if (!handle && si_graph_handle(graph, si_now.context, &handle)) return NULL;
    return &((struct si_graph *)handle)->storage;
}

CUresult si_node_graph(CUgraphNode node, rill_graph **graph)
{
    CUresult status = si_check_ready();
    si_hold_kind(SI_GRAPH); /* only rill knows which graph it is */
    return status ? status : rill_sim_node_graph(si_platform, node, graph);
}

/* ---- Making and ending -------------------------------------------------------------------- */

/* A graph needs no context, as with the driver.  The current one, if there is one, becomes
 * the context of work that names none. */
static CUresult make_graph(struct si_context **current, rill_graph **graph)
{
    rill_context *context;
    *current = NULL;
    if (!si_frame_lives(si_now)) return rill_graph_create_in(si_platform, NULL, graph);
    CUresult status = si_here(&context);
    if (status) return status;
    *current = si_now.context;
    return rill_graph_create(context, NULL, graph);
}

ENTRY(cuGraphCreate, (CUgraph *graph, unsigned flags), (graph, flags))
{
    struct si_context *current;
    rill_graph *made = NULL;
    CUresult status = si_check_ready();
    if (!status && (!graph || flags)) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = make_graph(&current, &made);
    if (status) return status;
    status = si_graph_handle(made, current, graph);
    if (status) rill_graph_destroy(&made);
    return status;
}

/* The slot is used again once the graph is gone; if it is not, its owner, a capture or a
 * node, is the one to end it, and the handle lives again. */
static CUresult destroy_graph(CUgraph handle)
{
    struct si_slot *slot = (struct si_slot *)handle;
    rill_graph *given = si_handle_take(SI_GRAPH, handle), *ended = given;
    if (!given) return si_wrong(SI_GRAPH, handle);
    si_await(slot);
    si_kind_ends(SI_GRAPH); /* a call that looks up a node must not find the graph half gone */
    uint32_t life = atomic_load_explicit(&slot->life, memory_order_relaxed);
    CUresult status = rill_graph_destroy(&ended);
    si_kind_ended(SI_GRAPH);
    if (atomic_load_explicit(&slot->life, memory_order_relaxed) == life)
        si_handle_restore(slot, given);
    return status;
}

ENTRY(cuGraphDestroy, (CUgraph graph), (graph))
{
    return destroy_graph(graph);
}

/* ---- Copies ------------------------------------------------------------------------------- */

ENTRY(cuGraphClone, (CUgraph *clone, CUgraph handle), (clone, handle))
{
    rill_graph *graph, *made = NULL;
    CUresult status = si_graph(handle, &graph);
    if (!status && !clone) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = rill_graph_clone(graph, &made);
    if (status) return status;
    status = si_graph_handle(made, ((struct si_slot *)handle)->context, clone);
    if (status) rill_graph_destroy(&made);
    return status;
}

/* Answers NULL for a node that the clone does not have, as the driver does. */
ENTRY(cuGraphNodeFindInClone,
      (CUgraphNode *node, CUgraphNode original, CUgraph clone), (node, original, clone))
{
    rill_graph *graph, *from;
    CUresult status = si_graph(clone, &graph);
    if (!status) status = si_node_graph(original, &from);
    if (!status && !node) status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    rill_node found = NULL;
    status = rill_graph_find_in_clone(graph, original, &found);
    *node = status ? NULL : found;
    return status;
}

/* ---- A picture ---------------------------------------------------------------------------- */

static int write_text(void *file, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, file) != bytes;
}

ENTRY(cuGraphDebugDotPrint,
      (CUgraph handle, const char *path, unsigned flags), (handle, path, flags))
{
    rill_graph *graph;
    CUresult status = si_graph(handle, &graph);
    if (status) return status;
    if (!path) return RILL_ERROR_INVALID_VALUE;
    FILE *file = fopen(path, "we");
    if (!file) return RILL_ERROR_OPERATING_SYSTEM;
    status = rill_graph_write_dot(graph, flags, write_text, file);
    if (fclose(file) && !status) status = RILL_ERROR_OPERATING_SYSTEM;
    return status;
}
