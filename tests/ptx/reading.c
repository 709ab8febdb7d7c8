/* SPDX-License-Identifier: Apache-2.0 */
#include "reading.h"

#include <stdio.h>

static rill_status read_text(const char *text, struct ptx_module **module,
                             struct ptx_refusal *refusal)
{
    /* On the heap, so that tools see who reads behind its end. */
    size_t bytes = strlen(text);
    char *exact = malloc(bytes ? bytes : 1);
    assert_non_null(exact);
    memcpy(exact, text, bytes);
    rill_status status = ptx_read(exact, bytes, NULL, module, refusal);
    free(exact);
    return status;
}

static char *join(const char *a, const char *b, const char *c)
{
    char *text = malloc(strlen(a) + strlen(b) + strlen(c) + 1);
    assert_non_null(text);
    return strcat(strcat(strcpy(text, a), b), c);
}

struct ptx_module *reading(const char *text)
{
    struct ptx_module *module;
    struct ptx_refusal refusal;
    char *whole = join(HEAD, text, "");
    if (read_text(whole, &module, &refusal)) fail_msg("%s\n%s", refusal.message, whole);
    free(whole);
    return module;
}

const struct ptx_function *reading_function(const struct ptx_module *module, const char *name)
{
    for (uint32_t i = 0; i < module->function_count; i++)
        if (!strcmp(module->functions[i].name, name)) return &module->functions[i];
    return NULL;
}

struct ptx_module *reading_kernel(const char *body, const struct ptx_function **function)
{
    char *text = join(BEGIN, body, END);
    struct ptx_module *module = reading(text);
    free(text);
    *function = reading_function(module, "k");
    assert_non_null(*function);
    return module;
}

static void check_refused(const struct refused *wrong, const char *whole)
{
    struct ptx_module *module = NULL;
    struct ptx_refusal refusal;
    char place[64];
    long live = rl_alloc_live();
    rill_status status = read_text(whole, &module, &refusal);
    if (!status) fail_msg("this was read:\n%s", whole);
    assert_null(module);
    assert_int_equal(status, refusal.status);
    assert_int_equal(rl_alloc_live(), live);
    snprintf(place, sizeof place, "line %u, column %u", refusal.line, refusal.column);
    if (status != RILL_ERROR_INVALID_PTX || refusal.line != wrong->line ||
        refusal.column != wrong->column || !strstr(refusal.message, wrong->words) ||
        strncmp(refusal.message, place, strlen(place)) != 0)
        fail_msg("'%s' is said instead of line %u, column %u, '%s' of\n%s", refusal.message,
                 wrong->line, wrong->column, wrong->words, whole);
}

static void refuse_all(const struct refused *cases, size_t count, const char *before,
                       const char *behind)
{
    for (size_t i = 0; i < count; i++) {
        char *whole = join(before, cases[i].text, behind);
        check_refused(&cases[i], whole);
        free(whole);
    }
}

void reading_is_refused(const struct refused *cases, size_t count)
{
    refuse_all(cases, count, HEAD, "");
}

void reading_in_kernel_is_refused(const struct refused *cases, size_t count)
{
    refuse_all(cases, count, HEAD BEGIN, END);
}

char *reading_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    *bytes = (size_t)size;
    char *text = malloc(*bytes + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *bytes, file), *bytes);
    text[*bytes] = 0;
    fclose(file);
    return text;
}

const struct ptx_instruction *reading_instruction(const struct ptx_function *function,
                                                  uint32_t number, enum ptx_opcode opcode,
                                                  uint32_t operands)
{
    assert_true(number < function->instruction_count);
    const struct ptx_instruction *instruction = &function->instructions[number];
    assert_string_equal(ptx_opcode_word(instruction->opcode), ptx_opcode_word(opcode));
    assert_int_equal(instruction->operand_count, operands);
    return instruction;
}
