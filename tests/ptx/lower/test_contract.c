/* SPDX-License-Identifier: Apache-2.0
 *
 * Products and sums that an assembler makes one instruction: the difference is seen where a
 * product that is rounded is what is taken away from it.
 */
#include "ptx/machine.h"

#include <stdio.h>

/* %f0 * %f1 is 1 + 2^-11 + 2^-24, of which f32 keeps all but the last; -%f2 is what it keeps. */
static const char frame[] =
    ".version 8.0\n.target sm_90%s\n.address_size 64\n"
    ".visible .entry k(.param .u64 p)\n{\n"
    ".reg .u64 %%d; .reg .f32 %%f<12>; .reg .f64 %%g<9>; .reg .b32 %%r<9>; .reg .pred %%p<2>;\n"
    "ld.param.u64 %%d, [p];\nld.global.v4.f32 {%%f0,%%f1,%%f2,%%f3}, [%%d];\n"
    "ld.global.v4.f32 {%%f4,%%f5,%%f6,%%f7}, [%%d]; setp.gt.f32 %%p0, %%f0, 0f00000000;\n"
    "%s\nst.global.v2.f32 [%%d], {%%f8,%%f9};\nret;\n}\n";

#define ONCE 0x33800000u  /* 2^-24: rounded once                */
#define MINUS 0xb3800000u /* and the other way around           */
#define TWICE 0u          /* nothing is left of what was cut    */

struct sum {
    const char *text;
    uint32_t first, second; /* %f8 and %f9 */
};

static const struct sum sums[] = {
    { "mul.f32 %f9, %f0, %f1; add.f32 %f8, %f9, %f2; mov.f32 %f9, 0f00000000;", ONCE, 0 },
    { "mul.f32 %f10, %f0, %f1; add.f32 %f8, %f2, %f10; mov.f32 %f9, %f8;", ONCE, ONCE },
    { "neg.f32 %f2, %f2; mul.f32 %f10, %f0, %f1; sub.f32 %f8, %f10, %f2; mov.f32 %f9, %f8;",
      ONCE, ONCE },
    { "neg.f32 %f2, %f2; mul.f32 %f10, %f0, %f1; sub.f32 %f8, %f2, %f10; mov.f32 %f9, %f8;",
      MINUS, MINUS },
    { "mul.ftz.f32 %f10, %f0, %f1; add.ftz.sat.f32 %f8, %f10, %f2; mov.f32 %f9, %f8;", ONCE, ONCE },
    { "mul.f32 %f10, %f0, %f1; @%p0 add.f32 %f8, %f10, %f2; mov.f32 %f9, %f8;", ONCE, ONCE },
    { "mul.f32 %f10, %f0, %f1; bar.sync 0; NOBODY: add.f32 %f8, %f10, %f2; mov.f32 %f9, %f8;",
      ONCE, ONCE },
    { "mul.f32 %f0, %f0, %f1; add.f32 %f0, %f0, %f2; mov.f32 %f8, %f0; mov.f32 %f9, %f8;",
      ONCE, ONCE },
    /* All that reads the product takes it in, or nobody does. */
    { "mul.f32 %f10, %f0, %f1; add.f32 %f8, %f10, %f2; add.f32 %f9, %f2, %f10;", ONCE, ONCE },
    { "mul.f32 %f10, %f0, %f1; add.f32 %f8, %f10, %f2; max.f32 %f11, %f10, %f10; "
      "add.f32 %f9, %f10, %f2;", TWICE, TWICE },
    { "mul.f32 %f10, %f0, %f1; add.f32 %f8, %f10, %f2; st.global.f32 [%d+8], %f10; "
      "mov.f32 %f9, %f8;", TWICE, TWICE },
    { "mul.f32 %f10, %f0, %f1; add.f32 %f8, %f10, %f2; @%p0 bra NEXT; bar.sync 0; "
      "st.global.f32 [%d+8], %f2; NEXT: add.f32 %f9, %f10, %f4;", TWICE, 0x40000c00u },
    { "mul.f32 %f10, %f0, %f1; @%p0 bra NEXT; bar.sync 0; st.global.f32 [%d+8], %f2; NEXT: "
      "add.f32 %f8, %f10, %f2; mov.f32 %f9, %f8;", TWICE, TWICE },
    /* What says how it is rounded, or when it happens. */
    { "mul.rn.f32 %f10, %f0, %f1; add.f32 %f8, %f10, %f2; mov.f32 %f9, %f8;", TWICE, TWICE },
    { "mul.f32 %f10, %f0, %f1; add.rn.f32 %f8, %f10, %f2; mov.f32 %f9, %f8;", TWICE, TWICE },
    { "mul.sat.f32 %f10, %f0, %f1; sub.f32 %f8, %f10, 0f3F800000; mov.f32 %f9, %f8;",
      TWICE, TWICE },
    { "mul.ftz.f32 %f10, %f0, %f1; add.f32 %f8, %f10, %f2; mov.f32 %f9, %f8;", TWICE, TWICE },
    { "mov.f32 %f10, %f0; @%p0 mul.f32 %f10, %f0, %f1; add.f32 %f8, %f10, %f2; mov.f32 %f9, %f8;",
      TWICE, TWICE },
    { "mul.f32 %f10, %f0, %f1; add.f32 %f8, %f10, %f10; mov.f32 %f9, %f8;", 0x40001000u,
      0x40001000u },
    /* A sum of two products takes in the first of them, or the one that nobody else reads. */
    { "mul.f32 %f10, %f0, %f1; mul.f32 %f11, %f4, %f5; sub.f32 %f8, %f10, %f11; mov.f32 %f9, %f8;",
      ONCE, ONCE },
    { "mul.f32 %f11, %f4, %f5; mul.f32 %f10, %f0, %f1; sub.f32 %f8, %f10, %f11; mov.f32 %f9, %f8;",
      ONCE, ONCE },
    { "mul.f32 %f10, %f0, %f1; mul.f32 %f11, %f4, %f5; sub.f32 %f8, %f10, %f11; "
      "add.f32 %f9, %f10, %f2;", MINUS, TWICE },
    { "mul.f32 %f10, %f0, %f1; mul.f32 %f11, %f4, %f5; sub.f32 %f8, %f10, %f11; "
      "sub.f32 %f9, %f11, %f10;", ONCE, MINUS },
};

static void machine_sums(const char *option, const struct sum *sum, uint32_t words[2])
{
    char text[2048];
    const float near = 1 + 0x1p-12f, in[8] = { near, near, -1 - 0x1p-11f, 0, near, near, 0, 0 };
    struct machine *m = machine_open();
    struct machine_shape shape = { .threads = 1 };
    uint32_t *memory = machine_memory(m, sizeof in);
    memcpy(memory, in, sizeof in);
    snprintf(text, sizeof text, frame, option, sum->text);
    machine_load(m, text);
    machine_run(m, "k", &shape, &memory, sizeof memory);
    memcpy(words, memory, 2 * sizeof *words);
    machine_close(m);
}

static void sums_take_products_in_as_the_assembler_lets_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        uint32_t words[2];
        machine_sums("", &sums[i], words);
        if (words[0] != sums[i].first || words[1] != sums[i].second)
            fail_msg("%s\ngives 0x%x and 0x%x, not 0x%x and 0x%x", sums[i].text, words[0],
                     words[1], sums[i].first, sums[i].second);
    }
}

static void text_for_a_debugger_is_left_as_it_is(void **state)
{
    (void)state;
    uint32_t words[2];
    machine_sums(", debug", &sums[1], words);
    assert_int_equal(words[0], TWICE);
}

static void doubles_and_halves_are_taken_in_too(void **state)
{
    (void)state;
    static const struct sum all[] = {
        { "cvt.f64.f32 %g0, %f0; add.f64 %g0, %g0, 0d3E10000000000000; mul.f64 %g1, %g0, %g0; "
          "mul.rn.f64 %g2, %g0, %g0; sub.f64 %g3, %g1, %g2; setp.ne.f64 %p1, %g3, "
          "0d0000000000000000; selp.f32 %f8, 0f3F800000, 0f00000000, %p1; mov.f32 %f9, %f8;",
          0x3f800000u, 0x3f800000u },
        { "mov.b32 %r0, 0x3c013c01; mul.f16x2 %r1, %r0, %r0; mul.rn.f16x2 %r2, %r0, %r0; "
          "sub.f16x2 %r3, %r1, %r2; mov.b32 %f8, %r3; mov.f32 %f9, %f8;", 0x00100010u,
          0x00100010u },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        uint32_t words[2];
        machine_sums("", &all[i], words);
        assert_int_equal(words[0], all[i].first);
    }
}

static void a_number_of_an_fma_cannot_be_negated_by_hand(void **state)
{
    (void)state;
    char text[2048];
    struct machine *m = machine_open();
    snprintf(text, sizeof text, frame, "", "fma.rn.f32 %f8, !%f0, %f1, %f2;");
    machine_refuses(m, text, RILL_ERROR_INVALID_PTX, "negated", "line");
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_take_products_in_as_the_assembler_lets_them),
        cmocka_unit_test(text_for_a_debugger_is_left_as_it_is),
        cmocka_unit_test(doubles_and_halves_are_taken_in_too),
        cmocka_unit_test(a_number_of_an_fma_cannot_be_negated_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
