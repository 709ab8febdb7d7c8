/* SPDX-License-Identifier: Apache-2.0
 *
 * What compares the place of a thread with numbers holds in a box of threads, or outside of it, and
 * nobody looks at lanes (affine/box.h).  Each thread gets the answer that it would get alone.
 *
 *     RILL_TEST_SEED=7 RILL_TEST_ROUNDS=1 RILL_TEST_TEXT=1 test_box
 *
 * begins with that seed, runs so many random kernels, and shows their text.
 */
#include <stdarg.h>
#include <stdio.h>

#include "ptx/machine.h"
#include "support/random.h"

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

static const struct machine_shape shapes[] = {
    { .grid = { 40 }, .block = { 64 } },        { .grid = { 40, 3 }, .block = { 16, 16 } },
    { .grid = { 33, 2 }, .block = { 17, 5 } },  { .grid = { 3 }, .block = { 1000 } },
    { .grid = { 2, 2 }, .block = { 300, 3 } },  { .grid = { 64, 2 }, .block = { 8, 4 } },
    { .grid = { 2, 2 }, .block = { 7, 3, 9 } }, { .grid = { 20, 20 }, .block = { 32, 2 } },
};
enum { SHAPES = sizeof shapes / sizeof *shapes, WORDS = 1 << 16, PREDICATES = 6 };

static uint32_t size_of(const uint32_t size[3], unsigned axis)
{
    return size[axis] ? size[axis] : 1;
}

/* ---- A kernel, and what a thread is to answer ------------------------------------------------ */

struct compared {
    unsigned source, question;   /* %x, %y, ...; a comparison                           */
    int number;
};

/* A predicate: a comparison, or what one or two of those before it come to. */
struct part {
    unsigned what, a, b;
    struct compared compared;
};

enum { COMPARES, ORS, ANDS, XORS, NOTS, KINDS };
static const char *const joins[] = { "", "or.pred", "and.pred", "xor.pred", "not.pred" };
static const char *const questions[] = { "eq", "ne", "lt", "le", "gt", "ge" };
static const char *const sources[] = { "%x", "%y", "%down", "%across", "%sum" };

struct kernel {
    struct part parts[2 * PREDICATES];
    unsigned count;
    bool exits;                  /* threads leave by a branch; else they are guarded    */
    char text[8192];
    size_t used;
};

static bool answer_compared(const struct compared *compared, const int values[5])
{
    const int value = values[compared->source];
    switch (compared->question) {
    case 0: return value == compared->number;
    case 1: return value != compared->number;
    case 2: return value < compared->number;
    case 3: return value <= compared->number;
    case 4: return value > compared->number;
    default: return value >= compared->number;
    }
}

static bool answer(const struct kernel *kernel, unsigned number, const int values[5])
{
    const struct part *part = &kernel->parts[number];
    if (part->what == COMPARES) return answer_compared(&part->compared, values);
    const bool a = answer(kernel, part->a, values);
    if (part->what == NOTS) return !a;
    const bool b = answer(kernel, part->b, values);
    return part->what == ORS ? a || b : part->what == ANDS ? a && b : a != b;
}

__attribute__((format(printf, 2, 3)))
static void put(struct kernel *kernel, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kernel->used += (size_t)vsnprintf(kernel->text + kernel->used,
                                      sizeof kernel->text - kernel->used, format, arguments);
    va_end(arguments);
}

/* %n is the thread's number in the grid, %x and %y its place there; %down and %across fall along
 * rows and columns. */
static const char begin[] = HEAD
    ".visible .entry k(.param .u64 memory)\n{\n"
    ".reg .pred %p<12>; .reg .b32 %r<8>, %x, %y, %down, %across, %sum, %n; .reg .b64 %a, %m;\n"
    "ld.param.u64 %m, [memory];\n"
    "mov.u32 %r0, %ntid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;\n"
    "mad.lo.s32 %x, %r1, %r0, %r2; mov.u32 %r3, %nctaid.x; mul.lo.s32 %r3, %r3, %r0;\n"
    "mov.u32 %r4, %ntid.y; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %tid.y;\n"
    "mad.lo.s32 %y, %r5, %r4, %r6; mov.u32 %r5, %nctaid.y; mul.lo.s32 %r4, %r5, %r4;\n"
    "mov.u32 %r5, %tid.z; mad.lo.s32 %r5, %r5, %r4, %y; mad.lo.s32 %n, %r5, %r3, %x;\n"
    "sub.s32 %down, 20, %x; mul.lo.s32 %across, %y, -3; add.s32 %sum, %x, %y;\n"
    "mad.wide.u32 %a, %n, 4, %m;\n";

static void draw_part(struct kernel *kernel, struct dice *dice)
{
    const unsigned number = kernel->count++;
    struct part *part = &kernel->parts[number];
    part->what = number < 2 ? COMPARES : (unsigned)dice_below(dice, KINDS);
    if (part->what == COMPARES) {
        part->compared = (struct compared){ (unsigned)dice_below(dice, 5),
                                            (unsigned)dice_below(dice, 6),
                                            dice_below(dice, 80) - 20 };
        put(kernel, "setp.%s.s32 %%p%u, %s, %d;\n", questions[part->compared.question], number,
            sources[part->compared.source], part->compared.number);
        return;
    }
    part->a = (unsigned)dice_below(dice, (int)number);
    part->b = (unsigned)dice_below(dice, (int)number);
    if (part->what == NOTS) put(kernel, "not.pred %%p%u, %%p%u;\n", number, part->a);
    else
        put(kernel, "%s %%p%u, %%p%u, %%p%u;\n", joins[part->what], number, part->a, part->b);
}

static void draw_kernel(struct kernel *kernel, struct dice *dice)
{
    *kernel = (struct kernel){ .exits = dice_below(dice, 2) };
    put(kernel, "%s", begin);
    for (int i = 0; i < 2 * PREDICATES; i++) draw_part(kernel, dice);
    const unsigned last = kernel->count - 1;
    if (kernel->exits) put(kernel, "@%%p%u bra END;\nst.global.u32 [%%a], 7;\n", last);
    else put(kernel, "@!%%p%u st.global.u32 [%%a], 7;\n", last);
    put(kernel, "selp.u32 %%r7, 9, 7, %%p%u; st.global.u32 [%%a], %%r7;\nEND: ret;\n}\n", last - 1);
}

/* ---- Running it ------------------------------------------------------------------------------ */

static uint32_t expected(const struct kernel *kernel, const int values[5])
{
    const unsigned last = kernel->count - 1;
    if (kernel->exits && answer(kernel, last, values)) return 0;
    return answer(kernel, last - 1, values) ? 9 : 7;
}

static void check_all(const struct kernel *kernel, const struct machine_shape *shape,
                      const uint32_t *memory, uint64_t seed, const char *way)
{
    const uint32_t width = size_of(shape->grid, 0) * size_of(shape->block, 0);
    const uint32_t height = size_of(shape->grid, 1) * size_of(shape->block, 1);
    for (uint32_t n = 0; n < width * height * size_of(shape->block, 2); n++) {
        const int x = (int)(n % width), y = (int)(n / width % height);
        const int values[] = { x, y, 20 - x, -3 * y, x + y };
        if (memory[n] != expected(kernel, values))
            fail_msg("seed %llu, %s: thread at %d, %d has %u and not %u", (unsigned long long)seed,
                     way, x, y, memory[n], expected(kernel, values));
    }
}

static void answers_are_those_of_each_thread(void **state)
{
    static const char *const ways[] = { "affine", "both", "lanes" };
    const char *first = getenv("RILL_TEST_SEED"), *many = getenv("RILL_TEST_ROUNDS");
    uint64_t seed = first ? strtoull(first, NULL, 0) : 1;
    const uint64_t last = seed + (many ? strtoull(many, NULL, 0) : 150);
    static struct kernel kernel;
    struct machine *m = machine_open();
    uint32_t *memory = machine_memory(m, WORDS * sizeof *memory);
    struct { uint32_t *memory; } params = { memory };
    (void)state;
    for (; seed < last; seed++) {
        struct dice dice = { seed };
        draw_kernel(&kernel, &dice);
        if (getenv("RILL_TEST_TEXT")) printf("%s\n", kernel.text);
        for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
            memset(memory, 0, WORDS * sizeof *memory);
            assert_int_equal(setenv("RILL_PTX_CODE", ways[i], 1), 0);
            machine_load(m, kernel.text);
            machine_run(m, "k", &shapes[seed % SHAPES], &params, sizeof params);
            check_all(&kernel, &shapes[seed % SHAPES], memory, seed, ways[i]);
        }
    }
    machine_close(m);
}

/* ---- Edges ----------------------------------------------------------------------------------- */

/* Sums of four neighbours, of threads that have them: what others would read is no memory. */
static const char neighbours[] = HEAD
    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 w, .param .u32 h)\n{\n"
    ".reg .pred %p<8>; .reg .b32 %r<12>; .reg .b64 %a<6>; .reg .f32 %f<8>;\n"
    "ld.param.u64 %a0, [in]; ld.param.u64 %a1, [out];\n"
    "ld.param.u32 %r0, [w]; ld.param.u32 %r1, [h];\n"
    "mov.u32 %r2, %ntid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %tid.x;\n"
    "mad.lo.s32 %r5, %r3, %r2, %r4; mov.u32 %r2, %ntid.y; mov.u32 %r3, %ctaid.y;\n"
    "mov.u32 %r4, %tid.y; mad.lo.s32 %r6, %r3, %r2, %r4;\n"
    "setp.lt.s32 %p0, %r5, 1; setp.lt.s32 %p1, %r6, 1; or.pred %p0, %p0, %p1;\n"
    "add.s32 %r7, %r0, -1; setp.ge.s32 %p1, %r5, %r7; or.pred %p0, %p0, %p1;\n"
    "add.s32 %r8, %r1, -1; setp.ge.s32 %p1, %r6, %r8; or.pred %p0, %p0, %p1; @%p0 bra END;\n"
    "mad.lo.s32 %r9, %r6, %r0, %r5; mul.wide.s32 %a2, %r9, 4; add.s64 %a3, %a0, %a2;\n"
    "mul.wide.s32 %a4, %r0, 4; sub.s64 %a5, %a3, %a4; add.s64 %a4, %a3, %a4;\n"
    "ld.global.f32 %f0, [%a3+-4]; ld.global.f32 %f1, [%a3+4]; add.f32 %f0, %f0, %f1;\n"
    "ld.global.f32 %f1, [%a5]; add.f32 %f0, %f0, %f1; ld.global.f32 %f1, [%a4];\n"
    "add.f32 %f0, %f0, %f1; add.s64 %a2, %a1, %a2; st.global.f32 [%a2], %f0;\nEND: ret;\n}\n";

static void threads_at_edges_read_nothing_beyond(void **state)
{
    enum { WIDE = 100, HIGH = 50 };
    struct machine *m = machine_open();
    float *in = machine_memory(m, WIDE * HIGH * sizeof *in);
    float *out = machine_memory(m, WIDE * HIGH * sizeof *out);
    struct { float *in, *out; uint32_t width, height; } params = { in, out, WIDE, HIGH };
    const struct machine_shape shape = { .grid = { 7, 4 }, .block = { 16, 16 } };
    (void)state;
    for (int i = 0; i < WIDE * HIGH; i++) in[i] = (float)(i % 97);
    assert_int_equal(setenv("RILL_PTX_CODE", "affine", 1), 0);
    machine_load(m, neighbours);
    machine_run(m, "k", &shape, &params, sizeof params);
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            const bool inside = x > 0 && y > 0 && x < WIDE - 1 && y < HIGH - 1;
            const float *at = in + y * WIDE + x;
            const float sum = inside ? at[-1] + at[1] + at[-WIDE] + at[WIDE] : 0;
            if (out[y * WIDE + x] != sum) fail_msg("at %d, %d: %f", x, y, out[y * WIDE + x]);
        }
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_each_thread),
        cmocka_unit_test(threads_at_edges_read_nothing_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
