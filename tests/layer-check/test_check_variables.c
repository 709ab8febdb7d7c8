/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables of modules, which are memory that nobody allocates.
 */
#include "layer-check/checked.h"

enum { BYTES = 4096 };

/* The freed memory that holds an address, or `count`. */
static size_t holder_of(const rill_devptr *freed, size_t count, rill_devptr address)
{
    size_t i = 0;
    while (i < count && address - freed[i] >= BYTES) i++;
    return i;
}

/* Memory that is freed is where a module's variable is next. */
static void a_variable_is_not_the_memory_that_was_there(void **state)
{
    (void)state;
    const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                        ".visible .global .align 8 .b8 table[4096];\n";
    const rill_image image = { .size = sizeof image, .code = text, .code_bytes = sizeof text };
    enum { COUNT = 16 };
    rill_devptr freed[COUNT], table;
    char bytes[BYTES] = { 0 };
    struct checked c;
    rill_module *module;
    size_t size;
    begin_checked(&c);
    for (int i = 0; i < COUNT; i++) OK(rill_mem_alloc(c.context, BYTES, &freed[i]));
    for (int i = 0; i < COUNT; i++) OK(rill_mem_free(c.context, freed[i]));
    OK(rill_module_load(c.context, &image, &module));
    OK(rill_module_variable(module, "table", &table, &size));
    assert_in_range(holder_of(freed, COUNT, table), 0, COUNT - 1);
    OK(rill_memcpy_htod(c.context, table, bytes, size));
    OK(rill_module_unload(&module));
    end_checked(&c);
    expect_nothing(&c);
}

/* A kernel that counts its runs in a variable, which the host never asks for. */
static const char counting[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .u32 runs;\n.visible .global .align 4 .u32 word;\n"
    ".visible .entry count()\n{\n.reg .b32 %r<2>;\n"
    "ld.global.u32 %r0, [runs];\nadd.u32 %r0, %r0, 1;\nst.global.u32 [runs], %r0;\nret;\n}\n";

static rill_module *load(const struct checked *c, const char *text)
{
    const rill_image image = { .size = sizeof image, .code = text, .code_bytes = strlen(text) + 1 };
    rill_module *module = NULL;
    OK(rill_module_load(c->context, &image, &module));
    return module;
}

static void launch(rill_module *module, rill_stream *stream)
{
    const rill_dim3 one = { 1, 1, 1 };
    rill_kernel *kernel;
    OK(rill_module_kernel(module, "count", &kernel));
    OK(rill_launch_kernel(stream, kernel, one, one, 0, NULL));
}

/* Also one that kernels alone use. */
static void a_variable_is_told_by_its_name(void **state)
{
    (void)state;
    struct checked c;
    begin_checked(&c);
    rill_module *module = load(&c, counting);
    launch(module, c.s);
    launch(module, c.t);
    OK(rill_context_synchronize(c.context));
    OK(rill_module_unload(&module));
    end_checked(&c);
    expect_found(&c, RILL_FINDING_RACE,
                 "kernel 'count' writes what kernel 'count' writes, and nothing orders them");
    assert_string_equal(c.found[0].memory, "bytes 0 to 3 of variable 'runs' (device 0, 4 bytes)");
}

/* Each has its own bytes, though they are beside each other. */
static void variables_are_apart(void **state)
{
    (void)state;
    struct checked c;
    rill_devptr word;
    begin_checked(&c);
    rill_module *module = load(&c, counting);
    OK(rill_module_variable(module, "word", &word, NULL));
    launch(module, c.s);
    OK(rill_memset_d32_async(c.t, word, 1, 1));
    OK(rill_context_synchronize(c.context));
    OK(rill_module_unload(&module));
    end_checked(&c);
    expect_nothing(&c);
}

static void use_word(const rill_launch *launch)
{
    (void)launch;
}

/* Unloading waits for kernels that run, and not for those that come later. */
static void variables_go_with_their_module(void **state)
{
    (void)state;
    const rill_param at = RILL_PARAM(rill_devptr);
    const rill_function function = { .name = "use", .over_grid = use_word, .params = &at,
                                     .param_count = 1 };
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    const rill_dim3 one = { 1, 1, 1 };
    struct checked c;
    rill_module *users;
    rill_kernel *use;
    rill_devptr word;
    begin_checked(&c);
    OK(rill_module_load(c.context, &image, &users));
    OK(rill_module_kernel(users, "use", &use));
    rill_module *module = load(&c, counting);
    OK(rill_module_variable(module, "word", &word, NULL));
    const void *params[] = { &word };
    OK(rill_launch_kernel(c.s, use, one, one, 0, params));
    OK(rill_module_unload(&module));
    OK(rill_launch_kernel(c.s, use, one, one, 0, params));
    OK(rill_stream_synchronize(c.s));
    OK(rill_module_unload(&users));
    end_checked(&c);
    expect_found(&c, RILL_FINDING_LIFETIME, "kernel 'use' uses memory after it was freed");
    assert_string_equal(c.found[0].memory, "bytes 0 to 3 of variable 'word' (device 0, 4 bytes)");
}

/* A managed variable is that of another context's module, too. */
static void managed_variables_outlive_their_module(void **state)
{
    (void)state;
    static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                               ".visible .global .attribute(.managed) .align 4 .u32 ours;\n";
    rill_image image = { .size = sizeof image, .code = text, .code_bytes = sizeof text };
    rill_module *first, *second;
    struct checked c;
    rill_devptr ours;
    begin_checked(&c);
    OK(rill_module_load(c.context, &image, &first));
    image.managed_of = first;
    OK(rill_module_load(c.context, &image, &second));
    OK(rill_module_variable(second, "ours", &ours, NULL));
    OK(rill_module_unload(&first));
    OK(rill_memset_d32_async(c.s, ours, 1, 1));
    OK(rill_stream_synchronize(c.s));
    OK(rill_module_unload(&second));
    end_checked(&c);
    expect_nothing(&c);
}

int main(void)
{
    setenv("RILL_CHECK", "race life log=/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_variable_is_not_the_memory_that_was_there),
        cmocka_unit_test(a_variable_is_told_by_its_name),
        cmocka_unit_test(variables_are_apart),
        cmocka_unit_test(variables_go_with_their_module),
        cmocka_unit_test(managed_variables_outlive_their_module),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
