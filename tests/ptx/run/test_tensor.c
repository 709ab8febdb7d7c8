/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async.bulk.tensor: boxes of tensors; and tensor maps that kernels change.
 */
#include <stdio.h>

#include "ptx/run/bulk_bench.h"

#define LOAD_BOX(dimensions, coordinates, bytes) \
    KERNEL(EXPECT(bytes) "@%p0 cp.async.bulk.tensor." dimensions \
           ".shared::cluster.global.tile" COUNTED " [%r2], [%l2, {" coordinates "}], [%r3];\n" \
           WAIT SHOW)

#define REPLACE(field, values) "tensormap.replace.tile." field " [%r6], " values ";\n"
/* Changes a copy of the map in global memory, and loads a box by it. */
#define CHANGE(field, values) \
    KERNEL("shl.b32 %r4, %r0, 2; cvt.u64.u32 %l5, %r4; add.u64 %l6, %l5, %l1;\n" \
           "add.u64 %l5, %l5, %l3; ld.param.u32 %r5, [%l5]; st.global.u32 [%l6], %r5;\n" \
           "bar.sync 0; @%p0 tensormap.replace.tile." field " [%l1], " values ";\n" \
           EXPECT("512") "@%p0 cp.async.bulk.tensor.5d.shared::cluster.global.tile" COUNTED \
           " [%r2], [%l1, {0, 0, 0, 0, 0}], [%r3];\n" WAIT)

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

/* Or NaN, as an H200 writes it. */
static void what_is_outside_is_filled_with_nan(void **state)
{
    struct bench bench = open_bench(LOAD_BOX("2d", "52, 36", "512"), 128, 1);
    const uint32_t *out = bench.out;
    (void)state;
    number_words(bench.in, 4096);
    bench.map = flat_map(&bench, 16, 8);
    bench.map.type = PTX_TENSOR_F32;
    bench.map.nan = true;
    run_bench(&bench);
    for (uint32_t i = 0; i < 128; i++) {
        const bool inside = i % 16 < 8 && i / 16 < 4;
        assert_int_equal(out[i], inside ? (36 + i / 16) * 64 + 52 + i % 16 : 0x7ff77ff7);
    }
    machine_close(bench.machine);
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

/* A kernel copies the map, makes one of other memory and of another shape of it, hands that on
 * through global memory, and loads a box by it: 4 x 8 half as large numbers, two rows apart. */
static void a_kernel_makes_a_map_of_its_own(void **state)
{
    struct bench bench = open_bench(
        KERNEL("shl.b32 %r4, %r0, 2; cvt.u64.u32 %l5, %r4; add.u64 %l5, %l5, %l3;\n"
               "ld.param.u32 %r5, [%l5]; add.u32 %r6, %r2, 4096; add.u32 %r7, %r6, %r4;\n"
               "st.shared.u32 [%r7], %r5; add.u64 %l6, %l1, 4096; mov.b32 %r8, 8;\n"
               "add.u64 %l7, %l0, 64; bar.sync 0; @!%p0 bra MADE;\n"
               REPLACE("global_address.shared::cta.b1024.b64", "%l7")
               REPLACE("global_dim.shared::cta.b1024.b32", "0, %r8")
               REPLACE("global_dim.shared::cta.b1024.b32", "1, 40")
               REPLACE("global_stride.shared::cta.b1024.b64", "0, 512")
               REPLACE("box_dim.shared::cta.b1024.b32", "0, 8")
               REPLACE("box_dim.shared::cta.b1024.b32", "1, 8")
               REPLACE("element_stride.shared::cta.b1024.b32", "1, 2")
               REPLACE("rank.shared::cta.b1024.b32", "1")
               REPLACE("elemtype.shared::cta.b1024.b32", "1")
               REPLACE("swizzle_mode.shared::cta.b1024.b32", "0")
               REPLACE("interleave_layout.shared::cta.b1024.b32", "0")
               REPLACE("fill_mode.shared::cta.b1024.b32", "0") "MADE:\n"
               "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync"
               ".aligned [%l6], [%r6], 128;\n"
               "fence.proxy.tensormap::generic.acquire.gpu [%l6], 128;\n" EXPECT("64")
               "@%p0 cp.async.bulk.tensor.2d.shared::cluster.global.tile" COUNTED
               " [%r2], [%l6, {0, 1}], [%r3];\n" WAIT SHOW), 32, 1);
    uint32_t *out = bench.out;
    (void)state;
    number_words(bench.in, 16384);
    bench.map = flat_map(&bench, 16, 8);
    bench.map.swizzle = 2;
    run_bench(&bench);
    /* Rows of 128 words, of which each second is taken; four words of each. */
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(out[i], (1 + i / 4 * 2) * 128 + 16 + i % 4);
    machine_close(bench.machine);
}

static void a_map_that_cannot_be_is_refused(void **state)
{
    static const struct { const char *text, *words; } rows[] = {
        { CHANGE("box_dim.global.b1024.b32", "0, 257"), "cannot have this value" },
        { CHANGE("element_stride.global.b1024.b32", "1, 0"), "cannot have this value" },
        { CHANGE("rank.b1024.b32", "5"), "cannot have this value" },
        { CHANGE("rank.b1024.b32", "4"), "a box without elements" },
        { CHANGE("global_address.global.b1024.b64", "8"), "cannot have this value" },
        { KERNEL("@%p0 tensormap.replace.tile.rank.global.b1024.b32 [%l1], 1;\n"),
          "no tensor map here" },
    };
    static const struct { const char *field, *words; } wrong[] = {
        { "swizzle_mode.global.b1024.b32 [%l1], 4", "values up to 3" },
        { "interleave_layout.global.b1024.b32 [%l1], 1", "values up to 0" },
        { "global_stride.global.b1024.b64 [%l1], 4, 16", "from 0 to 3" },
        { "box_dim.global.b1024.b32 [%l1], 5", "2 operands where 3 belong" },
        { "box_dim.global.b1024.b64 [%l1], 5, 8", "tensormap.replace.tile.box_dim.global.b1024" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench bench = open_bench(rows[i].text, 32, 1);
        bench.map = flat_map(&bench, 16, 8);
        fail_bench(&bench, RILL_ERROR_ILLEGAL_INSTRUCTION, rows[i].words);
    }
    struct machine *machine = machine_open();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[400];
        struct ptx_refusal refusal;
        snprintf(text, sizeof text, HEAD ".visible .entry k() {\n.reg .u64 %%l1;\n"
                 "tensormap.replace.tile.%s;\nret; }\n", wrong[i].field);
        assert_int_not_equal(machine_try_load(machine, text, strlen(text), NULL, &refusal), 0);
        if (!strstr(refusal.message, wrong[i].words)) fail_msg("%s", refusal.message);
    }
    machine_close(machine);
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

#define LOAD_COLUMNS(coordinates) \
    KERNEL(EXPECT("512") "@%p0 cp.async.bulk.tensor.3d.shared::cluster.global.im2col" COUNTED \
           " [%r2], [%l2, {" coordinates "}], [%r3], {0};\n" WAIT SHOW)
#define STORE_COLUMNS(coordinates) \
    KERNEL("@%p0 cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%l2, {" \
           coordinates "}], [%r2];\n")

/* 10 pixels of 16 channels in each of 4 images, which begin one pixel earlier. */
static struct ptx_tensor_map columns_map(const struct bench *bench)
{
    return (struct ptx_tensor_map){
        .mark = PTX_TENSOR_MARK, .address = (uintptr_t)bench->in, .strides = { 64, 640 },
        .last = { 15, 9, 3 }, .box = { 8, 16 }, .steps = { 1, 1, 1 }, .rank = 3,
        .type = PTX_TENSOR_U32, .columns = true, .low = { -1 }, .high = { -1 },
    };
}

/* As an H200 fails; what columns take is asked of it in tests/standin/texture/columns.txt. */
static void misuse_of_columns_is_illegal(void **state)
{
    static const struct { const char *text, *words; bool columns; } rows[] = {
        { LOAD_COLUMNS("0, 9, 0"), "outside of their corners", true },
        { LOAD_COLUMNS("0, -3, 0"), "outside of their corners", true },
        { STORE_COLUMNS("0, -1, 0"), "where no pixel is", true },
        { LOAD_BOX("3d", "0, 0, 0", "512"), "the map is one of columns", true },
        { LOAD_COLUMNS("0, 0, 0"), "the map is not one of columns", false },
        { STORE_COLUMNS("0, 0, 0"), "the map is not one of columns", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench bench = open_bench(rows[i].text, 32, 1);
        bench.map = columns_map(&bench);
        bench.map.columns = rows[i].columns;
        if (!rows[i].columns) bench.map.box[2] = 1;
        fail_bench(&bench, RILL_ERROR_ILLEGAL_INSTRUCTION, rows[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misuse_of_columns_is_illegal),
        cmocka_unit_test(a_box_of_a_tensor_is_loaded),
        cmocka_unit_test(what_is_outside_is_filled_with_nan),
        cmocka_unit_test(a_swizzle_exchanges_pieces),
        cmocka_unit_test(tensors_have_up_to_five_dimensions),
        cmocka_unit_test(boxes_are_stored_and_reduced),
        cmocka_unit_test(a_box_reaches_several_blocks),
        cmocka_unit_test(elements_of_tf32_are_rounded),
        cmocka_unit_test(a_narrow_row_keeps_the_pitch_of_its_swizzle),
        cmocka_unit_test(a_kernel_makes_a_map_of_its_own),
        cmocka_unit_test(a_map_that_cannot_be_is_refused),
        cmocka_unit_test(misuse_of_tensor_maps_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
