/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels find in cubes.
 */
#include "standin/texture/textures.h"

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

/* As an H200 has it, which was asked for 512 directions. */
static void a_direction_to_an_edge_meets_the_face_of_its_later_coordinate(void **state)
{
    (void)state;
    static const struct {
        quad in;
        float expected;
    } rows[] = {
        { { .f = { 1, 1, 0 } }, 2 * FACE + 3 }, { { .f = { -1, 1, 0 } }, 2 * FACE + 2 },
        { { .f = { 1, -1, 0 } }, 3 * FACE + 3 }, { { .f = { 1, 0, 1 } }, 4 * FACE + 3 },
        { { .f = { -1, 0, 1 } }, 4 * FACE + 2 }, { { .f = { 1, 0, -1 } }, 5 * FACE + 2 },
        { { .f = { 0, 1, -1 } }, 5 * FACE + 1 }, { { .f = { 0, -1, 1 } }, 4 * FACE + 3 },
        { { .f = { 1, 1, 1 } }, 4 * FACE + 1 }, { { .f = { -1, -1, -1 } }, 5 * FACE + 3 },
        { { .f = { -1, 1, 1 } }, 4 * FACE + 0 }, { { .f = { 0, 0, 0 } }, 4 * FACE + 3 },
    };
    CUtexObject texture = make_cubes(0, CU_TRSF_NORMALIZED_COORDINATES);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        quad out;
        OK(look_up(kernel_named("cube"), texture, &rows[i].in, &out, 1));
        assert_true(out.f[0] == rows[i].expected);
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_direction_meets_one_face_of_a_cube),
        TEST(a_direction_to_an_edge_meets_the_face_of_its_later_coordinate),
        TEST(four_elements_are_gathered_from_a_face_and_from_a_layer),
        TEST(a_linear_filter_across_edges_is_refused),
    };
    library_begin();
    return cmocka_run_group_tests_name("standin/texture/cubes", tests, NULL, NULL);
}
