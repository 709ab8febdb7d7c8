/* SPDX-License-Identifier: Apache-2.0
 *
 * What policies promise among the nodes of conditional bodies: any order that no edge forbids, each
 * round of a loop for itself, and other steps in between.
 */
#include "sim/schedule/steered.h"

enum { ROUNDS = 3 };

static int rounds_left;

static void count_down(const rill_launch *launch)
{
    rill_sim_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional),
                             --rounds_left > 0);
}

static void run_letter_kernel(const rill_launch *launch)
{
    run_letter(letter_data((char)RILL_ARGUMENT(launch, 0, uint64_t)));
}

/* Bodies have kernels, and no functions of the host. */
static rill_module *module;
static rill_kernel *letter_kernel, *count_down_kernel;

static void load_kernels(rill_context *context)
{
    static const rill_param params[] = { RILL_PARAM(uint64_t) };
    static const rill_function functions[] = {
        { .name = "count_down", .over_grid = count_down, .params = params, .param_count = 1 },
        { .name = "letter", .over_grid = run_letter_kernel, .params = params, .param_count = 1 },
    };
    const rill_image image = { .size = sizeof image, .functions = functions, .function_count = 2 };
    ok(rill_module_load(context, &image, &module));
    ok(rill_module_kernel(module, "count_down", &count_down_kernel));
    ok(rill_module_kernel(module, "letter", &letter_kernel));
}

static rill_node kernel_node(rill_graph *graph, const rill_node *before, size_t count,
                             rill_kernel *kernel, uint64_t argument)
{
    rill_node node = NULL;
    const void *const params[] = { &argument };
    rill_op op = { .kind = RILL_OP_KERNEL };
    op.kernel = (rill_kernel_op){ .kernel = kernel, .grid = { 1, 1, 1 }, .block = { 1, 1, 1 },
                                  .params = params };
    ok(rill_graph_add_node(graph, before, count, &op, &node));
    return node;
}

static rill_node letter_node(rill_graph *graph, const rill_node *before, char which)
{
    return kernel_node(graph, before, before != NULL, letter_kernel, (uint64_t)which);
}

static rill_graph *open_graph(struct steered *s, const char *spec)
{
    open_steered(s, spec, 2);
    load_kernels(s->context);
    return machine_graph(s->context);
}

static const char *close_graph(struct steered *s, rill_graph *graph)
{
    ok(rill_graph_destroy(&graph));
    ok(rill_module_unload(&module));
    return close_steered(s);
}

static rill_graph *add_body(rill_graph *root, rill_graph *graph, rill_conditional_kind kind,
                            uint32_t value, rill_node *node, rill_conditional *handle)
{
    rill_graph *body = NULL;
    rill_conditional own = 0;
    ok(rill_conditional_create(root, value, RILL_CONDITIONAL_ASSIGN, &own));
    ok(rill_graph_add_conditional(graph, NULL, 0, own, kind, 1, &body, node));
    if (handle) *handle = own;
    return body;
}

/* Launches the graph in stream 1, while stream 2 has `x` to do, and waits for both. */
static void launch_beside(struct steered *s, rill_graph *graph)
{
    rill_exec *exec = NULL;
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_exec_launch(exec, s->streams[0]));
    letter(s->streams[1], 'x');
    wait_all(s);
    ok(rill_exec_destroy(&exec));
}

/* An IF in an IF: `a` comes before the inner one, whose `b` and `c` nothing orders, and `d`
 * after it. */
static void run_nested(const char *spec)
{
    struct steered s;
    rill_node node, inner_node;
    rill_graph *graph = open_graph(&s, spec);
    rill_graph *outer = add_body(graph, graph, RILL_CONDITIONAL_IF, 1, &node, NULL);
    letter_node(graph, &node, 'd');
    rill_graph *inner = add_body(graph, outer, RILL_CONDITIONAL_IF, 1, &inner_node, NULL);
    rill_node first = letter_node(outer, NULL, 'a');
    ok(rill_graph_add_edges(outer, &first, &inner_node, NULL, 1));
    letter_node(inner, NULL, 'b');
    letter_node(inner, NULL, 'c');
    launch_beside(&s, graph);
    close_graph(&s, graph);
}

static void an_edge_that_a_body_lacks_shows(void **state)
{
    unsigned orders = 0, between = 0;
    (void)state;
    for (int seed = 0; seed < 40; seed++) {
        char spec[32];
        snprintf(spec, sizeof spec, seed % 2 ? "random:%d" : "pct:%d:3", seed);
        run_nested(spec);
        assert_int_equal(atomic_load(&ran_count), 5);
        const char *a = strchr(ran, 'a'), *b = strchr(ran, 'b'), *c = strchr(ran, 'c');
        const char *d = strchr(ran, 'd'), *x = strchr(ran, 'x');
        assert_true(a < b && a < c && b < d && c < d);
        orders |= b < c ? 1 : 2;
        between |= a < x && x < d;
    }
    assert_int_equal(orders, 3);
    assert_true(between);
}

/* A loop whose nodes `a` and `b` nothing orders, and which then counts down. */
static void run_loop(const char *spec)
{
    struct steered s;
    rill_node node;
    rill_conditional handle;
    rounds_left = ROUNDS;
    rill_graph *graph = open_graph(&s, spec);
    rill_graph *body = add_body(graph, graph, RILL_CONDITIONAL_WHILE, 1, &node, &handle);
    rill_node before[] = { letter_node(body, NULL, 'a'), letter_node(body, NULL, 'b') };
    kernel_node(body, before, 2, count_down_kernel, handle);
    letter_node(graph, &node, 'd');
    launch_beside(&s, graph);
    close_graph(&s, graph);
}

static void each_round_of_a_loop_has_an_order_of_its_own(void **state)
{
    unsigned different = 0;
    (void)state;
    for (int seed = 0; seed < 40; seed++) {
        char spec[32], order[LETTERS_MOST] = "", *to = order;
        snprintf(spec, sizeof spec, "random:%d", seed);
        run_loop(spec);
        for (const char *from = ran; *from; from++)
            if (*from != 'x') *to++ = *from;
        assert_int_equal(strlen(order), 2 * ROUNDS + 1);
        assert_int_equal(order[2 * ROUNDS], 'd');
        for (int round = 0; round < ROUNDS; round++)
            assert_int_equal(order[2 * round] + order[2 * round + 1], 'a' + 'b');
        different |= order[0] != order[2];
    }
    assert_true(different);
}

static void a_node_of_a_body_is_held_by_its_number(void **state)
{
    struct steered s;
    rill_node node;
    (void)state;
    rill_graph *graph = open_graph(&s, "replay:1.1.1");
    rill_graph *body = add_body(graph, graph, RILL_CONDITIONAL_IF, 1, &node, NULL);
    letter_node(body, NULL, 'a');
    letter_node(body, NULL, 'b');
    launch_beside(&s, graph);
    ran_is("bxa");
    assert_non_null(strstr(close_graph(&s, graph), "step 1 1 node 1 "));
}

static void empty_bodies_are_over_at_once(void **state)
{
    struct steered s;
    rill_node node;
    (void)state;
    rill_graph *graph = open_graph(&s, "late");
    add_body(graph, graph, RILL_CONDITIONAL_IF, 1, &node, NULL);
    letter_node(graph, &node, 'd');
    launch_beside(&s, graph);
    ran_is("dx");
    close_graph(&s, graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_that_a_body_lacks_shows),
        cmocka_unit_test(each_round_of_a_loop_has_an_order_of_its_own),
        cmocka_unit_test(a_node_of_a_body_is_held_by_its_number),
        cmocka_unit_test(empty_bodies_are_over_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
