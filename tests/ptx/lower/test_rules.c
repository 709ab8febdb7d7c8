/* SPDX-License-Identifier: Apache-2.0
 *
 * Words that do not go together are refused, and so is what GPUs of the target do not have.  Each
 * row is a mistake, what is said of it, and the same without the mistake: ptxas of CUDA 13 refuses
 * the first and takes the second.
 */
#include "ptx/machine.h"

#include <stdio.h>

struct row {
    const char *target, *wrong, *words, *right;
};

/* Loads a kernel of one instruction. */
static rill_status load(const char *target, const char *instruction, struct ptx_refusal *refusal)
{
    struct machine *machine = machine_open();
    char text[1000];
    snprintf(text, sizeof text, ".version 8.8\n.target %s\n.address_size 64\n"
             ".visible .entry k(.param .u64 x)\n{\n.reg .pred %%p<4>; .reg .b16 %%h<9>;\n"
             ".reg .b32 %%r<9>; .reg .b64 %%d<9>;\n%s\nret;\n}\n", target, instruction);
    rill_status status = machine_try_load(machine, text, strlen(text), NULL, refusal);
    machine_close(machine);
    return status;
}

static void judge(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        struct ptx_refusal refusal = { .line = 0 };
        rill_status status = load(row->target, row->wrong, &refusal);
        if (status != RILL_ERROR_INVALID_PTX || refusal.line != 8 ||
            !strstr(refusal.message, row->words))
            fail_msg("%s: status %d, line %u: %s", row->wrong, (int)status, refusal.line,
                     refusal.message);
        if (load(row->target, row->right, &refusal))
            fail_msg("%s: %s", row->right, refusal.message);
    }
}

#define JUDGE(...) \
    do { \
        static const struct row rows[] = { __VA_ARGS__ }; \
        judge(rows, sizeof rows / sizeof *rows); \
    } while (0)

static void accesses(void **state)
{
    (void)state;
    JUDGE({ "sm_90", "ld.global.cg.L1::evict_last.u32 %r0, [%d0];", "what the caches do",
            "ld.global.L1::evict_last.u32 %r0, [%d0];" },
          { "sm_90", "ld.global.lu.nc.u32 %r0, [%d0];", "no .lu", "ld.global.nc.u32 %r0, [%d0];" },
          { "sm_90", "ld.volatile.local.u32 %r0, [%d0];", "can be strong",
            "ld.local.u32 %r0, [%d0];" },
          { "sm_90", "st.release.gpu.local.u32 [%d0], %r0;", "can be strong",
            "st.release.gpu.u32 [%d0], %r0;" },
          { "sm_90", "ld.mmio.relaxed.sys.shared.u32 %r0, [%d0];", ".mmio is for",
            "ld.mmio.relaxed.sys.global.u32 %r0, [%d0];" },
          { "sm_90", "st.mmio.relaxed.sys.v2.u32 [%d0], {%r0,%r1};", ".mmio has no vectors",
            "st.mmio.relaxed.sys.u32 [%d0], %r0;" },
          { "sm_90", "ld.global.v4.u64 {%d0,%d1,%d2,%d3}, [%d4];", "since sm_100",
            "ld.global.v2.u64 {%d0,%d1}, [%d4];" },
          { "sm_100", "ld.shared.v4.u64 {%d0,%d1,%d2,%d3}, [%d4];", "in .global",
            "ld.global.v4.u64 {%d0,%d1,%d2,%d3}, [%d4];" },
          { "sm_90", "st.global.v8.f32 [%d0], {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7};", "since sm_100",
            "st.global.v4.f32 [%d0], {%r0,%r1,%r2,%r3};" },
          { "sm_90", "ld.global.L2::evict_last.u32 %r0, [%d0];", "L2::evict_normal, _first",
            "ld.global.L1::evict_last.u32 %r0, [%d0];" },
          { "sm_100", "st.global.L2::evict_first.v4.b32 [%d0], {%r0,%r1,%r2,%r3};",
            "L2::evict_normal, _first",
            "st.global.L2::evict_first.v4.b64 [%d0], {%d1,%d2,%d3,%d4};" },
          { "sm_90", "ld.global.cv.nc.u32 %r0, [%d0];", ".nc has no .cv",
            "ld.global.cg.nc.u32 %r0, [%d0];" },
          { "sm_90", "ldu.global.v4.u64 {%d0,%d1,%d2,%d3}, [%d4];", "16 bytes at most",
            "ldu.global.v2.u64 {%d0,%d1}, [%d4];" },
          { "sm_90", "suld.b.1d.v4.b64.trap {%d0,%d1,%d2,%d3}, [%d4, {%r0}];", "16 bytes at most",
            "suld.b.1d.v2.b64.trap {%d0,%d1}, [%d4, {%r0}];" });
}

static void atomic_operations(void **state)
{
    (void)state;
    JUDGE({ "sm_90", "atom.add.s64 %d0, [%d1], %d2;", ".add of 64 bits is .u64",
            "atom.add.u64 %d0, [%d1], %d2;" },
          { "sm_90", "red.add.f16x2 [%d0], %r0;", "this is .noftz with halves",
            "red.add.noftz.f16x2 [%d0], %r0;" },
          { "sm_90", "atom.add.noftz.f32 %r0, [%d0], %r1;", "and only with them",
            "atom.add.f32 %r0, [%d0], %r1;" },
          { "sm_90", "atom.global.min.noftz.f16x2 %r0, [%d0], %r1;", "belong to vectors",
            "atom.global.min.noftz.v2.f16x2 {%r0,%r1}, [%d0], {%r2,%r3};" },
          { "sm_90", "red.global.add.v8.f32 [%d0], {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7};",
            "16 bytes at most", "red.global.add.v4.f32 [%d0], {%r0,%r1,%r2,%r3};" },
          { "sm_80", "red.global.add.v2.f32 [%d0], {%r0,%r1};", "since sm_90",
            "red.global.add.f32 [%d0], %r0;" });
}

static void fences_and_barriers(void **state)
{
    (void)state;
    JUDGE({ "sm_90", "fence.acq_rel;", "one of .cta, .cluster", "fence.acq_rel.gpu;" },
          { "sm_90", "fence.sc.gl;", "here it is .gpu", "membar.gl;" },
          { "sm_90", "bar.sync.aligned 0;", "without saying so", "barrier.sync.aligned 0;" },
          { "sm_90", "mbarrier.arrive.cta.shared.b64 %d0, [%r0];", "order and a scope",
            "mbarrier.arrive.release.cta.shared.b64 %d0, [%r0];" },
          { "sm_90", "mbarrier.try_wait.acquire.shared.b64 %p0, [%r0], %d0;", "order and a scope",
            "mbarrier.try_wait.acquire.cta.shared.b64 %p0, [%r0], %d0;" },
          { "sm_90", "mbarrier.arrive.noComplete.release.cluster.shared.b64 %d0, [%r0], %r1;",
            ".noComplete is",
            "mbarrier.arrive.noComplete.release.cta.shared.b64 %d0, [%r0], %r1;" },
          { "sm_90", "mbarrier.init.shared::cluster.b64 [%r0], %r1;", "own memory",
            "mbarrier.init.shared::cta.b64 [%r0], %r1;" },
          { "sm_90", "red.async.add.mbarrier::complete_tx::bytes.shared::cluster.u32 [%r0], %r1, "
            "[%r2];", "red.async is .relaxed",
            "red.async.relaxed.cluster.add.mbarrier::complete_tx::bytes.shared::cluster.u32 "
            "[%r0], %r1, [%r2];" });
}

static void conversions(void **state)
{
    (void)state;
    JUDGE({ "sm_90", "cvt.sat.u32.u8 %r0, %h0;", "cannot hold all numbers",
            "cvt.sat.u8.u32 %h0, %r0;" },
          { "sm_90", "cvt.sat.s64.u32 %d0, %r0;", "cannot hold all numbers",
            "cvt.sat.u64.s32 %d0, %r0;" },
          { "sm_90", "cvt.rn.sat.relu.f16.f32 %h0, %r0;", ".sat goes without",
            "cvt.rn.relu.f16.f32 %h0, %r0;" },
          { "sm_90", "cvt.rn.ftz.satfinite.f16.f32 %h0, %r0;", ".ftz goes without",
            "cvt.rn.satfinite.f16.f32 %h0, %r0;" },
          { "sm_90", "cvt.rni.u8.bf16 %h0, %h1;", "nothing between bf16 and 8 bits",
            "cvt.rni.u16.bf16 %h0, %h1;" },
          { "sm_90", "cvt.rzi.sat.s32.bf16 %r0, %h1;", "no .sat", "cvt.rzi.s32.bf16 %r0, %h1;" },
          { "sm_90", "cvt.rn.satfinite.tf32.f32 %r0, %r1;", "since sm_100",
            "cvt.rna.satfinite.tf32.f32 %r0, %r1;" });
}

static void arithmetic(void **state)
{
    (void)state;
    JUDGE({ "sm_90", "add.f32.f16 %r0, %h0, %r1;", "since sm_100", "add.f32 %r0, %r2, %r1;" },
          { "sm_90", "fma.rn.f32.bf16 %r0, %h0, %h1, %r1;", "since sm_100",
            "fma.rn.bf16 %h0, %h1, %h2, %h3;" },
          { "sm_90", "max.NaN.f32 %r0, %r1, %r2, %r3;", "since sm_100",
            "max.NaN.f32 %r0, %r1, %r2;" });
}

/* What assemblers of their time took of older targets could not be asked. */
/* The same instruction, which sm_90 has, is wrong for sm_80. */
static void what_is_there_since_sm_90(void **state)
{
    static const char *const instructions[] = {
        "ld.acquire.cluster.u32 %r0, [%d0];", "st.shared::cluster.u32 [%r1], %r0;",
        "atom.shared::cluster.add.u32 %r0, [%r1], %r2;", "fence.acq_rel.cluster;",
        "cvta.shared::cluster.u64 %d0, %d1;", "mapa.u64 %d0, %d1, %r0;",
        "getctarank.u64 %r0, %d1;", "elect.sync %r0|%p0, -1;", "barrier.cluster.arrive;",
        "cp.async.bulk.commit_group;", "mbarrier.expect_tx.relaxed.cta.b64 [%d0], %r1;",
        "mbarrier.try_wait.b64 %p0, [%d0], %d1;", "fma.rn.oob.f16 %h0, %h1, %h2, %h3;",
        "setp.lt.bf16 %p0, %h1, %h2;", "set.lt.u32.bf16 %r0, %h1, %h2;",
        "multimem.red.relaxed.sys.global.add.u32 [%d0], %r1;",
        "tensormap.replace.tile.global_address.b1024.b64 [%d0], %d1;",
    };
    (void)state;
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        const struct row row = { "sm_80", instructions[i], "since sm_90", "ret;" };
        struct ptx_refusal refusal;
        judge(&row, 1);
        if (load("sm_90a", instructions[i], &refusal)) fail_msg("%s", refusal.message);
    }
}

static void older_targets_are_not_judged(void **state)
{
    struct ptx_refusal refusal;
    (void)state;
    assert_int_equal(load("sm_20", "ld.volatile.local.u32 %r0, [%d0];", &refusal), RILL_SUCCESS);
    assert_int_equal(load("sm_75", "ld.volatile.local.u32 %r0, [%d0];", &refusal),
                     RILL_ERROR_INVALID_PTX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses),
        cmocka_unit_test(atomic_operations),
        cmocka_unit_test(fences_and_barriers),
        cmocka_unit_test(conversions),
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(what_is_there_since_sm_90),
        cmocka_unit_test(older_targets_are_not_judged),
    };
    return cmocka_run_group_tests_name("ptx rules", tests, NULL, NULL);
}
