/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps leave the same in memory however they are run: lane by lane (RILL_PTX_CODE=lanes), with
 * what is known of registers (affine), and in both ways, compared after each step.
 *
 *     RILL_TEST_SEED=7 RILL_TEST_ROUNDS=1 RILL_TEST_TEXT=1 test_ways
 *
 * begins with that seed, runs so many kernels, and shows their text.
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/bytes/footprint.h"
#include "ptx/machine.h"
#include "support/random.h"

enum { WORDS = 1 << 16, MIDDLE = WORDS / 2, NUMBERS = 8, ADDRESSES = 4, PREDICATES = 3 };
enum { SAVED = 4 * NUMBERS + 8 * ADDRESSES + 4 }; /* of each thread */

/* ---- Random kernels ----------------------------------------------------------------------- */

struct writer {
    struct dice dice;
    char text[32768];
    size_t used;
    unsigned labels;
    bool exchanges;       /* between lanes of a warp, none of which ends early */
};

__attribute__((format(printf, 2, 3)))
static void put(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int bytes = vsnprintf(writer->text + writer->used, sizeof writer->text - writer->used, format,
                          arguments);
    va_end(arguments);
    writer->used += (size_t)bytes;
    if (writer->used >= sizeof writer->text) abort();
}

static int number(struct writer *writer)
{
    return dice_below(&writer->dice, NUMBERS);
}

static int address(struct writer *writer)
{
    return dice_below(&writer->dice, ADDRESSES);
}

/* Sums and products, which keep affine what is affine. */
static void put_integer(struct writer *writer)
{
    static const char *const plain[] = { "add.s32", "sub.s32", "mul.lo.s32", "add.u32", "min.s32",
                                         "and.b32", "xor.b32" };
    static const char *const special[] = { "tid.x", "tid.y", "tid.z", "ctaid.x", "ntid.x",
                                           "laneid" };
    int small = dice_below(&writer->dice, 9) - 4;
    int d = number(writer), a = number(writer), b = number(writer);
    switch (dice_below(&writer->dice, 7)) {
    case 0:
        put(writer, "mad.lo.s32 %%r%d, %%r%d, %%r%d, %%r%d;\n", d, a, b, number(writer));
        break;
    case 1: put(writer, "shl.b32 %%r%d, %%r%d, %d;\n", d, a, dice_below(&writer->dice, 33)); break;
    case 2: put(writer, "add.s32 %%r%d, %%r%d, %d;\n", d, a, small); break;
    case 3: put(writer, "mul.lo.s32 %%r%d, %%r%d, %d;\n", d, a, small); break;
    case 4: put(writer, "mov.u32 %%r%d, %%%s;\n", d, special[dice_below(&writer->dice, 6)]); break;
    default: put(writer, "%s %%r%d, %%r%d, %%r%d;\n", plain[dice_below(&writer->dice, 7)], d, a, b);
    }
}

/* Arithmetic of f32 on any bits: NaN, subnormal numbers, and sources that all lanes share. */
static void put_float(struct writer *writer)
{
    static const char *const pairs[] = { "add.f32", "sub.f32", "mul.ftz.f32", "add.rz.f32",
                                         "sub.ftz.f32", "mul.f32", "max.f32" };
    static const char *const fused[] = { "fma.rn.f32", "fma.rn.ftz.f32", "fma.rp.f32" };
    static const uint32_t bits[] = { 0x3f800000, 0x80000001, 0x7f900001, 0x41200000 };
    int d = number(writer), a = number(writer), b = number(writer), c = number(writer);
    switch (dice_below(&writer->dice, 5)) {
    case 0: put(writer, "mov.b32 %%r%d, 0x%x;\n", d, bits[dice_below(&writer->dice, 4)]); break;
    case 1: put(writer, "cvt.rn.f32.s32 %%r%d, %%r%d;\n", d, a); break;
    case 2: put(writer, "%s %%r%d, %%r%d, %%r%d;\n", pairs[dice_below(&writer->dice, 7)], d, a, b);
        break;
    default: put(writer, "%s %%r%d, %%r%d, %%r%d, %%r%d;\n", fused[dice_below(&writer->dice, 3)], d,
                 a, b, c);
    }
}

static void put_wide(struct writer *writer)
{
    int d = address(writer), a = number(writer), b = number(writer), x = address(writer);
    switch (dice_below(&writer->dice, 8)) {
    case 0: put(writer, "mul.wide.s32 %%d%d, %%r%d, %%r%d;\n", d, a, b); break;
    case 1: put(writer, "mul.wide.u32 %%d%d, %%r%d, 4;\n", d, a); break;
    case 2: put(writer, "mad.wide.s32 %%d%d, %%r%d, -3, %%d%d;\n", d, a, x); break;
    case 3: put(writer, "cvt.s64.s32 %%d%d, %%r%d;\n", d, a); break;
    case 4: put(writer, "cvt.u64.u32 %%d%d, %%r%d;\n", d, a); break;
    case 5: put(writer, "cvt.u32.u64 %%r%d, %%d%d;\n", b, x); break;
    case 6: put(writer, "sub.s64 %%d%d, %%d%d, %%d%d;\n", d, x, address(writer)); break;
    default: put(writer, "shl.b64 %%d%d, %%d%d, %d;\n", d, x, dice_below(&writer->dice, 5));
    }
}

static void put_question(struct writer *writer)
{
    static const char *const words[] = { "eq.s32", "ne.u32", "lt.s32", "le.u32", "gt.s32",
                                         "ge.s32", "hi.u32", "lt.u32", "eq.b32" };
    int p = dice_below(&writer->dice, PREDICATES), q = dice_below(&writer->dice, PREDICATES);
    int a = number(writer), b = number(writer);
    const char *word = words[dice_below(&writer->dice, 9)];
    switch (dice_below(&writer->dice, 6)) {
    case 0: put(writer, "setp.%s %%p%d, %%r%d, %%r%d;\n", word, p, a, b); break;
    case 1: put(writer, "setp.lt.and.s32 %%p%d, %%r%d, 9, %%p%d;\n", p, a, q); break;
    case 2: put(writer, "or.pred %%p%d, %%p%d, %%p%d;\n", p, p, q); break;
    case 3: put(writer, "selp.b32 %%r%d, %%r%d, %%r%d, %%p%d;\n", a, a, b, p); break;
    case 4: put(writer, "bar.red.popc.u32 %%r%d, 0, %%p%d;\n", a, p); break;
    default: put(writer, "setp.%s %%p%d, %%r%d, %d;\n", word, p, a, dice_below(&writer->dice, 40));
    }
}

/* An access to shared memory by an address of 32 bits.  Now and then some lanes wrap around, which
 * what is added to the address does not make good. */
static void put_shared(struct writer *writer)
{
    int r = number(writer), wraps = dice_chance(&writer->dice, 5);
    put(writer, "add.s32 %%t, %%x, %%y; add.s32 %%t, %%t, %%z; mul.lo.s32 %%t, %%t, %d;\n",
        wraps ? -4 : 4);
    if (dice_chance(&writer->dice, 50))
        put(writer, "ld.shared.u32 %%r%d, [%%t+%d];\n", r, wraps ? 4092 : 0);
    else put(writer, "st.shared.u32 [%%t+%d], %%r%d;\n", wraps ? 4092 : 0, r);
}

/* An access near the middle of a buffer, mostly inside it: a small multiple of each place. */
static void put_access(struct writer *writer)
{
    static const char *const loads[] = { "ld.global.u32 %r", "ld.global.s8 %r", "ld.u16 %r" };
    int r = number(writer), way = dice_below(&writer->dice, 7);
    put(writer, "mul.lo.s32 %%t, %%x, %d; mad.lo.s32 %%t, %%y, %d, %%t;\n"
        "mad.lo.s32 %%t, %%z, %d, %%t;\n",
        dice_below(&writer->dice, 5) - 2, dice_below(&writer->dice, 70) - 20,
        dice_below(&writer->dice, 200) - 20);
    if (dice_chance(&writer->dice, 15)) put(writer, "add.s32 %%t, %%t, %%r%d;\n", number(writer));
    if (way == 5) {
        put(writer, "and.b32 %%t, %%t, 1023; shl.b32 %%t, %%t, 2;\n"
            "st.shared.u32 [%%t], %%r%d;\n", r);
        return;
    }
    put(writer, "mad.wide.s32 %%a, %%t, %d, %%memory;\n", 4 << dice_below(&writer->dice, 2));
    if (way < 3) put(writer, "%s%d, [%%a+%d];\n", loads[way], r, 4 * dice_below(&writer->dice, 3));
    else if (way == 3)
        put(writer, "ld.global.v2.u32 {%%r%d, %%r%d}, [%%a];\n", r, (r + 1) % NUMBERS);
    else if (way == 4) put(writer, "st.global.u32 [%%a], %%r%d;\n", r);
    else put(writer, "st.global.v2.u32 [%%a], {%%r%d, %%r%d};\n", r, number(writer));
}

/* What lanes of a warp get from each other; now and then each lane asks for something else. */
static void put_exchange(struct writer *writer)
{
    static const char *const ways[] = { "up", "down", "bfly", "idx" };
    static const char *const votes[] = { "all", "any", "uni" };
    int d = number(writer), a = number(writer);
    int p = dice_below(&writer->dice, PREDICATES), q = dice_below(&writer->dice, PREDICATES);
    const char *way = ways[dice_below(&writer->dice, 4)];
    int clamp = way[0] == 'u' ? 0 : 31, by = dice_below(&writer->dice, 40);
    switch (dice_below(&writer->dice, 8)) {
    case 0: put(writer, "vote.sync.ballot.b32 %%r%d, %%p%d, -1;\n", d, p); break;
    case 1: put(writer, "vote.sync.%s.pred %%p%d, %%p%d, -1;\n",
                votes[dice_below(&writer->dice, 3)], q, p);
        break;
    case 2: put(writer, "match.any.sync.b32 %%r%d, %%r%d, -1;\n", d, a); break;
    case 3: put(writer, "bar.warp.sync -1;\n"); break;
    case 4: put(writer, "shfl.sync.%s.b32 %%r%d|%%p%d, %%r%d, %%r%d, %d, -1;\n", way, d, p, a,
                number(writer), clamp);
        break;
    default: put(writer, "shfl.sync.%s.b32 %%r%d|%%p%d, %%r%d, %d, %d, -1;\n", way, d, p, a, by,
                 clamp | dice_below(&writer->dice, 4) << 11);
    }
}

static void put_plain(struct writer *writer)
{
    int what = dice_below(&writer->dice, 14);
    if (dice_chance(&writer->dice, 10)) {
        put(writer, "@%s%%p%d add.s32 %%r%d, %%r%d, 3;\n",
            dice_chance(&writer->dice, 50) ? "!" : "",
            dice_below(&writer->dice, PREDICATES), number(writer), number(writer));
        return;
    }
    if (writer->exchanges && dice_chance(&writer->dice, 15)) put_exchange(writer);
    else if (what < 4) put_integer(writer);
    else if (what < 7) put_wide(writer);
    else if (what < 8) put_question(writer);
    else if (what < 10) put_access(writer);
    else if (what < 11) put_shared(writer);
    else put_float(writer);
}

/* Some steps that are jumped over, or taken a few times. */
static void put_branch(struct writer *writer)
{
    unsigned label = writer->labels++;
    bool loop = dice_chance(&writer->dice, 40);
    int steps = 1 + dice_below(&writer->dice, 6);
    if (loop) put(writer, "mov.u32 %%n, %d;\nL%u:\n", 1 + dice_below(&writer->dice, 4), label);
    else put(writer, "@%%p%d bra L%u;\n", dice_below(&writer->dice, PREDICATES), label);
    if (!writer->exchanges && dice_chance(&writer->dice, 10))
        put(writer, "@%%p%d bra END;\n", dice_below(&writer->dice, PREDICATES));
    for (int i = 0; i < steps; i++)
        if (dice_chance(&writer->dice, 60)) put_integer(writer);
        else if (dice_chance(&writer->dice, 40)) put_float(writer);
        else if (dice_chance(&writer->dice, 50)) put_shared(writer);
        else put_access(writer);
    if (loop) put(writer, "sub.s32 %%n, %%n, 1; setp.gt.s32 %%q, %%n, 0; @%%q bra L%u;\n", label);
    else put(writer, "L%u:\n", label);
}

static void put_kernel(struct writer *writer)
{
    put(writer, ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".visible .entry k(.param .u64 memory, .param .u64 saved, .param .u32 n)\n{\n"
        ".reg .pred %%p<3>, %%q; .reg .b32 %%r<8>, %%x, %%y, %%z, %%t, %%n, %%id;\n"
        ".reg .b64 %%d<4>, %%memory, %%saved, %%a; .shared .align 4 .b8 s[4096];\n"
        "ld.param.u64 %%memory, [memory]; ld.param.u64 %%saved, [saved]; ld.param.u32 %%r7, [n];\n"
        "mov.u32 %%x, %%tid.x; mov.u32 %%y, %%tid.y; mov.u32 %%z, %%tid.z;\n"
        "mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%tid.y; mov.u32 %%r2, 5; mov.u32 %%r3, %%ntid.x;\n"
        "mov.u32 %%r4, %%ctaid.x; mad.lo.u32 %%r5, %%r4, %%r3, %%r0;\n");
    for (int i = 10 + dice_below(&writer->dice, 50); i-- > 0;)
        if (dice_chance(&writer->dice, 12)) put_branch(writer);
        else put_plain(writer);
    put(writer, "mov.u32 %%t, %%ntid.y; mad.lo.u32 %%id, %%z, %%t, %%y; mov.u32 %%t, %%ntid.x;\n"
        "mad.lo.u32 %%id, %%id, %%t, %%x; mov.u32 %%n, %%ntid.y; mul.lo.u32 %%t, %%t, %%n;\n"
        "mov.u32 %%n, %%ntid.z; mul.lo.u32 %%t, %%t, %%n; mov.u32 %%n, %%ctaid.x;\n"
        "mad.lo.u32 %%id, %%t, %%n, %%id; mad.wide.u32 %%saved, %%id, %d, %%saved;\n", SAVED + 4);
    for (int i = 0; i < NUMBERS; i++) put(writer, "st.global.u32 [%%saved+%d], %%r%d;\n", 4 * i, i);
    for (int i = 0; i < ADDRESSES; i++)
        put(writer, "st.global.u64 [%%saved+%d], %%d%d;\n", 4 * NUMBERS + 8 * i, i);
    put(writer, "selp.u32 %%t, 1, 0, %%p0; st.global.u32 [%%saved+%d], %%t;\nEND:\nret;\n}\n",
        SAVED - 4);
}

/* ---- Ways --------------------------------------------------------------------------------- */

static const uint32_t shapes[][3] = {
    { 256 }, { 32 }, { 100 }, { 700 }, { 1024 }, { 16, 16 }, { 32, 8 }, { 48, 5 }, { 7, 9 },
    { 8, 8, 4 }, { 1, 256 }, { 2, 3, 50 }, { 17, 1, 9 }, { 33, 31 }, { 4, 4, 64 }, { 1, 1, 64 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes, BLOCKS = 2, ROOM = BLOCKS * 1024 * (SAVED + 4) };

struct scene {
    struct machine *m;
    uint32_t *memory;
    unsigned char *saved;
    struct rl_footprint *print; /* or NULL */
};

/* What a launch leaves. */
struct outcome {
    rill_status status;
    char message[400];
    uint32_t memory[WORDS];
    unsigned char saved[ROOM];
};

static void run(const struct scene *scene, const char *text, const char *way,
                const uint32_t block[3], struct outcome *outcome)
{
    struct { void *memory, *saved; uint32_t n; } params = { scene->memory + MIDDLE, scene->saved,
                                                            77 };
    struct machine_shape shape = { .grid = { BLOCKS }, .block = { block[0], block[1], block[2] },
                                   .footprint = scene->print };
    for (uint32_t i = 0; i < WORDS; i++) scene->memory[i] = i * 2654435761u;
    memset(scene->saved, 0, ROOM);
    assert_int_equal(setenv("RILL_PTX_CODE", way, 1), 0);
    machine_load(scene->m, text);
    outcome->status = machine_launch(scene->m, "k", &shape, &params, sizeof params);
    strcpy(outcome->message, outcome->status ? machine_fault(scene->m)->message : "");
    memcpy(outcome->memory, scene->memory, sizeof outcome->memory);
    memcpy(outcome->saved, scene->saved, sizeof outcome->saved);
}

static struct scene open_scene(void)
{
    struct scene scene = { .m = machine_open() };
    scene.memory = machine_memory(scene.m, WORDS * sizeof *scene.memory);
    scene.saved = machine_memory(scene.m, ROOM);
    return scene;
}

/* Blocks of a launch that fails may have gone on or not, so only the sentence is compared then. */
static void is_same(const struct outcome *is, const struct outcome *lanes, const char *way,
                    uint64_t seed, const uint32_t block[3])
{
    bool same = is->status == lanes->status && !strcmp(is->message, lanes->message);
    if (same && !is->status)
        same = !memcmp(is->memory, lanes->memory, sizeof is->memory) &&
               !memcmp(is->saved, lanes->saved, sizeof is->saved);
    if (!same)
        fail_msg("seed %llu, blocks of %u x %u x %u, %s: another outcome: %s, not %s",
                 (unsigned long long)seed, block[0], block[1], block[2], way,
                 is->status ? is->message : "ended", lanes->status ? lanes->message : "ended");
}

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *value = getenv(name);
    return value ? strtoull(value, NULL, 0) : otherwise;
}

static uint64_t rounds_of(uint64_t otherwise)
{
#ifdef __SANITIZE_THREAD__
    otherwise = otherwise / 4 + 1; /* which takes a minute */
#endif
    uint64_t rounds = from_environment("RILL_TEST_ROUNDS", otherwise);
    uint64_t scale = from_environment("RILL_TEST_SCALE", 1);
    return scale > 1 ? rounds / scale + 1 : rounds;
}

/* A random kernel, and the shape of its blocks. */
struct kernel {
    struct writer writer;
    uint32_t block[3];
};

static void write_kernel(struct kernel *kernel, uint64_t seed)
{
    uint32_t threads = 1;
    for (unsigned k = 0; k < 3; k++) {
        kernel->block[k] = shapes[seed % SHAPES][k];
        if (!kernel->block[k]) kernel->block[k] = 1;
        threads *= kernel->block[k];
    }
    kernel->writer = (struct writer){ .dice = { seed },
                                      .exchanges = threads % 32 == 0 && seed & 32 };
    put_kernel(&kernel->writer);
    if (getenv("RILL_TEST_TEXT")) printf("%s\n", kernel->writer.text);
}

static void all_ways_to_run_a_kernel_leave_the_same(void **state)
{
    (void)state;
    uint64_t seed = from_environment("RILL_TEST_SEED", 1), rounds = rounds_of(400);
    struct scene scene = open_scene();
    static struct outcome lanes, other;
    static struct kernel kernel;
    unsigned ended = 0;
    for (uint64_t end = seed + rounds; seed < end; seed++) {
        const char *text = kernel.writer.text;
        const uint32_t *block = kernel.block;
        write_kernel(&kernel, seed);
        run(&scene, text, "lanes", block, &lanes);
        run(&scene, text, "affine", block, &other);
        is_same(&other, &lanes, "affine", seed, block);
        run(&scene, text, "both", block, &other);
        is_same(&other, &lanes, "both", seed, block);
        ended += !lanes.status;
    }
    printf("# %u of %u kernels ended\n", ended, (unsigned)rounds);
    machine_close(scene.m);
}

/* ---- What is touched ---------------------------------------------------------------------- */

struct rows {
    rill_touched *rows;
    size_t count;
};

/* Returns what a kernel touches, run in a way.  No rows if it does not end. */
static struct rows touched_rows(struct scene *scene, const struct kernel *kernel, const char *way)
{
    static struct outcome outcome;
    struct rows found = { NULL, 0 };
    rl_footprint_clear(scene->print);
    run(scene, kernel->writer.text, way, kernel->block, &outcome);
    assert_true(rl_footprint_exact(scene->print, NULL));
    if (!outcome.status)
        assert_true(rl_footprint_rows(scene->print, SIZE_MAX, &found.rows, &found.count));
    return found;
}

static bool are_same_rows(const struct rows *a, const struct rows *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->rows[i].address == b->rows[i].address && a->rows[i].bytes == b->rows[i].bytes &&
               a->rows[i].how == b->rows[i].how;
    return same;
}

static void all_ways_to_run_a_kernel_touch_the_same(void **state)
{
    (void)state;
    static const char *const ways[] = { "affine", "both" };
    uint64_t seed = from_environment("RILL_TEST_SEED", 1), rounds = rounds_of(200);
    struct scene scene = open_scene();
    static struct kernel kernel;
    scene.print = rl_footprint_create(0);
    assert_non_null(scene.print);
    for (uint64_t end = seed + rounds; seed < end; seed++) {
        write_kernel(&kernel, seed);
        struct rows lanes = touched_rows(&scene, &kernel, "lanes");
        for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
            struct rows other = touched_rows(&scene, &kernel, ways[i]);
            if (!are_same_rows(&other, &lanes))
                fail_msg("seed %llu, blocks of %u x %u x %u, %s: %zu other rows than %zu",
                         (unsigned long long)seed, kernel.block[0], kernel.block[1],
                         kernel.block[2], ways[i], other.count, lanes.count);
            rl_free(other.rows);
        }
        rl_free(lanes.rows);
    }
    rl_footprint_destroy(scene.print);
    machine_close(scene.m);
}

/* ---- The variable ------------------------------------------------------------------------- */

static void an_unknown_way_is_refused(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    assert_int_equal(setenv("RILL_PTX_CODE", "slanes", 1), 0);
    machine_refuses(m, ".version 7.0\n.target sm_70\n.address_size 64\n", RILL_ERROR_INVALID_VALUE,
                    "slanes", "affine, lanes or both");
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_to_run_a_kernel_leave_the_same),
        cmocka_unit_test(all_ways_to_run_a_kernel_touch_the_same),
        cmocka_unit_test(an_unknown_way_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
