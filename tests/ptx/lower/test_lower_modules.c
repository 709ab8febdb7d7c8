/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of a whole module: which functions are lowered, what calls and names from
 * elsewhere have to be like, and whom it concerns if something is lacking.
 */
#include "ptx/machine.h"

#include <stdio.h>

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

static void refuses(const char *text, rill_status status, const char *words, const char *more)
{
    struct machine *m = machine_open();
    machine_refuses(m, text, status, words, more);
    machine_close(m);
}

/* ---- Names from elsewhere --------------------------------------------------------------- */

static void what_is_nowhere_defined_is_refused(void **state)
{
    (void)state;
    refuses(HEAD ".extern .func f();\n.visible .entry k()\n{\ncall f;\nret;\n}\n",
            RILL_ERROR_INVALID_PTX, "line 7", "f is declared");
    refuses(HEAD ".extern .global .u32 v;\n.visible .entry k()\n{\n.reg .u64 %r;\nmov.u64 %r, v;\n"
            "ret;\n}\n", RILL_ERROR_INVALID_PTX, "line 8", "defined");
}

static void calls_fit_what_they_call(void **state)
{
    static const char frame[] =
        HEAD ".func (.param .b32 r) f(.param .b32 a, .param .b64 b)\n{\nret;\n}\n"
        ".visible .entry e()\n{\nret;\n}\n"
        ".visible .entry k()\n{\n.param .b32 x, z; .param .b64 y; .reg .b64 %%r<3>;\n"
        "P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);\n%s\nret;\n}\n";
    static const struct {
        const char *call, *words;
    } cases[] = {
        { "call (z), f, (x, y);", NULL },
        { "call (z), f, (x);", "parameters" },
        { "call f, (x, y);", "result" },
        { "call (z), f, (y, x);", "4" },
        { "call (y), f, (x, y);", "bytes" },
        { "call e;", "kernel" },
        { "call (z), %r1, (x, y);", "prototype" },
        { "call (z), %r1, (x, y), P;", NULL },
        { "call (z), %r1, (x), P;", "parameters" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        struct ptx_refusal refusal = { 0 };
        struct machine *m = machine_open();
        snprintf(text, sizeof text, frame, cases[i].call);
        rill_status status = machine_try_load(m, text, strlen(text), NULL, &refusal);
        machine_close(m);
        if (!cases[i].words == !!status || (status && !strstr(refusal.message, cases[i].words)))
            fail_msg("%s is answered '%s'", cases[i].call, refusal.message);
        if (status) assert_int_equal(refusal.line, 16);
    }
}

/* What is far from a name is not near it by way of all addresses. */
static void offsets_do_not_lead_around(void **state)
{
    static const char frame[] =
        HEAD ".func f(.param .b32 a)\n{\n.reg .b32 %%r;\n%s\nret;\n}\n"
        ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %%rd<3>; .local .b8 a[16], b[16];\n"
        "ld.param.u64 %%rd1, [out];\nmov.u64 %%rd2, b+9223372036854775807;\n"
        "st.global.u64 [%%rd1], %%rd2;\nret;\n}\n";
    char text[1024];
    struct machine *m = machine_open();
    uint64_t *out = machine_memory(m, sizeof *out);
    (void)state;
    snprintf(text, sizeof text, frame, "ld.param.u8 %r, [a+9223372036854775807];");
    machine_refuses(m, text, RILL_ERROR_INVALID_PTX, "line 7", "4 bytes of this parameter");
    snprintf(text, sizeof text, frame, "ld.param.u32 %r, [a+9223372036854775804];");
    machine_refuses(m, text, RILL_ERROR_INVALID_PTX, "line 7", "4 bytes of this parameter");
    snprintf(text, sizeof text, frame, "ld.param.u32 %r, [a+4];");
    machine_refuses(m, text, RILL_ERROR_INVALID_PTX, "line 7", "4 bytes of this parameter");
    snprintf(text, sizeof text, frame, "ld.param.u32 %r, [a];");
    machine_load(m, text);
    machine_run(m, "k", &(struct machine_shape){ .steps = 0 }, &out, sizeof out);
    assert_int_equal(*out, UINT64_C(0x800000000000000f));
    machine_close(m);
}

/* A predicate is 0 or 1, which a byte need not be. */
static void predicates_are_passed_as_predicates(void **state)
{
    static const char bytes[] =
        HEAD ".func f(.reg .pred p)\n{\nret;\n}\n.visible .entry k()\n{\n"
        ".param .b8 x; st.param.b8 [x], 6;\ncall f, (x);\nret;\n}\n";
    static const char address[] =
        HEAD ".func f(.reg .pred p)\n{\nret;\n}\n.visible .entry k()\n{\n"
        ".reg .b64 %r; .param .b8 x; st.param.b8 [x], 6; mov.b64 %r, f;\n"
        "P: .callprototype _ (.param .b8 _);\ncall %r, (x), P;\nret;\n}\n";
    struct machine *m = machine_open();
    (void)state;
    machine_refuses(m, bytes, RILL_ERROR_INVALID_PTX, "line 11", "p is a predicate");
    machine_load(m, address);
    machine_fails(m, "k", &(struct machine_shape){ .steps = 0 }, NULL, 0, RILL_ERROR_INVALID_PC,
                  "line 12", "no function with such arguments");
    machine_close(m);
}

/* brx jumps to labels, and calls go to functions. */
static void lists_are_used_for_what_they_list(void **state)
{
    static const char frame[] =
        HEAD ".func f()\n{\nret;\n}\n.visible .entry k()\n{\n.reg .b32 %%r; .reg .b64 %%rd;\n"
        "mov.b32 %%r, 0; mov.b64 %%rd, f;\nL: .branchtargets A, B, C;\nF: .calltargets f;\n"
        "%s\nA: B: C: ret;\n}\n";
    static const struct {
        const char *use, *words;
    } cases[] = {
        { "", NULL },
        { "brx.idx %r, L; call %rd, F;", NULL },
        { "brx.idx %r, F;", ".branchtargets" },
        { "call %rd, L;", "L is a list of labels" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        struct machine *m = machine_open();
        snprintf(text, sizeof text, frame, cases[i].use);
        if (cases[i].words)
            machine_refuses(m, text, RILL_ERROR_INVALID_PTX, "line 14", cases[i].words);
        else machine_load(m, text);
        machine_close(m);
    }
}

/* What hardware has and the simulator lacks is another failure than what nobody has. */
static void what_is_lacking_is_told_from_what_is_wrong(void **state)
{
    static const char *const lacking[] = {
        "tcgen05.fence::after_thread_sync;",
        "tcgen05.fence::before_thread_sync;",
        ("cp.async.bulk.tensor.3d.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes [%r1], "
         "[%r1, {0, 0, 0}], [%r1], {%h, %h};"),
        "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32 {%f}, {%f}, {%f}, {%f};",
        "wmma.load.a.sync.aligned.row.m8n8k16.f16 %r1, [%r1];",
        "cvt.rn.satfinite.e2m1x2.f32 %h, %f, %f;",
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %r1, %r1;",
    };
    static const char frame[] = HEAD ".visible .entry k()\n{\n.reg .b64 %%r<3>; .reg .b16 %%h;\n"
                                     ".reg .f32 %%f;\n%s\nret;\n}\n";
    char text[512];
    (void)state;
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++) {
        snprintf(text, sizeof text, frame, lacking[i]);
        refuses(text, RILL_ERROR_NOT_SUPPORTED, "line 8", "column 1");
    }
    snprintf(text, sizeof text, frame, "add.b16 %h, %h, %h;");
    refuses(text, RILL_ERROR_INVALID_PTX, "line 8", "add has no form with type .b16");
}

static const char *lack_of(struct machine *m, const char *kernel)
{
    const struct ptx_kernel *found = ptx_code_kernel(machine_code(m), kernel);
    assert_non_null(found);
    return ptx_kernel_unsupported(found);
}

static void lacks(struct machine *m, const char *kernel, const char *words, const char *more)
{
    const char *lack = lack_of(m, kernel);
    if (!lack || !strstr(lack, words) || !strstr(lack, more))
        fail_msg("%s: \"%s\" does not say '%s' and '%s'", kernel, lack ? lack : "", words, more);
}

/* Two functions call each other; only who comes to one of them cannot run. */
static void what_is_lacking_concerns_those_that_may_come_to_it(void **state)
{
    struct machine *m = machine_open();
    uint32_t *out = machine_memory(m, 4);
    (void)state;
    machine_load(m, HEAD
        ".func deep();\n"
        ".func middle()\n{\ncall deep;\nret;\n}\n"
        ".func deep()\n{\n.reg .b64 %r<3>;\ntcgen05.wait::ld.sync.aligned;\n"
        "tcgen05.fence::after_thread_sync;\ncall middle;\nret;\n}\n"
        ".func nobodys()\n{\n.reg .b64 %r;\ntcgen05.fence::before_thread_sync;\nret;\n}\n"
        ".visible .entry own()\n{\n\ncall deep;\ntcgen05.fence::before_thread_sync;\nret;\n}\n"
        ".visible .entry comes_to_it()\n{\ncall middle;\nret;\n}\n"
        ".visible .entry free(.param .u64 p)\n{\n.reg .b64 %r; ld.param.u64 %r, [p];\n"
        "st.global.u32 [%r], 7; ret;\n}\n");
    lacks(m, "own", "kernel 'own' cannot run here: line 28", "tcgen05.fence");
    lacks(m, "comes_to_it", "since it may call 'deep': line 13", "tcgen05");
    assert_null(lack_of(m, "free"));
    machine_run(m, "free", &(struct machine_shape){ .threads = 1 }, &out, sizeof out);
    assert_int_equal(*out, 7);
    machine_close(m);
}

/* Nobody knows what an address will be: who calls through one may call all whose address is
 * taken, and nobody else. */
static void a_call_through_an_address_may_come_to_what_is_lacking(void **state)
{
    static const char text[] = HEAD
        ".func lacking()\n{\n.reg .b64 %%r;\ntcgen05.fence::before_thread_sync;\nret;\n}\n"
        ".func whole()\n{\nret;\n}\n"
        ".visible .entry k()\n{\n.reg .b64 %%r; mov.u64 %%r, %s;\n"
        "P: .callprototype _ ();\ncall %%r, P;\nret;\n}\n"
        ".visible .entry calls_nothing()\n{\nret;\n}\n";
    struct machine *m = machine_open();
    char made[512];
    (void)state;
    snprintf(made, sizeof made, text, "lacking");
    machine_load(m, made);
    lacks(m, "k", "since it may call 'lacking'", "line 7");
    assert_null(lack_of(m, "calls_nothing"));
    snprintf(made, sizeof made, text, "whole");
    machine_load(m, made);
    assert_null(lack_of(m, "k"));
    machine_close(m);
}

/* The text is verified to its end, also behind what is lacking. */
static void what_is_wrong_is_found_behind_what_is_lacking(void **state)
{
    (void)state;
    refuses(HEAD ".visible .entry k()\n{\n.reg .b64 %r; tcgen05.fence::before_thread_sync;\n"
                 "add.b64 %r, %r, %r;\n"
                 "ret;\n}\n.visible .entry l()\n{\nret;\n}\n",
            RILL_ERROR_INVALID_PTX, "line 7", "add has no form");
    refuses(HEAD ".visible .entry a()\n{\ntcgen05.fence::before_thread_sync;\nret;\n}\n"
                 ".visible .entry l()\n{\n.reg .b64 %r; add.b64 %r, %r, %r;\nret;\n}\n",
            RILL_ERROR_INVALID_PTX, "line 11", "add has no form");
}

static void where_no_kernel_can_run_the_first_one_says_why(void **state)
{
    (void)state;
    refuses(HEAD ".visible .entry b()\n{\ntcgen05.fence::before_thread_sync;\nret;\n}\n"
                 ".visible .entry a()\n{\ntcgen05.fence::after_thread_sync;\nret;\n}\n",
            RILL_ERROR_NOT_SUPPORTED, "kernel 'b'", "line 6");
}

/* ---- Replaced kernels --------------------------------------------------------------------- */

static bool is_replaced(void *data, const char *kernel)
{
    return strcmp(kernel, data) == 0;
}

/* `a` and `only_a` have what the simulator lacks. */
static void replaced_kernels_are_not_lowered(void **state)
{
    static const char text[] =
        HEAD ".func only_a()\n{\n.reg .b64 %r<3>;\ntcgen05.wait::ld.sync.aligned;\nret;\n}\n"
        ".func both()\n{\nret;\n}\n"
        ".visible .entry a()\n{\ncall only_a;\ncall both;\nret;\n}\n"
        ".visible .entry b()\n{\ncall both;\nret;\n}\n";
    struct ptx_module *module;
    struct ptx_code *code;
    struct ptx_refusal refusal;
    (void)state;
    assert_int_equal(ptx_read(text, strlen(text), NULL, &module, &refusal), RILL_SUCCESS);
    char name[] = "a";
    struct ptx_linkage linkage = { .data = name, .replaced = is_replaced };
    assert_int_equal(ptx_compile(module, &linkage, NULL, &code, &refusal), RILL_SUCCESS);
    assert_null(ptx_code_kernel(code, "a"));
    assert_non_null(ptx_code_kernel(code, "b"));
    ptx_code_free(code);
    name[0] = 'b';
    assert_int_equal(ptx_compile(module, &linkage, NULL, &code, &refusal), RILL_SUCCESS);
    assert_null(ptx_code_kernel(code, "b"));
    assert_non_null(strstr(ptx_kernel_unsupported(ptx_code_kernel(code, "a")), "tcgen05"));
    ptx_code_free(code);
    name[0] = 0;
    assert_int_equal(ptx_compile(module, &linkage, NULL, &code, &refusal), RILL_SUCCESS);
    assert_non_null(ptx_kernel_unsupported(ptx_code_kernel(code, "a")));
    assert_null(ptx_kernel_unsupported(ptx_code_kernel(code, "b")));
    ptx_code_free(code);
    ptx_module_free(module);
}

/* A module may have one kernel of them, and others that run. */
static void what_the_device_runtime_lacks_concerns_who_calls_it(void **state)
{
    static const char text[] =
        HEAD ".extern .func (.param .b32 r) __cudaCDP2DeviceGetLimit (.param .b64 b, .param .b64 s)"
        ";\n.visible .entry a()\n{\n.param .b32 r;\n.param .b64 b;\n.param .b64 s;\n"
        "call (r), __cudaCDP2DeviceGetLimit, (b, s);\nret;\n}\n"
        ".visible .entry b()\n{\nret;\n}\n";
    struct machine *m = machine_open();
    (void)state;
    machine_load(m, text);
    lacks(m, "a", "__cudaCDP2DeviceGetLimit", "device runtime is not supported");
    assert_null(lack_of(m, "b"));
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_nowhere_defined_is_refused),
        cmocka_unit_test(calls_fit_what_they_call),
        cmocka_unit_test(offsets_do_not_lead_around),
        cmocka_unit_test(predicates_are_passed_as_predicates),
        cmocka_unit_test(lists_are_used_for_what_they_list),
        cmocka_unit_test(what_is_lacking_is_told_from_what_is_wrong),
        cmocka_unit_test(what_is_lacking_concerns_those_that_may_come_to_it),
        cmocka_unit_test(a_call_through_an_address_may_come_to_what_is_lacking),
        cmocka_unit_test(what_is_wrong_is_found_behind_what_is_lacking),
        cmocka_unit_test(where_no_kernel_can_run_the_first_one_says_why),
        cmocka_unit_test(replaced_kernels_are_not_lowered),
        cmocka_unit_test(what_the_device_runtime_lacks_concerns_who_calls_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
