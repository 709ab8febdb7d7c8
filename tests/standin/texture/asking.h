/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to textures and surfaces, and lines of answers, which are held to those of a GPU.
 */
#ifndef STANDIN_TEXTURE_ASKING_H
#define STANDIN_TEXTURE_ASKING_H

#include "standin/texture/lookups.h"

enum { WIDTH = 7, HEIGHT = 5, DEPTH = 3, LOOKUPS = 16, LINE = 16384 };

/* ---- Lines of answers ---------------------------------------------------------------- */

static FILE *expected; /* NULL while answers are recorded */
static unsigned lookups, wrong_lines;

/* Returns true if the numbers of two lines are the same but for weights that are a little off. */
static inline int is_near(const char *line, const char *wanted)
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

static inline int is_inexact(const char *line)
{
    return !strncmp(line, "3d ", 3) && strstr(line, "linear");
}

static inline void compare_line(const char *line)
{
    static char wanted[LINE];
    if (!fgets(wanted, sizeof wanted, expected)) fail_msg("lookups.txt ends before %s", line);
    wanted[strcspn(wanted, "\n")] = '\0';
    if (!strcmp(line, wanted) || (is_inexact(line) && is_near(line, wanted))) return;
    if (wrong_lines++ < 20) fprintf(stderr, "answered: %s\nexpected: %s\n", line, wanted);
}

static inline void answer_line(const char *line)
{
    if (expected) compare_line(line);
    else puts(line);
}

/* Asks, and makes a line of the name and the answers: all four numbers of the first, then those
 * that the elements have. */
static inline void ask(const char *name, const struct kernel *kernel, uint64_t object,
                       const quad *in, unsigned count, unsigned numbers)
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

static inline CUDA_TEXTURE_DESC way(const struct format *format, unsigned mode, int filter)
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

static inline CUarray filled_array(const struct shape *shape, int format, unsigned channels)
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

static inline void ask_texture(const char *name, const CUDA_RESOURCE_DESC *resource,
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

static inline void ask_array(const struct shape *shape, const struct format *format,
                             unsigned channels, unsigned mode, int filter)
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

static inline void ask_modes(const struct shape *shape)
{
    for (unsigned mode = 0; mode < MODES; mode++)
        for (int filter = 0; filter < 2; filter++) {
            ask_array(shape, single, 1, mode, filter);
            ask_array(shape, &formats[6], 4, mode, filter);
        }
}

/* ---- Surfaces ------------------------------------------------------------------------ */

static inline void ask_surface(const char *name, const struct shape *shape, int format,
                               unsigned channels)
{
    static quad in[LOOKUPS];
    static unsigned char back[4096];
    const struct kernel *kernel = kernel_named(name);
    int stores = !strncmp(name, "sust", 4) || !strncmp(name, "sured", 5);
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

/* Opens what a driver has answered.  The folder is that of the sources. */
static inline void expect_answers(const char *name)
{
    const char *folder = getenv("srcdir");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/standin/texture/%s", folder ? folder : "../..", name);
    expected = fopen(path, "r");
    assert_non_null(expected);
}

static inline void end_answers(void)
{
    fclose(expected);
    if (wrong_lines) fail_msg("%u lines of answers differ", wrong_lines);
    print_message("%u lookups\n", lookups);
}

/* Asks the driver that the second argument names, as `--record LIBRARY`, and else runs the tests,
 * which hold the stand-in to its answers. */
static inline int ask_or_test(int count, char **arguments, void (*questions)(void),
                              int (*test)(void))
{
    if (count != 3) {
        library_begin();
        return test();
    }
    library = dlopen(arguments[2], RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    OK(CALL(cuInit, (unsigned), (0)));
    setup(NULL);
    questions();
    return 0;
}

#endif
