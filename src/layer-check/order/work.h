/* SPDX-License-Identifier: Apache-2.0
 *
 * Works: operations in streams, launches, and what the host does itself, each with what
 * is promised to be done before it.
 */
#ifndef CK_WORK_H
#define CK_WORK_H

#include <rill/backend.h>

#include "layer-check/order/clock.h"
#include "layer-check/order/signals.h"

/* What a work or a node of a launch is, for people. */
struct ck_what {
    rill_op_kind kind;
    bool host;           /* an access or a call of the host's own          */
    const char *name;    /* of the kernel or the call; interned, or NULL   */
    const void *site;    /* the return address of the call, or NULL        */
    uint32_t node;       /* its number in the order of creation, or 0      */
    uint32_t within;     /* of the node whose child graph or body has it   */
    bool assumed;        /* what it touches was not seen                   */
    bool returns_early;  /* a synchronous call that promises no end of it  */
};

struct ck_caller;

/* The nodes of a launch. */
struct ck_inside;

struct ck_inside_type {
    /* Tells whether node `from` comes before node `to` in each launch. */
    bool (*reaches)(struct ck_inside *inside, uint32_t from, uint32_t to);
    /* Tells whether the two nodes are in the same body, which ran in different rounds. */
    bool (*rounds_differ)(struct ck_inside *inside, uint32_t a, uint16_t round_a, uint32_t b,
                          uint16_t round_b);
    struct ck_what (*what)(const struct ck_inside *inside, uint32_t node);
    /* Returns what a node that runs touches as far as its operation says, or no rows. */
    size_t (*rows)(const struct ck_inside *inside, uint32_t node, const rill_touched **rows);
    /* Tells whether a node runs in each launch, exactly once. */
    bool (*always)(const struct ck_inside *inside, uint32_t node);
    /* Returns the number by which a watcher knows the node, or 0. */
    uint64_t (*number)(const struct ck_inside *inside, uint32_t node);
    /* Returns the serial of the newest work when the node was made. */
    uint64_t (*born)(const struct ck_inside *inside, uint32_t node);
    /* Compares two runs of nodes by an order in which each comes after those before it. */
    int (*compare)(const struct ck_inside *inside, uint32_t a, uint16_t round_a, uint32_t b,
                   uint16_t round_b);
    void (*release)(struct ck_inside *inside);
};

struct ck_inside {
    const struct ck_inside_type *type;
    uint32_t count; /* nodes, counted from 1; each comes after those that it depends on */
    bool bodies;    /* some are in bodies of conditionals, and run often or never       */
    bool touches;   /* some have rows                                                   */
};

/* Who a work belongs to, for people. */
struct ck_who {
    uint32_t references;
    uint64_t stream_id;  /* rill_stream_id(), or 0 for the host           */
    char words[80];      /* "stream 'copy'", "the legacy stream"          */
    bool takes_turns;    /* its device does with the host, see attached.h */
};

void ck_who_release(struct ck_who *who);

/* The checker's lock protects all of it. */
struct ck_work {
    uint32_t references;
    struct ck_point at;
    uint64_t own_before;     /* works of its line that come before it, up to this number */
    struct ck_clock *before; /* of other lines                                           */
    struct ck_what what;
    struct ck_who *who;      /* NULL for the host                                        */
    struct ck_inside *inside; /* of a launch, or NULL                                    */
    struct ck_node_wait *waits; /* nodes of a launch that wait, or the work itself       */
    struct ck_caller *callers;  /* it, or nodes of it, that make calls; see caller.h     */
    struct ck_caller *caller;   /* who submitted it, or NULL; retained                   */
    struct ck_signals *signals; /* at which its kernels tell others what is done, or NULL */
    uint64_t serial;         /* counts works in the order of submission                  */
    uint64_t named_number;   /* by which a given schedule knows the operation, or 0 ...  */
    uint32_t named_stream;   /* ... and its stream; if an account is given               */
    bool dead;               /* it was refused, or its device failed                     */
};

/* A node of a launch that waits for an event outside or for a value; or an operation that waits
 * for one and does more. */
struct ck_node_wait {
    struct ck_node_wait *next;
    uint32_t node;
    struct ck_clock *clock;
};

/* Makes a work that takes over the references to `before` and `inside`, but retains `who`.
 * Returns NULL, with nothing taken over, if memory is short. */
struct ck_work *ck_work_create(struct ck_point at, struct ck_clock *before, struct ck_who *who,
                               const struct ck_what *what);

static inline struct ck_work *ck_work_retain(struct ck_work *work)
{
    work->references++;
    return work;
}

void ck_work_release(struct ck_work *work); /* which may be NULL */

/* A work, or a node of a launch. */
struct ck_step {
    struct ck_work *work;
    uint32_t node;   /* counted from 1, or 0: the work itself */
    uint16_t round;  /* of the body that the node is in, see rounds_differ(); else 0 */
    bool assumed;    /* what it touches was not seen          */
};

/* Tells whether `before`, which was submitted first, is promised to be done when `after` begins.
 * In one launch `before` must come first in the order of the exec's nodes. */
bool ck_step_ordered(const struct ck_step *before, const struct ck_step *after);

/* Tells whether a clock promises that a step is done. */
bool ck_clock_covers_step(const struct ck_clock *clock, const struct ck_step *step);

/* Tells whether what comes before a work and its nodes has a hole that nobody has filled yet. */
bool ck_work_is_open(const struct ck_work *work);

/* Has a clock promise what callers have waited for that it promises to be done, or that come before
 * a work of `line` which comes after work `own_before`.  Returns false if memory is short. */
bool ck_clock_follow_callers(struct ck_clock **clock, uint32_t line, uint64_t own_before,
                             const struct ck_caller *callers);

/* Settles the clocks of a work, and has them promise what callers have waited for that come before.
 * Returns false if memory is short. */
bool ck_work_settle(struct ck_work *work, const struct ck_caller *callers);

/* Tells whether a node of a launch is another one or comes before it. */
bool ck_node_reaches(const struct ck_work *launch, uint32_t from, uint32_t to);

struct ck_what ck_step_what(const struct ck_step *step);

#endif
