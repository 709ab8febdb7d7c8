/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/plan_draft.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"

/* A cluster is worth so much of a thread's time. */
#define CLUSTER_MOST_NS 32000u
#define CLUSTER_LEAST_NS 500u

/* A chain that takes so long is handed over alone: in comparison that costs next to nothing,
 * and nothing waits for it that need not. */
#define LONG_NS 4000u

/* ---- Chains and levels ---------------------------------------------------------- */

static uint32_t out_degree(const struct program *program, uint32_t place)
{
    return program->edge_starts[place + 1] - program->edge_starts[place];
}

/* Finds chains and levels, in one pass, since places come after what they depend on. */
static void find_chains(struct plan_draft *draft)
{
    const struct program *program = draft->program;
    for (uint32_t p = 0; p < program->count; p++) draft->chain[p] = p;
    for (uint32_t p = 0; p < program->count; p++) {
        uint32_t chain = draft->chain[p];
        draft->cost[chain] += sim_node_cost(program, p);
        draft->next[p] = NODE_NONE;
        bool single = out_degree(program, p) == 1;
        for (uint32_t e = program->edge_starts[p]; e < program->edge_starts[p + 1]; e++) {
            uint32_t successor = program->successors[e];
            if (single && program->in_degrees[successor] == 1) {
                draft->chain[successor] = chain;
                draft->next[p] = successor;
            } else if (draft->level[successor] < draft->level[chain] + 1) {
                draft->level[successor] = draft->level[chain] + 1;
            }
        }
        if (draft->level[chain] >= draft->levels) draft->levels = draft->level[chain] + 1;
    }
}

static void sort_by_level(struct plan_draft *draft)
{
    const struct program *program = draft->program;
    uint32_t *starts = draft->starts;
    for (uint32_t p = 0; p < program->count; p++)
        if (draft->chain[p] == p) starts[draft->level[p] + 1]++;
    for (uint32_t l = 0; l < draft->levels; l++) starts[l + 1] += starts[l];
    for (uint32_t p = 0; p < program->count; p++)
        if (draft->chain[p] == p) draft->by_level[starts[draft->level[p]]++] = p;
    memmove(starts + 1, starts, draft->levels * sizeof *starts);
    starts[0] = 0;
}

/* ---- Clusters ---------------------------------------------------------------------- */

struct filling {
    uint32_t at; /* in the order */
};

static void close_cluster(struct plan_draft *draft, struct filling *filling)
{
    struct plan *plan = draft->plan;
    uint32_t begin = plan->count ? plan->clusters[plan->count - 1].end : 0;
    if (begin == filling->at) return;
    for (uint32_t i = begin; i < filling->at; i++)
        draft->cluster_of[plan->order[i]] = plan->count;
    plan->clusters[plan->count++] = (struct cluster){ .begin = begin, .end = filling->at };
}

static void add_chain(struct plan_draft *draft, struct filling *filling, uint32_t chain)
{
    for (uint32_t p = chain; p != NODE_NONE; p = draft->next[p])
        draft->plan->order[filling->at++] = p;
}

static bool is_long(const struct plan_draft *draft, uint32_t chain)
{
    return draft->cost[chain] >= LONG_NS;
}

/* Returns how much of what is left of a level a thread takes next: less and less, so that all
 * threads come to its end together, however late one of them is. */
static uint64_t next_share(const struct plan_draft *draft, uint64_t left)
{
    uint64_t share = left / (2 * (uint64_t)draft->threads);
    if (share > CLUSTER_MOST_NS) return CLUSTER_MOST_NS;
    return share < CLUSTER_LEAST_NS ? CLUSTER_LEAST_NS : share;
}

/* Makes each long chain of a level a cluster.  Returns what the other chains cost. */
static uint64_t fill_long(struct plan_draft *draft, struct filling *filling, uint32_t level)
{
    uint64_t others = 0;
    for (uint32_t i = draft->starts[level]; i < draft->starts[level + 1]; i++) {
        uint32_t chain = draft->by_level[i];
        if (is_long(draft, chain)) {
            draft->has_long[level] = 1;
            add_chain(draft, filling, chain);
            close_cluster(draft, filling);
        } else {
            others += draft->cost[chain];
        }
    }
    return others;
}

/* Returns how many clusters of a level get the same share: as many as there are threads, so that
 * each finds as much in its lane as the others (gang/tickets.h).  The first level is begun by one
 * thread after the other, as they come: there each gets less than the one before. */
static uint32_t clusters_of_a_round(const struct plan_draft *draft, uint32_t level)
{
    return level ? draft->threads : 1;
}

/* Cuts a level into clusters, long chains first, so that the short ones even out the end. */
static void fill_level(struct plan_draft *draft, struct filling *filling, uint32_t level)
{
    draft->clusters[level] = draft->plan->count;
    uint64_t left = fill_long(draft, filling, level), filled = 0, share = 0;
    uint32_t round = 0; /* clusters that are left of it */
    for (uint32_t i = draft->starts[level]; i < draft->starts[level + 1]; i++) {
        uint32_t chain = draft->by_level[i];
        if (is_long(draft, chain)) continue;
        if (!round) {
            round = clusters_of_a_round(draft, level);
            share = next_share(draft, left);
        }
        add_chain(draft, filling, chain);
        filled += draft->cost[chain];
        if (filled < share) continue;
        close_cluster(draft, filling);
        round--;
        left -= filled;
        filled = 0;
    }
    close_cluster(draft, filling);
}

/* ---- Making one ------------------------------------------------------------------------- */

static void *alloc_zeroes(uint64_t count, size_t size)
{
    return rl_zalloc((size_t)count * size);
}

/* There are two more starts of levels than places. */
#define BEYOND 2

static bool make_draft_room(struct plan_draft *draft)
{
    uint32_t **const parts[] = {
        &draft->chain, &draft->level, &draft->by_level, &draft->starts, &draft->next,
        &draft->cluster_of, &draft->clusters, &draft->has_long, &draft->seen, &draft->barriers,
    };
    const size_t count = sizeof parts / sizeof *parts;
    const uint64_t size = (uint64_t)draft->program->count + BEYOND;
    struct plan *plan = draft->plan;
    draft->words = alloc_zeroes(size * count, sizeof(uint32_t));
    draft->cost = alloc_zeroes(size, sizeof(uint64_t));
    plan->clusters = alloc_zeroes(size, sizeof(struct cluster));
    plan->order = alloc_zeroes(size, sizeof(uint32_t));
    plan->edge_starts = alloc_zeroes(size, sizeof(uint32_t));
    plan->successors = alloc_zeroes((uint64_t)draft->program->edge_count + 1, sizeof(uint32_t));
    for (size_t i = 0; draft->words && i < count; i++) *parts[i] = draft->words + i * size;
    return draft->words && draft->cost && plan->clusters && plan->order && plan->edge_starts &&
           plan->successors;
}

static void free_draft_room(struct plan_draft *draft)
{
    rl_free(draft->words);
    rl_free(draft->cost);
}

static uint64_t next_serial(void)
{
    static atomic_uint_least64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

struct plan *sim_plan_make(const struct program *program, uint32_t threads)
{
    struct plan_draft draft = { .program = program, .threads = threads };
    draft.plan = rl_zalloc(sizeof *draft.plan);
    if (!draft.plan) return NULL;
    draft.plan->serial = next_serial();
    bool fits = make_draft_room(&draft);
    if (fits) {
        struct filling filling = { 0 };
        find_chains(&draft);
        sort_by_level(&draft);
        for (uint32_t level = 0; level < draft.levels; level++)
            fill_level(&draft, &filling, level);
        sim_plan_connect(&draft);
        for (uint32_t p = 0; p < program->count; p++)
            draft.plan->total_ns += sim_node_cost(program, p);
    }
    free_draft_room(&draft);
    if (fits) return draft.plan;
    sim_plan_free(draft.plan);
    return NULL;
}
