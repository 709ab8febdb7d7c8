/* SPDX-License-Identifier: Apache-2.0
 *
 * Lookups and reductions that compilers seldom write: of elements that are some further, given as
 * pairs of halves, with a depth or the gradients of a cube; and sured.  They are held to the
 * answers of an H100 (seldom.txt).
 *
 * `test_seldom_lookups --record LIBRARY` prints the answers of a driver.
 */
#include "standin/texture/asking.h"

enum { EDGE = 5 };

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
}

static void answers_are_those_of_hardware(void **state)
{
    (void)state;
    expect_answers("seldom.txt");
    ask_all();
    end_answers();
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_are_those_of_hardware, setup, teardown),
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
    return cmocka_run_group_tests_name("standin/texture/seldom_lookups", tests, NULL, NULL);
}
