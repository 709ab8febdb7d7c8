/* SPDX-License-Identifier: Apache-2.0
 *
 * The ceiling for several threads: each runs a plain loop over its part of the work, in no
 * order, and nothing is shared but the start and the end, for which all spin.  What
 * it does not reach the machine does not give.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bench.h"

#define THREADS_MOST 32

struct part {
    struct call {
        void (*fn)(void *data);
        void *data;
    } *calls;
    uint32_t count;
    double ns; /* about what they take */
};

struct split {
    struct part parts[THREADS_MOST];
};

/* Launches that began, and the split that they are of. */
static struct {
    _Alignas(128) atomic_uint begun;
    const struct split *split; /* of the last that began */
} shared;

/* Launches that a helper ended, on its own cache lines. */
static struct {
    _Alignas(128) atomic_uint count;
} ended[THREADS_MOST];

/* Helpers have the parts from the second on. */
static pthread_t helpers[THREADS_MOST];
static int threads_used;

static void run_part(const struct part *part)
{
    const struct call *end = part->calls + part->count;
    for (const struct call *call = part->calls; call < end; call++) call->fn(call->data);
}

static void relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static void *help(void *place)
{
    int which = (int)(intptr_t)place;
    for (unsigned launch = 1;; launch++) {
        while (atomic_load_explicit(&shared.begun, memory_order_acquire) != launch) relax();
        if (!shared.split) return NULL;
        run_part(&shared.split->parts[which]);
        atomic_store_explicit(&ended[which].count, launch, memory_order_release);
    }
}

/* None is the end of the helpers. */
static unsigned begin(const struct split *split)
{
    unsigned launch = atomic_load_explicit(&shared.begun, memory_order_relaxed) + 1;
    shared.split = split;
    atomic_store_explicit(&shared.begun, launch, memory_order_release);
    return launch;
}

static const char *open_split(int threads)
{
    if (threads < 2 || threads > THREADS_MOST) return NULL;
    threads_used = threads;
    for (int i = 1; i < threads; i++)
        if (pthread_create(&helpers[i], NULL, help, (void *)(intptr_t)i))
            give_up("the system has no room for a thread");
    return "split loop";
}

static void close_split(void)
{
    begin(NULL);
    for (int i = 1; i < threads_used; i++) pthread_join(helpers[i], NULL);
}

/* Returns the part that has least to do so far. */
static struct part *least_of(struct split *split)
{
    struct part *least = &split->parts[0];
    for (int i = 1; i < threads_used; i++)
        if (split->parts[i].ns < least->ns) least = &split->parts[i];
    return least;
}

static void *make(const struct dag *dag, void (*fn)(void *data), void **data)
{
    struct split *split = calloc(1, sizeof *split);
    if (!split) give_up("no memory for a loop");
    for (int i = 0; i < threads_used; i++) {
        split->parts[i].calls = calloc(dag->nodes, sizeof(struct call));
        if (!split->parts[i].calls) give_up("no memory for a loop");
    }
    for (uint32_t v = 0; v < dag->nodes; v++) {
        struct part *part = least_of(split);
        part->calls[part->count++] = (struct call){ fn, data[v] };
        part->ns += body_ns(fn, data[v]);
    }
    return split;
}

static void run(void *graph)
{
    const struct split *split = graph;
    unsigned launch = begin(split);
    run_part(&split->parts[0]);
    for (int i = 1; i < threads_used; i++)
        while (atomic_load_explicit(&ended[i].count, memory_order_acquire) != launch) relax();
}

static void unmake(void *graph)
{
    struct split *split = graph;
    for (int i = 0; i < threads_used; i++) free(split->parts[i].calls);
    free(split);
}

const struct engine split_engine = {
    .open = open_split, .close = close_split, .make = make, .run = run, .unmake = unmake,
};
