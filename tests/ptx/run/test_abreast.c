/* SPDX-License-Identifier: Apache-2.0
 *
 * Small blocks of some kernels run abreast, several as one.  Nothing tells a kernel so: each thread
 * has its place in its own block, which has its place in the grid, faults name both, and all that
 * is left in memory is as if blocks ran one after the other.
 *
 *     RILL_TEST_SEED=7 RILL_TEST_ROUNDS=1 RILL_TEST_TEXT=1 test_abreast
 *
 * begins with that seed, runs so many random kernels, and shows their text. RILL_TEST_SCALE makes
 * them fewer.
 */
#include <stdio.h>

#include "base/bytes/footprint.h"
#include "ptx/machine.h"
#include "ptx/run/cut.h"
#include "ptx/run/program.h"
#include "ptx/run/random_kernel.h"

/* Each shape of blocks is met twice, and twice where threads of a block meet. */
#define ROUNDS 56

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

/* ---- Which kernels ------------------------------------------------------------------------ */

static bool runs_abreast(struct machine *m, const char *body)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD ".visible .entry k(.param .u64 memory)\n{\n"
             ".reg .pred %%p; .reg .b32 %%r<4>; .reg .b64 %%a, %%d; .shared .b32 s[4];\n"
             "ld.param.u64 %%a, [memory]; mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%ctaid.x;\n"
             "%s\nret;\n}\n", body);
    machine_load(m, text);
    return ptx_code_kernel(machine_code(m), "k")->abreast;
}

static void blocks_are_abreast_that_have_no_part_in_each_other(void **state)
{
    static const char *const apart[] = {
        ("mad.lo.s32 %r2, %r1, 64, %r0; mad.wide.s32 %d, %r2, 4, %a; ld.global.u32 %r3, [%d];\n"
         "st.global.u32 [%d], %r3;"),
        "mul.wide.u32 %d, %r1, 4; add.s64 %d, %d, %a; st.global.u32 [%d], %r0;",
        "add.s32 %r1, %r1, %r0; setp.gt.s32 %p, %r1, 7; @%p bra END; st.global.u32 [%a], 1; END:",
        "mov.u32 %r2, %ctaid.y; shr.u32 %r3, %r2, 2;",
    };
    struct machine *m = machine_open();
    (void)state;
    for (unsigned i = 0; i < sizeof apart / sizeof *apart; i++)
        if (!runs_abreast(m, apart[i])) fail_msg("not abreast: %s", apart[i]);
    machine_close(m);
}

static void blocks_are_not_abreast_that_wait_or_share_something(void **state)
{
    static const char *const together[] = {
        "bar.warp.sync -1;", "membar.gl;",
        "atom.global.add.u32 %r2, [%a], 1;", "red.global.add.u32 [%a], 1;",
        "LOOP: ld.volatile.global.u32 %r2, [%a]; setp.eq.u32 %p, %r2, 0; @%p bra LOOP;",
        "ld.relaxed.gpu.global.u32 %r2, [%a];", "st.release.sys.global.u32 [%a], 1;",
        "shfl.sync.up.b32 %r2, %r0, 1, 0, -1;", "vote.sync.ballot.b32 %r2, %p, -1;",
        "mov.u32 %r2, %laneid;", "mov.u32 %r2, %warpid;", "mov.u32 %r2, %smid;",
        "mov.u32 %r2, %clock;", "mov.u64 %d, %globaltimer;", "nanosleep.u32 20;",
        "activemask.b32 %r2;", "cvta.to.shared.u64 %d, %a;",
    };
    struct machine *m = machine_open();
    (void)state;
    for (unsigned i = 0; i < sizeof together / sizeof *together; i++)
        if (runs_abreast(m, together[i])) fail_msg("abreast: %s", together[i]);
    machine_close(m);
}

/* What all threads of a block share is computed once for one block. */
static void blocks_are_not_abreast_that_would_go_apart(void **state)
{
    static const char *const uniform[] = {
        "setp.gt.s32 %p, %r1, 7;", "div.u32 %r2, %r1, 3;", "and.b32 %r2, %r1, 3;",
        "mad.wide.u32 %d, %r1, 4, %a; ld.global.u32 %r2, [%d];",
        "mul.lo.s32 %r2, %r1, 3; add.s32 %r2, %r2, 1; min.s32 %r2, %r2, 9;",
    };
    struct machine *m = machine_open();
    (void)state;
    for (unsigned i = 0; i < sizeof uniform / sizeof *uniform; i++)
        if (runs_abreast(m, uniform[i])) fail_msg("abreast: %s", uniform[i]);
    machine_close(m);
}

/* ---- Who is who --------------------------------------------------------------------------- */

static const char who[] =
    HEAD ".visible .entry who(.param .u64 out)\n{\n"
    ".reg .b32 %x, %y, %z, %bx, %by, %bz, %n, %t, %m, %id; .reg .b64 %a;\n"
    "ld.param.u64 %a, [out]; mov.u32 %x, %tid.x; mov.u32 %y, %tid.y; mov.u32 %z, %tid.z;\n"
    "mov.u32 %bx, %ctaid.x; mov.u32 %by, %ctaid.y; mov.u32 %bz, %ctaid.z;\n"
    /* The thread's number, in the order of blocks. */
    "mov.u32 %n, %nctaid.y; mad.lo.u32 %id, %bz, %n, %by; mov.u32 %n, %nctaid.x;\n"
    "mad.lo.u32 %id, %id, %n, %bx; mov.u32 %n, %ntid.y; mov.u32 %m, %ntid.x;\n"
    "mad.lo.u32 %t, %z, %n, %y; mad.lo.u32 %t, %t, %m, %x; mul.lo.u32 %n, %n, %m;\n"
    "mad.lo.u32 %id, %id, %n, %t; mad.wide.u32 %a, %id, 24, %a;\n"
    "st.global.u32 [%a], %x; st.global.u32 [%a+4], %y; st.global.u32 [%a+8], %z;\n"
    "st.global.u32 [%a+12], %bx; st.global.u32 [%a+16], %by; st.global.u32 [%a+20], %bz;\n"
    "ret;\n}\n";

static const struct { uint32_t grid[3], block[3]; } shapes[] = {
    { { 64, 1, 1 }, { 32, 1, 1 } }, { { 67, 1, 1 }, { 32, 1, 1 } }, { { 33, 1, 1 }, { 1, 1, 1 } },
    { { 1000, 1, 1 }, { 1, 1, 1 } }, { { 5, 9, 2 }, { 48, 1, 1 } }, { { 7, 3, 5 }, { 8, 8, 1 } },
    { { 40, 1, 1 }, { 7, 9, 1 } }, { { 17, 2, 2 }, { 1, 64, 1 } },
    { { 100, 1, 1 }, { 128, 1, 1 } }, { { 100, 1, 1 }, { 129, 1, 1 } },
    { { 1, 64, 1 }, { 32, 1, 1 } }, { { 31, 1, 1 }, { 32, 1, 1 } },
    { { 67, 1, 1 }, { 256, 1, 1 } }, { { 10, 9, 1 }, { 16, 16, 1 } },
    { { 33, 1, 1 }, { 1024, 1, 1 } }, { { 40, 1, 1 }, { 700, 1, 1 } },
};

static void each_thread_knows_its_place(void **state)
{
    static const char *const ways[] = { "affine", "both", "lanes" };
    struct machine *m = machine_open();
    uint32_t (*out)[6] = machine_memory(m, 1 << 20);
    (void)state;
    for (unsigned w = 0; w < 3; w++) {
        assert_int_equal(setenv("RILL_PTX_CODE", ways[w], 1), 0);
        machine_load(m, who);
        for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            const uint32_t *grid = shapes[i].grid, *block = shapes[i].block;
            struct machine_shape shape = { .grid = { grid[0], grid[1], grid[2] },
                                           .block = { block[0], block[1], block[2] },
                                           .threads = 1 + i % 3 };
            memset(out, 0xff, 1 << 20);
            machine_run(m, "who", &shape, &out, sizeof out);
            const uint32_t (*at)[6] = (const uint32_t (*)[6])out;
            for (uint32_t b = 0; b < grid[0] * grid[1] * grid[2]; b++)
                for (uint32_t t = 0; t < block[0] * block[1]; t++, at++) {
                    const uint32_t right[6] = { t % block[0], t / block[0], 0, b % grid[0],
                                                b / grid[0] % grid[1], b / grid[0] / grid[1] };
                    assert_memory_equal(*at, right, sizeof right);
                }
        }
    }
    unsetenv("RILL_PTX_CODE");
    machine_close(m);
}

/* ---- How many ----------------------------------------------------------------------------- */

static uint32_t blocks_abreast(struct machine *m, struct ptx_launch launch)
{
    for (unsigned k = 1; k < 3; k++) {
        if (!launch.grid[k]) launch.grid[k] = 1;
        if (!launch.block[k]) launch.block[k] = 1;
    }
    return ptx_blocks_abreast(ptx_code_kernel(machine_code(m), "who"), &launch);
}

/* A kernel with few registers has room for the widest bundles. */
static void rows_are_shared_evenly_and_threads_find_turns(void **state)
{
    struct machine *m = machine_open();
    (void)state;
    machine_load(m, who);
    const struct ptx_launch many = { .grid = { 4096 }, .block = { 32 } };
    const uint32_t all = blocks_abreast(m, many);
    const struct ptx_launch one_more = { .grid = { all + 1, 256 }, .block = { 32 } };
    assert_true(all > 1);
    assert_int_equal(blocks_abreast(m, one_more), (all + 2) / 2);
    const struct { struct ptx_launch launch; uint32_t abreast; } rows[] = {
        { { .grid = { 31 }, .block = { 32 } }, 1 },
        { { .grid = { 48 }, .block = { 32 } }, 3 },
        { { .grid = { 1024 }, .block = { 256 } }, PTX_WIDEST / 256 },
        { { .grid = { 1024 }, .block = { 1024 } }, PTX_WIDEST / 1024 },
        { { .grid = { 16 }, .block = { 1024 } }, 1 },
        { { .grid = { 1024 }, .block = { 8, 2, 2 } }, 1 },
        { { .grid = { 1, 1024 }, .block = { 32 } }, 1 },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(blocks_abreast(m, rows[i].launch), rows[i].abreast);
    machine_close(m);
}

static void blocks_begin_alone_where_more_is_asked_of_a_launch(void **state)
{
    struct machine *m = machine_open();
    struct ptx_launch asked[5];
    (void)state;
    machine_load(m, who);
    for (unsigned i = 0; i < 5; i++)
        asked[i] = (struct ptx_launch){ .grid = { 1024 }, .block = { 32 } };
    asked[0].checks = PTX_CHECK_RACES;
    asked[1].pauses = true;
    asked[2].block_order = 3;
    asked[3].cooperative = true;
    for (unsigned k = 0; k < 3; k++) asked[4].cluster[k] = 1;
    for (unsigned i = 0; i < 5; i++) assert_int_equal(blocks_abreast(m, asked[i]), 1);
    machine_close(m);
}

/* ---- Faults ------------------------------------------------------------------------------- */

static void a_fault_names_the_thread_and_its_own_block(void **state)
{
    static const char text[] =
        HEAD ".visible .entry k(.param .u64 out, .param .u32 who)\n{\n"
        ".reg .b32 %t, %n, %id; .reg .b64 %a; .reg .pred %p;\n"
        "ld.param.u64 %a, [out]; ld.param.u32 %n, [who];\n"
        "mov.u32 %t, %tid.x; mov.u32 %id, %ctaid.x;\n"
        "mad.lo.u32 %id, %id, 32, %t; setp.eq.u32 %p, %id, %n;\n@%p mov.u64 %a, 16;\n"
        "st.global.u32 [%a], %t;\nret;\n}\n";
    struct machine *m = machine_open();
    struct { uint32_t *out; uint32_t who; } params = { machine_memory(m, 4), 45 * 32 + 17 };
    const struct machine_shape shape = { .grid = { 64 }, .block = { 32 } };
    (void)state;
    machine_load(m, text);
    assert_true(ptx_code_kernel(machine_code(m), "k")->abreast);
    machine_fails(m, "k", &shape, &params, sizeof params, RILL_ERROR_ILLEGAL_ADDRESS,
                  "thread (17,0,0) of block (45,0,0)", "near null");
    assert_int_equal(machine_fault(m)->block[0], 45);
    assert_int_equal(machine_fault(m)->thread[2], 0);
    machine_close(m);
}

/* ---- Random kernels ----------------------------------------------------------------------- */

enum { WORDS = 1 << 16, BLOCKS = 40, ROOM = BLOCKS * 1024 * RANDOM_KERNEL_SAVED,
       OWN = BLOCKS * RANDOM_KERNEL_PART };

struct scene {
    struct machine *m;
    uint32_t *memory;
    unsigned char *saved, *own;
    struct rl_footprint *print;
};

struct outcome {
    unsigned char saved[ROOM], own[OWN];
    rill_touched *rows;
    size_t count;
};

static struct scene open_scene(void)
{
    struct scene scene = { .m = machine_open(), .print = rl_footprint_create(0) };
    assert_non_null(scene.print);
    scene.memory = machine_memory(scene.m, WORDS * sizeof *scene.memory);
    scene.saved = machine_memory(scene.m, ROOM);
    scene.own = machine_memory(scene.m, OWN);
    for (uint32_t i = 0; i < WORDS; i++) scene.memory[i] = i * 2654435761u;
    return scene;
}

static void close_scene(struct scene *scene)
{
    rl_footprint_destroy(scene->print);
    unsetenv("RILL_PTX_CODE");
    machine_close(scene->m);
}

static void run(const struct scene *scene, const char *text, const char *way,
                const struct machine_shape *shape, struct outcome *outcome)
{
    struct { void *memory, *saved; uint32_t n; void *own; } params = {
        scene->memory + WORDS / 2, scene->saved, 77, scene->own + RANDOM_KERNEL_PART / 2
    };
    memset(scene->saved, 0, ROOM);
    memset(scene->own, 0, OWN);
    rl_footprint_clear(scene->print);
    assert_int_equal(setenv("RILL_PTX_CODE", way, 1), 0);
    machine_load(scene->m, text);
    machine_run(scene->m, "k", shape, &params, sizeof params);
    memcpy(outcome->saved, scene->saved, ROOM);
    memcpy(outcome->own, scene->own, OWN);
    rl_free(outcome->rows);
    outcome->rows = NULL;
    outcome->count = 0;
    if (shape->footprint)
        assert_true(rl_footprint_rows(scene->print, SIZE_MAX, &outcome->rows, &outcome->count));
}

static bool is_same(const struct outcome *a, const struct outcome *b)
{
    bool same = !memcmp(a->saved, b->saved, ROOM) && !memcmp(a->own, b->own, OWN) &&
                a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->rows[i].address == b->rows[i].address && a->rows[i].bytes == b->rows[i].bytes &&
               a->rows[i].how == b->rows[i].how;
    return same;
}

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *value = getenv(name);
    return value ? strtoull(value, NULL, 0) : otherwise;
}

/* The lanes alone run blocks one after the other. */
static void they_leave_and_touch_what_blocks_alone_do(void **state)
{
    static const uint32_t blocks[][2] = { { 32, 1 }, { 128, 1 }, { 1, 1 }, { 16, 4 }, { 7, 9 },
                                          { 48, 1 }, { 1, 100 }, { 33, 3 }, { 8, 8 }, { 256, 1 },
                                          { 16, 16 }, { 300, 1 }, { 1024, 1 }, { 32, 20 } };
    enum { SHAPES = sizeof blocks / sizeof *blocks };
    static struct outcome lanes, other;
    static struct random_kernel kernel;
    struct scene scene = open_scene();
    (void)state;
    uint64_t seed = from_environment("RILL_TEST_SEED", 1);
    uint64_t few = ROUNDS / from_environment("RILL_TEST_SCALE", 1);
    uint64_t end = seed + from_environment("RILL_TEST_ROUNDS", few ? few : 1);
    for (; seed < end; seed++) {
        const uint32_t *block = blocks[seed % SHAPES];
        const struct machine_shape shape = { .grid = { BLOCKS - seed / SHAPES % 7 },
                                             .block = { block[0], block[1], 1 },
                                             .footprint = seed & 1 ? scene.print : NULL };
        kernel = (struct random_kernel){ .dice = { seed }, .apart = true };
        kernel.pitch = block[0] + seed % 3;
        if (seed / SHAPES & 1) kernel.meets = block[0] * block[1];
        random_kernel_write(&kernel);
        if (getenv("RILL_TEST_TEXT")) printf("%s\n", kernel.text);
        run(&scene, kernel.text, "lanes", &shape, &lanes);
        run(&scene, kernel.text, "affine", &shape, &other);
        assert_true(ptx_code_kernel(machine_code(scene.m), "k")->abreast);
        if (!is_same(&other, &lanes)) fail_msg("seed %llu: affine", (unsigned long long)seed);
        run(&scene, kernel.text, "both", &shape, &other);
        if (!is_same(&other, &lanes)) fail_msg("seed %llu: both", (unsigned long long)seed);
    }
    rl_free(lanes.rows);
    rl_free(other.rows);
    close_scene(&scene);
}

/* ---- Threads that share them -------------------------------------------------------------- */

enum { SQUARES = 96 * 40, THREADS = SQUARES * 64 };

/* Adds 1 to the word of each thread; with `far` set, the first blocks reach where nothing is. */
static const char counting[] = HEAD
    ".visible .entry k(.param .u64 words, .param .u32 far)\n{\n"
    ".reg .pred %p; .reg .b32 %r<8>; .reg .b64 %a;\n"
    "ld.param.u64 %a, [words]; ld.param.u32 %r0, [far]; mov.u32 %r1, %ctaid.x;\n"
    "mov.u32 %r2, %ctaid.y; mad.lo.u32 %r1, %r2, 96, %r1; mov.u32 %r3, %tid.x;\n"
    "mad.lo.u32 %r1, %r1, 64, %r3; setp.gt.u32 %p, %r2, 0; @%p mov.u32 %r0, 0;\n"
    "add.u32 %r1, %r1, %r0; mad.wide.u32 %a, %r1, 4, %a;\n"
    "ld.global.u32 %r4, [%a]; add.u32 %r4, %r4, 1; st.global.u32 [%a], %r4; ret;\n}\n";

static void each_block_is_run_once_by_whoever_takes_it(void **state)
{
    struct machine *m = machine_open();
    uint32_t *words = machine_memory(m, THREADS * sizeof *words);
    const struct { uint32_t *words; uint32_t far; } params = { words, 0 };
    (void)state;
    machine_load(m, counting);
    assert_true(ptx_code_kernel(machine_code(m), "k")->abreast);
    for (unsigned threads = 1; threads <= 6; threads++) {
        const struct machine_shape shape = { .grid = { 96, 40 }, .block = { 64 },
                                             .threads = threads };
        memset(words, 0, THREADS * sizeof *words);
        machine_run(m, "k", &shape, &params, sizeof params);
        for (uint32_t i = 0; i < THREADS; i++) assert_int_equal(words[i], 1);
    }
    machine_close(m);
}

/* Those that a thread has taken, and not begun, count as done, or the launch would never end. */
static void a_launch_that_fails_has_no_block_left(void **state)
{
    struct machine *m = machine_open();
    uint32_t *words = machine_memory(m, THREADS * sizeof *words);
    const struct { uint32_t *words; uint32_t far; } params = { words, 1u << 28 };
    (void)state;
    machine_load(m, counting);
    for (unsigned threads = 1; threads <= 6; threads++) {
        const struct machine_shape shape = { .grid = { 96, 40 }, .block = { 64 },
                                             .threads = threads };
        machine_fails(m, "k", &shape, &params, sizeof params, RILL_ERROR_ILLEGAL_ADDRESS,
                      "allocation", "");
    }
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_abreast_that_have_no_part_in_each_other),
        cmocka_unit_test(blocks_are_not_abreast_that_wait_or_share_something),
        cmocka_unit_test(blocks_are_not_abreast_that_would_go_apart),
        cmocka_unit_test(each_thread_knows_its_place),
        cmocka_unit_test(rows_are_shared_evenly_and_threads_find_turns),
        cmocka_unit_test(blocks_begin_alone_where_more_is_asked_of_a_launch),
        cmocka_unit_test(a_fault_names_the_thread_and_its_own_block),
        cmocka_unit_test(they_leave_and_touch_what_blocks_alone_do),
        cmocka_unit_test(each_block_is_run_once_by_whoever_takes_it),
        cmocka_unit_test(a_launch_that_fails_has_no_block_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
