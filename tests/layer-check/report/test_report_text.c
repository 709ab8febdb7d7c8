/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings as people read them, byte for byte.
 */
#include "layer-check/reports.h"

#include <dlfcn.h>

#define RACE_LINES \
    "==rill== race: memcpy reads what kernel 'scale' writes, and nothing orders them\n" \
    "==rill==   memcpy  pipeline.c:88 in download()     stream 'copy', operation 7\n" \
    "==rill==   kernel  pipeline.c:81 in compute()      stream 'compute', operation 4\n" \
    "==rill==   memory  bytes 0 to 65535 of 'frame' (device 0, 1 MiB, allocated at " \
    "pipeline.c:40)\n" \
    "==rill==   to mend: record an event in 'compute' after pipeline.c:81 and let 'copy' wait " \
    "for it before pipeline.c:88\n"
#define RACE_ID "race-6811bb"

static struct reports *begun(const char *settings)
{
    static struct reports reports;
    begin_reports(&reports, settings);
    return &reports;
}

static void a_race_has_both_ends_its_memory_and_the_mend(void **state)
{
    struct reports *reports = begun("");
    (void)state;
    for (int i = 0; i < 12; i++) add(reports, race(10 + (uint64_t)i));
    expect_text(reports, RACE_LINES "==rill==   id " RACE_ID ", 12 times\n"
                                    "==rill==\n"
                                    "==rill== 1 finding: 1 race\n");
}

/* Reads of a kernel of C++, whose id does not depend on whether its plain name can be told. */
static void kernels_have_the_names_of_their_source(void **state)
{
    struct reports *reports = begun("");
    struct ck_finding finding = race(10);
    (void)state;
    if (!dlopen("libstdc++.so.6", RTLD_LAZY)) skip();
    finding.ends[1].what = "kernel '_Z5scaleIfEvPT_i'";
    finding.sentence = "'_Z5scaleIfEvPT_i' is late";
    finding.mend = RILL_MEND_NONE;
    finding.memory = NULL;
    add(reports, finding);
    expect_text(reports,
                "==rill== race: 'scale<float>' is late\n"
                "==rill==   memcpy  pipeline.c:88 in download()     stream 'copy', operation 7\n"
                "==rill==   kernel  pipeline.c:81 in compute()      stream 'compute', operation 4\n"
                "==rill==   id race-9e03a2, once\n"
                "==rill==\n"
                "==rill== 1 finding: 1 race\n");
}

static void callers_stand_under_their_call(void **state)
{
    struct reports *reports = begun("stack=9");
    (void)state;
    add(reports, race(10));
    expect_text(reports,
                "==rill== race: memcpy reads what kernel 'scale' writes, and nothing orders them\n"
                "==rill==   memcpy  pipeline.c:88 in download()     stream 'copy', operation 7\n"
                "==rill==           called at pool.c:7 in grow_pool()\n"
                "==rill==           called at libcublas.so.12+0x1f40 in cublasSgemm()\n"
                "==rill==   kernel  pipeline.c:81 in compute()      stream 'compute', operation 4\n"
                "==rill==           called at pool.c:7 in grow_pool()\n"
                "==rill==           called at libcublas.so.12+0x1f40 in cublasSgemm()\n"
                "==rill==   memory  bytes 0 to 65535 of 'frame' (device 0, 1 MiB, allocated at "
                "pipeline.c:40)\n"
                "==rill==   to mend: record an event in 'compute' after pipeline.c:81 and let "
                "'copy' wait for it before pipeline.c:88\n"
                "==rill==   id race-44b62d, once\n"
                "==rill==\n"
                "==rill== 1 finding: 1 race\n");
}

static void nothing_found_is_said_with_what_was_looked_for(void **state)
{
    (void)state;
    expect_text(begun(""), "==rill== no findings; looked for race, life, capture, hang\n");
    expect_text(begun("leak hints"), "==rill== no findings; looked for leak, hints\n");
}

static void findings_stand_in_the_order_of_submission(void **state)
{
    struct reports *reports = begun("");
    (void)state;
    add(reports, race(50));
    add(reports, hint(20));
    expect_text(reports,
                "==rill== hint: the event was never recorded: the wait orders nothing\n"
                "==rill==   wait    pool.c:7 in grow_pool()     stream 3, operation 2\n"
                "==rill==   id hint-c4fd05, once\n"
                "==rill==\n" RACE_LINES "==rill==   id " RACE_ID ", once\n"
                "==rill==\n"
                "==rill== 1 finding: 1 race; 1 hint\n");
}

static void the_host_has_no_stream(void **state)
{
    struct reports *reports = begun("");
    struct ck_finding finding = race(10);
    (void)state;
    finding.ends[0] = (struct ck_end){ .what = "the host", .does = "reads",
                                       .site = &sources[DOWNLOAD], .order = 10 };
    finding.mend = RILL_MEND_SYNC;
    finding.memory = "bytes 0 to 3 of pinned memory";
    add(reports, finding);
    expect_text(reports,
                "==rill== race: the host reads what kernel 'scale' writes, and nothing orders "
                "them\n"
                "==rill==   host    pipeline.c:88 in download()\n"
                "==rill==   kernel  pipeline.c:81 in compute()      stream 'compute', operation 4\n"
                "==rill==   memory  bytes 0 to 3 of pinned memory (allocated at pipeline.c:40)\n"
                "==rill==   to mend: let the host wait for 'compute' before pipeline.c:88\n"
                "==rill==   id race-4c3040, once\n"
                "==rill==\n"
                "==rill== 1 finding: 1 race\n");
}

static void without_debug_information_a_place_is_module_and_offset(void **state)
{
    struct reports *reports = begun("");
    struct ck_finding finding = race(10);
    (void)state;
    finding.ends[0].site = &sources[CUBLAS];
    finding.ends[1].site = NULL;
    finding.memory = NULL;
    add(reports, finding);
    expect_text(reports,
                "==rill== race: memcpy reads what kernel 'scale' writes, and nothing orders them\n"
                "==rill==   memcpy  libcublas.so.12+0x1f40 in cublasSgemm()     stream 'copy', "
                "operation 7\n"
                "==rill==   kernel  unknown place                               stream 'compute', "
                "operation 4\n"
                "==rill==   to mend: record an event in 'compute' after kernel 'scale' and let "
                "'copy' wait for it before libcublas.so.12+0x1f40\n"
                "==rill==   id race-da4124, once\n"
                "==rill==\n"
                "==rill== 1 finding: 1 race\n");
}

static void what_a_hint_costs_has_a_line_of_its_own(void **state)
{
    struct reports *reports = begun("");
    struct ck_finding finding = hint(10);
    (void)state;
    finding.count = 3;
    finding.cost_ns = 2001;
    add(reports, finding);
    finding.cost_ns = 1001;
    add(reports, finding);
    expect_text(reports,
                "==rill== hint: the event was never recorded: the wait orders nothing\n"
                "==rill==   wait    pool.c:7 in grow_pool()     stream 3, operation 2\n"
                "==rill==   cost: 4 us in this run\n"
                "==rill==   id hint-c4fd05, 6 times\n"
                "==rill==\n"
                "==rill== no findings; 1 hint; looked for race, life, capture, hang\n");
}

static void nodes_are_mended_by_an_edge(void **state)
{
    struct reports *reports = begun("");
    struct ck_finding finding = race(10);
    (void)state;
    finding.ends[0].node = 3;
    finding.ends[1].node = 2;
    finding.ends[0].stream = finding.ends[1].stream = "stream 1";
    finding.ends[0].number = finding.ends[1].number = 9;
    finding.mend = RILL_MEND_EDGE;
    finding.memory = NULL;
    finding.assumed = true;
    add(reports, finding);
    expect_text(reports,
                "==rill== race: memcpy reads what kernel 'scale' writes, and nothing orders them\n"
                "==rill==   memcpy  pipeline.c:88 in download()     stream 1, operation 9, node 3\n"
                "==rill==   kernel  pipeline.c:81 in compute()      stream 1, operation 9, node 2\n"
                "==rill==   assumed from the arguments: what is touched was not seen\n"
                "==rill==   to mend: add an edge from node 2, pipeline.c:81, to node 3, "
                "pipeline.c:88\n"
                "==rill==   id " RACE_ID ", once\n"
                "==rill==\n"
                "==rill== 1 finding: 1 race\n");
}

static void what_the_program_named_cannot_break_a_line(void **state)
{
    struct reports *reports = begun("");
    struct ck_finding finding = hint(10);
    (void)state;
    finding.sentence = "said\n==rill== race: not really\n";
    finding.ends[0].stream = "stream 'a\r\n\nb\x7f'";
    add(reports, finding);
    expect_text(reports,
                "==rill== hint: said?==rill== race: not really?\n"
                "==rill==   wait    pool.c:7 in grow_pool()     stream 'a???b?', operation 2\n"
                "==rill==   id hint-c4fd05, once\n"
                "==rill==\n"
                "==rill== no findings; 1 hint; looked for race, life, capture, hang\n");
}

static void the_summary_counts_each_kind(void **state)
{
    static const char end[] =
        "==rill== checking stopped: there was no memory for clocks\n"
        "==rill== 9 findings: 2 races, 2 lifetimes, 2 captures, 2 uninitialized reads, 1 leak; "
        "1 hint\n";
    struct reports *reports = begun("");
    struct ck_finding finding = hint(1);
    (void)state;
    for (int kind = RILL_FINDING_RACE; kind <= RILL_FINDING_HINT; kind++)
        for (int copy = 0; copy < (kind < RILL_FINDING_LEAK ? 2 : 1); copy++) {
            finding.kind = (rill_finding_kind)kind;
            finding.ends[0].site = &sources[copy];
            add(reports, finding);
        }
    ck_report_stopped(reports->report, "there was no memory for clocks");
    finish_reports(reports);
    size_t length = strlen(read_text(reports));
    assert_string_equal(reports->said + length - (sizeof end - 1), end);
    remove_files(reports);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_race_has_both_ends_its_memory_and_the_mend),
        cmocka_unit_test(kernels_have_the_names_of_their_source),
        cmocka_unit_test(callers_stand_under_their_call),
        cmocka_unit_test(nothing_found_is_said_with_what_was_looked_for),
        cmocka_unit_test(findings_stand_in_the_order_of_submission),
        cmocka_unit_test(the_host_has_no_stream),
        cmocka_unit_test(without_debug_information_a_place_is_module_and_offset),
        cmocka_unit_test(what_a_hint_costs_has_a_line_of_its_own),
        cmocka_unit_test(nodes_are_mended_by_an_edge),
        cmocka_unit_test(what_the_program_named_cannot_break_a_line),
        cmocka_unit_test(the_summary_counts_each_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
