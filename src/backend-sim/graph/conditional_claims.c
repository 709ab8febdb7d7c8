/* SPDX-License-Identifier: Apache-2.0
 *
 * The conditionals of a graph belong to one exec at a time, as measured, wherever their graph
 * moves: an exec claims the handles and keeps them alive until it gives them back.
 */
#include "backend-sim/graph/conditional.h"
#include "base/alloc.h"

struct conditional_claims {
    size_t count;
    struct conditional_handle *items[]; /* each retained */
};

void sim_conditional_release(struct conditional_handle *handle)
{
    if (atomic_fetch_sub_explicit(&handle->references, 1, memory_order_acq_rel) == 1)
        rl_free(handle);
}

static bool claim_handle(struct conditional_claims *claims, struct conditional_handle *handle)
{
    if (atomic_exchange_explicit(&handle->claimed, true, memory_order_acq_rel)) return false;
    atomic_fetch_add_explicit(&handle->references, 1, memory_order_relaxed);
    claims->items[claims->count++] = handle;
    return true;
}

static size_t count_handles(const struct sim_graph *graph)
{
    size_t count = 0;
    for (const struct conditional_handle *handle = graph->handles; handle; handle = handle->next)
        count++;
    return count;
}

rill_status sim_conditionals_take(const struct sim_graph *graph, struct conditional_claims **out)
{
    size_t count = count_handles(graph);
    *out = NULL;
    if (!count) return RILL_SUCCESS;
    struct conditional_claims *claims = rl_zalloc(sizeof *claims + count * sizeof *claims->items);
    if (!claims) return RILL_ERROR_OUT_OF_MEMORY;
    for (struct conditional_handle *handle = graph->handles; handle; handle = handle->next) {
        if (claim_handle(claims, handle)) continue;
        sim_conditionals_give_back(claims);
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                                 "a graph with conditional nodes has one exec at a time; destroy "
                                 "the other one first");
    }
    *out = claims;
    return RILL_SUCCESS;
}

void sim_conditionals_give_back(struct conditional_claims *claims)
{
    for (size_t i = 0; claims && i < claims->count; i++) {
        atomic_store_explicit(&claims->items[i]->claimed, false, memory_order_release);
        sim_conditional_release(claims->items[i]);
    }
    rl_free(claims);
}
