/* SPDX-License-Identifier: Apache-2.0
 *
 * printf() of kernels, assertions, malloc() and free().
 */
#include <stdio.h>

#include "ptx/machine.h"

#define HEAD ".version 8.8\n.target sm_100\n.address_size 64\n"
#define PRINTF ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"

/* ---- printf ------------------------------------------------------------------------------- */

/* Prints a format that the test wrote, with arguments that it laid out; the threads store
 * what the call returned. */
static const char printing[] = HEAD PRINTF
    ".visible .entry k(.param .u64 format, .param .u64 arguments, .param .u64 to)\n{\n"
    ".reg .u64 %a, %f, %t; .reg .u32 %r;\n"
    "ld.param.u64 %f, [format]; ld.param.u64 %a, [arguments]; ld.param.u64 %t, [to];\n"
    "{ .param .b64 f; .param .b64 a; .param .b32 r;\n"
    "st.param.b64 [f], %f; st.param.b64 [a], %a;\n"
    "call.uni (r), vprintf, (f, a);\n"
    "ld.param.b32 %r, [r]; }\nst.global.u32 [%t], %r; ret;\n}\n";

struct printer {
    struct machine *m;
    char *format;
    uint64_t *arguments;
    int32_t *to;
};

static struct printer open_printer(void)
{
    struct printer p = { .m = machine_open() };
    machine_load(p.m, printing);
    p.format = machine_memory(p.m, 4096);
    p.arguments = machine_memory(p.m, 256);
    p.to = machine_memory(p.m, 4);
    return p;
}

static int32_t print(struct printer *p, const char *format)
{
    strcpy(p->format, format);
    struct { void *format, *arguments, *to; } params = { p->format, p->arguments, p->to };
    machine_run(p->m, "k", &(struct machine_shape){ 0 }, &params, sizeof params);
    return *p->to;
}

static void prints(struct printer *p, const char *format, const char *text, int32_t taken)
{
    int32_t returned = print(p, format);
    if (strcmp(machine_printed(p->m), text) != 0 || returned != taken)
        fail_msg("\"%s\" gave \"%s\" and %d, not \"%s\" and %d", format, machine_printed(p->m),
                 (int)returned, text, (int)taken);
}

static void integers_are_printed_as_asked_for(void **state)
{
    (void)state;
    struct printer p = open_printer();
    memcpy(p.arguments, (int32_t[]){ -42, 255, 8, 7 }, 16);
    prints(&p, "nothing", "nothing", 0);
    prints(&p, "%d %u %o %i\n", "-42 255 10 7\n", 4);
    prints(&p, "%x|%X|%#x|%#o", "ffffffd6|FF|0x8|07", 4);
    prints(&p, "[%6d][%-6u][%06d][%+d]", "[   -42][255   ][000008][+7]", 4);
    prints(&p, "[%.4d][% u][% d]%%", "[-0042][255][ 8]%", 3);
    memcpy(p.arguments, (int32_t[]){ 6, 255, -6, 8, 5, 4, 7 }, 28);
    prints(&p, "[%*d][%*d][%*.*d]", "[   255][8     ][ 0007]", 7);
    memcpy(p.arguments, (int32_t[]){ 0x12345, 0x1ff, 'x', 0 }, 16);
    prints(&p, "%hx %hhu %c|%3c", "2345 255 x|  ", 4);
    machine_close(p.m);
}

static void wide_arguments_are_aligned(void **state)
{
    (void)state;
    struct printer p = open_printer();
    memcpy(p.arguments, &(struct { int32_t a; int64_t b; int32_t c; uint64_t d; double e; }){
        1, -5000000000, 2, UINT64_C(0xfedcba9876543210), 2.5 }, 40);
    prints(&p, "%d %ld %d %llx %f", "1 -5000000000 2 fedcba9876543210 2.500000", 5);
    prints(&p, "%i%lli%u%zu %5.1e", "1-5000000000218364758544493064720 2.5e+00", 5);
    machine_close(p.m);
}

static void floats_are_printed_as_asked_for(void **state)
{
    (void)state;
    struct printer p = open_printer();
    memcpy(p.arguments, (double[]){ 3.14159265, -0.5, 1e100, 0.0001 }, 32);
    prints(&p, "%f %.2f %g %e", "3.141593 -0.50 1e+100 1.000000e-04", 4);
    prints(&p, "[%8.3f][%-8.1f][%+G][%010.4f]", "[   3.142][-0.5    ][+1E+100][00000.0001]", 4);
    prints(&p, "%a", "0x1.921fb53c8d4f1p+1", 1);
    machine_close(p.m);
}

static void strings_and_pointers_are_the_devices(void **state)
{
    (void)state;
    struct printer p = open_printer();
    char *word = machine_memory(p.m, 16);
    strcpy(word, "kernel");
    p.arguments[0] = (uintptr_t)word;
    p.arguments[1] = 0x1234;
    prints(&p, "<%s> %p", "<kernel> 0x1234", 2);
    prints(&p, "<%10s>", "<    kernel>", 1);
    prints(&p, "<%-8.3s>", "<ker     >", 1);
    /* A precision is as far as it looks: there is no zero. */
    memset(word, 'y', 16);
    prints(&p, "<%.16s>", "<yyyyyyyyyyyyyyyy>", 1);
    machine_close(p.m);
}

static void what_is_no_conversion_is_printed_as_it_stands(void **state)
{
    (void)state;
    struct printer p = open_printer();
    prints(&p, "%k %", "%k %", 0);
    prints(&p, "100%!", "100%!", 0);
    machine_close(p.m);
}

static void nothing_is_printed_where_the_call_fails(void **state)
{
    (void)state;
    struct printer p = open_printer();
    prints(&p, "%70000d", "", -1);
    struct { void *format, *arguments, *to; } params = { NULL, p.arguments, p.to };
    machine_run(p.m, "k", &(struct machine_shape){ 0 }, &params, sizeof params);
    assert_int_equal(*p.to, -1);
    strcpy(p.format, "%s %d");
    p.arguments[0] = 64;
    params.format = p.format;
    machine_fails(p.m, "k", &(struct machine_shape){ 0 }, &params, sizeof params,
                  RILL_ERROR_ILLEGAL_ADDRESS, "line 11", "near null");
    assert_string_equal(machine_printed(p.m), "");
    memset(p.format, 'x', 4096);
    machine_fails(p.m, "k", &(struct machine_shape){ 0 }, &params, sizeof params,
                  RILL_ERROR_ILLEGAL_ADDRESS, "load of 1 bytes", "line 11");
    machine_close(p.m);
}

/* Threads of many blocks print at the same time; no line has parts of two. */
static void lines_are_never_mixed(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD PRINTF
        ".global .align 1 .b8 text[] = {66, 37, 117, 32, 84, 37, 117, 32, 37, 49, 48, 48, 117, "
        "10, 0};\n"
        ".visible .entry k()\n{\n.local .align 8 .b8 l[16];\n.reg .u64 %f, %a; .reg .u32 %b, %t;\n"
        "mov.u32 %b, %ctaid.x; mov.u32 %t, %tid.x;\n"
        "st.local.v2.u32 [l], {%b, %t}; st.local.u32 [l+8], 5;\n"
        "mov.u64 %f, text; cvta.global.u64 %f, %f; mov.u64 %a, l; cvta.local.u64 %a, %a;\n"
        "{ .param .b64 f; .param .b64 a; .param .b32 r;\n"
        "st.param.b64 [f], %f; st.param.b64 [a], %a;\ncall (r), vprintf, (f, a); }\nret;\n}\n");
    machine_run(m, "k", &(struct machine_shape){ .grid = { 20 }, .block = { 40 }, .threads = 4 },
                NULL, 0);
    unsigned seen[20][40] = { { 0 } };
    const char *at = machine_printed(m);
    for (unsigned n = 0; n < 800; n++) {
        unsigned block, thread, five;
        int used = 0;
        assert_int_equal(sscanf(at, "B%u T%u %u\n%n", &block, &thread, &five, &used), 3);
        assert_true(block < 20 && thread < 40 && five == 5);
        seen[block][thread]++;
        at += used;
    }
    assert_int_equal(*at, 0);
    for (unsigned b = 0; b < 20; b++)
        for (unsigned t = 0; t < 40; t++) assert_int_equal(seen[b][t], 1);
    machine_close(m);
}

/* ---- Assertions --------------------------------------------------------------------------- */

static void an_assertion_that_fails_says_so_and_ends_the_launch(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD
        ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, "
        ".param .b64 c) .noreturn;\n"
        ".global .align 1 .b8 m[] = {120, 32, 62, 32, 48, 0};\n"
        ".global .align 1 .b8 f[] = {97, 46, 99, 117, 0};\n"
        ".global .align 1 .b8 n[] = {107, 0};\n"
        ".visible .entry k()\n{\n.reg .u64 %m, %f, %n; .reg .u32 %t; .reg .pred %p;\n"
        "mov.u32 %t, %tid.x; setp.ne.u32 %p, %t, 3; @%p bra good;\n"
        "cvta.global.u64 %m, m; cvta.global.u64 %f, f; cvta.global.u64 %n, n;\n"
        "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n"
        "st.param.b64 [a], %m; st.param.b64 [b], %f; st.param.b32 [c], 12;\n"
        "st.param.b64 [d], %n; st.param.b64 [e], 1;\n"
        "call.uni __assertfail, (a, b, c, d, e); }\ngood: ret;\n}\n");
    machine_fails(m, "k", &(struct machine_shape){ .block = { 8 } }, NULL, 0, RILL_ERROR_ASSERT,
                  "thread (3,0,0)", "assertion `x > 0' failed at a.cu:12 in k");
    assert_string_equal(machine_printed(m), "a.cu:12: k: block: [0,0,0], thread: [3,0,0] "
                                            "Assertion `x > 0' failed.\n");
    machine_close(m);
}

/* ---- malloc, free ------------------------------------------------------------------------- */

static const char heap[] = HEAD
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"
    ".visible .entry take(.param .u64 to, .param .u64 bytes)\n{\n"
    ".reg .u64 %a, %n, %p; .reg .u32 %t; .reg .pred %none;\n"
    "ld.param.u64 %a, [to]; ld.param.u64 %n, [bytes]; mov.u32 %t, %tid.x;\n"
    "mad.wide.u32 %a, %t, 8, %a;\n"
    "{ .param .b64 n; .param .b64 r; st.param.b64 [n], %n;\ncall.uni (r), malloc, (n);\n"
    "ld.param.b64 %p, [r]; }\nst.global.u64 [%a], %p; setp.eq.u64 %none, %p, 0;\n"
    "@!%none st.u32 [%p], %t; ret;\n}\n"
    ".visible .entry give(.param .u64 to)\n{\n.reg .u64 %a, %p, %v; .reg .u32 %t; .reg .pred %q;\n"
    "ld.param.u64 %a, [to]; mov.u32 %t, %tid.x; mad.wide.u32 %a, %t, 8, %a;\n"
    "ld.global.u64 %p, [%a]; setp.eq.u64 %q, %p, 0; @!%q ld.u32 %v, [%p];\n"
    "@!%q st.global.u64 [%a], %v;\n"
    "{ .param .b64 p; st.param.b64 [p], %p;\ncall.uni free, (p); }\nret;\n}\n";

static void memory_of_a_kernel_stays_until_it_is_freed(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, heap);
    uint64_t *to = machine_memory(m, 64 * 8);
    struct { void *to; uint64_t bytes; } params = { to, 40 };
    struct machine_shape shape = { .block = { 64 } };
    machine_run(m, "take", &shape, &params, sizeof params);
    assert_int_equal(machine_heap_live(m), 64);
    machine_run(m, "give", &shape, &params, sizeof(void *));
    assert_int_equal(machine_heap_live(m), 0);
    for (unsigned i = 0; i < 64; i++) assert_int_equal(to[i], i);
    machine_close(m);
}

static void the_heap_has_an_end(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, heap);
    machine_heap_limit(m, 1000);
    uint64_t *to = machine_memory(m, 64 * 8);
    struct { void *to; uint64_t bytes; } params = { to, 100 };
    struct machine_shape shape = { .block = { 64 } };
    machine_run(m, "take", &shape, &params, sizeof params);
    for (unsigned i = 0; i < 64; i++) assert_true((to[i] != 0) == (i < 10));
    /* free(NULL) does nothing. */
    machine_run(m, "give", &shape, &params, sizeof(void *));
    assert_int_equal(machine_heap_live(m), 0);
    params.bytes = UINT64_MAX;
    machine_run(m, "take", &shape, &params, sizeof params);
    assert_true(to[0] == 0 && to[63] == 0);
    machine_close(m);
}

static void what_malloc_did_not_give_cannot_be_freed(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, heap);
    uint64_t *to = machine_memory(m, 8), *other = machine_memory(m, 8);
    struct { void *to; } params = { to };
    *to = (uintptr_t)other;
    machine_fails(m, "give", &(struct machine_shape){ 0 }, &params, sizeof params,
                  RILL_ERROR_LAUNCH_FAILED, "free()", "line 24");
    machine_close(m);
}

static void a_conditional_gets_its_value(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD
        ".extern .func cudaGraphSetConditional(.param .b64 h, .param .b32 v);\n"
        ".visible .entry k(.param .u64 h, .param .u32 v)\n{\n.reg .u64 %h; .reg .u32 %v;\n"
        "ld.param.u64 %h, [h]; ld.param.u32 %v, [v];\n{ .param .b64 a; .param .b32 b;\n"
        "st.param.b64 [a], %h; st.param.b32 [b], %v;\n"
        "call.uni cudaGraphSetConditional, (a, b); }\nret;\n}\n");
    struct { uint64_t handle; uint32_t value; } params = { UINT64_C(0x123456789a), 3 };
    uint32_t value;
    machine_run(m, "k", &(struct machine_shape){ 0 }, &params, sizeof params);
    assert_true(machine_conditional(m, &value) == params.handle);
    assert_int_equal(value, 3);
    machine_close(m);
}

static void a_declaration_has_to_say_the_same(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_refuses(m, HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 f);\n"
        ".visible .entry k()\n{\n{ .param .b64 f; .param .b32 r; st.param.b64 [f], 0;\n"
        "call (r), vprintf, (f); }\nret;\n}\n", RILL_ERROR_INVALID_PTX, "vprintf", "line");
    machine_refuses(m, HEAD ".extern .func puts(.param .b64 f);\n"
        ".visible .entry k()\n{\n{ .param .b64 f; st.param.b64 [f], 0;\n"
        "call puts, (f); }\nret;\n}\n", RILL_ERROR_INVALID_PTX, "puts", "line");
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_printed_as_asked_for),
        cmocka_unit_test(wide_arguments_are_aligned),
        cmocka_unit_test(floats_are_printed_as_asked_for),
        cmocka_unit_test(strings_and_pointers_are_the_devices),
        cmocka_unit_test(what_is_no_conversion_is_printed_as_it_stands),
        cmocka_unit_test(nothing_is_printed_where_the_call_fails),
        cmocka_unit_test(lines_are_never_mixed),
        cmocka_unit_test(an_assertion_that_fails_says_so_and_ends_the_launch),
        cmocka_unit_test(memory_of_a_kernel_stays_until_it_is_freed),
        cmocka_unit_test(the_heap_has_an_end),
        cmocka_unit_test(what_malloc_did_not_give_cannot_be_freed),
        cmocka_unit_test(a_conditional_gets_its_value),
        cmocka_unit_test(a_declaration_has_to_say_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
