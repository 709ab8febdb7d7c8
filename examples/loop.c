/* SPDX-License-Identifier: Apache-2.0
 *
 * A loop inside a graph: Newton's method for a square root, until it changes
 * nothing any more.  The kernel in the loop's body decides whether there is
 * another round; the host is not asked.  It prints:
 *
 *     the square root of 2 is 1.414213562373
 */
#include <rill/sim.h>

#include "must.h"

/* Kernel: one round. */
static void improve(const rill_launch *launch)
{
    double *root = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), double);
    double square = RILL_ARGUMENT(launch, 1, double), before = *root;
    *root = (before + square / before) / 2;
    double change = *root > before ? *root - before : before - *root;
    rill_sim_set_conditional(launch, RILL_ARGUMENT(launch, 2, rill_conditional),
                             change > 1e-12 * *root);
}

static rill_kernel *load(rill_context *context, rill_module **module)
{
    static const rill_param params[] = { RILL_PARAM(rill_devptr), RILL_PARAM(double),
                                         RILL_PARAM(rill_conditional) };
    static const rill_function function = {
        .name = "improve", .over_grid = improve, .params = params, .param_count = 3,
    };
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    rill_kernel *kernel;
    MUST(rill_module_load(context, &image, module));
    MUST(rill_module_kernel(*module, "improve", &kernel));
    return kernel;
}

int main(void)
{
    const rill_dim3 one = { 1, 1, 1 };
    const double square = 2, guess = 1;
    double root;
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_module *module;
    rill_graph *graph, *body;
    rill_exec *exec;
    rill_node loop, round;
    rill_conditional again;
    rill_devptr memory;

    MUST(rill_open(NULL, &platform));
    MUST(rill_context_create(platform, NULL, &context));
    MUST(rill_stream_create(context, NULL, &stream));
    MUST(rill_mem_alloc(context, sizeof root, &memory));
    rill_kernel *kernel = load(context, &module);

    /* The value is 1 when a launch begins: there is a first round. */
    MUST(rill_graph_create(context, NULL, &graph));
    MUST(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &again));
    MUST(rill_graph_add_conditional(graph, NULL, 0, again, RILL_CONDITIONAL_WHILE, 1, &body,
                                    &loop));
    MUST(rill_graph_add_kernel(body, NULL, 0, kernel, one, one, 0,
                               (const void *[]){ &memory, &square, &again }, &round));
    MUST(rill_exec_create(graph, NULL, &exec));

    MUST(rill_memcpy_htod(context, memory, &guess, sizeof guess));
    MUST(rill_exec_launch(exec, stream));
    MUST(rill_stream_synchronize(stream));
    MUST(rill_memcpy_dtoh(context, &root, memory, sizeof root));
    printf("the square root of %g is %.12f\n", square, root);

    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
    MUST(rill_mem_free(context, memory));
    MUST(rill_module_unload(&module));
    MUST(rill_stream_destroy(&stream));
    MUST(rill_context_destroy(&context));
    MUST(rill_close(&platform));
    return 0;
}
