/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways to look at memory that a driver takes though they look wrong, as an H200 does (driver
 * 580.159.04), from random sequences of calls.
 */
#include "standin/texture/textures.h"

static CUdeviceptr memory_of(size_t bytes)
{
    CUdeviceptr address = 0;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&address, bytes)));
    return address;
}

static CUDA_RESOURCE_DESC linear(size_t bytes)
{
    CUDA_RESOURCE_DESC made = { .type = CU_RESOURCE_TYPE_LINEAR };
    made.linear.address = memory_of(4096);
    made.linear.format = CU_AD_FORMAT_FLOAT;
    made.linear.channels = 1;
    made.linear.bytes = bytes;
    return made;
}

static CUDA_RESOURCE_DESC pitched(size_t height, size_t pitch)
{
    CUDA_RESOURCE_DESC made = { .type = CU_RESOURCE_TYPE_PITCH2D };
    made.pitch2d.address = memory_of(4096);
    made.pitch2d.format = CU_AD_FORMAT_FLOAT;
    made.pitch2d.channels = 1;
    made.pitch2d.width = 16;
    made.pitch2d.height = height;
    made.pitch2d.pitch = pitch;
    return made;
}

static CUDA_RESOURCE_DESC array_of(size_t width, size_t height, size_t depth, unsigned flags)
{
    return of_array(make_array(width, height, depth, CU_AD_FORMAT_FLOAT, 1, flags));
}

/* Makes a texture, and reads back what is told of it. */
static CUresult try_and_ask(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how,
                            CUDA_RESOURCE_DESC *told, CUDA_TEXTURE_DESC *told_how)
{
    CUtexObject texture = 0;
    CUresult status = make_texture(&texture, resource, how);
    if (status) return status;
    OK(CALL(cuTexObjectGetResourceDesc, (CUDA_RESOURCE_DESC *, CUtexObject), (told, texture)));
    OK(CALL(cuTexObjectGetTextureDesc, (CUDA_TEXTURE_DESC *, CUtexObject), (told_how, texture)));
    return end_texture(texture);
}

static void a_mode_counts_where_there_is_a_dimension(void **state)
{
    (void)state;
    const CUDA_RESOURCE_DESC line = array_of(8, 0, 0, 0), plane = array_of(8, 8, 0, 0),
                             layers = array_of(8, 8, 3, CUDA_ARRAY3D_LAYERED),
                             space = array_of(8, 8, 8, 0), row = linear(64),
                             rows = pitched(2, 64);
    const struct {
        const CUDA_RESOURCE_DESC *of;
        unsigned dimensions;
    } all[] = { { &row, 1 }, { &line, 1 }, { &rows, 2 }, { &plane, 2 }, { &layers, 2 },
                { &space, 3 } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (unsigned d = 0; d < 3; d++) {
            CUDA_RESOURCE_DESC told;
            CUDA_TEXTURE_DESC how = { .filter = 0 }, told_how;
            how.address[d] = 4;
            CUresult status = try_and_ask(all[i].of, &how, &told, &told_how);
            assert_int_equal(status, d < all[i].dimensions ? RILL_ERROR_INVALID_VALUE
                                                           : RILL_SUCCESS);
            if (!status) assert_int_equal(told_how.address[d], CU_TR_ADDRESS_MODE_CLAMP);
        }
}

static void colours_are_of_bytes_that_are_fractions(void **state)
{
    (void)state;
    CUDA_RESOURCE_DESC of = array_of(8, 8, 0, 0), told;
    CUDA_TEXTURE_DESC how = { .flags = CU_TRSF_SRGB }, told_how;
    OK(try_and_ask(&of, &how, &told, &told_how));
    assert_int_equal(told_how.flags, CU_TRSF_SRGB);
    of = of_array(make_array(8, 8, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0));
    assert_int_equal(try_and_ask(&of, &how, &told, &told_how), RILL_ERROR_NOT_SUPPORTED);
    how.flags |= CU_TRSF_READ_AS_INTEGER;
    OK(try_and_ask(&of, &how, &told, &told_how));
}

static void memory_may_be_less_than_it_is_said_to_be(void **state)
{
    (void)state;
    CUDA_RESOURCE_DESC of = linear(1 << 20), told;
    CUDA_TEXTURE_DESC how = { .filter = 0 }, told_how;
    OK(try_and_ask(&of, &how, &told, &told_how));
    of = pitched(1000, 512);
    OK(try_and_ask(&of, &how, &told, &told_how));
}

static void rows_need_no_pitch_and_memory_no_rows(void **state)
{
    (void)state;
    CUDA_RESOURCE_DESC of = pitched(2, 0), told;
    CUDA_TEXTURE_DESC how = { .filter = 0 }, told_how;
    OK(try_and_ask(&of, &how, &told, &told_how));
    assert_int_equal(told.type, CU_RESOURCE_TYPE_PITCH2D);
    of = pitched(0, 64);
    OK(try_and_ask(&of, &how, &told, &told_how));
    assert_int_equal(told.type, CU_RESOURCE_TYPE_LINEAR);
}

static void an_array_of_a_video_engine_is_as_any_other(void **state)
{
    (void)state;
    float in[64], out[64] = { 0 };
    CUarray array = make_array(8, 8, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_VIDEO), none = NULL;
    for (int i = 0; i < 64; i++) in[i] = (float)i;
    fill_array(array, in, 8 * sizeof *in, 8, 1);
    read_array(array, out, 8 * sizeof *out, 8, 1);
    assert_memory_equal(in, out, sizeof in);
    assert_int_equal(try_array(&none, (CUDA_ARRAY3D_DESCRIPTOR){ 8, 0, 2, CU_AD_FORMAT_FLOAT, 1,
                                                                 CUDA_ARRAY3D_VIDEO }),
                     RILL_ERROR_INVALID_VALUE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_mode_counts_where_there_is_a_dimension),
        TEST(colours_are_of_bytes_that_are_fractions),
        TEST(memory_may_be_less_than_it_is_said_to_be),
        TEST(rows_need_no_pitch_and_memory_no_rows),
        TEST(an_array_of_a_video_engine_is_as_any_other),
    };
    library_begin();
    return cmocka_run_group_tests_name("standin/texture/ways", tests, NULL, NULL);
}
