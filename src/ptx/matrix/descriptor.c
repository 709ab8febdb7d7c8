/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/matrix/descriptor.h"

#include <string.h>

#include "ptx/run/fault.h"

#define PIECE 16u          /* bytes */
#define ADDRESSES 0x3ffffu /* of shared memory, that a descriptor can name */

/* By the swizzle of a descriptor: how far eight pieces are from each other, and the bits of their
 * number that are exchanged. */
static const struct {
    uint8_t pitch, bits;
} swizzles[] = { { 16, 0 }, { 128, 7 }, { 64, 3 }, { 32, 1 } };

/* A descriptor, taken apart. */
struct place {
    uint32_t start, lead, stride; /* bytes                                                 */
    uint32_t pitch, bits, base;   /* base: where the pattern of a swizzle begins           */
};

/* Returns the bytes that fourteen bits of a descriptor stand for. */
static uint32_t bytes_at(uint64_t descriptor, unsigned bit)
{
    return (uint32_t)(descriptor >> bit & 0x3fff) * PIECE;
}

static struct place place_of(uint64_t descriptor)
{
    const unsigned swizzle = (unsigned)(descriptor >> 62);
    return (struct place){
        .start = bytes_at(descriptor, 0), .lead = bytes_at(descriptor, 16),
        .stride = bytes_at(descriptor, 32),
        .pitch = swizzles[swizzle].pitch, .bits = swizzles[swizzle].bits,
        .base = (uint32_t)(descriptor >> 49 & 7),
    };
}

static uint32_t swizzled(const struct place *place, uint32_t offset)
{
    const uint32_t address = place->start + offset;
    return (address ^ (((address >> 7) - place->base) & place->bits) << 4) & ADDRESSES;
}

/* Returns where a piece is: the numbers of a row from one piece of k. */
static uint32_t piece_along(const struct place *place, uint32_t row, uint32_t piece)
{
    const uint32_t beside = place->pitch / PIECE;
    return swizzled(place, row / 8 * place->stride + row % 8 * place->pitch +
                               piece / beside * place->lead + piece % beside * PIECE);
}

/* Returns where a piece is: those of the eight rows `eighth` at one k. */
static uint32_t piece_across(const struct place *place, uint32_t k, uint32_t eighth)
{
    const uint32_t beside = place->pitch / PIECE;
    const uint32_t eights = place->bits ? place->stride : place->lead;
    const uint32_t pieces = place->bits ? place->lead : place->stride;
    return swizzled(place, k / 8 * eights + k % 8 * place->pitch + eighth / beside * pieces +
                               eighth % beside * PIECE);
}

/* Finds a piece; returns NULL if it is not there, and the lane has failed then. */
static const unsigned char *find_piece(struct ptx_group *group, const struct ptx_step *step,
                                       uint32_t lane, uint32_t address)
{
    const struct ptx_block *block = group->block;
    if (address + PIECE <= block->shared_bytes) return block->shared + address;
    ptx_fail(group, step, lane, RILL_ERROR_ILLEGAL_ADDRESS, address,
             "the descriptor of a matrix leads to 16 bytes at offset %u of shared memory, which "
             "has %u bytes", address, block->shared_bytes);
    return NULL;
}

static bool gather_along(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                         const struct place *place, const struct warpgroup_factor *factor,
                         unsigned char (*to)[WARPGROUP_ROW])
{
    for (uint32_t row = 0; row < factor->rows; row++)
        for (uint32_t i = 0; i < factor->bytes / PIECE; i++) {
            const unsigned char *piece = find_piece(group, step, lane,
                                                    piece_along(place, row, i));
            if (!piece) return false;
            memcpy(to[row] + i * PIECE, piece, PIECE);
        }
    return true;
}

static bool gather_across(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                          const struct place *place, const struct warpgroup_factor *factor,
                          unsigned char (*to)[WARPGROUP_ROW])
{
    for (uint32_t k = 0; k < factor->bytes / 2; k++)
        for (uint32_t eighth = 0; eighth < factor->rows / 8; eighth++) {
            const unsigned char *piece = find_piece(group, step, lane,
                                                    piece_across(place, k, eighth));
            if (!piece) return false;
            for (uint32_t i = 0; i < 8; i++) memcpy(to[eighth * 8 + i] + 2 * k, piece + 2 * i, 2);
        }
    return true;
}

bool ptx_warpgroup_gather(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                          const struct warpgroup_factor *factor,
                          unsigned char (*to)[WARPGROUP_ROW])
{
    const struct place place = place_of(factor->descriptor);
    return factor->across ? gather_across(group, step, lane, &place, factor, to)
                          : gather_along(group, step, lane, &place, factor, to);
}
