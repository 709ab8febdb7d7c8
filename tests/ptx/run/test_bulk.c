/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async.bulk: copies of many bytes, and reductions.
 */
#include "ptx/run/bulk_bench.h"

static void bytes_go_to_shared_memory_and_back(void **state)
{
    struct bench bench = open_bench(
        KERNEL(EXPECT("4096") "@%p0 cp.async.bulk.shared::cluster.global" COUNTED
               " [room], [%l0+16], 4096, [gate];\n" WAIT
               "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%l1], [%r2+32], 1024;\n"
               "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;\n"
               "cp.async.bulk.wait_group 0;"), 64, 1);
    const uint32_t *out = bench.out;
    (void)state;
    number_words(bench.in, 2048);
    run_bench(&bench);
    for (uint32_t i = 0; i < 257; i++) assert_int_equal(out[i], i < 256 ? i + 12 : 0);
    machine_close(bench.machine);
}

/* Each block sends its memory to the next one, which waits for the bytes. */
static void bytes_go_to_other_blocks(void **state)
{
    struct bench bench = open_bench(
        KERNEL(EXPECT("256") "mad.lo.u32 %r4, %r1, 100, %r0; mad.lo.u32 %r5, %r0, 4, %r2;\n"
               "st.shared.u32 [%r5+1024], %r4; bar.sync 0;\n"
               "add.u32 %r6, %r1, 1; rem.u32 %r6, %r6, 4;\n"
               "mapa.shared::cluster.u32 %r7, %r2, %r6; mapa.shared::cluster.u32 %r8, %r3, %r6;\n"
               "@%p0 cp.async.bulk.shared::cluster.shared::cta" COUNTED
               " [%r7], [%r2+1024], 256, [%r8];\n" WAIT SHOW), 64, 4);
    const uint32_t *out = bench.out;
    (void)state;
    run_bench(&bench);
    for (uint32_t i = 0; i < 256; i++) assert_int_equal(out[i], (i / 64 + 3) % 4 * 100 + i % 64);
    machine_close(bench.machine);
}

/* One block loads for three of four. */
static void a_copy_reaches_several_blocks(void **state)
{
    struct bench bench = open_bench(
        KERNEL("setp.ne.u32 %p2, %r1, 1; setp.eq.u32 %p3, %r1, 3; and.pred %p3, %p3, %p0;\n"
               "mov.u16 %h0, 13; and.pred %p1, %p0, %p2;\n"
               "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [gate], 256;\n"
               "@%p3 cp.async.bulk.shared::cluster.global" COUNTED
               ".multicast::cluster.L2::cache_hint [%r2], [%l0], 256, [%r3], %h0, 0;\n"
               "@!%p2 bra DONE;\n" WAIT "DONE:\n" SHOW), 64, 4);
    const uint32_t *out = bench.out;
    (void)state;
    number_words(bench.in, 64);
    run_bench(&bench);
    for (uint32_t i = 0; i < 256; i++) assert_int_equal(out[i], i / 64 == 1 ? 0 : i % 64);
    machine_close(bench.machine);
}

#define REDUCE_ALL "cp.reduce.async.bulk.global.shared::cta.bulk_group"

static void reductions_change_each_element(void **state)
{
    struct bench bench = open_bench(
        KERNEL("mad.lo.u32 %r4, %r0, 4, %r2; mul.lo.u32 %r5, %r0, 3; st.shared.u32 [%r4], %r5;\n"
               "bar.sync 0; cp.async.bulk.prefetch.L2.global [%l0], 256;\n"
               "@%p0 " REDUCE_ALL ".add.u32 [%l1], [%r2], 256;\n"
               "@%p0 " REDUCE_ALL ".max.s32 [%l1+256], [%r2], 256;\n"
               "@%p0 " REDUCE_ALL ".xor.b64 [%l1+512], [%r2], 256;\n"
               "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"), 64, 1);
    uint32_t *out = bench.out;
    (void)state;
    for (uint32_t i = 0; i < 192; i++) out[i] = i % 64 == 5 ? 1000 : i % 2 ? (uint32_t)-7 : 7;
    run_bench(&bench);
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t was = i == 5 ? 1000 : i % 2 ? (uint32_t)-7 : 7, by = 3 * i;
        const uint32_t most = (int32_t)was > (int32_t)by ? was : by;
        assert_int_equal(out[i], was + by);
        assert_int_equal(out[64 + i], most);
        assert_int_equal(out[128 + i], was ^ by);
    }
    machine_close(bench.machine);
}

#define REDUCED(what) \
    KERNEL("ld.global.v2.u64 {%l5, %l6}, [%l0]; st.shared.v2.u64 [room], {%l5, %l6};\n" \
           "@%p0 " REDUCE_ALL "." what " [%l1], [%r2], 16;\n")

static void all_types_are_reduced(void **state)
{
    static const struct { const char *text; uint64_t was, by, is; } rows[] = {
        { REDUCED("add.noftz.f16"), 0x3c00, 0x3c01, 0x4000 },
        { REDUCED("min.f16"), 0xbc00, 0x3c00, 0xbc00 },
        { REDUCED("max.bf16"), 0x3f80, 0x4000, 0x4000 },
        { REDUCED("add.noftz.bf16"), 0x3f80, 0x3f80, 0x4000 },
        { REDUCED("add.f32"), 0x3f800000, 0x40000000, 0x40400000 },
        { REDUCED("add.f32"), 0x75fbde, 0x57ae2c, 0xcdaa0a }, /* as an H100 does it */
        { REDUCED("add.f64"), 0x3ff0000000000000, 0x4000000000000000, 0x4008000000000000 },
        { REDUCED("inc.u32"), 5, 5, 0 },
        { REDUCED("dec.u32"), 0x900000000, 0x900000009, 0x800000009 },
        { REDUCED("min.s64"), 3, UINT64_MAX, UINT64_MAX },
        { REDUCED("max.u64"), 3, UINT64_MAX, UINT64_MAX },
        { REDUCED("add.u64"), UINT64_MAX, 3, 2 },
        { REDUCED("and.b32"), 12, 10, 8 },
        { REDUCED("or.b64"), 12, 10, 14 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench bench = open_bench(rows[i].text, 1, 1);
        memcpy(bench.in, &rows[i].by, 8);
        memcpy(bench.out, &rows[i].was, 8);
        run_bench(&bench);
        assert_int_equal(*(uint64_t *)bench.out, rows[i].is);
        machine_close(bench.machine);
    }
}

static void misuse_of_bulk_copies_is_refused(void **state)
{
    struct bench bench = open_bench(
        KERNEL("@%p0 cp.async.bulk.shared::cluster.global" COUNTED " [room], [%l0], 24, [gate];"),
        32, 1);
    (void)state;
    fail_bench(&bench, RILL_ERROR_ILLEGAL_INSTRUCTION, "no multiple of 16");
    bench = open_bench(
        KERNEL("@%p0 cp.async.bulk.shared::cluster.global" COUNTED " [room], [%l0+8], 16, [gate];"),
        32, 1);
    fail_bench(&bench, RILL_ERROR_MISALIGNED_ADDRESS, "no multiple of 16");
    bench = open_bench(KERNEL("@%p0 cp.async.bulk.shared::cluster.global" COUNTED
                              " [room], [%l0], 9216, [gate];"), 32, 1);
    fail_bench(&bench, RILL_ERROR_ILLEGAL_ADDRESS, "bulk store of 9216 bytes at offset 0");
    bench = open_bench(KERNEL("@%p0 cp.async.bulk.shared::cluster.global" COUNTED
                              " [room], [%l0], 16, [room];"), 32, 1);
    fail_bench(&bench, RILL_ERROR_ILLEGAL_INSTRUCTION, "was not initialized");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_go_to_shared_memory_and_back),
        cmocka_unit_test(bytes_go_to_other_blocks),
        cmocka_unit_test(a_copy_reaches_several_blocks),
        cmocka_unit_test(reductions_change_each_element),
        cmocka_unit_test(all_types_are_reduced),
        cmocka_unit_test(misuse_of_bulk_copies_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
