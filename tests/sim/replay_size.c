/* SPDX-License-Identifier: Apache-2.0
 *
 * Many execs, deep graphs, large graphs.
 */
#include <stdlib.h>
#include <time.h>

#include "sim/replay.h"

static void count(void *data)
{
    atomic_fetch_add_explicit((atomic_uint *)data, 1, memory_order_relaxed);
}

/* ---- Many ------------------------------------------------------------------------------- */

static void many(struct web_kit *kit)
{
    int execs = sized_scaled(10000);
    rill_exec **exec = calloc((size_t)execs, sizeof(rill_exec *));
    rill_stream *streams[8];
    rill_graph *graph;
    atomic_uint ran = 0;
    must_be(exec != NULL);
    for (int i = 0; i < 8; i++) streams[i] = sized_stream(kit->sized, NON_BLOCKING);
    must(rill_graph_create(kit->sized->context, NULL, &graph));
    for (int i = 0; i < 5; i++) {
        rill_node node;
        must(rill_graph_add_host(graph, &node, i > 1, count, &ran, NULL, &node));
    }
    for (int i = 0; i < execs; i++) {
        must(rill_exec_create(graph, NULL, &exec[i]));
        must(rill_exec_launch(exec[i], streams[i % 8]));
    }
    for (int i = 0; i < execs; i++) must(rill_exec_launch(exec[i], streams[i % 7]));
    must(rill_graph_destroy(&graph));
    for (int i = 0; i < execs; i += 2) must(rill_exec_destroy(&exec[i]));
    must(rill_context_synchronize(kit->sized->context));
    for (int i = 0; i < 8; i++) must(rill_stream_synchronize(streams[i]));
    must_be(atomic_load(&ran) == 2 * 5 * (unsigned)execs);
    for (int i = 1; i < execs; i += 2) must(rill_exec_destroy(&exec[i]));
    for (int i = 0; i < 8; i++) must(rill_stream_destroy(&streams[i]));
    free(exec);
}

void test_many_execs(void **state)
{
    (void)state;
    replay_on(2, "many execs", many);
}

/* ---- Deep ------------------------------------------------------------------------------- */

#define DEPTH 63 /* child graphs inside the outermost one */

static void deep(struct web_kit *kit)
{
    rill_graph *graph = NULL;
    rill_exec *exec;
    rill_node node;
    atomic_uint ran = 0;
    rill_stream *stream = sized_stream(kit->sized, NON_BLOCKING);
    for (int level = 0; level <= DEPTH; level++) {
        rill_graph *outer;
        must(rill_graph_create(kit->sized->context, NULL, &outer));
        must(rill_graph_add_host(outer, NULL, 0, count, &ran, NULL, &node));
        if (graph) must(rill_graph_add_child(outer, &node, 1, graph, RILL_CHILD_MOVE, &node));
        graph = outer;
    }
    must(rill_exec_create(graph, NULL, &exec));
    must(rill_graph_destroy(&graph));
    for (int i = 0; i < 10; i++) must(rill_exec_launch(exec, stream));
    must(rill_stream_synchronize(stream));
    must_be(atomic_load(&ran) == 10 * (DEPTH + 1));
    must(rill_exec_destroy(&exec));
    must(rill_stream_destroy(&stream));
}

void test_deep_nesting(void **state)
{
    (void)state;
    replay_on(2, "deep nesting", deep);
}

/* ---- Large ------------------------------------------------------------------------------ */

/* Of the processors, for this process: others may be busy, too. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Four edges a node, to nodes not far before it; the seconds that all of it took. */
static double live_through(struct web_kit *kit, int nodes)
{
    double begin = now();
    rill_stream *stream = sized_stream(kit->sized, NON_BLOCKING);
    rill_node *node = calloc((size_t)nodes, sizeof(rill_node));
    rill_graph *graph;
    rill_exec *exec;
    atomic_uint ran = 0;
    must_be(node != NULL);
    must(rill_graph_create(kit->sized->context, NULL, &graph));
    for (int i = 0; i < nodes; i++) {
        static const int steps[] = { 1, 7, 64, 1000 };
        rill_node before[4];
        size_t count_before = 0;
        for (int k = 0; k < 4; k++)
            if (i >= 1000) before[count_before++] = node[i - steps[k]];
        must(rill_graph_add_host(graph, before, count_before, count, &ran, NULL, &node[i]));
    }
    must(rill_exec_create(graph, NULL, &exec));
    must(rill_graph_destroy(&graph));
    for (int i = 0; i < 3; i++) must(rill_exec_launch(exec, stream));
    must(rill_stream_synchronize(stream));
    must_be(atomic_load(&ran) == 3 * (unsigned)nodes);
    must(rill_exec_destroy(&exec));
    must(rill_stream_destroy(&stream));
    free(node);
    return now() - begin;
}

/* Ten times as much takes ten times as long, and no more than three times that, however
 * much fewer caches hold of it. */
static void large(struct web_kit *kit)
{
    int most = sized_scaled(1000000);
    live_through(kit, most / 10);
    double tenth = live_through(kit, most / 10), whole = live_through(kit, most);
    must_be(whole < 30 * tenth + 1);
}

void test_a_million_nodes(void **state)
{
    (void)state;
    replay_on(2, "a million nodes", large);
}
