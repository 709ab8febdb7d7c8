/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/text/lexer.h"

#include <string.h>

/* ---- Characters: those of ASCII, whatever the locale ----------------------------------- */

enum {
    BLANK = 1,
    NAME = 2,   /* may stand within a name           */
    FIRST = 4,  /* may begin one                     */
    DIGIT = 8,
    PERCENT = 16 /* begins one that continues         */
};

static const unsigned char classes[256] = {
    [' '] = BLANK, ['\t'] = BLANK, ['\r'] = BLANK, ['\n'] = BLANK, ['\f'] = BLANK, ['\v'] = BLANK,
    ['0'] = NAME | DIGIT, ['1'] = NAME | DIGIT, ['2'] = NAME | DIGIT, ['3'] = NAME | DIGIT,
    ['4'] = NAME | DIGIT, ['5'] = NAME | DIGIT, ['6'] = NAME | DIGIT, ['7'] = NAME | DIGIT,
    ['8'] = NAME | DIGIT, ['9'] = NAME | DIGIT,
    ['_'] = NAME | FIRST, ['$'] = NAME | FIRST, ['%'] = PERCENT,
#define LETTER(c) [c] = NAME | FIRST, [(c) - 'a' + 'A'] = NAME | FIRST
    LETTER('a'), LETTER('b'), LETTER('c'), LETTER('d'), LETTER('e'), LETTER('f'), LETTER('g'),
    LETTER('h'), LETTER('i'), LETTER('j'), LETTER('k'), LETTER('l'), LETTER('m'), LETTER('n'),
    LETTER('o'), LETTER('p'), LETTER('q'), LETTER('r'), LETTER('s'), LETTER('t'), LETTER('u'),
    LETTER('v'), LETTER('w'), LETTER('x'), LETTER('y'), LETTER('z'),
#undef LETTER
};

static bool is_of_class(char c, int wanted)
{
    return classes[(unsigned char)c] & wanted;
}

/* Returns the character `ahead` places on, or 0. */
static char peek_ahead(const struct ptx_lexer *lexer, size_t ahead)
{
    return (size_t)(lexer->end - lexer->at) > ahead ? lexer->at[ahead] : 0;
}

/* ---- What stands between tokens -------------------------------------------------------- */

static void skip_line(struct ptx_lexer *lexer)
{
    const char *end = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
    lexer->at = end ? end : lexer->end;
}

static void begin_line(struct ptx_lexer *lexer, const char *at)
{
    lexer->line++;
    lexer->line_begin = at;
}

/* Returns where the present comment ends, or NULL if it does not. */
static const char *end_of_comment(const struct ptx_lexer *lexer)
{
    for (const char *at = lexer->at + 2;; at++) {
        at = memchr(at, '*', (size_t)(lexer->end - at));
        if (!at || lexer->end - at < 2) return NULL;
        if (at[1] == '/') return at;
    }
}

/* Skips a comment.  Returns false, with nothing skipped, if it does not end. */
static bool skip_comment(struct ptx_lexer *lexer)
{
    const char *close = lexer->unclosed ? NULL : end_of_comment(lexer);
    lexer->unclosed = !close;
    if (!close) return false;
    for (const char *at = lexer->at; at < close; at++) {
        at = memchr(at, '\n', (size_t)(close - at));
        if (!at) break;
        begin_line(lexer, at + 1);
    }
    lexer->at = close + 2;
    return true;
}

/* Skips blanks, comments, and what tools leave: lines that begin with #, and old debug
 * information (@@). */
static void skip_blanks(struct ptx_lexer *lexer)
{
    for (;;) {
        while (lexer->at < lexer->end && is_of_class(*lexer->at, BLANK))
            if (*lexer->at++ == '\n') begin_line(lexer, lexer->at);
        char first = peek_ahead(lexer, 0), second = peek_ahead(lexer, 1);
        if (first == '/' && second == '/') skip_line(lexer);
        else if (first == '#' || (first == '@' && second == '@')) skip_line(lexer);
        else if (first != '/' || second != '*' || !skip_comment(lexer)) return;
    }
}

/* ---- Tokens ---------------------------------------------------------------------------- */

static const char *end_of_name(const char *at, const char *end)
{
    while (at < end && is_of_class(*at, NAME)) at++;
    return at;
}

/* Returns the end of a word after a dot, which may have two colons in it. */
static const char *end_of_dotted(const char *at, const char *end)
{
    at = end_of_name(at, end);
    while (end - at > 2 && at[0] == ':' && at[1] == ':' && is_of_class(at[2], NAME))
        at = end_of_name(at + 2, end);
    return at;
}

/* Returns the end of digits, letters, a fraction, and an exponent with its sign. */
static const char *end_of_number(const char *at, const char *end)
{
    const char *begin = at;
    bool prefixed = end - at > 1 && at[0] == '0' && is_of_class(at[1], FIRST) &&
                    (at[1] | 32) != 'e';
    for (; at < end; at++) {
        if (is_of_class(*at, NAME) || *at == '.') continue;
        if ((*at != '-' && *at != '+') || prefixed || at == begin || (at[-1] | 32) != 'e') break;
    }
    return at;
}

/* Returns true for ".5" and ".5e3", but not for the ".2d" of a texture. */
static bool is_fraction(const char *at, const char *end)
{
    for (at++; at < end && is_of_class(*at, DIGIT); at++) continue;
    return at == end || !is_of_class(*at, NAME) || (*at | 32) == 'e';
}

static uint16_t mark_at(const struct ptx_lexer *lexer)
{
    unsigned char first = (unsigned char)*lexer->at, second = (unsigned char)peek_ahead(lexer, 1);
    bool twice = first == second && memchr("<>=&|", first, 5);
    bool equal = second == '=' && memchr("<>!", first, 3);
    bool comment = first == '/' && second == '*'; /* that does not end */
    return twice || equal || comment ? PTX_MARK(first, second) : first;
}

static void take_token(struct ptx_lexer *lexer, enum ptx_token_kind kind, const char *stop)
{
    lexer->token.kind = (uint8_t)kind;
    lexer->token.bytes = (uint32_t)(stop - lexer->at);
    lexer->at = stop;
}

static void take_mark(struct ptx_lexer *lexer)
{
    lexer->token.mark = mark_at(lexer);
    take_token(lexer, PTX_TOKEN_MARK, lexer->at + (lexer->token.mark > 255 ? 2 : 1));
}

static void take_string(struct ptx_lexer *lexer)
{
    const char *stop = lexer->at + 1;
    while (stop < lexer->end && *stop != '"' && *stop != '\n') stop++;
    if (stop < lexer->end && *stop == '"') take_token(lexer, PTX_TOKEN_STRING, stop + 1);
    else take_mark(lexer);
}

void ptx_lexer_next(struct ptx_lexer *lexer)
{
    skip_blanks(lexer);
    const char *at = lexer->at, *end = lexer->end;
    lexer->token = (struct ptx_token){
        .at = at,
        .place = { lexer->line, (uint32_t)(at - lexer->line_begin) + 1 },
    };
    if (at == end) return;
    char second = peek_ahead(lexer, 1);
    if (is_of_class(*at, FIRST)) take_token(lexer, PTX_TOKEN_NAME, end_of_name(at, end));
    else if (is_of_class(*at, PERCENT) && is_of_class(second, NAME))
        take_token(lexer, PTX_TOKEN_NAME, end_of_name(at + 1, end));
    else if (is_of_class(*at, DIGIT) ||
             (*at == '.' && is_of_class(second, DIGIT) && is_fraction(at, end)))
        take_token(lexer, PTX_TOKEN_NUMBER, end_of_number(at, end));
    else if (*at == '.' && is_of_class(second, NAME))
        take_token(lexer, PTX_TOKEN_DOTTED, end_of_dotted(at + 1, end));
    else if (*at == '"') take_string(lexer);
    else take_mark(lexer);
}

void ptx_lexer_open(struct ptx_lexer *lexer, const char *begin, size_t bytes)
{
    const char *zero = memchr(begin, 0, bytes);
    *lexer = (struct ptx_lexer){
        .at = begin, .end = zero ? zero : begin + bytes, .line_begin = begin, .line = 1,
    };
    ptx_lexer_next(lexer);
}

bool ptx_token_is(const struct ptx_token *token, const char *what)
{
    return token->bytes == strlen(what) && !memcmp(token->at, what, token->bytes);
}
