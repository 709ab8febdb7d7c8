/* SPDX-License-Identifier: Apache-2.0
 *
 * Mipmaps: their levels, and what kernels find in them.
 */
#include "standin/texture/textures.h"

static void levels_are_arrays_of_half_the_size(void **state)
{
    (void)state;
    static const size_t extents[4][2] = { { 8, 4 }, { 4, 2 }, { 2, 1 }, { 1, 1 } };
    CUmipmappedArray mipmap = NULL;
    CUDA_ARRAY3D_DESCRIPTOR told;
    CUarray array = NULL;
    OK(make_mipmap(&mipmap, 8, 4, 100)); /* as many as there can be */
    for (unsigned i = 0; i < 4; i++) {
        OK(get_level(&array, mipmap, i));
        OK(CALL(cuArray3DGetDescriptor_v2, (CUDA_ARRAY3D_DESCRIPTOR *, CUarray), (&told, array)));
        assert_true(told.width == extents[i][0] && told.height == extents[i][1]);
        assert_int_equal(end_array(array), RILL_ERROR_INVALID_VALUE);
    }
    assert_int_equal(get_level(&array, mipmap, 4), RILL_ERROR_INVALID_VALUE);
    OK(end_mipmap(mipmap));
    assert_int_equal(end_mipmap(mipmap), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(get_level(&array, mipmap, 0), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(make_mipmap(&mipmap, 0, 4, 1), RILL_ERROR_INVALID_VALUE);
}

static float look_at_level(const char *kernel, CUtexObject texture, float level)
{
    quad in = { .f = { 0.5f, 0.5f, level } }, out;
    OK(look_up(kernel_named(kernel), texture, &in, &out, 1));
    return out.f[0];
}

static void a_lookup_names_its_level(void **state)
{
    (void)state;
    CUmipmappedArray mipmap = filled_mipmap();
    CUtexObject texture = texture_of_mipmap(mipmap, 9), few = texture_of_mipmap(mipmap, 1);
    for (unsigned i = 0; i < 4; i++)
        assert_true(look_at_level("level2dany", texture, (float)i) == 10 * (float)i);
    assert_true(look_at_level("level2dany", texture, 50) == 30);
    assert_true(look_at_level("level2dany", texture, -1) == 0);
    assert_true(look_at_level("level2dany", few, 3) == 10);
    assert_true(look_at_level("2d", texture, 3) == 0); /* the first */
    OK(end_texture(texture));
    OK(end_texture(few));
    OK(end_mipmap(mipmap));
}

/* As an H200 answers: a bias is added to levels that are asked for, and to no other; the least one
 * holds for all. */
static void a_bias_and_a_least_level_count(void **state)
{
    (void)state;
    CUmipmappedArray mipmap = filled_mipmap();
    CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY };
    CUDA_TEXTURE_DESC how = { .flags = CU_TRSF_NORMALIZED_COORDINATES, .greatest_level = 9,
                              .mipmap_filter = CU_TR_FILTER_MODE_LINEAR, .level_bias = 0.5f };
    CUtexObject biased = 0, least = 0;
    resource.mipmap.handle = mipmap;
    OK(make_texture(&biased, &resource, &how));
    how.level_bias = 0, how.least_level = 1.5f;
    OK(make_texture(&least, &resource, &how));
    assert_true(look_at_level("level2dany", biased, 1) == 15);
    assert_true(look_at_level("level2dany", biased, -0.5f) == 0);
    assert_true(look_at_level("2d", biased, 0) == 0);
    assert_true(look_at_level("level2dany", least, 0) == 15);
    assert_true(look_at_level("2d", least, 0) == 15);
    assert_true(look_at_level("grad2d", least, 0) == 30); /* the last: a gradient of all of it */
    OK(end_texture(biased));
    OK(end_texture(least));
    OK(end_mipmap(mipmap));
}

/* Looks at an extent of a level. */
static unsigned ask_level(const char *name, CUtexObject texture, unsigned level)
{
    quad in = { .u = { 0, 0, 0, level } }, out;
    OK(look_up(kernel_named(name), texture, &in, &out, 1));
    return out.u[0];
}

/* As an H100 answers; a line has one row. */
static void a_question_names_its_level(void **state)
{
    static const unsigned widths[] = { 16, 8, 4 }, heights[] = { 9, 4, 2 };
    CUmipmappedArray mipmap = NULL;
    CUarray array = make_array(7, 0, 0, CU_AD_FORMAT_FLOAT, 2, 0);
    CUtexObject line = texture_of(array);
    (void)state;
    OK(make_mipmap(&mipmap, 16, 9, 4));
    CUtexObject texture = texture_of_mipmap(mipmap, 9);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(ask_level("levelwidth", texture, i), widths[i]);
        assert_int_equal(ask_level("levelheight", texture, i), heights[i]);
        assert_int_equal(ask_level("leveldepth", texture, i), 0);
    }
    assert_int_equal(ask_level("levelwidth", texture, 9), 0);
    assert_int_equal(ask_level("levelwidth", line, 0), 7);
    assert_int_equal(ask_level("levelheight", line, 0), 1);
    assert_int_equal(ask_level("leveldepth", line, 0), 0);
    assert_int_equal(ask_level("levelwidth", line, 1), 0);
    OK(end_texture(line));
    OK(end_texture(texture));
    OK(end_array(array));
    OK(end_mipmap(mipmap));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(levels_are_arrays_of_half_the_size),
        TEST(a_lookup_names_its_level),
        TEST(a_bias_and_a_least_level_count),
        TEST(a_question_names_its_level),
    };
    library_begin();
    return cmocka_run_group_tests_name("standin/texture/mipmaps", tests, NULL, NULL);
}
