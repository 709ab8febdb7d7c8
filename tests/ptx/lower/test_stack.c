/* SPDX-License-Identifier: Apache-2.0
 *
 * alloca, stacksave and stackrestore: what a thread takes of its stack while it runs.
 */
#include "ptx/machine.h"

#include <stdio.h>

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define ENTRY HEAD ".entry k(.param .u64 p)\n{\n.reg .u64 %d, %s, %t; .reg .u32 %r<9>;\n"

static void the_stack_is_taken_and_given_back(void **state)
{
    (void)state;
    static const char text[] = ENTRY
        ".reg .u64 %a, %b, %c; .local .u32 own;\nld.param.u64 %d, [p]; st.local.u32 [own], 50;\n"
        "mov.u64 %t, 24; stacksave.u64 %s; alloca.u64 %a, %t, 16; alloca.u64 %b, %t, 64;\n"
        "st.local.u32 [%a+20], 7; st.local.u32 [%b], 8;\n"
        "cvta.local.u64 %c, %a; ld.u32 %r0, [%c+20]; ld.local.u32 %r1, [%b];\n"
        "stackrestore.u64 %s; alloca.u64 %c, %t, 16; sub.u64 %c, %c, %a;\n"
        "cvt.u32.u64 %r2, %c; and.b64 %b, %b, 63; cvt.u32.u64 %r3, %b;\n"
        "ld.local.u32 %r4, [own]; add.u32 %r3, %r3, %r4;\n"
        "st.global.v4.u32 [%d], {%r0, %r1, %r2, %r3};\nret;\n}\n";
    struct machine *m = machine_open();
    uint32_t *out = machine_memory(m, 4 * sizeof *out);
    struct machine_shape shape = { .block = { 1 } };
    machine_load(m, text);
    machine_run(m, "k", &shape, &out, sizeof out);
    assert_int_equal(out[0], 7);
    assert_int_equal(out[1], 8);
    assert_int_equal(out[2], 0);  /* what was given back is taken again */
    assert_int_equal(out[3], 50); /* and the boundary of 64 was kept    */
    machine_close(m);
}

/* Threads take as much as they like, and what a function has lies behind all of it. */
static void each_thread_takes_its_own_of_the_stack(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".func write(.param .u32 n)\n{\n.local .u32 own[64]; .reg .u64 %t, %a; .reg .u32 %i, %n;\n"
        ".reg .pred %p;\nld.param.u32 %n, [n]; mov.u64 %t, own; mov.u32 %i, 0;\n"
        "AGAIN: st.local.u32 [%t], 99; add.u64 %t, %t, 4; add.u32 %i, %i, 1;\n"
        "setp.lt.u32 %p, %i, 64; @%p bra AGAIN;\nmov.u64 %t, 40; alloca.u64 %a, %t;\n"
        "st.local.u32 [%a+36], 98; setp.eq.u32 %p, %n, 0; @%p ret; sub.u32 %n, %n, 1;\n"
        "{ .param .u32 m; st.param.u32 [m], %n; call write, (m); }\nret;\n}\n"
        ".entry k(.param .u64 p)\n{\n.reg .u64 %d, %t, %a, %b; .reg .u32 %r<4>; .reg .pred %p;\n"
        "ld.param.u64 %d, [p]; mov.u32 %r0, %tid.x;\nmad.wide.u32 %d, %r0, 4, %d;\n"
        "mul.wide.u32 %t, %r0, 4; add.u64 %t, %t, 4; alloca.u64 %a, %t;\n"
        "add.u64 %b, %a, %t; st.local.u32 [%b+-4], %r0;\n"
        "and.b32 %r1, %r0, 1; setp.eq.u32 %p, %r1, 0; @%p bra EVEN;\n"
        "alloca.u64 %b, %t; st.local.u32 [%b], %r0;\n"
        "EVEN: { .param .u32 m; st.param.u32 [m], 3; call write, (m); }\n"
        "add.u64 %a, %a, %t; ld.local.u32 %r2, [%a+-4]; @!%p ld.local.u32 %r3, [%b];\n"
        "@!%p add.u32 %r2, %r2, %r3; st.global.u32 [%d], %r2;\nret;\n}\n";
    struct machine *m = machine_open();
    uint32_t *out = machine_memory(m, 300 * sizeof *out);
    struct machine_shape shape = { .block = { 300 } };
    machine_load(m, text);
    machine_run(m, "k", &shape, &out, sizeof out);
    for (uint32_t i = 0; i < 300; i++) assert_int_equal(out[i], i * (1 + i % 2));
    machine_close(m);
}

static void a_stack_that_is_full_fails(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".entry large()\n{\n.reg .u64 %t, %a; mov.u64 %t, 524289; alloca.u64 %a, %t; ret;\n}\n"
        ".entry many()\n{\n.reg .u64 %t, %a; mov.u64 %t, 1000;\nL: alloca.u64 %a, %t; bra L;\n}\n"
        ".entry wrong()\n{\n.reg .u64 %t; mov.u64 %t, 5000; stackrestore.u64 %t; ret;\n}\n";
    struct machine *m = machine_open();
    struct machine_shape shape = { .block = { 40 } };
    machine_load(m, text);
    machine_fails(m, "large", &shape, NULL, 0, RILL_ERROR_HARDWARE_STACK_ERROR, "line 6",
                  "the stack is full: alloca of 524289 bytes");
    machine_fails(m, "many", &shape, NULL, 0, RILL_ERROR_HARDWARE_STACK_ERROR, "line 11",
                  "the stack is full");
    machine_fails(m, "wrong", &shape, NULL, 0, RILL_ERROR_HARDWARE_STACK_ERROR, "line 15",
                  "stacksave");
    machine_close(m);
}

static void what_is_no_size_and_no_boundary_is_refused(void **state)
{
    (void)state;
    static const struct { const char *line, *words; } all[] = {
        { "alloca.u64 %t, %s, 24;", "a power of two" },
        { "alloca.u64 %t, %r0;", "32 bits" },
        { "alloca.u64 %t;", "operands" },
        { "stackrestore.u64 %t, %s;", "operand" },
        { "stacksave.u32 %r0;", "no form" },
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        char text[512];
        struct machine *m = machine_open();
        snprintf(text, sizeof text, "%s%s ret;\n}\n", ENTRY, all[i].line);
        machine_refuses(m, text, RILL_ERROR_INVALID_PTX, all[i].words, "line 7");
        machine_close(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stack_is_taken_and_given_back),
        cmocka_unit_test(each_thread_takes_its_own_of_the_stack),
        cmocka_unit_test(a_stack_that_is_full_fails),
        cmocka_unit_test(what_is_no_size_and_no_boundary_is_refused),
    };
    return cmocka_run_group_tests_name("ptx/lower/stack", tests, NULL, NULL);
}
