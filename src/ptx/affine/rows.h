/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows in memory, copied and filled in pieces: most have 16 lanes of 4 bytes.
 */
#ifndef PTX_AFFINE_ROWS_H
#define PTX_AFFINE_ROWS_H

#include "base/unseen.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A piece of 16 bytes that may lie anywhere, over anything. */
typedef uint8_t ptx_piece __attribute__((vector_size(16), aligned(1), may_alias));

/* From here on the C library's copy, which knows the processor, is worth its call. */
#define LONG_ROW 512

/* Copies whole pieces of a row, and returns how many bytes they are. */
static RL_UNSEEN_INLINE size_t ptx_copy_pieces(void *to, const void *from, size_t bytes)
{
#ifndef RL_SEES_RACES
    if (bytes >= LONG_ROW) {
        memcpy(to, from, bytes);
        return bytes;
    }
#endif
    ptx_piece *d = to;
    const ptx_piece *s = from;
    size_t left = bytes / sizeof *d;
    for (; left >= 4; left -= 4, d += 4, s += 4) {
        const ptx_piece a = s[0], b = s[1], c = s[2], e = s[3];
        d[0] = a, d[1] = b, d[2] = c, d[3] = e;
    }
    for (; left; left--) *d++ = *s++;
    return bytes / sizeof *d * sizeof *d;
}

/* Fills whole pieces of a row with a piece, and returns how many bytes they are. */
static inline size_t ptx_fill_pieces(void *to, ptx_piece piece, size_t bytes)
{
    ptx_piece *d = to;
    size_t left = bytes / sizeof *d;
    for (; left >= 4; left -= 4, d += 4) d[0] = piece, d[1] = piece, d[2] = piece, d[3] = piece;
    for (; left; left--) *d++ = piece;
    return bytes / sizeof *d * sizeof *d;
}

/* Rows of 64 bytes, which most are in blocks of two dimensions: 16 lanes of 4. */
#define PTX_ROW_BYTES 64

static inline void ptx_fill_row(void *to, ptx_piece piece)
{
    ptx_piece *d = to;
    d[0] = piece, d[1] = piece, d[2] = piece, d[3] = piece;
}

static RL_UNSEEN_INLINE void ptx_copy_rows(void *to, ptrdiff_t to_pitch, const void *from,
                                           ptrdiff_t from_pitch, uint32_t rows)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    for (; rows; rows--, d += to_pitch, s += from_pitch) {
        const ptx_piece *in = (const ptx_piece *)(const void *)s;
        ptx_piece *out = (ptx_piece *)(void *)d;
        const ptx_piece a = in[0], b = in[1], c = in[2], e = in[3];
        out[0] = a, out[1] = b, out[2] = c, out[3] = e;
    }
}

#endif
