/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions that there are not: what looks like one of integers, a comparison or a
 * conversion and is none is refused, with its place.
 */
#include "ptx/machine.h"

static void refuse(const char *const *instructions, size_t count, const char *types)
{
    struct machine *machine = machine_open();
    for (size_t i = 0; i < count; i++) {
        char *text = machine_apply_text(instructions[i], types, "sm_90");
        struct ptx_refusal refusal = { .line = 0 };
        rill_status status = machine_try_load(machine, text, strlen(text), NULL, &refusal);
        if (!status) fail_msg("taken: %s", instructions[i]);
        if (!refusal.line || !refusal.column || !refusal.message[0])
            fail_msg("no place or words: %s", instructions[i]);
        free(text);
    }
    machine_close(machine);
}

#define REFUSE(types, ...) \
    do { \
        static const char *const instructions[] = { __VA_ARGS__ }; \
        refuse(instructions, sizeof instructions / sizeof *instructions, types); \
    } while (0)

static void integers_have_few_modifiers(void **state)
{
    (void)state;
    REFUSE("b32 b32 b32", "add.b32 %d, %a, %b;", "add.sat.u32 %d, %a, %b;",
           "mul.s32 %d, %a, %b;", "mul.lo.hi.s32 %d, %a, %b;", "add.u8 %d, %a, %b;",
           "mul.wide.s64 %d, %a, %b;", "mad.lo.sat.s32 %d, %a, %b, %a;", "neg.u32 %d, %a;",
           "max.relu.u32 %d, %a, %b;", "sub.s16x2 %d, %a, %b;", "add.cc.sat.s32 %d, %a, %b;",
           "and.u32 %d, %a, %b;", "shl.u32 %d, %a, 3;", "cnot.u32 %d, %a;",
           "shf.l.b32 %d, %a, %b, 3;", "bfe.b32 %d, %a, 1, 2;", "bfind.b32 %d, %a;",
           "popc.u32 %d, %a;", "dp2a.s32.s32 %d, %a, %b, %d;", "addc.b32 %d, %a, %b;");
}

static void operands_are_counted_and_measured(void **state)
{
    (void)state;
    REFUSE("b32 b32 b64", "add.s32 %d, %a;", "add.s32 %d, %a, %a, %a;", "add.s32 %d, %a, %b;",
           "add.s64 %d, %b, %b;", "shl.b32 %d, %a;", "shl.b32 %d, %a, %b;",
           "shl.b64 %d, %b, %a;", "shl.b32 %d, %a, %a, %a;", "setp.eq.s32 %p0, %a;",
           "setp.eq.s32 %p0, %a, %b;", "setp.eq.s32 %d, %a, %a;", "setp.eq.and.s32 %p0, %a, %a;",
           "setp.eq.s32 %p0, %a, %a, %p1;", "selp.b32 %d, %a, %a, %a;", "cvt.u32.u64 %d, %a;",
           "cvt.u64.u32 %d, %a;", "cvt.u32.u32 %d;", "cvt.u32.u32 %d, %a, %a;",
           "cvt.u32.u32 %p0, %a;", "lop3.b32 %d, %a, %a, %a, %a;",
           "lop3.or.b32 %d, %a, %a, %a, 1, %p0;", "lop3.or.b32 %d|%p0, %a, %a, %a, 256, %p0;",
           "lop3.or.b32 %d|%p0, %a, %a, %a, 1;", "mov.b32 %d, %b;", "and.b32 %d, %a, !%a;",
           "tex.2d.v4.f32.f32;", "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3};",
           "tld4.r.2d.v4.f32.f32 {%f0, %f1, %f2, %f3};", "suld.b.1d.b32.zero %d;",
           "sust.p.1d.b32.zero;", "sured.b.add.1d.u32.zero [%b];", "txq.width.b32 %d;");
}

static void comparisons_go_with_their_types(void **state)
{
    (void)state;
    REFUSE("pred b32 b32", "setp.lo.s32 %d, %a, %b;", "setp.lt.b32 %d, %a, %b;",
           "setp.ltu.s32 %d, %a, %b;", "setp.nan.u32 %d, %a, %b;", "setp.eq.pred %d, %p0, %p1;",
           "setp.s32 %d, %a, %b;", "setp.eq.ne.s32 %d, %a, %b;",
           "setp.eq.and.or.s32 %d, %a, %b, %p0;", "setp.eq.ftz.s32 %d, %a, %b;",
           "setp.eq.u8 %d, %a, %b;", "set.eq.f64.f32 %d, %a, %b;", "set.u32.u32 %r0, %a, %b;",
           "slct.ftz.f32.s32 %r0, %a, %b, %a;", "selp.pred %d, %p0, %p1, %p2;");
}

static void conversions_say_how_they_round(void **state)
{
    (void)state;
    REFUSE("b32 b32 b64", "cvt.f32.s32 %d, %a;", "cvt.f64.s32 %b, %a;", "cvt.s32.f32 %d, %a;",
           "cvt.rn.s32.f32 %d, %a;", "cvt.rni.f32.s32 %d, %a;", "cvt.rn.f64.f32 %b, %a;",
           "cvt.rni.f64.f32 %b, %a;", "cvt.f32.f64 %d, %b;", "cvt.rn.rz.f32.f64 %d, %b;",
           "cvt.rn.rni.f32.f32 %d, %a;", "cvt.rn.f32.f32 %d, %a;", "cvt.rn.u32.u32 %d, %a;",
           "cvt.ftz.u32.u32 %d, %a;", "cvt.rm.relu.f16.f32 %h0, %a;",
           "cvt.rp.satfinite.f16.f32 %h0, %a;", "cvt.rm.f16x2.f32 %d, %a, %a;",
           "cvt.rm.tf32.f32 %d, %a;", "cvt.rn.satfinite.e4m3x4.f32 %d, %a, %a;",
           "cvt.u32.b32 %d, %a;", "cvt.rn.f16x2.f32 %d, %a;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_have_few_modifiers),
        cmocka_unit_test(operands_are_counted_and_measured),
        cmocka_unit_test(comparisons_go_with_their_types),
        cmocka_unit_test(conversions_say_how_they_round),
    };
    return cmocka_run_group_tests_name("ptx forms", tests, NULL, NULL);
}
