/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks abreast are one bundle, whatever their size: those that a row of the grid does not have
 * any more are left out of that one.  They are no more than have room for their memory.
 */
#include <stdio.h>

#include "ptx/machine.h"
#include "ptx/run/cut.h"
#include "ptx/run/program.h"

/* Registers in use, so that the widest bundle is no whole number of warps. */
#define LIVE 55

/* Each thread keeps many words of its own in registers, and stores its number. */
static void load(struct machine *m)
{
    char text[8192];
    size_t at = (size_t)snprintf(
        text, sizeof text, ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".visible .entry k(.param .u64 from, .param .u64 to)\n{\n"
        ".reg .b32 %%r<%d>, %%t, %%b, %%n, %%s; .reg .b64 %%a, %%c;\n"
        "ld.param.u64 %%a, [from]; ld.param.u64 %%c, [to]; mov.u32 %%t, %%tid.x;\n"
        "mov.u32 %%b, %%ctaid.x; mov.u32 %%n, %%ntid.x; mad.lo.u32 %%t, %%b, %%n, %%t;\n"
        "mov.u32 %%s, %%t;\n", LIVE);
    for (int i = 0; i < LIVE; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "ld.global.u32 %%r%d, [%%a+%d];\n", i,
                               4 * i);
    for (int i = 0; i < LIVE; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "add.u32 %%s, %%s, %%r%d;\n", i);
    snprintf(text + at, sizeof text - at,
             "mad.wide.u32 %%c, %%t, 4, %%c; st.global.u32 [%%c], %%s; ret;\n}\n");
    machine_load(m, text);
    assert_true(ptx_code_kernel(machine_code(m), "k")->abreast);
}

static void all_that_are_abreast_are_one_bundle(void **state)
{
    struct machine *m = machine_open();
    (void)state;
    load(m);
    const struct ptx_kernel *kernel = ptx_code_kernel(machine_code(m), "k");
    for (uint32_t threads = 1; threads <= 512; threads++) {
        const struct ptx_launch launch = { .grid = { 100003, 1, 1 }, .block = { threads, 1, 1 } };
        assert_true(ptx_blocks_abreast(kernel, &launch) > 1);
        assert_int_equal(ptx_cut_block(kernel, &launch).bundles, 1);
    }
    machine_close(m);
}

/* The last blocks of the row are fewer than are abreast. */
static void no_block_runs_behind_the_end_of_a_row(void **state)
{
    enum { BLOCKS = 1009, THREADS = 127, ALL = BLOCKS * THREADS };
    struct machine *m = machine_open();
    uint32_t *from = machine_memory(m, LIVE * sizeof *from);
    uint32_t *to = machine_memory(m, ALL * sizeof *to);
    const struct { uint32_t *from, *to; } params = { from, to };
    const struct machine_shape shape = { .grid = { BLOCKS }, .block = { THREADS } };
    (void)state;
    load(m);
    machine_run(m, "k", &shape, &params, sizeof params);
    for (uint32_t i = 0; i < ALL; i++) assert_int_equal(to[i], i);
    machine_close(m);
}

/* What each thread has of local memory is zeroed for all lanes of a bundle. */
static uint32_t blocks_abreast_with(struct machine *m, uint32_t local)
{
    char text[512];
    const struct ptx_launch launch = { .grid = { 1024, 1, 1 }, .block = { 64, 1, 1 } };
    snprintf(text, sizeof text, ".version 7.0\n.target sm_70\n.address_size 64\n"
             ".visible .entry k()\n{\n.reg .b32 %%t; .local .align 4 .b8 l[%u];\n"
             "mov.u32 %%t, %%tid.x; st.local.u32 [l], %%t; ret;\n}\n", local);
    machine_load(m, text);
    assert_true(ptx_code_kernel(machine_code(m), "k")->abreast);
    return ptx_blocks_abreast(ptx_code_kernel(machine_code(m), "k"), &launch);
}

static void much_local_memory_keeps_blocks_alone(void **state)
{
    struct machine *m = machine_open();
    (void)state;
    assert_int_equal(blocks_abreast_with(m, 16), PTX_WIDEST / 64);
    assert_in_range(blocks_abreast_with(m, 512), 2, 8);
    assert_int_equal(blocks_abreast_with(m, 16 << 10), 1);
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_are_abreast_are_one_bundle),
        cmocka_unit_test(no_block_runs_behind_the_end_of_a_row),
        cmocka_unit_test(much_local_memory_keeps_blocks_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
