/* SPDX-License-Identifier: Apache-2.0
 *
 * Lookups with a depth to compare with, of one of several samples, and of layers by integers.
 * Textures of CUDA have no comparison and one sample: a depth has no effect, and other samples are
 * 0, as layers are that are not there.  They are held to the answers of a GPU (depths.txt).
 *
 * `test_depths --record LIBRARY` prints the answers of a driver.
 */
#include "standin/texture/asking.h"

enum { EDGE = 5, LANES = 32 };

static const struct way_of {
    const char *kernel;
    size_t extent[3];
    unsigned flags;
} flat[] = {
    { "d2d", { EDGE, EDGE, 0 }, 0 },      { "d2du", { EDGE, EDGE, 0 }, 0 },
    { "dbase2d", { EDGE, EDGE, 0 }, 0 },  { "dlevel2d", { EDGE, EDGE, 0 }, 0 },
    { "dgrad2d", { EDGE, EDGE, 0 }, 0 },  { "dshift2d", { EDGE, EDGE, 0 }, 0 },
}, gathering[] = {
    { "dtld4r", { EDGE, EDGE, 0 }, CUDA_ARRAY3D_TEXTURE_GATHER },
    { "dtld4g", { EDGE, EDGE, 0 }, CUDA_ARRAY3D_TEXTURE_GATHER },
    { "dtld4a", { EDGE, EDGE, 0 }, CUDA_ARRAY3D_TEXTURE_GATHER },
    { "dshifttld4", { EDGE, EDGE, 0 }, CUDA_ARRAY3D_TEXTURE_GATHER },
}, others[] = {
    { "d1d", { WIDTH, 0, 0 }, 0 },
    { "d1dshift", { WIDTH, 0, 0 }, 0 },
    { "d1dpair", { WIDTH, 0, 0 }, 0 },
    { "da1d", { WIDTH, 0, DEPTH }, CUDA_ARRAY3D_LAYERED },
    { "da1dr", { WIDTH, 0, DEPTH }, CUDA_ARRAY3D_LAYERED },
    { "da1dshift", { WIDTH, 0, DEPTH }, CUDA_ARRAY3D_LAYERED },
    { "da1dpair", { WIDTH, 0, DEPTH }, CUDA_ARRAY3D_LAYERED },
    { "da2d", { EDGE, EDGE, DEPTH }, CUDA_ARRAY3D_LAYERED },
    { "da2dshift", { EDGE, EDGE, DEPTH }, CUDA_ARRAY3D_LAYERED },
    { "dtld4a2d", { EDGE, EDGE, DEPTH }, CUDA_ARRAY3D_LAYERED },
    { "dtld4a2ds", { EDGE, EDGE, DEPTH }, CUDA_ARRAY3D_LAYERED },
}, cubes[] = {
    { "dcube", { EDGE, EDGE, 6 }, CUDA_ARRAY3D_CUBEMAP },
    { "dlevelcube", { EDGE, EDGE, 6 }, CUDA_ARRAY3D_CUBEMAP },
    { "dtld4cube", { EDGE, EDGE, 6 }, CUDA_ARRAY3D_CUBEMAP },
    { "dacube", { EDGE, EDGE, 12 }, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED },
    { "dtld4acube", { EDGE, EDGE, 12 }, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED },
}, samples[] = {
    { "ms2d", { EDGE, EDGE, 0 }, 0 },
    { "ms2dshift", { EDGE, EDGE, 0 }, 0 },
    { "msbase2d", { EDGE, EDGE, 0 }, 0 },
    { "msa2d", { EDGE, EDGE, DEPTH }, CUDA_ARRAY3D_LAYERED },
}, layers[] = {
    { "a2di", { EDGE, EDGE, DEPTH }, CUDA_ARRAY3D_LAYERED },
    { "a2dishift", { EDGE, EDGE, DEPTH }, CUDA_ARRAY3D_LAYERED },
    { "a1di", { WIDTH, 0, DEPTH }, CUDA_ARRAY3D_LAYERED },
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* The depths, next to the coordinates, and layers or samples. */
static void place_depth(quad *in, unsigned k, const struct kernel *kernel)
{
    static const float depths[] = { 0,     -1, 0.5f, 1,    2,     0.25f, 3.9f, -3.1f,
                                    0.75f, 10, 0.3f, 0.9f, -0.1f, 0.01f, -20,  0.6f };
    if (kernel->dimensions == 3) in->f[3] = depths[k % COUNT(depths)];
    else in->f[2] = k == 30 ? NAN : k == 31 ? INFINITY : depths[k % COUNT(depths)];
    if (kernel->dimensions != 3) in->u[3] = k % 4;
    if (strstr(kernel->name, "acube")) in->u[3] = k % 3;
}

static void ask_depth(const struct way_of *of, const struct format *format, unsigned channels,
                      int filter, unsigned mode)
{
    static quad in[LANES];
    const struct kernel *kernel = kernel_named(of->kernel);
    const struct shape shape = { of->kernel, NULL, { of->extent[0], of->extent[1], of->extent[2] },
                                 of->flags };
    CUarray array = filled_array(&shape, format->format, channels);
    const CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_ARRAY, .array.handle = array };
    const CUDA_TEXTURE_DESC how = way(format, mode, filter);
    CUtexObject texture = 0;
    char name[64];
    OK(make_texture(&texture, &resource, &how));
    for (unsigned k = 0; k < LANES; k++) {
        place(&in[k], k % PLACES + (unsigned)filter * 5, kernel, modes[mode].normalized,
              shape.extent);
        place_depth(&in[k], k, kernel);
    }
    snprintf(name, sizeof name, "%s %sx%u %s %s", of->kernel, format->name, channels,
             modes[mode].name, filter ? "linear" : "point");
    ask(name, kernel, texture, in, LANES, 4);
    OK(end_texture(texture));
    OK(end_array(array));
}

/* ---- What is asked ------------------------------------------------------------------- */

enum { CLAMP, BORDER, NORMALIZED_CLAMP, NORMALIZED_BORDER };

static const struct format *const fractions[] = { &formats[11], &formats[10], &formats[6],
                                                  &formats[8], &formats[7] };

static void ask_flat(void)
{
    for (unsigned n = 0; n < COUNT(flat); n++)
        for (unsigned f = 0; f < COUNT(fractions); f++)
            for (int filter = 0; filter < 2; filter++) {
                ask_depth(&flat[n], fractions[f], 1, filter, NORMALIZED_CLAMP);
                if (n) continue;
                ask_depth(&flat[n], fractions[f], 4, filter, NORMALIZED_BORDER);
                ask_depth(&flat[n], fractions[f], 2, filter, CLAMP);
            }
}

static void ask_gathering(void)
{
    for (unsigned n = 0; n < COUNT(gathering); n++)
        for (unsigned f = 0; f < COUNT(fractions); f++) {
            ask_depth(&gathering[n], fractions[f], 1, 0, NORMALIZED_CLAMP);
            ask_depth(&gathering[n], fractions[f], 4, 1, NORMALIZED_BORDER);
        }
}

static void ask_others(const struct way_of *ways, size_t count)
{
    for (int filter = 0; filter < 2; filter++)
        for (unsigned f = 0; f < 3; f += 2)
            for (size_t n = 0; n < count; n++) {
                const int wide = !strcmp(ways[n].kernel, "dtld4a2ds");
                ask_depth(&ways[n], fractions[f], wide ? 4 : 1, filter, NORMALIZED_CLAMP);
            }
}

static void ask_integers(void)
{
    static const unsigned of[] = { 4, 0 };
    for (unsigned i = 0; i < COUNT(of); i++) {
        ask_depth(&flat[1], &formats[of[i]], 1, 0, CLAMP);
        ask_depth(&gathering[2], &formats[of[i]], 4, 0, CLAMP);
    }
}

static void ask_samples(void)
{
    ask_depth(&samples[0], single, 1, 0, CLAMP);
    ask_depth(&samples[1], single, 1, 0, CLAMP);
    ask_depth(&samples[2], single, 4, 1, NORMALIZED_CLAMP);
    ask_depth(&samples[3], single, 1, 0, CLAMP);
}

/* Layers by integers: those that are not there are 0. */
static void ask_layers(void)
{
    for (unsigned f = 0; f < 3; f += 2)
        for (unsigned mode = CLAMP; mode <= NORMALIZED_CLAMP; mode += 2)
            for (unsigned n = 0; n < COUNT(layers); n++)
                ask_depth(&layers[n], fractions[f], 1, 0, mode);
}

static void ask_all(void)
{
    ask_flat();
    ask_gathering();
    ask_others(others, COUNT(others));
    ask_others(cubes, COUNT(cubes));
    ask_integers();
    ask_samples();
    ask_layers();
}

static void answers_are_those_of_hardware(void **state)
{
    (void)state;
    expect_answers("depths.txt");
    ask_all();
    end_answers();
}

static int compare(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_are_those_of_hardware, setup, teardown),
    };
    return cmocka_run_group_tests_name("standin/texture/depths", tests, NULL, NULL);
}

int main(int count, char **arguments)
{
    return ask_or_test(count, arguments, ask_all, compare);
}
