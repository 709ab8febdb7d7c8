/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of PTX that run in the simulator: what they reach, and how those that go wrong
 * end.
 */
#include "sim/kernels/ptx_scene.h"

/* ---- Memory ----------------------------------------------------------------------------- */

#define STORE_AT HEAD STORE("k", "5")

static rill_status store_at(struct scene *s, rill_devptr address)
{
    const void *arguments[] = { &address };
    return run(s, 1, 1, arguments);
}

static void an_access_outside_every_allocation_is_told(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr address = 0;
    open_scene(&s);
    load(&s, STORE_AT);
    ok(rill_mem_alloc(s.context, 4, &address));
    ok(store_at(&s, address));
    is(RILL_ERROR_ILLEGAL_ADDRESS, store_at(&s, address + 4));
    SAYS("line 5", "thread (0,0,0)", "block (0,0,0)", "nothing is allocated");
    is(RILL_ERROR_ILLEGAL_ADDRESS, rill_context_synchronize(s.context));
    assert_string_equal(rill_last_error()->cause.operation, "kernel 'k'");
    close_scene(&s);
}

static void freed_memory_and_host_memory_are_out_of_reach(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr address = 0;
    uint32_t word = 0;
    open_scene(&s);
    load(&s, STORE_AT);
    ok(rill_mem_alloc(s.context, 4096, &address));
    ok(rill_mem_free(s.context, address));
    is(RILL_ERROR_ILLEGAL_ADDRESS, store_at(&s, address));
    close_scene(&s);
    open_scene(&s);
    load(&s, STORE_AT);
    is(RILL_ERROR_ILLEGAL_ADDRESS, store_at(&s, (uintptr_t)&word));
    SAYS("ordinary host memory");
    close_scene(&s);
    assert_int_equal(word, 0);
}

static void pinned_memory_and_memory_of_pools_are_reached(void **state)
{
    (void)state;
    struct scene s;
    void *pinned = NULL;
    rill_devptr address = 0;
    uint32_t word = 0;
    open_scene(&s);
    load(&s, STORE_AT);
    ok(rill_host_alloc(s.context, 64, 0, &pinned));
    ok(store_at(&s, (uintptr_t)pinned));
    assert_int_equal(*(uint32_t *)pinned, 5);
    ok(rill_mem_alloc_async(s.stream, 64, &address));
    const void *arguments[] = { &address };
    ok(rill_launch_kernel(s.stream, s.kernel, one, one, 0, arguments));
    ok(rill_memcpy_dtoh_async(s.stream, &word, address, 4));
    ok(rill_mem_free_async(s.stream, address));
    ok(rill_stream_synchronize(s.stream));
    assert_int_equal(word, 5);
    close_scene(&s);
}

/* As hardware has it: .const memory is only read by ld.const, and written as any other. */
static void constants_are_written_through_their_address(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr address = 0;
    uint32_t word = 0;
    open_scene(&s);
    load(&s, HEAD ".visible .const .u32 c = 3;\n" STORE("k", "5"));
    ok(rill_module_variable(s.module, "c", &address, NULL));
    ok(store_at(&s, address));
    ok(rill_memcpy_dtoh(s.context, &word, address, 4));
    assert_int_equal(word, 5);
    close_scene(&s);
}

static void registered_memory_may_be_read_only(void **state)
{
    (void)state;
    struct scene s;
    static uint32_t word;
    open_scene(&s);
    load(&s, STORE_AT);
    ok(rill_host_register(s.context, &word, sizeof word, RILL_HOST_READ_ONLY));
    is(RILL_ERROR_ILLEGAL_ADDRESS, store_at(&s, (uintptr_t)&word));
    close_scene(&s);
    assert_int_equal(word, 0);
}

static void variables_go_with_their_module(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr address = 0;
    size_t before = 0, after = 0, all = 0;
    uint32_t word;
    open_scene(&s);
    ok(rill_mem_info(s.context, &before, &all));
    load(&s, HEAD ".visible .global .u32 v[1000];\n" STORE("k", "5"));
    ok(rill_module_variable(s.module, "v", &address, NULL));
    ok(rill_mem_info(s.context, &after, &all));
    assert_in_range(before - after, 4000, 8192);
    ok(rill_module_unload(&s.module));
    ok(rill_mem_info(s.context, &after, &all));
    assert_int_equal(before, after);
    is(INVALID, rill_memcpy_dtoh(s.context, &word, address, 4));
    close_scene(&s);
}

static void variables_lie_where_their_alignment_says(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr word = 0, page = 0, first = 0;
    size_t bytes = 0;
    open_scene(&s);
    ok(rill_mem_alloc(s.context, 4, &first)); /* the next begins on no page */
    load(&s, HEAD ".visible .global .u32 w = 7;\n"
                  ".visible .global .align 4096 .b8 p[16];\n" STORE("k", "5"));
    ok(rill_module_variable(s.module, "w", &word, NULL));
    ok(rill_module_variable(s.module, "p", &page, &bytes));
    assert_int_equal(page % 4096, 0);
    assert_int_equal(bytes, 16);
    ok(store_at(&s, word));
    ok(store_at(&s, page + 12));
    is(RILL_ERROR_ILLEGAL_ADDRESS, store_at(&s, page + 16));
    close_scene(&s);
}

static void variables_take_what_pools_do_not_use(void **state)
{
    (void)state;
    struct scene s;
    open_with(&s, (rill_sim_options){ .memory_bytes = 16 * MIB });
    fill_with_a_pool(&s);
    load(&s, HEAD ".visible .global .b8 v[4194304];\n" STORE("k", "5"));
    close_scene(&s);
}

/* ---- Ends --------------------------------------------------------------------------------- */

#define ENDLESS HEAD ".visible .entry k() {\nL:\n bra L;\n}\n"

static void a_limit_ends_a_kernel_without_end(void **state)
{
    (void)state;
    struct scene s;
    open_with(&s, (rill_sim_options){ .ptx_steps = 100000 });
    load(&s, ENDLESS);
    rill_status status = run(&s, 3, 64, NULL);
    assert_true(rill_error_is_sticky(status));
    SAYS("line");
    close_scene(&s);
}

static void a_kernel_without_end_can_be_abandoned(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    load(&s, ENDLESS);
    ok(rill_launch_kernel(s.stream, s.kernel, (rill_dim3){ 100, 1, 1 }, (rill_dim3){ 64, 1, 1 }, 0,
                          NULL));
    is(RILL_ERROR_NOT_READY, rill_stream_query(s.stream));
    ok(rill_sim_abandon(s.platform, UINT64_C(60000000000)));
    close_scene(&s);
}

static void a_fault_ends_kernels_of_other_streams(void **state)
{
    (void)state;
    struct scene s;
    rill_stream *other = NULL;
    rill_kernel *bad = NULL;
    open_scene(&s);
    load(&s, HEAD ".visible .entry k() {\nL:\n bra L;\n}\n.visible .entry bad() { trap; }\n");
    ok(rill_module_kernel(s.module, "bad", &bad));
    ok(rill_stream_create(s.context, NULL, &other));
    ok(rill_launch_kernel(s.stream, s.kernel, one, one, 0, NULL));
    is(RILL_ERROR_NOT_READY, rill_stream_query(s.stream));
    ok(rill_launch_kernel(other, bad, one, one, 0, NULL));
    is(RILL_ERROR_LAUNCH_FAILED, rill_stream_synchronize(other));
    is(RILL_ERROR_LAUNCH_FAILED, rill_stream_synchronize(s.stream));
    rill_stream_destroy(&other);
    close_scene(&s);
}

static void races_are_told_when_asked_for(void **state)
{
    (void)state;
    static const char text[] = HEAD ".visible .entry k() {\n .reg .b32 %r;\n"
        " .shared .u32 word;\n mov.u32 %r, %tid.x;\n st.shared.u32 [word], %r;\n ret; }\n";
    struct scene s;
    open_scene(&s);
    load(&s, text);
    ok(run(&s, 1, 64, NULL));
    close_scene(&s);
    open_with(&s, (rill_sim_options){ .ptx_check = RILL_PTX_CHECK_RACES });
    load(&s, text);
    assert_true(rill_error_is_sticky(run(&s, 1, 64, NULL)));
    SAYS("line 8");
    close_scene(&s);
}

/* ---- Settings and shortage ------------------------------------------------------------- */

static rill_status try_setting(const char *variable, const char *value)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim" };
    rill_platform *platform = NULL;
    setenv(variable, value, 1);
    rill_status status = rill_open(&options, &platform);
    unsetenv(variable);
    rill_close(&platform);
    return status;
}

static void settings_come_from_the_environment(void **state)
{
    (void)state;
    struct scene s;
    ok(try_setting("RILL_PTX_CHECK", "races"));
    ok(try_setting("RILL_PTX_CHECK", ""));
    is(INVALID, try_setting("RILL_PTX_CHECK", "races,raced"));
    blames("RILL_PTX_CHECK", "raced", "races");
    is(INVALID, try_setting("RILL_PTX_STEPS", "many"));
    is(INVALID, try_setting("RILL_PTX_HEAP", "-1"));
    setenv("RILL_PTX_STEPS", "50K", 1);
    open_scene(&s);
    unsetenv("RILL_PTX_STEPS");
    load(&s, ENDLESS);
    assert_true(rill_error_is_sticky(run(&s, 1, 1, NULL)));
    close_scene(&s);
}

static void without_memory_a_launch_is_refused(void **state)
{
    (void)state;
    long nth = 0, live = rl_alloc_live();
    for (rill_status status = RILL_ERROR_OUT_OF_MEMORY; status; nth++) {
        struct scene s;
        open_with(&s, (rill_sim_options){ .workers = 1 });
        load(&s, HEAD ".visible .entry k() { .shared .b8 x[64]; ret; }\n");
        rl_alloc_fail_after(nth);
        status = rill_launch_kernel(s.stream, s.kernel, (rill_dim3){ 4, 1, 1 },
                                    (rill_dim3){ 64, 1, 1 }, 0, NULL);
        if (!status) status = rill_stream_synchronize(s.stream);
        rl_alloc_fail_after(-1);
        if (status) is(RILL_ERROR_OUT_OF_MEMORY, status);
        close_scene(&s);
        assert_true(comes_down_to(live));
    }
    assert_true(nth > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_outside_every_allocation_is_told),
        cmocka_unit_test(freed_memory_and_host_memory_are_out_of_reach),
        cmocka_unit_test(pinned_memory_and_memory_of_pools_are_reached),
        cmocka_unit_test(constants_are_written_through_their_address),
        cmocka_unit_test(registered_memory_may_be_read_only),
        cmocka_unit_test(variables_go_with_their_module),
        cmocka_unit_test(variables_lie_where_their_alignment_says),
        cmocka_unit_test(variables_take_what_pools_do_not_use),
        cmocka_unit_test(a_limit_ends_a_kernel_without_end),
        cmocka_unit_test(a_kernel_without_end_can_be_abandoned),
        cmocka_unit_test(a_fault_ends_kernels_of_other_streams),
        cmocka_unit_test(races_are_told_when_asked_for),
        cmocka_unit_test(settings_come_from_the_environment),
        cmocka_unit_test(without_memory_a_launch_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
