/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/graph/claim.h"

#include <stdatomic.h>

#include "base/alloc.h"

/* All fields are atomic, since execs and graphs may end in any thread at any time. */
struct graph_claim {
    atomic_uint references;           /* the graph's, and one for each copy */
    atomic_uint copies;               /* execs with a handle, and graphs    */
    _Atomic(struct claimant *) owner; /* of the memory nodes                */
};

/* A claim of an exec, until the exec's handle is destroyed. */
struct held_claim {
    struct held_claim *next;
    struct graph_claim *claim;
    bool claimed; /* sim_claim_take() followed sim_claim_prepare() */
};

rill_status sim_claim_memory_permits(const struct sim_graph *graph, const struct claimant *exec)
{
    const struct claimant *owner = graph->claim ? atomic_load(&graph->claim->owner) : NULL;
    if (!owner || owner == exec || !sim_graph_has_memory(graph)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                             "a graph that allocates or frees memory has one exec at a time; "
                             "destroy the other one first");
}

rill_status sim_claim_conditionals_permit(const struct sim_graph *graph)
{
    if (!graph->handles || !graph->claim || !atomic_load(&graph->claim->copies))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                             "a graph with conditional nodes has one exec at a time, and none "
                             "while there is a copy of it; destroy the other exec, clone or "
                             "child graph node first");
}

static struct held_claim *find_held_claim(const struct claimant *exec,
                                          const struct graph_claim *claim)
{
    struct held_claim *held = exec->held;
    while (held && held->claim != claim) held = held->next;
    return held;
}

/* Returns the claim of the graph, and makes it if there is none yet.  Returns NULL if memory is
 * short.  Threads may copy one graph at the same time. */
static struct graph_claim *ensure_claim(struct sim_graph *graph)
{
    struct graph_claim *known = atomic_load(&graph->claim);
    if (known) return known;
    struct graph_claim *claim = rl_zalloc(sizeof *claim);
    if (!claim) return NULL;
    atomic_init(&claim->references, 1);
    if (atomic_compare_exchange_strong(&graph->claim, &known, claim)) return claim;
    rl_free(claim);
    return known;
}

rill_status sim_claim_prepare(struct sim_graph *graph, struct claimant *exec)
{
    struct graph_claim *claim = graph->claim;
    if (claim && find_held_claim(exec, claim)) return RILL_SUCCESS;
    struct held_claim *held = rl_alloc(sizeof *held);
    claim = held ? ensure_claim(graph) : NULL;
    if (!claim) {
        rl_free(held);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    *held = (struct held_claim){ exec->held, claim, false };
    exec->held = held;
    atomic_fetch_add(&claim->references, 1);
    return RILL_SUCCESS;
}

void sim_claim_take(struct sim_graph *graph, struct claimant *exec)
{
    struct held_claim *held = find_held_claim(exec, graph->claim);
    if (!held->claimed) atomic_fetch_add(&graph->claim->copies, 1);
    held->claimed = true;
    if (sim_graph_has_memory(graph)) atomic_store(&graph->claim->owner, exec);
}

void sim_claims_end(struct claimant *exec)
{
    while (exec->held) {
        struct held_claim *held = exec->held;
        struct claimant *owner = exec;
        exec->held = held->next;
        atomic_compare_exchange_strong(&held->claim->owner, &owner, NULL);
        if (held->claimed) atomic_fetch_sub(&held->claim->copies, 1);
        sim_claim_release(held->claim);
        rl_free(held);
    }
}

bool sim_claim_copy(struct sim_graph *copy, struct sim_graph *graph)
{
    struct graph_claim *claim = ensure_claim(graph);
    if (!claim) return false;
    atomic_fetch_add(&claim->references, 1);
    atomic_fetch_add(&claim->copies, 1);
    copy->copy_of = claim;
    return true;
}

void sim_claim_copy_ends(struct sim_graph *copy)
{
    if (!copy->copy_of) return;
    atomic_fetch_sub(&copy->copy_of->copies, 1);
    sim_claim_release(copy->copy_of);
    copy->copy_of = NULL;
}

void sim_claim_release(struct graph_claim *claim)
{
    if (claim && atomic_fetch_sub(&claim->references, 1) == 1) rl_free(claim);
}
