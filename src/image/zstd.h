/* SPDX-License-Identifier: Apache-2.0
 *
 * The two codes of zstd (RFC 8878), finite state entropy and Huffman: tables that are
 * indexed with bits, most of which are read from the last to the first.
 */
#ifndef IMAGE_ZSTD_H
#define IMAGE_ZSTD_H

#include "image/bytes.h"

/* ---- Bits --------------------------------------------------------------------------- */

/* Bits that are read from the last to the first.  After the first bit come zeros. */
struct zstd_bits {
    const unsigned char *bytes;
    size_t count; /* of bytes                                              */
    int64_t left; /* bits not read yet; negative if more were read than exist */
};

/* Begins at the highest bit that is set in the last byte, which marks the end of the bits.
 * Returns false if there is none. */
bool image_zstd_bits_open(struct zstd_bits *bits, const unsigned char *bytes, size_t count);

/* Returns the next `wanted` bits, at most 56, and stays before them. */
uint64_t image_zstd_bits_peek(const struct zstd_bits *bits, unsigned wanted);

/* Returns the next `wanted` bits, at most 56, and moves past them. */
static inline uint64_t image_zstd_bits_take(struct zstd_bits *bits, unsigned wanted)
{
    uint64_t value = image_zstd_bits_peek(bits, wanted);
    bits->left -= wanted;
    return value;
}

/* ---- Finite state entropy ----------------------------------------------------------- */

#define ZSTD_STATES_LOG 9

/* For each state its symbol, and the next state: `base` plus the number in the next `bits`
 * bits. */
struct zstd_states {
    unsigned log; /* there are 2 to the power of `log` states */
    struct {
        uint16_t base;
        uint8_t symbol, bits;
    } at[1 << ZSTD_STATES_LOG];
};

/* Builds the table from the share of each symbol, where -1 means less than one state.
 * Returns false if the shares are impossible. */
bool image_zstd_states_make(struct zstd_states *states, const int16_t *shares, unsigned symbols,
                            unsigned log);

/* Builds the table from a description, with at most `symbols` symbols and 2 to the power of
 * `log_max` states.  Returns the size of the description, or 0 if it is unsound. */
size_t image_zstd_states_read(struct zstd_states *states, const unsigned char *in, size_t bytes,
                              unsigned symbols, unsigned log_max);

/* ---- Huffman codes ------------------------------------------------------------------ */

#define ZSTD_CODE_BITS 11

struct zstd_codes {
    unsigned bits; /* of the longest code; 0 if there are none yet */
    struct {
        uint8_t symbol, bits;
    } at[1 << ZSTD_CODE_BITS];
};

/* Builds the codes from their description.  Returns its size, or 0 if it is unsound. */
size_t image_zstd_codes_read(struct zstd_codes *codes, const unsigned char *in, size_t bytes);

/* Decodes `out_bytes` symbols.  Returns false unless that uses up `in` exactly. */
bool image_zstd_codes_unfold(const struct zstd_codes *codes, const unsigned char *in,
                             size_t in_bytes, unsigned char *out, size_t out_bytes);

#endif
