/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks of OpenMP with dependences, under whichever runtime the compiler brings:
 * gcc's libgomp, clang's libomp.  Neither keeps a graph, so each run makes all
 * tasks anew, in an order in which every node comes after those before it.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "peer.h"

static int team;

struct graph {
    const struct dag *dag;
    void (*fn)(void *data);
    void **data;
    char *place; /* for each node, an address that stands for it */
};

static const char *open_team(int threads)
{
    static char version[96];
    team = threads;
    omp_set_dynamic(0);
    omp_set_num_threads(threads);
#ifdef __clang__
    snprintf(version, sizeof version, "libomp of clang %d.%d.%d", __clang_major__, __clang_minor__,
             __clang_patchlevel__);
#else
    snprintf(version, sizeof version, "libgomp of gcc %s", __VERSION__);
#endif
    return version;
}

static void close_team(void)
{
}

static void *make(const struct dag *dag, void (*fn)(void *data), void **data)
{
    struct graph *graph = malloc(sizeof *graph);
    char *place = malloc(dag->nodes);
    if (!graph || !place) exit(EXIT_FAILURE);
    *graph = (struct graph){ dag, fn, data, place };
    return graph;
}

/* One and two dependences are spelled out: an iterator costs more. */
static void add(const struct graph *graph, uint32_t node)
{
    const struct dag *dag = graph->dag;
    const uint32_t *before = dag->before + dag->first_before[node];
    int count = (int)(dag->first_before[node + 1] - dag->first_before[node]);
    void (*fn)(void *) = graph->fn;
    void *data = graph->data[node];
    char *place = graph->place;
    (void)place;
    if (count == 0) {
#pragma omp task depend(out : place[node]) firstprivate(fn, data)
        fn(data);
    } else if (count == 1) {
#pragma omp task depend(in : place[before[0]]) depend(out : place[node]) firstprivate(fn, data)
        fn(data);
    } else if (count == 2) {
#pragma omp task depend(in : place[before[0]], place[before[1]]) depend(out : place[node]) \
    firstprivate(fn, data)
        fn(data);
    } else {
#pragma omp task depend(iterator(i = 0 : count), in : place[before[i]]) depend(out : place[node]) \
    firstprivate(fn, data)
        fn(data);
    }
}

static void run(void *data)
{
    const struct graph *graph = data;
#pragma omp parallel num_threads(team)
#pragma omp single
    for (uint32_t v = 0; v < graph->dag->nodes; v++) add(graph, v);
}

static void unmake(void *data)
{
    struct graph *graph = data;
    free(graph->place);
    free(graph);
}

const struct engine peer_engine = {
    .open = open_team, .close = close_team, .make = make, .run = run, .unmake = unmake,
};
