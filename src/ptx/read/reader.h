/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader while it reads.  Private to reader*.c.
 *
 * One pass from the first token to the last.  Names are looked up as they are met; only
 * labels may stand behind their use, and those wait until their scope closes.
 *
 * What can fail returns whether it succeeded, and has noted why it did not: the first
 * refusal is kept, and everybody returns.  What is read lies in the module's arena; what
 * only the reading needs in another one, and in stacks, which all go when it is over.
 */
#ifndef PTX_READ_READER_H
#define PTX_READ_READER_H

#include "ptx/text/arena.h"
#include "ptx/text/lexer.h"

#define PTX_SCOPES 256     /* braces in braces: more than compilers and people write       */
#define PTX_NESTING 256    /* parentheses and operators, one within the other              */
#define PTX_DIMENSIONS 8   /* of an array, with that of a vector                           */
#define PTX_SIZE_LIMIT (UINT64_C(1) << 46) /* keeps sums of sizes far from overflow        */

/* ---- Stacks: arrays that grow (reader_pile.c) ------------------------------------------- */

struct ptx_stack {
    void *items;
    uint32_t size; /* of one, in bytes */
    uint32_t count, room;
};

struct ptx_reader;

/* One more, zeroed, at the end; the others may move.  NULL: refused. */
void *ptx_push(struct ptx_reader *reader, struct ptx_stack *stack);

/* The items from `from` on, taken off the stack into the module.  NULL: refused; but of
 * none it is NULL as well, with *count 0. */
bool ptx_pop_from(struct ptx_reader *reader, struct ptx_stack *stack, uint32_t from, void *items,
                  uint32_t *count);

/* ---- Names (reader_names.c) ------------------------------------------------------------ */

enum ptx_bound {
    PTX_BOUND_REGISTER, /* index: of the function; `length`: of a vector, else 0           */
    PTX_BOUND_RANGE,    /* %r<10>: `length` of them                                        */
    PTX_BOUND_LOCAL,    /* a variable of the function                                      */
    PTX_BOUND_VARIABLE, /* ... of the module                                               */
    PTX_BOUND_FUNCTION,
    PTX_BOUND_LABEL,
    PTX_BOUND_TABLE
};

/* What a name stands for within a scope. */
struct ptx_binding {
    enum ptx_bound kind;
    uint32_t index, length;
    uint32_t vector;                  /* of a range of vectors: elements of each, else 0   */
    enum ptx_type type;               /* of registers                                      */
    uint32_t depth;                   /* of its scope                                      */
    struct ptx_name *name;
    struct ptx_binding *outer;        /* of the same name, in a scope around this one      */
    struct ptx_binding *next;         /* of the same scope                                 */
};

/* What a word is in an instruction, once somebody asked. */
enum ptx_sense {
    PTX_SENSE_UNKNOWN, PTX_SENSE_NONE, PTX_SENSE_OPCODE, PTX_SENSE_SPECIAL,
    PTX_SENSE_TYPE, PTX_SENSE_SPACE, PTX_SENSE_MODIFIER
};

/* A word of the text, each once. */
struct ptx_name {
    const char *at;
    uint32_t bytes;
    uint32_t hash;
    struct ptx_binding *binding;      /* the innermost                                     */
    uint8_t sense;                    /* enum ptx_sense                                    */
    uint8_t value;                    /* the opcode, type, space or modifier               */
    struct ptx_special special;
};

/* A label that was not there yet where it is named. */
struct ptx_forward {
    struct ptx_name *name;
    struct ptx_place place;
    uint32_t *index;                  /* where its number belongs                          */
    struct ptx_forward *next;
};

struct ptx_scope {
    struct ptx_binding *bindings;
    struct ptx_forward *first, **last;
    bool has_ranges;
};

/* ---- The reader ------------------------------------------------------------------------ */

struct ptx_reader {
    struct ptx_lexer lexer;
    struct ptx_module *module;
    struct ptx_arena *arena;   /* the module's                                             */
    struct ptx_arena *scratch; /* for names                                                */
    const struct ptx_limits *limits;
    struct ptx_refusal *refusal;

    struct ptx_name **names;   /* a table with open addresses; its room is a power of two  */
    uint32_t name_count, name_room;
    struct ptx_scope scopes[PTX_SCOPES];
    uint32_t depth;            /* of the innermost scope; 0: the module's                  */
    uint32_t nesting;          /* of an expression                                         */

    struct ptx_stack variables, functions; /* of the module                                */
    struct ptx_stack aliases;             /* struct ptx_alias                              */
    /* Of the function at hand. */
    struct ptx_function *function;
    struct ptx_stack registers, locals, labels, tables, instructions;
    struct ptx_stack operands; /* of lists that are not closed yet                         */
    struct ptx_stack items;    /* of tables and of lists of parameters                     */
    struct ptx_stack awaited;  /* names of labels that the instruction at hand awaits      */
    struct ptx_stack forwards; /* of a table of labels                                     */
    struct ptx_stack links;    /* of a variable's initial value                            */
};

struct ptx_alias {
    uint32_t from, to;         /* functions                        */
    struct ptx_place place;    /* where the name of the first is   */
    struct ptx_name *name;
};

/* ---- What is wrong (reader_wrong.c) ---------------------------------------------------- */

/* "line 3, column 5, at 'foo': " and the sentence; always false.  The first is about the
 * present token, the second about another, the third about a name that was read before; the
 * fourth has a status of its own. */
bool ptx_error(struct ptx_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool ptx_error_at(struct ptx_reader *reader, const struct ptx_token *token, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));
bool ptx_error_name(struct ptx_reader *reader, const struct ptx_place *place,
                    const struct ptx_name *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool ptx_error_status(struct ptx_reader *reader, rill_status status, const struct ptx_token *token,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));
bool ptx_no_memory(struct ptx_reader *reader);
bool ptx_too_large(struct ptx_reader *reader);

/* One of these two: why an arena had nothing to give. */
bool ptx_short_of_memory(struct ptx_reader *reader, const struct ptx_arena *arena);

/* Memory of the module, and for names, zeroed.  NULL: refused. */
void *ptx_get(struct ptx_reader *reader, size_t bytes);
void *ptx_get_scratch(struct ptx_reader *reader, size_t bytes);
char *ptx_copy_name(struct ptx_reader *reader, const struct ptx_name *name);

/* ---- Tokens ---------------------------------------------------------------------------- */

static inline void ptx_next(struct ptx_reader *reader)
{
    ptx_lexer_next(&reader->lexer);
}

static inline const struct ptx_token *ptx_present(const struct ptx_reader *reader)
{
    return &reader->lexer.token;
}

static inline bool ptx_at_mark(const struct ptx_reader *reader, uint16_t mark)
{
    return reader->lexer.token.mark == mark;
}

static inline bool ptx_at(const struct ptx_reader *reader, enum ptx_token_kind kind)
{
    return reader->lexer.token.kind == kind;
}

static inline bool ptx_accept_mark(struct ptx_reader *reader, uint16_t mark)
{
    if (reader->lexer.token.mark != mark) return false;
    ptx_lexer_next(&reader->lexer);
    return true;
}

/* Goes on if the present token is that one. */
bool ptx_accept(struct ptx_reader *reader, const char *what);
bool ptx_expect_mark(struct ptx_reader *reader, char mark);

/* ---- Names ----------------------------------------------------------------------------- */

/* The entry of a token; NULL: no memory. */
struct ptx_name *ptx_intern(struct ptx_reader *reader, const struct ptx_token *token);

/* Behind a name; refuses what is none. */
bool ptx_expect_name(struct ptx_reader *reader, struct ptx_token *token, struct ptx_name **name,
                     const char *what);

/* A new one in the innermost scope; NULL: refused, perhaps since there is one already. */
struct ptx_binding *ptx_bind(struct ptx_reader *reader, const struct ptx_token *token,
                             struct ptx_name *name, enum ptx_bound kind, uint32_t index);

/* "%P3" of "%P" and 3: one of a range.  NULL: refused. */
struct ptx_name *ptx_number_name(struct ptx_reader *reader, const struct ptx_name *name,
                                 uint32_t number);

/* The innermost; registers of a range come to be here.  *binding NULL: there is none. */
bool ptx_resolve(struct ptx_reader *reader, struct ptx_name *name, struct ptx_binding **binding);

bool ptx_open_scope(struct ptx_reader *reader);
bool ptx_close_scope(struct ptx_reader *reader);

/* A label that the scope, or one around it, will have. */
bool ptx_await(struct ptx_reader *reader, const struct ptx_forward *forward);

/* What a word means: behind a dot, or not. */
enum ptx_sense ptx_sense_of(struct ptx_name *name);

/* ---- Expressions (reader_expression.c) ------------------------------------------------- */

bool ptx_read_expression(struct ptx_reader *reader, struct ptx_value *value);

/* From behind the sign on: what "-1 * 3" has behind its first one, and the rest.  */
bool ptx_begins_expression(const struct ptx_reader *reader);

/* A whole number. */
bool ptx_read_integer(struct ptx_reader *reader, uint64_t *value);

/* A literal, of at most so much. */
bool ptx_read_count(struct ptx_reader *reader, uint64_t most, const char *what, uint64_t *value);

/* ---- Declarations (reader_declare.c) --------------------------------------------------- */

struct ptx_declaration {
    struct ptx_token token; /* of the name                                        */
    struct ptx_name *name;  /* NULL: it is "_"                                    */
    enum ptx_type type;
    uint32_t element;       /* bytes of one                                       */
    uint32_t alignment;
    uint32_t vector;        /* elements of one; 1: it is none                     */
    bool managed;
    bool ranges;            /* NAME<COUNT>: ...                                   */
    uint32_t count;         /* ... declares so many, NAME0 and on                 */
    uint32_t dimension_count;
    uint64_t dimensions[PTX_DIMENSIONS]; /* a vector is the last one; 0: not said */
    uint64_t bytes;         /* 0: an array without a length                       */
};

/* From behind .param, .global and the like up to the name, and the name with what stands
 * in brackets behind it, or how many there are of it. */
bool ptx_read_type(struct ptx_reader *reader, struct ptx_declaration *declaration);
bool ptx_read_declarator(struct ptx_reader *reader, struct ptx_declaration *declaration);

/* Registers, behind .reg and up to the semicolon. */
bool ptx_read_registers(struct ptx_reader *reader);

/* A register of the function, or those of a vector (0: it is none); the index of the
 * first. */
bool ptx_add_register(struct ptx_reader *reader, const struct ptx_name *name,
                      enum ptx_type type, uint32_t vector, uint32_t *index);

/* The names of a declaration, one after the other: itself, or each of its range. */
bool ptx_each_name(struct ptx_reader *reader, const struct ptx_declaration *declaration,
                   bool (*add)(struct ptx_reader *reader,
                               struct ptx_declaration *one, const void *data),
                   const void *data);

/* ---- Variables (reader_variable.c, reader_initial.c) ----------------------------------- */

struct ptx_linking {
    bool visible, external, weak, common;
};

void ptx_describe(const struct ptx_declaration *declaration, enum ptx_space space,
                  struct ptx_variable *variable);

/* Behind .global, .const, .shared outside of functions, up to the semicolon. */
bool ptx_read_variables(struct ptx_reader *reader, enum ptx_space space,
                        const struct ptx_linking *linking);

/* Behind .shared, .local, .param in a body. */
bool ptx_read_locals(struct ptx_reader *reader, enum ptx_space space);

/* What a variable begins with, behind '='; gives lengths that were left out. */
bool ptx_read_initial(struct ptx_reader *reader, struct ptx_declaration *declaration,
                      struct ptx_variable *variable);

/* ---- Functions (reader_function.c, reader_params.c) ------------------------------------ */

/* Whether what is at hand can only be the next thing of the module (reader.c). */
bool ptx_begins_top(const struct ptx_reader *reader);

/* Behind .entry or .func. */
bool ptx_read_function(struct ptx_reader *reader, bool entry, const struct ptx_linking *linking);

/* In parentheses: parameters or results, onto the locals.  Their names are bound in the
 * scope at hand. */
bool ptx_read_params(struct ptx_reader *reader, bool entry, bool bind, uint32_t **params,
                     uint32_t *count);

/* Behind the name: (.param ...) NAME (.param ...) and what is said of it. */
bool ptx_read_directives(struct ptx_reader *reader, struct ptx_function *function);

/* Behind .callprototype. */
bool ptx_read_prototype(struct ptx_reader *reader, struct ptx_function **prototype);

/* ---- Bodies (reader_body.c, reader_instruction.c, reader_operand.c) -------------------- */

/* From behind the brace to behind the one that closes it. */
bool ptx_read_body(struct ptx_reader *reader);

/* Its guard and its opcode were read. */
bool ptx_read_instruction(struct ptx_reader *reader, const struct ptx_token *opcode,
                          struct ptx_name *name, uint32_t guard, bool guard_negated,
                          const struct ptx_place *place);

/* Operands up to the semicolon. */
bool ptx_read_operands(struct ptx_reader *reader, struct ptx_instruction *instruction);

/* Skips up to the mark, over what is in braces, and it. */
bool ptx_skip_past(struct ptx_reader *reader, char mark);

#endif
