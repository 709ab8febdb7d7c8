/* SPDX-License-Identifier: Apache-2.0
 *
 * Races for shared memory: those that are found, and programs that have none.
 */
#include <stdio.h>

#include "ptx/machine.h"

#define HEAD ".version 8.8\n.target sm_100\n.address_size 64\n"

static const char frame[] = HEAD
    ".visible .entry k(.param .u64 to)\n{\n"
    ".shared .align 8 .b8 s[4096];\n"
    ".reg .u64 %%a, %%x, %%y, %%g; .reg .u32 %%t, %%w, %%v, %%u, %%i, %%l; .reg .pred %%p, %%q;\n"
    ".reg .b16 %%h;\n"
    "ld.param.u64 %%a, [to]; mov.u32 %%t, %%tid.x; mad.wide.u32 %%a, %%t, 4, %%a;\n"
    "mul.wide.u32 %%x, %%t, 4; mov.u64 %%y, s; add.u64 %%x, %%x, %%y; and.b32 %%l, %%t, 31;\n"
    "%s\nst.global.u32 [%%a], %%v; ret;\n}\n";

static struct machine *load(const char *body)
{
    char text[4096];
    snprintf(text, sizeof text, frame, body);
    struct machine *m = machine_open();
    machine_load(m, text);
    return m;
}

static void has_race(const char *body, const char *words, const char *more)
{
    struct machine *m = load(body);
    struct { void *to; } params = { machine_memory(m, 512 * 4) };
    struct machine_shape shape = { .block = { 512 }, .checks = PTX_CHECK_RACES };
    machine_fails(m, "k", &shape, &params, sizeof params, RILL_ERROR_LAUNCH_FAILED, words, more);
    machine_fails(m, "k", &shape, &params, sizeof params, RILL_ERROR_LAUNCH_FAILED,
                  "a race for shared memory", "no barrier in between");
    /* Nobody asked. */
    shape.checks = 0;
    machine_run(m, "k", &shape, &params, sizeof params);
    machine_close(m);
}

static void has_none(const char *body)
{
    struct machine *m = load(body);
    struct { void *to; } params = { machine_memory(m, 512 * 4) };
    struct machine_shape shape = { .grid = { 3 }, .block = { 512 }, .threads = 2,
                                   .checks = PTX_CHECK_RACES };
    machine_run(m, "k", &shape, &params, sizeof params);
    machine_close(m);
}

/* ---- Found -------------------------------------------------------------------------------- */

static void a_load_of_what_another_thread_stored(void **state)
{
    (void)state;
    has_race("st.shared.u32 [%x], %t;\nxor.b32 %u, %t, 1; mul.wide.u32 %g, %u, 4;"
             "add.u64 %g, %g, %y;\nld.shared.u32 %v, [%g];",
             "load of 4 bytes at offset 4, where thread (1,0,0) stored in line 11", "line 13");
    has_race("st.shared.u32 [%x], %t;\nbar.warp.sync -1; xor.b32 %u, %t, 32;"
             "mul.wide.u32 %g, %u, 4; add.u64 %g, %g, %y;\nld.shared.u32 %v, [%g];",
             "load of 4 bytes at offset 128, where thread (32,0,0) stored", "line 13");
    has_race("st.shared.u32 [%x], %t; xor.b32 %u, %t, 32; shl.b32 %u, %u, 2;\n"
             "sub.u32 %u, %u, 2048; ld.shared.u32 %v, [%u+2048];", "load of 4 bytes", "line 12");
    has_race("cvta.shared.u64 %x, %x; st.u32 [%x], %t;\nxor.b32 %u, %t, 256;"
             "mul.wide.u32 %g, %u, 4; add.u64 %g, %g, %y; ld.shared.u32 %v, [%g];",
             "bytes at offset 1024", "where thread (");
}

static void a_store_over_what_another_thread_loaded(void **state)
{
    (void)state;
    has_race("ld.shared.u32 %v, [s+40];\nsetp.eq.u32 %p, %t, 9; @%p st.shared.u32 [%x+4], 1;",
             "thread (9,0,0)", "offset 40, where thread (");
    has_race("ld.shared.u32 %v, [%x]; bar.sync 0; ld.shared.u8 %v, [s+43];\n"
             "setp.eq.u32 %p, %t, 511; @%p st.shared.u32 [s+40], 1;",
             "store of 4 bytes at offset 40", "loaded in line 11");
}

static void two_stores_of_different_values(void **state)
{
    (void)state;
    has_race("mov.u32 %v, 0; st.shared.u32 [s], %t;", "store of 4 bytes at offset 0",
             "thread (1,0,0)");
    has_race("mov.u32 %v, 0; setp.lt.u32 %p, %t, 2; add.u32 %u, %t, 1;\n"
             "@%p st.shared.u8 [s+9], %u;", "store of 1 bytes at offset 9", "line 12");
}

static void an_atomic_operation_and_an_ordinary_access(void **state)
{
    (void)state;
    has_race("mov.u32 %v, 0; setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [s], 0;\n"
             "@!%p red.shared.add.u32 [s], 1;", "atomic operation of 4 bytes at offset 0",
             "where thread (0,0,0) stored in line 11");
}

static void half_a_barrier_is_none(void **state)
{
    (void)state;
    /* Warps 0 to 3 meet at one barrier, all others at another. */
    has_race("st.shared.u32 [%x], %t; mov.u32 %v, 0; setp.lt.u32 %p, %t, 128;\n"
             "@%p bra few; bra end;\nfew: bar.sync 1, 128;\n"
             "ld.shared.u32 %v, [%x+1024];\nend:", "4 bytes at offset 1024", "thread (");
}

/* ---- None --------------------------------------------------------------------------------- */

static void barriers_put_a_block_in_order(void **state)
{
    (void)state;
    has_none("st.shared.u32 [%x], %t; bar.sync 0;\nxor.b32 %u, %t, 511; mul.wide.u32 %g, %u, 4;"
             "add.u64 %g, %g, %y; ld.shared.u32 %v, [%g]; bar.sync 0; st.shared.u32 [%x], %v;");
    /* A reduction: each round has half the threads. */
    has_none("st.shared.u32 [%x], %t; mov.u32 %i, 256; mov.u32 %v, 0;\n"
             "round: bar.sync 0; setp.ge.u32 %p, %t, %i; @%p bra skip;\n"
             "mul.wide.u32 %g, %i, 4; add.u64 %g, %g, %x; ld.shared.u32 %v, [%g];\n"
             "ld.shared.u32 %u, [%x]; add.u32 %v, %v, %u; st.shared.u32 [%x], %v;\n"
             "skip: shr.u32 %i, %i, 1; setp.ne.u32 %p, %i, 0; @%p bra round;");
    /* Some store, and all wait for them at a barrier where nobody waits for those. */
    has_none("mov.u32 %v, 0; setp.lt.u32 %p, %t, 256; @%p bra give;\n"
             "bar.sync 1, 512; sub.u64 %x, %x, 1024; ld.shared.u32 %v, [%x]; bra end;\n"
             "give: st.shared.u32 [%x], %t; bar.arrive 1, 512;\nend:");
}

static void a_warp_is_put_in_order_by_its_own_meetings(void **state)
{
    (void)state;
    has_none("st.shared.u32 [%x], %t; bar.warp.sync -1; xor.b32 %u, %t, 31;"
             "mul.wide.u32 %g, %u, 4; add.u64 %g, %g, %y; ld.shared.u32 %v, [%g];");
    has_none("st.shared.u32 [%x], %t; shfl.sync.bfly.b32 %u, %t, 1, 31, -1; xor.b32 %u, %t, 5;"
             "mul.wide.u32 %g, %u, 4; add.u64 %g, %g, %y; ld.shared.u32 %v, [%g];");
    /* A sum over a warp, as it is written since Volta. */
    has_none("st.shared.u32 [%x], %t; mov.u32 %i, 16; mov.u32 %v, %t;\n"
             "round: bar.warp.sync -1; add.u32 %u, %l, %i; setp.gt.u32 %p, %u, 31;\n"
             "mov.u32 %w, 0; mul.wide.u32 %g, %i, 4; add.u64 %g, %g, %x;\n"
             "@!%p ld.shared.u32 %w, [%g]; add.u32 %v, %v, %w; bar.warp.sync -1;\n"
             "st.shared.u32 [%x], %v; shr.u32 %i, %i, 1; setp.ne.u32 %q, %i, 0; @%q bra round;");
}

static void threads_may_store_the_same(void **state)
{
    (void)state;
    has_none("mov.u32 %v, 0; st.shared.u32 [s], 77;");
    has_none("ld.shared.u32 %v, [s+8]; bar.sync 0; mov.u32 %u, 1; setp.gt.u32 %p, %t, 100;"
             "@%p st.shared.u32 [s+8], %u; bar.sync 0; ld.shared.u32 %v, [s+8];");
}

static void atomic_operations_are_no_races(void **state)
{
    (void)state;
    has_none("mov.u32 %v, 0; setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [s], 0; bar.sync 0;\n"
             "atom.shared.add.u32 %v, [s], 1; bar.sync 0; ld.shared.u32 %v, [s];");
    /* The last one to arrive reads what all others left. */
    has_none("mov.u32 %v, 0; st.shared.u32 [s], %v; bar.sync 0;\n"
             "st.shared.u32 [%x+8], %t; membar.cta; atom.shared.inc.u32 %u, [s], 511;\n"
             "mov.u32 %v, 0; setp.ne.u32 %p, %u, 511; @%p bra end; membar.cta;\n"
             "ld.shared.u32 %v, [s+1024];\nend:");
    /* A flag under volatile accesses. */
    has_none("mov.u32 %v, 0; st.shared.u32 [s+16], %v; bar.sync 0; setp.eq.u32 %p, %t, 300;\n"
             "@%p bra give; setp.ne.u32 %p, %t, 2;\n"
             "@%p bra end; wait: ld.volatile.shared.u32 %v, [s+16]; setp.eq.u32 %p, %v, 0;\n"
             "@%p bra wait; membar.cta; ld.shared.u32 %v, [s+24]; bra end;\n"
             "give: st.shared.u32 [s+24], 8; membar.cta; st.volatile.shared.u32 [s+16], 1;\nend:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_of_what_another_thread_stored),
        cmocka_unit_test(a_store_over_what_another_thread_loaded),
        cmocka_unit_test(two_stores_of_different_values),
        cmocka_unit_test(an_atomic_operation_and_an_ordinary_access),
        cmocka_unit_test(half_a_barrier_is_none),
        cmocka_unit_test(barriers_put_a_block_in_order),
        cmocka_unit_test(a_warp_is_put_in_order_by_its_own_meetings),
        cmocka_unit_test(threads_may_store_the_same),
        cmocka_unit_test(atomic_operations_are_no_races),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
