/* SPDX-License-Identifier: Apache-2.0
 *
 * Random kernels leave the same bits whatever processor runs them: those that x86-64 left.
 *
 *     RILL_TEST_TEXT=1 test_same_bits
 *
 * shows what they left here, for whoever changes what random kernels are (random_kernel.c).
 */
#include <stdio.h>

#include "ptx/machine.h"
#include "ptx/run/random_kernel.h"

enum { WORDS = 1 << 16, MIDDLE = WORDS / 2, GROUP = 100,
       ROOM = 2 * 1024 * RANDOM_KERNEL_SAVED };

/* A group of seeds each: GROUP * i + 1 and on. */
static const uint64_t on_x86_64[] = {
    0xee7e227074beab10, 0x432ca5d22145d93d, 0xf25d1b6e3788b8ea, 0x23cae5406259b938,
    0x9a1d5afce575e610, 0xaade280a250aa8fd, 0xf1660224fff4a540, 0x919ef4babdcbbb12,
};
enum { GROUPS = sizeof on_x86_64 / sizeof *on_x86_64 };

static const uint32_t shapes[][3] = {
    { 256, 1, 1 }, { 32, 1, 1 }, { 100, 1, 1 }, { 1024, 1, 1 }, { 16, 16, 1 }, { 7, 9, 1 },
    { 8, 8, 4 }, { 2, 3, 50 }, { 33, 31, 1 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* FNV's, over words. */
static uint64_t mix(uint64_t hash, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) hash = (hash ^ words[i]) * UINT64_C(0x100000001b3);
    return hash;
}

struct scene {
    struct machine *m;
    uint32_t *memory, *saved;
    unsigned ended;
};

/* What kernel `seed` leaves, or its status.  No address gets into a register that is saved. */
static uint64_t left_by(struct scene *scene, uint64_t seed)
{
    static struct random_kernel kernel;
    const uint32_t *block = shapes[seed % SHAPES];
    const struct { void *memory, *saved; uint32_t n; void *own; } params = {
        scene->memory + MIDDLE, scene->saved, 77, NULL,
    };
    const struct machine_shape shape = { .grid = { 2 },
                                         .block = { block[0], block[1], block[2] } };
    const bool whole_warps = block[0] * block[1] * block[2] % 32 == 0;
    kernel = (struct random_kernel){ .dice = { seed }, .exchanges = whole_warps && seed & 32 };
    random_kernel_write(&kernel);
    for (uint32_t i = 0; i < WORDS; i++) scene->memory[i] = i * 2654435761u;
    memset(scene->saved, 0, ROOM);
    machine_load(scene->m, kernel.text);
    const uint32_t status = machine_launch(scene->m, "k", &shape, &params, sizeof params);
    const uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), &status, 1);
    if (status) return hash;
    scene->ended++;
    return mix(mix(hash, scene->memory, WORDS), scene->saved, ROOM / sizeof *scene->saved);
}

static void random_kernels_leave_the_same_bits_on_each_processor(void **state)
{
    (void)state;
    struct scene scene = { .m = machine_open() };
    /* In one, so that what goes too far comes to the same everywhere. */
    scene.memory = machine_memory(scene.m, WORDS * sizeof *scene.memory + ROOM);
    scene.saved = scene.memory + WORDS;
    bool same = true;
    for (unsigned i = 0; i < GROUPS; i++) {
        uint64_t left = 0;
        for (uint64_t seed = GROUP * i + 1; seed <= GROUP * (i + 1); seed++)
            left = left * 31 + left_by(&scene, seed);
        if (getenv("RILL_TEST_TEXT")) printf("# 0x%016llx\n", (unsigned long long)left);
        if (left != on_x86_64[i]) {
            printf("# seeds %u to %u: 0x%016llx, not 0x%016llx\n", GROUP * i + 1, GROUP * (i + 1),
                   (unsigned long long)left, (unsigned long long)on_x86_64[i]);
            same = false;
        }
    }
    assert_true(same);
    assert_true(scene.ended > GROUP * GROUPS / 2);
    machine_close(scene.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_kernels_leave_the_same_bits_on_each_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
