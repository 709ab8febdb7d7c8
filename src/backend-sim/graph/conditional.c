/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/graph/conditional.h"
#include "backend-sim/kernel/kernel.h"

#include <rill/sim.h>

#include "base/alloc.h"

/* ---- Handles -------------------------------------------------------------------------- */

/* Returns the graph that is in no other graph. */
static struct sim_graph *outermost_of(struct sim_graph *graph)
{
    while (graph->parent) graph = graph->parent;
    return graph;
}

struct conditional_handle *sim_conditional_find(struct sim_graph *graph, rill_conditional id)
{
    struct conditional_handle *handle = outermost_of(graph)->handles;
    while (handle && handle->id != id) handle = handle->next;
    return handle;
}

/* Returns the id for the next handle of the context. */
static rill_conditional next_id(const struct conditional_handle *handles, uint64_t context)
{
    uint64_t contexts = 0;
    for (; handles; handles = handles->next) {
        if (handles->context == context) return handles->id + 1;
        uint64_t before = (handles->id >> 32) + 1;
        if (before > contexts) contexts = before;
    }
    return contexts << 32 | 1;
}

rill_status sim_conditional_create(struct sim_graph *graph, uint64_t context, uint32_t initial,
                                   uint32_t flags, rill_conditional *id)
{
    rill_status status = sim_graph_check(graph);
    if (status) return status;
    if (flags & ~RILL_CONDITIONAL_ASSIGN)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                                 "flags is 0x%x; it may be 0 or RILL_CONDITIONAL_ASSIGN",
                                 (unsigned)flags);
    struct conditional_handle *handle = rl_alloc(sizeof *handle);
    if (!handle)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the handle");
    struct sim_graph *outermost = outermost_of(graph);
    *handle = (struct conditional_handle){
        .references = 1,
        .next = outermost->handles,
        .id = next_id(outermost->handles, context),
        .initial = initial,
        .flags = flags,
        .context = context,
    };
    outermost->handles = handle;
    *id = handle->id;
    return RILL_SUCCESS;
}

rill_status sim_conditional_find_number(struct sim_graph *graph, uint64_t context, uint32_t number,
                                        rill_conditional *id)
{
    rill_status status = sim_graph_check(graph);
    if (status) return status;
    const struct conditional_handle *handle = outermost_of(graph)->handles;
    while (handle &&
           (handle->context != context || sim_conditional_number(handle->id) != number))
        handle = handle->next;
    if (!handle)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "number",
                                 "neither this graph nor one around it has a handle %u for the "
                                 "context", (unsigned)number);
    *id = handle->id;
    return RILL_SUCCESS;
}

void sim_conditionals_free(struct sim_graph *graph)
{
    while (graph->handles) {
        struct conditional_handle *next = graph->handles->next;
        sim_conditional_release(graph->handles);
        graph->handles = next;
    }
}
