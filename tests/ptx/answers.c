/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

#include <stdio.h>

#define RANDOM_ROWS 1200
#define MOST_ROWS 6000
#define PRESET UINT64_C(0xa5a5a5a5a5a5a5a5)

struct operand {
    char type[8];
    unsigned bytes;
    const uint64_t *edges;
    size_t edge_count;
};

/* ---- Values --------------------------------------------------------------------------- */

static const uint64_t integers[] = {
    0, 1, 2, 7, 31, 32, 33, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x800000,
    0xffffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
    0x8000000000000000, 0xffffffffffff8000, 0xffffffffffffffff,
};
static const uint64_t singles[] = {
    0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800000,
    0x3f000000, 0xbf000000, 0x3fc00000, 0xbfc00000, 0x40200000, 0xc0200000, 0x3effffff,
    0x4b000001, 0x4b7fffff, 0x4b800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
    0x7fc00000, 0xffc00001, 0x7f800001, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f7fffff,
    0x4f800000, 0x5f000000, 0xdf000000, 0x5effffff, 0x5f800000, 0x437f0000, 0x43800000,
    0xc3000000, 0xc3010000, 0x46fffe00, 0x47000000, 0x477fff00, 0x47800000, 0x477fe000,
    0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0x33800000, 0x387fc000, 0x387fe000,
    0x38800000, 0x3f801000, 0x3f803000, 0x3f808000, 0x3f818000, 0x7f7f7fff, 0x7f7f8000,
};
static const uint64_t doubles[] = {
    0, 0x8000000000000000, 1, 0x8000000000000001, 0x000fffffffffffff, 0x3ff0000000000000,
    0xbff0000000000000, 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000,
    0x4004000000000000, 0xc004000000000000, 0x7fefffffffffffff, 0xffefffffffffffff,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000001,
    0x7ff0000000000001, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000,
    0x41dfffffffc00000, 0x41f0000000000000, 0x43e0000000000000, 0xc3e0000000000000,
    0x43f0000000000000, 0x36a0000000000000, 0x3690000000000000, 0x3690000000000001,
    0x380fffffffffffff, 0x47efffffefffffff, 0x47effffff0000000, 0x3ff0000010000000,
    0x3ff0000010000001, 0x3ff0000030000000, 0x40efffe000000000, 0x40f0000000000000,
    0x40effdffffffffff, 0x40effe0000000000, 0x3ff0020000000000, 0x3ff0020000000001,
    0x3e60000000000000, 0x3e70000000000000, 0x4330000000000001, 0x3fdfffffffffffff,
};
static const uint64_t halves[] = {
    0, 0x8000, 1, 0x8001, 0x3ff, 0x83ff, 0x400, 0x3c00, 0xbc00, 0x3800, 0xb800, 0x3e00, 0xbe00,
    0x4100, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0xfe12, 0x7e00, 0x7fff, 0x5bf8, 0x5c00,
    0x3f80, 0x7f80, 0xff80, 0x7f81, 0x007f, 0x0080, 0x4f00, 0xcf00,
};
static const uint64_t halves_2[] = {
    0, 0x80000000, 0x3c00bc00, 0xbc003c00, 0x7e003c00, 0x3c007e00, 0x00018001, 0x7c00fc00,
    0x3f80bf80, 0x7fc03f80, 0x00000001,
};
static const uint64_t predicates[] = { 0, 1 };

static uint64_t random_state;

static uint64_t random_bits(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = random_state ^ random_state >> 29;
    return x * UINT64_C(0x9e3779b97f4a7c15) ^ x >> 32;
}

static void set_edges(struct operand *operand)
{
    const char *type = operand->type;
#define EDGES(list) (operand->edges = (list), operand->edge_count = sizeof(list) / sizeof *(list))
    if (!strcmp(type, "pred")) EDGES(predicates);
    else if (!strcmp(type, "f16") || !strcmp(type, "bf16")) EDGES(halves);
    else if (!strcmp(type, "f16x2") || !strcmp(type, "bf16x2")) EDGES(halves_2);
    else if (!strcmp(type, "f32")) EDGES(singles);
    else if (!strcmp(type, "f64")) EDGES(doubles);
    else EDGES(integers);
#undef EDGES
}

/* An edge, a small number, a power of two or one beside it, or anything. */
static uint64_t value_of(const struct operand *operand)
{
    if (operand->edges == predicates) return random_bits() & 1;
    switch (random_bits() % 5) {
    case 0: return operand->edges[random_bits() % operand->edge_count];
    case 1: return random_bits() % 80;
    case 2: return (UINT64_C(1) << random_bits() % 64) + random_bits() % 3 - 1;
    default: return random_bits();
    }
}

/* ---- Rows ------------------------------------------------------------------------------ */

static struct answers_row rows[MOST_ROWS];

static void fill_row(struct answers_row *row, const struct operand *operands, unsigned count)
{
    for (unsigned i = 1; i < count; i++) row->x[i - 1] = value_of(&operands[i]);
}

static size_t fill_rows(const struct operand *operands, unsigned count)
{
    size_t at = 0;
    const size_t second = count > 2 ? operands[2].edge_count : 1;
    for (size_t i = 0; i < operands[1].edge_count * second; i++, at++) {
        fill_row(&rows[at], operands, count);
        rows[at].x[0] = operands[1].edges[i / second];
        if (count > 2) rows[at].x[1] = operands[2].edges[i % second];
    }
    assert_true(at + RANDOM_ROWS <= MOST_ROWS);
    for (size_t i = 0; i < RANDOM_ROWS; i++) fill_row(&rows[at++], operands, count);
    for (size_t i = 0; i < at; i++) {
        rows[i].bits = 8 * operands[1].bytes;
        for (unsigned k = 1; k < count; k++)
            if (operands[k].bytes < 8)
                rows[i].x[k - 1] &= (UINT64_C(1) << (8 * operands[k].bytes)) - 1;
    }
    return at;
}

/* ---- Running --------------------------------------------------------------------------- */

static unsigned parse(const char *types, struct operand operands[4])
{
    unsigned count = 0;
    for (const char *at = types; *at; count++) {
        const size_t length = strcspn(at, " ");
        struct operand *operand = &operands[count];
        assert_true(count < 4 && length < sizeof operand->type);
        memcpy(operand->type, at, length);
        operand->type[length] = '\0';
        at += length + (at[length] == ' ');
        operand->bytes = !strcmp(operand->type, "pred")    ? 1
                         : !strcmp(operand->type, "bf16")  ? 2
                         : strchr(operand->type, 'x')      ? 4
                                                           : (unsigned)atoi(operand->type + 1) / 8;
        set_edges(operand);
    }
    return count;
}

/* Runs `text`; lanes that `some` leaves out keep what %d was set to. */
static void run(const struct answers_case *what, const char *text,
                const struct operand *operands, unsigned count, size_t row_count, bool some)
{
    static unsigned char columns[4][MOST_ROWS * 8];
    memset(columns, 0, sizeof columns);
    for (size_t i = 0; i < row_count; i++)
        for (unsigned k = 1; k < count; k++)
            memcpy(columns[k] + i * operands[k].bytes, &rows[i].x[k - 1], operands[k].bytes);
    machine_apply(text, what->types, row_count, columns[0], columns[1], columns[2], columns[3]);
    const unsigned bytes = operands[0].bytes;
    for (size_t i = 0; i < row_count; i++) {
        uint64_t got = 0, wanted = some && (i & 5) != 1 ? PRESET : what->expected(&rows[i]);
        memcpy(&got, columns[0] + i * bytes, bytes);
        if (bytes < 8) wanted &= (UINT64_C(1) << (8 * bytes)) - 1;
        if (!strcmp(operands[0].type, "pred")) wanted &= 1;
        if (got != wanted)
            fail_msg("%s: %#llx, %#llx, %#llx gave %#llx, not %#llx", text,
                     (unsigned long long)rows[i].x[0], (unsigned long long)rows[i].x[1],
                     (unsigned long long)rows[i].x[2], (unsigned long long)got,
                     (unsigned long long)wanted);
    }
}

static void check(const struct answers_case *what)
{
    struct operand operands[4] = { { .bytes = 0 } };
    const unsigned count = parse(what->types, operands), bytes = operands[0].bytes;
    random_state = 4711;
    const size_t row_count = fill_rows(operands, count);
    char text[400];
    if (strchr(what->instruction, '%')) {
        run(what, what->instruction, operands, count, row_count, false);
        return;
    }
    static const char *const places[] = { "", "%a", "%a, %b", "%a, %b, %c" };
    const char *sources = places[count - 1], *after = count > 2 ? sources + 2 : "";
    snprintf(text, sizeof text, "%s %%d, %s;", what->instruction, sources);
    run(what, text, operands, count, row_count, false);
    const char *bits = !strcmp(operands[0].type, "pred") ? "pred"
                       : bytes <= 2                      ? "b16"
                       : bytes == 4                      ? "b32"
                                                         : "b64";
    if (!strcmp(operands[0].type, operands[1].type)) {
        snprintf(text, sizeof text, "mov.%s %%d, %%a; %s %%d, %%d%s;", bits, what->instruction,
                 after);
        run(what, text, operands, count, row_count, false);
    }
    snprintf(text, sizeof text,
             "mov.%s %%d, %#llx; and.b32 %%r9, %%index, 5; setp.eq.u32 %%p9, %%r9, 1; "
             "@%%p9 %s %%d, %s;", bits,
             (unsigned long long)(bytes == 8 ? PRESET : PRESET & ((UINT64_C(1) << 8 * bytes) - 1)),
             what->instruction, sources);
    run(what, text, operands, count, row_count, true);
}

void answers_check(const struct answers_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) check(&cases[i]);
}
