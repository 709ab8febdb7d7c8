/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator gives a GPU's answers: every form of instruction in answers/forms.c, over
 * the operands that answers/measure.sh gave to a GPU, against answers/answers.txt.
 */
#include "machine.h"

#include <math.h>
#include <stdio.h>

#include "answers/answers.h"
#include "arithmetic.h"
#include "kernels.h"

static FILE *open_answers(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/../answers/answers.txt", kernel_folder());
    return fopen(path, "r");
}

static void run_form(const struct answer_form *form, struct answer_operands *operands)
{
    answer_operands(form, operands);
    machine_apply(form->instructions, form->types, ANSWER_ROWS, operands->values[0],
                  operands->values[1], operands->values[2], operands->values[3]);
}

static bool runs(void *data, const struct answer_form *form)
{
    struct machine *machine = machine_open();
    struct ptx_refusal refusal;
    char *text = machine_apply_text(form->instructions, form->types, "sm_90");
    unsigned *failures = data;
    if (machine_try_load(machine, text, strlen(text), NULL, &refusal)) {
        printf("# %s: %s\n", form->instructions, refusal.message);
        ++*failures;
    } else {
        struct answer_operands operands;
        run_form(form, &operands);
        answer_drop(&operands);
    }
    free(text);
    machine_close(machine);
    return true;
}

static void every_form_runs(void **state)
{
    (void)state;
    unsigned failures = 0;
    answer_each(runs, &failures);
    assert_int_equal(failures, 0);
}

/* ---- Against the file --------------------------------------------------------------------- */

/* NaNs are the same if all bits are; so the GPU's are asked for. */
static bool differs(const char *line, const struct answer_operands *operands, char *words,
                    size_t room)
{
    char *at;
    uint64_t hash = strtoull(line + 2, &at, 16);
    if (hash == answer_hash(operands)) return false;
    for (size_t i = 0; i < ANSWER_SAMPLES; i++) {
        size_t row = answer_sample(i, ANSWER_SAMPLES);
        uint64_t wanted = strtoull(at, &at, 16), got = answer_value(operands, row);
        if (got == wanted) continue;
        snprintf(words, room, "row %zu is 0x%llx, not 0x%llx", row, (unsigned long long)got,
                 (unsigned long long)wanted);
        return true;
    }
    snprintf(words, room, "the rows shown are the same, others are not");
    return true;
}

static double as_float(uint64_t bits, const char *type)
{
    double wide;
    float single;
    uint32_t low = (uint32_t)bits;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&single, &low, sizeof single);
    return !strncmp(type, "f64", 3) ? wide : (double)single;
}

/* Both are within the range of the exact value, so no further apart than twice that. */
static bool is_far(double got, double wanted, double ulps, double slack, const char *type)
{
    if (isnan(got) || isnan(wanted)) return isnan(got) != isnan(wanted);
    if (isinf(got) || isinf(wanted)) return got != wanted;
    int exponent, digits = !strncmp(type, "f64", 3) ? 53 : 24;
    frexp(wanted, &exponent);
    int least = digits == 53 ? -1021 : -125;
    if (exponent < least) exponent = least;
    return fabs(got - wanted) > fmax(2 * ulps * ldexp(1, exponent - digits), 2 * slack);
}

static bool is_outside(const char *line, const struct answer_form *form,
                       const struct answer_operands *operands, char *words, size_t room)
{
    char *at;
    double ulps = strtod(line + 2, &at), slack = strtod(at, &at);
    for (size_t i = 0; i < ANSWER_NEAR_SAMPLES; i++) {
        size_t row = answer_sample(i, ANSWER_NEAR_SAMPLES);
        uint64_t wanted = strtoull(at, &at, 16), got = answer_value(operands, row);
        double got_value = as_float(got, form->types), wanted_value = as_float(wanted, form->types);
        if (!is_far(got_value, wanted_value, ulps, slack, form->types)) continue;
        snprintf(words, room, "row %zu is %a, too far from %a", row, got_value, wanted_value);
        return true;
    }
    return false;
}

/* A sum, product, quotient or root of f32 or f64 that is rounded in a direction. */
static bool is_rounded_aside(const char *instructions)
{
    static const char *const kinds[] = { "add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt" };
    static const char *const ways[] = { ".rz.", ".rm.", ".rp." };
    size_t length = strcspn(instructions, "."), kind = 0, way = 0;
    while (kind < 8 && strncmp(instructions, kinds[kind], length)) kind++;
    while (way < 3 && strncmp(instructions + length, ways[way], 4)) way++;
    return kind < 8 && way < 3;
}

/* set and setp, whether two numbers are not the same. */
static bool tells_unequal(const char *instructions)
{
    return !strncmp(instructions, "set", 3) &&
           (strstr(instructions, ".ne.") || strstr(instructions, ".equ."));
}

/* What this processor would get wrong, if it is an emulated one. */
static bool is_beyond(const char *instructions)
{
    return (!arithmetic_rounds() && is_rounded_aside(instructions)) ||
           (!arithmetic_orders() && tells_unequal(instructions));
}

/* The file's next line that is no comment. */
static bool next_line(FILE *answers, char *line, int room)
{
    do {
        if (!fgets(line, room, answers)) return false;
    } while (line[0] == '#');
    line[strcspn(line, "\n")] = '\0';
    return true;
}

/* Cuts off what stands behind the answer, which must be this form. */
static bool is_of(char *line, const struct answer_form *form)
{
    char *types = strchr(line, '\t'), *text = types ? strchr(types + 1, '\t') : NULL;
    if (!text) return false;
    *types = *text = '\0';
    return !strcmp(types + 1, form->types) && !strcmp(text + 1, form->instructions);
}

static bool check_answer(const char *line, const struct answer_form *form)
{
    struct answer_operands operands;
    char words[200];
    if (line[0] == '!' || is_beyond(form->instructions)) return true;
    run_form(form, &operands);
    bool bad = line[0] == '=' ? differs(line, &operands, words, sizeof words)
                              : is_outside(line, form, &operands, words, sizeof words);
    if (bad) printf("# %s: %s\n", form->instructions, words);
    answer_drop(&operands);
    return !bad;
}

struct answers {
    FILE *file;
    unsigned failures, count;
};

static bool answer_is_given(void *data, const struct answer_form *form)
{
    char line[8192];
    struct answers *answers = data;
    if (!next_line(answers->file, line, sizeof line) || !is_of(line, form))
        fail_msg("no answer, measure.sh is to run again: %s", form->instructions);
    answers->failures += !check_answer(line, form);
    answers->count++;
    return true;
}

static void instructions_give_the_answers_of_a_gpu(void **state)
{
    (void)state;
    char line[8192];
    struct answers answers = { .file = open_answers() };
    assert_non_null(answers.file);
    answer_each(answer_is_given, &answers);
    assert_false(next_line(answers.file, line, sizeof line));
    fclose(answers.file);
    assert_true(answers.count > 100);
    assert_int_equal(answers.failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_runs),
        cmocka_unit_test(instructions_give_the_answers_of_a_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
