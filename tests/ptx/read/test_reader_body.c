/* SPDX-License-Identifier: Apache-2.0
 *
 * Bodies: names and scopes, labels, tables, instructions and their operands.
 */
#include "ptx/reading.h"

#include <stdio.h>

/* ---- Names ----------------------------------------------------------------------------- */

static void only_registers_that_are_named_are_there(void **state)
{
    (void)state;
    const struct ptx_function *function;
    struct ptx_module *module = reading_kernel(
        ".reg .b32 x<4000000000>, y; .reg .v2 .f32 v;\n"
        "mov.b32 x3999999999, x7; mov.b32 x007, x7; mov.f32 v.y, v.x; @!%p8 ret;", &function);
    static const char *const names[] = { "y", "v.x", "v.y", "x3999999999", "x7", "%p8" };
    assert_int_equal(function->register_count, 6);
    for (unsigned i = 0; i < 6; i++) assert_string_equal(function->registers[i].name, names[i]);
    assert_int_equal(function->registers[3].type, PTX_B32);
    assert_int_equal(function->registers[5].type, PTX_PRED);
    const struct ptx_instruction *mov = reading_instruction(function, 1, PTX_OP_MOV, 2);
    assert_int_equal(mov->operands[0].index, mov->operands[1].index);
    const struct ptx_instruction *ret = reading_instruction(function, 3, PTX_OP_RET, 0);
    assert_int_equal(ret->guard, 5);
    assert_true(ret->guard_negated);
    assert_int_equal(mov->guard, PTX_NONE);
    ptx_module_free(module);
}

static void inner_names_hide_outer_ones_until_their_brace_closes(void **state)
{
    (void)state;
    const struct ptx_function *function;
    struct ptx_module *module = reading_kernel(
        ".reg .b32 a; mov.b32 a, %r1; { .reg .b64 a, %r<3>; mov.b64 a, %r1;\n"
        "{ .reg .b16 %r1; mov.b16 %r1, 0; } mov.b64 a, %r2; } mov.b32 a, %r1;\n"
        "{ .local .b8 a[3]; mov.b64 %rd1, a; }", &function);
    static const enum ptx_type types[][2] = {
        { PTX_B32, PTX_B32 }, { PTX_B64, PTX_B64 }, { PTX_B16, PTX_NO_TYPE },
        { PTX_B64, PTX_B64 }, { PTX_B32, PTX_B32 },
    };
    for (unsigned i = 0; i < 5; i++) {
        const struct ptx_operand *operands = function->instructions[i].operands;
        assert_int_equal(function->registers[operands[0].index].type, types[i][0]);
        if (types[i][1])
            assert_int_equal(function->registers[operands[1].index].type, types[i][1]);
    }
    const struct ptx_operand *first = function->instructions[0].operands;
    const struct ptx_operand *last = function->instructions[4].operands;
    assert_int_equal(first[1].index, last[1].index);
    const struct ptx_operand *local = &function->instructions[5].operands[1];
    assert_int_equal(local->kind, PTX_OPERAND_VARIABLE);
    assert_true(local->local);
    assert_int_equal(function->variables[local->index].bytes, 3);
    ptx_module_free(module);
}

static void check_target(const struct ptx_function *function, uint32_t number, uint32_t at)
{
    const struct ptx_operand *operand = &function->instructions[number].operands[0];
    assert_int_equal(operand->kind, PTX_OPERAND_LABEL);
    assert_true(operand->index < function->label_count);
    assert_int_equal(function->labels[operand->index].at, at);
}

static void a_branch_finds_the_innermost_label(void **state)
{
    (void)state;
    const struct ptx_function *function;
    struct ptx_module *module = reading_kernel(
        "L: bra L; bra M; { bra L; L: bra L; bra M; }\n"
        "{ bra L; bra END; { bra K; } K: ret; } M: ret; END:", &function);
    static const uint32_t targets[] = { 0, 9, 3, 3, 9, 0, 10, 8 };
    for (uint32_t i = 0; i < 8; i++) check_target(function, i, targets[i]);
    assert_int_equal(function->instruction_count, 10);
    ptx_module_free(module);
}

static void names_that_are_wrong_are_refused_where_they_stand(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        { "mov.u32 %r1, %r9;", 6, 14, "nothing of this name" },
        { "mov.u32 %r1,\n\t x;", 7, 3, "at 'x': nothing of this name" },
        { "{ .reg .b32 x; } mov.u32 x, 1;", 6, 26, "nothing of this name" },
        { ".reg .b32 p;", 6, 11, "one of this name already" },
        { ".reg .b32 %r3;", 6, 11, "one of this name already" },
        { "L: L: ret;", 6, 4, "one of this name already" },
        { ".reg .b32 _;", 6, 11, "has a name" },
        { "bra L;", 6, 5, "no label has this name" },
        { "bra L; { L: ret; }", 6, 5, "no label has this name" },
        { "bra %r1;", 6, 5, "something else" },
        { "{ bra %rd1; }", 6, 7, "something else" },
        { "mov.u64 %rd1, L; L: ret;", 6, 15, "nothing of this name" },
        { "L: mov.u64 %rd1, L;", 6, 18, "target of a bra alone" },
        { "call f;", 6, 6, "nothing of this name" },
        { "@%r1 ret;", 6, 2, "no predicate" },
        { "@%q ret;", 6, 2, "no predicate" },
        { "@!5 ret;", 6, 3, "a predicate is missing" },
        { "@%p1 L: ret;", 6, 6, "no such instruction" },
        { "brx.idx %r1, T; T: .branchtargets L; L: ret;", 6, 14, "nothing of this name" },
        { "T: .branchtargets L; { L: ret; }", 6, 19, "no label has this name" },
        { "T: .calltargets f;", 6, 17, "no function of this name" },
    };
    reading_in_kernel_is_refused(cases, sizeof cases / sizeof *cases);
}

/* ---- Instructions ---------------------------------------------------------------------- */

static void dots_are_sorted_by_what_they_mean(void **state)
{
    (void)state;
    const struct ptx_function *function;
    struct ptx_module *module = reading_kernel(
        "ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%r1, %r2, _, %r4}, [%rd1+16];\n"
        "cvta.to.shared.u64 %rd1, %rd2; ld.shared::cta.f32 %f1, [%rd1];\n"
        "setp.lt.and.s32 %p1|%p2, %r1, 5, !%p3; cvt.rni.sat.s32.f32 %r1, %f1;\n", &function);
    const struct ptx_instruction *ld = reading_instruction(function, 0, PTX_OP_LD, 2);
    assert_int_equal(ld->space_count, 1);
    assert_int_equal(ld->spaces[0], PTX_GLOBAL);
    assert_int_equal(ld->type_count, 1);
    assert_int_equal(ld->types[0], PTX_U32);
    assert_true(ptx_has(&ld->modifiers, PTX_MOD_NC) && ptx_has(&ld->modifiers, PTX_MOD_V4) &&
                ptx_has(&ld->modifiers, PTX_MOD_L1__NO_ALLOCATE) &&
                ptx_has(&ld->modifiers, PTX_MOD_L2__128B));
    assert_false(ptx_has(&ld->modifiers, PTX_MOD_V2));
    assert_int_equal(ld->operands[0].kind, PTX_OPERAND_VECTOR);
    assert_int_equal(ld->operands[0].list_count, 4);
    assert_int_equal(ld->operands[0].list[2].kind, PTX_OPERAND_SINK);
    assert_int_equal(ld->operands[1].kind, PTX_OPERAND_ADDRESS);
    assert_int_equal(ld->operands[1].offset, 16);
    assert_int_equal(ld->operands[1].list[0].kind, PTX_OPERAND_REGISTER);
    const struct ptx_instruction *cvta = reading_instruction(function, 1, PTX_OP_CVTA, 2);
    assert_true(ptx_has(&cvta->modifiers, PTX_MOD_TO));
    assert_int_equal(cvta->spaces[0], PTX_SHARED);
    assert_int_equal(cvta->spaces[1], PTX_GENERIC);
    const struct ptx_instruction *cta = reading_instruction(function, 2, PTX_OP_LD, 2);
    assert_int_equal(cta->spaces[0], PTX_SHARED);
    assert_true(ptx_has(&cta->modifiers, PTX_MOD_SHARED_CTA));
    const struct ptx_instruction *setp = reading_instruction(function, 3, PTX_OP_SETP, 4);
    assert_int_equal(setp->operands[0].kind, PTX_OPERAND_PAIR);
    assert_int_equal(setp->operands[0].list_count, 2);
    assert_true(setp->operands[3].negated);
    assert_int_equal(setp->place.line, 8);
    assert_int_equal(setp->place.column, 1);
    assert_int_equal(setp->operands[2].place.column, 31);
    const struct ptx_instruction *cvt = reading_instruction(function, 4, PTX_OP_CVT, 2);
    assert_int_equal(cvt->types[0], PTX_S32);
    assert_int_equal(cvt->types[1], PTX_F32);
    ptx_module_free(module);
}

static void addresses_have_a_base_and_an_offset(void **state)
{
    (void)state;
    const struct ptx_function *function;
    struct ptx_module *module = reading(
        ".global .u32 y[9];\n" BEGIN
        "ld.global.u32 %r1, [y+4*2]; ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1+-8];\n"
        "ld.local.u32 %r1, [16]; ld.global.u32 %r1, y[3]; mov.u64 %rd1, y+12; mov.u64 %rd2, y;\n"
        END);
    function = reading_function(module, "k");
    static const struct { enum ptx_operand_kind base; int64_t offset; } expected[] = {
        { PTX_OPERAND_VARIABLE, 8 }, { PTX_OPERAND_VARIABLE, 0 }, { PTX_OPERAND_REGISTER, -8 },
        { PTX_OPERAND_INTEGER, 0 },
    };
    for (uint32_t i = 0; i < 4; i++) {
        const struct ptx_operand *operand = &function->instructions[i].operands[1];
        assert_int_equal(operand->kind, PTX_OPERAND_ADDRESS);
        assert_int_equal(operand->list_count, 1);
        assert_int_equal(operand->list[0].kind, expected[i].base);
        assert_int_equal(operand->offset, expected[i].offset);
    }
    assert_false(function->instructions[0].operands[1].list[0].local);
    assert_true(function->instructions[1].operands[1].list[0].local);
    assert_int_equal(function->instructions[3].operands[1].list[0].bits, 16);
    for (uint32_t i = 4; i < 7; i++)
        assert_int_equal(function->instructions[i].operands[1].kind, PTX_OPERAND_VARIABLE);
    assert_int_equal(function->instructions[4].operands[1].offset, 12);
    assert_int_equal(function->instructions[5].operands[1].offset, 12);
    assert_int_equal(function->instructions[6].operands[1].offset, 0);
    ptx_module_free(module);
}

static void calls_take_every_form(void **state)
{
    (void)state;
    struct ptx_module *module = reading(
        ".func (.reg .b32 r) f(.reg .b32 a, .reg .b32 b) { ret; } .func g() { ret; }\n" BEGIN
        "call g; call.uni g, (); call (%r1), f, (%r2, -5); call (_), f, (%r1, %r2);\n"
        "P: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16])"
        " .noreturn;\n"
        "T: .calltargets g, f;\n"
        "{ .param .b32 r; .param .b64 a; .param .align 8 .b8 b[16];\n"
        "call (r), %rd1, (a, b), P; } call %rd1, T;" END);
    const struct ptx_function *k = reading_function(module, "k");
    assert_int_equal(reading_instruction(k, 0, PTX_OP_CALL, 1)->operands[0].kind,
                     PTX_OPERAND_FUNCTION);
    assert_int_equal(reading_instruction(k, 1, PTX_OP_CALL, 2)->operands[1].list_count, 0);
    const struct ptx_operand *call = reading_instruction(k, 2, PTX_OP_CALL, 3)->operands;
    assert_int_equal(call[0].kind, PTX_OPERAND_LIST);
    assert_int_equal(call[2].list_count, 2);
    assert_int_equal(call[2].list[1].bits, -5);
    const struct ptx_operand *through = reading_instruction(k, 4, PTX_OP_CALL, 4)->operands;
    assert_int_equal(through[1].kind, PTX_OPERAND_REGISTER);
    assert_int_equal(through[3].kind, PTX_OPERAND_TABLE);
    const struct ptx_function *prototype = k->tables[through[3].index].prototype;
    assert_int_equal(prototype->param_count, 2);
    assert_int_equal(prototype->variables[prototype->params[1]].bytes, 16);
    assert_int_equal(prototype->variables[prototype->results[0]].bytes, 4);
    assert_true(prototype->noreturn);
    const struct ptx_operand *among = reading_instruction(k, 5, PTX_OP_CALL, 2)->operands;
    const struct ptx_table *table = &k->tables[among[1].index];
    assert_int_equal(table->count, 2);
    assert_string_equal(module->functions[table->items[0]].name, "g");
    assert_string_equal(module->functions[table->items[1]].name, "f");
    ptx_module_free(module);
}

static void tables_of_labels_know_labels_that_come_later(void **state)
{
    (void)state;
    const struct ptx_function *function;
    struct ptx_module *module = reading_kernel(
        "A: T: .branchtargets A, B, A, C; brx.idx %r1, T; B: ret; C: ret;", &function);
    static const uint32_t at[] = { 0, 1, 0, 2 };
    const struct ptx_table *table = &function->tables[0];
    assert_string_equal(table->name, "T");
    assert_int_equal(table->count, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(function->labels[table->items[i]].at, at[i]);
    assert_int_equal(reading_instruction(function, 0, PTX_OP_BRX, 2)->operands[1].kind,
                     PTX_OPERAND_TABLE);
    ptx_module_free(module);
}

static void special_registers_have_components(void **state)
{
    (void)state;
    const struct ptx_function *function;
    struct ptx_module *module = reading_kernel(
        "mov.u32 %r1, %tid.x; mov.u32 %r1, %ctaid.z; mov.u32 %r1, %laneid;\n"
        "mov.u64 %rd1, %clock64; .reg .b32 %laneid; mov.u32 %r1, %laneid;", &function);
    static const struct { const char *word; uint8_t component; } expected[] = {
        { "%tid", 0 }, { "%ctaid", 2 }, { "%laneid", 0 }, { "%clock64", 0 },
    };
    for (uint32_t i = 0; i < 4; i++) {
        const struct ptx_operand *operand = &function->instructions[i].operands[1];
        assert_int_equal(operand->kind, PTX_OPERAND_SPECIAL);
        assert_string_equal(operand->special.word, expected[i].word);
        assert_int_equal(operand->special.component, expected[i].component);
    }
    assert_int_equal(function->instructions[4].operands[1].kind, PTX_OPERAND_REGISTER);
    ptx_module_free(module);
}

static void what_is_refused_later_is_read_all_the_same(void **state)
{
    (void)state;
    struct ptx_module *module = reading(
        ".global .texref t;\n" BEGIN
        "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f1, %f2}];\n"
        "tex.base.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [%rd1, %rd2, {%f1, %f2}], {%r1, %r2};\n"
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1}, {%r1, %r2}, {%r3}, {%f1};\n"
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes\n"
        " [%rd1], [%rd2, {%r1, %r2}], [%rd3];\n"
        "vmad.s32.s32.u32.sat %r1, %r2.b0, -%r3.h1, %r4; wgmma.fence.sync.aligned;\n"
        "tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r1}, [%r2 + 5];\n"
        "mbarrier.arrive.expect_tx.shared.b64 _, [%rd1], %r1;" END);
    assert_int_equal(reading_function(module, "k")->instruction_count, 8);
    ptx_module_free(module);
}

static void wrong_instructions_are_refused_where_they_are_wrong(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        { "nonsense %r1;", 6, 1, "at 'nonsense': there is no such instruction" },
        { "add.foo.u32 %r1, %r1, 1;", 6, 4, "at '.foo': nothing like this stands behind 'add'" },
        { "ld.global.shared.const.u32 %r1, [%rd1];", 6, 17, "behind 'ld'" },
        { "cvt.u32.u32.u32.u32.u32 %r1, %r1;", 6, 20, "behind 'cvt'" },
        { "mov.u32 %r1, %r2", 7, 1, "at '}': a ';' is missing" },
        { "mov.u32 %r1 %r2;", 6, 13, "a ';' is missing" },
        { "mov.u32 %r1, ;", 6, 14, "an operand is missing" },
        { "mov.u32 , %r1;", 6, 9, "an operand is missing" },
        { "ld.global.u32 %r1, [];", 6, 21, "an address is missing" },
        { "ld.global.u32 %r1, [%rd1;", 6, 25, "a ']' is missing" },
        { "ld.global.u32 %r1, [%rd1-8];", 6, 25, "write +-8" },
        { "ld.global.u32 %r1, [%rd1, %rd2];", 6, 25, "a ']' is missing" },
        { "ld.global.v2.u32 {%r1, %r2, [%rd1];", 6, 35, "a '}' is missing" },
        { "setp.eq.u32 %p1|, %r1, 1;", 6, 17, "second of two" },
        { "mov.u32 %r1, %tid;", 6, 14, "%tid.x" },
        { "mov.u32 %r1, %laneid.x;", 6, 14, "no components" },
        { ".reg .v2 .b32 v; mov.u32 %r1, v.z;", 6, 31, "no such component" },
        { "mov.u32 %r1, %r2.x;", 6, 17, "a ';' is missing" },
        { "ret;;", 6, 5, "an instruction is missing" },
        { "5;", 6, 1, "an instruction is missing" },
        { ".foo;", 6, 1, "nothing that a function is made of" },
        { ".reg .u33 x;", 6, 6, "the type of a register" },
        { ".reg .b32 x<5;", 6, 14, "a '>' is missing" },
        { ".reg .v4 .f64 x;", 6, 10, "16 bytes" },
        { ".reg .v2 .b32 x<4>; mov.b32 x4.x, %r1;", 6, 29, "nothing of this name" },
        { ".shared .u32 x[];", 6, 14, "length of this array" },
        { ".local .u32 x = 5;", 6, 15, "a ';' is missing" },
        { "ret; } }", 6, 8, "nothing that a module is made of" },
        { "{ ret;", 8, 1, "an instruction is missing, and the text ends here" },
        { "/* ret;", 6, 1, "an instruction is missing" },
        { "call g, (1;", 6, 6, "nothing of this name" },
        { "\302\265;", 6, 1, "at '?': an instruction" },
    };
    reading_in_kernel_is_refused(cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_registers_that_are_named_are_there),
        cmocka_unit_test(inner_names_hide_outer_ones_until_their_brace_closes),
        cmocka_unit_test(a_branch_finds_the_innermost_label),
        cmocka_unit_test(names_that_are_wrong_are_refused_where_they_stand),
        cmocka_unit_test(dots_are_sorted_by_what_they_mean),
        cmocka_unit_test(addresses_have_a_base_and_an_offset),
        cmocka_unit_test(calls_take_every_form),
        cmocka_unit_test(tables_of_labels_know_labels_that_come_later),
        cmocka_unit_test(special_registers_have_components),
        cmocka_unit_test(what_is_refused_later_is_read_all_the_same),
        cmocka_unit_test(wrong_instructions_are_refused_where_they_are_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
