/* SPDX-License-Identifier: Apache-2.0
 *
 * zstd frames (RFC 8878): blocks of literals, and of sequences, each of which says how many
 * literals come next and which earlier output to copy after them.  There are no dictionaries
 * in fatbins.  A checksum at the end is not checked.
 */
#include "image/zstd.h"

#include <string.h>

#include "base/alloc.h"

#define MAGIC 0xfd2fb528u
#define BLOCK_MAX (128u << 10)

/* The rest of some bytes that are read from the first to the last. */
struct input {
    const unsigned char *at, *end;
};

static size_t bytes_left(const struct input *in)
{
    return (size_t)(in->end - in->at);
}

/* The state that one block leaves to the next, and the literals of the present block. */
struct frame {
    unsigned char *begin, *at, *end; /* of the output                        */
    struct zstd_codes codes;
    struct zstd_states lengths, offsets, matches;
    bool have_lengths, have_offsets, have_matches;
    size_t recent[3];                /* the last three offsets               */
    unsigned char *literals;         /* of the block, up to BLOCK_MAX        */
    size_t literal_bytes;
};

/* ---- Literals -------------------------------------------------------------------- */

struct literals_head {
    unsigned kind, streams;
    size_t size, packed;
};

enum {
    LITERALS_RAW,
    LITERALS_REPEATED,
    LITERALS_CODED,
    LITERALS_CODED_AGAIN, /* with the codes of the block before */
};

static bool read_literals_head(struct input *in, struct literals_head *head)
{
    static const unsigned char bytes_of_size[] = { 1, 2, 1, 3 }, width_of_size[] = { 5, 12, 5, 20 };
    static const unsigned char bytes_of_pair[] = { 3, 3, 4, 5 };
    static const unsigned char width_of_pair[] = { 10, 10, 14, 18 };
    if (!bytes_left(in)) return false;
    unsigned first = *in->at, format = first >> 2 & 3;
    head->kind = first & 3;
    bool coded = head->kind >= LITERALS_CODED;
    size_t bytes = coded ? bytes_of_pair[format] : bytes_of_size[format];
    if (bytes_left(in) < bytes) return false;
    uint64_t word = 0;
    for (size_t i = 0; i < bytes; i++) word |= (uint64_t)in->at[i] << 8 * i;
    in->at += bytes;
    if (!coded) {
        head->size = (size_t)(word >> (format & 1 ? 4 : 3) & ((1u << width_of_size[format]) - 1));
    } else {
        uint64_t mask = (1u << width_of_pair[format]) - 1;
        head->size = (size_t)(word >> 4 & mask);
        head->packed = (size_t)(word >> (4 + width_of_pair[format]) & mask);
        head->streams = format ? 4 : 1;
    }
    return head->size <= BLOCK_MAX;
}

static bool unfold_four(struct frame *frame, const unsigned char *in, size_t bytes, size_t size)
{
    unsigned char *out = frame->literals;
    size_t each = (size + 3) / 4, used = 6;
    if (bytes < used || each * 3 > size) return false;
    for (unsigned i = 0; i < 4; i++) {
        size_t length = i < 3 ? image_u16(in + 2 * (size_t)i) : bytes - used;
        if (length > bytes - used) return false;
        size_t symbols = i < 3 ? each : size - each * 3;
        if (!image_zstd_codes_unfold(&frame->codes, in + used, length, out, symbols)) return false;
        used += length;
        out += each;
    }
    return true;
}

static bool read_coded(struct frame *frame, struct input *in, const struct literals_head *head)
{
    if (bytes_left(in) < head->packed) return false;
    const unsigned char *at = in->at;
    size_t tree = 0;
    if (head->kind == LITERALS_CODED) {
        tree = image_zstd_codes_read(&frame->codes, at, head->packed);
        if (!tree) return false;
    }
    if (!frame->codes.bits) return false;
    in->at += head->packed;
    if (head->streams == 4) return unfold_four(frame, at + tree, head->packed - tree, head->size);
    return image_zstd_codes_unfold(&frame->codes, at + tree, head->packed - tree, frame->literals,
                                   head->size);
}

static bool read_literals(struct frame *frame, struct input *in)
{
    struct literals_head head = { 0 };
    if (!read_literals_head(in, &head)) return false;
    frame->literal_bytes = head.size;
    if (head.kind >= LITERALS_CODED) return read_coded(frame, in, &head);
    size_t bytes = head.kind == LITERALS_RAW ? head.size : 1;
    if (bytes_left(in) < bytes) return false;
    if (head.kind == LITERALS_RAW) memcpy(frame->literals, in->at, bytes);
    else memset(frame->literals, *in->at, head.size);
    in->at += bytes;
    return true;
}

/* ---- Sequences ------------------------------------------------------------------- */

#define LENGTHS 36
#define OFFSETS 32
#define MATCHES 53

static const uint32_t length_base[LENGTHS] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,  11,  12,  13,   14,   15,   16,   18,
    20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536,
};
static const uint8_t length_bits[LENGTHS] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  1,  1,
    1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
};
static const uint32_t match_base[MATCHES] = {
    3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,  17,  18,  19,   20,
    21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34,  35,  37,  39,   41,
    43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539,
};
static const uint8_t match_bits[MATCHES] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
};
static const int16_t usual_lengths[LENGTHS] = {
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1,  2,  2,
    2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
};
static const int16_t usual_offsets[29] = {
    1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
};
static const int16_t usual_matches[MATCHES] = {
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
};

/* One of the three codes of sequences: its limits, and its table in the present frame. */
struct code {
    struct zstd_states *states;
    bool *have;
    unsigned symbols, log_max;
    const int16_t *usual;
    unsigned usual_symbols, usual_log;
};

enum {
    TABLE_USUAL,
    TABLE_ONE, /* a single symbol */
    TABLE_NEW,
    TABLE_AGAIN,
};

static bool read_table(const struct code *code, struct input *in, unsigned mode)
{
    size_t used;
    switch (mode) {
    case TABLE_USUAL:
        image_zstd_states_make(code->states, code->usual, code->usual_symbols, code->usual_log);
        break;
    case TABLE_ONE:
        if (!bytes_left(in) || *in->at >= code->symbols) return false;
        code->states->log = 0;
        code->states->at[0].symbol = *in->at++;
        code->states->at[0].base = code->states->at[0].bits = 0;
        break;
    case TABLE_NEW:
        used = image_zstd_states_read(code->states, in->at, bytes_left(in), code->symbols,
                                      code->log_max);
        if (!used) return false;
        in->at += used;
        break;
    default: return *code->have;
    }
    return *code->have = true;
}

static bool read_tables(struct frame *frame, struct input *in)
{
    const struct code codes[] = {
        { &frame->lengths, &frame->have_lengths, LENGTHS, 9, usual_lengths, LENGTHS, 6 },
        { &frame->offsets, &frame->have_offsets, OFFSETS, 8, usual_offsets, 29, 5 },
        { &frame->matches, &frame->have_matches, MATCHES, 9, usual_matches, MATCHES, 6 },
    };
    if (!bytes_left(in)) return false;
    unsigned modes = *in->at++;
    if (modes & 3) return false;
    for (unsigned i = 0; i < 3; i++)
        if (!read_table(&codes[i], in, modes >> (6 - 2 * i) & 3)) return false;
    return true;
}

static bool read_count(struct input *in, size_t *count)
{
    if (!bytes_left(in)) return false;
    unsigned first = *in->at;
    size_t bytes = first < 128 ? 1 : first < 255 ? 2 : 3;
    if (bytes_left(in) < bytes) return false;
    *count = bytes == 1 ? first
             : bytes == 2 ? (size_t)(first - 128) << 8 | in->at[1]
                          : image_u16(in->at + 1) + (size_t)0x7f00;
    in->at += bytes;
    return true;
}

/* Returns the offset for a value; values up to 3 mean a recent one. */
static size_t offset_of(struct frame *frame, uint64_t value, bool no_literals)
{
    size_t *recent = frame->recent, offset;
    uint64_t which = value - 1 + no_literals;
    if (value <= 3 && !which) return recent[0];
    if (value > 3) offset = (size_t)(value - 3);
    else offset = which < 3 ? recent[which] : recent[0] - 1;
    if (value > 3 || which > 1) recent[2] = recent[1];
    recent[1] = recent[0];
    return recent[0] = offset;
}

static bool copy_literals(struct frame *frame, const unsigned char **literals, size_t length)
{
    size_t there = frame->literal_bytes - (size_t)(*literals - frame->literals);
    if (length > there || length > (size_t)(frame->end - frame->at)) return false;
    memcpy(frame->at, *literals, length);
    frame->at += length;
    *literals += length;
    return true;
}

static bool copy_match(struct frame *frame, size_t offset, size_t length)
{
    if (!offset || offset > (size_t)(frame->at - frame->begin)) return false;
    if (length > (size_t)(frame->end - frame->at)) return false;
    for (; length; length--, frame->at++) *frame->at = frame->at[-(ptrdiff_t)offset];
    return true;
}

struct sequence_states {
    uint64_t length, offset, match;
};

static void begin_states(const struct frame *frame, struct zstd_bits *bits,
                         struct sequence_states *state)
{
    state->length = image_zstd_bits_take(bits, frame->lengths.log);
    state->offset = image_zstd_bits_take(bits, frame->offsets.log);
    state->match = image_zstd_bits_take(bits, frame->matches.log);
}

static void next_state(const struct zstd_states *states, struct zstd_bits *bits, uint64_t *state)
{
    *state = states->at[*state].base + image_zstd_bits_take(bits, states->at[*state].bits);
}

static bool run_sequence(struct frame *frame, struct zstd_bits *bits,
                         const struct sequence_states *state, const unsigned char **literals)
{
    unsigned offset_code = frame->offsets.at[state->offset].symbol;
    unsigned length_code = frame->lengths.at[state->length].symbol;
    unsigned match_code = frame->matches.at[state->match].symbol;
    uint64_t value = (UINT64_C(1) << offset_code) + image_zstd_bits_take(bits, offset_code);
    size_t match = match_base[match_code];
    size_t length = length_base[length_code];
    match += (size_t)image_zstd_bits_take(bits, match_bits[match_code]);
    length += (size_t)image_zstd_bits_take(bits, length_bits[length_code]);
    return bits->left >= 0 && copy_literals(frame, literals, length) &&
           copy_match(frame, offset_of(frame, value, !length), match);
}

static bool run_sequences(struct frame *frame, struct input *in)
{
    const unsigned char *literals = frame->literals;
    struct sequence_states state;
    struct zstd_bits bits;
    size_t count;
    if (!read_count(in, &count)) return false;
    if (count) {
        if (!read_tables(frame, in) || !image_zstd_bits_open(&bits, in->at, bytes_left(in)))
            return false;
        begin_states(frame, &bits, &state);
        while (run_sequence(frame, &bits, &state, &literals) && --count) {
            next_state(&frame->lengths, &bits, &state.length);
            next_state(&frame->matches, &bits, &state.match);
            next_state(&frame->offsets, &bits, &state.offset);
        }
        if (count || bits.left) return false;
    }
    return copy_literals(frame, &literals,
                         frame->literal_bytes - (size_t)(literals - frame->literals));
}

/* ---- Blocks and frames ----------------------------------------------------------- */

enum {
    BLOCK_RAW,
    BLOCK_REPEATED,
    BLOCK_PACKED,
};

static bool read_block(struct frame *frame, struct input *in, bool *last)
{
    if (bytes_left(in) < 3) return false;
    uint32_t head = in->at[0] | (uint32_t)image_u16(in->at + 1) << 8;
    uint32_t kind = head >> 1 & 3;
    size_t size = head >> 3, bytes = kind == BLOCK_REPEATED ? 1 : size;
    in->at += 3;
    *last = head & 1;
    if (bytes_left(in) < bytes) return false;
    struct input block = { in->at, in->at + bytes };
    in->at += bytes;
    if (kind == BLOCK_PACKED) return read_literals(frame, &block) && run_sequences(frame, &block);
    if (kind > BLOCK_PACKED || size > (size_t)(frame->end - frame->at)) return false;
    if (kind == BLOCK_RAW) memcpy(frame->at, block.at, size);
    else memset(frame->at, *block.at, size);
    frame->at += size;
    return true;
}

static bool skip_frame_head(struct input *in)
{
    static const unsigned char bytes_of_size[] = { 0, 2, 4, 8 };
    if (bytes_left(in) < 5 || image_u32(in->at) != MAGIC) return false;
    unsigned head = in->at[4];
    bool reserved = head & 0x08, dictionary = head & 3, single = head & 0x20;
    /* One byte is the window's, or in a single segment that of a size otherwise left out. */
    size_t bytes = bytes_of_size[head >> 6] + (single && head >> 6 ? 0u : 1u);
    in->at += 5;
    if (reserved || dictionary || bytes_left(in) < bytes) return false;
    in->at += bytes;
    return true;
}

static bool read_frame(struct frame *frame, struct input *in)
{
    bool last = false;
    if (!skip_frame_head(in)) return false;
    while (!last)
        if (!read_block(frame, in, &last)) return false;
    return frame->at == frame->end;
}

rill_status image_unfold_zstd(const unsigned char *in, size_t in_bytes, unsigned char *out,
                              size_t out_bytes)
{
    struct input input = { in, in + in_bytes };
    struct frame *frame = rl_zalloc(sizeof *frame + BLOCK_MAX);
    if (!frame) return RILL_ERROR_OUT_OF_MEMORY;
    frame->begin = frame->at = out;
    frame->end = out + out_bytes;
    frame->literals = (unsigned char *)(frame + 1);
    frame->recent[0] = 1;
    frame->recent[1] = 4;
    frame->recent[2] = 8;
    bool sound = read_frame(frame, &input);
    rl_free(frame);
    return sound ? RILL_SUCCESS : RILL_ERROR_INVALID_IMAGE;
}
