/* SPDX-License-Identifier: Apache-2.0
 *
 * One entry for each pair of places, whatever thread finds what first; and short memory.
 */
#include "layer-check/reports.h"
#include "support/shortage.h"

/* ---- Pairs of places --------------------------------------------------------------------- */

static struct ck_finding at_sites(const void *later, const void *earlier, uint64_t order)
{
    struct ck_finding finding = race(order);
    finding.ends[0].site = later;
    finding.ends[1].site = earlier;
    return finding;
}

static void copies_of_a_call_by_the_compiler_are_one_place(void **state)
{
    struct reports reports;
    (void)state;
    begin_reports(&reports, "");
    add(&reports, at_sites(&sources[DOWNLOAD], &sources[COMPUTE], 10));
    add(&reports, at_sites(&sources[DOWNLOAD], &sources[COMPUTE_COPY], 11));
    add(&reports, at_sites(&sources[DOWNLOAD], &sources[COMPUTE_COPY], 12));
    assert_int_equal(ck_report_count(reports.report), 3);
    assert_int_equal(reports.report->count, 1);
    finish_reports(&reports);
    assert_non_null(strstr(read_text(&reports), ", 3 times\n"));
    remove_files(&reports);
}

static void other_places_names_kinds_and_causes_are_apart(void **state)
{
    struct reports reports;
    struct ck_finding finding = race(10);
    (void)state;
    begin_reports(&reports, "");
    add(&reports, finding);
    add(&reports, at_sites(&sources[COMPUTE], &sources[DOWNLOAD], 11));
    finding.ends[1].what = "kernel 'other'";
    add(&reports, finding);
    finding.cause = "another";
    add(&reports, finding);
    finding.kind = RILL_FINDING_LIFETIME;
    add(&reports, finding);
    assert_int_equal(reports.report->count, 5);
    finding.ends[0].number = 99;
    finding.ends[0].stream = "stream 12";
    add(&reports, finding);
    assert_int_equal(reports.report->count, 5);
    finish_reports(&reports);
    remove_files(&reports);
}

static void without_a_site_streams_tell_places_apart(void **state)
{
    struct reports reports;
    struct ck_finding finding = at_sites(NULL, NULL, 10);
    (void)state;
    begin_reports(&reports, "");
    add(&reports, finding);
    add(&reports, finding);
    assert_int_equal(reports.report->count, 1);
    finding.ends[0].stream = "stream 12";
    add(&reports, finding);
    assert_int_equal(reports.report->count, 2);
    finish_reports(&reports);
    remove_files(&reports);
}

static void hints_do_not_count(void **state)
{
    struct reports reports;
    (void)state;
    begin_reports(&reports, "exitcode=3");
    add(&reports, hint(10));
    assert_int_equal(ck_report_count(reports.report), 0);
    assert_int_equal(finish_reports(&reports), 0);
    remove_files(&reports);
}

static void what_is_beyond_the_room_is_counted(void **state)
{
    struct reports reports;
    struct ck_finding finding = at_sites(NULL, NULL, 10);
    char stream[32];
    (void)state;
    begin_reports(&reports, "");
    for (int i = 0; i < CK_ENTRIES_MAX + 7; i++) {
        snprintf(stream, sizeof stream, "stream %d", i);
        finding.ends[0].stream = stream;
        add(&reports, finding);
    }
    finish_reports(&reports);
    char *said = malloc(1 << 21);
    read_file(reports.log, said, 1 << 21);
    assert_non_null(strstr(said, "==rill== 1000 findings: 1000 races; 7 left out\n"));
    free(said);
    remove_files(&reports);
}

/* ---- The order of finding ------------------------------------------------------------------ */

/* Findings of several pairs of operations, each twice, and of one pair with different bytes. */
static struct ck_finding nth_finding(int n)
{
    static const char *const memory[] = { "bytes 0 to 3 of 'a'", "bytes 4 to 7 of 'a'",
                                          "bytes 0 to 3 of 'b'" };
    struct ck_finding finding =
        at_sites(&sources[n % 2 ? DOWNLOAD : VENDOR], &sources[n % 3 ? COMPUTE : COMPUTE_COPY],
                 20 + (uint64_t)n / 3);
    finding.memory = memory[n % 3];
    finding.ends[0].number = (uint64_t)n / 3;
    return finding;
}

static void the_text_does_not_depend_on_who_found_what_first(void **state)
{
    enum { COUNT = 24 };
    static char first[65536];
    struct reports reports;
    (void)state;
    for (int turn = 0; turn < COUNT; turn++) {
        begin_reports(&reports, "");
        for (int i = 0; i < COUNT; i++) {
            int n = (i + turn) % COUNT;
            add(&reports, nth_finding(turn % 2 ? COUNT - 1 - n : n));
        }
        finish_reports(&reports);
        if (!turn) strcpy(first, read_text(&reports));
        assert_string_equal(read_text(&reports), first);
        remove_files(&reports);
    }
    assert_non_null(strstr(first, "2 races"));
}

enum { THREADS = 4, TIMES = 2000 };

static void *add_many(void *data)
{
    struct reports *reports = data;
    for (int i = 0; i < TIMES; i++) {
        add(reports, nth_finding(i % 24));
        add(reports, hint(200));
    }
    return NULL;
}

static void threads_may_add_at_once(void **state)
{
    pthread_t threads[THREADS];
    struct reports reports;
    (void)state;
    begin_reports(&reports, "exitcode=9");
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, &reports), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert_int_equal(ck_report_count(reports.report), THREADS * TIMES);
    assert_int_equal(finish_reports(&reports), 9);
    read_text(&reports);
    assert_non_null(strstr(reports.said, ", 8000 times\n"));
    assert_non_null(strstr(reports.said, "==rill== 2 findings: 2 races; 1 hint\n"));
    remove_files(&reports);
}

/* ---- The program's function ------------------------------------------------------------------ */

struct told {
    int count;
    char id[32], file[64];
    uint64_t address, bytes;
    rill_mend mend;
};

static void note_finding(void *data, const rill_finding *finding)
{
    struct told *told = data;
    told->count++;
    snprintf(told->id, sizeof told->id, "%s", finding->id);
    snprintf(told->file, sizeof told->file, "%s", finding->place[0].file);
    told->address = finding->address;
    told->bytes = finding->bytes;
    told->mend = finding->mend;
}

static void the_programs_function_gets_each_pair_once_and_nothing_is_written(void **state)
{
    struct told told = { .count = 0 };
    struct reports reports;
    (void)state;
    begin_reports(&reports, "exitcode=9");
    ck_report_tell(reports.report, note_finding, &told);
    for (int i = 0; i < 5; i++) add(&reports, race(10));
    assert_int_equal(told.count, 1);
    assert_string_equal(told.id, "race-6811bb");
    assert_string_equal(told.file, "src/app/pipeline.c");
    assert_int_equal(told.address, 0x7f0000001000);
    assert_int_equal(told.bytes, 65536);
    assert_int_equal(told.mend, RILL_MEND_WAIT);
    assert_int_equal(ck_report_count(reports.report), 5);
    assert_int_equal(finish_reports(&reports), 0);
    assert_string_equal(read_text(&reports), "");
    assert_non_null(strstr(read_json(&reports), "\"count\":5,\"cost_ns\":0}\n"));
    remove_files(&reports);
}

static void what_was_found_before_the_function_came_is_written(void **state)
{
    struct told told = { .count = 0 };
    struct reports reports;
    (void)state;
    begin_reports(&reports, "");
    add(&reports, race(10));
    ck_report_tell(reports.report, note_finding, &told);
    add(&reports, race(11));
    add(&reports, hint(12));
    ck_report_tell(reports.report, NULL, NULL);
    assert_int_equal(told.count, 1);
    finish_reports(&reports);
    read_text(&reports);
    assert_non_null(strstr(reports.said, "id race-6811bb, 2 times\n"));
    assert_null(strstr(reports.said, "hint"));
    remove_files(&reports);
}

/* ---- Short memory ---------------------------------------------------------------------------- */

static void add_some(struct reports *reports)
{
    for (int i = 0; i < 24; i++) add(reports, nth_finding(i));
    add(reports, hint(200));
}

/* Each finding is in its entry, or said to be left out. */
static void short_memory_leaves_findings_out_and_says_so(void **state)
{
    bool left = false;
    (void)state;
    long live = rl_alloc_live();
    for (long after = 0; !left; after++) {
        struct reports reports;
        begin_reports(&reports, "");
        rl_alloc_fail_after(after);
        add_some(&reports);
        left = shortage_is_left(after);
        uint64_t kept = 0;
        for (size_t i = 0; i < reports.report->count; i++)
            kept += reports.report->entries[i]->count;
        assert_int_equal(kept + reports.report->left_out, 25);
        bool says = reports.report->left_out != 0;
        finish_reports(&reports);
        assert_int_equal(strstr(read_text(&reports), " left out") != NULL, says);
        remove_files(&reports);
    }
    assert_int_equal(rl_alloc_live(), live);
}

static void short_memory_refuses_to_begin(void **state)
{
    char why[CK_WHY_MAX];
    (void)state;
    rl_alloc_fail_after(0);
    assert_null(ck_session_create("", why));
    rl_alloc_fail_after(-1);
    assert_string_equal(why, "there is no memory to check with");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_of_a_call_by_the_compiler_are_one_place),
        cmocka_unit_test(other_places_names_kinds_and_causes_are_apart),
        cmocka_unit_test(without_a_site_streams_tell_places_apart),
        cmocka_unit_test(hints_do_not_count),
        cmocka_unit_test(what_is_beyond_the_room_is_counted),
        cmocka_unit_test(the_text_does_not_depend_on_who_found_what_first),
        cmocka_unit_test(threads_may_add_at_once),
        cmocka_unit_test(the_programs_function_gets_each_pair_once_and_nothing_is_written),
        cmocka_unit_test(what_was_found_before_the_function_came_is_written),
        cmocka_unit_test(short_memory_leaves_findings_out_and_says_so),
        cmocka_unit_test(short_memory_refuses_to_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
