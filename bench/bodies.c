/* SPDX-License-Identifier: Apache-2.0
 *
 * What the nodes of measured graphs do.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "bench.h"

/* ---- Counting without sharing ----------------------------------------------------- */

/* A thread's own, on its own cache lines.  Several counters, since additions to one
 * would wait for each other and hide what stands around them. */
#define COUNTERS 8
#define THREADS_MOST 256

struct tally {
    _Alignas(128) _Atomic uint64_t ran[COUNTERS];
};

static struct tally tallies[THREADS_MOST];
static atomic_int tallies_used;
static _Thread_local struct tally *own;

static struct tally *new_tally(void)
{
    int at = atomic_fetch_add(&tallies_used, 1);
    if (at >= THREADS_MOST) give_up("more threads than the benchmark can count");
    return own = &tallies[at];
}

static inline void bump(void *data)
{
    struct tally *tally = own ? own : new_tally();
    _Atomic uint64_t *ran = &tally->ran[(uintptr_t)data % COUNTERS];
    atomic_store_explicit(ran, atomic_load_explicit(ran, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

void body_count(void *data)
{
    bump(data);
}

uint64_t bodies_run(void)
{
    uint64_t sum = 0;
    int used = atomic_load(&tallies_used);
    for (int i = 0; i < used && i < THREADS_MOST; i++)
        for (int k = 0; k < COUNTERS; k++) sum += atomic_load(&tallies[i].ran[k]);
    return sum;
}

/* ---- Work ------------------------------------------------------------------------------ */

static long steps_of_1us = 250;

/* Steps that wait for each other, so that time is proportional to their number. */
static __attribute__((noinline)) void labour(long steps)
{
    uint64_t value = (uint64_t)steps;
    while (steps-- > 0) {
        value = value * 0x5851f42d4c957f2du + 1;
        __asm__ volatile("" : "+r"(value));
    }
}

void body_1us(void *data)
{
    labour(steps_of_1us);
    bump(data);
}

void body_1ms(void *data)
{
    labour(1000 * steps_of_1us);
    bump(data);
}

/* Every tenth, but not at the same place of each layer. */
static bool is_tenth(void *data)
{
    uint32_t mixed = (uint32_t)(uintptr_t)data * 2654435761u;
    return (mixed >> 16) % 10 == 0;
}

void body_skewed(void *data)
{
    if (is_tenth(data)) labour(8 * steps_of_1us);
    bump(data);
}

double body_ns(void (*body)(void *data), void *data)
{
    if (body == body_1us) return 1e3;
    if (body == body_1ms) return 1e6;
    return body == body_skewed && is_tenth(data) ? 8e3 : 2;
}

void calibrate_bodies(void)
{
    const long steps = 100000;
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 50; i++) {
        uint64_t start = now_ns();
        labour(steps);
        uint64_t took = now_ns() - start;
        if (took < best) best = took;
    }
    steps_of_1us = (long)((double)steps * 1000 / (double)best + 0.5);
}

/* ---- Trials ------------------------------------------------------------------------------ */

struct trial {
    const struct dag *dag;
    void (*body)(void *data); /* what the nodes do when they are timed */
    void **data;
    _Atomic uint32_t *ran_in; /* for each node: the launch it last ran in */
    uint32_t launch;
    _Atomic uint32_t early, twice;
};

/* Nodes are handed their number; there is one trial at a time. */
static struct trial *current;

struct trial *begin_trial(const struct dag *dag, void (*body)(void *data))
{
    struct trial *trial = calloc(1, sizeof *trial);
    if (!trial) give_up("no memory for a trial");
    trial->dag = dag;
    trial->body = body;
    trial->data = calloc(dag->nodes, sizeof *trial->data);
    trial->ran_in = calloc(dag->nodes, sizeof *trial->ran_in);
    if (!trial->data || !trial->ran_in) give_up("no memory for a trial");
    for (uintptr_t v = 0; v < dag->nodes; v++) trial->data[v] = (void *)v;
    return current = trial;
}

void **trial_data(struct trial *trial)
{
    return trial->data;
}

/* Relaxed throughout: the order is the engine's to make, not the check's. */
void trial_body(void *data)
{
    struct trial *trial = current;
    const struct dag *dag = trial->dag;
    uint32_t node = (uint32_t)(uintptr_t)data;
    for (uint32_t i = dag->first_before[node]; i < dag->first_before[node + 1]; i++)
        if (atomic_load_explicit(&trial->ran_in[dag->before[i]], memory_order_relaxed) !=
            trial->launch)
            atomic_fetch_add_explicit(&trial->early, 1, memory_order_relaxed);
    trial->body(data);
    if (atomic_exchange_explicit(&trial->ran_in[node], trial->launch, memory_order_relaxed) !=
        trial->launch - 1)
        atomic_fetch_add_explicit(&trial->twice, 1, memory_order_relaxed);
}

void trial_launch(struct trial *trial)
{
    trial->launch++;
}

void trial_check(struct trial *trial, const char *who)
{
    uint32_t missing = 0;
    for (uint32_t v = 0; v < trial->dag->nodes; v++) missing += trial->ran_in[v] != trial->launch;
    if (missing || trial->early || trial->twice)
        give_up("%s: in launch %u %u nodes did not run, %u edges were not kept, %u nodes ran twice",
                who, trial->launch, missing, trial->early, trial->twice);
}

void end_trial(struct trial *trial)
{
    free((void *)trial->ran_in);
    free(trial->data);
    free(trial);
    current = NULL;
}
