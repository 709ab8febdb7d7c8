/* SPDX-License-Identifier: Apache-2.0
 *
 * Random kernels: what they are made of.
 *
 * A kernel is a list of acts over eight registers of 32 bits.  Acts of a single thread
 * branch, loop, switch and call as their registers say, each thread another way.  Acts
 * together (barriers, shuffles, votes, exchanges in shared memory) stand where all threads
 * come by.  So what a kernel computes does not depend on any order, and a plain interpreter
 * (torture_model.c) that runs one thread after the other from one act together to the next
 * must find the same as the PTX (torture_text.c).
 */
#ifndef PTX_TORTURE_H
#define PTX_TORTURE_H

#include "machine.h"
#include "support/random.h"

#define REGISTERS 8
#define FUNCTION_REGISTERS 4
#define FUNCTIONS 3        /* and a fourth that calls itself             */
#define LOCALS 16          /* words of local memory of a thread          */
#define COUNTERS 8         /* in shared memory, and in global            */
#define MOST_ACTS 400
#define MOST_DEPTH 3
#define NO_ACT UINT16_MAX

enum act_kind {
    /* of a thread */
    COMPUTE,       /* d = operation(a, b, c)                                       */
    COMPUTE_IF,    /* the same under a guard                                       */
    BRANCH,        /* bodies 0 and 1                                               */
    LOOP,          /* body 0, (a & 3) + 1 times                                    */
    LEAVE_LOOP,    /* on the condition                                             */
    NEXT_ROUND,    /* on the condition                                             */
    SWITCH,        /* bodies 0 to 3, as a & 3 says                                 */
    STORE_LOCAL,   /* local[a & 15] = b                                            */
    LOAD_LOCAL,    /* d = local[a & 15]                                            */
    CALL,          /* d = function(a, b)                                           */
    CALL_POINTER,  /* d = one of two functions, as c & 1 says                      */
    COUNT_SHARED,  /* an atomic on a counter of the block                          */
    COUNT_GLOBAL,  /* and of the grid                                              */
    RETURN,        /* of a function or a kernel, on the condition                  */
    /* together */
    EXCHANGE,      /* d = a of the thread `number` further on, in shared memory    */
    SHUFFLE,       /* d = a of another lane                                        */
    BALLOT,        /* d = the lanes where the condition holds                      */
    SUBSET,        /* those with the condition: d = a of their first, plus their count of odd b */
    TOGETHER_LOOP, /* body 0, `number` times                                       */
    BARRIER_SUM,   /* d = threads where the condition holds                        */
    ACT_KINDS
};

enum { IS_EQUAL, IS_BELOW, IS_LESS, HAS_NO_BIT, COMPARISONS }; /* of a and a number */

struct act {
    uint8_t kind, d, a, b, c;
    uint8_t operation, comparison, tested; /* tested: the register of the condition */
    uint32_t number;                       /* of the condition                      */
    uint16_t body[4], next;                /* lists of acts, NO_ACT behind the last */
};

struct torture {
    struct act acts[MOST_ACTS];
    uint16_t count;
    uint16_t kernel, functions[FUNCTIONS];
    bool lanes; /* has acts of warps: blocks must be whole warps */
};

struct operation {
    const char *text; /* $d, $a, $b, $c: registers */
    uint32_t (*value)(uint32_t a, uint32_t b, uint32_t c);
};

extern const struct operation torture_operations[];
extern const unsigned torture_operation_count;

/* `size`: acts of the kernel, those inside others aside.  A smaller one of the same seed
 * is the beginning of a larger one. */
void torture_make(struct torture *torture, uint64_t seed, unsigned size);

/* The kernel or a function calls the one that calls itself. */
bool torture_recurses(const struct torture *torture);

/* The PTX, to be freed. */
char *torture_text(const struct torture *torture);

/* What a launch leaves: the registers of each thread, and the counters of the grid. */
struct torture_result {
    uint32_t grid, block;
    uint32_t *registers; /* of thread i of the grid: from i * REGISTERS on; at first, too */
    uint32_t counters[COUNTERS];
};

void torture_model(const struct torture *torture, struct torture_result *result);

/* The operation of an atomic on counter k: add, xor, max, or; over and over. */
uint32_t torture_count(uint32_t counter, uint32_t old, uint32_t value);

/* The fourth function. */
uint32_t torture_descend(uint32_t a, uint32_t b);

static inline bool torture_holds(const struct act *act, const uint32_t *registers)
{
    uint32_t value = registers[act->tested];
    switch (act->comparison) {
    case IS_EQUAL: return (value & 3) == (act->number & 3);
    case IS_BELOW: return value < act->number;
    case IS_LESS: return (int32_t)value < (int32_t)act->number;
    default: return (value & act->number) == 0;
    }
}

#endif
