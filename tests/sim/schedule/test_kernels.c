/* SPDX-License-Identifier: Apache-2.0
 *
 * What a schedule decides about kernels: in which order their blocks run, whether others go on in
 * the middle of them, and that memory which was freed is another's.
 */
#include "sim/schedule/steered.h"

static void run_block(const rill_launch *launch)
{
    run_letter(letter_data((char)('a' + launch->index.x)));
}

/* Adds 1 to a word, and not atomically. */
static const char add_ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry add(.param .u64 word)\n{\n"
    "    .reg .b64 %a;\n    .reg .b32 %v;\n"
    "    ld.param.u64 %a, [word];\n"
    "    ld.global.u32 %v, [%a];\n    add.u32 %v, %v, 1;\n    st.global.u32 [%a], %v;\n"
    "    ret;\n}\n";

static rill_module *module;

static rill_kernel *load(rill_context *context, const char *name)
{
    static const rill_param params[] = { RILL_PARAM(uint64_t) };
    static const rill_function function = { .name = "blocks", .over_block = run_block,
                                            .params = params, .param_count = 1 };
    const rill_image image = { .size = sizeof image, .code = add_ptx, .functions = &function,
                               .function_count = 1 };
    rill_kernel *kernel = NULL;
    ok(rill_module_load(context, &image, &module));
    ok(rill_module_kernel(module, name, &kernel));
    return kernel;
}

static void launch(rill_stream *stream, rill_kernel *kernel, uint32_t blocks, uint64_t argument)
{
    const void *const params[] = { &argument };
    ok(rill_launch_kernel(stream, kernel, (rill_dim3){ blocks, 1, 1 }, (rill_dim3){ 1, 1, 1 }, 0,
                          params));
}

static const char *close_kernels(struct steered *s)
{
    ok(rill_module_unload(&module));
    return close_steered(s);
}

/* ---- Blocks ------------------------------------------------------------------------------- */

/* Runs a kernel of so many blocks; what ran is their order. */
static void run_blocks(const char *spec, uint32_t blocks)
{
    struct steered s;
    open_steered(&s, spec, 1);
    launch(s.streams[0], load(s.context, "blocks"), blocks, 0);
    wait_all(&s);
    close_kernels(&s);
    assert_int_equal(atomic_load(&ran_count), blocks);
}

static void blocks_run_forwards_backwards_or_mixed(void **state)
{
    char first[LETTERS_MOST];
    unsigned mixed = 0;
    (void)state;
    run_blocks("early", 5);
    ran_is("abcde");
    run_blocks("late", 5);
    ran_is("edcba");
    run_blocks("replay:1.1%1", 5);
    ran_is("edcba");
    run_blocks("replay:1.2%1", 5);
    ran_is("abcde");
    for (int seed = 0; seed < 20; seed++) {
        char spec[32];
        snprintf(spec, sizeof spec, "random:%d", seed);
        run_blocks(spec, 7);
        memcpy(first, ran, sizeof first);
        for (char which = 'a'; which < 'h'; which++) assert_non_null(strchr(first, which));
        mixed += strcmp(first, "abcdefg") != 0 && strcmp(first, "gfedcba") != 0;
        run_blocks(spec, 7);
        assert_string_equal(ran, first);
    }
    assert_true(mixed > 3);
}

static void the_order_of_blocks_is_in_the_trail(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "late", 1);
    launch(s.streams[0], load(s.context, "blocks"), 3, 0);
    wait_all(&s);
    assert_non_null(strstr(close_kernels(&s), "order 1 1 blocks 1 hash "));
}

/* ---- The middle of a kernel ---------------------------------------------------------------- */

/* Has two streams add to a word, in any order, and returns the sum. */
static unsigned add_twice(const char *spec, char *trail)
{
    struct steered s;
    open_steered(&s, spec, 2);
    rill_kernel *kernel = load(s.context, "add");
    for (int i = 0; i < 2; i++) launch(s.streams[i], kernel, 1, word_at(&s, 0));
    wait_all(&s);
    unsigned sum = s.words[0];
    strcpy(trail, close_kernels(&s));
    return sum;
}

static void a_sum_is_lost_where_kernels_overlap(void **state)
{
    static char trail[TRAIL_MOST], again[TRAIL_MOST];
    (void)state;
    assert_int_equal(add_twice("early", trail), 2);
    assert_int_equal(add_twice("late", trail), 2);
    assert_null(strstr(trail, "pause"));
    assert_int_equal(add_twice("overlap", trail), 1);
    assert_non_null(strstr(trail, "pause "));
    assert_int_equal(add_twice("overlap", again), 1);
    assert_string_equal(trail, again);
    assert_int_equal(add_twice("replay:1.1", trail), 2);
    assert_int_equal(add_twice("replay:1.1~@2", trail), 1);
}

/* Adds a node that adds to the word. */
static rill_node add_node(struct steered *s, rill_graph *graph, const rill_node *before,
                          rill_kernel *kernel)
{
    const uint64_t word = word_at(s, 0);
    const void *const params[] = { &word };
    rill_node node = NULL;
    rill_op op = { .kind = RILL_OP_KERNEL,
                   .kernel = { .kernel = kernel, .grid = { 1, 1, 1 }, .block = { 1, 1, 1 },
                               .params = params } };
    ok(rill_graph_add_node(graph, before, before != NULL, &op, &node));
    return node;
}

/* Launches a graph in which one node adds to a word, and two others do, one after the other, after
 * the former or at any time.  All are in `graph`, or in a body of it.  Returns the sum. */
static unsigned add_thrice(const char *spec, bool ordered, bool inside, char *trail)
{
    struct steered s;
    open_steered(&s, spec, 1);
    rill_kernel *kernel = load(s.context, "add");
    rill_graph *graph = machine_graph(s.context), *body = graph;
    if (inside) {
        rill_node node = NULL;
        rill_conditional handle = 0;
        ok(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &handle));
        ok(rill_graph_add_conditional(graph, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &body,
                                      &node));
    }
    rill_node first = add_node(&s, body, NULL, kernel);
    rill_node next = add_node(&s, body, ordered ? &first : NULL, kernel);
    add_node(&s, body, &next, kernel);
    rill_exec *exec = NULL;
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_exec_launch(exec, s.streams[0]));
    wait_all(&s);
    unsigned sum = s.words[0];
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    strcpy(trail, close_kernels(&s));
    return sum;
}

static void a_sum_is_lost_where_nodes_of_a_launch_overlap(void **state)
{
    static char trail[TRAIL_MOST], again[TRAIL_MOST];
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        assert_int_equal(add_thrice("early", false, inside, trail), 3);
        assert_null(strstr(trail, "pause"));
        assert_int_equal(add_thrice("overlap", false, inside, trail), 2);
        assert_non_null(strstr(trail, "pause "));
        assert_int_equal(add_thrice("overlap", false, inside, again), 2);
        assert_string_equal(trail, again);
        assert_int_equal(add_thrice("overlap", true, inside, trail), 3);
        assert_null(strstr(trail, "pause"));
    }
    assert_int_equal(add_thrice("replay:1.1.0~", false, false, trail), 1);
    assert_int_equal(add_thrice("replay:1.1.0~", true, false, trail), 3);
}

/* ---- Memory that was freed ------------------------------------------------------------------ */

static void run_use_after_free(const char *spec, bool ordered, uint32_t *word)
{
    struct steered s;
    rill_devptr memory = 0;
    open_steered(&s, spec, 2);
    ok(rill_mem_alloc_async(s.streams[0], 4096, &memory));
    ok(rill_memset_d8_async(s.streams[0], memory, 0x11, 4096));
    pass(&s, s.streams[0], s.streams[1]);
    ok(rill_memcpy_async(s.streams[1], word_at(&s, 0), memory, 4));
    if (ordered) pass(&s, s.streams[1], s.streams[0]);
    ok(rill_mem_free_async(s.streams[0], memory));
    wait_all(&s);
    *word = s.words[0];
    close_steered(&s);
}

static void what_was_freed_is_written_over(void **state)
{
    uint32_t word;
    (void)state;
    run_use_after_free("replay:2.1", false, &word);
    assert_int_not_equal(word, 0x11111111);
    run_use_after_free("replay:2.1", true, &word);
    assert_int_equal(word, 0x11111111);
    run_use_after_free("early", false, &word);
    assert_int_equal(word, 0x11111111);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_run_forwards_backwards_or_mixed),
        cmocka_unit_test(the_order_of_blocks_is_in_the_trail),
        cmocka_unit_test(a_sum_is_lost_where_kernels_overlap),
        cmocka_unit_test(a_sum_is_lost_where_nodes_of_a_launch_overlap),
        cmocka_unit_test(what_was_freed_is_written_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
