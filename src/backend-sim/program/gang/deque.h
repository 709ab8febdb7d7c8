/* SPDX-License-Identifier: Apache-2.0
 *
 * A deque of ready units: its owner puts and takes at one end, thieves take
 * at the other (Chase and Lev, with the orders of Le, Pop, Cohen and Zappa
 * Nardelli).  Outgrown arrays are kept until the deque is freed, since a thief
 * may still read one.
 */
#ifndef SIM_DEQUE_H
#define SIM_DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct deque_array {
    struct deque_array *outgrown;
    int64_t mask;
    atomic_uint items[];
};

struct deque {
    _Alignas(64) atomic_int_least64_t top; /* thieves and owner */
    _Alignas(64) atomic_int_least64_t bottom; /* the owner's     */
    _Atomic(struct deque_array *) array;
};

/* Returns false if memory is short. */
bool sim_deque_init(struct deque *deque);
void sim_deque_fini(struct deque *deque);

/* Doubles the room.  Returns false if memory is short. */
bool sim_deque_grow(struct deque *deque);

/* ---- The owner ---------------------------------------------------------------- */

/* Puts an item at the owner's end.  Returns false if memory is short. */
static inline bool sim_deque_put(struct deque *deque, uint32_t item)
{
    int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    int64_t top = atomic_load_explicit(&deque->top, memory_order_acquire);
    struct deque_array *array = atomic_load_explicit(&deque->array, memory_order_relaxed);
    if (bottom - top > array->mask) {
        if (!sim_deque_grow(deque)) return false;
        array = atomic_load_explicit(&deque->array, memory_order_relaxed);
    }
    atomic_store_explicit(&array->items[bottom & array->mask], item, memory_order_relaxed);
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
    return true;
}

/* Takes an item from the owner's end.  Returns false if there is none. */
static inline bool sim_deque_take(struct deque *deque, uint32_t *item)
{
    int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed) - 1;
    /* Empty as far as the owner knows, and no other thread puts. */
    if (atomic_load_explicit(&deque->top, memory_order_relaxed) > bottom) return false;
    struct deque_array *array = atomic_load_explicit(&deque->array, memory_order_relaxed);
    atomic_store(&deque->bottom, bottom);
    int64_t top = atomic_load(&deque->top);
    bool taken = top <= bottom;
    if (taken) {
        *item = atomic_load_explicit(&array->items[bottom & array->mask], memory_order_relaxed);
        /* The last one may be a thief's. */
        if (top == bottom) taken = atomic_compare_exchange_strong(&deque->top, &top, top + 1);
    }
    if (!taken || top == bottom)
        atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
    return taken;
}

/* ---- Thieves -------------------------------------------------------------------- */

static inline bool sim_deque_is_empty(struct deque *deque)
{
    return atomic_load_explicit(&deque->top, memory_order_acquire) >=
           atomic_load_explicit(&deque->bottom, memory_order_acquire);
}

/* Takes an item from the other end.  Returns false if there is none, or if another thread
 * took it. */
static inline bool sim_deque_steal(struct deque *deque, uint32_t *item)
{
    int64_t top = atomic_load(&deque->top), bottom = atomic_load(&deque->bottom);
    if (top >= bottom) return false;
    struct deque_array *array = atomic_load_explicit(&deque->array, memory_order_acquire);
    *item = atomic_load_explicit(&array->items[top & array->mask], memory_order_relaxed);
    return atomic_compare_exchange_strong(&deque->top, &top, top + 1);
}

#endif
