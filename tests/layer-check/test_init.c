/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory that is read and was never written.
 */
#include "layer-check/checked.h"

enum { BYTES = 4096, WHOLE = 32 << 20 };

struct scene {
    struct checked checked;
    rill_devptr from, to;
    rill_module *module;
    char host[BYTES];
};

/* Each thread of 'copy' copies a word, and of 'count' adds 1 to one in an
 * atomic operation; 'fill' writes words, and 'scratch' reads those that it wrote. */
#define KERNEL(name, body)                                                                   \
    ".visible .entry " name "(.param .u64 to, .param .u64 from) {\n"                         \
    " .reg .b32 %r<4>; .reg .b64 %d<4>;\n"                                                   \
    " ld.param.u64 %d0, [to]; ld.param.u64 %d1, [from];\n"                                   \
    " mov.u32 %r0, %tid.x; mul.wide.u32 %d2, %r0, 4;\n"                                      \
    " add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d2;\n" body " ret;\n}\n"

static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    KERNEL("copy", " ld.global.u32 %r1, [%d1]; st.global.u32 [%d0], %r1;\n")
    KERNEL("fill", " st.global.u32 [%d0], %r0;\n")
    KERNEL("count", " atom.global.add.u32 %r1, [%d0], 1;\n")
    KERNEL("scratch", " st.global.u32 [%d1], %r0; ld.global.u32 %r1, [%d1];\n"
                      " st.global.u32 [%d0], %r1;\n");

static void begin_scene(struct scene *scene)
{
    const rill_image image = { .size = sizeof image, .code = text };
    begin_checked(&scene->checked);
    OK(rill_mem_alloc(scene->checked.context, BYTES, &scene->from));
    OK(rill_mem_alloc(scene->checked.context, BYTES, &scene->to));
    OK(rill_module_load(scene->checked.context, &image, &scene->module));
    memset(scene->host, 1, BYTES);
}

static void end_scene(struct scene *scene)
{
    OK(rill_context_synchronize(scene->checked.context));
    OK(rill_module_unload(&scene->module));
    OK(rill_mem_free(scene->checked.context, scene->from));
    OK(rill_mem_free(scene->checked.context, scene->to));
    end_checked(&scene->checked);
}

static void launch(struct scene *scene, const char *name, rill_devptr to, rill_devptr from,
                   uint32_t threads)
{
    const void *const arguments[] = { &to, &from };
    const rill_dim3 one = { 1, 1, 1 }, block = { threads, 1, 1 };
    rill_kernel *kernel;
    OK(rill_module_kernel(scene->module, name, &kernel));
    OK(rill_launch_kernel(scene->checked.s, kernel, one, block, 0, arguments));
}

static void read_back(struct scene *scene, rill_devptr from, size_t bytes)
{
    OK(rill_memcpy_dtoh_async(scene->checked.s, scene->host, from, bytes));
}

static void expect_unwritten(const struct scene *scene, const char *what, const char *memory)
{
    expect_found(&scene->checked, RILL_FINDING_INIT, "memory is read that nothing has written");
    assert_string_equal(scene->checked.found[0].what[0], what);
    if (strncmp(scene->checked.found[0].memory, memory, strlen(memory)))
        fail_msg("the memory is \"%s\"", scene->checked.found[0].memory);
}

/* ---- Copies and fills ------------------------------------------------------------------------ */

static void a_copy_of_memory_that_was_never_written_is_found(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    read_back(&scene, scene.from, BYTES);
    end_scene(&scene);
    expect_unwritten(&scene, "memcpy", "bytes 0 to 4095 of device memory (device 0, 4 KiB");
}

static void what_was_filled_or_copied_to_may_be_read(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    OK(rill_memset_d8_async(scene.checked.s, scene.from, 0, BYTES));
    OK(rill_memcpy_dtod_async(scene.checked.s, scene.to, scene.from, BYTES));
    read_back(&scene, scene.to, BYTES);
    OK(rill_stream_synchronize(scene.checked.s));
    OK(rill_memcpy_htod(scene.checked.context, scene.to, scene.host, BYTES));
    OK(rill_memcpy_dtoh(scene.checked.context, scene.host, scene.to, BYTES));
    end_scene(&scene);
    expect_nothing(&scene.checked);
}

static void of_memory_that_was_written_in_part_the_rest_is_found(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    OK(rill_memset_d8_async(scene.checked.s, scene.from, 0, 1000));
    OK(rill_memset_d8_async(scene.checked.s, scene.from + 1100, 0, BYTES - 1100));
    read_back(&scene, scene.from, 1000);
    read_back(&scene, scene.from + 1100, 100);
    read_back(&scene, scene.from, BYTES);
    end_scene(&scene);
    expect_unwritten(&scene, "memcpy", "bytes 1000 to 1099 of device memory");
}

static void a_copy_of_unwritten_memory_counts_as_writing(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    OK(rill_memcpy_dtod_async(scene.checked.s, scene.to, scene.from, BYTES));
    read_back(&scene, scene.to, BYTES);
    end_scene(&scene);
    expect_unwritten(&scene, "memcpy", "bytes 0 to 4095");
}

static void a_value_that_was_written_may_be_read(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    OK(rill_stream_write_value32(scene.checked.s, scene.from, 7, 0));
    read_back(&scene, scene.from, 4);
    end_scene(&scene);
    expect_nothing(&scene.checked);
}

/* The host writes its own memory without a word. */
static void pinned_memory_counts_as_written(void **state)
{
    struct scene scene;
    void *pinned;
    (void)state;
    begin_scene(&scene);
    OK(rill_host_alloc(scene.checked.context, BYTES, 0, &pinned));
    OK(rill_memcpy_htod_async(scene.checked.s, scene.to, pinned, BYTES));
    OK(rill_stream_synchronize(scene.checked.s));
    OK(rill_host_free(scene.checked.context, pinned));
    end_scene(&scene);
    expect_nothing(&scene.checked);
}

/* ---- Kernels --------------------------------------------------------------------------------- */

static void a_kernel_that_reads_what_nothing_has_written_is_found(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    OK(rill_memset_d8_async(scene.checked.s, scene.from, 0, 64));
    launch(&scene, "copy", scene.to, scene.from, 32);
    end_scene(&scene);
    expect_unwritten(&scene, "kernel 'copy'", "bytes 64 to 127 of device memory");
}

static void what_a_kernel_wrote_may_be_read_and_no_more(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    launch(&scene, "fill", scene.from, scene.from, 32);
    read_back(&scene, scene.from, 128);
    launch(&scene, "copy", scene.to, scene.from, 32);
    read_back(&scene, scene.to, 132);
    end_scene(&scene);
    expect_unwritten(&scene, "memcpy", "bytes 128 to 131 of device memory");
}

static void a_kernel_that_updates_what_nothing_has_written_is_found(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    launch(&scene, "count", scene.from, scene.from, 32);
    launch(&scene, "count", scene.from, scene.from, 16);
    read_back(&scene, scene.from, 128);
    end_scene(&scene);
    expect_unwritten(&scene, "kernel 'count'", "bytes 0 to 127 of device memory");
}

static void a_kernel_may_read_what_it_wrote(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    launch(&scene, "scratch", scene.to, scene.from, 32);
    end_scene(&scene);
    expect_nothing(&scene.checked);
}

/* ---- Memory of pools ------------------------------------------------------------------------- */

static void memory_of_a_pool_is_not_written_when_it_comes(void **state)
{
    struct scene scene;
    rill_devptr memory;
    (void)state;
    begin_scene(&scene);
    OK(rill_mem_alloc_async(scene.checked.s, BYTES, &memory));
    read_back(&scene, memory, BYTES);
    OK(rill_mem_free_async(scene.checked.s, memory));
    end_scene(&scene);
    expect_unwritten(&scene, "memcpy", "bytes 0 to 4095 of pool memory");
}

static void memory_that_comes_again_counts_as_never_written(void **state)
{
    struct scene scene;
    rill_devptr memory, again;
    (void)state;
    begin_scene(&scene);
    OK(rill_mem_alloc_async(scene.checked.s, WHOLE, &memory));
    OK(rill_memset_d8_async(scene.checked.s, memory, 0, WHOLE));
    read_back(&scene, memory, BYTES);
    OK(rill_mem_free_async(scene.checked.s, memory));
    OK(rill_mem_alloc_async(scene.checked.s, WHOLE, &again));
    assert_int_equal(memory, again);
    read_back(&scene, memory, BYTES);
    OK(rill_mem_free_async(scene.checked.s, again));
    end_scene(&scene);
    expect_unwritten(&scene, "memcpy", "bytes 0 to 4095 of pool memory");
}

int main(void)
{
    setenv("RILL_CHECK", "race life init", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_of_memory_that_was_never_written_is_found),
        cmocka_unit_test(what_was_filled_or_copied_to_may_be_read),
        cmocka_unit_test(of_memory_that_was_written_in_part_the_rest_is_found),
        cmocka_unit_test(a_copy_of_unwritten_memory_counts_as_writing),
        cmocka_unit_test(a_value_that_was_written_may_be_read),
        cmocka_unit_test(pinned_memory_counts_as_written),
        cmocka_unit_test(a_kernel_that_reads_what_nothing_has_written_is_found),
        cmocka_unit_test(what_a_kernel_wrote_may_be_read_and_no_more),
        cmocka_unit_test(a_kernel_that_updates_what_nothing_has_written_is_found),
        cmocka_unit_test(a_kernel_may_read_what_it_wrote),
        cmocka_unit_test(memory_of_a_pool_is_not_written_when_it_comes),
        cmocka_unit_test(memory_that_comes_again_counts_as_never_written),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
