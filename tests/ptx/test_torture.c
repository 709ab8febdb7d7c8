/* SPDX-License-Identifier: Apache-2.0
 *
 * Random kernels leave what the model says, in blocks and grids of every size.
 *
 *     RILL_TEST_SEED=7 RILL_TEST_ROUNDS=1 RILL_TEST_TEXT=1 test_torture
 *
 * begins with that seed, runs so many kernels, and shows the text of one that fails, as
 * small as it still does.
 */
#include "torture.h"

#include <stdio.h>

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *value = getenv(name);
    return value ? strtoull(value, NULL, 0) : otherwise;
}

static const uint32_t lane_blocks[] = { 32, 64, 96, 256, 288, 512, 1024 };
static const uint32_t any_blocks[] = { 1, 2, 31, 33, 50, 100, 255, 257, 300, 700, 1023 };

static struct torture_result first_result(const struct torture *torture, struct dice *dice)
{
    struct torture_result result = {
        .grid = 1 + (uint32_t)dice_below(dice, 4),
        .block = torture->lanes ? lane_blocks[dice_below(dice, 7)]
                                : any_blocks[dice_below(dice, 11)],
    };
    size_t count = (size_t)result.grid * result.block * REGISTERS;
    result.registers = malloc(count * sizeof *result.registers);
    if (!result.registers) abort();
    for (size_t i = 0; i < count; i++)
        result.registers[i] = (uint32_t)(dice_next(dice) >> (32 + dice_below(dice, 32)));
    return result;
}

/* Where the two differ: the words go to `what`, and true is the answer. */
static bool differ(const struct torture_result *model, const uint32_t *registers,
                   const uint32_t *counters, char *what, size_t room)
{
    for (size_t i = 0; i < (size_t)model->grid * model->block * REGISTERS; i++)
        if (registers[i] != model->registers[i]) {
            size_t thread = i / REGISTERS;
            snprintf(what, room, "register %zu of thread %zu of block %zu is 0x%08x, not 0x%08x",
                     i % REGISTERS, thread % model->block, thread / model->block,
                     (unsigned)registers[i], (unsigned)model->registers[i]);
            return true;
        }
    for (unsigned k = 0; k < COUNTERS; k++)
        if (counters[k] != model->counters[k]) {
            snprintf(what, room, "counter %u is 0x%08x, not 0x%08x", k, (unsigned)counters[k],
                     (unsigned)model->counters[k]);
            return true;
        }
    return false;
}

/* True: it does not do what the model does. */
static bool fails(uint64_t seed, unsigned size, bool show, char *what, size_t room)
{
    static struct torture torture;
    torture_make(&torture, seed, size);
    char *text = torture_text(&torture);
    if (show) printf("%s\n", text);
    struct dice dice = { seed ^ 0x5eed };
    struct torture_result model = first_result(&torture, &dice);
    size_t bytes = (size_t)model.grid * model.block * REGISTERS * sizeof(uint32_t);

    struct machine *machine = machine_open();
    machine_load(machine, text);
    struct { uint32_t *registers, *counters; } params = {
        machine_memory(machine, bytes), machine_memory(machine, COUNTERS * sizeof(uint32_t)),
    };
    memcpy(params.registers, model.registers, bytes);
    struct machine_shape shape = { .grid = { model.grid }, .block = { model.block },
                                   .threads = 1 + (unsigned)dice_below(&dice, 3) };
    rill_status status = machine_launch(machine, "torture", &shape, &params, sizeof params);
    torture_model(&torture, &model);
    bool bad;
    if (status) {
        snprintf(what, room, "status %d: %s", (int)status, machine_fault(machine)->message);
        bad = true;
    } else {
        bad = differ(&model, params.registers, params.counters, what, room);
    }
    machine_close(machine);
    free(model.registers);
    free(text);
    return bad;
}

static void random_kernels_do_what_the_model_does(void **state)
{
    (void)state;
    uint64_t seed = from_environment("RILL_TEST_SEED", 1);
    uint64_t rounds = from_environment("RILL_TEST_ROUNDS", 500);
    const char *scale = getenv("RILL_TEST_SCALE");
    if (scale && atoi(scale) > 1) rounds = rounds / (unsigned)atoi(scale) + 1;
    for (uint64_t end = seed + rounds; seed < end; seed++) {
        char what[600];
        unsigned size = 10 + (unsigned)(seed % 31);
        if (!fails(seed, size, false, what, sizeof what)) continue;
        unsigned least = 0;
        char of_less[sizeof what];
        while (least < size && !fails(seed, least, false, of_less, sizeof of_less)) least++;
        if (least < size) strcpy(what, of_less);
        if (getenv("RILL_TEST_TEXT")) fails(seed, least, true, what, sizeof what);
        fail_msg("seed %llu, %u acts: %s", (unsigned long long)seed, least, what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_kernels_do_what_the_model_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
