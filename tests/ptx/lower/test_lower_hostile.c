/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts that have much of something, and texts that somebody chose to be a lot of work: to
 * lower them costs neither much memory nor much time.
 */
#include "ptx/machine.h"

#include <stdio.h>
#include <time.h>

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

/* ---- Texts ------------------------------------------------------------------------------ */

struct text {
    char *at;
    size_t used, room;
};

__attribute__((format(printf, 2, 3)))
static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    if (text->room - text->used < 256) {
        text->room = text->room ? 2 * text->room : 65536;
        text->at = realloc(text->at, text->room);
        assert_non_null(text->at);
    }
    va_start(arguments, format);
    text->used += (size_t)vsnprintf(text->at + text->used, text->room - text->used, format,
                                    arguments);
    va_end(arguments);
}

/* Seconds of the processor that it takes. */
static double compiles(struct text *text)
{
    struct machine *m = machine_open();
    struct ptx_refusal refusal;
    clock_t began = clock();
    rill_status status = machine_try_load(m, text->at, text->used, NULL, &refusal);
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    if (status) print_error("%s\n", refusal.message);
    assert_int_equal(status, RILL_SUCCESS);
    machine_close(m);
    free(text->at);
    return seconds;
}

/* ---- Much of everything ------------------------------------------------------------------- */

enum { MANY = 20000 };

/* Each block has a register that the one before it has written: sets of everything would
 * have many millions of members. */
static void many_blocks_with_many_registers_are_lowered(void **state)
{
    struct text text = { 0 };
    (void)state;
    add(&text, HEAD ".visible .entry k()\n{\n.reg .b32 %%r<%u>;\n.reg .pred %%p;\n", MANY + 1);
    for (unsigned i = 0; i < MANY; i++) {
        add(&text, "L%u:\n", i);
        add(&text, "add.u32 %%r%u, %%r%u, 1;\n", i, i + 1);
        add(&text, "@%%p bra L%u;\n", (i * 7919u) % MANY);
    }
    add(&text, "ret;\n}\n");
    compiles(&text);
}

/* Every branch can go everywhere. */
static void many_branches_through_a_large_table_are_lowered(void **state)
{
    struct text text = { 0 };
    (void)state;
    add(&text, HEAD ".visible .entry k()\n{\n.reg .b32 %%r<100>;\nT: .branchtargets L0");
    for (unsigned i = 1; i < MANY; i++) add(&text, ", L%u", i);
    add(&text, ";\n");
    for (unsigned i = 0; i < MANY; i++) {
        add(&text, "L%u:\n", i);
        add(&text, "add.u32 %%r%u, %%r%u, 1;\nbrx.idx %%r0, T;\n", i % 99, i % 99 + 1);
    }
    add(&text, "}\n");
    compiles(&text);
}

/* A chain of calls, and kernels that begin it everywhere. */
static void many_functions_that_call_each_other_are_lowered(void **state)
{
    struct text text = { 0 };
    (void)state;
    add(&text, HEAD ".shared .u32 s;\n.func f0()\n{\n.reg .b64 %%r;\nmov.u64 %%r, s;\nret;\n}\n");
    for (unsigned i = 1; i < MANY / 4; i++) {
        add(&text, ".func f%u()\n{\ncall f%u;\nret;\n}\n", i, i - 1);
        add(&text, ".visible .entry k%u()\n{\ncall f%u;\nret;\n}\n", i, i);
    }
    compiles(&text);
}

/* 87382 variables of 48 KiB: 32 KiB more than numbers of 32 bits count. */
static void more_shared_memory_than_is_counted_is_refused(void **state)
{
    struct text text = { 0 };
    struct machine *m = machine_open();
    (void)state;
    add(&text, HEAD);
    for (unsigned i = 0; i < 4161; i++) {
        add(&text, ".func f%u()\n{\n", i);
        for (unsigned n = 0; n < 21; n++) add(&text, ".shared .b8 s%u[232448];\n", n);
        add(&text, "ret;\n}\n");
    }
    add(&text, ".visible .entry k()\n{\n.shared .b8 s[49152];\n");
    for (unsigned i = 0; i < 4161; i++) add(&text, "call f%u;\n", i);
    add(&text, "ret;\n}\n");
    machine_refuses(m, text.at, RILL_ERROR_INVALID_PTX, "shared variables", "232448");
    machine_close(m);
    free(text.at);
}

/* ---- What was chosen -------------------------------------------------------------------- */

/* Numbers apart by `distance`, as constants of one function. */
static double constants_apart(uint64_t distance)
{
    struct text text = { 0 };
    add(&text, HEAD ".visible .entry k()\n{\n.reg .b64 %%r;\n");
    for (unsigned i = 0; i < MANY; i++)
        add(&text, "mov.b64 %%r, 0x%llx;\n", (unsigned long long)(i * distance));
    add(&text, "ret;\n}\n");
    return compiles(&text);
}

/* The second ones differ in their highest bits alone, and the third ones are multiples of
 * the inverse of a factor that hashes like to have. */
static void constants_that_were_chosen_cost_what_others_do(void **state)
{
    (void)state;
    double others = constants_apart(1);
    assert_true(constants_apart(UINT64_C(1) << 49) < 5 * others + 0.1);
    assert_true(constants_apart(UINT64_C(0xf1de83e19937733d)) < 5 * others + 0.1);
}

/* Registers that are needed in several blocks, which are in the wrong order: each pass over
 * them finds out about one more.  And a branch through a list of labels. */
static double a_table_of(unsigned labels)
{
    struct text text = { 0 };
    add(&text, HEAD ".visible .entry k()\n{\n.reg .b32 %%r<%u>; .reg .pred %%p;\n"
               "T: .branchtargets L0", MANY);
    for (unsigned i = 0; i < labels; i++) add(&text, ", L0");
    add(&text, ";\n@%%p bra L40;\nbrx.idx %%r0, T;\nL0:\n");
    for (unsigned i = 0; i < MANY; i++) add(&text, "mov.b32 %%r%u, %%r%u;\n", i, (i + 1) % MANY);
    add(&text, "ret;\n");
    for (unsigned i = 1; i <= 40; i++) add(&text, "L%u: bra L%u;\n", i, i - 1);
    add(&text, "}\n");
    return compiles(&text);
}

static void a_table_is_no_more_work_than_it_is_long(void **state)
{
    (void)state;
    assert_true(a_table_of(5 * MANY) < 5 * a_table_of(1) + 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_blocks_with_many_registers_are_lowered),
        cmocka_unit_test(many_branches_through_a_large_table_are_lowered),
        cmocka_unit_test(many_functions_that_call_each_other_are_lowered),
        cmocka_unit_test(more_shared_memory_than_is_counted_is_refused),
        cmocka_unit_test(constants_that_were_chosen_cost_what_others_do),
        cmocka_unit_test(a_table_is_no_more_work_than_it_is_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
