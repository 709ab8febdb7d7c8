/* SPDX-License-Identifier: Apache-2.0
 *
 * Lookups and reductions that compilers seldom write: of elements that are some further, given as
 * pairs of halves, with a depth or the gradients of a cube; and sured.  They are held to the
 * answers of an H100 (seldom.txt).
 *
 * `test_seldom_lookups --record LIBRARY` prints the answers of a driver.
 */
#include "standin/texture/asking.h"

enum { EDGE = 5, LEVELS = 4 };

static void ask_shifts(void)
{
    const struct shape shapes[] = {
        { "depth1d", NULL, { WIDTH, 0, 0 }, 0 },
        { "shift2d", NULL, { WIDTH, HEIGHT, 0 }, 0 },
        { "shifta2d", NULL, { WIDTH, HEIGHT, DEPTH }, CUDA_ARRAY3D_LAYERED },
        { "shift2di", NULL, { WIDTH, HEIGHT, 0 }, 0 },
    };
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) ask_modes(&shapes[i]);
}

/* Shifts that are not known before the run, and by more than there is room for. */
static void ask_any_shifts(void)
{
    static const int shifts[LOOKUPS] = { 0, 1, -1, 7, -8, 8, -9, 15, 16, -16, 17, 100, -100, 31, 63,
                                         0x7fffffff };
    static quad in[LOOKUPS];
    const struct shape flat = { "shiftany", NULL, { WIDTH, HEIGHT, 0 }, 0 };
    CUarray array = filled_array(&flat, CU_AD_FORMAT_FLOAT, 1);
    CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_ARRAY, .array.handle = array };
    CUDA_TEXTURE_DESC how = way(single, 4, 0);
    CUtexObject texture = 0;
    OK(make_texture(&texture, &resource, &how));
    for (unsigned k = 0; k < LOOKUPS; k++) {
        in[k].f[0] = 3.5f / WIDTH, in[k].f[1] = 2.5f / HEIGHT;
        in[k].i[2] = shifts[k], in[k].i[3] = k % 2 ? 0 : shifts[(k + 3) % LOOKUPS];
    }
    ask("shiftany", kernel_named("shiftany"), texture, in, LOOKUPS, 1);
    OK(end_texture(texture));
    OK(end_array(array));
}

static void ask_halves(void)
{
    const struct shape line = { "halves1d", "halves1d", { WIDTH, 0, 0 }, 0 };
    const struct shape flat = { "halves2d", "halves2d", { WIDTH, HEIGHT, 0 }, 0 };
    const struct shape base = { "base2d", NULL, { WIDTH, HEIGHT, 0 }, 0 };
    for (unsigned f = 6; f < sizeof formats / sizeof *formats; f++)
        for (int filter = 0; filter < 2; filter++) {
            ask_array(&line, &formats[f], 1, 2, filter);
            ask_array(&flat, &formats[f], 4, 1, filter);
        }
    ask_modes(&base);
}

/* ---- Mipmaps ------------------------------------------------------------------------- */

static CUmipmappedArray filled_mipmap(int format, unsigned channels)
{
    const CUDA_ARRAY3D_DESCRIPTOR told = { .width = 16, .height = 8, .format = format,
                                           .channels = channels };
    CUmipmappedArray mipmap = NULL;
    OK(CALL(cuMipmappedArrayCreate,
            (CUmipmappedArray *, const CUDA_ARRAY3D_DESCRIPTOR *, unsigned),
            (&mipmap, &told, LEVELS)));
    for (unsigned level = 0; level < LEVELS; level++) {
        size_t row = (16u >> level) * channels, rows = 8u >> level;
        unsigned char *data = contents(format, row * rows, 1000 * level + 77);
        CUarray array = NULL;
        OK(CALL(cuMipmappedArrayGetLevel, (CUarray *, CUmipmappedArray, unsigned),
                (&array, mipmap, level)));
        fill_array(array, data, row * bytes_of(format), rows, 1);
        free(data);
    }
    return mipmap;
}

static const float steps[] = {
    -1, 0, 0.001f, 0.00195f, 0.00196f, 0.0039f, 0.00391f, 0.25f, 0.3f, 0.5f, 0.501953125f, 0.998f,
    0.99805f, 0.999f, 1, 1.125f, 1.37f, 1.9999f, 2, 2.6f, 2.99f, 3, 5,
};

enum { STEPS = sizeof steps / sizeof *steps };

/* Looks at one place at many levels. */
static void ask_mipmap(const struct format *format, unsigned channels, int filter, int between)
{
    static quad in[STEPS];
    char label[64];
    CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY };
    CUDA_TEXTURE_DESC how = way(format, 2, filter);
    CUtexObject texture = 0;
    CUmipmappedArray mipmap = filled_mipmap(format->format, channels);
    resource.mipmap.handle = mipmap;
    how.mipmap_filter = between;
    how.greatest_level = 10;
    OK(make_texture(&texture, &resource, &how));
    for (unsigned k = 0; k < STEPS; k++) in[k] = (quad){ .f = { 0.37f, 0.71f, steps[k], 0 } };
    snprintf(label, sizeof label, "level2dany %sx%u %s %s", format->name, channels,
             filter ? "linear" : "point", between ? "between" : "one");
    ask(label, kernel_named("level2dany"), texture, in, STEPS, channels);
    OK(end_texture(texture));
    OK(CALL(cuMipmappedArrayDestroy, (CUmipmappedArray), (mipmap)));
}

static void ask_mipmaps(void)
{
    for (int way_of = 0; way_of < 4; way_of++) {
        ask_mipmap(single, 1, way_of & 1, way_of >> 1);
        ask_mipmap(&formats[6], 4, way_of & 1, way_of >> 1);
        ask_mipmap(&formats[10], 2, way_of & 1, way_of >> 1);
    }
}

/* ---- Surfaces ------------------------------------------------------------------------ */

static void ask_reductions(void)
{
    const struct shape flat = { .extent = { WIDTH, HEIGHT, 0 },
                                .flags = CUDA_ARRAY3D_SURFACE_LDST };
    static const char *const words[] = { "suredadd", "suredmin", "suredmax", "suredor" };
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        ask_surface(words[i], &flat, CU_AD_FORMAT_UNSIGNED_INT32, 1);
    ask_surface("suredadd64", &flat, CU_AD_FORMAT_UNSIGNED_INT32, 2);
}

/* ---- All of it ----------------------------------------------------------------------- */

static void ask_all(void)
{
    const struct shape cube = { "gradcube", NULL, { EDGE, EDGE, 6 }, CUDA_ARRAY3D_CUBEMAP };
    ask_shifts();
    ask_any_shifts();
    ask_halves();
    for (int filter = 0; filter < 2; filter++) ask_array(&cube, single, 1, 2, filter);
    ask_reductions();
    ask_mipmaps();
}

static void answers_are_those_of_hardware(void **state)
{
    (void)state;
    expect_answers("seldom.txt");
    ask_all();
    end_answers();
}

static int compare(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_are_those_of_hardware, setup, teardown),
    };
    return cmocka_run_group_tests_name("standin/texture/seldom_lookups", tests, NULL, NULL);
}

int main(int count, char **arguments)
{
    return ask_or_test(count, arguments, ask_all, compare);
}
