/* SPDX-License-Identifier: Apache-2.0
 *
 * The two codes that zstd is made of (RFC 8878): bits that are read from the last one
 * to the first, and with them tables that give a symbol and how to go on.
 */
#ifndef IMAGE_ZSTD_H
#define IMAGE_ZSTD_H

#include "image/bytes.h"

/* ---- Bits --------------------------------------------------------------------------- */

/* Read from the end.  `left` is how many there are still; below 0 more were read than
 * there were, as zeros. */
struct zstd_bits {
    const unsigned char *bytes;
    size_t count; /* of bytes */
    int64_t left;
};

/* The highest bit that is set ends the stream.  False: there is none. */
bool image_zstd_bits_open(struct zstd_bits *bits, const unsigned char *bytes, size_t count);

/* The next `wanted` bits, at most 56, without and with going on. */
uint64_t image_zstd_bits_peek(const struct zstd_bits *bits, unsigned wanted);

static inline uint64_t image_zstd_bits_take(struct zstd_bits *bits, unsigned wanted)
{
    uint64_t value = image_zstd_bits_peek(bits, wanted);
    bits->left -= wanted;
    return value;
}

/* The number of the highest bit of `value`, which is not 0. */
static inline unsigned image_zstd_highest_bit(uint32_t value)
{
    return 31u - (unsigned)__builtin_clz(value);
}

/* ---- Finite state entropy ----------------------------------------------------------- */

#define ZSTD_STATES_LOG 9

/* In each state: the symbol that it stands for, and where to go from it: `base` and as
 * many bits. */
struct zstd_states {
    unsigned log; /* there are 2 to the power of this many */
    struct {
        uint16_t base;
        uint8_t symbol, bits;
    } at[1 << ZSTD_STATES_LOG];
};

/* Out of the share of each symbol; -1 is less than one state.  False: that is impossible. */
bool image_zstd_states_make(struct zstd_states *states, const int16_t *shares, unsigned symbols,
                            unsigned log);

/* Out of a description, with at most `symbols` and 2 to the power of `log_max` states.
 * Returns how many bytes that has, or 0: it is unsound. */
size_t image_zstd_states_read(struct zstd_states *states, const unsigned char *in, size_t bytes,
                              unsigned symbols, unsigned log_max);

/* ---- Huffman codes ------------------------------------------------------------------ */

#define ZSTD_CODE_BITS 11

struct zstd_codes {
    unsigned bits; /* of the longest code; 0: there are none yet */
    struct {
        uint8_t symbol, bits;
    } at[1 << ZSTD_CODE_BITS];
};

/* Out of their description.  Returns how many bytes that has, or 0: it is unsound. */
size_t image_zstd_codes_read(struct zstd_codes *codes, const unsigned char *in, size_t bytes);

/* Whether `in` holds just `out_bytes` symbols. */
bool image_zstd_codes_unfold(const struct zstd_codes *codes, const unsigned char *in,
                             size_t in_bytes, unsigned char *out, size_t out_bytes);

#endif
