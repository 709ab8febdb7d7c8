/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs that have one exec at a time, as on hardware.  One with memory nodes belongs to
 * that which was made of it or updated from it first; for the driver it is enough that a
 * memory node was tried.  One with conditional handles makes no exec while there is any
 * that was made of it, even before it had them.
 */
#include <stdatomic.h>

#include "backend-sim/exec.h"
#include "backend-sim/memory_nodes.h"
#include "base/alloc.h"

/* Execs end in any thread, whatever is done with the graph; so all of it is atomic. */
struct graph_claim {
    atomic_uint references;           /* the graph's, and one of each exec */
    atomic_uint execs;                /* whose handles are there           */
    _Atomic(struct sim_exec *) owner; /* whose the memory nodes are        */
};

/* What an exec has to do with, until its handle goes. */
struct held_claim {
    struct held_claim *next;
    struct graph_claim *claim;
};

static rill_status refuse(const char *what)
{
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                             "a graph %s has one exec at a time; destroy the other one first",
                             what);
}

rill_status sim_claim_memory_permits(const struct sim_graph *graph, const struct sim_exec *exec)
{
    const struct sim_exec *owner = graph->claim ? atomic_load(&graph->claim->owner) : NULL;
    if (!owner || owner == exec || !sim_graph_has_memory(graph)) return RILL_SUCCESS;
    return refuse("that allocates or frees memory");
}

rill_status sim_claim_conditionals_permit(const struct sim_graph *graph)
{
    if (!graph->handles || !graph->claim || !atomic_load(&graph->claim->execs))
        return RILL_SUCCESS;
    return refuse("with conditional nodes");
}

static bool holds(const struct sim_exec *exec, const struct graph_claim *claim)
{
    const struct held_claim *held = exec->held;
    while (held && held->claim != claim) held = held->next;
    return held;
}

static rill_status hold(struct sim_graph *graph, struct sim_exec *exec)
{
    struct graph_claim *claim = graph->claim;
    if (claim && holds(exec, claim)) return RILL_SUCCESS;
    struct held_claim *held = rl_alloc(sizeof *held);
    if (held && !claim && (claim = rl_zalloc(sizeof *claim)))
        atomic_init(&claim->references, 1); /* the graph's */
    if (!held || !claim) {
        rl_free(held);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    graph->claim = claim;
    *held = (struct held_claim){ exec->held, claim };
    exec->held = held;
    atomic_fetch_add(&claim->references, 1);
    atomic_fetch_add(&claim->execs, 1);
    return RILL_SUCCESS;
}

rill_status sim_claim_take(struct sim_graph *graph, struct sim_exec *exec)
{
    rill_status status = sim_claim_memory_permits(graph, exec);
    if (!status) status = hold(graph, exec);
    if (!status && sim_graph_has_memory(graph)) atomic_store(&graph->claim->owner, exec);
    return status;
}

rill_status sim_claim_update(struct sim_graph *graph, struct sim_exec *exec)
{
    return sim_graph_has_memory(graph) ? sim_claim_take(graph, exec) : RILL_SUCCESS;
}

void sim_claims_end(struct sim_exec *exec)
{
    while (exec->held) {
        struct held_claim *held = exec->held;
        struct sim_exec *owner = exec;
        exec->held = held->next;
        atomic_compare_exchange_strong(&held->claim->owner, &owner, NULL);
        atomic_fetch_sub(&held->claim->execs, 1);
        sim_claim_release(held->claim);
        rl_free(held);
    }
}

void sim_claim_release(struct graph_claim *claim)
{
    if (claim && atomic_fetch_sub(&claim->references, 1) == 1) rl_free(claim);
}
