/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/conditional_values.h"

#include <stdlib.h>

#include "backend-sim/graph/conditional.h"
#include "base/alloc.h"

static int compare_handles(const void *a, const void *b)
{
    rill_conditional x = ((const struct conditional_value *)a)->handle;
    rill_conditional y = ((const struct conditional_value *)b)->handle;
    return x < y ? -1 : x > y;
}

rill_status sim_conditional_values_create(const struct sim_graph *graph,
                                          struct conditional_values *values)
{
    const struct conditional_handle *handle;
    uint32_t count = 0;
    *values = (struct conditional_values){ .items = NULL };
    for (handle = graph->handles; handle; handle = handle->next) count++;
    if (!count) return RILL_SUCCESS;
    struct conditional_value *value = rl_zalloc(count * sizeof *value);
    if (!value) return RILL_ERROR_OUT_OF_MEMORY;
    *values = (struct conditional_values){ value, count };
    for (handle = graph->handles; handle; handle = handle->next, value++) {
        value->handle = handle->id;
        value->initial = handle->initial;
        value->context = handle->context;
        value->flags = handle->flags;
        atomic_init(&value->value, 0);
    }
    qsort(values->items, count, sizeof values->items[0], compare_handles);
    return RILL_SUCCESS;
}

void sim_conditional_values_destroy(struct conditional_values *values)
{
    rl_free(values->items);
}

struct conditional_value *sim_conditional_values_find(const struct conditional_values *values,
                                                      rill_conditional handle)
{
    struct conditional_value *items = values->items;
    uint32_t low = 0, high = values->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (items[middle].handle < handle) low = middle + 1;
        else high = middle;
    }
    return low < values->count && items[low].handle == handle ? &items[low] : NULL;
}

void sim_conditional_values_assign(const struct conditional_values *values)
{
    for (uint32_t i = 0; i < values->count; i++) {
        struct conditional_value *value = &values->items[i];
        if (value->flags & RILL_CONDITIONAL_ASSIGN) atomic_store(&value->value, value->initial);
    }
}

/* A handle without a context is for kernels of any context. */
bool sim_conditional_values_set(const struct conditional_values *values, uint64_t kernel_context,
                                rill_conditional handle, uint32_t value)
{
    const struct conditional_value *items = values->items;
    uint32_t first = 0, count = values->count;
    while (first < count && items[first].context && items[first].context != kernel_context)
        first++;
    if (first == count) return false;
    uint32_t number = sim_conditional_number(handle);
    if (!number || number > count - first) return true;
    struct conditional_value *known = &values->items[first + number - 1];
    if (known->context == items[first].context)
        atomic_store_explicit(&known->value, value, memory_order_release);
    return true;
}
