/* SPDX-License-Identifier: Apache-2.0
 *
 * Constant expressions: those of C, over .s64, .u64 and .f64.
 */
#include "ptx/read/reader.h"

static bool is_float_value(const struct ptx_value *value)
{
    return value->kind == PTX_VALUE_DOUBLE || value->kind == PTX_VALUE_SINGLE;
}

static double as_double(const struct ptx_value *value)
{
    union { uint32_t bits; float value; } single = { .bits = (uint32_t)value->bits };
    switch (value->kind) {
    case PTX_VALUE_SINGLE: return single.value;
    case PTX_VALUE_DOUBLE: return ptx_double_of(value->bits);
    case PTX_VALUE_SIGNED: return (double)(int64_t)value->bits;
    default: return (double)value->bits;
    }
}

static struct ptx_value whole_value(bool is_signed, uint64_t bits)
{
    return (struct ptx_value){ is_signed ? PTX_VALUE_SIGNED : PTX_VALUE_UNSIGNED, bits };
}

static struct ptx_value real_value(double value)
{
    return (struct ptx_value){ PTX_VALUE_DOUBLE, ptx_bits_of(value) };
}

static bool is_true(const struct ptx_value *value)
{
    return is_float_value(value) ? as_double(value) != 0 : value->bits != 0;
}

/* ---- Two values ------------------------------------------------------------------------ */

enum operation {
    OR_ELSE, AND_THEN, BIT_OR, BIT_XOR, BIT_AND, EQUAL, DIFFERENT, LESS, GREATER, AT_MOST,
    AT_LEAST, SHIFT_LEFT, SHIFT_RIGHT, PLUS, MINUS, TIMES, DIVIDE, REMAINDER
};

static const struct {
    uint16_t mark;
    uint8_t rank; /* what has more binds more closely */
} operations[] = {
    [OR_ELSE] = { PTX_MARK('|', '|'), 1 },    [AND_THEN] = { PTX_MARK('&', '&'), 2 },
    [BIT_OR] = { '|', 3 },                    [BIT_XOR] = { '^', 4 },
    [BIT_AND] = { '&', 5 },                   [EQUAL] = { PTX_MARK('=', '='), 6 },
    [DIFFERENT] = { PTX_MARK('!', '='), 6 },  [LESS] = { '<', 7 },
    [GREATER] = { '>', 7 },                   [AT_MOST] = { PTX_MARK('<', '='), 7 },
    [AT_LEAST] = { PTX_MARK('>', '='), 7 },   [SHIFT_LEFT] = { PTX_MARK('<', '<'), 8 },
    [SHIFT_RIGHT] = { PTX_MARK('>', '>'), 8 }, [PLUS] = { '+', 9 },
    [MINUS] = { '-', 9 },                     [TIMES] = { '*', 10 },
    [DIVIDE] = { '/', 10 },                   [REMAINDER] = { '%', 10 },
};

#define OPERATIONS (sizeof operations / sizeof *operations)

static bool divide_values(struct ptx_reader *reader, const struct ptx_token *token,
                          enum operation operation, bool is_signed, uint64_t a, uint64_t b,
                          uint64_t *out)
{
    if (!b) return ptx_error_at(reader, token, "this divides by 0");
    if (is_signed && b == UINT64_MAX) *out = operation == DIVIDE ? 0 - a : 0;
    else if (is_signed && operation == DIVIDE) *out = (uint64_t)((int64_t)a / (int64_t)b);
    else if (is_signed) *out = (uint64_t)((int64_t)a % (int64_t)b);
    else *out = operation == DIVIDE ? a / b : a % b;
    return true;
}

static uint64_t shift_value(enum operation operation, bool is_signed, uint64_t a, uint64_t b)
{
    bool negative = is_signed && (int64_t)a < 0;
    if (operation == SHIFT_LEFT) return b > 63 ? 0 : a << b;
    if (b > 63) return negative ? UINT64_MAX : 0;
    return negative ? ~(~a >> b) : a >> b;
}

static bool compare_values(enum operation operation, bool less, bool equal)
{
    switch (operation) {
    case EQUAL: return equal;
    case DIFFERENT: return !equal;
    case LESS: return less;
    case GREATER: return !less && !equal;
    case AT_MOST: return less || equal;
    default: return !less;
    }
}

static bool join_reals(struct ptx_reader *reader, const struct ptx_token *token,
                       enum operation operation, struct ptx_value *left,
                       const struct ptx_value *right)
{
    double a = as_double(left), b = as_double(right);
    if (operation >= EQUAL && operation <= AT_LEAST) {
        bool ordered = a == a && b == b;
        bool holds = ordered ? compare_values(operation, a < b, a == b) : operation == DIFFERENT;
        *left = whole_value(true, holds);
        return true;
    }
    switch (operation) {
    case PLUS: *left = real_value(a + b); return true;
    case MINUS: *left = real_value(a - b); return true;
    case TIMES: *left = real_value(a * b); return true;
    case DIVIDE: *left = real_value(a / b); return true;
    default: return ptx_error_at(reader, token, "this is no operator of floats");
    }
}

static bool join_values(struct ptx_reader *reader, const struct ptx_token *token,
                        enum operation operation, struct ptx_value *left,
                        const struct ptx_value *right)
{
    if (operation <= AND_THEN) {
        bool a = is_true(left), b = is_true(right);
        *left = whole_value(true, operation == OR_ELSE ? a || b : a && b);
        return true;
    }
    if (is_float_value(left) || is_float_value(right))
        return join_reals(reader, token, operation, left, right);
    uint64_t a = left->bits, b = right->bits;
    bool is_signed = left->kind == PTX_VALUE_SIGNED && right->kind == PTX_VALUE_SIGNED;
    bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
    uint64_t out = 0;
    switch (operation) {
    case BIT_OR: out = a | b; break;
    case BIT_XOR: out = a ^ b; break;
    case BIT_AND: out = a & b; break;
    case SHIFT_LEFT:
    case SHIFT_RIGHT:
        is_signed = left->kind == PTX_VALUE_SIGNED;
        out = shift_value(operation, is_signed, a, b);
        break;
    case PLUS: out = a + b; break;
    case MINUS: out = a - b; break;
    case TIMES: out = a * b; break;
    case DIVIDE:
    case REMAINDER:
        if (!divide_values(reader, token, operation, is_signed, a, b, &out)) return false;
        break;
    default:
        is_signed = true;
        out = compare_values(operation, less, a == b);
    }
    *left = whole_value(is_signed, out);
    return true;
}

/* ---- One value ------------------------------------------------------------------------- */

static bool read_unary(struct ptx_reader *reader, struct ptx_value *value);

/* Counts every recursion, through whichever functions, so that no text needs more of the
 * stack than a small thread has. */
static bool enter_nesting(struct ptx_reader *reader)
{
    return ++reader->nesting <= PTX_NESTING ||
           ptx_error(reader, "this expression is nested more than %d times", PTX_NESTING);
}

/* Reads (.s64) VALUE, (.u64) VALUE, or an expression in parentheses. */
static bool read_parentheses(struct ptx_reader *reader, struct ptx_value *value)
{
    struct ptx_token token = *ptx_present(reader);
    bool to_signed = ptx_accept(reader, ".s64");
    if (!to_signed && !ptx_accept(reader, ".u64"))
        return ptx_read_expression(reader, value) && ptx_expect_mark(reader, ')');
    if (!ptx_expect_mark(reader, ')') || !read_unary(reader, value)) return false;
    if (is_float_value(value)) return ptx_error_at(reader, &token, "a float is no integer");
    *value = whole_value(to_signed, value->bits);
    return true;
}

static bool read_primary(struct ptx_reader *reader, struct ptx_value *value)
{
    if (ptx_accept_mark(reader, '(')) return read_parentheses(reader, value);
    if (ptx_accept(reader, "WARP_SZ")) {
        *value = whole_value(true, 32);
        return true;
    }
    const char *wrong = ptx_number(ptx_present(reader), value);
    if (wrong) return ptx_error(reader, "%s", wrong);
    ptx_next(reader);
    return true;
}

static void negate_value(struct ptx_value *value)
{
    if (value->kind == PTX_VALUE_SINGLE) value->bits ^= UINT64_C(1) << 31;
    else if (value->kind == PTX_VALUE_DOUBLE) value->bits ^= UINT64_C(1) << 63;
    else value->bits = 0 - value->bits;
}

static bool read_operator(struct ptx_reader *reader, struct ptx_value *value)
{
    struct ptx_token token = *ptx_present(reader);
    uint16_t mark = token.mark;
    ptx_next(reader);
    if (!read_unary(reader, value)) return false;
    if (mark == '-') negate_value(value);
    if (mark == '!') *value = whole_value(true, !is_true(value));
    if (mark != '~') return true;
    if (is_float_value(value)) return ptx_error_at(reader, &token, "this is no operator of floats");
    value->bits = ~value->bits;
    return true;
}

static bool read_unary(struct ptx_reader *reader, struct ptx_value *value)
{
    uint16_t mark = ptx_present(reader)->mark;
    if (!enter_nesting(reader)) return false;
    bool read = mark == '-' || mark == '+' || mark == '~' || mark == '!'
                    ? read_operator(reader, value)
                    : read_primary(reader, value);
    reader->nesting--;
    return read;
}

/* ---- All of it ------------------------------------------------------------------------- */

/* Reads what is joined by operators of at least this rank. */
static bool read_binary(struct ptx_reader *reader, unsigned rank, struct ptx_value *value)
{
    struct ptx_value right;
    if (!read_unary(reader, value)) return false;
    for (;;) {
        struct ptx_token token = *ptx_present(reader);
        size_t i = token.mark ? 0 : OPERATIONS;
        while (i < OPERATIONS && operations[i].mark != token.mark) i++;
        if (i == OPERATIONS || operations[i].rank < rank) return true;
        ptx_next(reader);
        if (!enter_nesting(reader) || !read_binary(reader, operations[i].rank + 1u, &right) ||
            !join_values(reader, &token, (enum operation)i, value, &right))
            return false;
        reader->nesting--;
    }
}

bool ptx_read_expression(struct ptx_reader *reader, struct ptx_value *value)
{
    struct ptx_value yes, no;
    if (!read_binary(reader, 0, value)) return false;
    if (!ptx_accept_mark(reader, '?')) return true;
    if (!enter_nesting(reader)) return false;
    if (!ptx_read_expression(reader, &yes) || !ptx_expect_mark(reader, ':') ||
        !ptx_read_expression(reader, &no))
        return false;
    reader->nesting--;
    *value = is_true(value) ? yes : no;
    return true;
}

bool ptx_begins_expression(const struct ptx_reader *reader)
{
    const struct ptx_token *token = ptx_present(reader);
    if (token->kind == PTX_TOKEN_NUMBER) return true;
    if (token->kind == PTX_TOKEN_NAME) return ptx_token_is(token, "WARP_SZ");
    return token->mark == '-' || token->mark == '+' || token->mark == '~' ||
           token->mark == '!' || token->mark == '(';
}

bool ptx_read_integer(struct ptx_reader *reader, uint64_t *value)
{
    struct ptx_value read;
    struct ptx_token token = *ptx_present(reader);
    if (!ptx_read_expression(reader, &read)) return false;
    if (is_float_value(&read)) return ptx_error_at(reader, &token, "a whole number is meant here");
    *value = read.bits;
    return true;
}

bool ptx_read_count(struct ptx_reader *reader, uint64_t most, const char *what, uint64_t *value)
{
    struct ptx_value read;
    const char *wrong = ptx_number(ptx_present(reader), &read);
    if (!ptx_at(reader, PTX_TOKEN_NUMBER)) return ptx_error(reader, "%s is missing", what);
    if (wrong) return ptx_error(reader, "%s", wrong);
    if (is_float_value(&read)) return ptx_error(reader, "%s is a whole number", what);
    if (read.bits > most) return ptx_error(reader, "%s is too large", what);
    *value = read.bits;
    ptx_next(reader);
    return true;
}
