/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks of StarPU that name the tasks before them.  A run makes them all anew: one
 * that has run cannot be submitted again with what it depended on.
 */
#define _GNU_SOURCE
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>

#include "peer.h"
#include "scratch.h"

struct call {
    void (*fn)(void *data);
    void *data;
};

struct graph {
    const struct dag *dag;
    struct call *calls;
    struct starpu_task **tasks, **before; /* those before a node, for each edge */
};

static void work(void *buffers[], void *argument)
{
    const struct call *call = argument;
    (void)buffers;
    call->fn(call->data);
}

static struct starpu_codelet codelet = { .cpu_funcs = { work }, .name = "node" };

static void must(int status, const char *call)
{
    if (status == 0) return;
    fprintf(stderr, "StarPU: %s: status %d\n", call, status);
    exit(EXIT_FAILURE);
}

static const char *open_starpu(int threads)
{
    static char version[64];
    struct starpu_conf conf;
    int major, minor, release;
    enter_scratch("STARPU_HOME");
    setenv("STARPU_SILENT", "1", 1);
    /* It counts OpenCL's devices even if it is to use none, and POCL has threads. */
    setenv("OCL_ICD_VENDORS", scratch, 1);
    must(starpu_conf_init(&conf), "starpu_conf_init");
    conf.precedence_over_environment_variables = 1;
    conf.ncpus = threads;
    conf.ncuda = conf.nopencl = 0;
    must(starpu_init(&conf), "starpu_init");
    starpu_get_version(&major, &minor, &release);
    snprintf(version, sizeof version, "StarPU %d.%d.%d", major, minor, release);
    return version;
}

static void close_starpu(void)
{
    starpu_shutdown();
    leave_scratch();
}

static void *make(const struct dag *dag, void (*fn)(void *data), void **data)
{
    struct graph *graph = malloc(sizeof *graph);
    if (!graph) exit(EXIT_FAILURE);
    graph->dag = dag;
    graph->calls = calloc(dag->nodes, sizeof *graph->calls);
    graph->tasks = calloc(dag->nodes, sizeof *graph->tasks);
    graph->before = calloc(dag->edges + 1, sizeof *graph->before);
    if (!graph->calls || !graph->tasks || !graph->before) exit(EXIT_FAILURE);
    for (uint32_t v = 0; v < dag->nodes; v++) graph->calls[v] = (struct call){ fn, data[v] };
    return graph;
}

static void submit(struct graph *graph, uint32_t node)
{
    const struct dag *dag = graph->dag;
    uint32_t first = dag->first_before[node], end = dag->first_before[node + 1];
    struct starpu_task *task = starpu_task_create();
    task->cl = &codelet;
    task->cl_arg = &graph->calls[node];
    task->destroy = 0;
    graph->tasks[node] = task;
    for (uint32_t i = first; i < end; i++) graph->before[i] = graph->tasks[dag->before[i]];
    if (end > first) starpu_task_declare_deps_array(task, end - first, graph->before + first);
    must(starpu_task_submit(task), "starpu_task_submit");
}

static void run(void *data)
{
    struct graph *graph = data;
    for (uint32_t v = 0; v < graph->dag->nodes; v++) submit(graph, v);
    must(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
    for (uint32_t v = 0; v < graph->dag->nodes; v++) starpu_task_destroy(graph->tasks[v]);
}

static void unmake(void *data)
{
    struct graph *graph = data;
    free(graph->before);
    free(graph->tasks);
    free(graph->calls);
    free(graph);
}

const struct engine peer_engine = {
    .open = open_starpu, .close = close_starpu, .make = make, .run = run, .unmake = unmake,
};
