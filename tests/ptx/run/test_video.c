/* SPDX-License-Identifier: Apache-2.0
 *
 * The scalar video instructions against a model of them: parts of sources, the operation
 * without an end to its bits, saturation, and a second operation.  The model is the ISA's
 * but for results that are a part, and unsigned ones that saturate: of these it has what the
 * assembler of CUDA 13 makes, as an H200 and an H100 were asked (test_dialects.c, answers).
 */
#include "ptx/machine.h"

#include <inttypes.h>
#include <stdio.h>

#include "support/random.h"

enum { ADD, SUB, ABSDIFF, MIN, MAX, OPERATIONS };
enum { NOTHING, PLUS, LESS, MORE, MERGE, SECONDS };
enum { UPPER_HALF = 6 }; /* among `parts` */

static const char *const operations[] = { "vadd", "vsub", "vabsdiff", "vmin", "vmax" };
static const char *const types[] = { ".u32", ".s32" };
static const char *const parts[] = { "", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1" };
static const char *const seconds[] = { "", ".add", ".min", ".max", "" };

struct video {
    unsigned operation, second, part_a, part_b, part_d;
    bool a_signed, b_signed, d_signed, saturates, spare;
};

static struct video draw(struct dice *dice)
{
    struct video v = { 0 };
    v.operation = (unsigned)dice_below(dice, OPERATIONS);
    v.second = (unsigned)dice_below(dice, SECONDS);
    if (dice_below(dice, 2)) {
        v.part_a = (unsigned)dice_below(dice, 7);
        v.part_b = (unsigned)dice_below(dice, 7);
    }
    v.part_d = v.second == MERGE ? 1 + (unsigned)dice_below(dice, 6) : 0;
    v.a_signed = dice_below(dice, 2);
    v.b_signed = dice_below(dice, 2);
    v.d_signed = dice_below(dice, 2);
    v.saturates = dice_below(dice, 2);
    v.spare = dice_below(dice, 2);
    return v;
}

static void spell(const struct video *v, char *text, size_t room)
{
    snprintf(text, room, "%s%s%s%s%s%s %%r4%s, %%r1%s, %%r2%s%s;", operations[v->operation],
             types[v->d_signed], types[v->a_signed], types[v->b_signed],
             v->saturates ? ".sat" : "", seconds[v->second], parts[v->part_d], parts[v->part_a],
             parts[v->part_b], v->second || v->spare ? ", %r3" : "");
}

/* ---- The model ------------------------------------------------------------------------------ */

static int first_bit(unsigned part)
{
    static const int first[] = { 0, 0, 8, 16, 24, 0, 16 };
    return first[part];
}

static int width(unsigned part)
{
    return part == 0 ? 32 : part < 5 ? 8 : 16;
}

static int64_t part_of(uint32_t value, unsigned part, bool is_signed)
{
    int64_t sum = 0;
    for (int i = 0; i < width(part); i++) {
        int64_t bit = value >> (first_bit(part) + i) & 1;
        sum += is_signed && i == width(part) - 1 ? -(bit << i) : bit << i;
    }
    return sum;
}

static int64_t limited(int64_t value, int bits, bool is_signed)
{
    int64_t all = INT64_C(1) << bits;
    int64_t low = is_signed ? -all / 2 : 0, high = low + all - 1;
    if (value < low) return low;
    return value > high ? high : value;
}

/* What is compared of a saturated unsigned result, as an H100 does: a sum with its upper bit set
 * exceeds everything, and a distance has not wrapped around yet. */
static int64_t compared(unsigned operation, int64_t exact, uint32_t result)
{
    if (operation == ABSDIFF) return exact;
    bool sum = operation == ADD || operation == SUB;
    return sum && result >> 31 ? INT64_MAX : result;
}

static uint32_t model(const struct video *v, uint32_t x, uint32_t y, uint32_t z)
{
    int64_t a = part_of(x, v->part_a, v->a_signed), b = part_of(y, v->part_b, v->b_signed), r = 0;
    switch (v->operation) {
    case ADD: r = a + b; break;
    case SUB: r = a - b; break;
    case ABSDIFF: r = a < b ? b - a : a - b; break;
    case MIN: r = a < b ? a : b; break;
    case MAX: r = a < b ? b : a; break;
    }
    int64_t exact = r;
    bool unsigned_word = v->part_d == 0 && !v->d_signed;
    if (v->saturates && v->second == MERGE && r < 0) r = INT64_MAX;
    if (v->saturates && unsigned_word) r = r < 0 ? 0 : (uint32_t)r;
    else if (v->saturates) r = limited(r, width(v->part_d), v->d_signed);
    uint32_t result = (uint32_t)r;
    int64_t left = part_of(result, 0, v->d_signed), right = part_of(z, 0, v->d_signed);
    if (v->saturates && unsigned_word) left = compared(v->operation, exact, result);
    switch (v->second) {
    case PLUS: return result + z;
    case LESS: return left < right ? result : z;
    case MORE: return left < right ? z : result;
    case MERGE:
        if (v->part_d == UPPER_HALF) return (result & 0xffff0000u) | (z & 0xffffu);
        for (int i = 0; i < width(v->part_d); i++) {
            uint32_t bit = UINT32_C(1) << (first_bit(v->part_d) + i);
            z = result >> i & 1 ? z | bit : z & ~bit;
        }
        return z;
    default: return result;
    }
}

/* ---- Tests ---------------------------------------------------------------------------------- */

#define LANES 100

static const char frame[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%d; .reg .b32 %%r<5>;\n"
    "ld.param.u64 %%d, [p]; mov.u32 %%r0, %%tid.x; mad.wide.u32 %%d, %%r0, 16, %%d;\n"
    "ld.global.v4.b32 {%%r1, %%r2, %%r3, %%r4}, [%%d];\n%s\n"
    "st.global.b32 [%%d+12], %%r4;\nret;\n}\n";

static uint32_t word(struct dice *dice)
{
    static const uint32_t edges[] = { 0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
                                      0x80000000, 0xffffffff };
    if (dice_below(dice, 3)) return (uint32_t)dice_next(dice);
    return edges[dice_below(dice, sizeof edges / sizeof *edges)];
}

static void video_is_what_the_model_says(void **state)
{
    struct machine *m = machine_open();
    uint32_t (*rows)[4] = machine_memory(m, LANES * sizeof *rows);
    struct machine_shape shape = { .block = { LANES } };
    struct dice dice = { 7 };
    (void)state;
    for (int n = 0; n < 600; n++) {
        struct video v = draw(&dice);
        uint32_t wanted[LANES];
        char instruction[120], text[1000];
        spell(&v, instruction, sizeof instruction);
        snprintf(text, sizeof text, frame, instruction);
        for (int i = 0; i < LANES; i++) {
            for (int k = 0; k < 4; k++) rows[i][k] = word(&dice);
            wanted[i] = model(&v, rows[i][0], rows[i][1], rows[i][2]);
        }
        machine_load(m, text);
        machine_run(m, "k", &shape, &rows, sizeof rows);
        for (int i = 0; i < LANES; i++)
            if (rows[i][3] != wanted[i])
                fail_msg("%s of %08" PRIx32 ", %08" PRIx32 ", %08" PRIx32 " is %08" PRIx32
                         ", not %08" PRIx32, instruction, rows[i][0], rows[i][1], rows[i][2],
                         rows[i][3], wanted[i]);
    }
    machine_close(m);
}

/* As the assembler of CUDA 13 has it. */
static void video_that_makes_no_sense_is_refused(void **state)
{
    static const struct {
        const char *instruction, *words;
    } cases[] = {
        { "vadd.u32.u32.u32.add %r4, %r1, %r2;", "3 operands where there should be 4" },
        { "vadd.u32.u32.u32 %r4.b0, %r1, %r2;", "3 operands where there should be 4" },
        { "vadd.u32.u32.u32.add %r4.b0, %r1, %r2, %r3;", "no more" },
        { "vadd.u32.u32.u32.add.min %r4, %r1, %r2, %r3;", "no more" },
        { "vadd.u32.u32.u64 %r4, %r1, %r2;", "no form" },
        { "vadd.u32.u32.u32 %r4, %r1.b4, %r2;", "';'" },
        { "add.u32 %r4, %r1.b0, %r2;", "';'" },
        { "vadd.u32.u32.u32 %r4;", "two sources" },
    };
    struct machine *m = machine_open();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text, frame, cases[i].instruction);
        machine_refuses(m, text, RILL_ERROR_INVALID_PTX, cases[i].words, "line 9");
    }
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(video_is_what_the_model_says),
        cmocka_unit_test(video_that_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
