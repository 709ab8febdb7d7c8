/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks that run abreast although the threads of each share memory and wait for each other: each
 * block has its own memory, and finds in it what it left there.
 */
#include <stdio.h>

#include "ptx/machine.h"
#include "ptx/run/cut.h"
#include "ptx/run/program.h"

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

/* ---- Which kernels ------------------------------------------------------------------------ */

static bool runs_abreast(struct machine *m, const char *body)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD ".visible .entry k(.param .u64 memory)\n{\n"
             ".reg .pred %%p; .reg .b32 %%r<8>; .reg .b64 %%a; .shared .b32 s[64];\n"
             "ld.param.u64 %%a, [memory]; mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%tid.y;\n"
             "shl.b32 %%r2, %%r0, 2; mov.u32 %%r3, s; add.u32 %%r3, %%r3, %%r2;\n"
             "%s\nret;\n}\n", body);
    machine_load(m, text);
    return ptx_code_kernel(machine_code(m), "k")->abreast;
}

static void blocks_are_abreast_whose_threads_meet_and_know_their_places(void **state)
{
    static const char *const apart[] = {
        "bar.sync 0;", "barrier.sync 3;", "barrier.sync.aligned 0;", "st.shared.u32 [%r3], %r0;",
        "ld.shared.u32 %r4, [%r3+128]; mad.lo.s32 %r5, %r1, 32, %r3; st.shared.u32 [%r5], %r4;",
        "ld.shared.v2.u32 {%r4, %r5}, [%r2]; ld.shared.u32 %r6, [s];",
        "LOOP: ld.shared.u32 %r4, [%r3]; setp.eq.u32 %p, %r4, 0; @%p bra LOOP;",
    };
    struct machine *m = machine_open();
    (void)state;
    for (unsigned i = 0; i < sizeof apart / sizeof *apart; i++) {
        if (!runs_abreast(m, apart[i])) fail_msg("not abreast: %s", apart[i]);
        assert_true(ptx_code_kernel(machine_code(m), "k")->meets);
    }
    machine_close(m);
}

static void blocks_are_not_abreast_of_whose_threads_only_some_meet(void **state)
{
    static const char *const some[] = {
        "bar.sync 0, 32;", "bar.arrive 0, 32;", "bar.red.popc.u32 %r4, 0, %p;", "bar.sync %r0;",
        "atom.shared.add.u32 %r4, [s], 1;", "st.volatile.shared.u32 [s], %r0;",
    };
    struct machine *m = machine_open();
    (void)state;
    for (unsigned i = 0; i < sizeof some / sizeof *some; i++)
        if (runs_abreast(m, some[i])) fail_msg("abreast: %s", some[i]);
    machine_close(m);
}

/* One block has a number that all of its threads load; several would have to keep it by lane. */
static void blocks_are_not_abreast_whose_words_follow_no_rule(void **state)
{
    static const char *const bent[] = {
        "xor.b32 %r4, %r2, 4; ld.shared.u32 %r5, [%r4];",
        "mul.lo.s32 %r4, %r0, %r1; st.shared.u32 [%r4], %r0;",
        "ld.shared.u32 %r4, [%r3]; ld.shared.u32 %r5, [%r4];",
        ("mov.u32 %r4, 0; LOOP: ld.shared.u32 %r5, [%r4]; add.u32 %r4, %r4, 4;\n"
         "setp.ne.u32 %p, %r4, 256; @%p bra LOOP;"),
    };
    struct machine *m = machine_open();
    (void)state;
    for (unsigned i = 0; i < sizeof bent / sizeof *bent; i++)
        if (runs_abreast(m, bent[i])) fail_msg("abreast: %s", bent[i]);
    machine_close(m);
}

static uint32_t blocks_abreast(struct machine *m, uint32_t shared)
{
    const struct ptx_launch launch = { .grid = { 1024, 1, 1 }, .block = { 64, 1, 1 },
                                       .dynamic_shared = shared };
    return ptx_blocks_abreast(ptx_code_kernel(machine_code(m), "k"), &launch);
}

static void much_shared_memory_keeps_blocks_alone(void **state)
{
    struct machine *m = machine_open();
    (void)state;
    assert_true(runs_abreast(m, "st.shared.u32 [%r3], %r0;"));
    assert_int_equal(blocks_abreast(m, 0), PTX_WIDEST / 64);
    assert_in_range(blocks_abreast(m, 16 << 10), 2, 16);
    assert_int_equal(blocks_abreast(m, 200 << 10), 1);
    machine_close(m);
}

/* ---- What they leave ---------------------------------------------------------------------- */

enum { BLOCKS = 333, THREADS = 128, WORDS = BLOCKS * THREADS };

/* Sums up the words of each block, of whose threads half, a quarter and so on add. */
static const char sum[] = HEAD
    ".visible .entry sum(.param .u64 from, .param .u64 to)\n{\n"
    ".reg .pred %p; .reg .b32 %x, %b, %i, %v, %w, %s, %at, %d, %far; .reg .b64 %a, %c;\n"
    ".shared .align 4 .b8 s[512];\n"
    "ld.param.u64 %a, [from]; ld.param.u64 %c, [to]; mov.u32 %x, %tid.x; mov.u32 %b, %ctaid.x;\n"
    "mad.lo.u32 %i, %b, 128, %x; mad.wide.u32 %a, %i, 4, %a; ld.global.u32 %v, [%a];\n"
    "mov.u32 %s, s; shl.b32 %at, %x, 2; add.u32 %at, %s, %at; st.shared.u32 [%at], %v;\n"
    "mov.u32 %d, 64;\nSTAGE: bar.sync 0; setp.ge.u32 %p, %x, %d; @%p bra NEXT;\n"
    "mad.lo.u32 %far, %d, 4, %at; ld.shared.u32 %v, [%at]; ld.shared.u32 %w, [%far];\n"
    "add.u32 %v, %v, %w; st.shared.u32 [%at], %v;\n"
    "NEXT: shr.u32 %d, %d, 1; setp.ne.u32 %p, %d, 0; @%p bra STAGE;\n"
    "setp.ne.u32 %p, %x, 0; @%p bra END; ld.shared.u32 %v, [s]; mad.wide.u32 %c, %b, 4, %c;\n"
    "st.global.u32 [%c], %v;\nEND: ret;\n}\n";

static void each_block_sums_up_its_own_words(void **state)
{
    static const char *const ways[] = { "affine", "both", "lanes" };
    struct machine *m = machine_open();
    uint32_t *from = machine_memory(m, WORDS * sizeof *from);
    uint32_t *to = machine_memory(m, BLOCKS * sizeof *to);
    const struct { uint32_t *from, *to; } params = { from, to };
    (void)state;
    for (uint32_t i = 0; i < WORDS; i++) from[i] = i * 2654435761u;
    for (unsigned w = 0; w < 3; w++)
        for (unsigned threads = 1; threads <= 3; threads++) {
            const struct machine_shape shape = { .grid = { BLOCKS }, .block = { THREADS },
                                                 .threads = threads };
            assert_int_equal(setenv("RILL_PTX_CODE", ways[w], 1), 0);
            machine_load(m, sum);
            assert_int_equal(ptx_code_kernel(machine_code(m), "sum")->abreast, w < 2);
            memset(to, 0, BLOCKS * sizeof *to);
            machine_run(m, "sum", &shape, &params, sizeof params);
            for (uint32_t b = 0; b < BLOCKS; b++) {
                uint32_t right = 0;
                for (uint32_t i = 0; i < THREADS; i++) right += from[b * THREADS + i];
                assert_int_equal(to[b], right);
            }
        }
    unsetenv("RILL_PTX_CODE");
    machine_close(m);
}

/* Threads of a block hand a number on, as many times as the block is told, and the others have
 * long ended then. */
static const char hand_on[] = HEAD
    ".visible .entry hand_on(.param .u64 times, .param .u64 to)\n{\n"
    ".reg .pred %p; .reg .b32 %x, %b, %i, %n, %v, %at, %next; .reg .b64 %a, %c;\n"
    ".shared .align 4 .b8 s[516];\n"
    "ld.param.u64 %a, [times]; ld.param.u64 %c, [to]; mov.u32 %x, %tid.x; mov.u32 %b, %ctaid.x;\n"
    "mad.lo.u32 %i, %b, 128, %x; mad.wide.u32 %a, %i, 4, %a; ld.global.u32 %n, [%a];\n"
    "shl.b32 %at, %x, 2; mov.u32 %v, %i; st.shared.u32 [s+512], %b;\n"
    "ROUND: setp.eq.u32 %p, %n, 0; @%p bra DONE; st.shared.u32 [%at], %v; bar.sync 0;\n"
    "sub.u32 %next, 508, %at; ld.shared.u32 %v, [%next]; add.u32 %v, %v, 1; bar.sync 0;\n"
    "sub.u32 %n, %n, 1; bra ROUND;\n"
    "DONE: mad.wide.u32 %c, %i, 4, %c; st.global.u32 [%c], %v; ret;\n}\n";

static void blocks_meet_as_often_as_each_has_to(void **state)
{
    struct machine *m = machine_open();
    uint32_t *times = machine_memory(m, WORDS * sizeof *times);
    uint32_t *to = machine_memory(m, WORDS * sizeof *to);
    const struct { uint32_t *times, *to; } params = { times, to };
    const struct machine_shape shape = { .grid = { BLOCKS }, .block = { THREADS } };
    (void)state;
    for (uint32_t i = 0; i < WORDS; i++) times[i] = i / THREADS % 5;
    machine_load(m, hand_on);
    assert_true(ptx_code_kernel(machine_code(m), "hand_on")->abreast);
    machine_run(m, "hand_on", &shape, &params, sizeof params);
    for (uint32_t i = 0; i < WORDS; i++) {
        const uint32_t n = times[i], x = i % THREADS, from = n % 2 ? THREADS - 1 - x : x;
        assert_int_equal(to[i], i - x + from + n);
    }
    machine_close(m);
}

/* A tile whose rows become columns: 16 x 16 words, with one more in each row. */
static const char turn[] = HEAD
    ".visible .entry turn(.param .u64 from, .param .u64 to)\n{\n"
    ".reg .b32 %x, %y, %b, %i, %v, %at; .reg .b64 %a, %c; .shared .align 4 .b8 s[1088];\n"
    "ld.param.u64 %a, [from]; ld.param.u64 %c, [to]; mov.u32 %x, %tid.x; mov.u32 %y, %tid.y;\n"
    "mov.u32 %b, %ctaid.x; mad.lo.u32 %i, %y, 16, %x; mad.lo.u32 %i, %b, 256, %i;\n"
    "mad.wide.u32 %a, %i, 4, %a; mad.wide.u32 %c, %i, 4, %c; ld.global.u32 %v, [%a];\n"
    "mul.lo.u32 %at, %y, 68; mad.lo.u32 %at, %x, 4, %at; st.shared.u32 [%at], %v; bar.sync 0;\n"
    "mul.lo.u32 %at, %x, 68; mad.lo.u32 %at, %y, 4, %at; ld.shared.u32 %v, [%at];\n"
    "st.global.u32 [%c], %v; ret;\n}\n";

static void each_block_turns_its_own_tile(void **state)
{
    enum { TILES = 100 };
    struct machine *m = machine_open();
    uint32_t *from = machine_memory(m, TILES * 256 * sizeof *from);
    uint32_t *to = machine_memory(m, TILES * 256 * sizeof *to);
    const struct { uint32_t *from, *to; } params = { from, to };
    const struct machine_shape shape = { .grid = { TILES }, .block = { 16, 16 } };
    (void)state;
    for (uint32_t i = 0; i < TILES * 256; i++) from[i] = i;
    machine_load(m, turn);
    assert_true(ptx_code_kernel(machine_code(m), "turn")->abreast);
    machine_run(m, "turn", &shape, &params, sizeof params);
    for (uint32_t i = 0; i < TILES * 256; i++)
        assert_int_equal(to[i], i / 256 * 256 + i % 16 * 16 + i / 16 % 16);
    machine_close(m);
}

/* ---- Faults ------------------------------------------------------------------------------- */

/* A thread of one block goes astray: by the address of its own block's memory. */
static const char astray[] = HEAD
    ".visible .entry k(.param .u32 who)\n{\n"
    ".reg .b32 %x, %n, %id, %at; .reg .pred %p; .shared .align 4 .b8 s[128];\n"
    "ld.param.u32 %n, [who]; mov.u32 %x, %tid.x; mov.u32 %id, %ctaid.x; shl.b32 %at, %x, 2;\n"
    "mad.lo.u32 %id, %id, 32, %x; setp.ne.u32 %p, %id, %n; @%p bra GOOD;\n"
    "st.shared.u32 [%at+128], %x;\nGOOD: st.shared.u32 [%at], %x; ret;\n}\n";

static void a_block_does_not_reach_the_memory_of_the_next(void **state)
{
    struct machine *m = machine_open();
    const uint32_t who = 21 * 32 + 3;
    const struct machine_shape shape = { .grid = { 64 }, .block = { 32 } };
    (void)state;
    machine_load(m, astray);
    assert_true(ptx_code_kernel(machine_code(m), "k")->abreast);
    machine_fails(m, "k", &shape, &who, sizeof who, RILL_ERROR_ILLEGAL_ADDRESS,
                  "at offset 140 of shared memory, which has 128 bytes",
                  "thread (3,0,0) of block (21,0,0)");
    machine_close(m);
}

/* ---- Blocks that would wait for each other ------------------------------------------------ */

static void blocks_are_abreast_none_of_which_keeps_others_waiting(void **state)
{
    static const char *const apart[] = {
        "bar.sync 2; barrier.sync 2;",
        ("LOOP: ld.global.u32 %r4, [%a]; add.u64 %a, %a, 4; setp.eq.u32 %p, %r4, 0;\n"
         "@%p bra LOOP; bar.sync 0;"),
        "LOOP: ld.global.u64 %a, [%a]; setp.ne.u64 %p, %a, 0; @%p bra LOOP; bar.sync 0;",
        "LOOP: ld.global.nc.u32 %r4, [%a]; setp.eq.u32 %p, %r4, 0; @%p bra LOOP; bar.sync 0;",
        "LOOP: ld.global.u32 %r4, [%a]; bar.sync 0; setp.eq.u32 %p, %r4, 0; @%p bra LOOP;",
        "LOOP: ld.param.u64 %a, [memory]; setp.eq.u64 %p, %a, 0; @%p bra LOOP; bar.sync 0;",
        "LOOP: ld.global.u32 %r4, [%a]; setp.eq.u32 %p, %r4, 0; @%p bra LOOP;",
    };
    struct machine *m = machine_open();
    (void)state;
    for (unsigned i = 0; i < sizeof apart / sizeof *apart; i++)
        if (!runs_abreast(m, apart[i])) fail_msg("not abreast: %s", apart[i]);
    machine_close(m);
}

static void blocks_are_not_abreast_that_could_wait_for_each_other(void **state)
{
    static const char *const waiting[] = {
        "bar.sync 0; bar.sync 1;",
        "LOOP: ld.global.u32 %r4, [%a]; setp.eq.u32 %p, %r4, 0; @%p bra LOOP; bar.sync 0;",
        ("bar.sync 0; LOOP: ld.cg.u32 %r4, [%a+4]; add.u32 %r5, %r5, 1; setp.ne.u32 %p, %r4, 0;\n"
         "@%p bra DONE; bra LOOP; DONE:"),
        ("LOOP: ld.param.u64 %a, [memory]; ld.global.cv.u32 %r4, [%a]; setp.eq.u32 %p, %r4, 0;\n"
         "@%p bra LOOP; bar.sync 0;"),
    };
    struct machine *m = machine_open();
    (void)state;
    for (unsigned i = 0; i < sizeof waiting / sizeof *waiting; i++)
        if (runs_abreast(m, waiting[i])) fail_msg("abreast: %s", waiting[i]);
    machine_close(m);
}

/* Some blocks are still in a loop, and meet at barrier 0, when others are behind it and meet at
 * barrier 1: each is told how often it meets. */
static const char two_barriers[] = HEAD
    ".visible .entry k(.param .u64 times, .param .u64 to)\n{\n"
    ".reg .pred %p; .reg .b32 %x, %b, %i, %n, %v, %at; .reg .b64 %a, %c;\n"
    ".shared .align 4 .b8 s[256];\n"
    "ld.param.u64 %a, [times]; ld.param.u64 %c, [to]; mov.u32 %x, %tid.x; mov.u32 %b, %ctaid.x;\n"
    "mad.lo.u32 %i, %b, 64, %x; mad.wide.u32 %a, %i, 4, %a; ld.global.u32 %n, [%a];\n"
    "shl.b32 %at, %x, 2;\n"
    "ROUND: bar.sync 0; sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra ROUND;\n"
    "st.shared.u32 [%at], %i; bar.sync 1; sub.u32 %at, 252, %at; ld.shared.u32 %v, [%at];\n"
    "mad.wide.u32 %c, %i, 4, %c; st.global.u32 [%c], %v; ret;\n}\n";

static void blocks_that_wait_at_different_barriers_all_end(void **state)
{
    enum { ALL = 64 * 64 };
    struct machine *m = machine_open();
    uint32_t *times = machine_memory(m, ALL * sizeof *times);
    uint32_t *to = machine_memory(m, ALL * sizeof *to);
    const struct { uint32_t *times, *to; } params = { times, to };
    const struct machine_shape shape = { .grid = { 64 }, .block = { 64 } };
    (void)state;
    for (uint32_t i = 0; i < ALL; i++) times[i] = 1 + i / 64 % 5;
    machine_load(m, two_barriers);
    machine_run(m, "k", &shape, &params, sizeof params);
    for (uint32_t i = 0; i < ALL; i++) assert_int_equal(to[i], i - i % 64 + 63 - i % 64);
    machine_close(m);
}

/* The first thread of each block waits for the block before it to have ended, nearly. */
static const char in_turn[] = HEAD
    ".visible .entry k(.param .u64 done)\n{\n"
    ".reg .pred %p; .reg .b32 %x, %b, %v; .reg .b64 %a;\n"
    "ld.param.u64 %a, [done]; mov.u32 %x, %tid.x; mov.u32 %b, %ctaid.x;\n"
    "mad.lo.u32 %b, %b, 64, %x; shr.u32 %b, %b, 6; mad.wide.u32 %a, %b, 4, %a;\n"
    "setp.ne.u32 %p, %x, 0; @%p bra MEET;\n"
    "POLL: ld.global.cg.u32 %v, [%a]; setp.eq.u32 %p, %v, 0; @%p bra POLL;\n"
    "MEET: bar.sync 0; setp.ne.u32 %p, %x, 0; @%p bra END; add.u32 %v, %v, 1;\n"
    "st.global.cg.u32 [%a+4], %v;\nEND: ret;\n}\n";

static void a_block_may_wait_for_the_one_before(void **state)
{
    struct machine *m = machine_open();
    uint32_t *done = machine_memory(m, 65 * sizeof *done);
    const struct { uint32_t *done; } params = { done };
    const struct machine_shape shape = { .grid = { 64 }, .block = { 64 }, .steps = 1 << 20 };
    (void)state;
    done[0] = 1;
    machine_load(m, in_turn);
    machine_run(m, "k", &shape, &params, sizeof params);
    assert_int_equal(done[64], 65);
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_abreast_whose_threads_meet_and_know_their_places),
        cmocka_unit_test(blocks_are_not_abreast_of_whose_threads_only_some_meet),
        cmocka_unit_test(blocks_are_not_abreast_whose_words_follow_no_rule),
        cmocka_unit_test(much_shared_memory_keeps_blocks_alone),
        cmocka_unit_test(each_block_sums_up_its_own_words),
        cmocka_unit_test(blocks_meet_as_often_as_each_has_to),
        cmocka_unit_test(each_block_turns_its_own_tile),
        cmocka_unit_test(a_block_does_not_reach_the_memory_of_the_next),
        cmocka_unit_test(blocks_are_abreast_none_of_which_keeps_others_waiting),
        cmocka_unit_test(blocks_are_not_abreast_that_could_wait_for_each_other),
        cmocka_unit_test(blocks_that_wait_at_different_barriers_all_end),
        cmocka_unit_test(a_block_may_wait_for_the_one_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
