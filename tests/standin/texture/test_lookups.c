/* SPDX-License-Identifier: Apache-2.0
 *
 * Lookups in textures and surfaces of every format, read mode, filter and address mode, held to
 * the answers of an H100 (lookups.txt): bit for bit, but for linear filters in three dimensions,
 * whose weights are not known exactly.
 *
 * `test_lookups --record LIBRARY` prints the answers of a driver.
 */
#include "standin/texture/asking.h"

static void ask_formats(const struct shape *shape)
{
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
        for (unsigned channels = 1; channels <= 4; channels *= 2)
            for (unsigned mode = 0; mode < MODES; mode++)
                for (int filter = 0; filter <= formats[f].normalized; filter++)
                    ask_array(shape, &formats[f], channels, mode, filter);
}

/* Memory rather than arrays. */
static void ask_memory(const char *name, CUDA_RESOURCE_DESC resource, const struct shape *shape,
                       const struct format *format, unsigned channels, unsigned mode, int filter)
{
    enum { PITCH = 512 };
    char all[96];
    CUdeviceptr memory = 0;
    unsigned char *data = contents(format->format, PITCH * HEIGHT / bytes_of(format->format), 77);
    CUDA_TEXTURE_DESC how = way(format, mode, filter);
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, PITCH * HEIGHT)));
    OK(CALL(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t),
            (memory, data, PITCH * HEIGHT)));
    if (resource.type == CU_RESOURCE_TYPE_LINEAR) resource.linear.address = memory;
    else resource.pitch2d.address = memory;
    snprintf(all, sizeof all, "%s %sx%u %s %s %s", name, format->name, channels,
             modes[mode].name, filter ? "linear" : "point", shape->kernel);
    ask_texture(all, &resource, &how, kernel_named(shape->kernel), shape, channels);
    free(data);
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (memory)));
}

static void ask_linear_memory(void)
{
    static const struct shape floats = { "1di", "1dui", { WIDTH, 0, 0 }, 0 };
    static const struct shape numbers = { "1dui", "1dui", { WIDTH, 0, 0 }, 0 };
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
        for (unsigned channels = 1; channels <= 4; channels *= 2) {
            size_t element = channels * bytes_of(formats[f].format);
            CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_LINEAR };
            resource.linear.format = formats[f].format;
            resource.linear.channels = channels;
            resource.linear.bytes = WIDTH * element;
            ask_memory("memory", resource, formats[f].normalized ? &floats : &numbers,
                       &formats[f], channels, 0, 0);
        }
}

static void ask_pitched_memory(void)
{
    static const struct shape shape = { "2d", "2du", { WIDTH, HEIGHT, 0 }, 0 };
    for (unsigned f = 9; f < sizeof formats / sizeof *formats; f++)
        for (unsigned mode = 0; mode < MODES; mode++)
            for (int filter = 0; filter < 2; filter++) {
                CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_PITCH2D };
                resource.pitch2d.format = formats[f].format;
                resource.pitch2d.channels = 2;
                resource.pitch2d.width = WIDTH;
                resource.pitch2d.height = HEIGHT;
                resource.pitch2d.pitch = 512;
                ask_memory("pitched", resource, &shape, &formats[f], 2, mode, filter);
            }
}

/* ---- Surfaces ------------------------------------------------------------------------ */

static void ask_surfaces(void)
{
    const unsigned surface = CUDA_ARRAY3D_SURFACE_LDST;
    const struct shape line = { .extent = { WIDTH, 0, 0 }, .flags = surface };
    const struct shape flat = { .extent = { WIDTH, HEIGHT, 0 }, .flags = surface };
    const struct shape deep = { .extent = { WIDTH, HEIGHT, DEPTH }, .flags = surface };
    const struct shape layers = { .extent = { WIDTH, HEIGHT, DEPTH },
                                  .flags = surface | CUDA_ARRAY3D_LAYERED };
    const struct shape lines = { .extent = { WIDTH, 0, DEPTH },
                                 .flags = surface | CUDA_ARRAY3D_LAYERED };
    static const char *const of_line[] = { "suld1z", "suld1c", "sust1z", "sust1c", "suq" };
    static const char *const of_pairs[] = { "suld2z", "suld2c", "sust2z", "sust2c" };
    for (unsigned i = 0; i < 5; i++) {
        ask_surface(of_line[i], &line, CU_AD_FORMAT_UNSIGNED_INT32, 1);
        if (i < 4) ask_surface(of_pairs[i], &flat, CU_AD_FORMAT_FLOAT, 2);
    }
    ask_surface("suld1c", &line, CU_AD_FORMAT_UNSIGNED_INT8, 4);
    ask_surface("suld2v4c", &flat, CU_AD_FORMAT_SIGNED_INT32, 4);
    ask_surface("suld2hc", &flat, CU_AD_FORMAT_HALF, 4);
    ask_surface("suld2bz", &flat, CU_AD_FORMAT_UNSIGNED_INT8, 2);
    ask_surface("suld3z", &deep, CU_AD_FORMAT_UNSIGNED_INT32, 1);
    ask_surface("suld3c", &deep, CU_AD_FORMAT_UNSIGNED_INT32, 1);
    ask_surface("sulda2z", &layers, CU_AD_FORMAT_UNSIGNED_INT32, 1);
    ask_surface("sulda2c", &layers, CU_AD_FORMAT_UNSIGNED_INT32, 1);
    ask_surface("sulda1c", &lines, CU_AD_FORMAT_UNSIGNED_INT32, 1);
    ask_surface("suq", &deep, CU_AD_FORMAT_UNSIGNED_INT16, 4);
}

/* ---- All of it ----------------------------------------------------------------------- */

static void ask_all(void)
{
    const unsigned gather = CUDA_ARRAY3D_TEXTURE_GATHER, layered = CUDA_ARRAY3D_LAYERED;
    const struct shape line = { "1d", "1du", { WIDTH, 0, 0 }, 0 };
    const struct shape flat = { "2d", "2du", { WIDTH, HEIGHT, 0 }, 0 };
    const struct shape others[] = {
        { "3d", "3d", { WIDTH, HEIGHT, DEPTH }, 0 },
        { "a1d", "a1d", { WIDTH, 0, DEPTH }, layered },
        { "a2d", "a2d", { WIDTH, HEIGHT, DEPTH }, layered },
        { "1di", "1di", { WIDTH, 0, 0 }, 0 },
        { "2di", "2di", { WIDTH, HEIGHT, 0 }, 0 },
        { "3di", "3di", { WIDTH, HEIGHT, DEPTH }, 0 },
        { "level2d", "level2d", { WIDTH, HEIGHT, 0 }, 0 },
        { "grad2d", "grad2d", { WIDTH, HEIGHT, 0 }, 0 },
        { "tld4r", "tld4r", { WIDTH, HEIGHT, 0 }, gather },
        { "tld4g", "tld4g", { WIDTH, HEIGHT, 0 }, gather },
        { "tld4b", "tld4b", { WIDTH, HEIGHT, 0 }, gather },
        { "txq", "txq", { WIDTH, HEIGHT, 0 }, 0 },
    };
    ask_formats(&line);
    ask_formats(&flat);
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) ask_modes(&others[i]);
    ask_linear_memory();
    ask_pitched_memory();
    ask_surfaces();
}

static void lookups_are_those_of_hardware(void **state)
{
    (void)state;
    expect_answers("lookups.txt");
    ask_all();
    end_answers();
}

static int compare(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lookups_are_those_of_hardware, setup, teardown),
    };
    return cmocka_run_group_tests_name("standin/texture/lookups", tests, NULL, NULL);
}

int main(int count, char **arguments)
{
    return ask_or_test(count, arguments, ask_all, compare);
}
