/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of a trace: each is kept once, as people and as JSON read it.
 */
#include "support/cmocka_all.h"

#include <dlfcn.h>
#include <string.h>

#include "layer-trace/record/names.h"

static struct tr_names names;
static struct tr_recent_names recent;

static int begin(void **state)
{
    (void)state;
    memset(&names, 0, sizeof names);
    memset(&recent, 0, sizeof recent);
    return 0;
}

static int end(void **state)
{
    (void)state;
    tr_names_fini(&names);
    return 0;
}

static void equal_texts_are_one_name(void **state)
{
    char copy[] = "scale";
    (void)state;
    const struct tr_name *name = tr_name_of(&names, &recent, "scale");
    assert_ptr_equal(tr_name_of(&names, &recent, copy), name);
    assert_string_equal(name->text, "scale");
}

static void a_text_may_change_in_its_place(void **state)
{
    char text[] = "scale";
    (void)state;
    const struct tr_name *name = tr_name_of(&names, &recent, text);
    strcpy(text, "count");
    assert_string_equal(tr_name_of(&names, &recent, text)->text, "count");
    assert_string_equal(name->text, "scale");
}

static void a_kernel_of_cpp_has_the_name_of_its_source(void **state)
{
    (void)state;
    if (!dlopen("libstdc++.so.6", RTLD_LAZY)) skip();
    const struct tr_name *name = tr_name_of(&names, &recent, "_Z5scaleIfEvPT_i");
    assert_string_equal(name->text, "scale<float>");
    assert_string_equal(name->json, "scale<float>");
    assert_int_equal(name->length, strlen(name->json));
    assert_ptr_equal(tr_name_of(&names, &recent, "_Z5scaleIfEvPT_i"), name);
}

static void json_has_no_bare_quotes(void **state)
{
    (void)state;
    assert_string_equal(tr_name_of(&names, &recent, "a \"b\"\n")->json, "a \\\"b\\\"\\u000a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equal_texts_are_one_name, begin, end),
        cmocka_unit_test_setup_teardown(a_text_may_change_in_its_place, begin, end),
        cmocka_unit_test_setup_teardown(a_kernel_of_cpp_has_the_name_of_its_source, begin, end),
        cmocka_unit_test_setup_teardown(json_has_no_bare_quotes, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
