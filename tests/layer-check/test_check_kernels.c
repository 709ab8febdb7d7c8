/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong within kernels, as the layer tells it.
 */
#include "layer-check/checked.h"
#include "site/libdw.h"

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"

/* Each thread stores to its word and loads its neighbour's; `between` may put them in order. */
#define NEIGHBOURS(between) HEAD \
    ".visible .entry k(.param .u64 to) {\n .reg .b64 %a, %b; .reg .b32 %r, %n;\n" \
    " ld.param.u64 %b, [to]; mov.u32 %r, %tid.x; mad.wide.u32 %a, %r, 4, %b;\n" \
    " st.global.u32 [%a], %r;\n" between " xor.b32 %n, %r, 1; mad.wide.u32 %a, %n, 4, %b;\n" \
    " ld.global.u32 %n, [%a];\n ret; }\n"

static const char reads_first[] = HEAD
    ".visible .entry k(.param .u64 to) {\n .shared .b32 s[64]; .reg .b32 %r;\n"
    " ld.shared.u32 %r, [s+12];\n ret; }\n";

static const char apart[] = HEAD
    ".visible .entry k(.param .u64 to) {\n .reg .b32 %r; .reg .pred %p;\n"
    " mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 32; @%p bra low;\n"
    " bar.sync 0; ret;\nlow: bar.sync 0;\n ret; }\n";

struct kernels {
    struct checked checked;
    rill_module *module;
    rill_kernel *kernel;
    rill_devptr to;
};

static void begin(struct kernels *k, const char *text)
{
    const rill_image image = { .size = sizeof image, .code = text };
    begin_checked(&k->checked);
    OK(rill_module_load(k->checked.context, &image, &k->module));
    OK(rill_module_kernel(k->module, "k", &k->kernel));
    OK(rill_mem_alloc(k->checked.context, 4096, &k->to));
}

static void launch(struct kernels *k, rill_stream *stream)
{
    const rill_dim3 grid = { 2, 1, 1 }, block = { 64, 1, 1 };
    const void *arguments[] = { &k->to };
    OK(rill_launch_kernel(stream, k->kernel, grid, block, 0, arguments));
    OK(rill_stream_synchronize(stream));
}

static void end(struct kernels *k)
{
    OK(rill_mem_free(k->checked.context, k->to));
    OK(rill_module_unload(&k->module));
    end_checked(&k->checked);
}

static void run_once(struct kernels *k, const char *text)
{
    begin(k, text);
    launch(k, k->checked.s);
    end(k);
}

static void a_race_is_told_with_its_kernel_its_launch_and_its_memory(void **state)
{
    (void)state;
    struct kernels k;
    begin(&k, NEIGHBOURS(""));
    launch(&k, k.checked.s);
    rill_devptr to = k.to;
    end(&k);
    const struct found *found = &k.checked.found[0];
    assert_true(k.checked.count >= 1);
    assert_int_equal(found->kind, RILL_FINDING_KERNEL);
    assert_string_equal(found->sentence,
                        "line 9, thread (0,0,0) of block (0,0,0): a race for global memory: load "
                        "of 4 bytes, which thread (1,0,0) stored in line 7, and nothing in between "
                        "puts the two in order");
    assert_string_equal(found->what[0], "kernel 'k'");
    if (cs_libdw()) assert_string_equal(found->function, "launch");
    assert_int_equal(found->number[0], 1);
    assert_true(found->from == to + 4);
    assert_non_null(strstr(found->memory, "bytes 4 to 7 of device memory"));
    assert_non_null(strstr(found->advice, "barrier"));
    assert_non_null(strstr(found->id, "kernel-"));
}

static void nothing_is_told_of_kernels_that_are_right(void **state)
{
    (void)state;
    struct kernels k;
    begin(&k, HEAD ".visible .entry k(.param .u64 to) {\n .reg .b64 %a, %b; .reg .b32 %r;\n"
              " ld.param.u64 %b, [to]; red.global.add.u32 [%b], 1; ret; }\n");
    launch(&k, k.checked.s);
    end(&k);
    expect_nothing(&k.checked);
}

static void a_pair_of_lines_is_one_finding(void **state)
{
    (void)state;
    struct kernels k;
    begin(&k, reads_first);
    for (int i = 0; i < 3; i++) launch(&k, k.checked.s);
    end(&k);
    expect_found(&k.checked, RILL_FINDING_KERNEL,
                 "line 6, thread (0,0,0) of block (0,0,0): load of 4 bytes at offset 12 of shared "
                 "memory, which nothing has written");
}

static void a_barrier_that_is_not_shared_is_told(void **state)
{
    (void)state;
    struct kernels k;
    run_once(&k, apart);
    assert_int_equal(k.checked.count, 1);
    assert_non_null(strstr(k.checked.found[0].sentence, "a barrier that threads do not share"));
}

static void a_kernel_of_a_graph_is_told_with_its_node(void **state)
{
    (void)state;
    struct kernels k;
    rill_graph *graph;
    rill_exec *exec;
    begin(&k, reads_first);
    const rill_dim3 one = { 1, 1, 1 }, block = { 32, 1, 1 };
    const void *arguments[] = { &k.to };
    OK(rill_stream_begin_capture(k.checked.s, NULL));
    OK(rill_memset_d32_async(k.checked.s, k.to, 0, 16));
    OK(rill_launch_kernel(k.checked.s, k.kernel, one, block, 0, arguments));
    OK(rill_stream_end_capture(k.checked.s, &graph));
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_exec_launch(exec, k.checked.s));
    OK(rill_stream_synchronize(k.checked.s));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
    end(&k);
    assert_int_equal(k.checked.count, 1);
    assert_int_equal(k.checked.found[0].kind, RILL_FINDING_KERNEL);
    assert_int_equal(k.checked.found[0].node[0], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_race_is_told_with_its_kernel_its_launch_and_its_memory),
        cmocka_unit_test(nothing_is_told_of_kernels_that_are_right),
        cmocka_unit_test(a_pair_of_lines_is_one_finding),
        cmocka_unit_test(a_barrier_that_is_not_shared_is_told),
        cmocka_unit_test(a_kernel_of_a_graph_is_told_with_its_node),
    };
    setenv("RILL_CHECK", "kernel", 1);
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
