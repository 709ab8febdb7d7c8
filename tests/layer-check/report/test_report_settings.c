/* SPDX-License-Identifier: Apache-2.0
 *
 * What $RILL_CHECK may hold, and what is said of the rest.
 */
#include "layer-check/reports.h"

static struct ck_settings settings;
static char why[CK_WHY_MAX];

static bool reads(const char *text)
{
    why[0] = 0;
    return ck_settings_read(&settings, text, why);
}

static void expect_wanted(const char *text, const char *kinds)
{
    assert_true(reads(text));
    for (int kind = 1; kind < CK_KINDS; kind++) {
        bool wanted = ck_wants(&settings, (rill_finding_kind)kind);
        assert_int_equal(wanted, strchr(kinds, '0' + kind) != NULL);
    }
}

static void races_lifetimes_and_captures_are_looked_for_by_default(void **state)
{
    (void)state;
    expect_wanted(NULL, "1237");
    expect_wanted("", "1237");
    expect_wanted(" \t exitcode=1  ", "1237");
}

static void what_is_named_is_looked_for_alone(void **state)
{
    (void)state;
    expect_wanted("race", "1");
    expect_wanted("hints leak", "56");
    expect_wanted("race life capture init leak hints", "123456");
    expect_wanted("hint lifetime", "26");
}

static void values_are_kept(void **state)
{
    (void)state;
    assert_true(reads("log=/tmp/a\\ b\\\\c exitcode=42 json=%p.json suppressions=known unused"));
    assert_string_equal(settings.log, "/tmp/a b\\c");
    assert_string_equal(settings.json, "%p.json");
    assert_string_equal(settings.suppressions, "known");
    assert_int_equal(settings.exitcode, 42);
    assert_true(settings.list_unused);
    assert_int_equal(settings.stack, 0);
    assert_true(reads("stack=8"));
    assert_int_equal(settings.stack, 8);
    assert_int_equal(settings.protection, CK_PROTECT_SAFELY);
    assert_true(reads("unprotected"));
    assert_int_equal(settings.protection, CK_PROTECT_NONE);
    assert_true(reads("protected"));
    assert_int_equal(settings.protection, CK_PROTECT_ALL);
}

static void a_wrong_word_is_named(void **state)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        { "race speed", "there is no setting \"speed\"; there are race, life, capture, hang, init, "
                        "leak, hints, kernel, managed, unused, protected, unprotected, "
                        "stack=, exitcode=, quarantine=, log=, json= and suppressions=" },
        { "rac", "there is no setting \"rac\"" },
        { "logs=x", "there is no setting \"logs\"; there are stack=, exitcode=, quarantine=, "
                    "log=, json= and suppressions=" },
        { "race=1", "there is no setting \"race\"; there are stack=" },
        { "exitcode=256", "exitcode takes a number from 0 to 255, not \"256\"" },
        { "exitcode=", "exitcode takes a number from 0 to 255, not \"\"" },
        { "exitcode=-1", "not \"-1\"" },
        { "exitcode=1x", "not \"1x\"" },
        { "exitcode=99999999999999999999", "from 0 to 255" },
        { "stack=16", "stack takes a number from 0 to 15, not \"16\"" },
        { "log=", "log takes the name of a file, not \"\"" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_false(reads(rows[i].text));
        assert_ptr_equal(strstr(why, "$RILL_CHECK: "), why);
        assert_non_null(strstr(why, rows[i].says));
    }
}

static void words_may_be_as_long_as_a_path(void **state)
{
    static char text[CK_PATH_MAX + 16];
    (void)state;
    memset(text, 'x', CK_PATH_MAX - 1);
    memcpy(text, "log=", 4);
    assert_true(reads(text));
    assert_int_equal(strlen(settings.log), CK_PATH_MAX - 5);
    text[CK_PATH_MAX - 1] = 'x';
    assert_false(reads(text));
    assert_string_equal(why, "$RILL_CHECK: a word is longer than 4095 bytes");
}

static void a_file_that_cannot_be_written_is_refused(void **state)
{
    (void)state;
    assert_null(ck_session_create("log=no-such-folder/log", why));
    assert_string_equal(why, "$RILL_CHECK: log=no-such-folder/log cannot be written: "
                             "No such file or directory");
    assert_null(ck_session_create("json=.", why));
    assert_non_null(strstr(why, "json=. cannot be written"));
}

static void a_name_may_have_the_number_of_the_process(void **state)
{
    char path[64], config[128];
    (void)state;
    snprintf(path, sizeof path, "report-%ld-%%-%%.tmp", (long)getpid());
    snprintf(config, sizeof config, "log=report-%%p-%%%%-%%.tmp");
    struct ck_session *session = ck_session_create(config, why);
    assert_non_null(session);
    assert_int_equal(access(path, W_OK), 0);
    ck_session_destroy(session);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(races_lifetimes_and_captures_are_looked_for_by_default),
        cmocka_unit_test(what_is_named_is_looked_for_alone),
        cmocka_unit_test(values_are_kept),
        cmocka_unit_test(a_wrong_word_is_named),
        cmocka_unit_test(words_may_be_as_long_as_a_path),
        cmocka_unit_test(a_file_that_cannot_be_written_is_refused),
        cmocka_unit_test(a_name_may_have_the_number_of_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
