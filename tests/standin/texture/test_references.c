/* SPDX-License-Identifier: Apache-2.0
 *
 * References to textures and surfaces, as programs have them that were written before there were
 * objects: the module declares a name, and the program binds memory or an array to it.
 */
#include "standin/texture/arrays.h"

#define NUMBERS 64

/* line(to, i) and flat(to, x, y) look at t; put(value) stores at element 1 of s; ask(to) asks t. */
static const char text[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n"
    ".global .texref t;\n.global .surfref s;\n"
    ".visible .entry line(.param .u64 to, .param .s32 i) {\n"
    " .reg .b64 %a; .reg .b32 %i, %r<4>;\n"
    " ld.param.u64 %a, [to]; ld.param.s32 %i, [i];\n"
    " tex.1d.v4.f32.s32 {%r0,%r1,%r2,%r3}, [t, {%i}];\n"
    " st.global.v4.b32 [%a], {%r0,%r1,%r2,%r3}; ret; }\n"
    ".visible .entry flat(.param .u64 to, .param .f32 x, .param .f32 y) {\n"
    " .reg .b64 %a; .reg .f32 %x, %y, %r<4>;\n"
    " ld.param.u64 %a, [to]; ld.param.f32 %x, [x]; ld.param.f32 %y, [y];\n"
    " tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [t, {%x,%y}];\n"
    " st.global.v4.f32 [%a], {%r0,%r1,%r2,%r3}; ret; }\n"
    ".func (.param .b32 r) inside(.param .b32 i) {\n"
    " .reg .b32 %i, %r<4>; ld.param.b32 %i, [i];\n"
    " tex.1d.v4.f32.s32 {%r0,%r1,%r2,%r3}, [t, {%i}]; st.param.b32 [r], %r0; ret; }\n"
    ".visible .entry calls(.param .u64 to, .param .s32 i) {\n"
    " .reg .b64 %a; .reg .b32 %i, %r;\n"
    " ld.param.u64 %a, [to]; ld.param.s32 %i, [i];\n"
    " { .param .b32 r; .param .b32 n; st.param.b32 [n], %i; call (r), inside, (n);\n"
    "   ld.param.b32 %r, [r]; }\n"
    " st.global.b32 [%a], %r; ret; }\n"
    ".visible .entry through(.param .u64 to, .param .s32 i) {\n"
    " .reg .b64 %a, %h; .reg .b32 %i, %r<4>;\n"
    " ld.param.u64 %a, [to]; ld.param.s32 %i, [i]; mov.u64 %h, t;\n"
    " tex.1d.v4.f32.s32 {%r0,%r1,%r2,%r3}, [%h, {%i}];\n"
    " st.global.v4.b32 [%a], {%r0,%r1,%r2,%r3}; ret; }\n"
    ".visible .entry put(.param .u64 to, .param .s32 i) {\n"
    " .reg .b32 %i, %z; ld.param.s32 %i, [i]; mov.b32 %z, 4;\n"
    " sust.b.1d.b32.trap [s, {%z}], %i; ret; }\n"
    ".visible .entry ask(.param .u64 to) {\n"
    " .reg .b64 %a; .reg .b32 %w, %h; ld.param.u64 %a, [to];\n"
    " txq.width.b32 %w, [t]; txq.height.b32 %h, [t];\n"
    " st.global.v2.b32 [%a], {%w,%h}; ret; }\n";

/* As compilers wrote it in 2009. */
static const char old_text[] =
    ".version 1.4\n.target sm_13\n"
    ".tex .u64 t;\n"
    ".entry line(.param .u64 to, .param .s32 i) {\n"
    " .reg .u64 %a; .reg .s32 %i; .reg .f32 %f<5>; .reg .s32 %z;\n"
    " ld.param.u64 %a, [to]; ld.param.s32 %i, [i]; mov.s32 %z, 0;\n"
    " tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t, {%i,%z,%z,%z}];\n"
    " st.global.f32 [%a], %f1; exit; }\n";

struct scene {
    CUmodule module;
    CUtexref t;
    CUdeviceptr numbers, out; /* numbers: 0.5, 1.5, ... */
};

static CUdeviceptr memory_of(size_t bytes)
{
    CUdeviceptr address = 0;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&address, bytes)));
    return address;
}

static struct scene begin_with(const char *code)
{
    struct scene scene;
    float numbers[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) numbers[i] = (float)i + 0.5f;
    OK(CALL(cuModuleLoadData, (CUmodule *, const void *), (&scene.module, code)));
    OK(CALL(cuModuleGetTexRef, (CUtexref *, CUmodule, const char *),
            (&scene.t, scene.module, "t")));
    scene.numbers = memory_of(sizeof numbers);
    scene.out = memory_of(16);
    OK(CALL(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t),
            (scene.numbers, numbers, sizeof numbers)));
    return scene;
}

static struct scene begin(void)
{
    return begin_with(text);
}

static void end(const struct scene *scene)
{
    OK(CALL(cuModuleUnload, (CUmodule), (scene->module)));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (scene->numbers)));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (scene->out)));
}

static CUresult launch_in(const struct scene *scene, const char *name, void **arguments,
                          CUstream stream)
{
    CUfunction function;
    OK(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
            (&function, scene->module, name)));
    return CALL(cuLaunchKernel,
                (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                 CUstream, void **, void **),
                (function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
}

/* What a kernel stored. */
union found {
    float f[4];
    uint32_t u[4];
};

static union found read_out(const struct scene *scene)
{
    union found found;
    OK(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (&found, scene->out, sizeof found)));
    return found;
}

static union found look(const struct scene *scene, const char *name, int i)
{
    CUdeviceptr out = scene->out;
    OK(launch_in(scene, name, (void *[]){ &out, &i }, NULL));
    return read_out(scene);
}

static float look_flat(const struct scene *scene, float x, float y)
{
    CUdeviceptr out = scene->out;
    OK(launch_in(scene, "flat", (void *[]){ &out, &x, &y }, NULL));
    return read_out(scene).f[0];
}

static CUresult bind(const struct scene *scene, CUdeviceptr address, size_t bytes, size_t *offset)
{
    return CALL(cuTexRefSetAddress_v2, (size_t *, CUtexref, CUdeviceptr, size_t),
                (offset, scene->t, address, bytes));
}

static void set_format(const struct scene *scene, int format, int channels)
{
    OK(CALL(cuTexRefSetFormat, (CUtexref, int, int), (scene->t, format, channels)));
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

/* ---- When it is bound ---------------------------------------------------------------------- */

static void hold(void *gate)
{
    while (!__atomic_load_n((int *)gate, __ATOMIC_ACQUIRE)) {}
}

/* The first launch waits behind a function until the reference is bound to other memory. */
static void a_launch_has_what_was_bound_when_it_was_submitted(void **state)
{
    (void)state;
    struct scene scene = begin();
    int gate = 0, i = 2;
    size_t offset;
    CUstream stream;
    CUdeviceptr out = scene.out, other = memory_of(64);
    OK(CALL(cuMemsetD32_v2, (CUdeviceptr, unsigned, size_t), (other, 0, 16)));
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 1)));
    OK(bind(&scene, scene.numbers, 256, &offset));
    OK(CALL(cuLaunchHostFunc, (CUstream, void (*)(void *), void *), (stream, hold, &gate)));
    OK(launch_in(&scene, "line", (void *[]){ &out, &i }, stream));
    OK(bind(&scene, other, 64, &offset));
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    OK(CALL(cuStreamSynchronize, (CUstream), (stream)));
    assert_true(read_out(&scene).f[0] == 2.5f);
    assert_true(look(&scene, "line", 2).f[0] == 0);
    OK(CALL(cuStreamDestroy_v2, (CUstream), (stream)));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (other)));
    end(&scene);
}

/* More than are kept for launches that are pending. */
static void a_reference_is_bound_again_and_again(void **state)
{
    (void)state;
    struct scene scene = begin();
    size_t offset;
    for (unsigned n = 1; n <= 200; n++) {
        OK(bind(&scene, scene.numbers, (n % NUMBERS + 1) * sizeof(float), &offset));
        const float last = look(&scene, "line", (int)(n % NUMBERS)).f[0];
        assert_true(last == (float)(n % NUMBERS) + 0.5f);
    }
    end(&scene);
}

static void launches_of_graphs_have_no_references(void **state)
{
    (void)state;
    struct scene scene = begin();
    CUstream stream;
    CUgraph graph = NULL;
    CUdeviceptr out = scene.out;
    int i = 0;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 1)));
    OK(CALL(cuStreamBeginCapture_v2, (CUstream, int), (stream, 0)));
    assert_int_equal(launch_in(&scene, "line", (void *[]){ &out, &i }, stream),
                     RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_int_equal(CALL(cuStreamEndCapture, (CUstream, CUgraph *), (stream, &graph)),
                     RILL_ERROR_STREAM_CAPTURE_INVALIDATED);
    OK(CALL(cuStreamDestroy_v2, (CUstream), (stream)));
    end(&scene);
}

/* ---- Handles ------------------------------------------------------------------------------- */

static void a_name_has_one_reference(void **state)
{
    (void)state;
    struct scene scene = begin();
    static const char *const others[] = { "none", "s", "line" };
    CUtexref again = NULL;
    OK(CALL(cuModuleGetTexRef, (CUtexref *, CUmodule, const char *),
            (&again, scene.module, "t")));
    assert_ptr_equal(again, scene.t);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(CALL(cuModuleGetTexRef, (CUtexref *, CUmodule, const char *),
                              (&again, scene.module, others[i])), RILL_ERROR_NOT_FOUND);
    assert_ptr_equal(again, scene.t); /* as it was */
    end(&scene);
    assert_int_equal(CALL(cuTexRefSetFlags, (CUtexref, unsigned), (scene.t, 0)),
                     RILL_ERROR_INVALID_HANDLE);
}

/* As an H100 answers. */
static void a_new_one_clamps_and_reads_one_float(void **state)
{
    (void)state;
    struct scene scene = begin();
    int mode = -1, filter = -1, format = 0, channels = 0;
    unsigned flags = 9;
    CUdeviceptr address;
    OK(CALL(cuTexRefGetAddressMode, (int *, CUtexref, int), (&mode, scene.t, 1)));
    OK(CALL(cuTexRefGetFilterMode, (int *, CUtexref), (&filter, scene.t)));
    OK(CALL(cuTexRefGetFormat, (int *, int *, CUtexref), (&format, &channels, scene.t)));
    OK(CALL(cuTexRefGetFlags, (unsigned *, CUtexref), (&flags, scene.t)));
    assert_true(mode == CU_TR_ADDRESS_MODE_CLAMP && filter == 0 && flags == 0);
    assert_true(format == CU_AD_FORMAT_FLOAT && channels == 1);
    assert_int_equal(CALL(cuTexRefGetAddress_v2, (CUdeviceptr *, CUtexref), (&address, scene.t)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuTexRefSetFlags, (CUtexref, unsigned), (scene.t, 0xff)),
                     RILL_ERROR_INVALID_VALUE);
    set_format(&scene, 77, 9);
    OK(CALL(cuTexRefGetFormat, (int *, int *, CUtexref), (&format, &channels, scene.t)));
    assert_true(format == 77 && channels == 9); /* no such format, and taken */
    end(&scene);
}

static void a_program_may_have_one_of_its_own(void **state)
{
    (void)state;
    CUtexref own = NULL, left = NULL;
    CUdeviceptr memory = memory_of(64);
    size_t offset;
    OK(CALL(cuTexRefCreate, (CUtexref *), (&own)));
    OK(CALL(cuTexRefSetAddress_v2, (size_t *, CUtexref, CUdeviceptr, size_t),
            (&offset, own, memory, 64)));
    OK(CALL(cuTexRefDestroy, (CUtexref), (own)));
    assert_int_equal(CALL(cuTexRefDestroy, (CUtexref), (own)), RILL_ERROR_INVALID_HANDLE);
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (memory)));
    OK(CALL(cuTexRefCreate, (CUtexref *), (&left))); /* goes with the context */
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
        TEST(a_launch_has_what_was_bound_when_it_was_submitted),
        TEST(a_reference_is_bound_again_and_again),
        TEST(launches_of_graphs_have_no_references),
        TEST(a_name_has_one_reference),
        TEST(a_new_one_clamps_and_reads_one_float),
        TEST(a_program_may_have_one_of_its_own),
    };
    library_open();
    OK(CALL(cuInit, (unsigned), (0)));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return library_close() ? 1 : failed;
}
