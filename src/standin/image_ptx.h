/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX text while it is read, as far as an image needs it: what is declared at the top
 * of the text and in parentheses behind a kernel's name.  Bodies are walked through
 * for shared memory, and for what is no instruction at all.  Private to image_ptx*.c.
 */
#ifndef STANDIN_IMAGE_PTX_H
#define STANDIN_IMAGE_PTX_H

#include "standin/image_parts.h"

/* ---- Tokens (image_ptx_tokens.c) ---------------------------------------------------- */

enum ptx_kind {
    PTX_END,
    PTX_WORD,      /* a name or an instruction         */
    PTX_DIRECTIVE, /* begins with a dot                */
    PTX_NUMBER,
    PTX_STRING,    /* with its quotes                  */
    PTX_MARK,      /* a single character               */
};

struct ptx_token {
    enum ptx_kind kind;
    const char *at;
    size_t bytes;
};

struct ptx_text {
    const char *begin, *at, *end;
    struct ptx_token token; /* the present one */
};

/* Begins at the first token. */
void iptx_open(struct ptx_text *text, const char *begin, size_t bytes);
void iptx_next(struct ptx_text *text);

bool iptx_is(const struct ptx_token *token, const char *what);
static inline bool iptx_is_mark(const struct ptx_token *token, char mark)
{
    return token->kind == PTX_MARK && *token->at == mark;
}

/* Goes on if the present token is that one. */
bool iptx_accept(struct ptx_text *text, const char *what);
bool iptx_accept_mark(struct ptx_text *text, char mark);

/* A whole number.  False: the token is none, or too large for 64 bits. */
bool iptx_number(const struct ptx_token *token, uint64_t *value);

/* A number with a fraction or in the notation of floats, as the bits of a double, or of
 * a float where the token has those. */
bool iptx_float(const struct ptx_token *token, uint64_t *bits, uint32_t *bytes);

/* ---- Names -------------------------------------------------------------------------- */

enum ptx_thing {
    PTX_THING_NONE,
    PTX_THING_FUNCTION,
    PTX_THING_ENTRY,
    PTX_THING_VARIABLE,
    PTX_THING_SHARED,
};

/* What has a name at the top of the text. */
struct ptx_name {
    const char *at;
    size_t bytes;
    enum ptx_thing thing;
    bool defined;      /* not only declared                                */
    uint32_t index;    /* of an entry or a variable                        */
    uint32_t counted;  /* shared memory: the last kernel that counted it   */
    uint64_t size;     /* of shared memory                                 */
    uint32_t alignment;
};

struct ptx_names {
    struct ptx_name *slots;
    uint32_t count, room; /* a power of two, or 0 */
};

/* NULL: nothing has it. */
struct ptx_name *iptx_find(const struct ptx_names *names, const struct ptx_token *token);

/* ---- The reader --------------------------------------------------------------------- */

struct ptx {
    struct image_reader *reader;
    struct ptx_text text;
    struct ptx_names names;
};

/* Notes that the text is wrong at the present token. */
rill_status iptx_wrong(struct ptx *ptx, const char *what);

/* The present token must be that mark; goes on. */
rill_status iptx_expect(struct ptx *ptx, char mark);

/* A name that is new, or was only declared until now. */
rill_status iptx_define(struct ptx *ptx, const struct ptx_token *token, enum ptx_thing thing,
                       bool defined, struct ptx_name **name);

/* ---- Declarations (image_ptx_variable.c) -------------------------------------------- */

#define PTX_DIMENSIONS 8

/* More than any device has; keeps sums of sizes far from overflow. */
#define PTX_SIZE_LIMIT (UINT64_C(1) << 46)

/* What is declared: a variable or a parameter. */
struct ptx_declaration {
    struct ptx_token name;
    uint64_t size;      /* 0: an array without a length                          */
    uint32_t element;   /* bytes of one                                          */
    uint32_t alignment;
    bool managed;
    uint32_t dimension_count;
    uint64_t dimensions[PTX_DIMENSIONS]; /* a vector is the last one; 0: not said */
};

/* From behind .param, .global and the like up to what follows the name and its brackets. */
rill_status iptx_declare(struct ptx *ptx, struct ptx_declaration *declaration);

/* Behind .global or .const, up to the semicolon. */
rill_status iptx_variables(struct ptx *ptx, enum image_space space, bool external);

/* Behind .shared: outside of kernels, or of the kernel that is given. */
rill_status iptx_shared(struct ptx *ptx, struct image_entry *entry);

/* What a variable begins with, behind the '=' (image_ptx_initial.c). */
rill_status iptx_initial(struct ptx *ptx, struct ptx_declaration *declaration,
                        struct image_variable *variable);

/* Adds shared memory to that of a kernel. */
void iptx_add_shared(struct image_entry *entry, uint64_t size, uint32_t alignment);

/* ---- Functions (image_ptx_function.c) ----------------------------------------------- */

/* Behind .entry or .func. */
rill_status iptx_function(struct ptx *ptx, bool entry, bool external);

/* From behind the brace of a function up to behind the one that closes it.  `entry` is
 * NULL within a function that is no kernel (image_ptx_body.c). */
rill_status iptx_body(struct ptx *ptx, uint32_t entry);
#define PTX_NO_ENTRY UINT32_MAX

#endif
