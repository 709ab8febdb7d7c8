/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of PTX as tokens, one at a time.
 */
#ifndef PTX_TEXT_LEXER_H
#define PTX_TEXT_LEXER_H

#include "ptx/text/module.h"

enum ptx_token_kind {
    PTX_TOKEN_END,
    PTX_TOKEN_NAME,   /* add, %r1, $L__BB0_1, _                                        */
    PTX_TOKEN_DOTTED, /* .reg, .f32, .L2::128B: with its dot                           */
    PTX_TOKEN_NUMBER, /* whatever begins with a digit; ptx_number() looks closer       */
    PTX_TOKEN_STRING, /* with its quotes                                               */
    PTX_TOKEN_MARK    /* one of two characters, << >> <= >= == != && ||, or one        */
};

struct ptx_token {
    const char *at;
    uint32_t bytes;
    uint8_t kind;      /* enum ptx_token_kind                                          */
    uint16_t mark;     /* its character; of two: PTX_MARK('<', '<'); else 0            */
    struct ptx_place place;
};

#define PTX_MARK(first, second) ((uint16_t)((first) << 8 | (second)))

struct ptx_lexer {
    const char *at, *end;
    const char *line_begin;
    uint32_t line;
    bool unclosed;          /* a comment did not end, so no later one does              */
    struct ptx_token token; /* the present one */
};

/* Begins at the first token.  A zero also ends the text, which has less than 4 GiB. */
void ptx_lexer_open(struct ptx_lexer *lexer, const char *begin, size_t bytes);
void ptx_lexer_next(struct ptx_lexer *lexer);

bool ptx_token_is(const struct ptx_token *token, const char *what);

/* ---- Numbers --------------------------------------------------------------------------- */

enum ptx_value_kind {
    PTX_VALUE_SIGNED,   /* .s64                                                        */
    PTX_VALUE_UNSIGNED, /* .u64                                                        */
    PTX_VALUE_DOUBLE,   /* .f64                                                        */
    PTX_VALUE_SINGLE    /* 0f3F800000: 32 bits of `bits`                               */
};

struct ptx_value {
    enum ptx_value_kind kind;
    uint64_t bits;
};

/* Returns NULL and the value of a number, or what is wrong with it. */
const char *ptx_number(const struct ptx_token *token, struct ptx_value *value);

static inline double ptx_double_of(uint64_t bits)
{
    union { uint64_t bits; double value; } same = { .bits = bits };
    return same.value;
}

static inline uint64_t ptx_bits_of(double value)
{
    union { double value; uint64_t bits; } same = { .value = value };
    return same.bits;
}

#endif
