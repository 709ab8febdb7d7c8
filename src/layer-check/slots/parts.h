/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of operations that were submitted and are not over, as the backend numbers them.
 *
 * The checker's lock protects all of it.
 */
#ifndef CK_PARTS_H
#define CK_PARTS_H

#include "layer-check/access/log.h"

#define CK_QUEUES 256u
#define CK_FUNCTIONS 16u

/* A part of an operation that the backend has submitted. */
struct ck_part {
    struct ck_part *next;
    uint64_t point;
    struct ck_log_entry *entry;
    bool declared; /* by the kernel that it is: what it touches */
    bool function; /* or a launch, which may have some          */
};

/* The parts of one queue that are not over, the oldest first: they end in that order.  There is no
 * queue without any. */
struct ck_queue {
    struct ck_queue *next;
    uint64_t id;
    struct ck_part *first, *last;
};

/* Host functions, and launches, which may have some, that were submitted and have not ended. */
struct ck_functions {
    size_t count, more;               /* that have room, and that have none */
    struct ck_point at[CK_FUNCTIONS]; /* in any order                       */
};

struct ck_parts {
    struct ck_queue *queues[CK_QUEUES]; /* of what runs or will run, by number */
    struct ck_functions functions;
    struct ck_queue *spare_queue;       /* kept for the next one, or NULL      */
    struct ck_part *spare;              /* kept for the next ones, ...         */
    size_t spare_count;                 /* ... a few                           */
};

/* Returns a part, or NULL if it is over. */
struct ck_part *ck_part_find(struct ck_parts *parts, const rill_running *running);

/* Adds a part to the queue with a number.  Returns false if memory is short. */
bool ck_part_add(struct ck_parts *parts, uint64_t id, const struct ck_part *part);

/* Takes a part out of the queue with a number; it is gone then. */
void ck_part_end(struct ck_parts *parts, uint64_t id, struct ck_part *part);

/* Ends all parts that there are, and frees what was kept. */
void ck_parts_forget(struct ck_parts *parts);

#endif
