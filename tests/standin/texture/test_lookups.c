/* SPDX-License-Identifier: Apache-2.0
 *
 * Lookups in textures and surfaces of every format, read mode, filter and address mode, held to
 * the answers of an H100 (lookups.txt): bit for bit, but for linear filters in three dimensions,
 * whose weights are not known exactly.
 *
 * `test_lookups --record LIBRARY` prints the answers of a driver.
 */
#include "standin/texture/lookups.h"

enum { WIDTH = 7, HEIGHT = 5, DEPTH = 3, LOOKUPS = 16, LINE = 16384 };

/* ---- Lines of answers ---------------------------------------------------------------- */

static FILE *expected; /* NULL while answers are recorded */
static unsigned lookups, wrong_lines;

/* Returns true if the numbers of two lines are the same but for weights that are a little off. */
static int is_near(const char *line, const char *wanted)
{
    double most = strstr(line, "f32") ? 0.5 : 1.0 / 64;
    char *one = strchr(line, ':'), *two = strchr(wanted, ':');
    if (!one || !two || strncmp(line, wanted, (size_t)(two - wanted))) return 0;
    while (*one && *two) {
        union { uint32_t bits; float value; } a, b;
        a.bits = (uint32_t)strtoul(one + 1, &one, 16);
        b.bits = (uint32_t)strtoul(two + 1, &two, 16);
        if (!(fabs((double)a.value - (double)b.value) <= most)) return 0;
    }
    return *one == *two;
}

static int is_inexact(const char *line)
{
    return !strncmp(line, "3d ", 3) && strstr(line, "linear");
}

static void compare_line(const char *line)
{
    static char wanted[LINE];
    if (!fgets(wanted, sizeof wanted, expected)) fail_msg("lookups.txt ends before %s", line);
    wanted[strcspn(wanted, "\n")] = '\0';
    if (!strcmp(line, wanted) || (is_inexact(line) && is_near(line, wanted))) return;
    if (wrong_lines++ < 20) fprintf(stderr, "answered: %s\nexpected: %s\n", line, wanted);
}

static void answer_line(const char *line)
{
    if (expected) compare_line(line);
    else puts(line);
}

/* Asks, and makes a line of the name and the answers: all four numbers of the first, then those
 * that the elements have. */
static void ask(const char *name, const struct kernel *kernel, uint64_t object, const quad *in,
                unsigned count, unsigned numbers)
{
    static quad out[MOST];
    static char line[LINE];
    CUresult status = look_up(kernel, object, in, out, count);
    int at = snprintf(line, sizeof line, "%s:", name);
    if (status) at += snprintf(line + at, sizeof line - (size_t)at, " status %d", status);
    for (unsigned i = 0; i < count && !status; i++) {
        line[at++] = ' ';
        for (unsigned n = 0; n < (i ? numbers : 4); n++)
            at += snprintf(line + at, sizeof line - (size_t)at, "%x%s", out[i].u[n],
                           n + 1 < (i ? numbers : 4) ? "," : "");
    }
    lookups += count;
    answer_line(line);
}

/* ---- Formats ------------------------------------------------------------------------- */

struct format {
    const char *name;
    int format;
    int normalized; /* integers are read as fractions */
};

static const struct format formats[] = {
    { "u8", CU_AD_FORMAT_UNSIGNED_INT8, 0 },   { "s8", CU_AD_FORMAT_SIGNED_INT8, 0 },
    { "u16", CU_AD_FORMAT_UNSIGNED_INT16, 0 }, { "s16", CU_AD_FORMAT_SIGNED_INT16, 0 },
    { "u32", CU_AD_FORMAT_UNSIGNED_INT32, 0 }, { "s32", CU_AD_FORMAT_SIGNED_INT32, 0 },
    { "u8n", CU_AD_FORMAT_UNSIGNED_INT8, 1 },  { "s8n", CU_AD_FORMAT_SIGNED_INT8, 1 },
    { "u16n", CU_AD_FORMAT_UNSIGNED_INT16, 1 }, { "s16n", CU_AD_FORMAT_SIGNED_INT16, 1 },
    { "f16", CU_AD_FORMAT_HALF, 1 },           { "f32", CU_AD_FORMAT_FLOAT, 1 },
};

static const struct format *const single = &formats[11];

static const struct {
    const char *name;
    int address, normalized;
} modes[] = {
    { "clamp", CU_TR_ADDRESS_MODE_CLAMP, 0 },   { "border", CU_TR_ADDRESS_MODE_BORDER, 0 },
    { "nclamp", CU_TR_ADDRESS_MODE_CLAMP, 1 },  { "nborder", CU_TR_ADDRESS_MODE_BORDER, 1 },
    { "nwrap", CU_TR_ADDRESS_MODE_WRAP, 1 },    { "nmirror", CU_TR_ADDRESS_MODE_MIRROR, 1 },
};

enum { MODES = sizeof modes / sizeof *modes };

static CUDA_TEXTURE_DESC way(const struct format *format, unsigned mode, int filter)
{
    CUDA_TEXTURE_DESC how = { .filter = filter };
    for (int d = 0; d < 3; d++) how.address[d] = modes[mode].address;
    if (modes[mode].normalized) how.flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (!format->normalized) how.flags |= CU_TRSF_READ_AS_INTEGER;
    return how;
}

/* ---- Textures ------------------------------------------------------------------------ */

struct shape {
    const char *kernel, *integer_kernel;
    size_t extent[3];
    unsigned flags;
};

static CUarray filled_array(const struct shape *shape, int format, unsigned channels)
{
    size_t width = shape->extent[0], rows = shape->extent[1] ? shape->extent[1] : 1;
    size_t slices = shape->extent[2] ? shape->extent[2] : 1, numbers = width * channels;
    unsigned char *data = contents(format, numbers * rows * slices, 7919 * channels);
    CUarray array = make_array(width, shape->extent[1], shape->extent[2], format, channels,
                               shape->flags);
    fill_array(array, data, numbers * bytes_of(format), rows, slices);
    free(data);
    return array;
}

static void ask_texture(const char *name, const CUDA_RESOURCE_DESC *resource,
                        const CUDA_TEXTURE_DESC *how, const struct kernel *kernel,
                        const struct shape *shape, unsigned channels)
{
    static quad in[LOOKUPS];
    CUtexObject texture = 0;
    CUresult status = make_texture(&texture, resource, how);
    int layered = shape->flags & CUDA_ARRAY3D_LAYERED;
    for (unsigned k = 0; k < LOOKUPS; k++) {
        place(&in[k], k + (unsigned)how->filter * 5, kernel,
              how->flags & CU_TRSF_NORMALIZED_COORDINATES, shape->extent);
        if (layered) in[k].u[3] = k % 4; /* one more than there are */
    }
    if (status) {
        char line[128];
        snprintf(line, sizeof line, "%s: refused %d", name, status);
        answer_line(line);
        return;
    }
    ask(name, kernel, texture, in, LOOKUPS, channels);
    OK(end_texture(texture));
}

static void ask_array(const struct shape *shape, const struct format *format, unsigned channels,
                      unsigned mode, int filter)
{
    char name[64];
    const struct kernel *kernel =
        kernel_named(format->normalized ? shape->kernel : shape->integer_kernel);
    CUarray array = filled_array(shape, format->format, channels);
    CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_ARRAY, .array.handle = array };
    CUDA_TEXTURE_DESC how = way(format, mode, filter);
    snprintf(name, sizeof name, "%s %sx%u %s %s", kernel->name, format->name, channels,
             modes[mode].name, filter ? "linear" : "point");
    ask_texture(name, &resource, &how, kernel, shape, channels);
    OK(end_array(array));
}

static void ask_formats(const struct shape *shape)
{
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
        for (unsigned channels = 1; channels <= 4; channels *= 2)
            for (unsigned mode = 0; mode < MODES; mode++)
                for (int filter = 0; filter <= formats[f].normalized; filter++)
                    ask_array(shape, &formats[f], channels, mode, filter);
}

static void ask_modes(const struct shape *shape)
{
    for (unsigned mode = 0; mode < MODES; mode++)
        for (int filter = 0; filter < 2; filter++) {
            ask_array(shape, single, 1, mode, filter);
            ask_array(shape, &formats[6], 4, mode, filter);
        }
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

static void ask_surface(const char *name, const struct shape *shape, int format,
                        unsigned channels)
{
    static quad in[LOOKUPS];
    static unsigned char back[4096];
    const struct kernel *kernel = kernel_named(name);
    int stores = !strncmp(name, "sust", 4);
    char label[64], line[LINE];
    CUsurfObject surface = 0;
    size_t row = shape->extent[0] * channels * bytes_of(format);
    size_t rows = shape->extent[1] ? shape->extent[1] : 1;
    size_t slices = shape->extent[2] ? shape->extent[2] : 1;
    CUarray array = filled_array(shape, format, channels);
    CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_ARRAY, .array.handle = array };
    OK(CALL(cuSurfObjectCreate, (CUsurfObject *, const CUDA_RESOURCE_DESC *),
            (&surface, &resource)));
    for (unsigned k = 0; k < LOOKUPS; k++) {
        place(&in[k], k, kernel, 0, shape->extent);
        in[k].i[0] *= (int)(channels * bytes_of(format)); /* x counts bytes */
        if (shape->flags & CUDA_ARRAY3D_LAYERED) in[k].u[2] = k % 4;
        if (stores) in[k].u[3] = k + 1, in[k].u[2] = k + 101;
    }
    snprintf(label, sizeof label, "%s %x x%u", name, (unsigned)format, channels);
    ask(label, kernel, surface, in, stores ? 9 : LOOKUPS, 4);
    read_array(array, back, row, rows, slices);
    int at = snprintf(line, sizeof line, "%s holds ", label);
    for (size_t i = 0; i < row * rows * slices; i++)
        at += snprintf(line + at, sizeof line - (size_t)at, "%02x", back[i]);
    if (stores) answer_line(line);
    OK(CALL(cuSurfObjectDestroy, (CUsurfObject), (surface)));
    OK(end_array(array));
}

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
    const char *folder = getenv("srcdir");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/standin/texture/lookups.txt", folder ? folder : "../..");
    expected = fopen(path, "r");
    assert_non_null(expected);
    ask_all();
    fclose(expected);
    if (wrong_lines) fail_msg("%u lines of answers differ", wrong_lines);
    print_message("%u lookups\n", lookups);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lookups_are_those_of_hardware, setup, teardown),
    };
    if (count == 3) {
        library = dlopen(arguments[2], RTLD_NOW | RTLD_LOCAL);
        OK(CALL(cuInit, (unsigned), (0)));
        setup(NULL);
        ask_all();
        return 0;
    }
    library_open();
    OK(CALL(cuInit, (unsigned), (0)));
    return cmocka_run_group_tests_name("standin/texture/lookups", tests, NULL, NULL);
}
