/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses of freed memory that are not given out again at once, and that there are always some.
 */
#include "layer-check/pairs.h"

static void a_new_allocation_has_new_addresses(void **state)
{
    struct checked c;
    rill_devptr gone, other;
    (void)state;
    begin_pair(&c);
    OK(rill_mem_alloc(c.context, BYTES, &gone));
    OK(rill_mem_free(c.context, gone));
    for (int i = 0; i < 100; i++) {
        OK(rill_mem_alloc(c.context, BYTES, &other));
        assert_int_not_equal(other, gone);
        OK(rill_mem_free(c.context, other));
    }
    end_pair(&c);
}

static void look_away(const rill_launch *launch)
{
    (void)launch;
}

static void launch_with(struct checked *c, rill_devptr memory)
{
    static const rill_param param = RILL_PARAM(rill_devptr);
    const rill_function function = { .name = "k", .over_grid = look_away, .params = &param,
                                     .param_count = 1 };
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    const void *const params[] = { &memory };
    const rill_dim3 one = { 1, 1, 1 };
    rill_module *module;
    rill_kernel *kernel;
    OK(rill_module_load(c->context, &image, &module));
    OK(rill_module_kernel(module, "k", &kernel));
    OK(rill_launch_kernel(c->s, kernel, one, one, 0, params));
    OK(rill_stream_synchronize(c->s));
    OK(rill_module_unload(&module));
}

/* Without a quarantine it would be the new memory that the kernel is given. */
static void memory_that_is_gone_is_not_the_next_program(struct checked *c, bool good)
{
    rill_devptr gone, other;
    OK(rill_mem_alloc(c->context, BYTES, &gone));
    OK(rill_mem_free(c->context, gone));
    OK(rill_mem_alloc(c->context, BYTES, &other));
    launch_with(c, good ? other : gone);
    OK(rill_context_synchronize(c->context));
    OK(rill_mem_free(c->context, other));
}
LIVES(memory_that_is_gone_is_not_the_next)

/* More is freed than there are addresses: those that wait longest are used. */
static void addresses_that_wait_do_not_run_out(void **state)
{
    struct checked c;
    size_t free_bytes, bytes;
    (void)state;
    begin_pair(&c);
    OK(rill_mem_info(c.context, &free_bytes, &bytes));
    for (int i = 0; i < 64; i++) {
        rill_devptr most;
        size_t left;
        OK(rill_mem_alloc(c.context, free_bytes / 2, &most));
        OK(rill_mem_free(c.context, most));
        OK(rill_mem_info(c.context, &left, &bytes));
        assert_int_equal(left, free_bytes);
    }
    end_pair(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_allocation_has_new_addresses),
        cmocka_unit_test(memory_that_is_gone_is_not_the_next),
        cmocka_unit_test(addresses_that_wait_do_not_run_out),
    };
    setenv("RILL_CHECK", "race life quarantine=65536 log=/dev/null", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
