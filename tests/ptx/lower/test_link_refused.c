/* SPDX-License-Identifier: Apache-2.0
 *
 * What modules that are linked may not leave open, and not say twice.
 */
#include "ptx/lower/linked.h"

static void refuses_with(rill_status expected, const char *a, const char *b, const char *words)
{
    struct ptx_module *module;
    struct ptx_refusal refusal;
    long before = rl_alloc_live();
    rill_status status = try_link((const char *const[]){ a, b }, 2, &module, &refusal);
    if (status != expected || !strstr(refusal.message, words))
        fail_msg("status %d of \"%s\"\n%s\n%s", (int)status, status ? refusal.message : "", a, b);
    assert_int_equal(rl_alloc_live(), before);
}

static void refuses(const char *a, const char *b, const char *words)
{
    refuses_with(RILL_ERROR_INVALID_SOURCE, a, b, words);
}

static void refuses_both_ways(const char *a, const char *b, const char *words)
{
    refuses(a, b, words);
    refuses(b, a, words);
}

/* ---- What is refused ------------------------------------------------------------------- */

static void two_definitions_are_one_too_many(void **state)
{
    (void)state;
    refuses(GIVE(".visible ", 1), GIVE(".visible ", 2),
            "'give' in input 1, line 4, and in input 2");
    refuses(IDLE, IDLE, "defined twice");
    refuses(".visible .global .u32 x;\n", ".visible .global .u32 x;\n", "defined twice");
    refuses(".visible .shared .u32 s[4];\n", ".visible .shared .u32 s[4];\n", "defined twice");
    refuses(".common .global .u32 x = 1;\n", ".common .global .u32 x = 2;\n", "defined twice");
    refuses_both_ways(GIVE(".visible ", 1), ".visible .global .u32 give;\n", "a variable in one");
}

#define USE_X KERNEL("k") "ld.global.u32 %v, [x];\n" PUT

static void declarations_say_what_it_is(void **state)
{
    (void)state;
    static const char of_x[] = ".extern .global .u32 x;\n" USE_X;
    refuses_both_ways(of_x, ".visible .global .u64 x;\n", "another size");
    refuses_both_ways(of_x, ".visible .const .u32 x;\n", "another space");
    refuses_both_ways(of_x, ".common .global .u32 x[2];\n", "another size");
    refuses_both_ways(".weak .global .u32 x;\n", ".weak .global .u64 x;\n", "another size");
    static const char one[] = ".common .global .u32 x = 1;\n";
    refuses_with(RILL_ERROR_UNKNOWN, one, ".common .global .u32 x[2];\n", "larger as a .common");
    refuses_with(RILL_ERROR_UNKNOWN, ".common .global .u32 x[2];\n", one, "larger as a .common");
    refuses_both_ways(".visible .global .u32 x = 1;\n", ".common .global .u32 x[2];\n",
                      "another size");
    refuses_both_ways(TAKE KERNEL("k") CALL PUT,
                      ".visible .func (.param .u64 r) give { ret; }\n", "other parameters");
    refuses_both_ways(TAKE KERNEL("k") CALL PUT,
                      ".visible .func (.param .f32 r) give { ret; }\n", "other parameters");
    refuses_both_ways(TAKE KERNEL("k") CALL PUT, ".visible .func give { ret; }\n",
                      "other parameters");
    refuses_both_ways(".extern .func give;\n" KERNEL("k") "call give;\n" PUT,
                      ".visible .entry give { ret; }\n", "a kernel in one");
    /* Nobody looks at what is declared and not used. */
    accepts(TAKE IDLE, ".visible .func (.param .u64 r) give { ret; }\n");
    accepts(TAKE KERNEL("k") CALL PUT, ".visible .func (.param .s32 r) give { ret; }\n");
    accepts(".extern .func (.param .align 8 .b8 r[8]) give;\n" KERNEL("k")
            "{ .param .align 8 .b8 r[8]; call (r), give; }\n" PUT,
            ".visible .func (.param .align 4 .b8 r[8]) give { ret; }\n");
}

static void what_is_used_is_defined(void **state)
{
    (void)state;
    static const char of_give[] = TAKE KERNEL("k") CALL PUT;
    refuses_both_ways(of_give, IDLE, "'give', which 'k' in input");
    refuses_both_ways(of_give, GIVE("", 1), "nowhere defined");
    refuses_both_ways(".extern .global .u32 x;\n" USE_X, ".global .u32 x;\n", "nowhere defined");
    refuses_both_ways(".extern .global .u32 x;\n.global .u64 p = x;\n", IDLE, "nowhere defined");
    refuses_both_ways(".extern .shared .u32 x[4];\n" KERNEL("k") "ld.shared.u32 %v, [x];\n" PUT,
                      IDLE, "nowhere defined");
    refuses_both_ways(TAKE ".func inner { { .param .u32 r; call (r), give; } ret; }\n" KERNEL("k")
                      "call inner;\n" PUT, IDLE, "'give', which 'inner' in input");
    /* Variables also if nobody uses them. */
    refuses_both_ways(".extern .global .u32 x;\n", IDLE, "declares, is nowhere defined");
    /* What launches kernels is linked with a library for that. */
    accepts(".extern .func (.param .b32 r) __cudaCDP2GetLastError;\n" KERNEL("k")
            "{ .param .b32 r; call (r), __cudaCDP2GetLastError; }\n" PUT, IDLE);
    /* What no kernel leads to. */
    accepts(TAKE ".extern .shared .u32 s[];\n", IDLE);
    accepts(TAKE ".visible .func inner { { .param .u32 r; call (r), give; } ret; }\n", IDLE);
}

/* `also` is good, and not to be found there afterwards. */
static void what_is_refused_leaves_nothing(void **state)
{
    (void)state;
    struct ptx_refusal refusal;
    struct ptx_module *whole, *wrong = module_of(".visible .global .u64 also;\n"
                                                 GIVE(".visible ", 2));
    struct ptx_linker *linker = linker_with(TAKE KERNEL("k") CALL PUT);
    assert_int_equal(ptx_linker_finish(linker, &whole, &refusal), RILL_ERROR_INVALID_SOURCE);
    assert_int_equal(ptx_linker_add(linker, module_of(GIVE(".visible ", 1)), NULL, &refusal),
                     RILL_SUCCESS);
    assert_int_equal(ptx_linker_add(linker, wrong, NULL, &refusal), RILL_ERROR_INVALID_SOURCE);
    ptx_module_free(wrong);
    assert_int_equal(ptx_linker_add(linker, module_of(".visible .global .u32 also;\n"), NULL,
                                    &refusal), RILL_SUCCESS);
    assert_int_equal(ptx_linker_finish(linker, &whole, &refusal), RILL_SUCCESS);
    ptx_linker_close(linker);
    assert_int_equal(ptx_find_variable(whole, "also")->bytes, 4);
    assert_int_equal(whole->function_count, 2);
    ptx_module_free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_definitions_are_one_too_many),
        cmocka_unit_test(declarations_say_what_it_is),
        cmocka_unit_test(what_is_used_is_defined),
        cmocka_unit_test(what_is_refused_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
