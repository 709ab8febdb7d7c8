/* SPDX-License-Identifier: Apache-2.0
 *
 * The ceiling for two threads: each runs a plain loop over half of the work, in no
 * order, and nothing is shared but the start and the end, for which both spin.  What
 * it does not reach the machine does not give.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bench.h"

struct half {
    struct call {
        void (*fn)(void *data);
        void *data;
    } *calls;
    uint32_t count;
    double ns; /* about what they take */
};

struct split {
    struct half halves[2];
};

/* Launches that began, and the split that they are of; launches that the helper ended. */
static struct {
    _Alignas(128) atomic_uint begun;
    const struct split *split; /* of the last that began */
    _Alignas(128) atomic_uint ended;
} shared;

static pthread_t helper;

static void run_half(const struct half *half)
{
    const struct call *end = half->calls + half->count;
    for (const struct call *call = half->calls; call < end; call++) call->fn(call->data);
}

static void relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static void *help(void *unused)
{
    (void)unused;
    for (unsigned launch = 1;; launch++) {
        while (atomic_load_explicit(&shared.begun, memory_order_acquire) != launch) relax();
        if (!shared.split) return NULL;
        run_half(&shared.split->halves[1]);
        atomic_store_explicit(&shared.ended, launch, memory_order_release);
    }
}

/* None is the end of the helper. */
static unsigned begin(const struct split *split)
{
    unsigned launch = atomic_load_explicit(&shared.begun, memory_order_relaxed) + 1;
    shared.split = split;
    atomic_store_explicit(&shared.begun, launch, memory_order_release);
    return launch;
}

static const char *open_split(int threads)
{
    if (threads != 2) return NULL;
    if (pthread_create(&helper, NULL, help, NULL)) give_up("the system has no room for a thread");
    return "split loop";
}

static void close_split(void)
{
    begin(NULL);
    pthread_join(helper, NULL);
}

/* Each call goes to the half that has less to do so far. */
static void *make(const struct dag *dag, void (*fn)(void *data), void **data)
{
    struct split *split = calloc(1, sizeof *split);
    if (!split) give_up("no memory for a loop");
    for (int i = 0; i < 2; i++) {
        split->halves[i].calls = calloc(dag->nodes, sizeof(struct call));
        if (!split->halves[i].calls) give_up("no memory for a loop");
    }
    for (uint32_t v = 0; v < dag->nodes; v++) {
        struct half *half = &split->halves[split->halves[1].ns < split->halves[0].ns];
        half->calls[half->count++] = (struct call){ fn, data[v] };
        half->ns += body_ns(fn, data[v]);
    }
    return split;
}

static void run(void *graph)
{
    const struct split *split = graph;
    unsigned launch = begin(split);
    run_half(&split->halves[0]);
    while (atomic_load_explicit(&shared.ended, memory_order_acquire) != launch) relax();
}

static void unmake(void *graph)
{
    struct split *split = graph;
    for (int i = 0; i < 2; i++) free(split->halves[i].calls);
    free(split);
}

const struct engine split_engine = {
    .open = open_split, .close = close_split, .make = make, .run = run, .unmake = unmake,
};
