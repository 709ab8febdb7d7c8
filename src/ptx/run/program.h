/* SPDX-License-Identifier: Apache-2.0
 *
 * What a function of PTX becomes: a sequence of steps.
 *
 * A step is one call for all lanes of a group (machine.h), so the cost of getting there is
 * paid once for all of them.  Its operands are columns: every register of the function,
 * and every constant that it uses, has a column with one element for each lane of the
 * bundle, so no step has to know whether an operand was a register or a number.
 *
 * A column is named by the bytes that lie before it for each lane: in a frame whose bundle
 * has `lanes` lanes it begins at  frame->columns + (size_t)column * lanes.  Predicates
 * take one byte, 0 or 1.  Columns never overlap in part: two operands are the same one or
 * disjoint, so loops over lanes carry nothing from one iteration to the next.
 */
#ifndef PTX_RUN_PROGRAM_H
#define PTX_RUN_PROGRAM_H

#include "ptx/text/module.h"

struct ptx_group;
struct ptx_step;
struct ptx_strip;

typedef void ptx_run(struct ptx_group *group, const struct ptx_step *step);

#define PTX_NO_COLUMN UINT32_MAX
#define PTX_MOST_LOCAL (UINT32_C(512) << 10) /* bytes of local memory: what a GPU's threads have */

enum ptx_step_flag {
    PTX_STEP_LEADER = 1,        /* something jumps here: groups may meet               */
    PTX_STEP_GUARDED = 2,       /* runs only in the lanes where `guard` is set ...     */
    PTX_STEP_GUARD_NEGATED = 4, /* ... or not                                          */
    PTX_STEP_ROUNDED = 8,       /* runs while the CPU rounds as `rounding` says        */
    PTX_STEP_CONTROL = 16,      /* may end the group's turn, or move it                */
    PTX_STEP_BRANCH = 32,       /* moves it, and reads nothing but the guard           */
    PTX_STEP_DETOUR = 64        /* a branch ahead, over steps without any flag         */
};

enum ptx_rounding { PTX_ROUND_NEAREST, PTX_ROUND_ZERO, PTX_ROUND_DOWN, PTX_ROUND_UP };

enum ptx_last { PTX_LAST_A = 1, PTX_LAST_B = 2, PTX_LAST_C = 4 };

struct ptx_step {
    ptx_run *run;
    ptx_run *lanes;       /* what `run` calls if it cannot do without looping over the lanes   */
    uint32_t d, a, b, c;  /* columns: the destination, the sources                     */
    uint32_t e;           /* one more column (setp's q, a fourth source) or none             */
    uint32_t guard;       /* a column                                                  */
    uint32_t target;      /* a jump's step, a call's function, an index of a table     */
    uint8_t flags;        /* enum ptx_step_flag                                        */
    uint8_t rounding : 4; /* enum ptx_rounding                                         */
    uint8_t last : 4;     /* enum ptx_last: sources that nobody reads any more         */
    uint8_t width;        /* of memory accesses: elements of a vector                  */
    uint8_t kind;         /* what `run` wants to know: a comparison, an operation, ... */
    int64_t immediate;    /* an offset, a table of lop3, a form's `strips`, ...        */
    uint32_t more;        /* into the program's columns: vectors, arguments            */
    uint32_t line;        /* of the module (source.h)                                  */
};

_Static_assert(sizeof(struct ptx_step) <= 64, "a step is no more than a cache line");

/* A number that a column is filled with. */
struct ptx_constant {
    uint32_t column;
    uint32_t bytes;
    uint64_t bits;
};

/* How steps are run: with what is known of columns (machine.h), or lane by lane alone, or both
 * ways, compared. */
enum ptx_way { PTX_BY_AFFINE, PTX_BY_LANES, PTX_BY_BOTH };

/* A function that runs. */
struct ptx_program {
    const struct ptx_function *function;
    const struct ptx_code *code;
    struct ptx_step *steps;
    uint32_t step_count;
    uint32_t lane_bytes;        /* of all columns, for each lane; a multiple of 16     */
    struct ptx_place_of_columns *places; /* of columns up to 16 bytes; each once        */
    uint32_t place_count;
    uint8_t *sizes;             /* by column: logarithm of the bytes of its place; NULL if the
                                   program knows nothing of its columns                */
    uint8_t *known;             /* by column, at the start (machine.h)                  */
    ptx_run **compared;         /* by step, if it runs both ways: the way that is compared with
                                   the lanes                                           */
    uint32_t local_bytes;       /* of a thread's local memory in one activation        */
    uint32_t *columns;          /* what steps refer to with `more`                     */
    struct ptx_constant *constants; /* nothing else is ever written to their columns   */
    uint32_t constant_count;
    struct ptx_constant *cleared; /* registers that may be read before they are written:
                                     0 at the start of every activation                */
    uint32_t cleared_count;
    struct ptx_table_steps *tables; /* by the function's index: of lists of labels     */
    uint32_t table_count;
    /* Parameters and results of a device function: where they lie in local memory, or in
     * columns (.reg parameters). */
    struct ptx_slot *params, *results;
    const struct ptx_refusal *unsupported; /* why it cannot run, and has no steps; else NULL */
};

/* Where a column is, or several take turns. */
struct ptx_place_of_columns {
    uint32_t column, bytes;
};

struct ptx_table_steps {
    uint32_t *items;
    uint32_t count;
};

/* Where a .param variable is in a frame: `bytes` for each lane, lane i's from frame->columns
 * + column * lanes + i * bytes on. */
struct ptx_slot {
    uint32_t column;
    uint32_t bytes;
};

/* The address of a function, as kernels see it; the first function's is not 0. */
#define PTX_FUNCTION_WINDOW UINT64_C(0xFFFA000000000000)
#define PTX_FUNCTION_BYTES 16
#define PTX_FUNCTION_ADDRESS(index) \
    (PTX_FUNCTION_WINDOW + ((uint64_t)(index) + 1) * PTX_FUNCTION_BYTES)

/* Returns the index of the function at an address, or PTX_NONE if none begins there. */
static inline uint32_t ptx_function_at(const struct ptx_module *module, uint64_t address)
{
    const uint64_t index = (address - PTX_FUNCTION_ADDRESS(0)) / PTX_FUNCTION_BYTES;
    const bool there = index < module->function_count && PTX_FUNCTION_ADDRESS(index) == address;
    return there ? (uint32_t)index : PTX_NONE;
}

struct ptx_kernel {
    const char *name;
    struct ptx_code *code;
    uint32_t program;           /* of the code                                         */
    uint32_t param_bytes;
    uint32_t *param_offsets;    /* of each parameter, in the packed ones               */
    uint32_t reference_count;   /* of the module                                       */
    uint32_t references_at;     /* where the handles lie that are bound to them        */
    uint32_t packed_bytes;      /* of parameters, and of these handles                 */
    uint32_t static_shared;     /* where its dynamic shared memory begins: after the shared
                                   variables of all functions that it can reach (if kernels
                                   share such functions a little more than the facts say) */
    struct ptx_kernel_facts facts;
    uint32_t call_depth;        /* of calls inside calls, recursion aside              */
    bool abreast;               /* blocks next to each other may run as one (cut.h)    */
    bool meets;                 /* ... though threads of each wait for each other      */
    const char *unsupported;    /* why it cannot run; else NULL                        */
};

struct ptx_code {
    const struct ptx_module *module;
    struct ptx_limits limits;
    struct ptx_program *programs; /* by the module's index of functions                */
    struct ptx_kernel *kernels;
    uint32_t kernel_count;
    const struct ptx_program *widest; /* of the functions that are called: the one with most
                                   bytes of columns; NULL if there is none             */
    uint32_t most_local;        /* the most local memory that one of them has          */
    uint32_t scratch_bytes;     /* of a block, that a step may need while it is taken: the stack
                                   of the thread may be small                          */
    enum ptx_way way;
    uint64_t *variables;        /* addresses, by the module's index; of .shared: offsets */
    struct ptx_arena *arena;
};

#endif
