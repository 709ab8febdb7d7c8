/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/queue.h"

#include "base/alloc.h"

void sim_queue_init(struct queue *queue, atomic_uint_least64_t *held)
{
    *queue = (struct queue){ .held = held };
    atomic_init(&queue->spare, NULL);
}

static struct chunk *chunk_create(struct queue *queue, uint32_t bytes)
{
    struct chunk *chunk = rl_alloc(sizeof *chunk + bytes);
    if (!chunk) return NULL;
    chunk->next = NULL;
    chunk->bytes = bytes;
    atomic_fetch_add_explicit(queue->held, bytes, memory_order_relaxed);
    return chunk;
}

static void chunk_destroy(struct queue *queue, struct chunk *chunk)
{
    if (!chunk) return;
    atomic_fetch_sub_explicit(queue->held, chunk->bytes, memory_order_relaxed);
    rl_free(chunk);
}

void sim_queue_fini(struct queue *queue)
{
    chunk_destroy(queue, atomic_load(&queue->spare));
    for (struct chunk *chunk = queue->head; chunk;) {
        struct chunk *next = chunk->next;
        chunk_destroy(queue, chunk);
        chunk = next;
    }
}

void sim_queue_revert(struct queue *queue, struct queue_mark mark)
{
    if (!mark.tail) { /* there was no chunk yet: keep the one that came, empty */
        mark.tail = queue->head;
        mark.tail_at = 0;
    }
    if (mark.tail) {
        for (struct chunk *chunk = mark.tail->next; chunk;) {
            struct chunk *next = chunk->next;
            chunk_destroy(queue, chunk);
            chunk = next;
        }
        mark.tail->next = NULL;
    }
    queue->tail = mark.tail;
    queue->tail_at = mark.tail_at;
}

bool sim_queue_extend(struct queue *queue, uint32_t bytes)
{
    struct chunk *chunk = atomic_exchange_explicit(&queue->spare, NULL, memory_order_acquire);
    if (chunk && chunk->bytes < bytes) {
        chunk_destroy(queue, chunk);
        chunk = NULL;
    }
    if (chunk) {
        chunk->next = NULL;
    } else {
        uint32_t size = queue->tail ? queue->tail->bytes * 4 : QUEUE_CHUNK_FIRST;
        if (size > QUEUE_CHUNK_MOST) size = QUEUE_CHUNK_MOST;
        chunk = chunk_create(queue, size < bytes ? QUEUE_CHUNK_MOST : size);
        if (!chunk) return false;
    }
    if (queue->tail) {
        ((struct cell *)(void *)(queue->tail->cells + queue->tail_at))->type = NULL;
        queue->tail->next = chunk;
    } else {
        queue->head = chunk;
        queue->head_at = 0;
    }
    queue->tail = chunk;
    queue->tail_at = 0;
    return true;
}

void sim_queue_next_chunk(struct queue *queue)
{
    struct chunk *done = queue->head;
    queue->head = done->next;
    queue->head_at = 0;
    chunk_destroy(queue, atomic_exchange_explicit(&queue->spare, done, memory_order_acq_rel));
}

void sim_queue_clear(struct queue *queue)
{
    atomic_uint_least64_t *held = queue->held;
    sim_queue_fini(queue);
    sim_queue_init(queue, held);
}
