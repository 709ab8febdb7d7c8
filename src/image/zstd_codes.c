/* SPDX-License-Identifier: Apache-2.0 */
#include "image/zstd.h"

/* Returns the number of the highest bit that is set in `value`, which must not be 0. */
static unsigned highest_bit(uint32_t value)
{
    return 31u - (unsigned)__builtin_clz(value);
}

/* ---- Bits --------------------------------------------------------------------------- */

bool image_zstd_bits_open(struct zstd_bits *bits, const unsigned char *bytes, size_t count)
{
    if (!count || !bytes[count - 1]) return false;
    *bits = (struct zstd_bits){ bytes, count, 0 };
    bits->left = (int64_t)(count - 1) * 8 + highest_bit(bytes[count - 1]);
    return true;
}

/* Returns `wanted` bits of the stream from bit `at` on. */
static uint64_t bits_at(const struct zstd_bits *bits, uint64_t at, unsigned wanted)
{
    size_t byte = (size_t)(at / 8);
    uint64_t word = 0;
    if (bits->count - byte >= 8) {
        word = image_u64(bits->bytes + byte);
    } else {
        for (size_t i = 0; byte + i < bits->count; i++)
            word |= (uint64_t)bits->bytes[byte + i] << 8 * i;
    }
    return word >> at % 8 & ((UINT64_C(1) << wanted) - 1);
}

uint64_t image_zstd_bits_peek(const struct zstd_bits *bits, unsigned wanted)
{
    if (bits->left >= (int64_t)wanted)
        return bits_at(bits, (uint64_t)(bits->left - wanted), wanted);
    if (bits->left <= 0) return 0;
    unsigned there = (unsigned)bits->left;
    return bits_at(bits, 0, there) << (wanted - there);
}

/* ---- Finite state entropy ----------------------------------------------------------- */

bool image_zstd_states_make(struct zstd_states *states, const int16_t *shares, unsigned symbols,
                            unsigned log)
{
    unsigned size = 1u << log, top = size, step = size / 2 + size / 8 + 3, place = 0;
    uint16_t next[256];
    states->log = log;
    for (unsigned s = 0; s < symbols; s++) {
        next[s] = (uint16_t)(shares[s] < 0 ? 1 : shares[s]);
        if (shares[s] < 0) states->at[--top].symbol = (uint8_t)s;
    }
    for (unsigned s = 0; s < symbols; s++) {
        for (int i = 0; i < shares[s]; i++) {
            states->at[place].symbol = (uint8_t)s;
            do place = (place + step) & (size - 1);
            while (place >= top);
        }
    }
    if (place) return false;
    for (unsigned i = 0; i < size; i++) {
        unsigned share = next[states->at[i].symbol]++;
        unsigned bits = log - highest_bit(share);
        states->at[i].bits = (uint8_t)bits;
        states->at[i].base = (uint16_t)((share << bits) - size);
    }
    return true;
}

/* Reads bits from the first to the last, an order that only descriptions of tables have. */
static unsigned forward_bits(const unsigned char *in, size_t bytes, size_t at, unsigned wanted)
{
    unsigned value = 0;
    for (unsigned i = 0; i < wanted; i++, at++)
        if (at / 8 < bytes && in[at / 8] >> at % 8 & 1) value |= 1u << i;
    return value;
}

/* Reads the share of one symbol, at most `rest`.  A small value is one bit shorter if no
 * larger one begins with its bits. */
static int read_share(const unsigned char *in, size_t bytes, size_t *at, unsigned rest)
{
    unsigned width = highest_bit(rest + 1) + 1;
    unsigned value = forward_bits(in, bytes, *at, width);
    unsigned low = value & ((1u << (width - 1)) - 1), spare = (1u << width) - 2 - rest;
    if (low < spare) {
        *at += width - 1;
        return (int)low - 1;
    }
    *at += width;
    if (value >= 1u << (width - 1)) value -= spare;
    return (int)value - 1;
}

size_t image_zstd_states_read(struct zstd_states *states, const unsigned char *in, size_t bytes,
                              unsigned symbols, unsigned log_max)
{
    int16_t shares[256] = { 0 };
    size_t at = 4;
    unsigned log = forward_bits(in, bytes, 0, 4) + 5, rest, count = 0;
    if (!bytes || log > log_max) return 0;
    rest = 1u << log;
    while (rest && count < symbols && at / 8 < bytes) {
        int share = read_share(in, bytes, &at, rest);
        unsigned takes = (unsigned)(share < 0 ? 1 : share);
        if (takes > rest) return 0;
        rest -= takes;
        shares[count++] = (int16_t)share;
        for (unsigned zeros = share ? 0 : 3; zeros == 3;) {
            zeros = forward_bits(in, bytes, at, 2);
            at += 2;
            count += zeros;
            if (count > symbols) return 0;
        }
    }
    size_t used = (at + 7) / 8;
    if (rest || used > bytes || !image_zstd_states_make(states, shares, count, log)) return 0;
    return used;
}

/* ---- Huffman codes ------------------------------------------------------------------ */

#define WEIGHT_MAX 11

/* Reads all weights but the last, alternating between two states.  Returns their number, or
 * 0 if they are unsound. */
static unsigned read_packed_weights(uint8_t weights[255], const unsigned char *in, size_t bytes)
{
    struct zstd_states states;
    struct zstd_bits bits;
    size_t head = image_zstd_states_read(&states, in, bytes, 256, 6);
    if (!head || !image_zstd_bits_open(&bits, in + head, bytes - head)) return 0;
    uint64_t state[2];
    state[0] = image_zstd_bits_take(&bits, states.log);
    state[1] = image_zstd_bits_take(&bits, states.log);
    if (bits.left < 0) return 0;
    for (unsigned count = 0, turn = 0; count < 254; turn ^= 1) {
        weights[count++] = states.at[state[turn]].symbol;
        state[turn] = states.at[state[turn]].base +
                      image_zstd_bits_take(&bits, states.at[state[turn]].bits);
        if (bits.left < 0) { /* the other state has the last one */
            weights[count++] = states.at[state[turn ^ 1]].symbol;
            return count;
        }
    }
    return 0;
}

/* Fills in the last weight, which makes the codes complete.  Returns the length of the
 * longest code, or 0 if the weights are unsound. */
static unsigned complete_weights(uint8_t weights[256], unsigned count)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        if (weights[i] > WEIGHT_MAX) return 0;
        sum += weights[i] ? 1u << (weights[i] - 1) : 0;
    }
    if (!sum) return 0;
    unsigned bits = highest_bit(sum) + 1;
    uint32_t rest = (1u << bits) - sum;
    if (bits > ZSTD_CODE_BITS || rest & (rest - 1)) return 0;
    weights[count] = (uint8_t)(highest_bit(rest) + 1);
    return bits;
}

static bool make_codes(struct zstd_codes *codes, uint8_t weights[256], unsigned count)
{
    unsigned place = 0, bits = complete_weights(weights, count);
    if (!bits) return false;
    codes->bits = bits;
    for (unsigned weight = 1; weight <= bits; weight++) {
        for (unsigned s = 0; s <= count; s++) {
            if (weights[s] != weight) continue;
            for (unsigned i = 0; i < 1u << (weight - 1); i++, place++) {
                codes->at[place].symbol = (uint8_t)s;
                codes->at[place].bits = (uint8_t)(bits + 1 - weight);
            }
        }
    }
    return true;
}

size_t image_zstd_codes_read(struct zstd_codes *codes, const unsigned char *in, size_t bytes)
{
    uint8_t weights[256] = { 0 };
    if (!bytes) return 0;
    unsigned head = in[0], count, size;
    codes->bits = 0;
    if (head >= 128) {
        count = head - 127;
        size = (count + 1) / 2;
        if (size > bytes - 1) return 0;
        for (unsigned i = 0; i < count; i++)
            weights[i] = i & 1 ? in[1 + i / 2] & 15 : in[1 + i / 2] >> 4;
    } else {
        size = head;
        if (size > bytes - 1) return 0;
        count = read_packed_weights(weights, in + 1, size);
        if (!count) return 0;
    }
    return make_codes(codes, weights, count) ? size + 1 : 0;
}

bool image_zstd_codes_unfold(const struct zstd_codes *codes, const unsigned char *in,
                             size_t in_bytes, unsigned char *out, size_t out_bytes)
{
    struct zstd_bits bits;
    if (!image_zstd_bits_open(&bits, in, in_bytes)) return false;
    for (size_t i = 0; i < out_bytes; i++) {
        uint64_t code = image_zstd_bits_peek(&bits, codes->bits);
        out[i] = codes->at[code].symbol;
        bits.left -= codes->at[code].bits;
    }
    return !bits.left;
}
