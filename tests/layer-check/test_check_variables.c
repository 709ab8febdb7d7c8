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

int main(void)
{
    setenv("RILL_CHECK", "race life log=/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_variable_is_not_the_memory_that_was_there),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
