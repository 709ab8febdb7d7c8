/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that do more than their operations say: kernels that begin early, memory that goes with
 * the next launch, functions of the host among nodes.
 */
#include "layer-check/pages/pages.h"
#include "layer-check/pairs.h"

/* ---- Kernels that may begin before the one in front of them has ended ----------------------- */

/* Each adds one to a word, some after they have waited for the kernel before them. */
#define ADDS_ONE(name, first) \
    ".visible .entry " name "(.param .u64 x) {\n" \
    " .reg .b64 %x; .reg .b32 %v;\n" first \
    " ld.param.u64 %x, [x];\n ld.global.u32 %v, [%x];\n" \
    " add.u32 %v, %v, 1;\n st.global.u32 [%x], %v;\n ret; }\n"

static const char early_kernels[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".func waits() { griddepcontrol.wait; ret; }\n"
    ADDS_ONE("first", " griddepcontrol.launch_dependents;\n")
    ADDS_ONE("waiting", " griddepcontrol.wait;\n")
    ADDS_ONE("calling", " call.uni waits;\n")
    ADDS_ONE("hasty", "");
static const char hasty_kernel[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n" ADDS_ONE("hasty", "");

static void launch_early(struct checked *c, const char *text, const char *name, int programmatic)
{
    const rill_image image = { .size = sizeof image, .code = text };
    const rill_attribute early = { .id = RILL_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION,
                                   .programmatic = programmatic };
    const void *const params[] = { &c->x };
    rill_op op = { .kind = RILL_OP_KERNEL,
                   .kernel = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .params = params,
                               .attributes = &early, .attribute_count = 1 } };
    rill_module *module;
    OK(rill_module_load(c->context, &image, &module));
    OK(rill_module_kernel(module, name, &op.kernel.kernel));
    OK(rill_stream_submit(c->s, &op));
    OK(rill_module_unload(&module)); /* once the kernel has run */
}

static void a_kernel_that_begins_early_has_to_wait_program(struct checked *c, bool good)
{
    launch_early(c, early_kernels, "first", 0);
    launch_early(c, good ? early_kernels : hasty_kernel, good ? "waiting" : "hasty", 1);
    if (good) launch_early(c, early_kernels, "calling", 1);
}
RACES(a_kernel_that_begins_early_has_to_wait)

static void a_kernel_without_leave_begins_late_program(struct checked *c, bool good)
{
    launch_early(c, early_kernels, "first", 0);
    launch_early(c, hasty_kernel, "hasty", !good);
}
RACES(a_kernel_without_leave_begins_late)

/* ---- Edges from where a kernel has begun ---------------------------------------------------- */

static const rill_edge full = { .from_port = 0 };
static const rill_edge programmatic = { .from_port = 1, .type = 1 };
static const rill_edge from_launch = { .from_port = 2 };

struct loose_graph {
    rill_graph *graph;
    rill_module *early, *hasty;
};

static void begin_loose(const struct checked *c, struct loose_graph *loose)
{
    const rill_image early = { .size = sizeof early, .code = early_kernels };
    const rill_image hasty = { .size = sizeof hasty, .code = hasty_kernel };
    OK(rill_graph_create(c->context, NULL, &loose->graph));
    OK(rill_module_load(c->context, &early, &loose->early));
    OK(rill_module_load(c->context, &hasty, &loose->hasty));
}

static void end_loose(struct checked *c, struct loose_graph *loose)
{
    rill_exec *exec;
    OK(rill_exec_create(loose->graph, NULL, &exec));
    OK(rill_exec_launch(exec, c->s));
    OK(rill_stream_synchronize(c->s));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&loose->graph));
    OK(rill_module_unload(&loose->early));
    OK(rill_module_unload(&loose->hasty));
}

/* Adds a kernel that adds one at `at`, after another node if that is not NULL. */
static rill_node add_loose(const struct loose_graph *loose, const rill_node *after,
                           const rill_edge *edge, const char *name, rill_devptr at)
{
    const void *const params[] = { &at };
    rill_op op = { .kind = RILL_OP_KERNEL,
                   .kernel = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .params = params } };
    rill_module *module = strcmp(name, "hasty") ? loose->early : loose->hasty;
    rill_node node;
    OK(rill_module_kernel(module, name, &op.kernel.kernel));
    OK(rill_graph_add_node_with_edges(loose->graph, after, edge, after ? 1 : 0, &op, &node));
    return node;
}

static void a_programmatic_edge_is_for_kernels_that_wait_program(struct checked *c, bool good)
{
    struct loose_graph loose;
    begin_loose(c, &loose);
    rill_node first = add_loose(&loose, NULL, NULL, "first", c->x);
    add_loose(&loose, &first, &programmatic, good ? "waiting" : "hasty", c->x);
    end_loose(c, &loose);
}
RACES(a_programmatic_edge_is_for_kernels_that_wait)

static void a_launch_is_complete_before_its_kernel_is_program(struct checked *c, bool good)
{
    struct loose_graph loose;
    begin_loose(c, &loose);
    rill_node first = add_loose(&loose, NULL, NULL, "first", c->x);
    add_loose(&loose, &first, good ? &full : &from_launch, "hasty", c->x);
    end_loose(c, &loose);
}
RACES(a_launch_is_complete_before_its_kernel_is)

/* A kernel that has begun has waited for what is before it. */
static void what_a_kernel_lets_begin_follows_what_is_before_it_program(struct checked *c, bool good)
{
    struct loose_graph loose;
    begin_loose(c, &loose);
    rill_node front = add_loose(&loose, NULL, NULL, "first", c->x);
    rill_node first = add_loose(&loose, good ? &front : NULL, &full, "first", c->y);
    rill_node second = add_loose(&loose, &first, &programmatic, "hasty", c->y + 64);
    add_loose(&loose, &second, &from_launch, "hasty", c->x);
    end_loose(c, &loose);
}
RACES(what_a_kernel_lets_begin_follows_what_is_before_it)

static void a_wait_is_for_all_that_were_let_begin_program(struct checked *c, bool good)
{
    struct loose_graph loose;
    begin_loose(c, &loose);
    rill_node first = add_loose(&loose, NULL, NULL, "first", c->x);
    rill_node second = add_loose(&loose, &first, &programmatic, "hasty", c->y);
    add_loose(&loose, &second, &programmatic, good ? "waiting" : "hasty", c->x);
    end_loose(c, &loose);
}
RACES(a_wait_is_for_all_that_were_let_begin)

static void a_child_graph_ends_with_those_that_let_others_begin_program(struct checked *c,
                                                                        bool good)
{
    struct loose_graph inside, outside;
    rill_node child;
    begin_loose(c, &inside);
    begin_loose(c, &outside);
    rill_node first = add_loose(&inside, NULL, NULL, "first", c->x);
    add_loose(&inside, &first, &from_launch, "hasty", c->y);
    OK(rill_graph_add_child(outside.graph, NULL, 0, inside.graph, 0, &child));
    add_loose(&outside, good ? &child : NULL, &full, "hasty", c->x);
    end_loose(c, &outside);
    end_loose(c, &inside);
}
RACES(a_child_graph_ends_with_those_that_let_others_begin)

/* ---- Memory that goes with the next launch -------------------------------------------------- */

static void a_launch_frees_what_the_last_one_left_program(struct checked *c, bool good)
{
    rill_exec_options takes = { .size = sizeof takes, .flags = RILL_EXEC_AUTO_FREE };
    rill_devptr left;
    rill_graph *graph;
    rill_exec *exec;
    rill_node alloc, node;
    OK(rill_graph_create(c->context, NULL, &graph));
    OK(rill_graph_add_alloc(graph, NULL, 0, BYTES, &left, &alloc));
    const rill_fill fill = { .dst = left, .value = 7, .element_bytes = 1, .width = BYTES,
                             .height = 1 };
    OK(rill_graph_add_memset(graph, &alloc, 1, &fill, &node));
    OK(rill_exec_create(graph, &takes, &exec));
    OK(rill_exec_launch(exec, c->s));
    order(c, c->s, c->t);
    OK(rill_memcpy_dtod_async(c->t, c->y, left, BYTES));
    if (good) order(c, c->t, c->s);
    OK(rill_exec_launch(exec, c->s));
    OK(rill_mem_free_async(c->s, left));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
}
LIVES(a_launch_frees_what_the_last_one_left)

/* ---- Functions of the host ------------------------------------------------------------------ */

static void write_all(void *data)
{
    memset(data, 2, BYTES);
}

/* Whichever of the two runs first. */
static void a_function_and_a_copy_of_one_launch_need_a_path_program(struct checked *c, bool good)
{
    rill_graph *graph;
    rill_exec *exec;
    rill_node function, node;
    void *pinned;
    OK(rill_host_alloc(c->context, BYTES, 0, &pinned));
    const rill_copy copy = { .dst = rill_device_place(c->x), .src = rill_host_place(pinned),
                             .width = BYTES, .height = 1, .depth = 1 };
    OK(rill_graph_create(c->context, NULL, &graph));
    OK(rill_graph_add_host(graph, NULL, 0, write_all, pinned, NULL, &function));
    OK(rill_graph_add_memcpy(graph, &function, good, &copy, &node));
    OK(rill_exec_create(graph, NULL, &exec));
    for (int i = 0; i < 3; i++) OK(rill_exec_launch(exec, c->s));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
    OK(rill_stream_synchronize(c->s));
    OK(rill_host_free(c->context, pinned));
}
RACES(a_function_and_a_copy_of_one_launch_need_a_path)

/* Where faults cannot be resumed, what functions do with pinned memory is not seen: under
 * valgrind. */
static void see_function(void **state)
{
    if (ck_pages_unusable()) skip();
    a_function_and_a_copy_of_one_launch_need_a_path(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_that_begins_early_has_to_wait),
        cmocka_unit_test(a_kernel_without_leave_begins_late),
        cmocka_unit_test(a_programmatic_edge_is_for_kernels_that_wait),
        cmocka_unit_test(a_launch_is_complete_before_its_kernel_is),
        cmocka_unit_test(what_a_kernel_lets_begin_follows_what_is_before_it),
        cmocka_unit_test(a_wait_is_for_all_that_were_let_begin),
        cmocka_unit_test(a_child_graph_ends_with_those_that_let_others_begin),
        cmocka_unit_test(a_launch_frees_what_the_last_one_left),
        cmocka_unit_test(see_function),
    };
    setenv("RILL_CHECK", "race life capture log=/dev/null", 1);
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
