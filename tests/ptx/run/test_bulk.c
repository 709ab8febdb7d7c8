/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async.bulk: copies of many bytes, reductions, boxes of tensors.
 */
#include "ptx/machine.h"

#include "ptx/async/tensor.h"

#define HEAD ".version 8.6\n.target sm_90\n.address_size 64\n"
#define KERNEL(body) \
    HEAD ".visible .entry k(.param .u64 in, .param .u64 out, .param .align 64 .b8 map[128])\n{\n" \
         ".reg .b32 %r<20>; .reg .b64 %l<9>; .reg .pred %p<4>; .reg .b16 %h<2>;\n" \
         ".shared .align 1024 .b8 room[8192]; .shared .align 8 .b64 gate;\n" \
         "ld.param.u64 %l0, [in]; ld.param.u64 %l1, [out]; mov.u32 %r0, %tid.x;\n" \
         "mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p0, %r0, 0; mov.b64 %l3, map;\n" \
         "cvta.param.u64 %l2, %l3; mov.u32 %r2, room; mov.u32 %r3, gate;\n" \
         "@%p0 mbarrier.init.shared::cta.b64 [gate], 1; fence.mbarrier_init.release.cluster;\n" \
         "barrier.cluster.arrive; barrier.cluster.wait;\n" body \
         "\nbarrier.cluster.arrive; barrier.cluster.wait; ret;\n}\n"
#define EXPECT(bytes) "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [gate], " bytes ";\n"
#define WAIT \
    "AGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [gate], 0; @!%p1 bra AGAIN;\n"
#define COUNTED ".mbarrier::complete_tx::bytes"
/* Stores 4 bytes of each thread's shared memory, block by block. */
#define SHOW \
    "mov.u32 %r10, %ctaid.x; mov.u32 %r11, %ntid.x; mad.lo.u32 %r11, %r10, %r11, %r0;\n" \
    "mad.wide.u32 %l4, %r11, 4, %l1; mad.lo.u32 %r12, %r0, 4, %r2; ld.shared.u32 %r13, [%r12];\n" \
    "st.global.u32 [%l4], %r13;\n"

struct bench {
    struct machine *machine;
    void *in, *out;
    struct machine_shape shape;
    struct ptx_tensor_map map;
};

static struct bench open_bench(const char *text, uint32_t threads, uint32_t cluster)
{
    struct bench bench = { .machine = machine_open() };
    machine_load(bench.machine, text);
    bench.in = machine_memory(bench.machine, 65536);
    bench.out = machine_memory(bench.machine, 65536);
    bench.shape = (struct machine_shape){ .grid = { cluster }, .block = { threads },
                                          .cluster = { cluster, 1, 1 } };
    return bench;
}

/* The parameters as the kernel has them. */
struct params {
    _Alignas(64) char bytes[64 + PTX_TENSOR_MAP_BYTES];
};

static struct params pack_params(const struct bench *bench)
{
    struct params packed = { { 0 } };
    memcpy(packed.bytes, &bench->in, 8);
    memcpy(packed.bytes + 8, &bench->out, 8);
    memcpy(packed.bytes + 64, &bench->map, sizeof bench->map);
    return packed;
}

static void run_bench(const struct bench *bench)
{
    struct params params = pack_params(bench);
    machine_run(bench->machine, "k", &bench->shape, &params, sizeof params);
}

static void fail_bench(const struct bench *bench, rill_status status, const char *words)
{
    struct params params = pack_params(bench);
    machine_fails(bench->machine, "k", &bench->shape, &params, sizeof params, status, words,
                  "kernel 'k', line ");
    machine_close(bench->machine);
}

static void number_words(void *memory, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) ((uint32_t *)memory)[i] = i;
}

/* ---- Without tensor maps ------------------------------------------------------------------ */

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

/* ---- With tensor maps --------------------------------------------------------------------- */

#define LOAD_BOX(dimensions, coordinates, bytes) \
    KERNEL(EXPECT(bytes) "@%p0 cp.async.bulk.tensor." dimensions \
           ".shared::cluster.global.tile" COUNTED " [%r2], [%l2, {" coordinates "}], [%r3];\n" \
           WAIT SHOW)

/* 60 x 40 words, rows of 64. */
static struct ptx_tensor_map flat_map(const struct bench *bench, uint16_t width, uint16_t height)
{
    return (struct ptx_tensor_map){
        .mark = PTX_TENSOR_MARK, .address = (uintptr_t)bench->in, .strides = { 256 },
        .last = { 59, 39 }, .box = { width, height }, .steps = { 1, 1 }, .rank = 2,
        .type = PTX_TENSOR_U32,
    };
}

/* The rest of a box that reaches out of the tensor is zero. */
static void a_box_of_a_tensor_is_loaded(void **state)
{
    static const struct { const char *text; int x, y; } rows[] = {
        { LOAD_BOX("2d", "4, 7", "512"), 4, 7 }, { LOAD_BOX("2d", "-4, -2", "512"), -4, -2 },
        { LOAD_BOX("2d", "52, 36", "512"), 52, 36 }, { LOAD_BOX("2d", "60, 0", "512"), 60, 0 },
    };
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct bench bench = open_bench(rows[n].text, 128, 1);
        const uint32_t *out = bench.out;
        number_words(bench.in, 4096);
        bench.map = flat_map(&bench, 16, 8);
        run_bench(&bench);
        for (int i = 0; i < 128; i++) {
            int x = rows[n].x + i % 16, y = rows[n].y + i / 16;
            bool inside = x >= 0 && x < 60 && y >= 0 && y < 40;
            assert_int_equal(out[i], inside ? y * 64 + x : 0);
        }
        machine_close(bench.machine);
    }
}

/* Pieces of 16 bytes change places within 128 bytes, by the number of the 128 bytes. */
static void a_swizzle_exchanges_pieces(void **state)
{
    (void)state;
    for (uint32_t swizzle = 1; swizzle <= 3; swizzle++) {
        const uint32_t words = 4u << swizzle, rows = 256 / words;
        struct bench bench = open_bench(LOAD_BOX("2d", "0, 0", "1024"), 256, 1);
        const uint32_t *out = bench.out;
        number_words(bench.in, 4096);
        bench.map = flat_map(&bench, (uint16_t)words, (uint16_t)rows);
        bench.map.swizzle = (uint8_t)swizzle;
        run_bench(&bench);
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t row = i / words, piece = i % words / 4, line = i / 32;
            uint32_t from = row * 64 + (piece ^ (line & ((1u << swizzle) - 1))) * 4 + i % 4;
            assert_int_equal(out[i], from);
        }
        machine_close(bench.machine);
    }
}

/* 1 to 5 dimensions: element (i, j, k, ...) is i + 10 j + 100 k + .... */
static void tensors_have_up_to_five_dimensions(void **state)
{
    static const char *const texts[] = {
        LOAD_BOX("1d", "4", "16"), LOAD_BOX("2d", "4, 1", "32"), LOAD_BOX("3d", "4, 1, 1", "64"),
        LOAD_BOX("4d", "4, 1, 1, 1", "128"), LOAD_BOX("5d", "4, 1, 1, 1, 1", "256"),
    };
    (void)state;
    for (uint32_t rank = 1; rank <= 5; rank++) {
        struct bench bench = open_bench(texts[rank - 1], 64, 1);
        const uint32_t *out = bench.out;
        uint32_t *in = bench.in;
        bench.map = (struct ptx_tensor_map){
            .mark = PTX_TENSOR_MARK, .address = (uintptr_t)in, .strides = { 48, 192, 768, 3072 },
            .last = { 9, 3, 3, 3, 3 }, .box = { 4, 2, 2, 2, 2 }, .steps = { 1, 1, 1, 1, 1 },
            .rank = (uint8_t)rank, .type = PTX_TENSOR_S32,
        };
        for (uint32_t i = 0; i < 3072; i++)
            in[i] = i % 12 + i / 12 % 4 * 10 + i / 48 % 4 * 100 + i / 192 % 4 * 1000 +
                    i / 768 % 4 * 10000;
        run_bench(&bench);
        for (uint32_t i = 0, count = 2u << rank; i < count; i++) {
            uint32_t expected = 4 + i % 4, scale = 1;
            for (uint32_t k = 1; k < rank; k++)
                expected += (scale *= 10) * (1 + (i >> (k + 1) & 1));
            assert_int_equal(out[i], expected);
        }
        machine_close(bench.machine);
    }
}

static void boxes_are_stored_and_reduced(void **state)
{
    struct bench bench = open_bench(
        KERNEL("mad.lo.u32 %r4, %r0, 4, %r2; st.shared.u32 [%r4], %r0; bar.sync 0;\n"
               "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
               "[%l2, {52, 2}], [%r2];\n"
               "@%p0 cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group "
               "[%l2, {-8, 4}], [%r2];\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"),
        128, 1);
    uint32_t *in = bench.in;
    (void)state;
    number_words(in, 4096);
    bench.map = flat_map(&bench, 16, 8);
    run_bench(&bench);
    for (int i = 0; i < 4096; i++) {
        int x = i % 64, y = i / 64;
        uint32_t expected = (uint32_t)i;
        if (x >= 52 && x < 60 && y >= 2 && y < 10) expected = (uint32_t)((y - 2) * 16 + x - 52);
        if (x < 8 && y >= 4 && y < 12) expected += (uint32_t)((y - 4) * 16 + x + 8);
        assert_int_equal(in[i], expected);
    }
    machine_close(bench.machine);
}

static void a_box_reaches_several_blocks(void **state)
{
    struct bench bench = open_bench(
        KERNEL(EXPECT("512") "mov.u16 %h0, 3; setp.eq.u32 %p2, %r1, 1; and.pred %p2, %p2, %p0;\n"
               "@%p2 cp.async.bulk.tensor.2d.shared::cluster.global" COUNTED ".multicast::cluster "
               "[%r2], [%l2, {0, 1}], [%r3], %h0;\n" WAIT SHOW), 128, 2);
    const uint32_t *out = bench.out;
    (void)state;
    number_words(bench.in, 4096);
    bench.map = flat_map(&bench, 16, 8);
    run_bench(&bench);
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t expected = (i % 128 / 16 + 1) * 64 + i % 16;
        assert_int_equal(out[i], expected);
    }
    machine_close(bench.machine);
}

/* As an H100 does it (driver of CUDA 13.0): 0x...1000 is a tie. */
static void elements_of_tf32_are_rounded(void **state)
{
    static const uint32_t in[] = { 0x3f800000, 0x3f801000, 0x3f801400, 0x3f803000, 0x7f7ff875,
                                   0x7f7fee2c, 0x0013a8b3, 0xff817f86 };
    static const uint32_t expected[] = { 0x3f800000, 0x3f800000, 0x3f802000, 0x3f804000,
                                         0x7f800000, 0x7f7fe000, 0x0013a000, 0x7fffe000 };
    struct bench bench = open_bench(LOAD_BOX("2d", "0, 0", "32"), 8, 1);
    (void)state;
    memcpy(bench.in, in, sizeof in);
    bench.map = flat_map(&bench, 8, 1);
    bench.map.type = PTX_TENSOR_TF32;
    run_bench(&bench);
    assert_memory_equal(bench.out, expected, sizeof expected);
    machine_close(bench.machine);
}

/* A row narrower than its swizzle has the pitch of the swizzle, as on an H100. */
static void a_narrow_row_keeps_the_pitch_of_its_swizzle(void **state)
{
    struct bench bench = open_bench(LOAD_BOX("2d", "0, 0", "64"), 128, 1);
    const uint32_t *out = bench.out;
    (void)state;
    number_words(bench.in, 4096);
    bench.map = flat_map(&bench, 4, 4);
    bench.map.swizzle = 3;
    run_bench(&bench);
    for (uint32_t row = 0; row < 4; row++)
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(out[row * 32 + row * 4 + i], row * 64 + i);
    machine_close(bench.machine);
}

static void misuse_of_tensor_maps_is_refused(void **state)
{
    struct bench bench = open_bench(LOAD_BOX("3d", "0, 0, 0", "512"), 32, 1);
    (void)state;
    bench.map = flat_map(&bench, 16, 8);
    fail_bench(&bench, RILL_ERROR_ILLEGAL_INSTRUCTION, "another number of dimensions");
    bench = open_bench(LOAD_BOX("2d", "0, 0", "512"), 32, 1);
    fail_bench(&bench, RILL_ERROR_ILLEGAL_INSTRUCTION, "no tensor map");
    bench = open_bench(LOAD_BOX("2d", "3, 0", "512"), 32, 1);
    bench.map = flat_map(&bench, 16, 8);
    fail_bench(&bench, RILL_ERROR_ILLEGAL_INSTRUCTION, "at a multiple of 16 bytes");
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
        cmocka_unit_test(a_box_of_a_tensor_is_loaded),
        cmocka_unit_test(a_swizzle_exchanges_pieces),
        cmocka_unit_test(tensors_have_up_to_five_dimensions),
        cmocka_unit_test(boxes_are_stored_and_reduced),
        cmocka_unit_test(a_box_reaches_several_blocks),
        cmocka_unit_test(elements_of_tf32_are_rounded),
        cmocka_unit_test(a_narrow_row_keeps_the_pitch_of_its_swizzle),
        cmocka_unit_test(misuse_of_tensor_maps_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
