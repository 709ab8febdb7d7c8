/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of a strand, packed one behind the other in chunks.
 *
 * One producer at a time writes (the strand's submit lock), one consumer at a
 * time reads (whoever runs the strand).  What was written becomes readable
 * when the strand's `pending` count is raised, and not before: until then the
 * producer can take it back.
 */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An operation: this head, then its payload. */
struct cell {
    uint16_t code;  /* enum op_code (ops.h); 0: the next cell is in the next chunk */
    uint16_t bytes; /* head and payload, a multiple of 8 */
    uint32_t extra; /* the operation's own               */
};

static inline void *cell_payload(struct cell *cell)
{
    return cell + 1;
}

struct chunk {
    struct chunk *next;
    uint32_t bytes; /* of cells */
    uint32_t unused;
    unsigned char cells[];
};

struct queue {
    /* The producer's. */
    struct chunk *tail;
    uint32_t tail_at;
    /* The consumer's; the producer's while nothing is pending. */
    struct chunk *head;
    uint32_t head_at;
    /* One emptied chunk on its way back from the consumer to the producer. */
    _Atomic(struct chunk *) spare;
    /* Bytes in all chunks of all queues of the engine. */
    atomic_uint_least64_t *held;
};

/* A place that the producer can go back to. */
struct queue_mark {
    struct chunk *tail;
    uint32_t tail_at;
};

void queue_init(struct queue *queue, atomic_uint_least64_t *held);
void queue_fini(struct queue *queue);

/* Starts over at the front of the chunk; only while nothing is pending. */
void queue_rewind(struct queue *queue);

struct queue_mark queue_mark(const struct queue *queue);
void queue_revert(struct queue *queue, struct queue_mark mark);

/* Room for a cell with a payload of `bytes`, which are few (what is large stays
 * on the heap), or NULL when memory is short. */
struct cell *queue_put(struct queue *queue, uint16_t code, size_t bytes);

/* The cell at the front, which there must be, and the step past it. */
struct cell *queue_front(struct queue *queue);
static inline void queue_advance(struct queue *queue, const struct cell *cell)
{
    queue->head_at += cell->bytes;
}

/* Consumer and nothing pending: gives a large chunk back to the system. */
void queue_shed(struct queue *queue);

#endif
