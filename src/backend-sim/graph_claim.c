/* SPDX-License-Identifier: Apache-2.0
 *
 * A graph with memory nodes belongs to one exec at a time, as on hardware: to that which
 * was made of it first, until that is destroyed.  For the driver it is enough that a
 * memory node was tried.  A graph with conditional handles is taken by any exec that was
 * made of it, even before it had them.
 */
#include <stdatomic.h>

#include "backend-sim/exec.h"
#include "backend-sim/memory_nodes.h"
#include "base/alloc.h"

struct graph_claim {
    atomic_uint references;           /* the graph's, and one of each exec */
    atomic_uint execs;                /* whose handles are there           */
    _Atomic(struct sim_exec *) owner; /* whose the memory nodes are        */
};

static rill_status refuse(const char *what)
{
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                             "a graph %s has one exec at a time; destroy the other one first",
                             what);
}

static bool has_memory(const struct sim_graph *graph)
{
    return graph->memory_nodes || graph->tried_memory;
}

static rill_status check(const struct sim_graph *graph, const struct sim_exec *exec)
{
    struct graph_claim *claim = graph->claim;
    const struct sim_exec *owner = claim ? atomic_load(&claim->owner) : NULL;
    if (owner && owner != exec && has_memory(graph))
        return refuse("that allocates or frees memory");
    return RILL_SUCCESS;
}

rill_status sim_claim_take(struct sim_graph *graph, struct sim_exec *exec)
{
    rill_status status = check(graph, exec);
    if (status) return status;
    if (!graph->claim) {
        graph->claim = rl_zalloc(sizeof *graph->claim);
        if (!graph->claim) return RILL_ERROR_OUT_OF_MEMORY;
        atomic_init(&graph->claim->references, 1);
    }
    exec->claim = graph->claim;
    atomic_fetch_add(&exec->claim->references, 1);
    atomic_fetch_add(&exec->claim->execs, 1);
    if (has_memory(graph)) atomic_store(&exec->claim->owner, exec);
    return RILL_SUCCESS;
}

rill_status sim_claim_is_free(const struct sim_graph *graph)
{
    if (!graph->handles || !graph->claim || !atomic_load(&graph->claim->execs))
        return RILL_SUCCESS;
    return refuse("with conditional nodes");
}

rill_status sim_claim_permits(const struct sim_graph *graph, const struct sim_exec *exec)
{
    return check(graph, exec);
}

void sim_claim_end(struct sim_exec *exec)
{
    struct sim_exec *owner = exec;
    if (!exec->claim) return;
    atomic_compare_exchange_strong(&exec->claim->owner, &owner, NULL);
    atomic_fetch_sub(&exec->claim->execs, 1);
    sim_claim_release(exec->claim);
}

void sim_claim_release(struct graph_claim *claim)
{
    if (claim && atomic_fetch_sub(&claim->references, 1) == 1) rl_free(claim);
}
