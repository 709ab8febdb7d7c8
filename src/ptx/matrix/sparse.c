/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/matrix/sparse.h"

#include "ptx/run/fault.h"

/* Returns how many columns four bits are for. */
static uint32_t width_of(enum ptx_type type)
{
    switch (type) {
    case PTX_S4:
    case PTX_U4: return 8;
    case PTX_TF32: return 2;
    default: return 4;
    }
}

uint32_t ptx_matrix_selectors(enum ptx_type type, uint32_t columns)
{
    return 16 / (columns / width_of(type));
}

/* Where the four bits for a chunk of a row are. */
struct chunk {
    uint32_t lane, bit;
};

/* Of numbers of up to 8 bits a lane has eight chunks of one row, of others four of a row and four
 * of the row that is eight further down. */
static struct chunk find_chunk(enum ptx_type type, uint32_t selector, uint32_t chunks, uint32_t row,
                               uint32_t number)
{
    const bool wide = type == PTX_F16 || type == PTX_BF16 || type == PTX_TF32;
    const uint32_t first = row % 8 * 4;
    if (wide)
        return (struct chunk){ first + selector * (chunks / 4) + number / 4,
                               row / 8 * 16 + number % 4 * 4 };
    return (struct chunk){ first + selector * 2 + number / 8 * 2 + row / 8, number % 8 * 4 };
}

/* Returns the column, within a chunk, of a number that is kept. */
static uint32_t column_of(uint32_t width, uint32_t bits, uint32_t kept)
{
    if (width == 2) return bits >> 1 & 1;
    if (width == 8) return (bits >> kept / 2 * 2 & 3) * 2 + kept % 2;
    return bits >> kept * 2 & 3;
}

uint32_t ptx_matrix_find_places(enum ptx_type type, uint32_t columns, uint32_t selector,
                                const uint32_t *words, struct matrix_places *places)
{
    const uint32_t width = width_of(type), chunks = columns / width;
    for (uint32_t row = 0; row < SPARSE_ROWS; row++)
        for (uint32_t i = 0; i < columns / 2; i++) {
            const uint32_t number = i / (width / 2);
            const struct chunk chunk = find_chunk(type, selector, chunks, row, number);
            const uint32_t bits = words[chunk.lane] >> chunk.bit & 0xf;
            if (width == 2 && bits != 0x4 && bits != 0xe) return chunk.lane;
            places->at[row][i] =
                (uint8_t)(number * width + column_of(width, bits, i % (width / 2)));
        }
    return PTX_WARP;
}

void ptx_matrix_fail_places(struct ptx_group *group, const struct ptx_step *step, uint32_t lane)
{
    ptx_fail(group, step, lane, RILL_ERROR_ILLEGAL_INSTRUCTION, 0,
             "the places of a sparse factor of tf32 are 0b0100 and 0b1110, and this lane has "
             "others");
}
