/* SPDX-License-Identifier: Apache-2.0
 *
 * What a GPU answered to instructions of whole warps: matrix products, matrix loads.
 *
 * A form runs over TILES warps, one a block.  `types` are those of %D, %A, %B, %C and %E with how
 * many words of the type's register a lane has: "f32:4 f16:4 f16:2 f32:4"; %E says which elements
 * a sparse factor has.  In the
 * instructions %D is the vector of all such registers, %d0 the first, %pd the address of the
 * warp's part in memory; <x8> stands for scratch registers {%x0,...,%x7}.
 */
#ifndef PTX_GPU_TILES_H
#define PTX_GPU_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TILES 128       /* an eighth of them for each kind of values */
#define TILE_KINDS 8
#define TILE_OPERANDS 5

struct tile_row {
    const char *instructions, *types;
};

extern const struct tile_row tile_rows[];
extern const size_t tile_row_count;

struct tile_operand {
    char type[8];
    unsigned words;      /* registers of a lane           */
    unsigned word_bytes; /* 4 or 8                        */
    size_t bytes;        /* of all tiles                  */
    unsigned char *values;
};

struct tile_form {
    char instructions[1000], types[80];
    struct tile_operand operands[TILE_OPERANDS]; /* d, a, b, c, e */
};

bool tile_each(bool (*visit)(void *data, struct tile_form *form), void *data);

/* Fills operands from a seed; tile_drop() frees them. */
void tile_operands(struct tile_form *form);
void tile_drop(struct tile_form *form);

/* A module whose kernel "tile" takes d, a, b, c, e; to be freed. */
char *tile_text(const struct tile_form *form);

/* Over the results of all tiles of a product of floating-point numbers, and over those of one
 * tile of each kind of anything else. */
uint64_t tile_hash(const struct tile_form *form);

/* The bytes of the results that count. */
size_t tile_compared(const struct tile_form *form);

#endif
