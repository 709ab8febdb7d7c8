/* SPDX-License-Identifier: Apache-2.0
 *
 * Several modules become one: which of two definitions stands, and that all of it runs.
 */
#include "ptx/lower/linked.h"

#include <stdio.h>

/* What the kernel of the two texts stores, in whichever order they come. */
static uint32_t value_of(const char *a, const char *b, const char *kernel)
{
    struct ptx_module *module;
    struct ptx_refusal refusal;
    struct machine *machine = machine_open();
    uint32_t *out = machine_memory(machine, sizeof *out);
    if (try_link((const char *const[]){ a, b }, 2, &module, &refusal) ||
        machine_try_take(machine, module, NULL, &refusal))
        fail_msg("%s\n%s\n%s", refusal.message, a, b);
    machine_run(machine, kernel, &(struct machine_shape){ .shared = 64 }, &out, sizeof out);
    uint32_t value = *out;
    machine_close(machine);
    return value;
}

static void gives(const char *a, const char *b, uint32_t value)
{
    assert_int_equal(value_of(a, b, "k"), value);
    assert_int_equal(value_of(b, a, "k"), value);
}

/* ---- What stands ----------------------------------------------------------------------- */

static void one_declares_and_the_other_defines(void **state)
{
    (void)state;
    gives(TAKE KERNEL("k") CALL PUT, GIVE(".visible ", 7), 7);
    gives(".extern .global .u32 x;\n" KERNEL("k") "ld.global.u32 %v, [x];\n" PUT,
          ".visible .global .u32 x = 3;\n", 3);
    gives(".extern .const .u32 x[];\n" KERNEL("k") "ld.const.u32 %v, [x+4];\n" PUT,
          ".visible .const .u32 x[2] = { 3, 4 };\n", 4);
    gives(".extern .global .align 16 .u32 x;\n" KERNEL("k")
          "mov.u64 %o, x; and.b64 %o, %o, 15; cvt.u32.u64 %v, %o; ld.param.u64 %o, [out];\n" PUT,
          ".visible .global .align 4 .u32 x = 3;\n", 0);
    gives(".extern .global .f32 x;\n" KERNEL("k") "ld.global.u32 %v, [x];\n" PUT,
          ".visible .global .u32 x = 3;\n", 3);
}

static void shared_memory_is_one(void **state)
{
    (void)state;
    static const char set[] = ".func set() { .reg .u32 %v; mov.u32 %v, 5; st.shared.u32 [s], %v; "
                              "ret; }\n";
    char other[400];
    snprintf(other, sizeof other, ".visible .shared .u32 s[4];\n.visible %s", set);
    gives(".extern .shared .u32 s[4];\n.extern .func set();\n" KERNEL("k")
          "call set; ld.shared.u32 %v, [s];\n" PUT, other, 5);
    /* What a launch adds has one name in two inputs. */
    snprintf(other, sizeof other, ".extern .shared .u32 s[];\n.visible %s", set);
    gives(".extern .shared .u32 s[];\n.extern .func set();\n" KERNEL("k")
          "call set; ld.shared.u32 %v, [s];\n" PUT, other, 5);
}

static void the_stronger_one_stands(void **state)
{
    (void)state;
    gives(GIVE(".weak ", 1) KERNEL("k") CALL PUT, GIVE(".visible ", 2), 2);
    assert_int_equal(value_of(GIVE(".weak ", 1) KERNEL("k") CALL PUT, GIVE(".weak ", 2), "k"), 1);
    assert_int_equal(value_of(GIVE(".weak ", 2), GIVE(".weak ", 1) KERNEL("k") CALL PUT, "k"), 2);
    gives(".weak .global .u32 x = 1;\n" KERNEL("k") "ld.global.u32 %v, [x];\n" PUT,
          ".visible .global .u32 x = 2;\n", 2);
    gives(".common .global .u32 x[2];\n" KERNEL("k") "ld.global.u32 %v, [x+4];\n" PUT,
          ".common .global .u32 x[4] = { 1, 2, 3 };\n", 2);
    gives(".common .global .u32 x[2];\n" KERNEL("k") "ld.global.u32 %v, [x+4];\n" PUT,
          ".visible .global .u32 x[4] = { 1, 2, 3 };\n", 2);
    gives(".weak .entry k(.param .u64 out) { ret; }\n",
          KERNEL("k") "mov.u32 %v, 8;\n" PUT, 8);
}

#define LOCAL(number) \
    ".entry k(.param .u64 out)\n{ .reg .u64 %o; .reg .u32 %v; ld.param.u64 %o, [out];\n" \
    "mov.u32 %v, " #number ";\n" PUT

/* nvlink keeps both, and a program can ask for one. */
static void of_two_local_kernels_the_first_is_there(void **state)
{
    (void)state;
    assert_int_equal(value_of(LOCAL(1), LOCAL(2), "k"), 1);
    assert_int_equal(value_of(LOCAL(2), LOCAL(1), "k"), 2);
}

/* Each text means its own. */
static void local_names_stay_apart(void **state)
{
    (void)state;
    static const char a[] = ".const .u32 tab = 1;\n" GIVE("", 10) KERNEL("k") CALL
        "{ .reg .u32 %w; ld.const.u32 %w, [tab]; add.u32 %v, %v, %w; }\n" PUT;
    static const char b[] = ".global .u32 tab[2] = { 0, 2 };\n.global .u64 at = tab + 4;\n"
        GIVE("", 20) KERNEL("l") CALL
        "{ .reg .u32 %w; .reg .u64 %a; ld.global.u64 %a, [at]; ld.u32 %w, [%a];\n"
        "add.u32 %v, %v, %w; }\n" PUT;
    assert_int_equal(value_of(a, b, "k"), 11);
    assert_int_equal(value_of(a, b, "l"), 22);
    assert_int_equal(value_of(b, a, "k"), 11);
    assert_int_equal(value_of(b, a, "l"), 22);
    /* Beside one that all inputs share. */
    gives(GIVE("", 30) KERNEL("k") CALL PUT, GIVE(".visible ", 7), 30);
    gives(".entry k(.param .u64 out) { ret; }\n", KERNEL("k") "mov.u32 %v, 8;\n" PUT, 8);
    accepts(".entry i() { ret; }\n", ".entry i() { ret; }\n");
}

static void a_variable_is_found_by_those_who_share_it(void **state)
{
    (void)state;
    struct ptx_module *module;
    struct ptx_refusal refusal;
    assert_int_equal(try_link((const char *const[]){ ".global .u32 x = 1;\n" IDLE,
                                                     ".visible .global .u64 x = 2;\n" },
                              2, &module, &refusal), RILL_SUCCESS);
    assert_int_equal(ptx_find_variable(module, "x")->bytes, 8);
    assert_int_equal(module->variable_count, 2);
    ptx_module_free(module);
}

/* Through tables, addresses in values, and other names. */
static void functions_are_found_by_every_way(void **state)
{
    (void)state;
    gives(TAKE ".global .u64 at = give;\n" KERNEL("k")
          "{ .reg .u64 %f; .param .u32 r; ld.global.u64 %f, [at];\n"
          "P: .callprototype (.param .u32 _) _ ();\ncall (r), %f, (), P; ld.param.u32 %v, [r]; }\n"
          PUT, GIVE(".visible ", 6), 6);
    gives(TAKE KERNEL("k") "{ .reg .u64 %f; .param .u32 r; mov.u64 %f, give;\n"
          "T: .calltargets give;\ncall (r), %f, (), T; ld.param.u32 %v, [r]; }\n" PUT,
          GIVE(".visible ", 6), 6);
    gives(TAKE KERNEL("k") CALL PUT,
          ".visible .func (.param .u32 r) give;\n"
          ".global .u32 six = 6;\n.func (.param .u32 r) inner\n{ .reg .u32 %v; "
          "ld.global.u32 %v, [six]; st.param.u32 [r], %v; ret; }\n.alias give, inner;\n", 6);
}

/* What the driver brings along is defined nowhere, and a text may bring its own. */
static void the_driver_brings_some_functions(void **state)
{
    (void)state;
    gives(".extern .func (.param .u64 r) malloc (.param .u64 n);\n" KERNEL("k")
          "{ .param .u64 r; .param .u64 n; .reg .u64 %a; .reg .pred %p; mov.u64 %a, 8;\n"
          "st.param.u64 [n], %a;\n"
          "call (r), malloc, (n); ld.param.u64 %a, [r]; setp.ne.u64 %p, %a, 0;\n"
          "selp.u32 %v, 1, 2, %p; }\n" PUT, IDLE, 1);
}

static void versions_and_targets_may_differ(void **state)
{
    (void)state;
    static const char old[] = ".version 6.0\n.target sm_52\n.address_size 64\n"
        TAKE KERNEL("k") CALL PUT;
    struct ptx_module *module;
    struct ptx_refusal refusal;
    gives(old, GIVE(".visible ", 7), 7);
    assert_int_equal(try_link((const char *const[]){ old, GIVE(".visible ", 7) }, 2, &module,
                              &refusal), RILL_SUCCESS);
    assert_int_equal(module->version, 80);
    assert_int_equal(module->target, 90);
    ptx_module_free(module);
}

/* ---- Shortage and size ------------------------------------------------------------------ */

static rill_status link_texts(const char *texts, size_t bytes)
{
    struct ptx_module *module;
    struct ptx_refusal refusal;
    rill_status status = ptx_read_linked(texts, bytes, NULL, &module, &refusal);
    if (!status) ptx_module_free(module);
    assert_int_equal(status, refusal.status);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char texts[] = HEAD TAKE KERNEL("k") CALL PUT "\0" HEAD GIVE(".visible ", 7) "\0"
        HEAD ".visible .global .u32 x;\n" IDLE;
    long before = rl_alloc_live(), failures = 0;
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    for (; status; failures++) {
        rl_alloc_fail_after(failures);
        status = link_texts(texts, sizeof texts);
        rl_alloc_fail_after(-1);
        if (status) assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
        assert_int_equal(rl_alloc_live(), before);
        assert_true(failures < 1000);
    }
    assert_in_range(failures, 10, 1000);
    assert_int_equal(link_texts(texts, sizeof HEAD - 1), RILL_SUCCESS);
    assert_int_equal(link_texts("\0", 2), RILL_ERROR_INVALID_PTX);
}

/* Many names, so that tables grow; many inputs. */
static void many_inputs_become_one(void **state)
{
    (void)state;
    enum { INPUTS = 200 };
    char text[600];
    struct ptx_module *whole;
    struct ptx_refusal refusal;
    struct machine *machine = machine_open();
    uint32_t *out = machine_memory(machine, sizeof *out);
    struct ptx_linker *linker = linker_with(".extern .func (.param .u32 r) f0;\n" KERNEL("k")
        "{ .param .u32 r; call (r), f0; ld.param.u32 %v, [r]; }\n" PUT);
    for (int i = 0; i < INPUTS; i++) {
        snprintf(text, sizeof text, ".extern .func (.param .u32 r) f%d;\n.global .u32 own = %d;\n"
                 ".visible .func (.param .u32 r) f%d\n{ .reg .u32 %%v, %%w; mov.u32 %%v, 0;\n%s"
                 "ld.global.u32 %%w, [own]; add.u32 %%v, %%v, %%w; st.param.u32 [r], %%v; ret; }\n",
                 i + 1, i, i, i + 1 == INPUTS ? "" :
                 "{ .param .u32 r; call (r), NEXT; ld.param.u32 %v, [r]; }\n");
        char *next = strstr(text, "NEXT"), name[16];
        if (next) {
            snprintf(name, sizeof name, "f%-3d", i + 1);
            memcpy(next, name, 4);
        }
        assert_int_equal(ptx_linker_add(linker, module_of(text), NULL, &refusal), RILL_SUCCESS);
    }
    assert_int_equal(ptx_linker_finish(linker, &whole, &refusal), RILL_SUCCESS);
    ptx_linker_close(linker);
    struct ptx_limits limits = { .depth = INPUTS + 10 };
    assert_int_equal(machine_try_take(machine, whole, &limits, &refusal), RILL_SUCCESS);
    machine_run(machine, "k", &(struct machine_shape){ .steps = 0 }, &out, sizeof out);
    assert_int_equal(*out, INPUTS * (INPUTS - 1) / 2);
    machine_close(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_declares_and_the_other_defines),
        cmocka_unit_test(shared_memory_is_one),
        cmocka_unit_test(the_stronger_one_stands),
        cmocka_unit_test(local_names_stay_apart),
        cmocka_unit_test(of_two_local_kernels_the_first_is_there),
        cmocka_unit_test(a_variable_is_found_by_those_who_share_it),
        cmocka_unit_test(functions_are_found_by_every_way),
        cmocka_unit_test(the_driver_brings_some_functions),
        cmocka_unit_test(versions_and_targets_may_differ),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(many_inputs_become_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
