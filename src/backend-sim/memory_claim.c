/* SPDX-License-Identifier: Apache-2.0
 *
 * A graph with memory nodes belongs to one exec at a time, as on hardware: to that which
 * was made of it first, until that is destroyed.  For the driver it is enough that a
 * memory node was tried.
 */
#include <stdatomic.h>

#include "backend-sim/memory_nodes.h"
#include "base/alloc.h"

struct memory_claim {
    atomic_uint references; /* the graph's, and that of the exec */
    atomic_bool held;       /* the exec's handle is there        */
};

static rill_status refuse(void)
{
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                             "a graph that allocates or frees memory has one exec at a time; "
                             "destroy the other one first");
}

rill_status sim_memory_claim(struct sim_graph *graph, struct memory_claim **out)
{
    struct memory_claim *claim = graph->claim;
    if (!graph->memory_nodes && !graph->tried_memory) return RILL_SUCCESS;
    if (claim && atomic_load(&claim->held)) return refuse();
    struct memory_claim *fresh = rl_zalloc(sizeof *fresh);
    if (!fresh) return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for an exec");
    sim_memory_claim_release(claim);
    atomic_init(&fresh->references, 2);
    atomic_init(&fresh->held, true);
    *out = graph->claim = fresh;
    return RILL_SUCCESS;
}

rill_status sim_memory_claim_permits(const struct sim_graph *graph,
                                     const struct memory_claim *claim)
{
    const struct memory_claim *others = graph->claim == claim ? NULL : graph->claim;
    return others && atomic_load(&others->held) ? refuse() : RILL_SUCCESS;
}

void sim_memory_claim_end(struct memory_claim *claim)
{
    if (claim) atomic_store(&claim->held, false);
    sim_memory_claim_release(claim);
}

void sim_memory_claim_release(struct memory_claim *claim)
{
    if (claim && atomic_fetch_sub(&claim->references, 1) == 1) rl_free(claim);
}
