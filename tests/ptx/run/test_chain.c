/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads, arithmetic and stores of f32 are put off and taken together (affine/chain.h).  Nothing
 * tells a kernel so: it leaves in memory, bit for bit, what its steps leave lane by lane
 * (RILL_PTX_CODE=lanes).
 *
 *     RILL_TEST_SEED=7 RILL_TEST_ROUNDS=1 RILL_TEST_TEXT=1 test_chain
 *
 * begins with that seed, runs so many random kernels, and shows their text.
 */
#include <stdarg.h>
#include <stdio.h>

#include "ptx/machine.h"
#include "support/random.h"

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

enum { WORDS = 1 << 14, MIDDLE = WORDS / 2, PITCH = 80 };

static const uint32_t shapes[][3] = {
    { 256 }, { 200 }, { 32, 8 }, { 64, 4 }, { 128, 2 }, { 16, 16 }, { 48, 5 }, { 33, 7 },
    { 8, 4, 8 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

struct scene {
    struct machine *m;
    uint32_t *memory;
};

/* Runs a kernel k(.u64 memory, .u32 pitch, .u32 width), and keeps what it leaves. */
static void run(const struct scene *scene, const char *text, const char *way,
                const uint32_t block[3], uint32_t left[WORDS])
{
    struct { uint32_t *memory; uint32_t pitch, width; } params = {
        scene->memory + MIDDLE, PITCH, block[0] > 40 ? block[0] - 3 : block[0],
    };
    const struct machine_shape shape = {
        .block = { block[0], block[1] ? block[1] : 1, block[2] ? block[2] : 1 },
    };
    for (uint32_t i = 0; i < WORDS; i++) scene->memory[i] = 0x3f000000 + i * 2654435761u % 0xc00000;
    for (uint32_t i = 0; i < WORDS; i += 97) scene->memory[i] = i * 2654435761u;
    assert_int_equal(setenv("RILL_PTX_CODE", way, 1), 0);
    machine_load(scene->m, text);
    machine_run(scene->m, "k", &shape, &params, sizeof params);
    memcpy(left, scene->memory, WORDS * sizeof *left);
}

static void leaves_the_same(const struct scene *scene, const char *text, const char *name,
                            const uint32_t block[3])
{
    static const char *const ways[] = { "affine", "both" };
    static uint32_t lanes[WORDS], other[WORDS];
    run(scene, text, "lanes", block, lanes);
    for (unsigned i = 0; i < 2; i++) {
        run(scene, text, ways[i], block, other);
        for (uint32_t k = 0; k < WORDS; k++)
            if (other[k] != lanes[k])
                fail_msg("%s, %s, block of %u x %u x %u: word %d is %08x, and %08x lane by lane",
                         name, ways[i], block[0], block[1], block[2], (int)k - MIDDLE, other[k],
                         lanes[k]);
    }
}

static struct scene open_scene(void)
{
    struct scene scene = { .m = machine_open() };
    scene.memory = machine_memory(scene.m, WORDS * sizeof *scene.memory);
    return scene;
}

/* What comes before: %a is the address of the thread's word, row by row; %b is that of its row. */
static const char begin[] = HEAD
    ".visible .entry k(.param .u64 memory, .param .u32 pitch, .param .u32 width)\n{\n"
    ".reg .pred %p; .reg .b32 %r<8>; .reg .b64 %a, %b, %m; .reg .f32 %f<8>;\n"
    ".shared .align 4 .b8 s[1024];\n"
    "ld.param.u64 %m, [memory]; ld.param.u32 %r0, [pitch]; ld.param.u32 %r1, [width];\n"
    "mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.y; setp.ge.u32 %p, %r2, %r1; @%p bra END;\n"
    "mul.lo.u32 %r4, %r3, %r0; mad.wide.u32 %b, %r4, 4, %m; mad.wide.u32 %a, %r2, 4, %b;\n"
    "mov.f32 %f0, 0f3f800001; mov.f32 %f1, 0f40400000; mov.f32 %f2, 0f00000001;\n"
    "cvt.rn.f32.u32 %f3, %r2; mov.f32 %f4, %f3; mov.f32 %f5, %f0; mov.f32 %f6, %f0;\n"
    "mov.f32 %f7, %f1;\n";
static const char end[] = "END: ret;\n}\n";

/* ---- What must not be put off too long ------------------------------------------------------ */

static const struct {
    const char *name, *body;
} cases[] = {
    { "a row that is moved down", "ld.global.f32 %f0, [%a+4]; st.global.f32 [%a], %f0;" },
    { "a row that is moved up", "ld.global.f32 %f0, [%a]; st.global.f32 [%a+4], %f0;" },
    { "rows that are moved", "ld.global.f32 %f0, [%a+320]; add.f32 %f0, %f0, %f1;\n"
                             "st.global.f32 [%a], %f0;" },
    { "neighbours", "ld.global.f32 %f0, [%a+-4]; ld.global.f32 %f1, [%a+4];\n"
                    "add.f32 %f0, %f0, %f1; st.global.f32 [%a], %f0;" },
    { "one number for each row", "ld.global.f32 %f0, [%b]; ld.global.f32 %f1, [%b+8];\n"
                                 "mul.f32 %f2, %f0, %f1; st.global.f32 [%a], %f2;" },
    { "a row's number, stored over", "ld.global.f32 %f0, [%b]; ld.global.f32 %f1, [%a];\n"
                                     "fma.rn.f32 %f1, %f0, %f1, %f0; st.global.f32 [%a], %f1;" },
    { "a number that is needed again", "ld.global.f32 %f0, [%a]; mul.f32 %f1, %f0, %f0;\n"
                                       "st.global.f32 [%a], %f1; add.f32 %f1, %f0, %f1;\n"
                                       "st.global.f32 [%a+4000], %f1;" },
    { "a store between", "ld.global.f32 %f0, [%a]; st.global.f32 [%a], %f1;\n"
                         "ld.global.f32 %f1, [%a]; add.f32 %f0, %f0, %f1;\n"
                         "st.global.f32 [%a], %f0;" },
    { "bits of a sum", "ld.global.f32 %f0, [%a]; add.f32 %f0, %f0, %f1; mov.b32 %r5, %f0;\n"
                       "xor.b32 %r5, %r5, 77; st.global.u32 [%a], %r5;" },
    { "another rounding", "ld.global.f32 %f0, [%a]; add.f32 %f1, %f0, %f1;\n"
                          "add.rp.f32 %f2, %f0, %f1; st.global.f32 [%a], %f2;" },
    { "a result that a load replaces",
      "ld.global.f32 %f0, [%a]; fma.rn.f32 %f3, %f0, %f1, %f0; ld.global.f32 %f3, [%a+320];\n"
      "add.f32 %f4, %f3, %f1; st.global.f32 [%a], %f4;" },
    { "a loop of sums", "mov.u32 %r5, 0;\n"
                        "LOOP: ld.global.f32 %f0, [%a]; add.f32 %f1, %f1, %f0;\n"
                        "add.u64 %a, %a, 320; add.u32 %r5, %r5, 1; setp.lt.u32 %p, %r5, 19;\n"
                        "@%p bra LOOP; st.global.f32 [%a], %f1;" },
    { "a loop without a number to begin with",
      "mov.u32 %r5, 0; ld.global.f32 %f1, [%a+4];\n"
      "LOOP: ld.global.f32 %f0, [%a]; fma.rn.f32 %f1, %f1, %f0, %f0;\n"
      "add.u64 %a, %a, 320; add.u32 %r5, %r5, 1; setp.lt.u32 %p, %r5, 40;\n"
      "@%p bra LOOP; add.f32 %f1, %f0, %f1; st.global.f32 [%a], %f1;" },
    { "a loop that stores what it loads next",
      "mov.u32 %r5, 0;\n"
      "LOOP: ld.global.f32 %f0, [%a]; add.f32 %f1, %f1, %f0; st.global.f32 [%a+320], %f1;\n"
      "add.u64 %a, %a, 320; add.u32 %r5, %r5, 1; setp.lt.u32 %p, %r5, 9; @%p bra LOOP;" },
    { "a loop that some lanes leave",
      "mov.u32 %r5, 0; shr.u32 %r6, %r2, 3;\n"
      "LOOP: ld.global.f32 %f0, [%a]; add.f32 %f1, %f1, %f0; add.u64 %a, %a, 320;\n"
      "add.u32 %r5, %r5, 1; setp.lt.u32 %p, %r5, %r6; @%p bra LOOP;\n"
      "st.global.f32 [%a], %f1;" },
    { "a loop whose branch looks at what is loaded",
      "mov.u32 %r5, 0;\n"
      "LOOP: ld.global.f32 %f0, [%m]; add.f32 %f1, %f1, %f0; add.u64 %m, %m, 4;\n"
      "ld.global.f32 %f2, [%a]; add.f32 %f3, %f3, %f2; add.u32 %r5, %r5, 1;\n"
      "setp.lt.u32 %p, %r5, 24; setp.lt.and.f32 %p, %f1, 0f41000000, %p; @%p bra LOOP;\n"
      "add.f32 %f1, %f1, %f3; st.global.f32 [%a], %f1;" },
    { "a loop longer than a turn",
      "mov.u32 %r5, 0;\n"
      "LOOP: ld.global.f32 %f0, [%a]; add.f32 %f1, %f1, %f0; add.u32 %r5, %r5, 1;\n"
      "setp.lt.u32 %p, %r5, 9001; @%p bra LOOP; st.global.f32 [%a], %f1;" },
    { "a loop around a barrier",
      "mov.u32 %r5, 0; mul.lo.u32 %r4, %r3, %r1; add.u32 %r4, %r4, %r2; shl.b32 %r4, %r4, 2;\n"
      "mov.u32 %r6, s; add.u32 %r4, %r4, %r6;\n"
      "LOOP: ld.global.f32 %f0, [%a]; add.f32 %f1, %f1, %f0; st.shared.f32 [%r4], %f1;\n"
      "bar.sync 0; ld.shared.f32 %f2, [s+4]; add.f32 %f1, %f1, %f2; bar.sync 0;\n"
      "add.u32 %r5, %r5, 1; setp.lt.u32 %p, %r5, 7; @%p bra LOOP; st.global.f32 [%a], %f1;" },
    { "a guard", "ld.global.f32 %f0, [%a]; setp.gt.f32 %p, %f0, 0f3f600000;\n"
                 "mul.f32 %f1, %f0, %f1; @%p add.f32 %f0, %f0, %f1;\n"
                 "@!%p mov.f32 %f1, %f0; add.f32 %f0, %f0, %f1; st.global.f32 [%a], %f0;" },
    { "a way round", "ld.global.f32 %f0, [%a]; add.f32 %f1, %f0, %f1;\n"
                     "setp.gt.f32 %p, %f0, 0f3f600000; @%p bra NEXT; mul.f32 %f1, %f1, %f0;\n"
                     "NEXT: add.f32 %f1, %f1, %f0; st.global.f32 [%a], %f1;" },
    { "a way round a store", "ld.global.f32 %f0, [%a]; add.f32 %f1, %f0, %f1;\n"
                             "setp.lt.u32 %p, %r2, 13; @%p bra NEXT; ld.global.f32 %f2, [%a+4];\n"
                             "fma.rn.f32 %f1, %f2, %f0, %f1; st.global.f32 [%a], %f1;\n"
                             "add.u64 %a, %a, 4; NEXT: st.global.f32 [%a+4000], %f1;" },
    { "a way round what only some lanes compute",
      "setp.gt.u32 %p, %r2, 5; @%p bra NEXT; mov.u32 %r4, 7; mad.wide.u32 %a, %r2, 8, %m;\n"
      "NEXT: cvt.rn.f32.u32 %f0, %r4; ld.global.f32 %f1, [%a]; add.f32 %f0, %f0, %f1;\n"
      "setp.ne.u32 %p, %r2, 9; @%p bra LAST; st.global.f32 [%a+80], %f0; LAST:\n"
      "st.global.f32 [%a], %f0;" },
    { "an atomic operation", "ld.global.f32 %f0, [%m]; ld.global.f32 %f1, [%a];\n"
                             "red.global.add.u32 [%a], 1; add.f32 %f0, %f0, %f1;\n"
                             "st.global.f32 [%a+4000], %f0;" },
    { "a fence", "ld.global.f32 %f1, [%a]; membar.gl; add.f32 %f0, %f1, %f1;\n"
                 "st.global.f32 [%a], %f0;" },
    { "shared memory", "mul.lo.u32 %r4, %r3, %r1; add.u32 %r4, %r4, %r2; shl.b32 %r4, %r4, 2;\n"
                       "mov.u32 %r5, s; add.u32 %r4, %r4, %r5; ld.global.f32 %f0, [%a];\n"
                       "add.f32 %f0, %f0, %f1; st.shared.f32 [%r4], %f0; bar.sync 0;\n"
                       "ld.shared.f32 %f1, [s+8]; ld.shared.f32 %f2, [%r4];\n"
                       "sub.f32 %f1, %f2, %f1; bar.sync 0; st.global.f32 [%a], %f1;" },
    { "an exchange", "ld.global.f32 %f0, [%a]; add.f32 %f0, %f0, %f1; mov.b32 %r5, %f0;\n"
                     "activemask.b32 %r6; shfl.sync.idx.b32 %r5, %r5, 0, 31, %r6;\n"
                     "st.global.u32 [%a], %r5;" },
};

static void steps_that_others_come_between(void **state)
{
    static char text[8192];
    struct scene scene = open_scene();
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned s = 0; s < SHAPES; s++) {
            snprintf(text, sizeof text, "%s%s\n%s", begin, cases[i].body, end);
            leaves_the_same(&scene, text, cases[i].name, shapes[s]);
        }
    machine_close(scene.m);
}

/* ---- Random chains --------------------------------------------------------------------------- */

struct writer {
    struct dice dice;
    size_t used;
    char text[16384];
};

__attribute__((format(printf, 2, 3)))
static void put(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    writer->used += (size_t)vsnprintf(writer->text + writer->used,
                                      sizeof writer->text - writer->used, format, arguments);
    va_end(arguments);
}

static int reg(struct writer *writer)
{
    return dice_below(&writer->dice, 8);
}

static void put_step(struct writer *writer)
{
    static const char *const pairs[] = { "add.f32", "sub.f32", "mul.f32", "add.ftz.f32",
                                         "mul.ftz.f32", "min.f32", "add.rz.f32" };
    static const char *const fused[] = { "fma.rn.f32", "fma.rn.ftz.f32" };
    static const int offsets[] = { 0, 0, 0, 4, -4, 4 * PITCH, -4 * PITCH, 8000 };
    const int offset = offsets[dice_below(&writer->dice, 8)], d = reg(writer), a = reg(writer);
    const int b = reg(writer), c = reg(writer);
    switch (dice_below(&writer->dice, 8)) {
    case 0: case 1: put(writer, "ld.global.f32 %%f%d, [%%a+%d];\n", d, offset); break;
    case 2: put(writer, "ld.global.f32 %%f%d, [%%b+%d];\n", d, offset); break;
    case 3: put(writer, "st.global.f32 [%%a+%d], %%f%d;\n", offset, a); break;
    case 4: case 5:
        put(writer, "%s %%f%d, %%f%d, %%f%d;\n", pairs[dice_below(&writer->dice, 7)], d, a, b);
        break;
    case 6:
        put(writer, "%s %%f%d, %%f%d, %%f%d, %%f%d;\n", fused[dice_below(&writer->dice, 2)], d, a,
            b, c);
        break;
    default: put(writer, "mov.f32 %%f%d, 0f3f8ccccd;\n", d); break;
    }
}

static void random_chains(void **state)
{
    static struct writer writer;
    const char *first = getenv("RILL_TEST_SEED"), *many = getenv("RILL_TEST_ROUNDS");
    uint64_t seed = first ? strtoull(first, NULL, 0) : 1, rounds = many ? strtoull(many, NULL, 0)
                                                                        : 150;
    struct scene scene = open_scene();
    (void)state;
    for (const uint64_t last = seed + rounds; seed < last; seed++) {
        char name[32];
        writer = (struct writer){ .dice = { seed } };
        put(&writer, "%s", begin);
        for (int steps = 4 + dice_below(&writer.dice, 90); steps; steps--)
            put_step(&writer);
        for (int i = 0; i < 8; i++)
            put(&writer, "st.global.f32 [%%a+%d], %%f%d;\n", 12000 + 2000 * i, i);
        put(&writer, "%s", end);
        snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
        if (getenv("RILL_TEST_TEXT")) printf("%s\n", writer.text);
        leaves_the_same(&scene, writer.text, name, shapes[seed % SHAPES]);
    }
    machine_close(scene.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_that_others_come_between),
        cmocka_unit_test(random_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
