/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader while it reads, shared by the files of this room.
 *
 * One pass from the first token to the last.  Names are looked up as they are met; only
 * labels may follow their use, and those wait until their scope closes.
 *
 * Functions that can fail return whether they succeeded, and have noted why they did not:
 * the first refusal is kept, and every caller returns.  What is read lies in the module's
 * arena; what only the reading needs lies in another one, and in stacks, which all go when
 * the reading is over.
 */
#ifndef PTX_READ_READER_H
#define PTX_READ_READER_H

#include "ptx/text/arena.h"
#include "ptx/text/lexer.h"

#define PTX_SCOPES 256     /* braces in braces: more than compilers and people write       */
#define PTX_NESTING 256    /* parentheses and operators, one within the other              */
#define PTX_DIMENSIONS 8   /* of an array, with that of a vector                           */
#define PTX_SIZE_LIMIT (UINT64_C(1) << 46) /* keeps sums of sizes far from overflow        */

/* ---- Stacks: arrays that grow -------------------------------------------------------- */

struct ptx_stack {
    void *items;
    uint32_t size; /* of one, in bytes */
    uint32_t count, room;
};

struct ptx_reader;

/* Appends one item, zeroed; the others may move.  Returns NULL if refused. */
void *ptx_push(struct ptx_reader *reader, struct ptx_stack *stack);

/* Moves the items from `from` on off the stack into the module.  Returns false if refused.
 * Without items, *items is NULL and *count is 0. */
bool ptx_pop_from(struct ptx_reader *reader, struct ptx_stack *stack, uint32_t from, void *items,
                  uint32_t *count);

/* ---- Names --------------------------------------------------------------------------- */

enum ptx_bound {
    PTX_BOUND_REGISTER, /* index: of the function; `length`: of a vector, or 0             */
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
    uint32_t vector;                  /* of a range of vectors: elements of each, or 0     */
    enum ptx_type type;               /* of registers                                      */
    uint32_t depth;                   /* of its scope                                      */
    struct ptx_name *name;
    struct ptx_binding *outer;        /* of the same name, in a scope around this one      */
    struct ptx_binding *next;         /* of the same scope                                 */
};

/* What a word means in an instruction, once it was looked up. */
enum ptx_sense {
    PTX_SENSE_UNKNOWN, PTX_SENSE_NONE, PTX_SENSE_OPCODE, PTX_SENSE_SPECIAL,
    PTX_SENSE_TYPE, PTX_SENSE_SPACE, PTX_SENSE_MODIFIER, PTX_SENSE_SHAPE
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

/* A label that is named before it is defined. */
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
    uint32_t depth;            /* of the innermost scope; 0 for the module's               */
    uint32_t nesting;          /* of an expression                                         */

    struct ptx_stack variables, functions; /* of the module                                */
    struct ptx_stack aliases;             /* struct ptx_alias                              */
    struct ptx_stack files, locations;    /* of the source (source.h)                      */
    /* Of the present function. */
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

/* ---- What is wrong ------------------------------------------------------------------- */

/* Note "line 3, column 5, at 'foo': " and the sentence, and return false.  The first one
 * blames the present token, the second another one, the third a name that was read before;
 * the fourth has a status of its own. */
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

/* Notes one of these two: why an arena had nothing to give. */
bool ptx_short_of_memory(struct ptx_reader *reader, const struct ptx_arena *arena);

/* Return zeroed memory of the module, and for names, or NULL if refused. */
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

/* Skips the present token and returns true if it is `what`. */
bool ptx_accept(struct ptx_reader *reader, const char *what);
bool ptx_expect_mark(struct ptx_reader *reader, char mark);

/* ---- Names ----------------------------------------------------------------------------- */

/* Returns the entry of a token, or NULL if there is no memory. */
struct ptx_name *ptx_intern(struct ptx_reader *reader, const struct ptx_token *token);

/* Reads a name and goes on after it; refuses anything else. */
bool ptx_expect_name(struct ptx_reader *reader, struct ptx_token *token, struct ptx_name **name,
                     const char *what);

/* Binds a name in the innermost scope.  Returns NULL if refused, for instance because the
 * scope has it. */
struct ptx_binding *ptx_bind(struct ptx_reader *reader, const struct ptx_token *token,
                             struct ptx_name *name, enum ptx_bound kind, uint32_t index);

/* Returns the name of one of a range, "%P3" for "%P" and 3, or NULL if refused. */
struct ptx_name *ptx_number_name(struct ptx_reader *reader, const struct ptx_name *name,
                                 uint32_t number);

/* Finds the innermost binding, and makes the binding of a register of a range.  *binding is
 * NULL if there is none. */
bool ptx_resolve(struct ptx_reader *reader, struct ptx_name *name, struct ptx_binding **binding);

bool ptx_open_scope(struct ptx_reader *reader);
bool ptx_close_scope(struct ptx_reader *reader);

/* Notes a label that the scope, or one around it, will have. */
bool ptx_await(struct ptx_reader *reader, const struct ptx_forward *forward);

/* Returns what a word means, after a dot or not. */
enum ptx_sense ptx_sense_of(struct ptx_name *name);

/* ---- Expressions --------------------------------------------------------------------- */

bool ptx_read_expression(struct ptx_reader *reader, struct ptx_value *value);

/* Returns true where an expression can begin. */
bool ptx_begins_expression(const struct ptx_reader *reader);

/* Reads an integer. */
bool ptx_read_integer(struct ptx_reader *reader, uint64_t *value);

/* Reads a literal of at most `most`. */
bool ptx_read_count(struct ptx_reader *reader, uint64_t most, const char *what, uint64_t *value);

/* ---- Declarations -------------------------------------------------------------------- */

struct ptx_declaration {
    struct ptx_token token; /* of the name                                        */
    struct ptx_name *name;  /* NULL for "_"                                       */
    enum ptx_type type;
    uint32_t element;       /* bytes of one                                       */
    uint32_t alignment;
    uint32_t vector;        /* elements of one; 1: it is none                     */
    bool managed;
    bool ranges;            /* NAME<COUNT>: ...                                   */
    uint32_t count;         /* ... declares so many, NAME0 and on                 */
    uint32_t dimension_count;
    uint64_t dimensions[PTX_DIMENSIONS]; /* a vector is the last one; 0 if not given */
    uint64_t bytes;         /* 0 for an array without a length                    */
};

/* Read what follows .param, .global and the like: up to the name, and the name with its
 * dimensions, or with its number of registers. */
bool ptx_read_type(struct ptx_reader *reader, struct ptx_declaration *declaration);
bool ptx_read_declarator(struct ptx_reader *reader, struct ptx_declaration *declaration);

/* Reads registers, after .reg and up to the semicolon. */
bool ptx_read_registers(struct ptx_reader *reader);

/* Adds a register of the function, or the registers of a vector if `vector` is not 0; *index
 * is that of the first. */
bool ptx_add_register(struct ptx_reader *reader, const struct ptx_name *name,
                      enum ptx_type type, uint32_t vector, uint32_t *index);

/* Calls `add` for each name of a declaration: the name itself, or each of its range. */
bool ptx_each_name(struct ptx_reader *reader, const struct ptx_declaration *declaration,
                   bool (*add)(struct ptx_reader *reader,
                               struct ptx_declaration *one, const void *data),
                   const void *data);

/* ---- Variables ----------------------------------------------------------------------- */

struct ptx_linking {
    bool visible, external, weak, common;
};

void ptx_describe(const struct ptx_declaration *declaration, enum ptx_space space,
                  struct ptx_variable *variable);

/* Reads variables after .global, .const or .shared outside of functions, up to the semicolon. */
bool ptx_read_variables(struct ptx_reader *reader, enum ptx_space space,
                        const struct ptx_linking *linking);

/* Reads references to textures after .tex, as texts before PTX 1.5 declare them. */
bool ptx_read_textures(struct ptx_reader *reader, const struct ptx_linking *linking);

/* Reads variables after .shared, .local or .param in a body. */
bool ptx_read_locals(struct ptx_reader *reader, enum ptx_space space);

/* Reads the initial value of a variable, after '='; sets lengths that were left out. */
bool ptx_read_initial(struct ptx_reader *reader, struct ptx_declaration *declaration,
                      struct ptx_variable *variable);

/* ---- Functions ----------------------------------------------------------------------- */

/* Returns true if the present token can only begin the next item of the module. */
bool ptx_begins_top(const struct ptx_reader *reader);

/* Reads a function, after .entry or .func. */
bool ptx_read_function(struct ptx_reader *reader, bool entry, const struct ptx_linking *linking);

/* Reads parameters or results in parentheses, onto the locals.  With `bind` their names are
 * bound in the present scope. */
bool ptx_read_params(struct ptx_reader *reader, bool entry, bool bind, uint32_t **params,
                     uint32_t *count);

/* Reads a signature, after .callprototype. */
bool ptx_read_prototype(struct ptx_reader *reader, struct ptx_function **prototype);

/* ---- Sources ------------------------------------------------------------------------- */

/* Reads the name of a file, after .file. */
bool ptx_read_file(struct ptx_reader *reader);

/* Reads a location, after .loc. */
bool ptx_read_location(struct ptx_reader *reader);

/* Notes that the source of what follows is not known, up to the next location. */
bool ptx_forget_location(struct ptx_reader *reader);

/* Moves what is known of the source into the module. */
bool ptx_take_source(struct ptx_reader *reader);

/* ---- Bodies -------------------------------------------------------------------------- */

/* Reads a body, from after its brace to after the closing one. */
bool ptx_read_body(struct ptx_reader *reader);

/* Reads an instruction after its guard and its opcode. */
bool ptx_read_instruction(struct ptx_reader *reader, const struct ptx_token *opcode,
                          struct ptx_name *name, uint32_t guard, bool guard_negated,
                          const struct ptx_place *place);

/* Reads operands up to the semicolon. */
bool ptx_read_operands(struct ptx_reader *reader, struct ptx_instruction *instruction);

/* Skips tokens, and what is in braces, up to the mark, and the mark. */
bool ptx_skip_past(struct ptx_reader *reader, char mark);

#endif
