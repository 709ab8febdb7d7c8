/* SPDX-License-Identifier: Apache-2.0
 *
 * What a module declares: its head, variables, functions and what is said of them.
 */
#include "ptx/reading.h"

/* ---- Words ----------------------------------------------------------------------------- */

static void every_word_is_found_again(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PTX_OPCODE_COUNT; i++) {
        enum ptx_opcode found = PTX_OPCODE_COUNT;
        const char *word = ptx_opcode_word((enum ptx_opcode)i);
        assert_true(ptx_find_opcode(word, strlen(word), &found));
        assert_int_equal(found, i);
    }
    for (unsigned i = 1; i < PTX_MODIFIER_COUNT; i++) {
        enum ptx_modifier found = PTX_MOD_NOTHING;
        const char *word = ptx_modifier_word((enum ptx_modifier)i);
        if (!ptx_find_modifier(word, strlen(word), &found))
            fail_msg("modifiers.def is not sorted at '%s'", word);
        assert_int_equal(found, i);
    }
    for (unsigned i = PTX_B8; *ptx_type_word((enum ptx_type)i); i++) {
        enum ptx_type found = PTX_NO_TYPE;
        const char *word = ptx_type_word((enum ptx_type)i);
        assert_true(ptx_find_type(word, strlen(word), &found));
        assert_int_equal(found, i);
        assert_int_equal(ptx_type_bytes(found) > 0, i < PTX_U4);
    }
    for (unsigned i = PTX_REG; i < PTX_GENERIC; i++) {
        enum ptx_space found = PTX_GENERIC;
        const char *word = ptx_space_word((enum ptx_space)i);
        assert_true(ptx_find_space(word, strlen(word), &found));
        assert_int_equal(found, i);
    }
}

static void words_that_are_none_are_not_found(void **state)
{
    (void)state;
    enum ptx_opcode opcode;
    enum ptx_type type;
    enum ptx_space space;
    enum ptx_modifier modifier;
    static const char *const none[] = { "", "ad", "addd", "zzz", "u3", "f321", "globa", "consts" };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        size_t bytes = strlen(none[i]);
        assert_false(ptx_find_opcode(none[i], bytes, &opcode));
        assert_false(ptx_find_type(none[i], bytes, &type));
        assert_false(ptx_find_space(none[i], bytes, &space));
        assert_false(ptx_find_modifier(none[i], bytes, &modifier));
    }
    /* Only as much as was said is looked at. */
    assert_true(ptx_find_opcode("addc", 3, &opcode));
    assert_int_equal(opcode, PTX_OP_ADD);
}

/* ---- The head -------------------------------------------------------------------------- */

static rill_status status_of(const char *text, struct ptx_module **module)
{
    struct ptx_refusal refusal;
    return ptx_read(text, strlen(text), NULL, module, &refusal);
}

static void the_head_says_version_and_target(void **state)
{
    (void)state;
    struct ptx_module *module;
    assert_int_equal(status_of("// by hand\n.version 8.3\n.target sm_90a, texmode_independent\n"
                               ".address_size 64\n", &module), RILL_SUCCESS);
    assert_int_equal(module->version, 83);
    assert_int_equal(module->target, 90);
    assert_int_equal(module->suffix, 'a');
    assert_int_equal(module->address_bits, 64);
    ptx_module_free(module);
    assert_int_equal(status_of(".version 7.0 .target compute_75", &module), RILL_SUCCESS);
    assert_int_equal(module->target, 75);
    assert_int_equal(module->suffix, 0);
    ptx_module_free(module);
    ptx_module_free(NULL);
}

static void what_is_newer_is_unsupported(void **state)
{
    (void)state;
    static const char *const newer[] = { ".version 9.1\n.target sm_90", ".version 10.0\n.rubbish",
                                         ".version 8.15\n", ".version 99999999999.0\n" };
    struct ptx_module *module;
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
        assert_int_equal(status_of(newer[i], &module), RILL_ERROR_UNSUPPORTED_PTX_VERSION);
    assert_int_equal(status_of(".version 9.0\n.target sm_90", &module), RILL_SUCCESS);
    ptx_module_free(module);
}

static void a_wrong_head_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "", "rubbish", ".version", ".version 9", ".version x", ".version 9.", ".version 9.0",
        ".version 9.0 .address_size 64", ".version 9.0 .target", ".version 9.0 .target 90",
        ".version 9.0 .target sm_", ".version 9.0 .target sm_90x", ".version 9.0 .target sm_90aa",
        ".version 9.0 .target debug", ".version 9.0 .target sm_90, nonsense",
        ".version 9.0 .target sm_90, ", ".version 9.0 .target sm_90 .address_size 32",
        ".version 9.0 .target sm_90 .version 9.0",
    };
    struct ptx_module *module;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (status_of(wrong[i], &module) != RILL_ERROR_INVALID_PTX)
            fail_msg("'%s' was read", wrong[i]);
}

/* ---- Variables ------------------------------------------------------------------------- */

static void variables_have_their_sizes_and_places(void **state)
{
    (void)state;
    struct ptx_module *module = reading(
        ".visible .global .align 16 .b8 bytes[3][5];\n"
        ".const .f64 a, b[2];\n"
        ".extern .shared .align 8 .b8 dynamic[];\n"
        ".shared .v4 .f32 quad[2];\n"
        ".global .attribute(.managed) .u32 shared_by_all;\n"
        ".weak .global .s16 w; .common .global .b128 c;\n");
    const struct ptx_variable *bytes = ptx_find_variable(module, "bytes");
    assert_int_equal(module->variable_count, 8);
    assert_int_equal(bytes->bytes, 15);
    assert_int_equal(bytes->alignment, 16);
    assert_int_equal(bytes->space, PTX_GLOBAL);
    assert_int_equal(bytes->type, PTX_B8);
    assert_true(bytes->visible && !bytes->external && !bytes->weak && !bytes->managed);
    assert_int_equal(bytes->place.line, 4);
    assert_int_equal(bytes->place.column, 32);
    assert_int_equal(ptx_find_variable(module, "a")->bytes, 8);
    assert_int_equal(ptx_find_variable(module, "b")->bytes, 16);
    assert_int_equal(ptx_find_variable(module, "b")->space, PTX_CONST);
    assert_int_equal(ptx_find_variable(module, "dynamic")->bytes, 0);
    assert_true(ptx_find_variable(module, "dynamic")->external);
    assert_int_equal(ptx_find_variable(module, "quad")->bytes, 32);
    assert_int_equal(ptx_find_variable(module, "quad")->alignment, 16);
    assert_true(ptx_find_variable(module, "shared_by_all")->managed);
    assert_true(ptx_find_variable(module, "w")->weak);
    assert_true(ptx_find_variable(module, "c")->common);
    assert_int_equal(ptx_find_variable(module, "c")->bytes, 16);
    assert_null(ptx_find_variable(module, "nothing"));
    ptx_module_free(module);
}

static void what_is_declared_twice_is_one_thing(void **state)
{
    (void)state;
    struct ptx_module *module = reading(
        ".extern .global .u32 x[];\n.extern .global .u32 x[2];\n.visible .global .u32 x[2] = {7};\n"
        ".extern .global .u32 x[2];\n"
        ".visible .func (.param .b32 r) f(.param .b64 a);\n"
        ".visible .func (.param .b32 s) f(.param .b64 b) { ret; }\n"
        ".func (.param .b32 s) f(.param .b64 c);\n");
    assert_int_equal(module->variable_count, 1);
    assert_false(module->variables[0].external);
    assert_int_equal(module->variables[0].initial_bytes, 4);
    assert_int_equal(module->variables[0].initial[0], 7);
    assert_int_equal(module->function_count, 1);
    assert_true(module->functions[0].defined);
    assert_int_equal(module->functions[0].instruction_count, 1);
    ptx_module_free(module);
}

/* ---- Functions ------------------------------------------------------------------------- */

static void a_kernel_has_its_parameters_and_directives(void **state)
{
    (void)state;
    struct ptx_module *module = reading(
        ".visible .entry k(.param .u64 .ptr .global .align 4 p,\n"
        " .hidden .param .align 8 .b8 s[24], .param .u8 c)\n"
        " .maxntid 128, 2 .minnctapersm 3 .maxnreg 40 .reqnctapercluster 2\n"
        " .pragma \"nounroll\"; { ret; }\n"
        ".entry bare .reqntid 32,1,1 { }\n");
    const struct ptx_function *k = reading_function(module, "k");
    assert_true(k->entry && k->visible && k->defined);
    assert_int_equal(k->param_count, 3);
    assert_int_equal(k->variable_count, 3);
    assert_string_equal(k->variables[k->params[1]].name, "s");
    assert_int_equal(k->variables[k->params[1]].bytes, 24);
    assert_int_equal(k->variables[k->params[1]].alignment, 8);
    assert_int_equal(k->variables[k->params[1]].space, PTX_PARAM);
    assert_int_equal(k->max_threads[0], 128);
    assert_int_equal(k->max_threads[1], 2);
    assert_int_equal(k->max_threads[2], 1);
    assert_int_equal(k->required_threads[0], 0);
    assert_int_equal(k->min_blocks, 3);
    assert_int_equal(k->max_registers, 40);
    assert_int_equal(k->cluster[0], 2);
    const struct ptx_function *bare = reading_function(module, "bare");
    assert_int_equal(bare->required_threads[0], 32);
    assert_int_equal(bare->instruction_count, 0);
    assert_null(reading_function(module, "bar"));
    ptx_module_free(module);
}

static void functions_have_parameters_in_memory_and_in_registers(void **state)
{
    (void)state;
    struct ptx_module *module = reading(
        ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
        ".func (.reg .b32 r) f(.reg .b32 x, .reg .pred q, .param .align 16 .b8 rest[])\n"
        "{ add.u32 r, x, 1; ret; }\n"
        ".weak .func g() .noreturn;\n"
        ".func (.param .b32 r) other(.param .b64 a, .param .b64 b) { ret; }\n"
        ".visible .func (.param .b32 r) same(.param .b64 a, .param .b64 b);\n"
        ".alias same, other;\n");
    const struct ptx_function *f = reading_function(module, "f");
    const struct ptx_function *print = reading_function(module, "vprintf");
    assert_true(print->external && !print->defined);
    assert_int_equal(print->param_count, 2);
    assert_int_equal(print->result_count, 1);
    assert_int_equal(f->param_count, 3);
    assert_int_equal(f->result_count, 1);
    assert_int_equal(f->variables[f->results[0]].space, PTX_REG);
    assert_int_equal(f->variables[f->params[1]].type, PTX_PRED);
    assert_int_equal(f->variables[f->params[2]].bytes, 0);
    assert_int_equal(f->variables[f->params[2]].reg, PTX_NONE);
    /* "r" and "x" of the body are those of the head. */
    const struct ptx_instruction *add = reading_instruction(f, 0, PTX_OP_ADD, 3);
    assert_int_equal(add->operands[0].index, f->variables[f->results[0]].reg);
    assert_int_equal(add->operands[1].index, f->variables[f->params[0]].reg);
    assert_true(reading_function(module, "g")->noreturn);
    assert_true(reading_function(module, "g")->weak);
    assert_true(reading_function(module, "same")->defined);
    assert_string_equal(reading_function(module, "same")->name, "same");
    ptx_module_free(module);
}

static void an_alias_takes_the_place_of_no_function(void **state)
{
    static const struct refused cases[] = {
        { ".func f() { ret; } .func g() { ret; } .alias f, g;", 4, 46, "has a body of its own" },
        { ".entry k() { ret; } .func g() { ret; } .alias k, g;", 4, 47, "is a kernel" },
        { ".entry k() { ret; } .func g(); .alias g, k;", 4, 39, "of a kernel" },
        { ".func g() { ret; } .alias f, g;", 4, 27, "no such function" },
    };
    (void)state;
    reading_is_refused(cases, sizeof cases / sizeof *cases);
}

static void what_is_for_debuggers_is_skipped(void **state)
{
    (void)state;
    struct ptx_module *module = reading(
        ".file 1 \"a file.cu\", 123, 456\n"
        ".section .debug_str { label: .b8 1, 2\n .b64 name }\n"
        ".pragma \"x\", \"y\";\n# 5 \"line\"\n@@DWARF .byte 3\n/* a { comment ; */\n"
        ".entry k() { .loc 1 2 3\n ret; .loc 1 2 3, function_name $L__info + 7, inlined_at 1 2 3\n"
        " .pragma \"z\"; ret; .loc 1 9 9\n}\n.section .debug_loc { }\n");
    assert_int_equal(module->functions[0].instruction_count, 2);
    assert_int_equal(module->functions[0].instructions[1].place.line, 13);
    ptx_module_free(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_is_found_again),
        cmocka_unit_test(words_that_are_none_are_not_found),
        cmocka_unit_test(the_head_says_version_and_target),
        cmocka_unit_test(what_is_newer_is_unsupported),
        cmocka_unit_test(a_wrong_head_is_refused),
        cmocka_unit_test(variables_have_their_sizes_and_places),
        cmocka_unit_test(what_is_declared_twice_is_one_thing),
        cmocka_unit_test(a_kernel_has_its_parameters_and_directives),
        cmocka_unit_test(functions_have_parameters_in_memory_and_in_registers),
        cmocka_unit_test(an_alias_takes_the_place_of_no_function),
        cmocka_unit_test(what_is_for_debuggers_is_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
