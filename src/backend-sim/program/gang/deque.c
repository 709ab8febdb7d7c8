/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/gang/deque.h"

#include "base/alloc.h"

#define FIRST 64

static struct deque_array *new_array(int64_t room)
{
    struct deque_array *array = rl_alloc(sizeof *array + (size_t)room * sizeof array->items[0]);
    if (!array) return NULL;
    array->outgrown = NULL;
    array->mask = room - 1;
    return array;
}

bool sim_deque_init(struct deque *deque)
{
    struct deque_array *array = new_array(FIRST);
    atomic_init(&deque->top, 0);
    atomic_init(&deque->bottom, 0);
    atomic_init(&deque->array, array);
    return array;
}

void sim_deque_fini(struct deque *deque)
{
    struct deque_array *array = atomic_load(&deque->array);
    while (array) {
        struct deque_array *outgrown = array->outgrown;
        rl_free(array);
        array = outgrown;
    }
}

bool sim_deque_grow(struct deque *deque)
{
    struct deque_array *array = atomic_load_explicit(&deque->array, memory_order_relaxed);
    struct deque_array *wider = new_array((array->mask + 1) * 2);
    if (!wider) return false;
    int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    for (int64_t i = atomic_load(&deque->top); i < bottom; i++) {
        uint32_t item = atomic_load_explicit(&array->items[i & array->mask], memory_order_relaxed);
        atomic_store_explicit(&wider->items[i & wider->mask], item, memory_order_relaxed);
    }
    wider->outgrown = array;
    atomic_store_explicit(&deque->array, wider, memory_order_release);
    return true;
}
