/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture and surface objects: what may be made, what is told about it, and what
 * kernels find in cubes and mipmaps.  The statuses are those of an H100 (CUDA 13.0).
 */
#include "standin/texture/textures.h"

static CUdeviceptr memory_of(size_t bytes)
{
    CUdeviceptr address = 0;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&address, bytes)));
    return address;
}

static CUDA_RESOURCE_DESC of_memory(CUdeviceptr address, size_t bytes)
{
    CUDA_RESOURCE_DESC made = { .type = CU_RESOURCE_TYPE_LINEAR };
    made.linear.address = address;
    made.linear.format = CU_AD_FORMAT_FLOAT;
    made.linear.channels = 1;
    made.linear.bytes = bytes;
    return made;
}

static CUresult try_texture(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how)
{
    CUtexObject texture = 0;
    CUresult status = make_texture(&texture, resource, how);
    if (!status) OK(end_texture(texture));
    return status;
}

/* ---- What may be made ---------------------------------------------------------------- */

static void a_texture_says_how_it_was_made(void **state)
{
    (void)state;
    CUarray array = make_array(8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0);
    CUDA_RESOURCE_DESC resource = of_array(array), told;
    CUDA_TEXTURE_DESC how = { .filter = 1, .flags = CU_TRSF_NORMALIZED_COORDINATES,
                              .border = { 1, 2, 3, 4 } }, told_how;
    CUDA_RESOURCE_VIEW_DESC view;
    CUtexObject texture = 0;
    OK(make_texture(&texture, &resource, &how));
    assert_true(texture != 0);
    OK(CALL(cuTexObjectGetResourceDesc, (CUDA_RESOURCE_DESC *, CUtexObject), (&told, texture)));
    assert_true(told.type == CU_RESOURCE_TYPE_ARRAY && told.array.handle == array);
    OK(CALL(cuTexObjectGetTextureDesc, (CUDA_TEXTURE_DESC *, CUtexObject), (&told_how, texture)));
    assert_memory_equal(&told_how, &how, sizeof how);
    OK(CALL(cuTexObjectGetResourceViewDesc, (CUDA_RESOURCE_VIEW_DESC *, CUtexObject),
            (&view, texture)));
    assert_true(view.format == 0 && view.width == 0);
    assert_int_equal(CALL(cuSurfObjectGetResourceDesc, (CUDA_RESOURCE_DESC *, CUsurfObject),
                          (&told, texture)), RILL_ERROR_INVALID_VALUE);
    OK(end_texture(texture));
    assert_int_equal(CALL(cuTexObjectGetTextureDesc, (CUDA_TEXTURE_DESC *, CUtexObject),
                          (&told_how, texture)), RILL_ERROR_INVALID_VALUE);
    OK(end_texture(texture)); /* as on hardware */
    OK(end_texture(12345));
}

static void wrong_ways_to_look_are_refused(void **state)
{
    (void)state;
    static const CUDA_TEXTURE_DESC wrong[] = {
        { .flags = 0x80 }, { .filter = 2 }, { .address = { 4 } }, { .reserved = { 1 } },
    };
    CUDA_RESOURCE_DESC resource = of_array(make_array(8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0));
    CUDA_TEXTURE_DESC how = { .filter = 1, .flags = CU_TRSF_READ_AS_INTEGER };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(try_texture(&resource, &wrong[i]), RILL_ERROR_INVALID_VALUE);
    OK(try_texture(&resource, &how));
    assert_int_equal(try_texture(NULL, &how), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(try_texture(&resource, NULL), RILL_ERROR_INVALID_VALUE);
    resource.flags = 1;
    assert_int_equal(try_texture(&resource, &how), RILL_ERROR_INVALID_VALUE);
    resource = of_array(NULL);
    assert_int_equal(try_texture(&resource, &how), RILL_ERROR_INVALID_VALUE);
    resource.type = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    assert_int_equal(try_texture(&resource, &how), RILL_ERROR_INVALID_VALUE);
    resource.type = 9;
    assert_int_equal(try_texture(&resource, &how), RILL_ERROR_INVALID_VALUE);
}

static void memory_must_be_aligned_and_there(void **state)
{
    (void)state;
    enum { BYTES = 65536 };
    const CUDA_TEXTURE_DESC how = { .filter = 0 };
    CUdeviceptr memory = memory_of(BYTES);
    CUDA_RESOURCE_DESC resource = of_memory(memory, 64);
    OK(try_texture(&resource, &how));
    resource.linear.bytes = 66;
    OK(try_texture(&resource, &how));
    resource.linear.address = memory + 512;
    OK(try_texture(&resource, &how));
    resource.linear.address = memory + 256;
    assert_int_equal(try_texture(&resource, &how), RILL_ERROR_INVALID_VALUE);
    resource = of_memory(memory, (size_t)1 << 40);
    assert_int_equal(try_texture(&resource, &how), RILL_ERROR_INVALID_VALUE);
    resource = of_memory(0, 64);
    assert_int_equal(try_texture(&resource, &how), RILL_ERROR_INVALID_VALUE);
    resource = of_memory(memory, 64);
    resource.linear.channels = 3;
    assert_int_equal(try_texture(&resource, &how), RILL_ERROR_INVALID_VALUE);
}

static void rows_must_have_a_pitch(void **state)
{
    (void)state;
    static const struct {
        size_t width, pitch;
        CUresult status;
    } rows[] = {
        { 8, 64, RILL_SUCCESS }, { 8, 48, RILL_ERROR_INVALID_VALUE },
        { 8, 16, RILL_ERROR_INVALID_VALUE }, { 0, 64, RILL_SUCCESS },
        { 200000, 800000, RILL_ERROR_INVALID_VALUE },
    };
    const CUDA_TEXTURE_DESC how = { .filter = 0 };
    CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_PITCH2D };
    resource.pitch2d.address = memory_of(65536);
    resource.pitch2d.format = CU_AD_FORMAT_FLOAT;
    resource.pitch2d.channels = 1;
    resource.pitch2d.height = 8;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        resource.pitch2d.width = rows[i].width;
        resource.pitch2d.pitch = rows[i].pitch;
        assert_int_equal(try_texture(&resource, &how), rows[i].status);
    }
}

static void a_surface_is_an_array(void **state)
{
    (void)state;
    CUarray array = make_array(8, 8, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST);
    CUDA_RESOURCE_DESC resource = of_array(array), told;
    CUsurfObject surface = 0, none = 0;
    OK(make_surface(&surface, &resource));
    OK(CALL(cuSurfObjectGetResourceDesc, (CUDA_RESOURCE_DESC *, CUsurfObject),
            (&told, surface)));
    assert_ptr_equal(told.array.handle, array);
    resource = of_memory(memory_of(4096), 64);
    assert_int_equal(make_surface(&none, &resource), RILL_ERROR_INVALID_VALUE);
    OK(end_surface(surface));
    OK(end_surface(surface));
}

/* nvcc writes them. */
static void braces_around_one_element_are_none(void **state)
{
    (void)state;
    const CUDA_RESOURCE_DESC resource =
        of_array(make_array(8, 8, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST));
    quad in = { .u = { 4, 3, 0, 0x40490fdb } }, out;
    CUsurfObject surface = 0;
    OK(make_surface(&surface, &resource));
    OK(look_up(kernel_named("sust2brace"), surface, &in, &out, 1));
    OK(look_up(kernel_named("suld2brace"), surface, &in, &out, 1));
    assert_int_equal(out.u[0], in.u[3]);
    OK(end_surface(surface));
}

/* ---- Cubes --------------------------------------------------------------------------- */

/* The table of faces in the CUDA programming guide, "Cubemap Textures". */
static void a_direction_meets_one_face_of_a_cube(void **state)
{
    (void)state;
    static const struct {
        quad in;
        float expected;
    } rows[] = {
        { { .f = { 2, -1, -1 } }, 0 * FACE + 3 },  { { .f = { 2, 1, -1 } }, 0 * FACE + 1 },
        { { .f = { -2, -1, -1 } }, 1 * FACE + 2 }, { { .f = { -2, 1, 1 } }, 1 * FACE + 1 },
        { { .f = { 1, 2, -1 } }, 2 * FACE + 1 },   { { .f = { -1, 2, 1 } }, 2 * FACE + 2 },
        { { .f = { 1, -2, -1 } }, 3 * FACE + 3 },  { { .f = { -1, -2, 1 } }, 3 * FACE + 0 },
        { { .f = { 1, -1, 2 } }, 4 * FACE + 3 },   { { .f = { -1, 1, 2 } }, 4 * FACE + 0 },
        { { .f = { 1, -1, -2 } }, 5 * FACE + 2 },  { { .f = { -1, 1, -2 } }, 5 * FACE + 1 },
    };
    for (unsigned filter = 0; filter < 2; filter++) {
        CUtexObject texture = make_cubes((int)filter, CU_TRSF_NORMALIZED_COORDINATES);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            quad in = rows[i].in, out;
            OK(look_up(kernel_named("cube"), texture, &in, &out, 1));
            assert_true(out.f[0] == rows[i].expected);
            in.u[3] = 1;
            OK(look_up(kernel_named("acube"), texture, &in, &out, 1));
            assert_true(out.f[0] == rows[i].expected + 6 * FACE);
        }
    }
}

static void gathers(const char *name, CUtexObject texture, quad in, const float four[4])
{
    quad out;
    OK(look_up(kernel_named(name), texture, &in, &out, 1));
    for (int i = 0; i < 4; i++) assert_true(out.f[i] == four[i]);
}

/* As PTX has it; no GPU was asked. */
static void four_elements_are_gathered_from_a_face_and_from_a_layer(void **state)
{
    (void)state;
    const quad middle = { .f = { 1, 0, 0 } }, second = { .u = { 0x3f800000, 0, 0, 1 } };
    const quad corner = { .u = { 0x3f800000, 0x3f800000, 0, 2 } };
    float numbers[3 * 16];
    CUtexObject cubes = make_cubes(0, CU_TRSF_NORMALIZED_COORDINATES);
    CUarray layers = make_array(4, 4, 3, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED);
    for (int i = 0; i < 3 * 16; i++) numbers[i] = (float)i;
    fill_array(layers, numbers, 4 * sizeof *numbers, 4, 3);
    gathers("tld4rcube", cubes, middle, (const float[]){ 2, 3, 1, 0 });
    gathers("tld4racube", cubes, second, (const float[]){ 26, 27, 25, 24 });
    gathers("tld4ra2d", texture_of(layers), corner, (const float[]){ 37, 38, 34, 33 });
}

static void a_linear_filter_across_edges_is_refused(void **state)
{
    (void)state;
    const CUDA_RESOURCE_DESC resource =
        of_array(make_array(4, 4, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP));
    CUDA_TEXTURE_DESC how = { .flags = CU_TRSF_SEAMLESS_CUBEMAP };
    OK(try_texture(&resource, &how));
    how.filter = CU_TR_FILTER_MODE_LINEAR;
    assert_int_equal(try_texture(&resource, &how), RILL_ERROR_NOT_SUPPORTED);
}

/* ---- Mipmaps ------------------------------------------------------------------------- */

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

/* As an H200 tells them; lines in layers have those as rows, and cubes are counted in layers. */
static void extents_are_told(void **state)
{
    static const struct {
        size_t size[3];
        unsigned flags, texture[3], surface[3];
    } rows[] = {
        { { 7, 0, 0 }, 0, { 7, 1, 0 }, { 7, 0, 0 } },
        { { 7, 5, 3 }, 0, { 7, 5, 3 }, { 7, 5, 3 } },
        { { 7, 0, 3 }, CUDA_ARRAY3D_LAYERED, { 7, 3, 0 }, { 7, 3, 0 } },
        { { 7, 5, 3 }, CUDA_ARRAY3D_LAYERED, { 7, 5, 3 }, { 7, 5, 3 } },
        { { 5, 5, 6 }, CUDA_ARRAY3D_CUBEMAP, { 5, 5, 0 }, { 5, 5, 6 } },
        { { 5, 5, 12 }, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED, { 5, 5, 2 }, { 5, 5, 12 } },
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        quad in = { .u = { 0 } }, out;
        CUsurfObject surface = 0;
        CUarray array = make_array(rows[i].size[0], rows[i].size[1], rows[i].size[2],
                                   CU_AD_FORMAT_FLOAT, 1, rows[i].flags);
        const CUDA_RESOURCE_DESC resource = of_array(array);
        CUtexObject texture = texture_of(array);
        OK(make_surface(&surface, &resource));
        OK(look_up(kernel_named("txq"), texture, &in, &out, 1));
        assert_memory_equal(out.u, rows[i].texture, sizeof rows[i].texture);
        OK(look_up(kernel_named("suq"), surface, &in, &out, 1));
        assert_memory_equal(out.u, rows[i].surface, sizeof rows[i].surface);
        OK(end_surface(surface));
        OK(end_texture(texture));
        OK(end_array(array));
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_texture_says_how_it_was_made),
        TEST(wrong_ways_to_look_are_refused),
        TEST(memory_must_be_aligned_and_there),
        TEST(rows_must_have_a_pitch),
        TEST(a_surface_is_an_array),
        TEST(braces_around_one_element_are_none),
        TEST(a_direction_meets_one_face_of_a_cube),
        TEST(four_elements_are_gathered_from_a_face_and_from_a_layer),
        TEST(a_linear_filter_across_edges_is_refused),
        TEST(levels_are_arrays_of_half_the_size),
        TEST(a_lookup_names_its_level),
        TEST(a_bias_and_a_least_level_count),
        TEST(a_question_names_its_level),
        TEST(extents_are_told),
    };
    library_open();
    OK(CALL(cuInit, (unsigned), (0)));
    return cmocka_run_group_tests_name("standin/texture/textures", tests, NULL, NULL);
}
