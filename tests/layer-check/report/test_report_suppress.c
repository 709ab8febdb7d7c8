/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings that nobody wants to see.
 */
#include "layer-check/reports.h"

static char rules_file[64];

static void write_rules(const char *rules)
{
    name_file(rules_file, "rules");
    FILE *file = fopen(rules_file, "w");
    assert_non_null(file);
    fputs(rules, file);
    fclose(file);
}

static void begin_with(struct reports *reports, const char *rules, const char *more)
{
    char settings[256];
    write_rules(rules);
    snprintf(settings, sizeof settings, "suppressions=%s %s", rules_file, more);
    begin_reports(reports, settings);
    unlink(rules_file);
}

/* Tells whether a rule keeps the race, between pipeline.c:88 in download() and grow_pool() in
 * a file of a vendor, out of the report. */
static bool suppresses(const char *rule)
{
    struct reports reports;
    struct ck_finding finding = race(10);
    finding.ends[1].site = &sources[VENDOR];
    begin_with(&reports, rule, "exitcode=5");
    add(&reports, finding);
    bool counted = ck_report_count(reports.report) == 1;
    bool failed = finish_reports(&reports) == 5;
    bool written = strstr(read_text(&reports), "==rill== race:");
    bool summed = strstr(reports.said, "no findings; 1 suppressed");
    assert_int_equal(counted, written);
    assert_int_equal(failed, written);
    assert_int_equal(summed, !written);
    assert_int_equal(strstr(read_json(&reports), "\"kind\":\"race\"") != NULL, written);
    remove_files(&reports);
    return !written;
}

static void rules_look_at_both_ends(void **state)
{
    static const char *const matching[] = {
        "race-62e3ab",       "kind:race",           "function:download",  "function:grow_*",
        "file:pipeline.c",   "file:src/app/*.c",    "file:vendor/*.c",    "module:libvendor.so*",
        "file:/home/them/*", "  kind:race # known", "\n#\n\nkind:race\r", "kind:leak\nmodule:app",
    };
    static const char *const others[] = {
        "",                    "race-62e3ac",     "kind:hint",          "kind:lifetime",
        "function:down",       "function:Download", "file:ipeline.c",   "file:pipeline.cc",
        "file:app/vendor/*.c", "module:vendor.so",  "#kind:race",
    };
    (void)state;
    for (size_t i = 0; i < sizeof matching / sizeof *matching; i++)
        if (!suppresses(matching[i])) fail_msg("\"%s\" does not match", matching[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (suppresses(others[i])) fail_msg("\"%s\" matches", others[i]);
}

static void a_wrong_line_is_told_with_its_number(void **state)
{
    static const struct {
        const char *rules, *says;
    } rows[] = {
        { "kind:race\n\nnonsense\n", ":3: \"nonsense\" is neither an id" },
        { "race-62E3AB", ":1: \"race-62E3AB\" is neither an id" },
        { "race-62e3ab1", "is neither an id" },
        { "speed-62e3ab", "is neither an id" },
        { "obj:x", ":1: \"obj:x\" begins with none of kind:, file:, function: and module:" },
        { "#\nfile:", ":2: \"file:\" has no pattern" },
        { "kind:races", "names no kind; there are race, lifetime, capture, init, leak and hint" },
    };
    char settings[128], why[CK_WHY_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_rules(rows[i].rules);
        snprintf(settings, sizeof settings, "suppressions=%s", rules_file);
        assert_null(ck_session_create(settings, why));
        if (!strstr(why, rows[i].says)) fail_msg("it says: %s", why);
        assert_ptr_equal(strstr(why, rules_file), why);
    }
    unlink(rules_file);
}

static void a_file_that_is_not_there_is_refused(void **state)
{
    char why[CK_WHY_MAX];
    (void)state;
    assert_null(ck_session_create("suppressions=no-such-file", why));
    assert_string_equal(why, "suppressions: no-such-file: No such file or directory");
}

static void rules_that_nothing_matched_can_be_listed(void **state)
{
    static const char rules[] = "kind:leak\nfunction:grow_*\n\nfile:never/*.c # not yet\n";
    struct reports reports;
    (void)state;
    begin_with(&reports, rules, "unused");
    add(&reports, hint(10));
    add(&reports, race(11));
    finish_reports(&reports);
    assert_non_null(strstr(read_text(&reports),
                           "==rill==\n"
                           "==rill== nothing matched line 1 of the suppressions, \"kind:leak\"\n"
                           "==rill== nothing matched line 4 of the suppressions, "
                           "\"file:never/*.c\"\n"
                           "==rill== 1 finding: 1 race; 1 suppressed\n"));
    assert_non_null(strstr(read_json(&reports),
                           "\"unused_suppressions\":[\"kind:leak\",\"file:never/*.c\"]}\n"));
    remove_files(&reports);
}

static void rules_look_at_callers_that_are_told(void **state)
{
    static const char *const rules[] = { "function:grow_*\n", "file:vendor/*\n",
                                         "module:libcublas*\n" };
    struct reports reports;
    (void)state;
    for (size_t i = 0; i < 2 * sizeof rules / sizeof *rules; i++) {
        begin_with(&reports, rules[i / 2], i % 2 ? "stack=2" : "");
        add(&reports, race(11));
        finish_reports(&reports);
        assert_non_null(strstr(read_text(&reports), i % 2 ? "no findings" : "1 finding"));
        remove_files(&reports);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_look_at_both_ends),
        cmocka_unit_test(rules_look_at_callers_that_are_told),
        cmocka_unit_test(a_wrong_line_is_told_with_its_number),
        cmocka_unit_test(a_file_that_is_not_there_is_refused),
        cmocka_unit_test(rules_that_nothing_matched_can_be_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
