/* SPDX-License-Identifier: Apache-2.0
 *
 * A graph built by hand: two halves of an array are squared side by side, then
 * added up, and a host function shows the sum.
 *
 *     fill --> square (low) --+
 *        \                    +--> add --> show
 *         +--> square (high) -+
 *
 * It is launched three times and prints:
 *
 *     the sum is 9000
 *     the sum is 9000
 *     the sum is 9000
 */
#include <rill/backend.h> /* RILL_TOUCH_* */
#include <rill/check.h>

#include "must.h"

enum { COUNT = 1000 };

/* Kernel: squares a part of the array.  The layer `check` would assume that it touches all. */
static void square(const rill_launch *launch)
{
    rill_devptr array = RILL_ARGUMENT(launch, 0, rill_devptr);
    uint32_t *numbers = RILL_DEVICE_MEMORY(array, uint32_t);
    int first = RILL_ARGUMENT(launch, 1, int), count = RILL_ARGUMENT(launch, 2, int);
    rill_touch(array + first * sizeof *numbers, count * sizeof *numbers,
               RILL_TOUCH_READ | RILL_TOUCH_WRITE);
    for (int i = first; i < first + count; i++) numbers[i] *= numbers[i];
}

/* Kernel: the sum of all. */
static void add(const rill_launch *launch)
{
    const uint32_t *numbers = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr),
                                                 const uint32_t);
    uint32_t *sum = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 1, rill_devptr), uint32_t);
    *sum = 0;
    for (int i = 0; i < COUNT; i++) *sum += numbers[i];
}

static void show(void *sum)
{
    printf("the sum is %u\n", *(const uint32_t *)sum);
}

static rill_kernel *load(rill_context *context, const char *name, rill_module **module)
{
    static const rill_param of_square[] = { RILL_PARAM(rill_devptr), RILL_PARAM(int),
                                            RILL_PARAM(int) };
    static const rill_param of_add[] = { RILL_PARAM(rill_devptr), RILL_PARAM(rill_devptr) };
    static const rill_function functions[] = {
        { .name = "square", .over_grid = square, .params = of_square, .param_count = 3 },
        { .name = "add", .over_grid = add, .params = of_add, .param_count = 2 },
    };
    const rill_image image = { .size = sizeof image, .functions = functions, .function_count = 2 };
    rill_kernel *kernel;
    if (!*module) MUST(rill_module_load(context, &image, module));
    MUST(rill_module_kernel(*module, name, &kernel));
    return kernel;
}

static rill_graph *build(rill_context *context, rill_module **module, rill_devptr numbers,
                         uint32_t *sum)
{
    const rill_dim3 one = { 1, 1, 1 };
    const rill_fill threes = { .dst = numbers, .value = 3, .element_bytes = 4, .width = COUNT,
                               .height = 1 };
    const int half = COUNT / 2;
    rill_kernel *squares = load(context, "square", module), *adds = load(context, "add", module);
    rill_devptr result;
    rill_graph *graph;
    rill_node fill, halves[2], added, shown;

    MUST(rill_host_device_pointer(context, sum, &result));
    MUST(rill_graph_create(context, NULL, &graph));
    MUST(rill_graph_add_memset(graph, NULL, 0, &threes, &fill));
    for (int i = 0; i < 2; i++) {
        const int first = i * half;
        const void *params[] = { &numbers, &first, &half };
        MUST(rill_graph_add_kernel(graph, &fill, 1, squares, one, one, 0, params, &halves[i]));
    }
    MUST(rill_graph_add_kernel(graph, halves, 2, adds, one, one, 0,
                               (const void *[]){ &numbers, &result }, &added));
    MUST(rill_graph_add_host(graph, &added, 1, show, sum, NULL, &shown));
    return graph;
}

int main(void)
{
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_module *module = NULL;
    rill_exec *exec;
    rill_devptr numbers;
    void *sum;

    MUST(rill_open(NULL, &platform));
    MUST(rill_context_create(platform, NULL, &context));
    MUST(rill_stream_create(context, NULL, &stream));
    MUST(rill_mem_alloc(context, COUNT * sizeof(uint32_t), &numbers));
    MUST(rill_host_alloc(context, sizeof(uint32_t), RILL_HOST_MAPPED, &sum));

    rill_graph *graph = build(context, &module, numbers, sum);
    MUST(rill_exec_create(graph, NULL, &exec));
    MUST(rill_graph_destroy(&graph)); /* the exec shares nothing with it */
    for (int i = 0; i < 3; i++) MUST(rill_exec_launch(exec, stream));
    MUST(rill_stream_synchronize(stream));

    MUST(rill_exec_destroy(&exec));
    MUST(rill_host_free(context, sum));
    MUST(rill_mem_free(context, numbers));
    MUST(rill_module_unload(&module));
    MUST(rill_stream_destroy(&stream));
    MUST(rill_context_destroy(&context));
    MUST(rill_close(&platform));
    return 0;
}
