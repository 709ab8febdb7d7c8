/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks of all threads of a grid: who has one is let go on, so that the others do not spend
 * their turns on trying it in vain.  The limit of steps says whether that is so, without a
 * clock: those who wait longest may run so many, and no more.
 */
#include "ptx/machine.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

/* One lane of each warp takes the lock, works for longer than a turn, adds 1, and gives it
 * back. */
#define TAKES(name, try) \
    ".visible .entry " name "(.param .u64 p)\n{\n" \
    ".reg .u64 %p; .reg .u32 %r<8>; .reg .pred %q<4>;\n" \
    "ld.param.u64 %p, [p]; mov.u32 %r0, %laneid; setp.ne.u32 %q0, %r0, 0;\n@%q0 ret;\n" \
    "AGAIN: " try " setp.ne.u32 %q1, %r1, 0;\n@%q1 bra AGAIN;\nmembar.gl;\n" \
    "mov.u32 %r3, 0;\nWORK: add.u32 %r3, %r3, 1; setp.lt.u32 %q2, %r3, 700;\n@%q2 bra WORK;\n" \
    "ld.volatile.global.u32 %r2, [%p+4]; add.u32 %r2, %r2, 1;\n" \
    "st.volatile.global.u32 [%p+4], %r2;\n" \
    "membar.gl; st.volatile.global.u32 [%p], 0;\nret;\n}\n"

static const char text[] =
    HEAD TAKES("exchange", "atom.global.exch.b32 %r1, [%p], 1;")
    TAKES("swap", "atom.global.cas.b32 %r1, [%p], 0, 1;");

static void all_get_it(struct machine *m, const char *kernel, uint32_t blocks)
{
    uint32_t *words = machine_memory(m, 8);
    struct machine_shape shape = { .grid = { blocks }, .block = { 256 },
                                   .steps = 8000 };
    machine_run(m, kernel, &shape, &words, sizeof words);
    assert_int_equal(words[0], 0);
    assert_int_equal(words[1], blocks * 8);
}

static void those_who_wait_let_the_others_go_on(void **state)
{
    static const uint32_t blocks[] = { 1, 10, 300 };
    struct machine *m = machine_open();
    (void)state;
    machine_load(m, text);
    for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        all_get_it(m, "exchange", blocks[i]);
        all_get_it(m, "swap", blocks[i]);
    }
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_who_wait_let_the_others_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
