/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with a sparse factor, as the matrix with its zeros says what they are.  How they round
 * is in test_tiles and test_groups.
 */
#include <stdio.h>

#include "ptx/machine.h"

#define LANES 32
#define HEAD ".version 8.7\n.target sm_90\n.address_size 64\n"

/* A warp's product: each lane loads its registers of a, b and c and the places, in this order. */
static const char frame[] = HEAD
    ".visible .entry k(.param .u64 to, .param .u64 from)\n{\n"
    ".reg .b64 %%d, %%s; .reg .b32 %%t, %%a<4>, %%b<4>, %%c<4>, %%e;\n"
    "ld.param.u64 %%d, [to]; ld.param.u64 %%s, [from]; mov.u32 %%t, %%tid.x;\n"
    "mad.wide.u32 %%d, %%t, 16, %%d; mad.wide.u32 %%s, %%t, 64, %%s;\n"
    "ld.global.v4.b32 {%%a0,%%a1,%%a2,%%a3}, [%%s];\n"
    "ld.global.v4.b32 {%%b0,%%b1,%%b2,%%b3}, [%%s+16];\n"
    "ld.global.v4.b32 {%%c0,%%c1,%%c2,%%c3}, [%%s+32]; ld.global.b32 %%e, [%%s+48];\n"
    "%s\nst.global.v4.b32 [%%d], {%%c0,%%c1,%%c2,%%c3};\nret;\n}\n";

struct lane {
    uint32_t a[4], b[4], c[4], places, unused[3];
};

static void multiply(const char *product, const struct lane *from, uint32_t (*to)[4])
{
    char text[2048];
    snprintf(text, sizeof text, frame, product);
    struct machine *m = machine_open();
    machine_load(m, text);
    struct { void *to, *from; } params = { machine_memory(m, LANES * 16),
                                           machine_memory(m, LANES * sizeof *from) };
    memcpy(params.from, from, LANES * sizeof *from);
    machine_run(m, "k", &(struct machine_shape){ .block = { LANES } }, &params, sizeof params);
    memcpy(to, params.to, LANES * 16);
    machine_close(m);
}

/* ---- Holes ------------------------------------------------------------------------------ */

/* A zero times infinity would be no number; but what is not there is not multiplied. */
static void what_is_not_there_is_not_multiplied(void **state)
{
    (void)state;
    struct lane lanes[LANES];
    uint32_t sums[LANES][4];
    for (int i = 0; i < LANES; i++) {
        const uint32_t ones = 0x3c003c00, infinities = i % 2 ? 0xfc007c00 : 0x7e007c00;
        /* Lanes have two columns of four in turn, of which the first two are there. */
        const uint32_t b = i % 2 ? infinities : ones;
        lanes[i] = (struct lane){ { ones, ones, ones, ones }, { b, b, b, b }, { 0 }, 0x44444444,
                                  { 0 } };
    }
    multiply("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%c0,%c1,%c2,%c3}, "
             "{%a0,%a1,%a2,%a3}, {%b0,%b1,%b2,%b3}, {%c0,%c1,%c2,%c3}, %e, 0;", lanes, sums);
    for (int i = 0; i < LANES * 4; i++) assert_int_equal(sums[i / 4][i % 4], 0x41800000); /* 16 */
}

/* ---- Zeros ------------------------------------------------------------------------------ */

#define ROWS 16
#define DEPTH 32

static uint32_t next_number(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* Makes a factor with two numbers in each four columns. */
static void fill_sparse(uint32_t *dice, int8_t a[ROWS][DEPTH])
{
    for (int row = 0; row < ROWS; row++)
        for (int chunk = 0; chunk < DEPTH / 4; chunk++) {
            const uint32_t first = next_number(dice) % 3;
            const uint32_t second = first + 1 + next_number(dice) % (3 - first);
            a[row][chunk * 4 + first] = (int8_t)(next_number(dice) | 1);
            a[row][chunk * 4 + second] = (int8_t)(next_number(dice) | 1);
        }
}

static uint32_t word_of(const int8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Packs a row: the numbers that are there, and where they were. */
static void pack_row(const int8_t row[DEPTH], int8_t kept[DEPTH / 2], uint32_t *places)
{
    int count = 0;
    *places = 0;
    for (int k = 0; k < DEPTH; k++) {
        if (!row[k]) continue;
        *places |= (uint32_t)(k % 4) << count * 2;
        kept[count++] = row[k];
    }
    assert_int_equal(count, DEPTH / 2);
}

/* Lays out both: lanes[0] with the zeros, lanes[1] without them, for a selector. */
static void lay_out(int8_t a[ROWS][DEPTH], uint32_t *dice, int selector,
                    struct lane lanes[2][LANES])
{
    int8_t kept[ROWS][DEPTH / 2];
    uint32_t places[ROWS];
    memset(lanes, 0, 2 * LANES * sizeof **lanes);
    for (int row = 0; row < ROWS; row++) pack_row(a[row], kept[row], &places[row]);
    for (int i = 0; i < LANES; i++) {
        const int row = i / 4, column = i % 4 * 4, half = i % 4 - selector * 2;
        for (int n = 0; n < 4; n++)
            lanes[0][i].a[n] = word_of(&a[row + n % 2 * 8][column + n / 2 * 16]);
        for (int n = 0; n < 2; n++) {
            lanes[1][i].a[n] = word_of(&kept[row + n * 8][column]);
            lanes[0][i].b[n] = lanes[1][i].b[n] = next_number(dice) * 0x01010101u ^ (uint32_t)i;
        }
        lanes[1][i].places = half == 0 || half == 1 ? places[row + half * 8] : next_number(dice);
    }
}

static void a_sparse_product_is_that_with_zeros(void **state)
{
    (void)state;
    uint32_t dice = 20;
    for (int round = 0; round < 8; round++) {
        const int selector = round % 2;
        struct lane lanes[2][LANES];
        uint32_t sums[2][LANES][4];
        int8_t a[ROWS][DEPTH] = { { 0 } };
        char product[300];
        fill_sparse(&dice, a);
        lay_out(a, &dice, selector, lanes);
        multiply("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%c0,%c1,%c2,%c3}, "
                 "{%a0,%a1,%a2,%a3}, {%b0,%b1}, {%c0,%c1,%c2,%c3};", lanes[0], sums[0]);
        snprintf(product, sizeof product,
                 "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                 "{%%c0,%%c1,%%c2,%%c3}, {%%a0,%%a1}, {%%b0,%%b1}, {%%c0,%%c1,%%c2,%%c3}, %%e, %d;",
                 selector);
        multiply(product, lanes[1], sums[1]);
        assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    }
}

/* ---- Places ----------------------------------------------------------------------------- */

/* Only the lanes that the selector names are asked for places. */
static void places_that_are_none_fail_the_launch(void **state)
{
    (void)state;
    for (int named = 0; named < 2; named++) {
        char text[2048];
        struct lane lanes[LANES] = { { .places = 0 } };
        for (int i = 0; i < LANES; i++) lanes[i].places = i == 21 + named ? 0x4e4e4e44 : 0x44444e4e;
        lanes[22 - named].places = 0x4e4e4e64;
        snprintf(text, sizeof text, frame,
                 "mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%c0,%c1,%c2,%c3}, "
                 "{%a0,%a1}, {%b0,%b1}, {%c0,%c1,%c2,%c3}, %e, 2;");
        struct machine *m = machine_open();
        machine_load(m, text);
        struct { void *to, *from; } params = { machine_memory(m, LANES * 16),
                                               machine_memory(m, sizeof lanes) };
        const struct machine_shape shape = { .block = { LANES } };
        memcpy(params.from, lanes, sizeof lanes);
        if (named)
            machine_run(m, "k", &shape, &params, sizeof params);
        else
            machine_fails(m, "k", &shape, &params, sizeof params, RILL_ERROR_ILLEGAL_INSTRUCTION,
                          "thread (22,0,0)", "0b0100 and 0b1110");
        machine_close(m);
    }
}

/* ---- What is refused -------------------------------------------------------------------- */

static void wrong_products_are_refused(void **state)
{
    (void)state;
    static const struct { const char *product, *words; rill_status status; } wrong[] = {
        { "m16n8k16.row.col.f32.f16.f16.f32 {%c0,%c1,%c2,%c3}, {%a0,%a1}, {%b0,%b1}, "
          "{%c0,%c1,%c2,%c3}, %e, 4", "less than 4", RILL_ERROR_INVALID_PTX },
        { "m16n8k32.row.col.f32.f16.f16.f32 {%c0,%c1,%c2,%c3}, {%a0,%a1,%a2,%a3}, "
          "{%b0,%b1,%b2,%b3}, {%c0,%c1,%c2,%c3}, %e, 2", "less than 2", RILL_ERROR_INVALID_PTX },
        { "m16n8k64.row.col.s32.s8.s8.s32 {%c0,%c1,%c2,%c3}, {%a0,%a1,%a2,%a3}, "
          "{%b0,%b1,%b2,%b3}, {%c0,%c1,%c2,%c3}, %e, 1", "less than 1", RILL_ERROR_INVALID_PTX },
        { "m16n8k16.row.col.f32.f16.f16.f32 {%c0,%c1,%c2,%c3}, {%a0,%a1}, {%b0,%b1}, "
          "{%c0,%c1,%c2,%c3}", "there are 4 operands where 6 belong", RILL_ERROR_INVALID_PTX },
        { "m16n8k8.row.col.f32.f16.f16.f32 {%c0,%c1,%c2,%c3}, {%a0}, {%b0}, "
          "{%c0,%c1,%c2,%c3}, %e, 0", "no such shape", RILL_ERROR_NOT_SUPPORTED },
        { "m16n8k8.row.col.f64.f64.f64.f64 {%c0,%c1,%c2,%c3}, {%a0,%a1}, {%b0}, "
          "{%c0,%c1,%c2,%c3}, %e, 0", "mma.sp.sync.aligned.m16n8k8", RILL_ERROR_NOT_SUPPORTED },
    };
    struct machine *m = machine_open();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char product[300], text[2048];
        snprintf(product, sizeof product, "mma.sp.sync.aligned.%s;", wrong[i].product);
        snprintf(text, sizeof text, frame, product);
        machine_refuses(m, text, wrong[i].status, wrong[i].words, "mma.sp.sync.aligned");
    }
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_there_is_not_multiplied),
        cmocka_unit_test(a_sparse_product_is_that_with_zeros),
        cmocka_unit_test(places_that_are_none_fail_the_launch),
        cmocka_unit_test(wrong_products_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
