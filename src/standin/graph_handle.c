/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/graph_handle.h"

#include <rill/sim.h>

#include "base/alloc.h"

/* A graph that two threads are given at once gets one handle. */
static struct rl_lock first_sight;

/* The graph is gone, and its handle dead. */
static void graph_is_gone(void *handle)
{
    struct si_graph *graph = handle;
    si_handle_kill(graph);
    si_await(graph);
    si_node_storage_free(graph->storage);
    si_handle_free(SI_GRAPH, graph);
}

static CUresult handle_of(rill_graph *graph, struct si_context *context, CUgraph outer,
                          CUgraph *handle)
{
    rl_lock(&first_sight);
    struct si_slot *slot = si_handle_of(graph);
    if (!slot && (slot = si_handle_reserve(SI_GRAPH, context))) {
        atomic_store_explicit(&((struct si_part *)slot)->owner, (struct si_slot *)outer,
                              memory_order_relaxed);
        si_handle_publish(slot, graph);
        rill_set_data(graph, slot, graph_is_gone);
    }
    rl_unlock(&first_sight);
    if (!slot) return RILL_ERROR_OUT_OF_MEMORY;
    *handle = (CUgraph)(void *)slot;
    return RILL_SUCCESS;
}

CUresult si_graph_handle(rill_graph *graph, struct si_context *context, CUgraph *handle)
{
    return handle_of(graph, context, NULL, handle);
}

CUresult si_graph_handle_in(rill_graph *graph, CUgraph outer, CUgraph *handle)
{
    return handle_of(graph, ((struct si_slot *)outer)->context, outer, handle);
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
    si_hold_kind(SI_GRAPH); /* nothing but rill knows which one it is */
    return status ? status : rill_sim_node_graph(si_platform, node, graph);
}

/* Its handle is free again once the graph is gone; else it was not rill's to end. */
CUresult si_graph_destroy(CUgraph handle)
{
    struct si_slot *slot = (struct si_slot *)handle;
    rill_graph *given = si_handle_take(SI_GRAPH, handle), *ended = given;
    if (!given) return si_wrong(SI_GRAPH, handle);
    si_await(slot);
    si_await(&si_regions[SI_GRAPH]);
    uint32_t life = atomic_load_explicit(&slot->life, memory_order_relaxed);
    CUresult status = rill_graph_destroy(&ended);
    if (atomic_load_explicit(&slot->life, memory_order_relaxed) == life)
        si_handle_restore(slot, given);
    return status;
}
