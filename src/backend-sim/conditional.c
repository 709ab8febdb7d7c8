/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/conditional.h"
#include "backend-sim/kernel.h"

#include <rill/sim.h>

#include "base/alloc.h"

/* ---- Handles -------------------------------------------------------------------------- */

/* The graph that no graph is around. */
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

/* The next of that context. */
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

static rill_status create(struct sim_graph *graph, uint64_t context, uint32_t initial,
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

rill_status sim_conditional_create(rill_graph *handle, uint32_t initial, uint32_t flags,
                                   rill_conditional *id)
{
    struct sim_graph *graph = sim_graph_of(handle);
    return create(graph, sim_graph_home_id(graph), initial, flags, id);
}

static rill_status check_both(rill_graph *graph, rill_context *context, rill_conditional *handle)
{
    rill_status status = rill_backend_check(&rl_backend_sim, graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = sim_check_context(rill_object_of(graph)->platform, context);
    if (!status && !handle)
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "handle",
                                   "handle is NULL; pass the address of a rill_conditional");
    return status;
}

rill_status rill_sim_conditional_create(rill_graph *graph, rill_context *context, uint32_t initial,
                                        uint32_t flags, rill_conditional *handle)
{
    rill_status status = check_both(graph, context, handle);
    if (!status)
        status = create(sim_graph_of(graph), sim_context_of(context)->id, initial, flags, handle);
    return rill_backend_finish(__func__, graph, status);
}

static rill_status find_number(struct sim_graph *graph, uint64_t context, uint32_t number,
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

rill_status rill_sim_conditional_find(rill_graph *graph, rill_context *context, uint32_t number,
                                      rill_conditional *handle)
{
    rill_status status = check_both(graph, context, handle);
    if (!status)
        status = find_number(sim_graph_of(graph), sim_context_of(context)->id, number, handle);
    return rill_backend_finish(__func__, graph, status);
}

void sim_conditionals_free(struct sim_graph *graph)
{
    while (graph->handles) {
        struct conditional_handle *next = graph->handles->next;
        sim_conditional_release(graph->handles);
        graph->handles = next;
    }
}

/* ---- In a launch ---------------------------------------------------------------------------- */

void rill_sim_set_conditional(const rill_launch *launch, rill_conditional handle, uint32_t value)
{
    const struct kernel_fault *kernel = launch ? launch->device : NULL;
    if (!kernel || sim_kernel_set_conditional(kernel, handle, value)) return;
    rill_sim_fault(launch, RILL_ERROR_ILLEGAL_ADDRESS, SIM_WRONG_CONDITIONAL);
}
