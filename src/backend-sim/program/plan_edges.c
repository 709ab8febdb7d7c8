/* SPDX-License-Identifier: Apache-2.0
 *
 * The edges of a plan's clusters.
 *
 * If most clusters of a level precede most of the next, a barrier cluster stands between the
 * two: an empty cluster, after all of the one and before all of the other, so that there is an
 * edge for each cluster and not for each pair.  Nothing waits for it for long, since all
 * threads come to the end of a level together; if a level has a long chain, only the chain's
 * successors wait for it.
 */
#include "backend-sim/program/plan_draft.h"

/* Two levels are dense if they have at least this fraction of the edges that there could be, or
 * so many edges for each cluster: to count all of these down takes a thread longer than to wait
 * for the others. */
#define DENSE 4 /* 1/4 */
#define MANY_EDGES 5

/* Lists the successors of a cluster, each once.  Returns how many of them are on the next
 * level. */
static uint32_t connect_cluster(struct plan_draft *draft, uint32_t cluster, uint32_t level)
{
    const struct program *program = draft->program;
    struct plan *plan = draft->plan;
    uint32_t next = 0;
    draft->seen[cluster] = cluster;
    for (uint32_t i = plan->clusters[cluster].begin; i < plan->clusters[cluster].end; i++) {
        uint32_t p = plan->order[i];
        for (uint32_t e = program->edge_starts[p]; e < program->edge_starts[p + 1]; e++) {
            uint32_t successor = draft->cluster_of[program->successors[e]];
            if (draft->seen[successor] == cluster) continue;
            draft->seen[successor] = cluster;
            plan->successors[draft->edges++] = successor;
            next += successor < draft->clusters[level + 2];
        }
    }
    return next;
}

/* Replaces all edges of a level's clusters by one each to a barrier: what is on a later level
 * comes after something of the next one, and so after the barrier as well.  Barriers are
 * numbered after all clusters. */
static void add_barrier(struct plan_draft *draft, uint32_t level)
{
    struct plan *plan = draft->plan;
    uint32_t barrier = plan->count + draft->barrier_count, end = draft->clusters[level + 1];
    uint32_t to = plan->edge_starts[draft->clusters[level]];
    for (uint32_t c = draft->clusters[level]; c < end; c++) {
        uint32_t from = plan->edge_starts[c];
        uint32_t next = c + 1 < end ? plan->edge_starts[c + 1] : draft->edges;
        plan->edge_starts[c] = to;
        if (from < next) plan->successors[to++] = barrier;
    }
    draft->edges = to;
    draft->barriers[draft->barrier_count++] = level;
}

/* Returns whether a barrier between two levels, which have `edges` of `all` possible edges, is
 * allowed and saves edges. */
static bool barrier_pays(const struct plan_draft *draft, uint32_t level, uint64_t edges,
                         uint64_t all)
{
    const uint32_t *clusters = draft->clusters + level;
    if (edges <= clusters[2] - clusters[0]) return false;
    bool dense = edges >= all / DENSE || edges >= MANY_EDGES * (clusters[1] - clusters[0]);
    return edges == all || (!draft->has_long[level] && dense);
}

/* Connects a level with the later ones.  A plan has no more clusters than the program has
 * nodes, barriers included. */
static void connect_level(struct plan_draft *draft, uint32_t level)
{
    const uint32_t *clusters = draft->clusters + level;
    uint64_t edges = 0, all = (uint64_t)(clusters[1] - clusters[0]) * (clusters[2] - clusters[1]);
    for (uint32_t c = clusters[0]; c < clusters[1]; c++) {
        draft->plan->edge_starts[c] = draft->edges;
        edges += connect_cluster(draft, c, level);
    }
    bool fits = draft->plan->count + draft->barrier_count < draft->program->count;
    if (fits && barrier_pays(draft, level, edges, all)) add_barrier(draft, level);
}

static void connect_barrier(struct plan_draft *draft, uint32_t level)
{
    struct plan *plan = draft->plan;
    uint32_t end = plan->clusters[plan->count - 1].end;
    plan->clusters[plan->count] = (struct cluster){ .begin = end, .end = end };
    plan->edge_starts[plan->count++] = draft->edges;
    for (uint32_t c = draft->clusters[level + 1]; c < draft->clusters[level + 2]; c++)
        plan->successors[draft->edges++] = c;
}

/* Returns whether the successors of a cluster become ready by it alone, and have numbers in a
 * row; then sorts them by number. */
static bool sort_successors_in_row(struct plan *plan, uint32_t cluster)
{
    uint32_t begin = plan->edge_starts[cluster], end = plan->edge_starts[cluster + 1];
    uint32_t least = NODE_NONE, most = 0;
    for (uint32_t i = begin; i < end; i++) {
        if (plan->clusters[plan->successors[i]].joins != 1) return false;
        if (plan->successors[i] < least) least = plan->successors[i];
        if (plan->successors[i] > most) most = plan->successors[i];
    }
    if (end - begin < 2 || most - least != end - begin - 1) return false;
    for (uint32_t i = begin; i < end; i++) plan->successors[i] = least + i - begin;
    return true;
}

/* Returns the barrier that is all that comes after a cluster, or NODE_NONE. */
static uint32_t only_barrier(const struct plan *plan, uint32_t cluster)
{
    const uint32_t begin = plan->edge_starts[cluster];
    if (plan->edge_starts[cluster + 1] != begin + 1) return NODE_NONE;
    const uint32_t after = plan->successors[begin];
    return plan->clusters[after].begin == plan->clusters[after].end ? after : NODE_NONE;
}

void sim_plan_connect(struct plan_draft *draft)
{
    struct plan *plan = draft->plan;
    plan->roots = draft->levels > 1 ? draft->clusters[1] : plan->count;
    draft->clusters[draft->levels] = draft->clusters[draft->levels + 1] = plan->count;
    for (uint32_t c = 0; c < plan->count; c++) draft->seen[c] = NODE_NONE;
    for (uint32_t level = 0; level < draft->levels; level++) connect_level(draft, level);
    for (uint32_t h = 0; h < draft->barrier_count; h++) connect_barrier(draft, draft->barriers[h]);
    plan->edge_starts[plan->count] = draft->edges;
    for (uint32_t i = 0; i < draft->edges; i++) plan->clusters[plan->successors[i]].joins++;
    for (uint32_t c = 0; c < plan->count; c++) {
        plan->clusters[c].opens = sort_successors_in_row(plan, c);
        plan->clusters[c].barrier = only_barrier(plan, c);
        plan->ends += plan->edge_starts[c] == plan->edge_starts[c + 1];
    }
    for (uint32_t level = 0; level < draft->levels; level++) {
        uint32_t width = draft->clusters[level + 1] - draft->clusters[level];
        if (width > plan->width) plan->width = width;
    }
}
