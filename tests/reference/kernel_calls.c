/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel calls that is a C function.  No capture and no host function has it; whether it
 * waits is seen by a host function that is in another stream when the kernel runs.
 */
#include <rill/sim.h>
#include <rill/standin.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/own_calls.h"

static atomic_int done;
static int waited;
static rill_conditional conditional;

static void set_done(void *data)
{
    (void)data;
    atomic_store(&done, 1);
}

#define KERNEL(function, ...)                              \
    static void as_##function(const rill_launch *launch) \
    {                                                      \
        function(__VA_ARGS__);                             \
        waited = atomic_load(&done);                       \
    }
KERNEL(rill_sim_fault, launch, RILL_ERROR_LAUNCH_FAILED, "on purpose")
KERNEL(rill_sim_set_conditional, launch, conditional, 1)
KERNEL(rill_sim_charge, launch, 1)
KERNEL(rill_kernel_fault, launch, RILL_ERROR_LAUNCH_FAILED, "on purpose")
KERNEL(rill_kernel_set_conditional, launch, conditional, 1)

static const struct kernel_call {
    const char *name;
    rill_kernel_fn kernel;
} list[] = {
    { "rill_sim_fault", as_rill_sim_fault },
    { "rill_sim_set_conditional", as_rill_sim_set_conditional },
    { "rill_sim_charge", as_rill_sim_charge },
    { "rill_kernel_fault", as_rill_kernel_fault },
    { "rill_kernel_set_conditional", as_rill_kernel_set_conditional },
};

static void demand(rill_status status)
{
    if (!status) return;
    fprintf(stderr, "%s: %s\n", rill_last_error()->operation, rill_last_error()->message);
    exit(1);
}

/* A graph whose handle the kernel may set, with the kernel as its node. */
static void launch(struct world *w, const struct kernel_call *call)
{
    const rill_function function = { .name = "calls", .over_grid = call->kernel };
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    const rill_dim3 one = { 1, 1, 1 };
    rill_module *module;
    rill_kernel *kernel;
    rill_graph *graph, *bodies[1];
    rill_exec *exec;
    rill_stream *other;
    rill_node node;
    demand(rill_module_load(w->context, &image, &module));
    demand(rill_module_kernel(module, "calls", &kernel));
    demand(rill_graph_create(w->context, NULL, &graph));
    demand(rill_conditional_create(graph, 0, 0, &conditional));
    demand(rill_graph_add_conditional(graph, NULL, 0, conditional, RILL_CONDITIONAL_IF, 1, bodies,
                                      &node));
    demand(rill_graph_add_kernel(graph, NULL, 0, kernel, one, one, 0, NULL, &node));
    demand(rill_exec_create(graph, NULL, &exec));
    demand(rill_stream_create(w->context, NULL, &other));
    demand(rill_launch_host(other, set_done, NULL, NULL));
    waited = -1;
    demand(rill_exec_launch(exec, w->stream));
    (void)rill_stream_synchronize(w->stream); /* a fault is no failure here */
    if (waited < 0) exit(1);
}

static void measure(const struct kernel_call *call)
{
    if (is_left_to_child()) return;
    struct world w;
    demand(world_open(&w, "sim"));
    launch(&w, call);
    printf("%s %s kernel kernel\n", call->name, waited ? "yes" : "no");
    fflush(stdout);
    _exit(0);
}

void measure_kernel_calls(const char *only)
{
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!only || !strcmp(only, list[i].name)) measure(&list[i]);
}
