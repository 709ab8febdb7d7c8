/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of a few operations in streams, as data, and all orders of them by brute force.
 */
#ifndef ABSTRACT_H
#define ABSTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPS_MAX 8
#define WORDS 3
#define ABSTRACT_STREAMS 6

/* What makes an operation's accesses depend on what was written before. */
enum abstract_turn {
    TURN_NEVER,
    TURN_BY_WORD, /* it reads word `by`, and leaves its writes out if that is odd */
    TURN_BLOCKS   /* it cannot run while word `by` is 0, which it reads           */
};

struct abstract_op {
    unsigned stream;
    uint32_t after;  /* bits of operations that it waits for by events, before it in the list */
    uint32_t reads, writes; /* bits of words */
    enum abstract_turn turn;
    unsigned by;
};

/* The operations in the order of submission. */
struct abstract {
    unsigned count;
    struct abstract_op ops[OPS_MAX];
    uint32_t promised[OPS_MAX]; /* what is promised to be over before each: its stream, waits, and
                                   what these come after */
};

struct abstract_state {
    uint64_t words[WORDS];
    uint32_t done;                    /* bits of operations      */
    uint32_t reads[OPS_MAX], writes[OPS_MAX]; /* as they were in this run */
};

/* Draws a program.  `turns`: some operations depend on what was written; `blocks`: or wait for
 * it. */
struct abstract abstract_draw(uint64_t seed, bool turns, bool blocks);

/* Returns what an operation makes of what it reads, as it is written to word `word`. */
uint64_t abstract_value(const struct abstract *program, unsigned op,
                        const uint64_t words[WORDS], unsigned word);

bool abstract_can_run(const struct abstract *program, const struct abstract_state *state,
                      unsigned op);
void abstract_run(const struct abstract *program, struct abstract_state *state, unsigned op);

/* Tells whether two operations conflict in a run, and nothing promises their order. */
bool abstract_conflict(const struct abstract *program, const struct abstract_state *state,
                       unsigned a, unsigned b);

/* A set of numbers. */
struct abstract_set {
    uint64_t *items;
    size_t count, room;
};

void abstract_set_add(struct abstract_set *set, uint64_t number);
bool abstract_set_same(struct abstract_set *a, struct abstract_set *b);
void abstract_set_free(struct abstract_set *set);

/* Returns a number for the contents of memory. */
uint64_t abstract_hash(const uint64_t words[WORDS]);

/* Runs all orders that the program may run in: adds each class, by the order of the pairs that
 * conflict in it, and each final state. */
void abstract_all(const struct abstract *program, struct abstract_set *classes,
                  struct abstract_set *states);

#endif
