/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers: whole ones to four bases, floats as their bits, and floats as people write them.
 */
#include "ptx/text/lexer.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 400 /* characters of a number with a fraction */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    char low = (char)(c | 32);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : 99;
}

static const char *read_digits(const char *at, size_t bytes, unsigned base, uint64_t *value)
{
    uint64_t sum = 0;
    if (!bytes) return "digits are missing in this number";
    for (size_t i = 0; i < bytes; i++) {
        unsigned digit = (unsigned)digit_of(at[i]);
        if (digit >= base) return "this is no number";
        if (sum > (UINT64_MAX - digit) / base) return "this number does not fit into 64 bits";
        sum = sum * base + digit;
    }
    *value = sum;
    return NULL;
}

static const char *read_whole(const char *at, size_t bytes, struct ptx_value *value)
{
    bool plain = at[bytes - 1] != 'U';
    if (!plain) bytes--;
    char form = bytes > 1 && at[0] == '0' ? (char)(at[1] | 32) : 0;
    unsigned base = form == 'x' ? 16 : form == 'b' ? 2 : form ? 8 : 10;
    size_t prefix = form == 'x' || form == 'b' ? 2 : 0;
    const char *wrong = read_digits(at + prefix, bytes - prefix, base, &value->bits);
    value->kind = plain && value->bits <= INT64_MAX ? PTX_VALUE_SIGNED : PTX_VALUE_UNSIGNED;
    return wrong;
}

/* Returns true if strtod() reads exactly what PTX means. */
static bool is_decimal(const char *at, const char *end)
{
    size_t digits = 0;
    bool fraction = false;
    for (; at < end && ((*at >= '0' && *at <= '9') || (*at == '.' && !fraction)); at++) {
        if (*at == '.') fraction = true;
        else digits++;
    }
    if (!digits || at == end || (*at | 32) != 'e') return digits && at == end;
    if (++at < end && (*at == '-' || *at == '+')) at++;
    if (at == end) return false;
    while (at < end && *at >= '0' && *at <= '9') at++;
    return at == end;
}

static const char *read_decimal(const char *at, size_t bytes, struct ptx_value *value)
{
    char copy[LONGEST + 1];
    if (!is_decimal(at, at + bytes)) return "this is no number";
    if (bytes > LONGEST) return "this number has more digits than anybody needs";
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return "there is no memory to read this number";
    memcpy(copy, at, bytes);
    copy[bytes] = 0;
    value->kind = PTX_VALUE_DOUBLE;
    value->bits = ptx_bits_of(strtod_l(copy, NULL, plain));
    freelocale(plain);
    return NULL;
}

static bool has_fraction(const char *at, size_t bytes)
{
    return memchr(at, '.', bytes) || memchr(at, 'e', bytes) || memchr(at, 'E', bytes);
}

const char *ptx_number(const struct ptx_token *token, struct ptx_value *value)
{
    const char *at = token->at;
    size_t bytes = token->bytes;
    if (token->kind != PTX_TOKEN_NUMBER) return "a number is missing";
    char form = bytes > 1 && at[0] == '0' ? (char)(at[1] | 32) : 0;
    if (form == 'f' || form == 'd') {
        size_t digits = form == 'f' ? 8 : 16;
        value->kind = form == 'f' ? PTX_VALUE_SINGLE : PTX_VALUE_DOUBLE;
        if (bytes != 2 + digits)
            return form == 'f' ? "a float has 8 digits behind 0f"
                               : "a double has 16 digits behind 0d";
        return read_digits(at + 2, digits, 16, &value->bits);
    }
    if (form != 'x' && form != 'b' && has_fraction(at, bytes))
        return read_decimal(at, bytes, value);
    return read_whole(at, bytes, value);
}
