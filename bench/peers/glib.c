/* SPDX-License-Identifier: Apache-2.0
 *
 * GLib has a thread pool and no graphs.  This is what a program would write on
 * top of it: a counter for each node of how many before it are still to come.
 * Who takes a counter to zero runs that node next; what else became ready goes
 * to the pool.
 */
#include <glib.h>
#include <stdatomic.h>

#include "peer.h"

struct graph {
    const struct dag *dag;
    void (*fn)(void *data);
    void **data;
    atomic_uint *missing; /* for each node */
    atomic_uint left;
    GMutex mutex;
    GCond changed;
    gboolean done;
};

static GThreadPool *pool;

/* Of the graph that runs: the pool hands out node numbers, and NULL is none. */
static struct graph *running;

static void push(uint32_t node)
{
    g_thread_pool_push(pool, GSIZE_TO_POINTER((gsize)node + 1), NULL);
}

/* Counts `node` down behind it; what became ready and was not pushed, or none. */
static int64_t release(struct graph *graph, uint32_t node)
{
    const struct dag *dag = graph->dag;
    int64_t mine = -1;
    for (uint32_t i = dag->first_after[node]; i < dag->first_after[node + 1]; i++) {
        uint32_t next = dag->after[i];
        if (atomic_fetch_sub_explicit(&graph->missing[next], 1, memory_order_acq_rel) != 1)
            continue;
        if (mine < 0) mine = next;
        else push(next);
    }
    return mine;
}

static void work(gpointer data, gpointer user_data)
{
    struct graph *graph = running;
    int64_t node = (int64_t)GPOINTER_TO_SIZE(data) - 1;
    (void)user_data;
    while (node >= 0) {
        graph->fn(graph->data[node]);
        node = release(graph, (uint32_t)node);
        if (atomic_fetch_sub_explicit(&graph->left, 1, memory_order_acq_rel) != 1) continue;
        g_mutex_lock(&graph->mutex);
        graph->done = TRUE;
        g_cond_signal(&graph->changed);
        g_mutex_unlock(&graph->mutex);
    }
}

static const char *open_pool(int threads)
{
    static char version[64];
    pool = g_thread_pool_new(work, NULL, threads, TRUE, NULL);
    g_snprintf(version, sizeof version, "GLib %u.%u.%u", glib_major_version, glib_minor_version,
               glib_micro_version);
    return version;
}

static void close_pool(void)
{
    g_thread_pool_free(pool, FALSE, TRUE);
}

static void *make(const struct dag *dag, void (*fn)(void *data), void **data)
{
    struct graph *graph = g_new0(struct graph, 1);
    graph->dag = dag;
    graph->fn = fn;
    graph->data = data;
    graph->missing = g_new(atomic_uint, dag->nodes);
    g_mutex_init(&graph->mutex);
    g_cond_init(&graph->changed);
    return graph;
}

static void run(void *data)
{
    struct graph *graph = data;
    const struct dag *dag = graph->dag;
    running = graph;
    graph->done = FALSE;
    atomic_store(&graph->left, dag->nodes);
    for (uint32_t v = 0; v < dag->nodes; v++)
        atomic_store_explicit(&graph->missing[v], dag->first_before[v + 1] - dag->first_before[v],
                              memory_order_relaxed);
    /* The pool's lock orders the counters before the work. */
    for (uint32_t v = 0; v < dag->nodes; v++)
        if (dag->first_before[v + 1] == dag->first_before[v]) push(v);
    g_mutex_lock(&graph->mutex);
    while (!graph->done) g_cond_wait(&graph->changed, &graph->mutex);
    g_mutex_unlock(&graph->mutex);
}

static void unmake(void *data)
{
    struct graph *graph = data;
    g_mutex_clear(&graph->mutex);
    g_cond_clear(&graph->changed);
    g_free(graph->missing);
    g_free(graph);
}

const struct engine peer_engine = {
    .open = open_pool, .close = close_pool, .make = make, .run = run, .unmake = unmake,
};
