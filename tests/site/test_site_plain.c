/* SPDX-License-Identifier: Apache-2.0
 *
 * Names as their source has them, for what a C++ compiler made of them.
 */
#include "support/cmocka_all.h"

#include <dlfcn.h>
#include <string.h>

#include "site/plain.h"

static void needs_a_cpp_library(void)
{
    if (!dlopen("libstdc++.so.6", RTLD_LAZY) && !dlopen("libc++abi.so.1", RTLD_LAZY)) skip();
}

static void expect_plain(const char *name, const char *plain)
{
    char text[200];
    cs_plain_name(name, text, sizeof text);
    assert_string_equal(text, plain);
}

static void a_name_of_c_stays(void **state)
{
    (void)state;
    expect_plain("scale", "scale");
    expect_plain("", "");
}

static void what_is_no_name_stays(void **state)
{
    (void)state;
    expect_plain("_Z", "_Z");
    expect_plain("_Z5sca", "_Z5sca");
}

static void parameters_are_left_out(void **state)
{
    (void)state;
    needs_a_cpp_library();
    expect_plain("_Z5scalePff", "scale");
    expect_plain("_ZN4math5scaleEPFviE", "math::scale");
}

static void results_are_left_out(void **state)
{
    (void)state;
    needs_a_cpp_library();
    expect_plain("_Z5scaleIfLi2EEvPT_i", "scale<float, 2>");
    expect_plain("_ZN4math5scaleIfEEPKNS_1VIT_EES2_i", "math::scale<float>");
}

/* As those of thrust and cub are: kernels of templates of templates. */
static void long_names_have_no_arguments(void **state)
{
    (void)state;
    needs_a_cpp_library();
    expect_plain("_ZN3cub6detail16transform_kernelINS0_10policy_hubILb1EN4cuda3std5tupleIJN6thrust"
                 "10device_ptrIiEEEEEE10policy1000Ei5twiceS8_JPiEEEvT0_iT1_T2_DpT3_",
                 "cub::detail::transform_kernel<...>");
    expect_plain("doit_host<void (*)(int, int, twice, thrust::device_ptr<int>, kernel_arg<int*>), "
                 "int, int, twice, thrust::device_ptr<int>, kernel_arg<int*> >::run",
                 "doit_host<...>::run");
}

static void brackets_of_a_name_stay(void **state)
{
    (void)state;
    needs_a_cpp_library();
    expect_plain("_ZN12_GLOBAL__N_15scaleEPf", "(anonymous namespace)::scale");
    expect_plain("_Z4eachIZ4mainEUliE_EvT_Pi", "each<main::{lambda(int)#1}>");
}

static void members_are_named_without_qualifiers(void **state)
{
    (void)state;
    needs_a_cpp_library();
    expect_plain("_ZNK5image4sizeEv", "image::size");
    expect_plain("_ZNVKR5image4sizeEv", "image::size");
    expect_plain("_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()");
    expect_plain("_ZNK5imagecvbEv", "image::operator bool");
}

static void a_long_name_is_cut(void **state)
{
    char text[6];
    (void)state;
    needs_a_cpp_library();
    cs_plain_name("_ZN4math5scaleEPf", text, sizeof text);
    assert_string_equal(text, "math:");
}

static void names_in_a_text_are_plain(void **state)
{
    char text[80];
    (void)state;
    needs_a_cpp_library();
    cs_plain_text("kernel '_Z5scalePff' and '_Z4fillPf', not _Z3addv", text, sizeof text);
    assert_string_equal(text, "kernel 'scale' and 'fill', not _Z3addv");
}

static void a_text_is_cut_anywhere(void **state)
{
    static const char from[] = "kernel '_Z5scalePff' ends";
    char whole[80], text[80];
    (void)state;
    cs_plain_text(from, whole, sizeof whole);
    for (size_t room = 1; room <= strlen(whole); room++) {
        cs_plain_text(from, text, room);
        assert_int_equal(strlen(text), room - 1);
        assert_memory_equal(text, whole, room - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_of_c_stays),
        cmocka_unit_test(what_is_no_name_stays),
        cmocka_unit_test(parameters_are_left_out),
        cmocka_unit_test(results_are_left_out),
        cmocka_unit_test(long_names_have_no_arguments),
        cmocka_unit_test(brackets_of_a_name_stay),
        cmocka_unit_test(members_are_named_without_qualifiers),
        cmocka_unit_test(a_long_name_is_cut),
        cmocka_unit_test(names_in_a_text_are_plain),
        cmocka_unit_test(a_text_is_cut_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
