/* SPDX-License-Identifier: Apache-2.0
 *
 * The edges of a plan's clusters.
 *
 * Where most clusters of a level come before most of the next, a hurdle stands between the
 * two: a cluster of nothing, behind all of the one and before all of the other, so that
 * there is an edge for each cluster and not for each pair.  Nothing waits for it for long,
 * since all threads come to the end of a level together; where a level has a long chain,
 * only what comes behind that waits for it.
 */
#include "backend-sim/program/plan_draft.h"

/* Between dense levels there is at least this part of the edges that there could be. */
#define DENSE 4

/* Puts the clusters behind one, each once.  Returns how many of them are on the next
 * level. */
static uint32_t connect_cluster(struct plan_draft *draft, uint32_t cluster, uint32_t level)
{
    const struct program *program = draft->program;
    struct plan *plan = draft->plan;
    uint32_t next = 0;
    draft->seen[cluster] = cluster;
    for (uint32_t i = plan->clusters[cluster].begin; i < plan->clusters[cluster].end; i++) {
        uint32_t p = plan->order[i];
        for (uint32_t e = program->behind_start[p]; e < program->behind_start[p + 1]; e++) {
            uint32_t behind = draft->cluster_of[program->behind[e]];
            if (draft->seen[behind] == cluster) continue;
            draft->seen[behind] = cluster;
            plan->behind[draft->edges++] = behind;
            next += behind < draft->clusters[level + 2];
        }
    }
    return next;
}

/* All edges of a cluster are replaced by one to the hurdle: what is on a later level comes
 * behind something of the next one, and so behind the hurdle as well.  Hurdles have numbers
 * behind those of all clusters. */
static void raise_hurdle(struct plan_draft *draft, uint32_t level)
{
    struct plan *plan = draft->plan;
    uint32_t hurdle = plan->count + draft->hurdle_count, end = draft->clusters[level + 1];
    uint32_t to = plan->behind_start[draft->clusters[level]];
    for (uint32_t c = draft->clusters[level]; c < end; c++) {
        uint32_t from = plan->behind_start[c];
        uint32_t next = c + 1 < end ? plan->behind_start[c + 1] : draft->edges;
        plan->behind_start[c] = to;
        if (from < next) plan->behind[to++] = hurdle;
    }
    draft->edges = to;
    draft->hurdles[draft->hurdle_count++] = level;
}

/* Whether a hurdle may stand between two levels with so many edges of all that there could
 * be, and is less than these. */
static bool is_worth(const struct plan_draft *draft, uint32_t level, uint64_t edges, uint64_t all)
{
    const uint32_t *clusters = draft->clusters + level;
    if (edges <= clusters[2] - clusters[0]) return false;
    return edges == all || (!draft->has_long[level] && edges >= all / DENSE);
}

/* A plan has no more clusters than the program has nodes, hurdles among them. */
static void connect_level(struct plan_draft *draft, uint32_t level)
{
    const uint32_t *clusters = draft->clusters + level;
    uint64_t edges = 0, all = (uint64_t)(clusters[1] - clusters[0]) * (clusters[2] - clusters[1]);
    for (uint32_t c = clusters[0]; c < clusters[1]; c++) {
        draft->plan->behind_start[c] = draft->edges;
        edges += connect_cluster(draft, c, level);
    }
    bool fits = draft->plan->count + draft->hurdle_count < draft->program->count;
    if (fits && is_worth(draft, level, edges, all)) raise_hurdle(draft, level);
}

static void connect_hurdle(struct plan_draft *draft, uint32_t level)
{
    struct plan *plan = draft->plan;
    uint32_t end = plan->clusters[plan->count - 1].end;
    plan->clusters[plan->count] = (struct cluster){ .begin = end, .end = end };
    plan->behind_start[plan->count++] = draft->edges;
    for (uint32_t c = draft->clusters[level + 1]; c < draft->clusters[level + 2]; c++)
        plan->behind[draft->edges++] = c;
}

/* Whether what is behind a cluster becomes ready by it alone, and all at once; then it is
 * put in the order of numbers, of which none may be left out. */
static bool opens(struct plan *plan, uint32_t cluster)
{
    uint32_t begin = plan->behind_start[cluster], end = plan->behind_start[cluster + 1];
    uint32_t least = NODE_NONE, most = 0;
    for (uint32_t i = begin; i < end; i++) {
        if (plan->clusters[plan->behind[i]].joins != 1) return false;
        if (plan->behind[i] < least) least = plan->behind[i];
        if (plan->behind[i] > most) most = plan->behind[i];
    }
    if (end - begin < 2 || most - least != end - begin - 1) return false;
    for (uint32_t i = begin; i < end; i++) plan->behind[i] = least + i - begin;
    return true;
}

void sim_plan_connect(struct plan_draft *draft)
{
    struct plan *plan = draft->plan;
    plan->roots = draft->levels > 1 ? draft->clusters[1] : plan->count;
    draft->clusters[draft->levels] = draft->clusters[draft->levels + 1] = plan->count;
    for (uint32_t c = 0; c < plan->count; c++) draft->seen[c] = NODE_NONE;
    for (uint32_t level = 0; level < draft->levels; level++) connect_level(draft, level);
    for (uint32_t h = 0; h < draft->hurdle_count; h++) connect_hurdle(draft, draft->hurdles[h]);
    plan->behind_start[plan->count] = draft->edges;
    for (uint32_t i = 0; i < draft->edges; i++) plan->clusters[plan->behind[i]].joins++;
    for (uint32_t c = 0; c < plan->count; c++) plan->clusters[c].opens = opens(plan, c);
}
