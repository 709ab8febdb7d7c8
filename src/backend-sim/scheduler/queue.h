/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of a strand, packed one after the other in chunks.
 *
 * One producer at a time writes (the thread that has the strand's submit lock), one consumer
 * at a time reads (the owner of the strand).  What was written becomes readable when the
 * strand counts it as submitted; until then the producer can take it back.
 */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/spin.h"

struct op_type;

/* An operation: this head, then its payload. */
struct cell {
    const struct op_type *type; /* NULL if the next cell is in the next chunk */
    uint32_t bytes;             /* head and payload, a multiple of 8        */
    uint32_t extra;             /* the operation's own                      */
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
    /* The producer's: submit_lock. */
    struct chunk *tail;
    uint32_t tail_at;
    /* One emptied chunk on its way back from the consumer to the producer. */
    _Atomic(struct chunk *) spare;
    /* Bytes in all chunks of all queues of the engine. */
    atomic_uint_least64_t *held;
    /* The consumer's; the producer's while the strand is IDLE.  On lines of their own, since
     * mostly both sides write at the same time. */
    alignas(64) struct chunk *head;
    uint32_t head_at;
};

/* A place that the producer can go back to. */
struct queue_mark {
    struct chunk *tail;
    uint32_t tail_at;
};

void sim_queue_init(struct queue *queue, atomic_uint_least64_t *held);
void sim_queue_fini(struct queue *queue);

/* Starts over at the front of the chunk.  Requires submit_lock, and that the strand is IDLE. */
static inline void sim_queue_rewind(struct queue *queue)
{
    queue->tail_at = 0;
    queue->head = queue->tail;
    queue->head_at = 0;
}

static inline struct queue_mark sim_queue_mark(const struct queue *queue)
{
    return (struct queue_mark){ queue->tail, queue->tail_at };
}

/* Goes back to a mark: takes back all cells that were put since.  Requires submit_lock. */
void sim_queue_revert(struct queue *queue, struct queue_mark mark);

/* How many bytes before it needs them the producer prefetches the lines of a chunk, since a chunk
 * comes back from the consumer in the cache of another processor. */
#define QUEUE_AHEAD 320

/* Continues the queue in a chunk with room for `bytes`.  Returns false if memory is short. */
bool sim_queue_extend(struct queue *queue, uint32_t bytes);

/* Returns a cell with room for a payload of `bytes`, which are few (what is large stays on the
 * heap), or NULL if memory is short. */
static inline struct cell *sim_queue_put(struct queue *queue, const struct op_type *type,
                                         size_t bytes)
{
    uint32_t need = (uint32_t)(sizeof(struct cell) + bytes + 7) & ~7u;
    /* After every cell there is room for the NULL that leads to the next chunk. */
    uint32_t room = need + (uint32_t)sizeof(const struct op_type *);
    if (!queue->tail || queue->tail->bytes - queue->tail_at < room) {
        if (!sim_queue_extend(queue, room)) return NULL;
    }
    struct cell *cell = (struct cell *)(void *)(queue->tail->cells + queue->tail_at);
    cell->type = type;
    cell->bytes = need;
    cell->extra = 0;
    queue->tail_at += need;
    rl_prefetch_to_write((unsigned char *)cell + QUEUE_AHEAD);
    return cell;
}

/* Goes on in the next chunk, and gives the one before it back. */
void sim_queue_next_chunk(struct queue *queue);

/* Returns the cell at the front; the queue must not be empty. */
static inline struct cell *sim_queue_front(struct queue *queue)
{
    for (;;) {
        struct cell *cell = (struct cell *)(void *)(queue->head->cells + queue->head_at);
        if (cell->type) return cell;
        sim_queue_next_chunk(queue);
    }
}

/* Where the producer is in the cells that it put since a mark. */
struct queue_walk {
    struct chunk *chunk;
    uint32_t at;
};

static inline struct queue_walk sim_queue_walk(const struct queue *queue, struct queue_mark mark)
{
    return mark.tail ? (struct queue_walk){ mark.tail, mark.tail_at }
                     : (struct queue_walk){ queue->head, 0 };
}

/* Returns the next of these cells; there must be one. */
static inline struct cell *sim_queue_walk_on(struct queue_walk *walk)
{
    for (;;) {
        struct cell *cell = (struct cell *)(void *)(walk->chunk->cells + walk->at);
        if (cell->type) {
            walk->at += cell->bytes;
            return cell;
        }
        *walk = (struct queue_walk){ walk->chunk->next, 0 };
    }
}

/* Steps past the cell at the front. */
static inline void sim_queue_advance(struct queue *queue, const struct cell *cell)
{
    queue->head_at += cell->bytes;
}

/* The sizes of chunks.  The queue of a stream that is used once in a while stays small; a busy
 * one soon allocates only once in several hundred operations. */
#define QUEUE_CHUNK_FIRST 704u
#define QUEUE_CHUNK_MOST 22528u

/* Tells whether the queue has memory that is worth giving back.  For the consumer, at the end of
 * what is published. */
static inline bool sim_queue_is_large(const struct queue *queue)
{
    return queue->head->bytes > QUEUE_CHUNK_FIRST;
}

/* Gives that memory back.  Requires submit_lock as well. */
void sim_queue_clear(struct queue *queue);

#endif
