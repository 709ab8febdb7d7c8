/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers, constant expressions, and what variables begin with.
 */
#include "ptx/reading.h"

#include <stdio.h>

/* ---- Numbers and expressions ----------------------------------------------------------- */

static struct ptx_operand value_of(const char *expression)
{
    char text[600];
    const struct ptx_function *function;
    snprintf(text, sizeof text, "mov.b64 %%rd1, %s;", expression);
    struct ptx_module *module = reading_kernel(text, &function);
    struct ptx_operand operand = reading_instruction(function, 0, PTX_OP_MOV, 2)->operands[1];
    ptx_module_free(module);
    return operand;
}

static void check_integer(const char *expression, uint64_t value)
{
    struct ptx_operand operand = value_of(expression);
    if (operand.kind != PTX_OPERAND_INTEGER || operand.bits != value)
        fail_msg("%s is %#llx", expression, (unsigned long long)operand.bits);
}

static void check_double(const char *expression, double value)
{
    struct ptx_operand operand = value_of(expression);
    double read;
    memcpy(&read, &operand.bits, sizeof read);
    if (operand.kind != PTX_OPERAND_FLOAT || operand.single || memcmp(&read, &value, 8) != 0)
        fail_msg("%s is %.17g", expression, read);
}

static void whole_numbers_are_of_four_bases(void **state)
{
    (void)state;
    check_integer("0", 0);
    check_integer("42", 42);
    check_integer("42U", 42);
    check_integer("0x2a", 42);
    check_integer("0X2AU", 42);
    check_integer("052", 42);
    check_integer("0b101010", 42);
    check_integer("18446744073709551615", UINT64_MAX);
    check_integer("0xffffffffffffffff", UINT64_MAX);
    check_integer("-1", UINT64_MAX);
    check_integer("WARP_SZ", 32);
}

static void floats_are_read_to_the_last_bit(void **state)
{
    (void)state;
    check_double("1.5", 1.5);
    check_double(".5", .5);
    check_double("1.", 1);
    check_double("1e3", 1e3);
    check_double("1.7976931348623157e308", 1.7976931348623157e308);
    check_double("4.9406564584124654e-324", 4.9406564584124654e-324);
    check_double("0.1", 0.1);
    check_double("123456789012345678901234567890.0", 123456789012345678901234567890.0);
    check_double("-2.5E-3", -2.5e-3);
    check_double("0d3FF8000000000000", 1.5);
    check_double("-0d3FF8000000000000", -1.5);
    struct ptx_operand single = value_of("0f3FC00000");
    assert_int_equal(single.kind, PTX_OPERAND_FLOAT);
    assert_true(single.single);
    assert_int_equal(single.bits, 0x3FC00000);
}

static void operators_bind_as_in_c(void **state)
{
    (void)state;
    check_integer("1 + 2 * 3", 7);
    check_integer("(1 + 2) * 3", 9);
    check_integer("10 - 4 - 3", 3);
    check_integer("100 / 10 / 2", 5);
    check_integer("17 % 5 * 2", 4);
    check_integer("1 << 3 + 1", 16);
    check_integer("1 | 6 & 3 ^ 8", 1 | ((6 & 3) ^ 8));
    check_integer("1 < 2 == 2 > 1", 1);
    check_integer("1 <= 1 && 2 != 2 || 3 >= 3", 1);
    check_integer("0 ? 1 : 0 ? 2 : 3", 3);
    check_integer("1 ? 4 : 5", 4);
    check_integer("~0 & 0xff", 0xff);
    check_integer("!5 + !0", 1);
    check_integer("- - 5", 5);
    check_integer("-7 / 2", (uint64_t)-3);
    check_integer("-7 % 3", (uint64_t)-1);
    check_integer("-8 >> 1", (uint64_t)-4);
    check_integer("-8 >> 64", UINT64_MAX);
    check_integer("1 << 64", 0);
}

static void unsigned_numbers_make_operators_unsigned(void **state)
{
    (void)state;
    check_integer("-8 / 2", (uint64_t)-4);
    check_integer("-8 / 2U", ((uint64_t)-8) / 2);
    check_integer("-1 < 1", 1);
    check_integer("-1 < 1U", 0);
    check_integer("0xffffffffffffffff > 1", 1);
    check_integer("(.s64)0xffffffffffffffff > 1", 0);
    check_integer("(.u64)-1 > 1", 1);
    check_integer("(.u64)-8 >> 1", ((uint64_t)-8) >> 1);
    check_integer("(-9223372036854775807 - 1) / -1", (uint64_t)INT64_MIN);
    check_integer("(-9223372036854775807 - 1) % -1", 0);
}

static void floats_are_calculated_with(void **state)
{
    (void)state;
    check_double("1.5 + 2 * 0.25", 2.0);
    check_double("1 / 4.0 - 1.0", -0.75);
    check_integer("1.5 < 2", 1);
    check_integer("0d7ff8000000000000 == 0d7ff8000000000000", 0);
    check_integer("0d7ff8000000000000 != 1.0", 1);
    check_integer("0.0 || 0", 0);
}

static void wrong_expressions_are_refused_where_they_are_wrong(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        { "mov.u32 %r1, 1/0;", 6, 15, "divides by 0" },
        { "mov.u32 %r1, 5 % (3 - 3);", 6, 16, "divides by 0" },
        { "mov.u32 %r1, 1.0 & 2;", 6, 18, "no operator of floats" },
        { "mov.u32 %r1, ~1.0;", 6, 14, "no operator of floats" },
        { "mov.u32 %r1, (.s64)1.0;", 6, 15, "no integer" },
        { "mov.u32 %r1, (1 + );", 6, 19, "a number is missing" },
        { "mov.u32 %r1, (1 + 2;", 6, 20, "a ')' is missing" },
        { "mov.u32 %r1, 1 ? 2;", 6, 19, "a ':' is missing" },
        { "mov.u32 %r1, 08;", 6, 14, "no number" },
        { "mov.u32 %r1, 0b2;", 6, 14, "no number" },
        { "mov.u32 %r1, 0x;", 6, 14, "digits are missing" },
        { "mov.u32 %r1, 10u;", 6, 14, "no number" },
        { "mov.u32 %r1, 1.5.2;", 6, 14, "no number" },
        { "mov.u32 %r1, 1e;", 6, 14, "no number" },
        { "mov.u32 %r1, 0f3F80;", 6, 14, "8 digits" },
        { "mov.u32 %r1, 0d3F80;", 6, 14, "16 digits" },
        { "mov.u32 %r1, 18446744073709551616;", 6, 14, "64 bits" },
        { "ld.global.u32 %r1, [%rd1+1.5];", 6, 26, "a whole number" },
    };
    reading_in_kernel_is_refused(cases, sizeof cases / sizeof *cases);
}

static void expressions_are_nested_only_so_deep(void **state)
{
    (void)state;
    char text[3000] = "mov.u32 %r1, ";
    const struct ptx_function *function;
    memset(text + 13, '(', 200);
    text[213] = '1';
    memset(text + 214, ')', 200);
    memcpy(text + 414, ";", 2);
    ptx_module_free(reading_kernel(text, &function));
    memset(text + 13, '-', 2000);
    memcpy(text + 2013, "1;", 3);
    const struct refused deep = { text, 6, 14 + 256, "nested more than 256 times" };
    reading_in_kernel_is_refused(&deep, 1);
}

/* Operators that bind ever more closely are one within the other, too. */
static void operators_are_nested_only_so_deep(void **state)
{
    static const char ranks[] = "1||1&&1|1^1&1==1<1<<1+1*(";
    char text[3000] = "mov.u32 %r1, ";
    (void)state;
    for (int i = 0; i < 50; i++) strcat(text, ranks);
    const struct refused deep = { text, 6, 597, "nested more than 256 times" };
    reading_in_kernel_is_refused(&deep, 1);
}

/* ---- What variables begin with --------------------------------------------------------- */

static void check_initial(const char *text, size_t bytes, const void *expected)
{
    struct ptx_module *module = reading(text);
    const struct ptx_variable *variable = &module->variables[module->variable_count - 1];
    if (variable->initial_bytes != bytes ||
        (bytes && memcmp(variable->initial, expected, bytes) != 0))
        fail_msg("%s begins with other bytes, %llu of them", text,
                 (unsigned long long)variable->initial_bytes);
    ptx_module_free(module);
}

static void values_are_stored_as_the_type_has_them(void **state)
{
    (void)state;
    check_initial(".global .u8 x = 0x1ff;", 1, "\xff");
    check_initial(".global .s16 x = -2;", 2, "\xfe\xff");
    check_initial(".global .b64 x = 0x0102030405060708;", 8, "\x08\7\6\5\4\3\2\1");
    check_initial(".global .b128 x = 3;", 16, "\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    check_initial(".global .f32 x = 1.5;", 4, "\0\0\xc0\x3f");
    check_initial(".global .f32 x = 0f3FC00000;", 4, "\0\0\xc0\x3f");
    check_initial(".global .f32 x = 0d3FF8000000000000;", 4, "\0\0\xc0\x3f");
    check_initial(".global .f64 x = 0f3FC00000;", 8, "\0\0\0\0\0\0\xf8\x3f");
    check_initial(".global .f64 x = 1.0 + 0.5;", 8, "\0\0\0\0\0\0\xf8\x3f");
    /* A NaN keeps its bits. */
    check_initial(".global .f32 x = 0fff800001;", 4, "\1\0\x80\xff");
}

static void braces_fill_rows(void **state)
{
    (void)state;
    check_initial(".global .u8 x[4] = {1, 2};", 2, "\1\2");
    check_initial(".global .u8 x[] = {1, 2, 3};", 3, "\1\2\3");
    check_initial(".global .u8 x[2][3] = {{1}, {2, 3}};", 5, "\1\0\0\2\3");
    check_initial(".global .u8 x[2][2][2] = {{{1},{2}},{{3,4}}};", 6, "\1\0\2\0\3\4");
    check_initial(".global .v2 .u8 x[2] = {{1, 2}, {3}};", 3, "\1\2\3");
    check_initial(".global .v4 .u8 x = {1, 2, 3, 4};", 4, "\1\2\3\4");
    check_initial(".global .u8 x[2] = {};", 0, "");
    struct ptx_module *module = reading(".global .u16 x[][2] = {{1, 2}, {3}};");
    assert_int_equal(module->variables[0].bytes, 8);
    ptx_module_free(module);
}

static void addresses_are_links(void **state)
{
    (void)state;
    struct ptx_module *module = reading(
        ".global .u32 y[4]; .func f() { ret; }\n"
        ".global .u64 x[6] = { 7, y, y + 4 + 4, generic(y) + 8, f, y + -4 };\n"
        ".global .u8 z[3] = { 0xff(y), 0xff00(generic(y) + 4), 0xff00000000000000(f) };\n");
    static const struct ptx_link expected[] = {
        { 8, 8, 0, false, 0, 0, false },  { 16, 8, 0, false, 0, 8, false },
        { 24, 8, 0, false, 0, 8, true },  { 32, 8, 0, true, 0, 0, false },
        { 40, 8, 0, false, 0, -4, false },
        { 0, 1, 0, false, 0, 0, false },  { 1, 1, 8, false, 0, 4, true },
        { 2, 1, 56, true, 0, 0, false },
    };
    const struct ptx_variable *x = &module->variables[1], *z = &module->variables[2];
    assert_int_equal(x->link_count, 5);
    assert_int_equal(z->link_count, 3);
    assert_int_equal(x->initial[0], 7);
    for (unsigned i = 0; i < 8; i++) {
        const struct ptx_link *link = i < 5 ? &x->links[i] : &z->links[i - 5];
        assert_int_equal(link->offset, expected[i].offset);
        assert_int_equal(link->bytes, expected[i].bytes);
        assert_int_equal(link->shift, expected[i].shift);
        assert_int_equal(link->to_function, expected[i].to_function);
        assert_int_equal(link->index, expected[i].index);
        assert_int_equal(link->addend, expected[i].addend);
        assert_int_equal(link->generic, expected[i].generic);
    }
    ptx_module_free(module);
}

static void wrong_values_are_refused_where_they_stand(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        { ".global .u32 x = ;", 4, 18, "a value is missing" },
        { ".global .u32 x = y;", 4, 18, "no variable and no function" },
        { ".global .u32 x = x;", 4, 18, "no variable and no function" },
        { ".global .u32 x = 1.5;", 4, 18, "no value for a variable of .u32" },
        { ".global .f32 x = 1;", 4, 18, "no value for a variable of .f32" },
        { ".global .f16 x = 1.0;", 4, 18, "no value for a variable of .f16" },
        { ".global .b8 x[6] = \"hello\";", 4, 20, "a '{' is missing" },
        { ".global .b8 x[6] = {\"hello\"};", 4, 21, "a value is missing" },
        { ".global .u32 x[2] = {1, 2, 3};", 4, 28, "more values than" },
        { ".global .u32 x[2][2] = {{1, 2, 3}};", 4, 32, "more values than" },
        { ".global .u32 x[2][2] = {1, 2};", 4, 25, "a '{' is missing" },
        { ".global .u32 x[2] = {1,};", 4, 24, "a value is missing" },
        { ".global .u32 x[2] = {1", 4, 23, "a '}' is missing" },
        { ".global .u32 x = {1};", 4, 18, "a value is missing" },
        { ".global .u32 x[2] = 1;", 4, 21, "a '{' is missing" },
        { ".global .u32 y; .global .f64 x = y;", 4, 34, "an address is no value" },
        { ".global .u32 y; .global .u64 x = y - 4;", 4, 36, "a ';' is missing" },
        { ".global .u32 y; .global .u8 x = 0xffff(y);", 4, 33, "8 bits of one byte" },
        { ".global .u32 y; .global .u8 x = 0(y);", 4, 33, "8 bits of one byte" },
        { ".global .u32 y; .global .u64 x = generic(y + 4);", 4, 44, "a ')' is missing" },
        { ".shared .u32 y; .global .u64 x = y;", 4, 34, "only .global and .const" },
        { ".func f() { ret; } .global .u64 x = generic(f);", 4, 45, "generic as it is" },
        { ".shared .u32 x = 1;", 4, 16, "only .global and .const begin" },
        { ".extern .global .u32 x = 1;", 4, 24, "has no value here" },
        { ".global .u8 x[][4294967297][4294967295] = {{{1}}};", 4, 13, "too large" },
        { ".global .u8 x[][274177][67280421310721] = {{{1}}};", 4, 13, "too large" },
    };
    reading_is_refused(cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_of_four_bases),
        cmocka_unit_test(floats_are_read_to_the_last_bit),
        cmocka_unit_test(operators_bind_as_in_c),
        cmocka_unit_test(unsigned_numbers_make_operators_unsigned),
        cmocka_unit_test(floats_are_calculated_with),
        cmocka_unit_test(wrong_expressions_are_refused_where_they_are_wrong),
        cmocka_unit_test(expressions_are_nested_only_so_deep),
        cmocka_unit_test(operators_are_nested_only_so_deep),
        cmocka_unit_test(values_are_stored_as_the_type_has_them),
        cmocka_unit_test(braces_fill_rows),
        cmocka_unit_test(addresses_are_links),
        cmocka_unit_test(wrong_values_are_refused_where_they_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
