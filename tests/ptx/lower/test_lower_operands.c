/* SPDX-License-Identifier: Apache-2.0
 *
 * Which operands go with which instruction.  What is refused here the assembler of CUDA
 * 13 refuses, too, and takes what is not, but where a line says otherwise.
 */
#include "ptx/machine.h"

#include <stdio.h>

static const char frame[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".global .align 4 .u32 g;\n.shared .align 4 .u32 s;\n"
    ".visible .entry k(.param .u64 p)\n{\n"
    ".reg .b32 %%r<10>; .reg .b64 %%rd<10>; .reg .f32 %%f<10>; .reg .f64 %%fd<10>;\n"
    ".reg .b16 %%rs<10>; .reg .u32 %%u<4>; .reg .s32 %%s<4>; .reg .pred %%p<4>;\n"
    ".reg .f16 %%h<3>; .reg .f16x2 %%hh<3>; .reg .b8 %%b<3>; .reg .u64 %%q<3>;\n"
    ".local .align 4 .u32 l;\n"
    "%s\nret;\n}\n";

struct answer {
    const char *instruction;
    const char *words; /* of the refusal; NULL: there is none */
};

static const struct answer answers[] = {
    /* Kinds of registers. */
    { "add.u32 %s1, %u1, %r2;", NULL },
    { "add.s32 %f1, %r1, %r2;", "%f1 is a .f32 register" },
    { "add.f32 %f1, %r1, %f2;", NULL },
    { "add.f32 %f1, %s1, %f2;", "%s1 is a .s32 register" },
    { "mov.u32 %f1, %r1;", "does not go with .u32" },
    { "mov.b32 %f1, %u1;", NULL },
    { "add.f16 %h1, %rs1, %rs2;", NULL },
    { "add.f16x2 %r1, %r1, %hh1;", NULL },
    { "add.f16x2 %u1, %r1, %hh1;", "%u1" },
    { "add.u16 %h1, %rs1, %rs2;", "%h1" },
    /* Sizes. */
    { "add.s32 %r1, %rd1, %r2;", "%rd1 has 64 bits where .s32 needs 32" },
    { "add.s32 %rs1, %r1, %r2;", "%rs1 has 16 bits where .s32 needs 32" },
    { "shl.b32 %r1, %r2, %rs1;", "%rs1 has 16 bits where .u32 needs 32" },
    { "shl.b32 %r1, %r2, %s1;", NULL },
    { "shl.b64 %rd1, %rd2, %r1;", NULL },
    { "mul.wide.s32 %rd1, %r2, 4;", NULL },
    { "mul.wide.s32 %r1, %r2, 4;", "%r1 has 32 bits where .s64 needs 64" },
    { "cvt.u32.u16 %r1, %r2;", NULL },
    { "cvt.u16.u32 %r1, %r2;", NULL },
    { "cvt.u16.u32 %f1, %r2;", "%f1" },
    { "cvt.rn.f32.s32 %r1, %f2;", "%f2" },
    /* Numbers. */
    { "add.f32 %f1, %f1, 1.5;", NULL },
    { "add.f32 %f1, %f1, 1;", "an integer does not go with .f32" },
    { "mov.f32 %f1, 1;", "an integer does not go with .f32" },
    { "mov.u32 %r1, 1.0;", "a float does not go with .u32" },
    { "mov.b32 %r1, 1.0;", "a float does not go with .b32" },
    { "mov.b32 %r1, 0f3F800000;", NULL },
    { "mov.u32 %r1, 0f3F800000;", "a float does not go with .u32" },
    { "mov.b64 %rd1, 0f3F800000;", "a float does not go with .b64" },
    { "mov.b64 %rd1, 1.5;", NULL },
    { "mov.b16 %rs1, 1.5;", "a float does not go with .b16" },
    { "add.f32 %f1, %f1, 0d3FF0000000000000;", NULL },
    { "add.f64 %fd1, %fd1, 0f3F800000;", NULL },
    { "add.f16 %h1, %h1, 1.0;", "a float does not go with .f16" },
    { "mov.u16 %rs1, 70000;", NULL },
    { "mov.pred %p1, 1;", NULL },
    { "and.pred %p1, %p2, 1;", NULL },
    { "mov.u32 5, %r1;", "a result needs a register" },
    /* Predicates. */
    { "@%r1 add.s32 %r1, %r2, %r1;", "no predicate" },
    { "@!%p1 add.s32 %r1, %r2, %r1;", NULL },
    { "setp.eq.and.s32 %p1, %r1, 2, !%p2;", NULL },
    { "setp.eq.s32 %p1|%p2, %r2, %r3;", NULL },
    { "setp.eq.s32 %r1, %r2, %r3;", "%r1 is a .b32 register where a .pred is needed" },
    { "and.pred %p1, !%p2, %p3;", NULL },
    { "and.b32 %r1, %p1, %r2;", "%p1 is a .pred register where a .b32 is needed" },
    /* Special registers. */
    { "mov.u32 %r1, %tid.x;", NULL },
    { "mov.b32 %f1, %tid.x;", NULL },
    { "mov.u16 %rs1, %tid.x;", NULL },
    { "mov.u64 %rd1, %tid.x;", "%tid has 32 bits" },
    { "mov.v4.u32 {%r1,%r2,%r3,_}, %nclusterid;", NULL },
    { "mov.v4.u16 {%rs1,%rs2,%rs3,%rs4}, %tid;", NULL },
    { "mov.v2.u32 {%r1,%r2}, %tid;", "this special register has components: %tid.x" },
    { "mov.u32 %r1, %tid;", "this special register has components: %tid.x" },
    { "mov.u32 %r1, %clock64;", "%clock64 has 64 bits" },
    { "add.u32 %r1, %r1, %tid.x;", "works on registers and numbers" },
    { "cvt.u64.u32 %rd1, %tid.x;", NULL },
    /* Addresses. */
    { "mov.u64 %rd1, p;", NULL },
    { "mov.u64 %rd1, g+4;", NULL },
    { "mov.u32 %r1, s;", NULL },
    { "mov.u32 %r1, g;", "the address of a variable does not go with .u32" },
    { "mov.f64 %fd1, g;", "the address of a variable does not go with .f64" },
    { "add.u64 %rd1, %rd1, g;", "works on registers and numbers" },
    { "mov.u64 %rd1, l;", NULL },
    { "ld.global.b32 %f1, [%q1+4];", NULL },
    { "ld.shared.b32 %f1, [%r1];", NULL },
    { "ld.shared.b32 %f1, [s+4];", NULL },
    { "ld.global.b32 %f1, [%r1];", "%r1 has 32 bits where .u64 needs 64" },
    { "ld.global.b32 %f1, [%fd1];", "%fd1" },
    { "ld.local.b32 %r1, [16];", NULL },
    { "ld.global.u8 %b1, [%rd1];", NULL },
    { "ld.global.u8 %r1, [%rd1];", NULL },
    { "ld.global.f32 %rd2, [%rd1];", NULL },
    { "ld.global.s32 %fd1, [%rd1];", "%fd1" },
    { "ld.global.u32 %rs1, [%rd1];", "%rs1 has 16 bits where .u32 needs 32" },
    { "st.global.u8 [%rd1], 300;", NULL },
    { "st.global.f32 [%rd1], 3;", "an integer does not go with .f32" },
    { "st.global.u32 [%rd1], 3.0;", "a float does not go with .u32" },
    /* Vectors. */
    { "mov.b32 {%rs1,%rs2}, %r1;", NULL },
    { "mov.b32 {%rs1,_}, %r1;", NULL },
    { "mov.b64 {_,%r1}, %rd1;", NULL },
    { "mov.b32 %r1, {%rs1,0};", NULL },
    { "mov.b32 %r1, {%b1,%b2,%b1,%b2};", NULL },
    { "mov.b64 %rd1, {%f1,%f2};", NULL },
    { "mov.b64 %rd1, {%rs1,%rs2,%rs1,%rs2};", NULL },
    { "mov.b16 %rs1, {%b1,%b2};", NULL },
    { "mov.u64 %rd1, {%r1,%r2};", "must be two or four" },
    { "mov.b64 %rd1, {%r1,%r2,%r1};", "must be two or four" },
    { "mov.b64 %rd1, {%rs1,%rs2};", "%rs1 has 16 bits where .b32 needs 32" },
    /* A value alone in braces, as Triton writes it. */
    { "ld.global.b32 {%r1}, [%rd1];", NULL },
    { "ld.global.v2.b32 {%r1}, [%rd1];", "a vector of 2 elements belongs here" },
    { "ld.global.b32 {%r1,%r2}, [%rd1];", "one value belongs here" },
    { "ld.global.b32 {_}, [%rd1];", "one value belongs here" },
    { "ldu.global.b32 {%r1}, [%rd1];", NULL },
    { "st.global.b32 [%rd1], {%r1};", NULL },
    { "st.global.b8 [%rd1], {%rs1};", NULL },
    { "st.global.b32 [%rd1], {5};", NULL },
    { "mov.b16 {%rs1}, %h1;", NULL },
    { "mov.b32 %f1, {%r2};", NULL },
    { "mov.b32 %r1, {%tid.x};", NULL },
    { "mov.b64 {%rd1}, 7;", NULL },
    { "mov.b32 {%r1}, {%r2};", "must be two or four" },
    { "mov.u32 %r1, {%r2};", "must be two or four" },
    { "mov.b32 %r1, {%rs1};", "%rs1 has 16 bits where .b32 needs 32" },
    { "atom.global.add.u32 %r1, [%rd1], {%r2};", "one value belongs here" },
    { "red.global.add.u32 [%rd1], {%r2};", "one value belongs here" },
    { "add.u32 {%r1}, %r2, %r3;", "a result needs a register" },
    /* How many. */
    { "add.s32 %r1, %r2;", "there are 2 operands where there should be 3" },
    { "add.s32 %r1, %r2, %r3, %r4;", "there are 4 operands where there should be 3" },
    { "add.s32 _, %r2, %r3;", "the result of add cannot be dropped" },
    { "add.s32 %r1, -%r2, %r3;", "" },
    /* Modifiers and types. */
    { "add.b32 %r1, %r2, %r3;", "add has no form with type .b32" },
    { "add.hi.s32 %r1, %r2, %r3;", "cannot have .hi" },
    { "mul.s32 %r1, %r2, %r3;", "this needs one of" },
    { "fma.f32 %f1, %f1, %f2, %f3;", "this needs one of .rm, .rn, .rp, .rz" },
    { "fma.rn.rz.f32 %f1, %f1, %f2, %f3;", "" },
    { "tcgen05.fence::before_thread_sync;", "" },
    { "mov.sat.b64 {%r1,%r2}, %rd1;", "cannot have .sat" },
    { "mov.ftz.u32 %r1, %tid.x;", "cannot have .ftz" },
    { "mov.global.b64 %rd1, {%r1,%r2};", "mov is in no state space" },
    { "setp.eq.and.s32 %p1, %r1, %r2;", "there are 3 operands where there should be 4" },
};

static bool answers_so(const struct answer *answer)
{
    char text[2048];
    struct ptx_refusal refusal = { 0 };
    struct machine *m = machine_open();
    snprintf(text, sizeof text, frame, answer->instruction);
    rill_status status = machine_try_load(m, text, strlen(text), NULL, &refusal);
    bool right = answer->words ? status && strstr(refusal.message, answer->words) &&
                                     refusal.line == 12
                               : !status;
    if (!right)
        print_error("%s is answered '%s' instead of '%s' in line 12\n", answer->instruction,
                    status ? refusal.message : "fine", answer->words ? answer->words : "fine");
    machine_close(m);
    return right;
}

static void operands_are_taken_and_refused_as_by_the_assembler(void **state)
{
    bool right = true;
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        right &= answers_so(&answers[i]);
    assert_true(right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_are_taken_and_refused_as_by_the_assembler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
