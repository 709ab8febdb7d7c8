/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps leave the same in memory however they are run: lane by lane (RILL_PTX_CODE=lanes), with
 * what is known of registers (affine), and in both ways, compared after each step.
 *
 *     RILL_TEST_SEED=7 RILL_TEST_ROUNDS=1 RILL_TEST_TEXT=1 test_ways
 *
 * begins with that seed, runs so many kernels, and shows their text.
 */
#include <stdio.h>

#include "base/alloc.h"
#include "base/bytes/footprint.h"
#include "ptx/machine.h"
#include "ptx/run/random_kernel.h"

enum { WORDS = 1 << 16, MIDDLE = WORDS / 2 };

/* ---- Ways --------------------------------------------------------------------------------- */

static const uint32_t shapes[][3] = {
    { 256 }, { 32 }, { 100 }, { 700 }, { 1024 }, { 16, 16 }, { 32, 8 }, { 48, 5 }, { 7, 9 },
    { 8, 8, 4 }, { 1, 256 }, { 2, 3, 50 }, { 17, 1, 9 }, { 33, 31 }, { 4, 4, 64 }, { 1, 1, 64 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes, BLOCKS = 2,
       ROOM = BLOCKS * 1024 * RANDOM_KERNEL_SAVED };

struct scene {
    struct machine *m;
    uint32_t *memory;
    unsigned char *saved;
    struct rl_footprint *print; /* or NULL */
};

/* What a launch leaves. */
struct outcome {
    rill_status status;
    char message[400];
    uint32_t memory[WORDS];
    unsigned char saved[ROOM];
};

static void run(const struct scene *scene, const char *text, const char *way,
                const uint32_t block[3], struct outcome *outcome)
{
    struct { void *memory, *saved; uint32_t n; void *own; } params = { scene->memory + MIDDLE,
                                                                       scene->saved, 77, NULL };
    struct machine_shape shape = { .grid = { BLOCKS }, .block = { block[0], block[1], block[2] },
                                   .footprint = scene->print };
    for (uint32_t i = 0; i < WORDS; i++) scene->memory[i] = i * 2654435761u;
    memset(scene->saved, 0, ROOM);
    assert_int_equal(setenv("RILL_PTX_CODE", way, 1), 0);
    machine_load(scene->m, text);
    outcome->status = machine_launch(scene->m, "k", &shape, &params, sizeof params);
    strcpy(outcome->message, outcome->status ? machine_fault(scene->m)->message : "");
    memcpy(outcome->memory, scene->memory, sizeof outcome->memory);
    memcpy(outcome->saved, scene->saved, sizeof outcome->saved);
}

static struct scene open_scene(void)
{
    struct scene scene = { .m = machine_open() };
    scene.memory = machine_memory(scene.m, WORDS * sizeof *scene.memory);
    scene.saved = machine_memory(scene.m, ROOM);
    return scene;
}

/* Blocks of a launch that fails may have gone on or not, so only the sentence is compared then. */
static void is_same(const struct outcome *is, const struct outcome *lanes, const char *way,
                    uint64_t seed, const uint32_t block[3])
{
    bool same = is->status == lanes->status && !strcmp(is->message, lanes->message);
    if (same && !is->status)
        same = !memcmp(is->memory, lanes->memory, sizeof is->memory) &&
               !memcmp(is->saved, lanes->saved, sizeof is->saved);
    if (!same)
        fail_msg("seed %llu, blocks of %u x %u x %u, %s: another outcome: %s, not %s",
                 (unsigned long long)seed, block[0], block[1], block[2], way,
                 is->status ? is->message : "ended", lanes->status ? lanes->message : "ended");
}

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *value = getenv(name);
    return value ? strtoull(value, NULL, 0) : otherwise;
}

static uint64_t rounds_of(uint64_t otherwise)
{
#ifdef __SANITIZE_THREAD__
    otherwise = otherwise / 4 + 1; /* which takes a minute */
#endif
    uint64_t rounds = from_environment("RILL_TEST_ROUNDS", otherwise);
    uint64_t scale = from_environment("RILL_TEST_SCALE", 1);
    return scale > 1 ? rounds / scale + 1 : rounds;
}

/* A random kernel, and the shape of its blocks. */
struct kernel {
    struct random_kernel text;
    uint32_t block[3];
};

static void write_kernel(struct kernel *kernel, uint64_t seed)
{
    uint32_t threads = 1;
    for (unsigned k = 0; k < 3; k++) {
        kernel->block[k] = shapes[seed % SHAPES][k];
        if (!kernel->block[k]) kernel->block[k] = 1;
        threads *= kernel->block[k];
    }
    kernel->text = (struct random_kernel){ .dice = { seed },
                                           .exchanges = threads % 32 == 0 && seed & 32 };
    random_kernel_write(&kernel->text);
    if (getenv("RILL_TEST_TEXT")) printf("%s\n", kernel->text.text);
}

static void all_ways_to_run_a_kernel_leave_the_same(void **state)
{
    (void)state;
    uint64_t seed = from_environment("RILL_TEST_SEED", 1), rounds = rounds_of(400);
    struct scene scene = open_scene();
    static struct outcome lanes, other;
    static struct kernel kernel;
    unsigned ended = 0;
    for (uint64_t end = seed + rounds; seed < end; seed++) {
        const char *text = kernel.text.text;
        const uint32_t *block = kernel.block;
        write_kernel(&kernel, seed);
        run(&scene, text, "lanes", block, &lanes);
        run(&scene, text, "affine", block, &other);
        is_same(&other, &lanes, "affine", seed, block);
        run(&scene, text, "both", block, &other);
        is_same(&other, &lanes, "both", seed, block);
        ended += !lanes.status;
    }
    printf("# %u of %u kernels ended\n", ended, (unsigned)rounds);
    machine_close(scene.m);
}

/* ---- What is touched ---------------------------------------------------------------------- */

struct rows {
    rill_touched *rows;
    size_t count;
};

/* Returns what a kernel touches, run in a way.  No rows if it does not end. */
static struct rows touched_rows(struct scene *scene, const struct kernel *kernel, const char *way)
{
    static struct outcome outcome;
    struct rows found = { NULL, 0 };
    rl_footprint_clear(scene->print);
    run(scene, kernel->text.text, way, kernel->block, &outcome);
    assert_true(rl_footprint_exact(scene->print, NULL));
    if (!outcome.status)
        assert_true(rl_footprint_rows(scene->print, SIZE_MAX, &found.rows, &found.count));
    return found;
}

static bool are_same_rows(const struct rows *a, const struct rows *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->rows[i].address == b->rows[i].address && a->rows[i].bytes == b->rows[i].bytes &&
               a->rows[i].how == b->rows[i].how;
    return same;
}

static void all_ways_to_run_a_kernel_touch_the_same(void **state)
{
    (void)state;
    static const char *const ways[] = { "affine", "both" };
    uint64_t seed = from_environment("RILL_TEST_SEED", 1), rounds = rounds_of(200);
    struct scene scene = open_scene();
    static struct kernel kernel;
    scene.print = rl_footprint_create(0);
    assert_non_null(scene.print);
    for (uint64_t end = seed + rounds; seed < end; seed++) {
        write_kernel(&kernel, seed);
        struct rows lanes = touched_rows(&scene, &kernel, "lanes");
        for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
            struct rows other = touched_rows(&scene, &kernel, ways[i]);
            if (!are_same_rows(&other, &lanes))
                fail_msg("seed %llu, blocks of %u x %u x %u, %s: %zu other rows than %zu",
                         (unsigned long long)seed, kernel.block[0], kernel.block[1],
                         kernel.block[2], ways[i], other.count, lanes.count);
            rl_free(other.rows);
        }
        rl_free(lanes.rows);
    }
    rl_footprint_destroy(scene.print);
    machine_close(scene.m);
}

/* ---- The variable ------------------------------------------------------------------------- */

static void an_unknown_way_is_refused(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    assert_int_equal(setenv("RILL_PTX_CODE", "slanes", 1), 0);
    machine_refuses(m, ".version 7.0\n.target sm_70\n.address_size 64\n", RILL_ERROR_INVALID_VALUE,
                    "slanes", "affine, lanes or both");
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_to_run_a_kernel_leave_the_same),
        cmocka_unit_test(all_ways_to_run_a_kernel_touch_the_same),
        cmocka_unit_test(an_unknown_way_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
