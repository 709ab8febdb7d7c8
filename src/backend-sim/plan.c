/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/plan.h"

#include <stdlib.h>
#include <string.h>

#include "backend-sim/gang.h"
#include "base/alloc.h"
#include "base/thread.h"

/* A program that takes less is done before a second thread has come. */
#define WORTH_SHARING_NS 25000u

/* A cluster is worth so much of a thread's time. */
#define CLUSTER_MOST_NS 32000u
#define CLUSTER_LEAST_NS 500u

/* A chain that takes so long is handed over for itself: that costs next to nothing
 * beside it, and nothing waits for it that need not. */
#define LONG_NS 4000u

/* ---- Chains and levels ---------------------------------------------------------- */

/* While a plan is made. */
struct draft {
    const struct program *program;
    struct plan *plan;
    uint32_t threads;
    uint32_t *chain;      /* by place: the first place of its chain           */
    uint32_t *level;      /* by first place: how many chains must come before */
    uint64_t *cost;       /* by first place: of the whole chain               */
    uint32_t levels;
    uint32_t *by_level;   /* first places, level by level                     */
    uint32_t *starts;     /* levels + 1: where each begins there              */
    uint32_t *next;       /* by place: the next one of its chain; NODE_NONE   */
    uint32_t *cluster_of; /* by place */
};

static uint32_t out_degree(const struct program *program, uint32_t place)
{
    return program->behind_start[place + 1] - program->behind_start[place];
}

/* Without what looking at the clock adds to it, and half as much again. */
static uint32_t node_cost(const struct program *program, uint32_t place)
{
    uint32_t cost = program->costs[place], clock = (uint32_t)rl_monotonic_cost_ns() * 3 / 2;
    return cost > clock + 2 ? cost - clock : 2;
}

/* Places come after what they depend on, so one pass finds chains and levels. */
static void find_chains(struct draft *draft)
{
    const struct program *program = draft->program;
    for (uint32_t p = 0; p < program->count; p++) draft->chain[p] = p;
    for (uint32_t p = 0; p < program->count; p++) {
        uint32_t chain = draft->chain[p];
        draft->cost[chain] += node_cost(program, p);
        draft->next[p] = NODE_NONE;
        bool single = out_degree(program, p) == 1;
        for (uint32_t e = program->behind_start[p]; e < program->behind_start[p + 1]; e++) {
            uint32_t behind = program->behind[e];
            if (single && program->before[behind] == 1) {
                draft->chain[behind] = chain;
                draft->next[p] = behind;
            } else if (draft->level[behind] < draft->level[chain] + 1) {
                draft->level[behind] = draft->level[chain] + 1;
            }
        }
        if (draft->level[chain] >= draft->levels) draft->levels = draft->level[chain] + 1;
    }
}

static void sort_by_level(struct draft *draft)
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

static void close_cluster(struct draft *draft, struct filling *filling)
{
    struct plan *plan = draft->plan;
    uint32_t begin = plan->count ? plan->clusters[plan->count - 1].end : 0;
    if (begin == filling->at) return;
    for (uint32_t i = begin; i < filling->at; i++)
        draft->cluster_of[plan->order[i]] = plan->count;
    plan->clusters[plan->count++] = (struct cluster){ .begin = begin, .end = filling->at };
}

static void add_chain(struct draft *draft, struct filling *filling, uint32_t chain)
{
    for (uint32_t p = chain; p != NODE_NONE; p = draft->next[p])
        draft->plan->order[filling->at++] = p;
}

/* A level of the program, and what it is divided into. */
struct slice {
    uint32_t begin, end; /* of the chains                                   */
    uint64_t rest;       /* what those cost that are not long               */
    uint64_t parts;      /* clusters that they make                         */
};

static bool is_long(const struct draft *draft, uint32_t chain)
{
    return draft->cost[chain] >= LONG_NS;
}

/* Each thread gets two clusters, so that one that is late can leave one to another.
 * With more of them a level has edges to each of the next, and these cost more than
 * they even out. */
static struct slice slice_of(const struct draft *draft, uint32_t level)
{
    struct slice slice = { .begin = draft->starts[level], .end = draft->starts[level + 1] };
    for (uint32_t i = slice.begin; i < slice.end; i++)
        if (!is_long(draft, draft->by_level[i])) slice.rest += draft->cost[draft->by_level[i]];
    uint64_t share = slice.rest / (2 * (uint64_t)draft->threads);
    if (share > CLUSTER_MOST_NS) share = CLUSTER_MOST_NS;
    if (share < CLUSTER_LEAST_NS) share = CLUSTER_LEAST_NS;
    slice.parts = (slice.rest + share / 2) / share;
    if (!slice.parts) slice.parts = 1;
    return slice;
}

/* Long chains first, each for itself: the short ones even out the end. */
static void fill_level(struct draft *draft, struct filling *filling, uint32_t level)
{
    struct slice slice = slice_of(draft, level);
    for (uint32_t i = slice.begin; i < slice.end; i++) {
        if (!is_long(draft, draft->by_level[i])) continue;
        add_chain(draft, filling, draft->by_level[i]);
        close_cluster(draft, filling);
    }
    uint64_t filled = 0, part = 1;
    for (uint32_t i = slice.begin; i < slice.end; i++) {
        if (is_long(draft, draft->by_level[i])) continue;
        add_chain(draft, filling, draft->by_level[i]);
        filled += draft->cost[draft->by_level[i]];
        if (filled < slice.rest * part / slice.parts) continue;
        close_cluster(draft, filling);
        while (part < slice.parts && filled >= slice.rest * part / slice.parts) part++;
    }
    close_cluster(draft, filling);
}

/* ---- Edges of clusters ----------------------------------------------------------------- */

/* Each pair once: `seen` says for which cluster one was last put behind. */
static void connect(struct draft *draft, uint32_t *seen)
{
    const struct program *program = draft->program;
    struct plan *plan = draft->plan;
    uint32_t at = 0;
    for (uint32_t c = 0; c < plan->count; c++) seen[c] = NODE_NONE;
    for (uint32_t c = 0; c < plan->count; c++) {
        plan->behind_start[c] = at;
        seen[c] = c;
        for (uint32_t i = plan->clusters[c].begin; i < plan->clusters[c].end; i++) {
            uint32_t p = plan->order[i];
            for (uint32_t e = program->behind_start[p]; e < program->behind_start[p + 1]; e++) {
                uint32_t behind = draft->cluster_of[program->behind[e]];
                if (seen[behind] == c) continue;
                seen[behind] = c;
                plan->behind[at++] = behind;
                plan->clusters[behind].joins++;
            }
        }
    }
    plan->behind_start[plan->count] = at;
}

/* ---- Making one ------------------------------------------------------------------------- */

static void *room(uint64_t count, size_t size)
{
    return rl_zalloc((size_t)(count + 1) * size);
}

static bool make_room(struct draft *draft)
{
    uint64_t count = draft->program->count;
    struct plan *plan = draft->plan;
    draft->chain = room(count, sizeof(uint32_t));
    draft->level = room(count, sizeof(uint32_t));
    draft->cost = room(count, sizeof(uint64_t));
    draft->next = room(count, sizeof(uint32_t));
    draft->by_level = room(count, sizeof(uint32_t));
    draft->starts = room(count, sizeof(uint32_t));
    draft->cluster_of = room(count, sizeof(uint32_t));
    plan->clusters = room(count, sizeof(struct cluster));
    plan->order = room(count, sizeof(uint32_t));
    plan->behind_start = room(count, sizeof(uint32_t));
    plan->behind = room(draft->program->edge_count, sizeof(uint32_t));
    return draft->chain && draft->level && draft->cost && draft->next && draft->by_level &&
           draft->starts && draft->cluster_of && plan->clusters && plan->order &&
           plan->behind_start && plan->behind;
}

static void give_back(struct draft *draft)
{
    rl_free(draft->chain);
    rl_free(draft->level);
    rl_free(draft->cost);
    rl_free(draft->next);
    rl_free(draft->by_level);
    rl_free(draft->starts);
    rl_free(draft->cluster_of);
}

void sim_plan_free(struct plan *plan)
{
    if (!plan) return;
    rl_free(plan->clusters);
    rl_free(plan->order);
    rl_free(plan->behind_start);
    rl_free(plan->behind);
    rl_free(plan);
}

static struct plan *make(const struct program *program, uint32_t threads)
{
    struct draft draft = { .program = program, .threads = threads };
    draft.plan = rl_zalloc(sizeof *draft.plan);
    if (!draft.plan) return NULL;
    bool fits = make_room(&draft);
    if (fits) {
        struct filling filling = { 0 };
        find_chains(&draft);
        sort_by_level(&draft);
        for (uint32_t level = 0; level < draft.levels; level++)
            fill_level(&draft, &filling, level);
        connect(&draft, draft.starts);
        for (uint32_t p = 0; p < program->count; p++)
            draft.plan->total_ns += node_cost(program, p);
    }
    give_back(&draft);
    if (fits) return draft.plan;
    sim_plan_free(draft.plan);
    return NULL;
}

/* ---- Learning ------------------------------------------------------------------------------ */

/* Of so many runs of a narrow program one is measured anew. */
#define NARROW_RUNS 256u

void sim_plan_measure(struct program *program)
{
    program->pace = PACE_HEAVY;
    program->measured = 0;
}

bool sim_plan_wants_gang(struct program *program, const struct engine *engine)
{
    if (program->waits || atomic_load(&engine->attention) & ATTEND_OBSERVER) return true;
    if (engine->workers_max < 2 || program->pace == PACE_LIGHT) return false;
    if (program->pace != PACE_NARROW) return true;
    if (++program->surprises < NARROW_RUNS) return false;
    program->surprises = 0;
    sim_plan_measure(program);
    return true;
}

/* The longest way through, in nanoseconds; 0 when memory is short. */
static uint64_t longest_way(const struct program *program, uint64_t *total)
{
    uint64_t *ends = rl_zalloc((program->count + (size_t)1) * sizeof *ends), longest = 0;
    *total = 0;
    for (uint32_t p = 0; ends && p < program->count; p++) {
        uint32_t cost = node_cost(program, p);
        ends[p] += cost;
        *total += cost;
        if (ends[p] > longest) longest = ends[p];
        for (uint32_t e = program->behind_start[p]; e < program->behind_start[p + 1]; e++)
            if (ends[program->behind[e]] < ends[p]) ends[program->behind[e]] = ends[p];
    }
    rl_free(ends);
    return longest;
}

/* Launches that are measured before one is planned: somebody may have been in the
 * way of one. */
#define MEASURED 2u

static void judge(struct program *program, uint32_t threads)
{
    uint64_t total, longest = longest_way(program, &total);
    program->measured++;
    program->pace = PACE_LIGHT;
    program->surprises = 0;
    if (!longest || total < WORTH_SHARING_NS) return;
    /* Hardly anything could run beside anything. */
    program->pace = PACE_NARROW;
    if (total - longest < total / 16) return;
    program->pace = PACE_HEAVY;
    if (program->measured < MEASURED) return;
    program->pace = PACE_NARROW;
    sim_plan_free(program->plan);
    program->plan = make(program, threads);
    if (program->plan) program->pace = PACE_KNOWN;
}

/* What was measured is not true any more. */
static void check(struct program *program)
{
    uint64_t took = rl_monotonic_ns() - program->began_ns;
    uint64_t known = program->plan->total_ns;
    if (took < 3 * known && took > known / 512) program->surprises = 0;
    else if (++program->surprises > 4) sim_plan_measure(program);
}

void sim_plan_learn(struct program *program, uint32_t threads)
{
    if (program->waits) return;
    if (program->gang->timed) judge(program, threads);
    else if (program->gang->plan) check(program);
}
