/* SPDX-License-Identifier: Apache-2.0
 *
 * A PTX module as it was read: what its text declares, with every name resolved and
 * nothing else decided.  The room read makes it, lower makes programs of its functions.
 *
 * All of it lies in one arena and never changes once it was read.
 */
#ifndef PTX_TEXT_MODULE_H
#define PTX_TEXT_MODULE_H

#include "ptx/ptx.h"
#include "ptx/text/keywords.h"

#define PTX_NONE UINT32_MAX

/* Where something stands in the text; both count from 1. */
struct ptx_place {
    uint32_t line, column;
};

/* A pointer in the initial value of a variable. */
struct ptx_link {
    uint64_t offset;     /* in the variable                                       */
    uint32_t bytes;      /* that are stored, 1 to 8 ...                           */
    uint32_t shift;      /* ... of the address, from this bit on (mask operators) */
    bool to_function;
    uint32_t index;      /* into the module's variables or functions              */
    int64_t addend;
    bool generic;        /* generic(name); else the address in its own space      */
};

/* A variable of a module, or of a function's body (.shared, .local, .param there). */
struct ptx_variable {
    const char *name;
    struct ptx_place place;
    enum ptx_space space;
    enum ptx_type type;      /* of an element                                      */
    uint32_t alignment;      /* a power of two                                     */
    uint64_t bytes;          /* 0 of an array without a length (.extern .shared x[]) */
    bool visible, external, weak, common, managed;
    unsigned char *initial;  /* the first bytes; the others are 0                  */
    uint64_t initial_bytes;
    struct ptx_link *links;  /* addresses that go over `initial`                   */
    uint32_t link_count;
    uint32_t reg;            /* the register of a .reg parameter, or PTX_NONE      */
};

/* A virtual register of a function.  "%r<10>" declares ten; only those that the function
 * names are here.  A vector is one for each of its elements: "v.x", "v.y". */
struct ptx_register {
    const char *name;
    enum ptx_type type;
};

struct ptx_special {
    const char *word;        /* "%tid", as in special_registers.def                */
    uint8_t id;
    uint8_t component;       /* 0 to 3 for x, y, z, w; 0 if there is only one      */
};

enum ptx_operand_kind {
    PTX_OPERAND_REGISTER,    /* index: of the function                             */
    PTX_OPERAND_SINK,        /* "_"                                                */
    PTX_OPERAND_INTEGER,     /* bits: its 64-bit two's complement                  */
    PTX_OPERAND_FLOAT,       /* bits: of a double; but see `single`                */
    PTX_OPERAND_SPECIAL,     /* special                                            */
    PTX_OPERAND_VARIABLE,    /* the address of one: scope, index, offset           */
    PTX_OPERAND_FUNCTION,    /* index: of the module                               */
    PTX_OPERAND_LABEL,       /* index: of the function                             */
    PTX_OPERAND_TABLE,       /* index: of the function's tables (.branchtargets, ...) */
    PTX_OPERAND_ADDRESS,     /* in brackets: base + offset, base in `of`           */
    PTX_OPERAND_VECTOR,      /* in braces: `list`                                  */
    PTX_OPERAND_LIST,        /* in parentheses, of a call: `list`                  */
    PTX_OPERAND_PAIR         /* p|q: two destinations in `list`                    */
};

/* The part of a register that a video instruction takes: %r1.b0, %r1.h1. */
enum ptx_register_part {
    PTX_WHOLE, PTX_BYTE_0, PTX_BYTE_1, PTX_BYTE_2, PTX_BYTE_3, PTX_HALF_0, PTX_HALF_1
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    struct ptx_place place;
    uint8_t part;            /* enum ptx_register_part, of a register                 */
    uint8_t lane_count;      /* of .h32, .b7640 behind a register: parts that are named, */
    uint16_t lanes;          /* from the lowest on, four bits for each             */
    bool negated;            /* !p of a predicate, -r of vmad                      */
    bool single;             /* of a float: 0f3F800000, `bits` are those 32        */
    bool local;              /* of a variable: the function's own, not the module's */
    uint32_t index;
    uint32_t list_count;
    int64_t offset;          /* of a variable or an address; what is added to a register */
    uint64_t bits;
    struct ptx_special special;
    struct ptx_operand *list; /* of an address: its base, one operand              */
};

struct ptx_instruction {
    struct ptx_place place;
    enum ptx_opcode opcode;
    struct ptx_modifiers modifiers; /* without types and spaces                    */
    enum ptx_type types[4];
    uint32_t type_count;
    enum ptx_space spaces[2];       /* cvta, isspacep and copies name them; else the first;
                                       .shared::cta is both, PTX_SHARED and its modifier */
    uint32_t space_count;
    struct ptx_shape shape;         /* of matrices; all 0 if none is said          */
    uint8_t layouts, layout_count;  /* .row and .col in their order: a bit for each .col */
    bool unknown;                   /* has words that no instruction here has      */
    const char *written;            /* opcode and words; NULL of what always runs  */
    uint32_t guard;                 /* a register, or PTX_NONE                     */
    bool guard_negated;
    uint32_t operand_count;
    struct ptx_operand *operands;   /* as written                                  */
};

struct ptx_label {
    const char *name;
    struct ptx_place place;
    uint32_t at;                    /* the instruction after it                    */
};

/* .branchtargets and .calltargets: labels or functions; .callprototype: a signature. */
struct ptx_table {
    const char *name;
    struct ptx_place place;
    bool labels;                    /* items are those of labels, else of functions */
    uint32_t *items;
    uint32_t count;
    struct ptx_function *prototype; /* NULL but of a prototype                     */
};

struct ptx_function {
    const char *name;
    struct ptx_place place;
    uint32_t lines_before;          /* its text, in other texts of the module (source.h) */
    bool entry;                     /* a kernel                                    */
    bool visible, external, weak, noreturn;
    bool defined;                   /* has a body, here ...                        */
    bool alias;                     /* ... which is another function's             */
    uint32_t *params, *results;     /* into `variables`: .param, or .reg           */
    uint32_t param_count, result_count;
    struct ptx_register *registers;
    uint32_t register_count;
    struct ptx_variable *variables; /* parameters first, then those of the body    */
    uint32_t variable_count;
    struct ptx_label *labels;
    uint32_t label_count;
    struct ptx_table *tables;
    uint32_t table_count;
    struct ptx_instruction *instructions;
    uint32_t instruction_count;
    /* Directives of kernels; 0 if not given. */
    uint32_t max_threads[3], required_threads[3], cluster[3];
    uint32_t max_registers, min_blocks;
};

struct ptx_module {
    struct ptx_arena *arena;
    uint32_t version;               /* 90: PTX 9.0                                 */
    uint32_t target;                /* 90: sm_90                                   */
    char suffix;                    /* 'a' or 'f' of sm_90a, sm_100f; else 0       */
    bool debug;                     /* for a debugger, and so as it is written     */
    uint32_t address_bits;          /* 64                                          */
    struct ptx_variable *variables;
    uint32_t variable_count;
    struct ptx_function *functions;
    uint32_t function_count;
    struct ptx_source *sources;     /* of each of its texts, in their order            */
    uint32_t source_count;
    /* For finding a variable by its name. */
    uint32_t *variable_slots;
    uint32_t variable_room;
    uint64_t seed;                  /* of hashes; the author of a text cannot know it  */
};

/* Reads the whole of the text, or refuses it with line and column.  Instructions of any
 * opcode are read; the lowering says which ones can run. */
rill_status ptx_read(const char *text, size_t bytes, const struct ptx_limits *limits,
                     struct ptx_module **module, struct ptx_refusal *refusal);
void ptx_module_free(struct ptx_module *module);

/* Returns NULL if there is no such variable. */
const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name);

/* Tells whether a variable is a reference: the name of a texture or surface, without memory. */
static inline bool ptx_is_reference(const struct ptx_variable *variable)
{
    return variable->type == PTX_TEXREF || variable->type == PTX_SURFREF;
}

/* Counts the references among the first variables of a module.  So each has a number. */
uint32_t ptx_count_references(const struct ptx_module *module, uint32_t variables);

/* Makes the table of names of a module that is complete otherwise. */
bool ptx_index_variables(struct ptx_module *module);

/* Returns where a table looks for some bytes first.  Without the seed bytes cannot be chosen
 * so that they are looked for in the same place. */
uint32_t ptx_hash(uint64_t seed, const void *at, size_t bytes);

#endif
