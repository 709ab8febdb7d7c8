/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that no tensor core of an H100 has: the assembler makes several instructions of
 * them, and so does this.
 *
 * Those of 8 bits are two products of halves, which start from zero and not from c: of the
 * even pairs of k, and then of the odd ones; if the first factor is sparse, of its even pairs and
 * of its odd ones.  c is added last.  m8n8k4 is made of ordinary
 * arithmetic.
 */
#include "ptx/matrix/product.h"

#include <string.h>

#include "ptx/matrix/float_format.h"

#define ROWS 32
#define DEPTH 4
#define NOT_A_NUMBER UINT32_C(0x7fffffff)

/* ---- Arithmetic in f32 -------------------------------------------------------------------- */

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Returns the bits; there is one NaN. */
static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value == value ? bits : NOT_A_NUMBER;
}

static float half_as_float(uint32_t bits)
{
    uint32_t sign = (bits & 0x8000) << 16, magnitude = bits & 0x7fff;
    if (magnitude >= 0x7c00) return float_of(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    float value = float_of(magnitude << 13) * 0x1p112f;
    return sign ? -value : value;
}

static uint32_t float_as_half(float value)
{
    uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return 0x7fff;
    if (magnitude >= 0x47800000) return sign | 0x7c00;
    if (magnitude < 0x38800000) { /* subnormal: the addition rounds to the last bit */
        float rounded = float_of(magnitude) + 0.5f;
        uint32_t low;
        memcpy(&low, &rounded, sizeof low);
        return sign | (low - 0x3f000000);
    }
    magnitude += 0xfff + (magnitude >> 13 & 1);
    return sign | ((magnitude - 0x38000000) >> 13);
}

uint32_t ptx_matrix_half_to_single(uint32_t half)
{
    return bits_of(half_as_float(half));
}

uint32_t ptx_matrix_single_to_half(uint32_t single)
{
    return float_as_half(float_of(single));
}

/* ---- m8n8k4 ------------------------------------------------------------------------------- */

struct quads {
    float a[ROWS][DEPTH], b[ROWS][DEPTH], c[ROWS][ROWS];
};

size_t ptx_matrix_quads_bytes(void)
{
    return sizeof(struct quads);
}

static void unpack_halves(const struct matrix_fragment *fragment,
                          const struct matrix_registers *from, float (*to)[DEPTH])
{
    for (uint32_t n = 0; n < fragment->registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++)
            for (uint32_t part = 0; part < 2; part++) {
                struct matrix_spot spot = ptx_matrix_spot_of(fragment, lane, n, part);
                uint32_t half = from->words[n][lane] >> part * 16 & 0xffff;
                to[spot.row][spot.column] = half_as_float(half);
            }
}

static void unpack_sums(const struct matrix_fragment *fragment,
                        const struct matrix_registers *from, float (*to)[ROWS])
{
    for (uint32_t n = 0; n < fragment->registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++)
            for (uint32_t part = 0; part < matrix_parts(fragment); part++) {
                struct matrix_spot spot = ptx_matrix_spot_of(fragment, lane, n, part);
                uint32_t word = from->words[n][lane];
                to[spot.row][spot.column] = fragment->bits == 16
                                                ? half_as_float(word >> part * 16 & 0xffff)
                                                : float_of(word);
            }
}

/* Returns a * b + c with one rounding; products of halves are exact in f32. */
static float multiplied_and_added(float a, float b, float c)
{
    volatile float product = a * b;
    return product + c;
}

static float quad_sum(const float *a, const float *b, float c, bool halves)
{
    if (halves) {
        float first = multiplied_and_added(a[0], b[0], a[1] * b[1]);
        float second = multiplied_and_added(a[2], b[2], a[3] * b[3]);
        return c + first + second;
    }
    float sum = 0;
    for (int k = 0; k < DEPTH; k++) sum = multiplied_and_added(a[k], b[k], sum);
    return sum + c;
}

void ptx_matrix_multiply_quads(const struct matrix_plan *plan,
                               const struct matrix_fragments *fragments,
                               const struct matrix_operands *operands)
{
    const struct matrix_fragment *to = &fragments->d;
    struct quads *quads = operands->scratch;
    unpack_halves(&fragments->a, &operands->a, quads->a);
    unpack_halves(&fragments->b, &operands->b, quads->b);
    unpack_sums(&fragments->c, &operands->c, quads->c);
    for (uint32_t n = 0; n < to->registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
            uint32_t word = 0;
            for (uint32_t part = 0; part < matrix_parts(to); part++) {
                struct matrix_spot spot = ptx_matrix_spot_of(to, lane, n, part);
                /* Eight rows have columns of their own. */
                const float *column = quads->b[spot.column + spot.row / 8 * 8];
                float sum = quad_sum(quads->a[spot.row], column, quads->c[spot.row][spot.column],
                                     plan->d == PTX_F16);
                word |= (plan->d == PTX_F16 ? float_as_half(sum) : bits_of(sum)) << part * 16;
            }
            ((uint32_t *)operands->d[n])[lane] = word;
        }
}

/* ---- 8 bits ------------------------------------------------------------------------------- */

/* The products of half of the bytes, as halves, and those of the other half after them; what those
 * need lies behind it. */
struct parts {
    uint32_t a[MATRIX_REGISTERS][PTX_WARP], b[MATRIX_REGISTERS][PTX_WARP];
    uint32_t sums[MATRIX_REGISTERS][PTX_WARP];
    struct matrix_places places;
};

#define HALVES_AT ((sizeof(struct parts) + 63) / 64 * 64)

size_t ptx_matrix_emulated_bytes(bool sparse)
{
    return HALVES_AT + ptx_matrix_floats_bytes(sparse);
}

/* Returns a number of 8 bits as a half; there is one NaN. */
static uint32_t byte_as_half(struct float_format format, uint32_t byte)
{
    uint32_t sign = (byte & 0x80) << 8, magnitude = byte & 0x7f;
    if (float_number_of(format, byte).kind == FLOAT_NAN) return 0x7fff;
    if (!format.finite) return sign | magnitude << 8;
    return sign | float_as_half(half_as_float(magnitude << 7) * 0x1p8f);
}

/* Takes the bytes 0 and 1, or 2 and 3, of each register. */
static void unpack_bytes(const struct matrix_fragment *fragment, enum ptx_type type,
                         const struct matrix_registers *from, uint32_t shift,
                         uint32_t to[MATRIX_REGISTERS][PTX_WARP], struct matrix_registers *found)
{
    struct float_format format = float_format_of(type);
    for (uint32_t n = 0; n < fragment->registers; n++) {
        for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
            uint32_t word = from->words[n][lane] >> shift;
            to[n][lane] = byte_as_half(format, word & 0xff) |
                          byte_as_half(format, word >> 8 & 0xff) << 16;
        }
        found->words[n] = to[n];
    }
}

/* Takes the even or the odd ones of the registers along k.  Where those of bytes hold four numbers
 * in a row, a pair of lanes has two of the four each in those of halves. */
static void unpack_fours(const struct matrix_fragment *fragment, enum ptx_type type,
                         const struct matrix_registers *from, uint32_t odd,
                         uint32_t to[MATRIX_REGISTERS][PTX_WARP], struct matrix_registers *found)
{
    struct float_format format = float_format_of(type);
    for (uint32_t n = 0; n < fragment->registers; n++) {
        for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
            uint32_t word = from->words[n][lane - lane % 2 + odd] >> lane % 2 * 16;
            to[n][lane] = byte_as_half(format, word & 0xff) |
                          byte_as_half(format, word >> 8 & 0xff) << 16;
        }
        found->words[n] = to[n];
    }
}

/* Takes the places for the even or the odd pairs of a row. */
static void choose_places(const struct matrix_places *from, uint32_t odd, struct matrix_places *to)
{
    for (uint32_t row = 0; row < SPARSE_ROWS; row++)
        for (uint32_t i = 0; i < SPARSE_MOST / 2; i++) {
            const uint32_t pair = i / 2, place = from->at[row][pair * 4 + odd * 2 + i % 2];
            to->at[row][i] = (uint8_t)(pair * 4 + place % 4);
        }
}

static uint32_t sum_of(uint32_t a, uint32_t b, bool halves)
{
    if (!halves) return bits_of(float_of(a) + float_of(b));
    return float_as_half(half_as_float(a & 0xffff) + half_as_float(b & 0xffff)) |
           float_as_half(half_as_float(a >> 16) + half_as_float(b >> 16)) << 16;
}

void ptx_matrix_multiply_bytes(const struct matrix_plan *plan,
                               const struct matrix_fragments *fragments,
                               const struct matrix_operands *operands)
{
    struct matrix_plan halves = *plan;
    struct parts *parts = operands->scratch;
    struct matrix_operands given = { .places = NULL };
    given.scratch = (unsigned char *)operands->scratch + HALVES_AT;
    memset(parts->sums, 0, sizeof parts->sums);
    halves.a = halves.b = PTX_F16;
    halves.k = plan->k / 2;
    const struct matrix_fragments of_halves = ptx_matrix_fragments_of(&halves);
    for (uint32_t n = 0; n < fragments->d.registers; n++)
        given.c.words[n] = given.d[n] = parts->sums[n];
    for (uint32_t shift = 0; shift < 32; shift += 16) {
        unpack_bytes(&fragments->a, (enum ptx_type)plan->a, &operands->a, shift, parts->a,
                     &given.a);
        if (operands->places) {
            unpack_fours(&fragments->b, (enum ptx_type)plan->b, &operands->b, shift / 16,
                         parts->b, &given.b);
            choose_places(operands->places, shift / 16, &parts->places);
            given.places = &parts->places;
        } else {
            unpack_bytes(&fragments->b, (enum ptx_type)plan->b, &operands->b, shift,
                         parts->b, &given.b);
        }
        ptx_matrix_multiply_floats(&halves, &of_halves, &given);
    }
    for (uint32_t n = 0; n < fragments->d.registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++)
            ((uint32_t *)operands->d[n])[lane] =
                sum_of(parts->sums[n][lane], operands->c.words[n][lane], plan->d == PTX_F16);
}
