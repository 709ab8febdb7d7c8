/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the parameters of kernels and their variables lie.
 */
#include "ptx/machine.h"

#include "ptx/run/program.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

static struct ptx_kernel_facts facts_of(struct machine *m, const char *kernel)
{
    struct ptx_kernel_facts facts;
    const struct ptx_kernel *found = ptx_code_kernel(machine_code(m), kernel);
    assert_non_null(found);
    ptx_kernel_facts(found, &facts);
    return facts;
}

static void refuses(const char *text, rill_status status, const char *words, const char *more)
{
    struct machine *m = machine_open();
    machine_refuses(m, text, status, words, more);
    machine_close(m);
}

static void parameters_lie_where_their_alignment_puts_them(void **state)
{
    static const uint32_t offsets[] = { 0, 8, 20, 24, 32 };
    struct machine *m = machine_open();
    (void)state;
    machine_load(m, HEAD ".visible .entry k(.param .u8 a, .param .align 8 .b8 b[12],\n"
                         ".param .u16 c, .param .u64 d, .param .u8 e) .maxntid 32, 4, 1\n"
                         "{ ret; }\n"
                         ".visible .entry l() { ret; }\n"
                         ".visible .entry n() .maxntid 1073741824, 1073741824, 16 { ret; }\n");
    const struct ptx_kernel *kernel = ptx_code_kernel(machine_code(m), "k");
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
        assert_int_equal(kernel->param_offsets[i], offsets[i]);
    assert_int_equal(facts_of(m, "k").param_bytes, 33);
    assert_int_equal(facts_of(m, "k").param_count, 5);
    assert_int_equal(facts_of(m, "k").max_threads, 128);
    assert_int_equal(facts_of(m, "l").param_bytes, 0);
    assert_int_equal(facts_of(m, "l").max_threads, 1024);
    assert_int_equal(facts_of(m, "n").max_threads, 1024);
    assert_null(ptx_code_kernel(machine_code(m), "m"));
    machine_close(m);
}

/* Dynamic memory begins behind what a kernel has; kernels with nothing in common do not know
 * of each other, though both name the same dynamic array. */
static void each_kernel_has_its_shared_memory_from_zero(void **state)
{
    struct machine *m = machine_open();
    uint64_t *out = machine_memory(m, 4 * sizeof *out);
    struct machine_shape shape = { .shared = 64 };
    (void)state;
    machine_load(m, HEAD
        ".extern .shared .align 16 .b8 more[];\n"
        ".visible .entry a(.param .u64 p)\n{\n.shared .align 4 .b8 x[20];\n"
        ".shared .align 8 .b8 y[8];\n.reg .b64 %r<4>;\n"
        "ld.param.u64 %r1, [p]; mov.u64 %r2, x; st.global.u64 [%r1], %r2;\n"
        "mov.u64 %r2, y; st.global.u64 [%r1+8], %r2;\n"
        "mov.u64 %r2, more; st.global.u64 [%r1+16], %r2;\nret;\n}\n"
        ".visible .entry b(.param .u64 p)\n{\n.reg .b64 %r<4>;\n"
        "ld.param.u64 %r1, [p]; mov.u64 %r2, more; st.global.u64 [%r1+24], %r2;\nret;\n}\n");
    machine_run(m, "a", &shape, &out, sizeof out);
    machine_run(m, "b", &shape, &out, sizeof out);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 24);
    assert_int_equal(out[2], 32);
    assert_int_equal(out[3], 0);
    assert_int_equal(facts_of(m, "a").static_shared, 32);
    assert_int_equal(facts_of(m, "b").static_shared, 0);
    machine_close(m);
}

/* Both get to `f`, which has one place for its variable; what each has is its own to say. */
static void kernels_that_share_a_function_share_a_layout(void **state)
{
    struct machine *m = machine_open();
    (void)state;
    machine_load(m, HEAD
        ".func f()\n{\n.shared .align 4 .b8 v[100];\n.reg .b64 %r<4>;\nmov.u64 %r1, v;\n"
        "ret;\n}\n"
        ".func g()\n{\ncall f;\nret;\n}\n"
        ".visible .entry a()\n{\n.shared .align 4 .b8 x[40];\n.reg .b64 %r<4>;\n"
        "mov.u64 %r1, x;\ncall g;\nret;\n}\n"
        ".visible .entry b()\n{\n.shared .align 4 .b8 y[60];\n.reg .b64 %r<4>;\n"
        "mov.u64 %r1, y;\ncall f;\nret;\n}\n"
        ".visible .entry c()\n{\nret;\n}\n");
    assert_int_equal(facts_of(m, "a").static_shared, 140);
    assert_int_equal(facts_of(m, "b").static_shared, 160);
    assert_int_equal(facts_of(m, "c").static_shared, 0);
    assert_in_range(ptx_code_kernel(machine_code(m), "a")->static_shared, 200, 208);
    assert_in_range(ptx_code_kernel(machine_code(m), "b")->static_shared, 200, 208);
    assert_int_equal(ptx_code_kernel(machine_code(m), "c")->static_shared, 0);
    machine_close(m);
}

static void more_than_there_is_of_memory_is_refused(void **state)
{
    (void)state;
    refuses(HEAD ".visible .entry k()\n{\n.shared .b8 x[200000];\n.shared .b8 y[40000];\n"
                 "ret;\n}\n", RILL_ERROR_INVALID_PTX, "240000 bytes", "line 4");
    refuses(HEAD ".visible .entry k()\n{\n.local .b8 x[1000000];\nret;\n}\n",
            RILL_ERROR_INVALID_PTX, "local memory", "line 6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_lie_where_their_alignment_puts_them),
        cmocka_unit_test(each_kernel_has_its_shared_memory_from_zero),
        cmocka_unit_test(kernels_that_share_a_function_share_a_layout),
        cmocka_unit_test(more_than_there_is_of_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
