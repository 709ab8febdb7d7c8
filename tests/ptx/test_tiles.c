/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator gives a GPU's answers to instructions of whole warps: every form in
 * answers/tile_forms.c, over operands that a seed decides, against answers/tiles.txt.
 */
#include "machine.h"

#include <stdio.h>

#include "answers/tiles.h"
#include "arithmetic.h"
#include "kernels.h"

static FILE *open_answers(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/../answers/tiles.txt", kernel_folder());
    return fopen(path, "r");
}

/* Runs a form.  Returns false if it is refused. */
static bool run_form(struct tile_form *form, char *why, size_t room)
{
    struct machine *machine = machine_open();
    struct ptx_refusal refusal;
    char *text = tile_text(form);
    bool loaded = !machine_try_load(machine, text, strlen(text), NULL, &refusal);
    if (loaded) {
        void *params[TILE_OPERANDS] = { NULL };
        struct machine_shape shape = { .grid = { TILES }, .block = { 32 } };
        tile_operands(form);
        for (int i = 0; i < TILE_OPERANDS; i++) {
            if (!form->operands[i].words) continue;
            params[i] = machine_memory(machine, form->operands[i].bytes);
            memcpy(params[i], form->operands[i].values, form->operands[i].bytes);
        }
        machine_run(machine, "tile", &shape, params, sizeof params);
        memcpy(form->operands[0].values, params[0], form->operands[0].bytes);
    } else {
        snprintf(why, room, "%s", refusal.message);
    }
    free(text);
    machine_close(machine);
    return loaded;
}

struct comparison {
    FILE *answers;
    unsigned forms, failures;
};

/* Returns the next line of the file that is no remark. */
static const char *next_answer(FILE *answers, char *line, size_t room)
{
    while (fgets(line, (int)room, answers))
        if (*line != '#') return line;
    return NULL;
}

/* Products of f64 are fused, and rounded as the form says: an emulated processor does neither. */
static bool is_beyond(const struct tile_form *form)
{
    return strstr(form->instructions, ".f64.f64") && !(arithmetic_rounds() && arithmetic_fuses());
}

static bool agrees(void *data, struct tile_form *form)
{
    struct comparison *comparison = data;
    char line[1400], expected[1400], why[400] = "another result";
    const char *answer = next_answer(comparison->answers, line, sizeof line);
    if (!answer) fail_msg("no answer to: %s", form->instructions);
    if (is_beyond(form)) {
        tile_drop(form);
        return true;
    }
    bool ran = run_form(form, why, sizeof why);
    comparison->forms++;
    snprintf(expected, sizeof expected, "= %016llx\t%s\t%s\n",
             ran ? (unsigned long long)tile_hash(form) : 0, form->types, form->instructions);
    if (!ran || strcmp(answer, expected) != 0) {
        printf("# %s: %s\n", form->instructions, why);
        comparison->failures++;
    }
    tile_drop(form);
    return true;
}

static void answers_are_those_of_a_gpu(void **state)
{
    struct comparison comparison = { .answers = open_answers() };
    (void)state;
    assert_non_null(comparison.answers);
    tile_each(agrees, &comparison);
    fclose(comparison.answers);
    printf("# %u forms, %u differ\n", comparison.forms, comparison.failures);
    assert_int_equal(comparison.failures, 0);
}

/* ---- What a compiler makes of matrices ----------------------------------------------------- */

#define BLOCKS 3
#define SIDE (16 * BLOCKS)

/* Whole numbers of up to 2^11 are exact in f16, and their sums in f32. */
static uint16_t small_half(int value)
{
    uint32_t magnitude = (uint32_t)(value < 0 ? -value : value), exponent = 15, bits;
    if (!magnitude) return 0;
    while (magnitude >> (exponent - 15 + 1)) exponent++;
    bits = exponent << 10 | ((magnitude << 10 >> (exponent - 15)) & 0x3ff);
    return (uint16_t)(bits | (value < 0 ? 0x8000 : 0));
}

static int value_at(int seed, int i, int j)
{
    return (i * 7 + j * 13 + seed * i * j) % 23 - 11;
}

static void multiplies(const char *kernel, uint32_t width)
{
    struct machine *machine = machine_open();
    char *text = kernel_text("matrices", "sm_80");
    machine_load(machine, text);
    free(text);
    uint16_t *a = machine_memory(machine, SIDE * SIDE * sizeof *a);
    uint16_t *b = machine_memory(machine, SIDE * SIDE * sizeof *b);
    float *c = machine_memory(machine, SIDE * SIDE * sizeof *c);
    for (int i = 0; i < SIDE * SIDE; i++) {
        a[i] = small_half(value_at(1, i / SIDE, i % SIDE));
        b[i] = small_half(value_at(2, i / SIDE, i % SIDE));
    }
    struct { const uint16_t *a, *b; float *c; int n; } params = { a, b, c, BLOCKS };
    struct machine_shape shape = { .grid = { SIDE / width, BLOCKS }, .block = { 32 },
                                   .checks = PTX_CHECK_RACES };
    machine_run(machine, kernel, &shape, &params, sizeof params);
    for (int i = 0; i < SIDE * SIDE; i++) {
        int sum = 0;
        for (int k = 0; k < SIDE; k++) sum += value_at(1, i / SIDE, k) * value_at(2, k, i % SIDE);
        if (c[i] != (float)(2 * sum)) fail_msg("%s: %d: %g, not %d", kernel, i, c[i], 2 * sum);
    }
    machine_close(machine);
}

static void kernels_of_a_compiler_multiply_matrices(void **state)
{
    (void)state;
    multiplies("gemm_wmma", 16);
    multiplies("gemm_mma", 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_a_gpu),
        cmocka_unit_test(kernels_of_a_compiler_multiply_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
