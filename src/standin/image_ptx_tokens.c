/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/image_ptx.h"

#include <string.h>

/* ---- Characters: those of ASCII, whatever the locale ----------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

static bool is_of_name(char c)
{
    return is_letter(c) || is_digit(c);
}

/* ---- Tokens ---------------------------------------------------------------------- */

static bool skip_line(struct ptx_text *text)
{
    const char *end = memchr(text->at, '\n', (size_t)(text->end - text->at));
    text->at = end ? end : text->end;
    return true;
}

/* What tools leave at the start of a line: line marks, and old debug information. */
static bool begins_aside(const struct ptx_text *text)
{
    if (*text->at == '#') return true;
    return text->end - text->at > 1 && text->at[0] == '@' && text->at[1] == '@';
}

static bool skip_comment(struct ptx_text *text)
{
    if (text->end - text->at < 2 || *text->at != '/') return begins_aside(text) && skip_line(text);
    if (text->at[1] == '/') return skip_line(text);
    if (text->at[1] != '*') return false;
    text->at += 2;
    while (text->end - text->at >= 2 && (text->at[0] != '*' || text->at[1] != '/')) text->at++;
    text->at = text->end - text->at >= 2 ? text->at + 2 : text->end;
    return true;
}

static void skip_blanks(struct ptx_text *text)
{
    while (text->at < text->end)
        if (strchr(" \t\r\n\f\v", *text->at)) text->at++;
        else if (!skip_comment(text)) return;
}

/* Digits, letters and a fraction; the sign of an exponent is the number's if it has a dot. */
static const char *end_of_number(const char *at, const char *end)
{
    bool fraction = false;
    for (; at < end; at++) {
        if (*at == '.') fraction = true;
        else if (!is_of_name(*at) && !(fraction && (*at == '-' || *at == '+') &&
                                       (at[-1] == 'e' || at[-1] == 'E')))
            break;
    }
    return at;
}

static const char *end_of_string(const char *at, const char *end)
{
    const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));
    return quote ? quote + 1 : end;
}

static const char *end_of_name(const char *at, const char *end)
{
    for (at++; at < end && is_of_name(*at); at++) continue;
    return at;
}

void iptx_next(struct ptx_text *text)
{
    skip_blanks(text);
    const char *at = text->at, *end = text->end, *stop = at + 1;
    struct ptx_token *token = &text->token;
    *token = (struct ptx_token){ PTX_END, at, 0 };
    if (at == end) return;
    if (is_digit(*at)) {
        token->kind = PTX_NUMBER;
        stop = end_of_number(at, end);
    } else if (is_letter(*at)) {
        token->kind = PTX_WORD;
        stop = end_of_name(at, end);
    } else if (*at == '.' && end - at > 1 && is_of_name(at[1])) {
        token->kind = PTX_DIRECTIVE;
        stop = end_of_name(at, end);
    } else if (*at == '"') {
        token->kind = PTX_STRING;
        stop = end_of_string(at, end);
    } else {
        token->kind = PTX_MARK;
    }
    token->bytes = (size_t)(stop - at);
    text->at = stop;
}

void iptx_open(struct ptx_text *text, const char *begin, size_t bytes)
{
    *text = (struct ptx_text){ .begin = begin, .at = begin, .end = begin + bytes };
    iptx_next(text);
}

bool iptx_is(const struct ptx_token *token, const char *what)
{
    return token->bytes == strlen(what) && !memcmp(token->at, what, token->bytes);
}

bool iptx_accept(struct ptx_text *text, const char *what)
{
    if (!iptx_is(&text->token, what)) return false;
    iptx_next(text);
    return true;
}

bool iptx_accept_mark(struct ptx_text *text, char mark)
{
    if (!iptx_is_mark(&text->token, mark)) return false;
    iptx_next(text);
    return true;
}

/* ---- Numbers --------------------------------------------------------------------- */

static bool read_digits(const char *at, size_t bytes, unsigned base, uint64_t *value)
{
    uint64_t sum = 0;
    if (!bytes) return false;
    for (size_t i = 0; i < bytes; i++) {
        unsigned digit = is_digit(at[i]) ? (unsigned)(at[i] - '0')
                         : (at[i] | 32) >= 'a' && (at[i] | 32) <= 'z'
                             ? (unsigned)((at[i] | 32) - 'a') + 10 : 36;
        if (digit >= base || sum > (UINT64_MAX - digit) / base) return false;
        sum = sum * base + digit;
    }
    *value = sum;
    return true;
}

bool iptx_number(const struct ptx_token *token, uint64_t *value)
{
    const char *at = token->at;
    size_t bytes = token->bytes;
    if (token->kind != PTX_NUMBER) return false;
    if (at[bytes - 1] == 'U') bytes--;
    if (bytes > 2 && at[0] == '0' && (at[1] | 32) == 'x')
        return read_digits(at + 2, bytes - 2, 16, value);
    if (bytes > 2 && at[0] == '0' && (at[1] | 32) == 'b')
        return read_digits(at + 2, bytes - 2, 2, value);
    return read_digits(at, bytes, at[0] == '0' ? 8 : 10, value);
}

/* Digits, perhaps with a fraction, perhaps with an exponent. */
static bool read_decimal(const char *at, const char *end, double *value)
{
    long double sum = 0;
    int point = 0, exponent = 0;
    bool fraction = false, negative = false;
    for (; at < end && (is_digit(*at) || (*at == '.' && !fraction)); at++) {
        if (*at == '.') fraction = true;
        else sum = sum * 10 + (*at - '0');
        if (fraction && *at != '.' && point < 10000) point++;
    }
    if (at < end && (*at | 32) == 'e') {
        at++;
        if (at < end && (*at == '-' || *at == '+')) negative = *at++ == '-';
        for (; at < end && is_digit(*at); at++)
            if (exponent < 10000) exponent = exponent * 10 + (*at - '0');
    }
    exponent = (negative ? -exponent : exponent) - point;
    for (; exponent > 0; exponent--) sum *= 10;
    for (; exponent < 0; exponent++) sum /= 10;
    *value = (double)sum;
    return at == end;
}

bool iptx_float(const struct ptx_token *token, uint64_t *bits, uint32_t *bytes)
{
    const char *at = token->at;
    double value;
    if (token->kind != PTX_NUMBER) return false;
    char form = token->bytes > 2 && at[0] == '0' ? (char)(at[1] | 32) : 0;
    if (form == 'f' || form == 'd') {
        *bytes = form == 'f' ? 4 : 8;
        return token->bytes == 2 + 2 * *bytes && read_digits(at + 2, 2 * *bytes, 16, bits);
    }
    *bytes = 8;
    if (!read_decimal(at, at + token->bytes, &value)) return false;
    memcpy(bits, &value, sizeof value);
    return true;
}
