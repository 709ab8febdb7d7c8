/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX as it is written less often: for the first GPUs, by compilers of old, by hand.  Each of
 * these texts an H200 (driver of CUDA 13.0) has compiled, or one that differs from it in
 * names and numbers alone; what is refused the assembler of CUDA 13 refuses, too.
 */
#include "ptx/machine.h"

#include <stdio.h>

#define HEAD ".version 6.5\n.target sm_60\n.address_size 64\n"
#define OLD ".version 1.4\n.target sm_13\n"

/* A kernel that is given four words and leaves four. */
#define BEGIN \
    ".visible .entry k(.param .u64 p)\n{\n" \
    ".reg .u64 %d, %t, %s; .reg .u32 %r<9>; .reg .f32 %f<9>;\n" \
    "ld.param.u64 %d, [p];\nld.global.u32 %r0, [%d]; ld.global.u32 %r1, [%d+4];\n" \
    "ld.global.u32 %r2, [%d+8]; ld.global.u32 %r3, [%d+12];\n"
#define END "st.global.u32 [%d], %r0; st.global.u32 [%d+4], %r1;\n" \
            "st.global.u32 [%d+8], %r2; st.global.u32 [%d+12], %r3;\nret;\n}\n"

struct run {
    const char *text;
    uint32_t in[4], out[4];
};

static void runs(const struct run *run)
{
    struct machine *m = machine_open();
    uint32_t *words = machine_memory(m, sizeof run->in);
    struct machine_shape shape = { .threads = 1 };
    memcpy(words, run->in, sizeof run->in);
    machine_load(m, run->text);
    machine_run(m, "k", &shape, &words, sizeof words);
    for (unsigned i = 0; i < 4; i++)
        if (words[i] != run->out[i])
            fail_msg("word %u is 0x%x, not 0x%x, of\n%s", i, words[i], run->out[i], run->text);
    machine_close(m);
}

static void all_run(const struct run *all, size_t count)
{
    for (size_t i = 0; i < count; i++) runs(&all[i]);
}

static void is_refused(const char *text, const char *words)
{
    struct machine *m = machine_open();
    machine_refuses(m, text, RILL_ERROR_INVALID_PTX, words, "line");
    machine_close(m);
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- Names with numbers ------------------------------------------------------------------ */

static void a_range_of_names_is_declared_in_any_space(void **state)
{
    (void)state;
    static const struct run all[] = {
        /* As every target region of a compiler for OpenMP calls its function. */
        { HEAD ".func put(.param .u64 a, .param .u64 v)\n{\n.reg .u64 %a, %b;\n"
          "ld.param.u64 %a, [a]; ld.param.u64 %b, [v]; st.u64 [%a], %b; ret;\n}\n"
          BEGIN "mov.u64 %t, 42;\n{\n.param .u64 %P<2>;\nst.param.u64 [%P0], %d;\n"
          "st.param.u64 [%P1], %t;\ncall put, (%P0, %P1);\n}\nret;\n}\n",
          { 1, 2, 3, 4 }, { 42, 0, 3, 4 } },
        { HEAD BEGIN ".local .u32 l<3>; .shared .u32 s<2>;\nst.local.u32 [l2], %r3;\n"
          "st.shared.u32 [s1], %r2; ld.local.u32 %r0, [l2]; ld.shared.u32 %r1, [s1];\n" END,
          { 1, 2, 3, 4 }, { 4, 3, 3, 4 } },
        { HEAD ".global .align 8 .u32 g<4>;\n.const .u32 c<2>;\n.global .v2 .u32 v<2>;\n"
          BEGIN "st.global.u32 [g3], %r3; ld.global.u32 %r0, [g3]; ld.global.u32 %r1, [g2];\n"
          "st.global.v2.u32 [v1], {%r3, %r2}; ld.global.u32 %r2, [v1]; ld.const.u32 %r3, [c1];\n"
          END, { 1, 2, 3, 4 }, { 4, 0, 4, 0 } },
        { HEAD BEGIN ".reg .v2 .u32 x<4>;\nmov.u32 x1.x, %r1; mov.u32 x1.y, %r2;\n"
          "mov.u32 x3.x, %r0; mov.u32 %r0, x1.y; mov.u32 %r3, x1.x;\n" END,
          { 1, 2, 3, 4 }, { 3, 2, 3, 2 } },
    };
    all_run(all, COUNT(all));
    is_refused(HEAD ".global .u32 g<2>;\n.global .u32 g1;\n" BEGIN END, "already");
    is_refused(HEAD ".global .u32 g<2> = 3;\n" BEGIN END, "no value");
    is_refused(HEAD ".global .u32 g<2>[4];\n" BEGIN END, "'['");
    is_refused(HEAD ".func f(.param .u32 a<2>) { ret; }\n" BEGIN END, "one by one");
    is_refused(HEAD BEGIN ".shared .u32 s<2>;\nst.shared.u32 [s2], %r0;\n" END, "nothing of this");
    is_refused(HEAD BEGIN ".reg .v2 .u32 x<2>;\nmov.u32 x2.x, %r0;\n" END, "nothing of this");
}

/* ---- Vectors ------------------------------------------------------------------------------ */

static void vectors_are_moved_and_passed(void **state)
{
    (void)state;
    static const struct run all[] = {
        { HEAD BEGIN ".reg .v4 .u32 v;\nmov.v4.u32 v, {%r3, %r2, %r1, %r0};\n"
          "mov.v4.u32 {%r0, %r1, %r2, %r3}, v;\n" END, { 1, 2, 3, 4 }, { 4, 3, 2, 1 } },
        { HEAD BEGIN "mov.v2.u32 {%r0, %r1}, {%r1, %r0};\n" END, { 1, 2, 3, 4 }, { 2, 1, 3, 4 } },
        { HEAD BEGIN ".reg .v2 .u32 v;\nmov.v2.u32 v, {7, %r3}; mov.v2.u32 v, v;\n"
          "mov.v2.u32 {_, %r0}, v; mov.u32 %r1, v.x;\n" END, { 1, 2, 3, 4 }, { 4, 7, 3, 4 } },
        { HEAD ".func (.reg .v2 .u32 out) turn(.reg .v2 .u32 in)\n{\n"
          "mov.u32 out.x, in.y; mov.u32 out.y, in.x; ret;\n}\n"
          BEGIN ".reg .v2 .u32 t;\nld.v2.u32 t, [%d];\ncall (t), turn, (t);\n"
          "st.v2.u32 [%d], t;\nret;\n}\n", { 1, 2, 3, 4 }, { 2, 1, 3, 4 } },
    };
    all_run(all, COUNT(all));
    is_refused(HEAD BEGIN ".reg .v2 .u32 v; .reg .v4 .u32 w;\nmov.v2.u32 v, w;\n" END,
               "a vector of 2");
    is_refused(HEAD BEGIN ".reg .v4 .u64 w;\n" END, "16 bytes");
}

/* ---- Numbers added to registers ------------------------------------------------------------ */

static void a_number_may_be_added_to_a_register(void **state)
{
    (void)state;
    static const struct run all[] = {
        { HEAD BEGIN "mov.u64 %t, 5;\nst.global.u64 [%d], %t + 1;\nret;\n}\n",
          { 1, 2, 3, 4 }, { 6, 0, 3, 4 } },
        { HEAD BEGIN "add.u32 %r0, %r1 + 5, %r2;\nmul.lo.u32 %r1, %r2+2, %r3 + -3;\n"
          "mul.lo.u32 %r2, %r2+2*(2+3), %r2;\n" END, { 1, 2, 3, 4 }, { 10, 5, 39, 4 } },
    };
    all_run(all, COUNT(all));
    is_refused(HEAD BEGIN "add.u32 %r0, %r1 - 5, %r2;\n" END, "'-'");
    is_refused(HEAD BEGIN "add.u32 %r0, %r1 + %r2, %r2;\n" END, "'%r2'");
    is_refused(HEAD BEGIN "add.u32 %r0 + 1, %r1, %r2;\n" END, "result");
    is_refused(HEAD BEGIN "mov.u32 %r0, %tid.x + 1;\n" END, "'+'");
    is_refused(HEAD BEGIN "mov.b64 %t, {%r0 + 1, %r1};\n" END, "'+'");
}

/* ---- cvt.pack ------------------------------------------------------------------------------ */

static void two_numbers_are_packed_above_a_third(void **state)
{
    (void)state;
    static const struct run all[] = {
        { HEAD BEGIN "cvt.pack.sat.s8.s32.b32 %r0, %r0, %r1, %r2;\n"
          "cvt.pack.sat.u8.s32.b32 %r1, %r3, %r1, %r2;\n" END,
          { 300, (uint32_t)-5, 0x12345678, 77 }, { 0x56787ffb, 0x56784d00, 0x12345678, 77 } },
        { HEAD BEGIN "cvt.pack.sat.u16.s32 %r0, %r0, %r1;\n"
          "cvt.pack.sat.s16.s32 %r1, %r2, %r3;\n" END,
          { 70000, (uint32_t)-5, 40000, (uint32_t)-40000 }, { 0xffff0000, 0x7fff8000, 40000,
                                                              (uint32_t)-40000 } },
        { HEAD BEGIN "cvt.pack.sat.u4.s32.b32 %r0, %r0, %r1, %r2;\n"
          "cvt.pack.sat.s4.s32.b32 %r1, %r1, %r3, %r2;\n" END,
          { 3, (uint32_t)-9, 0x87654321, 9 }, { 0x65432130, 0x65432187, 0x87654321, 9 } },
        { HEAD BEGIN "cvt.pack.sat.u2.s32.b32 %r0, %r0, %r1, %r2;\n"
          "cvt.pack.sat.s2.s32.b32 %r1, %r1, %r3, %r2;\n" END,
          { 2, (uint32_t)-9, 0x87654321, 9 }, { 0x76543218, 0x76543219, 0x87654321, 9 } },
    };
    all_run(all, COUNT(all));
    is_refused(HEAD BEGIN "cvt.pack.s8.s32.b32 %r0, %r0, %r1, %r2;\n" END, "needs .sat");
    is_refused(HEAD BEGIN "cvt.pack.sat.s16.s32.b32 %r0, %r0, %r1, %r2;\n" END, "no form");
}

/* ---- Video ---------------------------------------------------------------------------------- */

static void video_gives_what_an_h200_gives(void **state)
{
    (void)state;
    static const struct run all[] = {
        { HEAD BEGIN "vadd.u32.s32.u32.sat.max %r0, %r0.b0, %r1.h1, %r2;\n"
          "vmax.s32.u32.s32.sat %r1.h1, %r0.b1, %r1.h1, %r3;\n" END,
          { 0x80ff7f81, 0x8001fffe, 77, 0x12345678 }, { 0x7f82, 0x5678, 77, 0x12345678 } },
        { HEAD BEGIN "vsub.u32.u32.u32.add %r0, %r0, %r1, %r2;\n"
          "vabsdiff.s32.s32.s32.sat.min %r1, %r1, %r3, %r2;\n" END,
          { 5, 0x80000000, 77, 0x7fffffff }, { 0x80000052, 77, 77, 0x7fffffff } },
        { HEAD BEGIN "vadd.u32.u32.u32 %r0, %r0, %r1, %r2;\n" END, { 5, 6, 77, 8 },
          { 11, 6, 77, 8 } },
    };
    all_run(all, COUNT(all));
}

/* ---- Text of old ---------------------------------------------------------------------------- */

#define SMALL 0x00400000u /* 2^-127, which is subnormal */

/* As an H200 gives it, flushing on these targets included. */
static void arithmetic_of_the_first_gpus_needs_no_modes(void **state)
{
    (void)state;
    static const struct run all[] = {
        { OLD BEGIN "mov.b32 %f0, %r0; mov.b32 %f1, %r1;\nmad.f32 %f2, %f0, %f0, %f1;\n"
          "mov.b32 %r2, %f2;\nmad.sat.f32 %f2, %f0, %f0, %f1;\nmov.b32 %r3, %f2;\n" END,
          { 0x40000000, 0x40000000, 0, 0 }, { 0x40000000, 0x40000000, 0x40c00000, 0x3f800000 } },
        /* One rounding: (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24. */
        { OLD BEGIN "mov.b32 %f0, %r0; mov.b32 %f1, %r1;\nmad.f32 %f2, %f0, %f0, %f1;\n"
          "mov.b32 %r2, %f2;\n" END,
          { 0x3f800800, 0xbf801000, 0, 0 }, { 0x3f800800, 0xbf801000, 0x33800000, 0 } },
        { OLD BEGIN "mov.b32 %f0, %r0;\nadd.f32 %f1, %f0, %f0; mov.b32 %r1, %f1;\n"
          "abs.f32 %f1, %f0; mov.b32 %r2, %f1;\nmov.f32 %f1, %f0; mov.b32 %r3, %f1;\n" END,
          { SMALL, 1, 1, 1 }, { SMALL, 0, 0, SMALL } },
        { OLD BEGIN "mov.b32 %f0, %r0; mov.b32 %f1, %r1;\nmad.f32 %f2, %f0, %f1, %f0;\n"
          "mov.b32 %r2, %f2;\nmad.f32 %f2, %f1, %f1, %f0;\nmov.b32 %r3, %f2;\n" END,
          { SMALL, 0x3f800000, 1, 1 }, { SMALL, 0x3f800000, 0, 0x3f800000 } },
        { OLD BEGIN "mov.b32 %f0, %r0;\nmin.f32 %f1, %f0, %f0; mov.b32 %r3, %f1;\n"
          ".reg .pred %q; setp.gt.f32 %q, %f0, 0f00000000; selp.u32 %r1, 1, 0, %q;\n"
          "cvt.rpi.s32.f32 %r2, %f0;\n" END, { SMALL, 9, 9, 9 }, { SMALL, 0, 0, 0 } },
        { ".version 2.0\n.target sm_13\n" BEGIN "mov.b32 %f0, %r0;\n"
          "add.f32 %f1, %f0, %f0; mov.b32 %r1, %f1;\n" END, { SMALL, 1, 1, 1 },
          { SMALL, 0, 1, 1 } },
        /* The same for a later one. */
        { HEAD BEGIN "mov.b32 %f0, %r0;\nadd.f32 %f1, %f0, %f0; mov.b32 %r1, %f1;\n"
          "abs.f32 %f1, %f0; mov.b32 %r2, %f1;\n" END,
          { SMALL, 1, 1, 1 }, { SMALL, 2 * SMALL, SMALL, 1 } },
    };
    all_run(all, COUNT(all));
    is_refused(HEAD BEGIN "mad.f32 %f0, %f1, %f2, %f3;\n" END, "needs one of .rm, .rn, .rp, .rz");
    is_refused(OLD BEGIN "rcp.f32 %f0, %f1;\n" END, "this needs");
}

static void threads_had_variables_of_the_module(void **state)
{
    (void)state;
    static const char text[] = ".version 2.1\n.target sm_20\n.local .u32 a;\n.local .u32 b[2];\n"
        ".func (.reg .u32 r) get(.reg .u32 n)\n{\n.local .u32 own; .reg .u64 %t;\n"
        "st.local.u32 [own], 99; ld.local.u32 r, [b+4]; add.u32 r, r, n;\n"
        "st.local.u32 [a], r; ret;\n}\n"
        ".entry k(.param .u64 p)\n{\n.local .u32 mine; .reg .u64 %d; .reg .u32 %r<4>;\n"
        "ld.param.u64 %d, [p]; mov.u32 %r0, %tid.x;\nst.local.u32 [mine], 7;\n"
        "st.local.u32 [b+4], %r0;\ncall (%r1), get, (%r0);\nld.local.u32 %r2, [a];\n"
        "ld.local.u32 %r3, [mine];\nadd.u32 %r2, %r2, %r3;\n"
        "mad.wide.u32 %d, %r0, 4, %d;\nst.global.u32 [%d], %r2;\nexit;\n}\n";
    struct machine *m = machine_open();
    uint32_t *out = machine_memory(m, 300 * sizeof *out);
    struct machine_shape shape = { .block = { 300 } };
    machine_load(m, text);
    machine_run(m, "k", &shape, &out, sizeof out);
    for (uint32_t i = 0; i < 300; i++) assert_int_equal(out[i], 2 * i + 7);
    machine_close(m);
    is_refused(".version 3.0\n.target sm_20\n.local .u32 a;\n.entry k() { exit; }\n", "PTX 3.0");
    is_refused(".version 2.1\n.target sm_20\n.local .b8 a[524289];\n.entry k() { exit; }\n",
               "local memory");
}

/* A declaration needs no mark behind it. */
static void declarations_end_where_the_next_thing_begins(void **state)
{
    (void)state;
    static const struct run all[] = {
        { ".version 2.1\n.target sm_20\n.visible .func (.param .u32 r) f (.param .u32 x)\n"
          ".visible .func (.param .u32 r) f (.param .u32 x)\n{\n.reg .u32 %x;\n"
          "ld.param.u32 %x, [x]; add.u32 %x, %x, 1; st.param.u32 [r], %x; ret;\n}\n"
          BEGIN "call (%r0), f, (%r1);\n" END, { 1, 2, 3, 4 }, { 3, 2, 3, 4 } },
        { HEAD ".extern .func (.param .f32 r) f (.param .f32 x)\n.global .u32 g;\n" BEGIN END,
          { 1, 2, 3, 4 }, { 1, 2, 3, 4 } },
    };
    all_run(all, COUNT(all));
    is_refused(HEAD ".visible .entry k()\n" BEGIN END, "'.visible'");
    is_refused(HEAD ".func f()\nret;\n" BEGIN END, "';'");
}

static void what_is_elsewhere_is_no_matter_until_it_is_used(void **state)
{
    (void)state;
    static const struct run unused = { HEAD ".extern .global .b32 foobar[1];\n"
                                       ".extern .const .b32 c;\n" BEGIN END,
                                       { 1, 2, 3, 4 }, { 1, 2, 3, 4 } };
    runs(&unused);
    is_refused(HEAD ".extern .global .b32 foobar[1];\n" BEGIN "ld.global.u32 %r0, [foobar];\n" END,
               "foobar is declared and nowhere defined");
    is_refused(HEAD ".extern .global .b32 foobar[1];\n.global .u64 g = foobar;\n" BEGIN END,
               "foobar, which is declared and nowhere defined");
}

/* ---- Constants ------------------------------------------------------------------------------ */

static void constants_are_written_through_their_address(void **state)
{
    (void)state;
    static const struct run all[] = {
        { HEAD ".const .u32 c[2] = { 5, 6 };\n" BEGIN ".reg .pred %q;\nmov.u64 %t, c;\n"
          "cvta.const.u64 %t, %t;\nst.u32 [%t+4], %r0;\ncvta.to.global.u64 %s, %t;\n"
          "st.global.u32 [%s], %r1;\nbar.sync 0;\nld.u32 %r2, [%t]; ld.const.u32 %r3, [c+4];\n"
          "isspacep.const %q, %t;\nselp.u32 %r0, 1, 0, %q;\n" END,
          { 8, 9, 3, 4 }, { 1, 9, 9, 8 } },
    };
    all_run(all, COUNT(all));
}

/* As the assembler of CUDA 13 takes them.  It makes the same machine code of rcp with .ftz as
 * without; a conversion from bf16 is exact, so its rounding makes no difference. */
static void variables_of_a_block_are_aligned_to_more_than_a_page(void **state)
{
    (void)state;
    static const struct run all[] = {
        { HEAD BEGIN ".shared .u32 first; .shared .align 16384 .b8 tile[64];\n"
          ".local .u32 near; .local .align 8192 .b8 far[16];\n"
          "st.shared.u32 [first], %r0; st.shared.u32 [tile], %r1; ld.shared.u32 %r0, [first];\n"
          "mov.u32 %r1, tile; and.b32 %r1, %r1, 16383;\n"
          "mov.u64 %t, far; cvt.u32.u64 %r2, %t; and.b32 %r2, %r2, 8191;\n" END,
          { 7, 8, 9, 4 }, { 7, 0, 0, 4 } },
    };
    all_run(all, COUNT(all));
}

/* Triton writes its loads and stores so. */
static void a_value_may_stand_alone_in_braces(void **state)
{
    (void)state;
    static const struct run all[] = {
        { HEAD BEGIN ".reg .b16 %h<2>; .reg .pred %p; setp.eq.u32 %p, %r3, 4;\n"
          "@%p ld.global.b32 { %r0 }, [ %d + 4 ]; @!%p ld.global.b32 { %r0 }, [ %d + 8 ];\n"
          "mov.b32 %r1, { %r2 }; mov.b32 { %f1 }, %r3; @%p st.global.b32 [ %d + 8 ], { %f1 };\n"
          "ld.global.b32 { %r2 }, [ %d + 8 ]; ld.global.b8 { %h1 }, [ %d ];\n"
          "st.global.b16 [ %d + 12 ], { %h1 }; ld.global.b32 { %r3 }, [ %d + 12 ];\n" END,
          { 1, 2, 3, 4 }, { 2, 3, 4, 1 } },
    };
    all_run(all, COUNT(all));
}

static void forms_that_few_compilers_write_run(void **state)
{
    static const struct run all[] = {
        { HEAD BEGIN "mov.v4.u32 {%r0,%r1,%r2,%r3}, %ntid;\n" END, { 7, 7, 7, 7 }, { 1, 1, 1, 0 } },
        { HEAD BEGIN ".reg .v4 .b32 %v; mov.v4.b32 %v, %nctaid; mov.b32 %r2, %v.x;\n" END,
          { 7, 7, 7, 7 }, { 7, 7, 1, 7 } },
        { ".version 8.7\n.target sm_90\n.address_size 64\n" BEGIN
          ".reg .b16 %h<9>; .reg .b64 %w<4>; .reg .f64 %g<2>; .reg .b128 %q<2>;\n"
          "mov.b32 {%h0, %h1}, %r0; cvt.rz.f32.bf16 %f0, %h1; mov.b32 %r0, %f0;\n"
          "cvt.rp.f64.bf16 %g0, %h1;\n"
          "cvt.bf16.f16 %h2, %h0; cvt.u32.u16 %r1, %h2;\n"
          "rcp.rn.ftz.f64 %g0, %g0; mov.b64 {%r2, %r3}, %g0;\n" END,
          { 0x40003c01, 2, 3, 4 }, { 0x40000000, 0x3f80, 0, 0x3fe00000 } },
        { ".version 8.7\n.target sm_90\n.address_size 64\n" BEGIN
          ".reg .b16 %h<9>; .reg .b64 %w<4>; .reg .f64 %g<2>; .reg .b128 %q<2>;\n"
          "set.lt.f16.u32 %h0, %r0, %r1; set.gt.bf16.s32 %h1, %r1, %r0;\n"
          "mov.b32 %f2, %r2; mov.b32 %f3, %r3;\n"
          "set.num.f16.f32 %h2, %f2, %f2; set.eq.bf16.f32 %h3, %f2, %f3;\n"
          "mov.b32 %r0, {%h0, %h1}; mov.b32 %r1, {%h2, %h3};\n"
          "mov.b64 %w0, {%r0, %r1}; mov.b64 %w1, {%r2, %r3}; mov.b128 %q0, {%w1, %w0};\n"
          "mov.b128 %q1, %q0; mov.b128 {%w0, %w1}, %q1;\n"
          "mov.b64 {%r0, %r1}, %w0; mov.b64 {%r2, %r3}, %w1;\n" END,
          { 1, 2, 3, 4 }, { 3, 4, 0x3f803c00, 0x00003c00 } },
    };
    (void)state;
    all_run(all, COUNT(all));
}

/* ---- multimem ------------------------------------------------------------------------------- */

/* Kernels that can do with and without run without. */
#define LATER ".version 8.0\n.target sm_90\n.address_size 64\n"

static void multimem_fails_only_where_it_is_met(void **state)
{
    (void)state;
    static const char text[] = LATER
        ".entry k(.param .u64 p, .param .u32 much)\n{\n.reg .u64 %d; .reg .b32 %r<4>;\n"
        ".reg .f32 %f<4>; .reg .pred %p;\n"
        "ld.param.u64 %d, [p]; ld.param.u32 %r0, [much]; setp.eq.u32 %p, %r0, 0; @%p bra L;\n"
        "multimem.ld_reduce.relaxed.sys.global.add.acc::f32.v4.f16x2 {%r0,%r1,%r2,%r3}, [%d+8];\n"
        "multimem.st.weak.global.v4.f32 [%d], {%f0, %f1, %f2, %f3};\n"
        "multimem.red.release.gpu.global.and.b32 [%d], %r0;\n"
        "L: st.global.u32 [%d], 5; ret;\n}\n";
    struct machine *m = machine_open();
    uint32_t *out = machine_memory(m, 16);
    struct { uint32_t *out; uint32_t much; } params = { out, 0 };
    struct machine_shape shape = { .block = { 1 } };
    machine_load(m, text);
    machine_run(m, "k", &shape, &params, sizeof params);
    assert_int_equal(*out, 5);
    params.much = 1;
    machine_fails(m, "k", &shape, &params, sizeof params, RILL_ERROR_ILLEGAL_ADDRESS, "line 9",
                  "no multicast object is there");
    machine_close(m);
    is_refused(LATER BEGIN "multimem.red.global.u32 [%d], %r0;\n" END, "one of .add");
    is_refused(LATER BEGIN "multimem.st.global.add.u32 [%d], %r0;\n" END, "reduces nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_of_names_is_declared_in_any_space),
        cmocka_unit_test(vectors_are_moved_and_passed),
        cmocka_unit_test(a_number_may_be_added_to_a_register),
        cmocka_unit_test(two_numbers_are_packed_above_a_third),
        cmocka_unit_test(video_gives_what_an_h200_gives),
        cmocka_unit_test(arithmetic_of_the_first_gpus_needs_no_modes),
        cmocka_unit_test(threads_had_variables_of_the_module),
        cmocka_unit_test(declarations_end_where_the_next_thing_begins),
        cmocka_unit_test(what_is_elsewhere_is_no_matter_until_it_is_used),
        cmocka_unit_test(constants_are_written_through_their_address),
        cmocka_unit_test(variables_of_a_block_are_aligned_to_more_than_a_page),
        cmocka_unit_test(a_value_may_stand_alone_in_braces),
        cmocka_unit_test(forms_that_few_compilers_write_run),
        cmocka_unit_test(multimem_fails_only_where_it_is_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
