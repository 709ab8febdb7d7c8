/* SPDX-License-Identifier: Apache-2.0
 *
 * The barrier of a grid, which compilers make of a word in a workspace: its address is in
 * %envreg1 (the upper half) and %envreg2, and is 0 where the launch is not cooperative.  An
 * H200 (driver of CUDA 13.0) runs this kernel so.
 */
#include "ptx/machine.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

/* Each round each block adds its number to a word of the round, and behind the barrier all
 * read what all have added. */
#define ROUNDS 5
static const char text[] = HEAD
    ".visible .entry k(.param .u64 p)\n{\n"
    ".reg .u64 %p, %w, %o; .reg .u32 %r<16>; .reg .pred %q<8>;\n"
    "ld.param.u64 %p, [p];\n"
    "mov.u32 %r0, %envreg1; mov.u32 %r1, %envreg2; mov.b64 %w, {%r1, %r0};\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x; mov.u32 %r4, %tid.x;\n"
    "setp.eq.u32 %q0, %r4, 0; setp.eq.u32 %q1, %r2, 0;\n"
    /* 1 of each block, but of the first what makes the sum 2^31. */
    "sub.u32 %r5, %r3, 1; sub.u32 %r5, 0x80000000, %r5; selp.u32 %r5, %r5, 1, %q1;\n"
    "mov.u32 %r6, 0;\n"
    "AGAIN:\n"
    "mad.wide.u32 %o, %r6, 4, %p;\n"
    "@%q0 red.global.add.u32 [%o], %r2;\n"
    "bar.sync 0;\n"
    "@!%q0 bra MET;\n"
    "atom.add.release.gpu.u32 %r7, [%w+4], %r5;\n"
    "LOOK:\n"
    "ld.acquire.gpu.u32 %r8, [%w+4]; xor.b32 %r8, %r8, %r7; setp.ge.s32 %q2, %r8, 0;\n"
    "@%q2 bra LOOK;\n"
    "MET:\n"
    "bar.sync 0;\n"
    "ld.volatile.global.u32 %r9, [%o];\n"
    "sub.u32 %r10, %r3, 1; mul.lo.u32 %r10, %r10, %r3; shr.u32 %r10, %r10, 1;\n"
    "setp.ne.u32 %q3, %r9, %r10;\n"
    "@%q3 st.global.u32 [%p+64], %r9;\n"
    "add.u32 %r6, %r6, 1; setp.lt.u32 %q4, %r6, 5;\n"
    "@%q4 bra AGAIN;\n"
    "ret;\n}\n"
    /* Where it is; and what is behind it. */
    ".visible .entry where(.param .u64 p)\n{\n.reg .u64 %p, %w; .reg .u32 %r<2>;\n"
    "ld.param.u64 %p, [p]; mov.u32 %r0, %envreg1; mov.u32 %r1, %envreg2;\n"
    "mov.b64 %w, {%r1, %r0}; st.global.u64 [%p], %w;\nret;\n}\n"
    ".visible .entry behind(.param .u64 p)\n{\n.reg .u64 %p, %w; .reg .u32 %r<2>;\n"
    "mov.u32 %r0, %envreg1; mov.u32 %r1, %envreg2;\n"
    "mov.b64 %w, {%r1, %r0}; st.u32 [%w+8], 1;\nret;\n}\n";

static void blocks_meet(struct machine *m, uint32_t blocks, uint32_t block, unsigned threads)
{
    uint32_t *out = machine_memory(m, 128);
    struct machine_shape shape = { .grid = { blocks }, .block = { block }, .threads = threads,
                                   .cooperative = true };
    out[16] = UINT32_MAX;
    machine_run(m, "k", &shape, &out, sizeof out);
    for (uint32_t i = 0; i < ROUNDS; i++)
        assert_int_equal(out[i], blocks * (blocks - 1) / 2);
    assert_int_equal(out[16], UINT32_MAX);
}

static void all_blocks_of_a_grid_meet(void **state)
{
    static const uint32_t blocks[] = { 1, 2, 7, 132, 1000 };
    struct machine *m = machine_open();
    (void)state;
    machine_load(m, text);
    for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (unsigned threads = 1; threads <= 3; threads++)
            blocks_meet(m, blocks[i], threads == 2 ? 300 : 32, threads);
    machine_close(m);
}

static void only_a_cooperative_launch_has_a_workspace(void **state)
{
    struct machine *m = machine_open();
    uint64_t *out = machine_memory(m, sizeof *out);
    struct machine_shape plain = { .grid = { 1 } }, cooperative = { .cooperative = true };
    (void)state;
    machine_load(m, text);
    *out = 1;
    machine_run(m, "where", &plain, &out, sizeof out);
    assert_int_equal(*out, 0);
    machine_run(m, "where", &cooperative, &out, sizeof out);
    assert_true(*out != 0);
    machine_fails(m, "behind", &cooperative, &out, sizeof out, RILL_ERROR_ILLEGAL_ADDRESS,
                  "store of 4 bytes", "in no allocation");
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_blocks_of_a_grid_meet),
        cmocka_unit_test(only_a_cooperative_launch_has_a_workspace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
