/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels find through references to textures and surfaces.
 */
#include "standin/texture/references.h"

/* As compilers wrote it in 2009. */
static const char old_text[] =
    ".version 1.4\n.target sm_13\n"
    ".tex .u64 t;\n"
    ".entry line(.param .u64 to, .param .s32 i) {\n"
    " .reg .u64 %a; .reg .s32 %i; .reg .f32 %f<5>; .reg .s32 %z;\n"
    " ld.param.u64 %a, [to]; ld.param.s32 %i, [i]; mov.s32 %z, 0;\n"
    " tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t, {%i,%z,%z,%z}];\n"
    " st.global.f32 [%a], %f1; exit; }\n";

static float look_flat(const struct scene *scene, float x, float y)
{
    CUdeviceptr out = scene->out;
    OK(launch_in(scene, "flat", (void *[]){ &out, &x, &y }, NULL));
    return read_out(scene).f[0];
}

static void set_flags(const struct scene *scene, unsigned flags)
{
    OK(CALL(cuTexRefSetFlags, (CUtexref, unsigned), (scene->t, flags)));
}

/* ---- What kernels find --------------------------------------------------------------------- */

static void memory_is_looked_at_once_it_is_bound(void **state)
{
    (void)state;
    struct scene scene = begin();
    size_t offset = 9;
    const union found nothing = look(&scene, "line", 3);
    assert_true(nothing.u[0] == 0 && nothing.u[3] == 0);
    OK(bind(&scene, scene.numbers, NUMBERS * sizeof(float), &offset));
    assert_int_equal(offset, 0);
    assert_true(look(&scene, "line", 3).f[0] == 3.5f);
    assert_true(look(&scene, "line", NUMBERS).f[0] == 0);
    assert_true(look(&scene, "calls", 5).f[0] == 5.5f);
    assert_true(look(&scene, "through", 6).f[0] == 6.5f);
    assert_int_equal(look(&scene, "ask", 0).u[0], NUMBERS);
    end(&scene);
}

static void a_text_of_2009_has_a_texture(void **state)
{
    (void)state;
    struct scene scene = begin_with(old_text);
    size_t offset;
    OK(bind(&scene, scene.numbers, NUMBERS * sizeof(float), &offset));
    assert_true(look(&scene, "line", 3).f[0] == 3.5f);
    end(&scene);
}

static void memory_may_begin_anywhere_if_the_offset_is_asked_for(void **state)
{
    (void)state;
    struct scene scene = begin();
    size_t offset = 9;
    OK(bind(&scene, scene.numbers + 16, 64, &offset));
    assert_int_equal(offset, 16);
    assert_true(look(&scene, "line", 4).f[0] == 4.5f); /* the program adds the offset */
    assert_int_equal(bind(&scene, scene.numbers + 16, 64, NULL), RILL_ERROR_INVALID_VALUE);
    assert_true(look(&scene, "line", 4).f[0] == 4.5f);
    OK(bind(&scene, 12345, 64, &offset)); /* as an H100 takes it */
    assert_true(look(&scene, "line", 0).f[0] == 0);
    end(&scene);
}

static void elements_are_what_the_format_says(void **state)
{
    (void)state;
    struct scene scene = begin();
    const unsigned char bytes[8] = { 0, 51, 102, 255, 1, 2, 3, 4 };
    size_t offset;
    OK(CALL(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t),
            (scene.numbers, bytes, sizeof bytes)));
    OK(bind(&scene, scene.numbers, sizeof bytes, &offset));
    set_format(&scene, CU_AD_FORMAT_UNSIGNED_INT8, 4);
    union found found = look(&scene, "line", 0);
    assert_true(found.f[1] == 0.2f && found.f[3] == 1);
    set_flags(&scene, CU_TRSF_READ_AS_INTEGER);
    found = look(&scene, "line", 1);
    assert_true(found.u[0] == 1 && found.u[3] == 4);
    end(&scene);
}

static void an_array_is_looked_at_as_the_program_says(void **state)
{
    (void)state;
    struct scene scene = begin();
    float numbers[32];
    for (int i = 0; i < 32; i++) numbers[i] = (float)i;
    CUarray array = make_array(8, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0), told = NULL;
    fill_array(array, numbers, 32, 4, 1);
    OK(CALL(cuTexRefSetArray, (CUtexref, CUarray, unsigned),
            (scene.t, array, CU_TRSA_OVERRIDE_FORMAT)));
    OK(CALL(cuTexRefGetArray, (CUarray *, CUtexref), (&told, scene.t)));
    assert_ptr_equal(told, array);
    assert_true(look_flat(&scene, 1.5f, 2.5f) == 17);
    assert_true(look_flat(&scene, 100, 2.5f) == 23); /* it clamps */
    OK(CALL(cuTexRefSetFilterMode, (CUtexref, int), (scene.t, CU_TR_FILTER_MODE_LINEAR)));
    assert_true(look_flat(&scene, 2, 2.5f) == 17.5f);
    set_flags(&scene, CU_TRSF_NORMALIZED_COORDINATES);
    OK(CALL(cuTexRefSetAddressMode, (CUtexref, int, int),
            (scene.t, 0, CU_TR_ADDRESS_MODE_WRAP)));
    assert_true(look_flat(&scene, 1 + 1.5f / 8, 2.5f / 4) == 17);
    OK(end_array(array));
    assert_int_equal(CALL(cuTexRefGetArray, (CUarray *, CUtexref), (&told, scene.t)),
                     RILL_ERROR_INVALID_VALUE);
    assert_true(look_flat(&scene, 1, 1) == 0);
    end(&scene);
}

static void rows_are_looked_at_with_their_pitch(void **state)
{
    (void)state;
    struct scene scene = begin();
    const CUDA_ARRAY_DESCRIPTOR told = { 8, 4, CU_AD_FORMAT_FLOAT, 1 };
    CUdeviceptr address = 0;
    OK(CALL(cuTexRefSetAddress2D_v3,
            (CUtexref, const CUDA_ARRAY_DESCRIPTOR *, CUdeviceptr, size_t),
            (scene.t, &told, scene.numbers, 64)));
    assert_true(look_flat(&scene, 1.5f, 2.5f) == 33.5f);
    OK(CALL(cuTexRefGetAddress_v2, (CUdeviceptr *, CUtexref), (&address, scene.t)));
    assert_true(address == scene.numbers);
    assert_int_equal(CALL(cuTexRefSetAddress2D_v3,
                          (CUtexref, const CUDA_ARRAY_DESCRIPTOR *, CUdeviceptr, size_t),
                          (scene.t, &told, scene.numbers, 33)), RILL_ERROR_INVALID_VALUE);
    end(&scene);
}

static void a_surface_is_stored_to(void **state)
{
    (void)state;
    struct scene scene = begin();
    uint32_t words[8] = { 0 };
    CUsurfref s = NULL;
    CUarray plain = make_array(8, 0, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
    CUarray array = make_array(8, 0, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1,
                               CUDA_ARRAY3D_SURFACE_LDST), told = NULL;
    OK(CALL(cuModuleGetSurfRef, (CUsurfref *, CUmodule, const char *),
            (&s, scene.module, "s")));
    OK(CALL(cuSurfRefSetArray, (CUsurfref, CUarray, unsigned), (s, array, 0)));
    OK(CALL(cuSurfRefGetArray, (CUarray *, CUsurfref), (&told, s)));
    assert_ptr_equal(told, array);
    assert_int_equal(CALL(cuSurfRefSetArray, (CUsurfref, CUarray, unsigned), (s, plain, 0)),
                     RILL_ERROR_INVALID_VALUE);
    look(&scene, "put", 55);
    read_array(array, words, sizeof words, 1, 1);
    assert_int_equal(words[1], 55);
    OK(end_array(array));
    end(&scene);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(memory_is_looked_at_once_it_is_bound),
        TEST(a_text_of_2009_has_a_texture),
        TEST(memory_may_begin_anywhere_if_the_offset_is_asked_for),
        TEST(elements_are_what_the_format_says),
        TEST(an_array_is_looked_at_as_the_program_says),
        TEST(rows_are_looked_at_with_their_pitch),
        TEST(a_surface_is_stored_to),
    };
    library_begin();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return library_close() ? 1 : failed;
}
