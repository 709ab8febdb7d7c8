/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts that say which lines of CUDA they were made of, as compilers do with -lineinfo: what goes
 * wrong in a kernel is told with those lines.
 */
#include <stdio.h>

#include "ptx/machine.h"

#include "ptx/check/findings.h"
#include "ptx/link/linker.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define BEGIN(kernel) \
    ".visible .entry " kernel "(.param .u64 to)\n{\n" \
    ".reg .u64 %a; .reg .u32 %t, %v; .reg .pred %p;\n" \
    "ld.param.u64 %a, [to]; mov.u32 %t, %tid.x;\n"
#define FAR "st.global.u32 [%a+65536], %t;\n"
#define END "ret;\n}\n"
#define FILES ".file 1 \"/home/ada/sums/sum.cu\"\n.file 7 \"include/ops.h\", 1700000000, 512\n"

static void fails_at(const char *text, const char *kernel, const char *words, const char *more)
{
    struct machine *m = machine_open();
    machine_load(m, text);
    void *to = machine_memory(m, 4096);
    machine_fails(m, kernel, &(struct machine_shape){ .block = { 1 } }, &to, sizeof to,
                  RILL_ERROR_ILLEGAL_ADDRESS, words, more);
    machine_close(m);
}

/* ---- Faults ----------------------------------------------------------------------------- */

static void a_store_out_of_bounds_is_told_with_its_line_of_cuda(void **state)
{
    (void)state;
    fails_at(HEAD BEGIN("k") ".loc 1 30 5\nadd.u32 %v, %t, 1;\n.loc\t1 31 9\n" FAR ".loc 1 32 1\n"
             END FILES, "k", "kernel 'k', sum.cu:31, thread (0,0,0) of block (0,0,0): ", "store");
    fails_at(HEAD FILES BEGIN("k") ".loc 7 4 5\nadd.u32 %v, %t, 1;\nadd.u32 %v, %v, 1;\n" FAR END,
             "k", "kernel 'k', ops.h:4, thread", "");
}

static void the_line_of_the_ptx_is_kept_for_programs(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD BEGIN("k") ".loc 1 31 9\n" FAR END FILES);
    void *to = machine_memory(m, 4096);
    machine_fails(m, "k", &(struct machine_shape){ .block = { 1 } }, &to, sizeof to,
                  RILL_ERROR_ILLEGAL_ADDRESS, "sum.cu:31", "");
    assert_int_equal(machine_fault(m)->line, 9);
    machine_close(m);
}

static void a_function_that_was_put_into_another_is_told_with_its_caller(void **state)
{
    (void)state;
    const char *put = HEAD BEGIN("k")
        ".loc 1 31 9\nadd.u32 %v, %t, 1;\n"
        ".loc 7 8 5, function_name $L__info_string0, inlined_at 1 31 9\n"
        ".loc 7 4 5, function_name $L__info_string0+16, inlined_at 7 8 5\n" FAR
        ".loc 1 32 1\n" END FILES;
    fails_at(put, "k", "kernel 'k', ops.h:4 (called from sum.cu:31), thread", "");
    fails_at(HEAD BEGIN("k") ".loc 1 4 5, function_name $L__s, inlined_at 1 9 2\n" FAR END FILES,
             "k", "kernel 'k', sum.cu:4 (called from sum.cu:9), thread", "");
}

/* Line 0 is what compilers write for what they added themselves. */
static void without_a_line_of_cuda_the_line_of_the_ptx_is_told(void **state)
{
    (void)state;
    static const char *const locations[] = {
        "", ".loc 1 0 0\n", ".loc 2 31 9\n", ".loc 1 4294967296 9\n", ".loc 1 1.5 9\n", ".loc\n",
        ".loc 1 31 9\n.loc 1 0 9\n", ".loc 1 2 3 4\n",
    };
    for (size_t i = 0; i < sizeof locations / sizeof *locations; i++) {
        char text[1024], words[64];
        snprintf(text, sizeof text, "%s%s%s", HEAD BEGIN("k"), locations[i], FAR END FILES);
        unsigned line = 8;
        for (const char *c = locations[i]; *c; c++) line += *c == '\n';
        snprintf(words, sizeof words, "kernel 'k', line %u, thread", line);
        fails_at(text, "k", words, "");
    }
}

static void a_function_begins_without_a_location(void **state)
{
    (void)state;
    fails_at(HEAD BEGIN("j") ".loc 1 12 1\n" END BEGIN("k") FAR END FILES, "k",
             "kernel 'k', line 15, thread", "");
}

static void names_of_files_are_fit_to_be_printed(void **state)
{
    (void)state;
    fails_at(HEAD BEGIN("k") ".loc 1 3 1\n" FAR END ".file 1 \"C:\\cuda\\a\tb.cu\"\n", "k",
             "kernel 'k', a?b.cu:3, thread", "");
    fails_at(HEAD BEGIN("k") ".loc 1 3 1\n" FAR END
             ".file 1 \"a_very_long_name_that_some_tool_has_made_of_all_that_it_knows.cu\"\n", "k",
             "kernel 'k', a_very_long_name_that_some_tool_has_made:3, thread", "");
}

/* ---- Findings --------------------------------------------------------------------------- */

static void both_ends_of_a_race_are_told_with_their_lines(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD ".visible .entry k(.param .u64 to)\n{\n"
                 ".shared .u32 s[64]; .reg .u32 %t, %u, %v;\nmov.u32 %t, %tid.x;\n"
                 ".loc 1 13 5\nshl.b32 %u, %t, 2; mov.u32 %v, s; add.u32 %v, %v, %u;\n"
                 "st.shared.u32 [%v], %t;\n.loc 1 14 5\nxor.b32 %v, %v, 4;\n"
                 "ld.shared.u32 %v, [%v];\n" END FILES);
    void *to = machine_memory(m, 4096);
    struct ptx_findings findings = { .first = NULL };
    struct machine_shape shape = { .block = { 64 }, .checks = PTX_CHECK_ALL,
                                   .findings = &findings };
    machine_run(m, "k", &shape, &to, sizeof to);
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.first->sentence,
                        "sum.cu:14, thread (0,0,0) of block (0,0,0): a race for shared memory: "
                        "load of 4 bytes at offset 4, where thread (1,0,0) stored in sum.cu:13, "
                        "and no barrier in between");
    ptx_findings_fini(&findings);
    machine_close(m);
}

#define STRIDE ".loc 1 13 5\nshl.b32 %u, %t, 2; mov.u32 %v, s; add.u32 %v, %v, %u;\n" \
    "st.shared.u32 [%v], %t;\n"
#define NEIGHBOUR(place) ".loc " place "\nxor.b32 %u, %v, 4;\nld.shared.u32 %w, [%u];\n"

/* A loop that was unrolled has its line many times, and a function that was put into two places has
 * two. */
static void a_line_of_the_source_has_one_finding(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD ".visible .entry k(.param .u64 to)\n{\n"
                 ".shared .u32 s[64]; .reg .u32 %t, %u, %v, %w;\nmov.u32 %t, %tid.x;\n" STRIDE
                 NEIGHBOUR("1 14 5") NEIGHBOUR("1 14 5") NEIGHBOUR("1 14 5") NEIGHBOUR("1 14 9")
                 NEIGHBOUR("7 3 9, function_name $f, inlined_at 1 20 1")
                 NEIGHBOUR("7 3 9, function_name $f, inlined_at 1 21 1") END FILES);
    void *to = machine_memory(m, 4096);
    struct ptx_findings findings = { .first = NULL };
    struct machine_shape shape = { .block = { 32 }, .checks = PTX_CHECK_ALL,
                                   .findings = &findings };
    machine_run(m, "k", &shape, &to, sizeof to);
    assert_int_equal(findings.count, 3);
    assert_int_equal(findings.first->count, 4 * 32);
    assert_string_equal(findings.first->place, "sum.cu:14");
    assert_string_equal(findings.first->next->place, "ops.h:3 (called from sum.cu:20)");
    assert_string_equal(findings.last->place, "ops.h:3 (called from sum.cu:21)");
    assert_int_equal(findings.last->count, 32);
    ptx_findings_fini(&findings);
    machine_close(m);
}

/* ---- Several texts ---------------------------------------------------------------------- */

static struct ptx_module *link_two(const char *a, const char *b)
{
    struct ptx_module *module;
    struct ptx_refusal refusal;
    char texts[4096];
    size_t length = strlen(a) + 1, bytes = length + strlen(b) + 1;
    assert_true(bytes <= sizeof texts);
    memcpy(texts, a, length);
    memcpy(texts + length, b, bytes - length);
    if (ptx_read_linked(texts, bytes, NULL, &module, &refusal)) fail_msg("%s", refusal.message);
    return module;
}

static void linked_fails_at(const char *a, const char *b, const char *kernel, const char *words)
{
    struct machine *m = machine_open();
    struct ptx_refusal refusal;
    if (machine_try_take(m, link_two(a, b), NULL, &refusal)) fail_msg("%s", refusal.message);
    void *to = machine_memory(m, 4096);
    machine_fails(m, kernel, &(struct machine_shape){ .block = { 1 } }, &to, sizeof to,
                  RILL_ERROR_ILLEGAL_ADDRESS, words, "");
    machine_close(m);
}

/* Each text has its own numbers of files and of lines. */
static void linked_texts_are_told_from_each_other(void **state)
{
    (void)state;
    static const char sums[] = HEAD BEGIN("sum") ".loc 1 31 9\n" FAR END
                               ".file 1 \"src/sum.cu\"\n";
    static const char sorts[] = HEAD BEGIN("sort") ".loc 1 77 9\n" FAR END
                                ".file 1 \"src/sort.cu\"\n";
    static const char plain[] = HEAD BEGIN("plain") "\n" FAR END;
    linked_fails_at(sums, sorts, "sum", "kernel 'sum', sum.cu:31, thread");
    linked_fails_at(sums, sorts, "sort", "kernel 'sort', sort.cu:77, thread");
    linked_fails_at(sorts, sums, "sum", "kernel 'sum', sum.cu:31, thread");
    linked_fails_at(sums, plain, "plain", "kernel 'plain', line 9, thread");
    linked_fails_at(plain, sums, "plain", "kernel 'plain', line 9, thread");
    linked_fails_at(plain, sums, "sum", "kernel 'sum', sum.cu:31, thread");
}

/* A kernel of one text stores, and a function of the other loads. */
static void a_race_between_linked_texts_is_told_with_both_files(void **state)
{
    (void)state;
    static const char kernel[] = HEAD ".extern .func other(.param .u64 at);\n" BEGIN("k")
        ".reg .u64 %b;\n.loc 1 20 5\nmad.wide.u32 %b, %t, 4, %a; st.global.u32 [%b], %t;\n"
        ".loc 1 21 5\nxor.b32 %v, %t, 1; mad.wide.u32 %b, %v, 4, %a;\n"
        "{ .param .u64 at; st.param.u64 [at], %b; call other, (at); }\n" END
        ".file 1 \"main.cu\"\n";
    static const char other[] = HEAD ".visible .func other(.param .u64 at)\n{\n"
        ".reg .u64 %a; .reg .u32 %v;\nld.param.u64 %a, [at];\n.loc 1 5 3\n"
        "ld.global.u32 %v, [%a];\n" END ".file 1 \"other.cu\"\n";
    struct machine *m = machine_open();
    struct ptx_refusal refusal;
    if (machine_try_take(m, link_two(kernel, other), NULL, &refusal))
        fail_msg("%s", refusal.message);
    void *to = machine_memory(m, 4096);
    struct machine_shape shape = { .block = { 32 }, .checks = PTX_CHECK_ALL };
    machine_fails(m, "k", &shape, &to, sizeof to, RILL_ERROR_LAUNCH_FAILED,
                  "kernel 'k', other.cu:5, thread (0,0,0)",
                  "which thread (1,0,0) stored in main.cu:20, and");
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_out_of_bounds_is_told_with_its_line_of_cuda),
        cmocka_unit_test(the_line_of_the_ptx_is_kept_for_programs),
        cmocka_unit_test(a_function_that_was_put_into_another_is_told_with_its_caller),
        cmocka_unit_test(without_a_line_of_cuda_the_line_of_the_ptx_is_told),
        cmocka_unit_test(a_function_begins_without_a_location),
        cmocka_unit_test(names_of_files_are_fit_to_be_printed),
        cmocka_unit_test(both_ends_of_a_race_are_told_with_their_lines),
        cmocka_unit_test(a_line_of_the_source_has_one_finding),
        cmocka_unit_test(linked_texts_are_told_from_each_other),
        cmocka_unit_test(a_race_between_linked_texts_is_told_with_both_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
