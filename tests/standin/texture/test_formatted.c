/* SPDX-License-Identifier: Apache-2.0
 *
 * Formatted surfaces: numbers that are stored as what the elements are (sust.p), and reduced into
 * them (sured.p).  They are held to the answers of a GPU (formatted.txt): of 32 threads of a warp,
 * some of which are outside, and some at the place of others.
 *
 * `test_formatted --record LIBRARY` prints the answers of a driver.
 */
#include "standin/texture/asking.h"

enum { LANES = 32 };

static const uint32_t edges[] = {
    0,          1,          0xffffffff, 127,        128,        0xffffff80, 0xffffff7f, 255,
    256,        32767,      32768,      0xffff8000, 0xffff7fff, 65535,      65536,      0x7fffffff,
    0x80000000, 0x3f800000, 0xbf800000, 0x477fe000, 0x477ff000, 0x477fefff, 0xc7800000, 0x33800000,
    0x33000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x00000001, 0x387fe000,
};

static uint32_t number_of(unsigned k)
{
    return k < sizeof edges / sizeof *edges ? edges[k] : mixed(k);
}

static void tell_contents(const char *label, CUarray array, size_t row, size_t rows, size_t slices)
{
    static unsigned char back[4096];
    static char line[LINE];
    int at = snprintf(line, sizeof line, "%s holds ", label);
    read_array(array, back, row, rows, slices);
    for (size_t i = 0; i < row * rows * slices; i++)
        at += snprintf(line + at, sizeof line - (size_t)at, "%02x", back[i]);
    answer_line(line);
}

/* A surface of some dimensions, of which the last may be layers. */
struct room {
    unsigned dimensions;
    int layered;
};

static CUarray make_room(const struct room *room, int format, unsigned channels)
{
    const int deep = room->dimensions > 2 || room->layered;
    const struct shape shape = {
        .extent = { WIDTH, room->dimensions > 1 ? HEIGHT : 0, deep ? DEPTH : 0 },
        .flags = CUDA_ARRAY3D_SURFACE_LDST | (room->layered ? CUDA_ARRAY3D_LAYERED : 0),
    };
    return filled_array(&shape, format, channels);
}

/* Asks with threads from x = -1 on, row by row; `seed` says what they store. */
static void ask_formatted(const char *name, struct room room, const struct format *format,
                          unsigned channels, unsigned seed)
{
    static quad in[LANES], out[LANES];
    const size_t rows = room.dimensions > 1 ? HEIGHT : 1;
    const size_t slices = room.dimensions > 2 || room.layered ? DEPTH : 1;
    char label[64];
    CUsurfObject surface = 0;
    CUarray array = make_room(&room, format->format, channels);
    CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_ARRAY, .array.handle = array };
    OK(CALL(cuSurfObjectCreate, (CUsurfObject *, const CUDA_RESOURCE_DESC *),
            (&surface, &resource)));
    for (unsigned k = 0; k < LANES; k++) {
        in[k].i[0] = (int)(k % (WIDTH + 2)) - 1;
        in[k].u[1] = room.dimensions > 1 ? k / (WIDTH + 2) + (seed & 1) : 0;
        in[k].u[2] = number_of((k * 5 + seed * 11) % 64);
        in[k].u[3] = k / 5 % 4;
    }
    OK(look_up(kernel_named(name), surface, in, out, LANES));
    lookups += LANES;
    snprintf(label, sizeof label, "%s %sx%u seed %u", name, format->name, channels, seed);
    tell_contents(label, array, WIDTH * channels * bytes_of(format->format), rows, slices);
    OK(CALL(cuSurfObjectDestroy, (CUsurfObject), (surface)));
    OK(end_array(array));
}

/* ---- What is asked ------------------------------------------------------------------- */

static const struct room line = { 1, 0 }, flat = { 2, 0 }, cuboid = { 3, 0 }, lines = { 1, 1 },
                         flats = { 2, 1 };

/* Formats of surfaces, which read no fractions. */
static const struct format *const of[] = {
    &formats[0], &formats[1], &formats[2], &formats[3], &formats[4], &formats[5], &formats[10],
    &formats[11],
};

enum { U8 = 0, U16 = 2, U32 = 4, S32 = 5, F32 = 7, FORMATS = 8 };

static void ask_stores(void)
{
    static const unsigned channels[] = { 1, 2, 4 };
    char name[64];
    for (int f = 0; f < FORMATS; f++)
        for (int c = 0; c < 3; c++)
            for (int w = 0; w < 3; w++)
                for (unsigned seed = 0; seed < 3; seed++) {
                    snprintf(name, sizeof name, "sustp2d%u%s", channels[w],
                             seed == 1 ? "clamp" : "zero");
                    ask_formatted(name, flat, of[f], channels[c], seed);
                }
}

static void ask_stores_elsewhere(void)
{
    for (unsigned f = 0; f < FORMATS; f += 2) {
        ask_formatted("sustp1d1", line, of[f], 1, f);
        ask_formatted("sustp1d4", line, of[f], 4, f);
        ask_formatted("sustp3d4", cuboid, of[f], 2, f);
        ask_formatted("sustp3d1", cuboid, of[f], 1, f);
        ask_formatted("sustpa1d1", lines, of[f], 1, f);
        ask_formatted("sustpa1d2", lines, of[f], 2, f);
        ask_formatted("sustpa2d1", flats, of[f], 1, f);
        ask_formatted("sustpa2d4", flats, of[f], 4, f);
    }
}

static void ask_reductions(void)
{
    static const struct { const char *name; const struct room *room; } rows[] = {
        { "suredp2dadd", &flat }, { "suredp2dmin", &flat },   { "suredp2dmax", &flat },
        { "suredp2dand", &flat }, { "suredp2dor", &flat },    { "suredp1dadd", &line },
        { "suredp1dmin", &line }, { "suredp3dmax", &cuboid }, { "suredp2daddclamp", &flat },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int f = U32; f <= S32; f++)
            ask_formatted(rows[i].name, *rows[i].room, of[f], 1, 2 * i + 1);
}

/* Elements that are no words, or more of them. */
static void ask_other_reductions(void)
{
    ask_formatted("suredp2dadd", flat, of[F32], 1, 0);
    ask_formatted("suredp2dadd", flat, of[U32], 2, 0);
    ask_formatted("suredp2dadd", flat, of[U8], 4, 0);
    ask_formatted("suredp2dmin64", flat, of[U32], 2, 0);
    ask_formatted("suredp2dmax64", flat, of[S32], 2, 0);
    ask_formatted("suredb2dmin64", flat, of[U32], 2, 0);
    ask_formatted("suredp2dmin", flat, of[F32], 1, 0);
    ask_formatted("suredp2dmin64", flat, of[F32], 2, 0);
    ask_formatted("suredp2dadd", flat, of[U16], 1, 0);
    ask_formatted("suredp2dmin64", flat, of[U32], 4, 0);
    ask_formatted("suredp2dmin", flat, of[U32], 4, 0);
}

static void ask_all(void)
{
    ask_stores();
    ask_stores_elsewhere();
    ask_reductions();
    ask_other_reductions();
}

static void answers_are_those_of_hardware(void **state)
{
    (void)state;
    expect_answers("formatted.txt");
    ask_all();
    end_answers();
}

static int compare(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_are_those_of_hardware, setup, teardown),
    };
    return cmocka_run_group_tests_name("standin/texture/formatted", tests, NULL, NULL);
}

int main(int count, char **arguments)
{
    return ask_or_test(count, arguments, ask_all, compare);
}
