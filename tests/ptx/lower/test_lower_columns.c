/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers that are not needed at the same time share memory; nobody can tell, but from
 * how much there is of it.
 */
#include "ptx/machine.h"

#include <stdio.h>

#include "ptx/run/program.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

/* A kernel of 64 threads that leaves a word for each. */
#define BEGIN                                                                              \
    HEAD ".visible .entry k(.param .u64 out)\n{\n"                                         \
    ".reg .b32 %r<40>; .reg .b64 %rd<10>; .reg .pred %p<10>;\n"                             \
    "mov.u32 %r0, %tid.x;\n"
#define END                                                                                \
    "ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r0, 4; add.s64 %rd1, %rd1, %rd2;\n"      \
    "st.global.u32 [%rd1], %r1;\nret;\n}\n"

enum { THREADS = 64 };

/* Three blocks do the same, the later ones in memory that is not clean any more. */
static void run(const char *text, uint32_t out[THREADS])
{
    struct machine *m = machine_open();
    machine_load(m, text);
    uint32_t *memory = machine_memory(m, THREADS * sizeof *memory);
    struct machine_shape shape = { .grid = { 3 }, .block = { THREADS } };
    machine_run(m, "k", &shape, &memory, sizeof memory);
    memcpy(out, memory, THREADS * sizeof *out);
    machine_close(m);
}

static uint32_t lane_bytes(const char *text)
{
    struct machine *m = machine_open();
    machine_load(m, text);
    uint32_t bytes = machine_code(m)->programs[0].lane_bytes;
    machine_close(m);
    return bytes;
}

static void registers_that_follow_each_other_take_turns(void **state)
{
    (void)state;
    char text[65536] = HEAD ".visible .entry k()\n{\n.reg .b32 %r<1000>;\nmov.u32 %r0, %tid.x;\n";
    for (int i = 1; i < 1000; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "add.u32 %%r%d, %%r%d, 1;\n", i,
                 i - 1);
    strcat(text, "ret;\n}\n");
    assert_in_range(lane_bytes(text), 4, 32);
}

static void registers_that_are_needed_to_the_end_do_not(void **state)
{
    (void)state;
    char text[65536] = HEAD ".visible .entry k()\n{\n.reg .b32 %r<1000>;\n";
    for (int i = 0; i < 100; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "mov.u32 %%r%d, %%tid.x;\n", i);
    for (int i = 1; i < 100; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "add.u32 %%r0, %%r0, %%r%d;\n",
                 i);
    strcat(text, "ret;\n}\n");
    assert_in_range(lane_bytes(text), 400, 432);
}

/* %r1 is written in the first round only; what is written in between must not go there. */
static void a_value_of_an_earlier_round_stays(void **state)
{
    uint32_t out[THREADS];
    (void)state;
    run(BEGIN
        "mov.u32 %r2, 0;\n"
        "LOOP: setp.ne.u32 %p1, %r2, 0;\n"
        "@%p1 bra SKIP;\n"
        "add.u32 %r1, %r0, 100;\n"
        "SKIP: add.u32 %r3, %r2, 7; add.u32 %r4, %r3, %r2; add.u32 %r5, %r4, %r3;\n"
        "xor.b32 %r6, %r5, %r4; add.u32 %r2, %r2, 1;\n"
        "setp.lt.u32 %p2, %r2, 5;\n"
        "@%p2 bra LOOP;\n" END, out);
    for (uint32_t i = 0; i < THREADS; i++) assert_int_equal(out[i], i + 100);
}

/* The same with a write that a guard leaves out. */
static void a_guarded_write_keeps_what_was_there(void **state)
{
    uint32_t out[THREADS];
    (void)state;
    run(BEGIN
        "and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r2, 0;\n"
        "mov.u32 %r1, 5;\n"
        "add.u32 %r3, %r0, 9; xor.b32 %r4, %r3, %r2;\n"
        "@%p1 mov.u32 %r1, %r4;\n"
        "add.u32 %r5, %r3, %r3; add.u32 %r6, %r5, 1; add.u32 %r7, %r6, %r5;\n" END, out);
    for (uint32_t i = 0; i < THREADS; i++) assert_int_equal(out[i], i % 2 ? 5 : i + 9);
}

static void lanes_that_go_different_ways_keep_what_is_theirs(void **state)
{
    uint32_t out[THREADS];
    (void)state;
    run(BEGIN
        "add.u32 %r9, %r0, 1000;\n"
        "and.b32 %r2, %r0, 3; setp.eq.u32 %p1, %r2, 0; setp.eq.u32 %p2, %r2, 1;\n"
        "@%p1 bra A;\n@%p2 bra B;\n"
        "mul.lo.u32 %r3, %r0, 3; add.u32 %r1, %r3, %r9; bra DONE;\n"
        "A: add.u32 %r4, %r0, 4; add.u32 %r5, %r4, %r4; add.u32 %r1, %r5, %r9; bra DONE;\n"
        "B: sub.u32 %r6, %r9, %r0; add.u32 %r1, %r6, 1;\n"
        "DONE:\n" END, out);
    for (uint32_t i = 0; i < THREADS; i++) {
        uint32_t expected = i % 4 == 0 ? 2 * (i + 4) + i + 1000 : i % 4 == 1 ? 1001
                                                                             : 4 * i + 1000;
        assert_int_equal(out[i], expected);
    }
}

static void what_was_never_written_is_zero(void **state)
{
    uint32_t out[THREADS];
    (void)state;
    run(BEGIN
        "add.u32 %r2, %r0, 77; xor.b32 %r3, %r2, 5;\n"
        "setp.gt.u32 %p1, %r0, 31;\n@%p1 add.u32 %r4, %r3, %r2;\n"
        "@%p7 add.u32 %r4, %r4, 1;\n"
        "add.u32 %r1, %r4, %r20;\n" END, out);
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(out[i], i > 31 ? ((i + 77) ^ 5) + i + 77 : 0);
}

/* Every target of the table needs another register. */
static void values_live_on_through_tables_of_branches(void **state)
{
    uint32_t out[THREADS];
    (void)state;
    run(BEGIN
        "add.u32 %r10, %r0, 10; add.u32 %r11, %r0, 20; add.u32 %r12, %r0, 30;\n"
        "rem.u32 %r2, %r0, 3;\n"
        "TABLE: .branchtargets X, Y, Z;\n"
        "brx.idx %r2, TABLE;\n"
        "X: add.u32 %r1, %r10, 0; bra DONE;\n"
        "Y: add.u32 %r1, %r11, 0; bra DONE;\n"
        "Z: add.u32 %r1, %r12, 0;\n"
        "DONE:\n" END, out);
    for (uint32_t i = 0; i < THREADS; i++) assert_int_equal(out[i], i + 10 * (i % 3 + 1));
}

/* What the top of the loop needs is not named below it, where others take its place if the
 * way back is forgotten. */
static void values_live_on_through_a_table_that_leads_back(void **state)
{
    uint32_t out[THREADS];
    (void)state;
    run(BEGIN
        "add.u32 %r10, %r0, 10; mov.u32 %r2, 0;\n"
        "TABLE: .branchtargets LOOP, DONE;\n"
        "LOOP: add.u32 %r1, %r10, %r2;\n"
        "add.u32 %r3, %r1, 5; add.u32 %r4, %r3, %r1; xor.b32 %r5, %r4, %r3;\n"
        "add.u32 %r2, %r2, 1; div.u32 %r6, %r2, 3;\n"
        "brx.idx %r6, TABLE;\n"
        "DONE:\n" END, out);
    for (uint32_t i = 0; i < THREADS; i++) assert_int_equal(out[i], i + 12);
}

/* A sum that nobody sets to 0, all in one block. */
static void an_instruction_that_adds_to_its_result_reads_it_first(void **state)
{
    uint32_t out[THREADS];
    (void)state;
    run(BEGIN
        "mov.u32 %r2, 0;\n"
        "LOOP: add.u32 %r8, %r8, 3; mov.u32 %r1, %r8;\n"
        "add.u32 %r3, %r0, 5; add.u32 %r4, %r3, %r0; xor.b32 %r5, %r4, %r3;\n"
        "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 4;\n"
        "@%p1 bra LOOP;\n" END, out);
    for (uint32_t i = 0; i < THREADS; i++) assert_int_equal(out[i], 12);
}

/* The first result must not be where the last source is, though that is needed no more. */
static void two_results_keep_off_the_sources(void **state)
{
    uint32_t out[THREADS];
    (void)state;
    run(BEGIN
        "and.b32 %r2, %r0, 1; setp.eq.u32 %p2, %r2, 1;\n"
        "setp.lt.and.u32 %p3|%p4, %r0, 32, %p2;\n"
        "selp.u32 %r3, 1, 0, %p3; selp.u32 %r4, 2, 0, %p4; add.u32 %r1, %r3, %r4;\n" END, out);
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(out[i], i % 2 == 0 ? 0 : i < 32 ? 1 : 2);
}

/* The first half of the argument is written once, before the loop. */
static void an_argument_in_parts_keeps_those_that_are_not_written_again(void **state)
{
    uint32_t out[THREADS];
    (void)state;
    run(HEAD ".func (.param .b32 r) f(.param .align 8 .b8 a[8])\n{\n.reg .b32 %x<9>;\n"
        "ld.param.b32 %x1, [a]; ld.param.b32 %x2, [a+4]; add.u32 %x3, %x1, %x2;\n"
        "st.param.b32 [r], %x3; ret;\n}\n"
        ".visible .entry k(.param .u64 out)\n{\n"
        ".reg .b32 %r<40>; .reg .b64 %rd<10>; .reg .pred %p<10>;\n"
        "mov.u32 %r0, %tid.x;\n"
        ".param .align 8 .b8 both[8]; .param .b32 result;\n"
        "mov.u32 %r2, 0; mov.u32 %r1, 0;\n"
        "st.param.b32 [both], %r0;\n"
        "LOOP: st.param.b32 [both+4], %r2;\n"
        "call (result), f, (both);\n"
        "ld.param.b32 %r3, [result]; add.u32 %r1, %r1, %r3;\n"
        "cvt.u64.u32 %rd3, %r1; add.u64 %rd4, %rd3, %rd3; xor.b64 %rd5, %rd4, %rd3;\n"
        "cvt.u32.u64 %r4, %rd5;\n"
        "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 4;\n"
        "@%p1 bra LOOP;\n" END, out);
    for (uint32_t i = 0; i < THREADS; i++) assert_int_equal(out[i], 6 + 4 * i);
}

/* The caller's registers and .param variables are still there behind a call, in a loop. */
static void a_call_leaves_the_caller_what_it_has(void **state)
{
    uint32_t out[THREADS];
    (void)state;
    run(HEAD ".func (.param .b32 r) f(.param .b32 a, .param .b32 b)\n{\n.reg .b32 %x<9>;\n"
        "ld.param.b32 %x1, [a]; ld.param.b32 %x2, [b]; add.u32 %x3, %x1, %x2;\n"
        "mul.lo.u32 %x4, %x3, 3; st.param.b32 [r], %x4; ret;\n}\n"
        ".visible .entry k(.param .u64 out)\n{\n"
        ".reg .b32 %r<40>; .reg .b64 %rd<10>; .reg .pred %p<10>;\n"
        "mov.u32 %r0, %tid.x;\n"
        ".param .b32 first, second, result;\n"
        "mov.u32 %r2, 0; mov.u32 %r1, 0;\n"
        "st.param.b32 [second], %r0;\n"
        "LOOP: st.param.b32 [first], %r2;\n"
        "call (result), f, (first, second);\n"
        "ld.param.b32 %r3, [result]; add.u32 %r1, %r1, %r3;\n"
        "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 4;\n"
        "@%p1 bra LOOP;\n" END, out);
    for (uint32_t i = 0; i < THREADS; i++) assert_int_equal(out[i], 3 * (6 + 4 * i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_that_follow_each_other_take_turns),
        cmocka_unit_test(registers_that_are_needed_to_the_end_do_not),
        cmocka_unit_test(a_value_of_an_earlier_round_stays),
        cmocka_unit_test(a_guarded_write_keeps_what_was_there),
        cmocka_unit_test(lanes_that_go_different_ways_keep_what_is_theirs),
        cmocka_unit_test(what_was_never_written_is_zero),
        cmocka_unit_test(values_live_on_through_tables_of_branches),
        cmocka_unit_test(values_live_on_through_a_table_that_leads_back),
        cmocka_unit_test(an_instruction_that_adds_to_its_result_reads_it_first),
        cmocka_unit_test(two_results_keep_off_the_sources),
        cmocka_unit_test(an_argument_in_parts_keeps_those_that_are_not_written_again),
        cmocka_unit_test(a_call_leaves_the_caller_what_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
