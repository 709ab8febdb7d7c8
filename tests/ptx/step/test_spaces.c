/* SPDX-License-Identifier: Apache-2.0
 *
 * The spaces of memory: their windows of the generic addresses, their sizes, and parameters.
 */
#include "ptx/machine.h"

#define HEAD ".version 8.8\n.target sm_100\n.address_size 64\n"

static void spaces_have_windows_of_the_generic_addresses(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD
        ".const .align 4 .u32 fixed = 41;\n.global .align 4 .u32 whole = 43;\n"
        ".visible .entry k(.param .u64 to, .param .align 8 .b8 given[16])\n{\n"
        ".shared .align 8 .b8 s[2048]; .local .align 8 .b8 l[16];\n"
        ".reg .u64 %a, %g, %x; .reg .u32 %t, %v, %r; .reg .pred %p;\n"
        "ld.param.u64 %a, [to]; mov.u32 %t, %tid.x; mad.wide.u32 %a, %t, 64, %a;\n"
        /* A generic address of shared memory leads to it, and back. */
        "mov.u64 %x, s; mad.wide.u32 %x, %t, 8, %x; cvta.shared.u64 %g, %x;\n"
        "st.u32 [%g+4], %t; ld.shared.u32 %v, [%x+4]; st.global.u32 [%a], %v;\n"
        "cvta.to.shared.u64 %g, %g; sub.u64 %g, %g, %x; st.global.u64 [%a+8], %g;\n"
        /* So does one of local memory, which is each thread's own. */
        "mov.u64 %x, l; cvta.local.u64 %g, %x; add.u32 %v, %t, 1000; st.u32 [%g], %v;\n"
        "bar.sync 0; ld.local.u32 %v, [l]; st.global.u32 [%a+16], %v;\n"
        "cvta.to.local.u64 %g, %g; ld.local.u32 %v, [%g]; st.global.u32 [%a+20], %v;\n"
        /* Constant and global memory are where they are. */
        "mov.u64 %x, fixed; cvta.const.u64 %g, %x; ld.u32 %v, [%g]; st.global.u32 [%a+24], %v;\n"
        "cvta.global.u64 %g, whole; ld.u32 %v, [%g]; st.global.u32 [%a+28], %v;\n"
        "ld.const.u32 %v, [fixed]; st.global.u32 [%a+32], %v;\n"
        /* Parameters can be pointed into. */
        "mov.b64 %x, given; ld.param.u32 %v, [%x+8]; st.global.u32 [%a+36], %v;\n"
        "cvta.param.u64 %g, %x; ld.u32 %v, [%g+12]; st.global.u32 [%a+40], %v;\n"
        "isspacep.shared %p, %a; selp.u32 %r, 1, 0, %p;\n"
        "isspacep.global %p, %a; selp.u32 %v, 2, 0, %p; or.b32 %r, %r, %v;\n"
        "isspacep.local %p, %a; selp.u32 %v, 4, 0, %p; or.b32 %r, %r, %v;\n"
        "mov.u64 %x, s; cvta.shared.u64 %g, %x;\n"
        "isspacep.shared::cta %p, %g; selp.u32 %v, 8, 0, %p; or.b32 %r, %r, %v;\n"
        "isspacep.global %p, %g; selp.u32 %v, 16, 0, %p; or.b32 %r, %r, %v;\n"
        "mov.u64 %x, l; cvta.local.u64 %g, %x;\n"
        "isspacep.local %p, %g; selp.u32 %v, 32, 0, %p; or.b32 %r, %r, %v;\n"
        "mov.b64 %x, given; cvta.param.u64 %g, %x;\n"
        "isspacep.param::entry %p, %g; selp.u32 %v, 64, 0, %p; or.b32 %r, %r, %v;\n"
        "isspacep.global %p, %g; selp.u32 %v, 128, 0, %p; or.b32 %r, %r, %v;\n"
        "st.global.u32 [%a+44], %r; ret;\n}\n");
    uint32_t *to = machine_memory(m, 256 * 64);
    struct { void *to; uint32_t given[4]; } params = { to, { 1, 2, 3, 4 } };
    machine_run(m, "k", &(struct machine_shape){ .block = { 256 } }, &params, sizeof params);
    for (uint32_t i = 0; i < 256; i++) {
        const uint32_t *own = to + 16 * (size_t)i;
        const uint32_t wanted[] = { i, 0, 0, 0, i + 1000, i + 1000, 41, 43, 41, 3, 4,
                                    2 + 8 + 32 + 64 };
        assert_memory_equal(own, wanted, sizeof wanted);
    }
    machine_close(m);
}

static void shared_memory_is_as_large_as_the_launch_says(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD
        ".extern .shared .align 16 .b8 dynamic[];\n"
        ".visible .entry k(.param .u64 to)\n{\n"
        ".shared .align 4 .b8 fixed[1024];\n.reg .u64 %a; .reg .u32 %t, %x, %v;\n"
        "ld.param.u64 %a, [to]; mov.u32 %t, %tid.x; shl.b32 %x, %t, 2;\n"
        "mov.u32 %v, fixed; add.u32 %v, %v, %x; st.shared.u32 [%v], %t;\n"
        "mov.u32 %v, dynamic; add.u32 %v, %v, %x; not.b32 %t, %t; st.shared.u32 [%v], %t;\n"
        "bar.sync 0; xor.b32 %x, %x, 1020;\n"
        "mov.u32 %v, fixed; add.u32 %v, %v, %x; ld.shared.u32 %t, [%v];\n"
        "mad.wide.u32 %a, %x, 2, %a; st.global.u32 [%a], %t;\n"
        "mov.u32 %v, dynamic; add.u32 %v, %v, %x; ld.shared::cta.u32 %t, [%v];\n"
        "st.global.u32 [%a+4], %t; ret;\n}\n");
    uint32_t *to = machine_memory(m, 256 * 8);
    struct { void *to; } params = { to };
    machine_run(m, "k", &(struct machine_shape){ .block = { 256 }, .shared = 1024 }, &params,
                sizeof params);
    for (uint32_t i = 0; i < 256; i++) {
        assert_int_equal(to[2 * i], i);
        assert_int_equal(to[2 * i + 1], ~i);
    }
    machine_close(m);
}

/* A parameter of six bytes is on its boundary in every lane. */
static void parameters_of_calls_are_aligned(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD
        ".func (.param .align 4 .b8 r[6]) swap(.param .align 4 .b8 p[6])\n{\n"
        ".reg .u32 %w; .reg .u16 %h;\n"
        "ld.param.u32 %w, [p]; ld.param.u16 %h, [p+4];\n"
        "add.u32 %w, %w, 1; add.u16 %h, %h, 2;\n"
        "st.param.u32 [r], %w; st.param.u16 [r+4], %h; ret;\n}\n"
        ".visible .entry k(.param .u64 to)\n{\n.reg .u64 %a; .reg .u32 %t, %w; .reg .u16 %h;\n"
        "ld.param.u64 %a, [to]; mov.u32 %t, %tid.x; mad.wide.u32 %a, %t, 8, %a;\n"
        "cvt.u16.u32 %h, %t;\n"
        "{ .param .align 4 .b8 p[6]; .param .align 4 .b8 r[6];\n"
        "st.param.u32 [p], %t; st.param.u16 [p+4], %h;\ncall.uni (r), swap, (p);\n"
        "ld.param.u32 %w, [r]; ld.param.u16 %h, [r+4]; }\n"
        "st.global.u32 [%a], %w; st.global.u16 [%a+4], %h; ret;\n}\n");
    uint32_t *to = machine_memory(m, 64 * 8);
    struct { void *to; } params = { to };
    machine_run(m, "k", &(struct machine_shape){ .block = { 64 } }, &params, sizeof params);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(to[2 * i], i + 1);
        assert_int_equal(to[2 * i + 1], i + 2);
    }
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spaces_have_windows_of_the_generic_addresses),
        cmocka_unit_test(shared_memory_is_as_large_as_the_launch_says),
        cmocka_unit_test(parameters_of_calls_are_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
