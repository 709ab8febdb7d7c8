/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/matrix/fragment.h"

static uint8_t bits_of(enum ptx_type type)
{
    switch (type) {
    case PTX_B1: return 1;
    case PTX_S4:
    case PTX_U4: return 4;
    case PTX_S8:
    case PTX_U8:
    case PTX_E4M3:
    case PTX_E5M2: return 8;
    case PTX_F16:
    case PTX_BF16: return 16;
    case PTX_F64: return 64;
    default: return 32;
    }
}

struct matrix_fragment ptx_matrix_fragment_of(enum matrix_style style, enum ptx_type type,
                                              uint32_t rows, uint32_t columns)
{
    uint32_t bits = bits_of(type), word = bits == 64 ? 64 : 32;
    return (struct matrix_fragment){
        .style = (uint8_t)style, .bits = (uint8_t)bits, .rows = (uint8_t)rows,
        .columns = (uint16_t)columns,
        .registers = (uint8_t)(rows * columns * bits / word / PTX_WARP),
    };
}

/* Four lanes have four registers of a row next to each other, a block; registers take turns
 * between two rows of 16, then between blocks, then between such pairs of rows. */
static struct matrix_spot factor_spot(const struct matrix_fragment *fragment, uint32_t lane,
                                      uint32_t reg, uint32_t part)
{
    uint32_t parts = matrix_parts(fragment), blocks = fragment->columns / (4 * parts);
    uint32_t pair = fragment->rows > 8 ? 2 : 1, among = reg % (pair * blocks);
    uint32_t row = reg / (pair * blocks) * pair + among % pair, block = among / pair;
    if (fragment->style == MATRIX_FACTOR_BY_K) row = reg / blocks, block = reg % blocks;
    return (struct matrix_spot){ lane / 4 + row * 8, (block * 4 + lane % 4) * parts + part };
}

/* Two neighbours, from 8 rows after 8 rows, and then from the next 8 columns. */
static struct matrix_spot sum_spot(const struct matrix_fragment *fragment, uint32_t lane,
                                   uint32_t reg, uint32_t part)
{
    uint32_t index = reg * matrix_parts(fragment) + part, blocks = fragment->rows / 8;
    return (struct matrix_spot){ lane / 4 + index / 2 % blocks * 8,
                                 lane % 4 * 2 + index % 2 + index / 2 / blocks * 8 };
}

/* Lanes 0 to 3 and 16 to 19 have the first product, and so on. */
static struct matrix_spot quad_spot(const struct matrix_fragment *fragment, uint32_t lane,
                                    uint32_t reg, uint32_t part)
{
    uint32_t quad = lane % 16 / 4 * 8, upper = lane / 16 * 4, index = reg * 2 + part;
    switch ((enum matrix_style)fragment->style) {
    case MATRIX_QUAD_BY_COLUMN: return (struct matrix_spot){ quad + upper + index, lane % 4 };
    case MATRIX_QUAD_SUM:
        return (struct matrix_spot){ quad + upper + (lane & 1) + (reg & 2),
                                     (reg & 4) + (lane & 2) + (reg & 1) };
    default: return (struct matrix_spot){ quad + upper + lane % 4, index };
    }
}

struct matrix_spot ptx_matrix_spot_of(const struct matrix_fragment *fragment, uint32_t lane,
                                      uint32_t reg, uint32_t part)
{
    switch ((enum matrix_style)fragment->style) {
    case MATRIX_FACTOR:
    case MATRIX_FACTOR_BY_K: return factor_spot(fragment, lane, reg, part);
    case MATRIX_SUM: return sum_spot(fragment, lane, reg, part);
    default: return quad_spot(fragment, lane, reg, part);
    }
}
