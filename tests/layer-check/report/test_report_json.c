/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings as lines of JSON, also as another reader of JSON takes them.
 */
#include "layer-check/report/json.h"
#include "layer-check/reports.h"

static const char *quoted(const char *string)
{
    static struct ck_text text;
    ck_text_fini(&text);
    ck_put_json_string(&text, string);
    return text.bytes;
}

static void strings_are_escaped(void **state)
{
    (void)state;
    assert_string_equal(quoted(""), "\"\"");
    assert_string_equal(quoted("a \"b\" \\c/"), "\"a \\\"b\\\" \\\\c/\"");
    assert_string_equal(quoted("\n\t\x01\x1f\x7f"), "\"\\u000a\\u0009\\u0001\\u001f\\u007f\"");
    assert_string_equal(quoted("ü€😀"), "\"ü€😀\"");
    quoted("");
}

static void what_is_not_utf8_is_replaced(void **state)
{
    (void)state;
    assert_string_equal(quoted("a\xff\x62"), "\"a\\ufffdb\"");
    assert_string_equal(quoted("\xc0\xaf"), "\"\\ufffd\\ufffd\"");             /* too long a form */
    assert_string_equal(quoted("\xe0\x80\xaf"), "\"\\ufffd\\ufffd\\ufffd\"");
    assert_string_equal(quoted("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");  /* a surrogate     */
    assert_string_equal(quoted("\xf4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    assert_string_equal(quoted("\xe2\x82"), "\"\\ufffd\\ufffd\"");             /* cut short       */
    assert_string_equal(quoted("\xf0\x9f\x98"), "\"\\ufffd\\ufffd\\ufffd\"");
    quoted("");
}

static void a_finding_is_a_line(void **state)
{
    struct reports reports;
    (void)state;
    begin_reports(&reports, "");
    add(&reports, race(10));
    add(&reports, race(11));
    finish_reports(&reports);
    assert_string_equal(
        read_json(&reports),
        "{\"kind\":\"race\",\"id\":\"race-6811bb\","
        "\"sentence\":\"memcpy reads what kernel 'scale' writes, and nothing orders them\","
        "\"places\":["
        "{\"what\":\"memcpy\",\"does\":\"reads\",\"file\":\"src/app/pipeline.c\",\"line\":88,"
        "\"function\":\"download\",\"module\":\"app\",\"offset\":\"0x10\","
        "\"stream\":\"stream 'copy'\",\"stream_id\":0,\"operation\":7,\"node\":0,\"within\":0,"
        "\"launch_file\":null,\"launch_line\":0},"
        "{\"what\":\"kernel 'scale'\",\"does\":\"writes\",\"file\":\"src/app/pipeline.c\","
        "\"line\":81,\"function\":\"compute\",\"module\":\"app\",\"offset\":\"0x20\","
        "\"stream\":\"stream 'compute'\",\"stream_id\":0,\"operation\":4,\"node\":0,\"within\":0,"
        "\"launch_file\":null,\"launch_line\":0}],"
        "\"memory\":\"bytes 0 to 65535 of 'frame' (device 0, 1 MiB, allocated at "
        "pipeline.c:40)\",\"address\":\"0x7f0000001000\",\"bytes\":65536,"
        "\"mend\":\"wait\",\"advice\":\"record an event in 'compute' after pipeline.c:81 and let "
        "'copy' wait for it before pipeline.c:88\",\"assumed\":false,\"count\":2,\"cost_ns\":0}\n"
        "{\"kind\":\"summary\",\"findings\":1,\"race\":1,\"lifetime\":0,\"capture\":0,\"init\":0,"
        "\"leak\":0,\"hint\":0,\"hang\":0,\"kernel\":0,\"managed\":0,\"suppressed\":0,"
        "\"left_out\":0,\"unjudged\":0,\"failed_kernels\":0,"
        "\"stopped\":null,\"unused_suppressions\":[]}\n");
    remove_files(&reports);
}

static void callers_are_a_member_of_their_place(void **state)
{
    struct reports reports;
    (void)state;
    begin_reports(&reports, "stack=1");
    add(&reports, hint(1));
    finish_reports(&reports);
    assert_non_null(strstr(read_json(&reports),
                           "\"launch_line\":0,\"callers\":[{\"level\":1,"
                           "\"file\":\"/home/them/vendor/deep/pool.c\",\"line\":7,"
                           "\"function\":\"grow_pool\",\"module\":\"libvendor.so\","
                           "\"offset\":\"0x7\"}]}"));
    remove_files(&reports);
}

static const char reader[] =
    "import json, sys\n"
    "rows = [json.loads(line) for line in open(sys.argv[1], encoding='utf-8')]\n"
    "assert [row['kind'] for row in rows] == ['hint', 'race', 'summary'], rows\n"
    "assert rows[0]['places'][0]['stream'] == 'a\"\\\\\\n\\ufffd', rows[0]\n"
    "assert rows[0]['places'][0]['what'] == 'ü', rows[0]\n"
    "assert rows[0]['memory'] is None and rows[0]['mend'] is None\n"
    "assert rows[1]['count'] == 1 and len(rows[1]['places']) == 2\n"
    "assert rows[2]['findings'] == 1 and rows[2]['hint'] == 1\n";

static void another_reader_takes_it(void **state)
{
    struct reports reports;
    struct ck_finding finding = hint(1);
    char command[2048];
    (void)state;
    if (system("command -v python3 >/dev/null 2>&1")) {
        print_message("there is no python3 to read it\n");
        return;
    }
    begin_reports(&reports, "");
    finding.ends[0].stream = "a\"\\\n\xfe";
    finding.ends[0].what = "ü";
    add(&reports, finding);
    add(&reports, race(10));
    finish_reports(&reports);
    setenv("READER", reader, 1);
    snprintf(command, sizeof command, "python3 -c \"$READER\" %s", reports.json);
    assert_int_equal(system(command), 0);
    remove_files(&reports);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(what_is_not_utf8_is_replaced),
        cmocka_unit_test(a_finding_is_a_line),
        cmocka_unit_test(callers_are_a_member_of_their_place),
        cmocka_unit_test(another_reader_takes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
