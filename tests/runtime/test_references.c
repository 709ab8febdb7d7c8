/* SPDX-License-Identifier: Apache-2.0
 *
 * References to textures and surfaces of CUDA 11, registered as its compiler does: by the name in
 * the image and that of C++, which differ.
 */
#include "runtime/abi/texture.h"
#include "runtime/runtime.h"

static const char text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".global .texref _ZN1a4lineE;\n.global .texref flat;\n.global .surfref drawn;\n"
    ".visible .entry fetch(.param .u64 p)\n"
    "{ .reg .b64 a, b; .reg .b32 i; .reg .f32 x, y, z, w; ld.param.u64 a, [p];\n"
    "  mov.u32 i, %tid.x; mul.wide.u32 b, i, 4; add.u64 a, a, b;\n"
    "  tex.1d.v4.f32.s32 {x, y, z, w}, [_ZN1a4lineE, {i}]; st.global.f32 [a], x; ret; }\n"
    ".visible .entry look(.param .u64 p)\n"
    "{ .reg .b64 a, b; .reg .b32 i; .reg .f32 u, v, x, y, z, w; ld.param.u64 a, [p];\n"
    "  mov.u32 i, %tid.x; mul.wide.u32 b, i, 4; add.u64 a, a, b;\n"
    "  cvt.rn.f32.u32 u, i; mov.f32 v, 0f3fc00000;\n"
    "  tex.2d.v4.f32.f32 {x, y, z, w}, [flat, {u, v}]; st.global.f32 [a], x; ret; }\n"
    ".visible .entry draw(.param .u64 p)\n"
    "{ .reg .b32 i, x, y; mov.u32 i, %tid.x; mul.lo.u32 x, i, 4; mov.u32 y, 1;\n"
    "  sust.b.2d.b32.trap [drawn, {x, y}], {i}; ret; }\n";

static struct rt_fatbin fatbin = { RT_FATBIN_MAGIC, 1, text, NULL };

static char fetch_stub, look_stub, draw_stub;
static struct textureReference line, flat, unregistered, not_in_image;
static struct surfaceReference drawn;
static void **image;
static float *out;

enum { WIDTH = 8, HEIGHT = 4 };

static const struct cudaChannelFormatDesc one_float = { 32, 0, 0, 0, cudaChannelFormatKindFloat };

static void register_texture(struct textureReference *texture, const char *name,
                             const char *written)
{
    for (int i = 0; i < 3; i++) texture->addressMode[i] = 1; /* clamp, as a constructor has it */
    texture->channelDesc = one_float;
    CALL_AS(void, __cudaRegisterTexture,
            (void **, const void *, const char *, const char *, int, int, int),
            (image, texture, name, written, 1, 0, 0));
}

static int setup(void **state)
{
    (void)state;
    image = CALL_AS(void **, __cudaRegisterFatBinary, (void *), (&fatbin));
    register_function(image, &fetch_stub, "fetch");
    register_function(image, &look_stub, "look");
    register_function(image, &draw_stub, "draw");
    register_texture(&line, "_ZN1a4lineE", "::a::line");
    register_texture(&flat, "flat", "::flat");
    register_texture(&not_in_image, "gone", "::gone");
    CALL_AS(void, __cudaRegisterSurface,
            (void **, const void *, const char *, const char *, int, int),
            (image, &drawn, "drawn", "::drawn", 2, 0));
    CALL_AS(void, __cudaRegisterFatBinaryEnd, (void **), (image));
    out = allocate(WIDTH * sizeof *out);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    OK(CALL(cudaFree, (void *), (out)));
    unregister_program(image);
    return 0;
}

/* ---- What kernels find --------------------------------------------------------------------- */

static cudaError_t bind(size_t *offset, const void *texture, const void *memory, size_t bytes)
{
    return CALL(cudaBindTexture, (size_t *, const void *, const void *, const void *, size_t),
                (offset, texture, memory, &one_float, bytes));
}

static cudaError_t bind_array(const void *texture, cudaArray_t array)
{
    return CALL(cudaBindTextureToArray, (const void *, cudaArray_t, const void *),
                (texture, array, &one_float));
}

static cudaError_t unbind(const void *texture)
{
    return CALL(cudaUnbindTexture, (const void *), (texture));
}

static void expect_found(const void *stub, const float wanted[WIDTH])
{
    const dim3 one = { 1, 1, 1 }, row = { WIDTH, 1, 1 };
    float found[WIDTH];
    void *params[] = { &out };
    OK(launch_sized(stub, one, row, params, NULL));
    OK(copy(found, out, sizeof found, cudaMemcpyDeviceToHost));
    for (int i = 0; i < WIDTH; i++)
        if (memcmp(&found[i], &wanted[i], sizeof found[i]))
            fail_msg("element %d is %g, but it is to be %g", i, (double)found[i],
                     (double)wanted[i]);
}

static const float nothing[WIDTH] = { 0 };

/* How much of memory is bound, and what kernels find there. */
static const struct {
    size_t begin, elements, offset; /* in elements */
    float found[WIDTH];
} lines[] = {
    { 0, 16, 0, { 0, 1, 2, 3, 4, 5, 6, 7 } },
    { 0, 4, 0, { 0, 1, 2, 3, 0, 0, 0, 0 } },
    { 128, 8, 0, { 128, 129, 130, 131, 132, 133, 134, 135 } },
    { 130, 4, 2, { 128, 129, 130, 131, 132, 133, 0, 0 } }, /* from the place before it on */
    { 252, 64, 124, { 128, 129, 130, 131, 132, 133, 134, 135 } }, /* no more than there is */
};

static void memory_is_bound_from_where_textures_begin(void **state)
{
    (void)state;
    float numbers[256], *memory = allocate(sizeof numbers);
    for (int i = 0; i < 256; i++) numbers[i] = (float)i;
    OK(copy(memory, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    expect_found(&fetch_stub, nothing);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        size_t offset = 1, told = 1;
        OK(bind(&offset, &line, memory + lines[i].begin, lines[i].elements * sizeof *memory));
        assert_int_equal(offset, lines[i].offset * sizeof *memory);
        OK(CALL(cudaGetTextureAlignmentOffset, (size_t *, const void *), (&told, &line)));
        assert_int_equal(told, offset);
        expect_found(&fetch_stub, lines[i].found);
    }
    OK(unbind(&line));
    expect_found(&fetch_stub, nothing);
    OK(CALL(cudaFree, (void *), (memory)));
}

static cudaArray_t make_array(void)
{
    enum { SURFACE = 2 };
    cudaArray_t array;
    float numbers[HEIGHT][WIDTH];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) numbers[y][x] = (float)(10 * y + x);
    OK(CALL(cudaMallocArray, (cudaArray_t *, const void *, size_t, size_t, unsigned),
            (&array, &one_float, WIDTH, HEIGHT, SURFACE)));
    OK(CALL(cudaMemcpy2DToArray,
            (cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t, int),
            (array, 0, 0, numbers, sizeof numbers[0], sizeof numbers[0], HEIGHT,
             cudaMemcpyHostToDevice)));
    return array;
}

/* Lookups at 0 to 7 in the second row. */
static const struct {
    int normalized, filter;
    float found[WIDTH];
} ways[] = {
    { 0, 0, { 10, 11, 12, 13, 14, 15, 16, 17 } },
    { 0, 1, { 10, 10.5f, 11.5f, 12.5f, 13.5f, 14.5f, 15.5f, 16.5f } },
    { 1, 0, { 30, 37, 37, 37, 37, 37, 37, 37 } },
};

static void a_texture_is_looked_up_as_its_variable_says_at_the_launch(void **state)
{
    (void)state;
    cudaArray_t array = make_array();
    OK(bind_array(&flat, array));
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        flat.normalized = ways[i].normalized;
        flat.filterMode = ways[i].filter;
        expect_found(&look_stub, ways[i].found);
    }
    flat.normalized = flat.filterMode = 0;
    OK(unbind(&flat));
    OK(CALL(cudaFreeArray, (cudaArray_t), (array)));
}

static void kernels_write_an_array_by_a_surface(void **state)
{
    (void)state;
    cudaArray_t array = make_array();
    const dim3 one = { 1, 1, 1 }, row = { WIDTH, 1, 1 };
    void *params[] = { &out };
    int written[WIDTH];
    OK(CALL(cudaBindSurfaceToArray, (const void *, cudaArray_t, const void *),
            (&drawn, array, &one_float)));
    OK(launch_sized(&draw_stub, one, row, params, NULL));
    OK(CALL(cudaMemcpyFromArray, (void *, cudaArray_t, size_t, size_t, size_t, int),
            (written, array, 0, 1, sizeof written, cudaMemcpyDeviceToHost)));
    for (int i = 0; i < WIDTH; i++) assert_int_equal(written[i], i);
    OK(CALL(cudaFreeArray, (cudaArray_t), (array)));
}

/* Another device has a reference of its own, which is told anew. */
static void each_device_has_its_own(void **state)
{
    (void)state;
    cudaArray_t arrays[2];
    float *results[2];
    void *first = out;
    for (int device = 0; device < 2; device++) {
        OK(CALL(cudaSetDevice, (int), (device)));
        arrays[device] = make_array();
        results[device] = device ? allocate(WIDTH * sizeof *out) : first;
        OK(bind_array(&flat, arrays[device]));
    }
    for (size_t i = 0; i < 2 * sizeof ways / sizeof ways[0]; i++) {
        OK(CALL(cudaSetDevice, (int), ((int)(i % 2))));
        out = results[i % 2];
        flat.normalized = ways[i / 2].normalized;
        flat.filterMode = ways[i / 2].filter;
        expect_found(&look_stub, ways[i / 2].found);
    }
    flat.normalized = flat.filterMode = 0;
    for (int device = 1; device >= 0; device--) {
        OK(CALL(cudaSetDevice, (int), (device)));
        OK(unbind(&flat));
        OK(CALL(cudaFreeArray, (cudaArray_t), (arrays[device])));
    }
    OK(CALL(cudaFree, (void *), (results[1])));
    out = first;
}

/* ---- What is refused ----------------------------------------------------------------------- */

static void formats_are_those_of_the_program(void **state)
{
    (void)state;
    cudaArray_t array = make_array();
    const struct cudaChannelFormatDesc one_int = { 32, 0, 0, 0, cudaChannelFormatKindSigned };
    size_t offset;
    line.channelDesc = one_int;
    assert_int_equal(bind(&offset, &line, out, 4), RILL_ERROR_INVALID_VALUE);
    line.channelDesc = one_float;
    OK(bind(&offset, &line, out, 4));
    OK(unbind(&line));
    flat.channelDesc = one_int; /* the array has another one */
    assert_int_equal(CALL(cudaBindTextureToArray, (const void *, cudaArray_t, const void *),
                          (&flat, array, &one_int)),
                     RILL_ERROR_INVALID_VALUE);
    flat.channelDesc = one_float;
    OK(CALL(cudaFreeArray, (cudaArray_t), (array)));
    LAST();
}

static void what_is_no_reference_is_told(void **state)
{
    (void)state;
    size_t offset;
    const void *found;
    assert_int_equal(bind(&offset, &unregistered, out, 4), cudaErrorInvalidTexture);
    assert_int_equal(bind(&offset, &not_in_image, out, 4), cudaErrorInvalidTexture);
    assert_int_equal(unbind(NULL), cudaErrorInvalidTexture);
    assert_int_equal(bind(NULL, &line, (char *)out + 4, 4), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(bind(&offset, &line, &offset, 4), RILL_ERROR_NOT_FOUND);
    assert_int_equal(bind_array(&flat, NULL), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(CALL(cudaGetTextureAlignmentOffset, (size_t *, const void *),
                          (&offset, &line)),
                     cudaErrorInvalidTextureBinding);
    OK(CALL(cudaGetTextureReference, (const void **, const void *), (&found, &line)));
    assert_ptr_equal(found, &line);
    assert_int_equal(CALL(cudaGetTextureReference, (const void **, const void *),
                          (&found, &drawn)),
                     cudaErrorInvalidTexture);
    OK(CALL(cudaGetSurfaceReference, (const void **, const void *), (&found, &drawn)));
    assert_ptr_equal(found, &drawn);
    LAST();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_bound_from_where_textures_begin),
        cmocka_unit_test(a_texture_is_looked_up_as_its_variable_says_at_the_launch),
        cmocka_unit_test(each_device_has_its_own),
        cmocka_unit_test(kernels_write_an_array_by_a_surface),
        cmocka_unit_test(formats_are_those_of_the_program),
        cmocka_unit_test(what_is_no_reference_is_told),
    };
    setenv("RILL_SIM_DEVICES", "2", 1);
    runtime_open(RUNTIME_11);
    return cmocka_run_group_tests_name("runtime/references", tests, setup, teardown);
}
