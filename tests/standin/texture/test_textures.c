/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture and surface objects: what may be made, and what is told about it. The statuses are
 * those of an H100 (CUDA 13.0).
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

/* ---- What is told about it ------------------------------------------------------------ */

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
        TEST(extents_are_told),
    };
    library_begin();
    return cmocka_run_group_tests_name("standin/texture/textures", tests, NULL, NULL);
}
