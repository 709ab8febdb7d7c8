/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/read/reader.h"

#include <string.h>

#include "base/alloc.h"

#define FIRST_ROOM 32u

static bool widen_stack(struct ptx_reader *reader, struct ptx_stack *stack)
{
    uint32_t room = stack->room ? stack->room * 2 : FIRST_ROOM;
    if (room > UINT32_MAX / 4 || (uint64_t)room * stack->size > reader->limits->module_bytes)
        return ptx_too_large(reader);
    void *wider = rl_alloc((size_t)room * stack->size);
    if (!wider) return ptx_no_memory(reader);
    if (stack->count) memcpy(wider, stack->items, (size_t)stack->count * stack->size);
    rl_free(stack->items);
    stack->items = wider;
    stack->room = room;
    return true;
}

void *ptx_push(struct ptx_reader *reader, struct ptx_stack *stack)
{
    if (stack->count == stack->room && !widen_stack(reader, stack)) return NULL;
    void *item = (char *)stack->items + (size_t)stack->count++ * stack->size;
    return memset(item, 0, stack->size);
}

bool ptx_pop_from(struct ptx_reader *reader, struct ptx_stack *stack, uint32_t from, void *items,
                  uint32_t *count)
{
    size_t bytes = (size_t)(stack->count - from) * stack->size;
    void *copy = NULL;
    *count = stack->count - from;
    stack->count = from;
    if (bytes) {
        copy = ptx_get(reader, bytes);
        if (!copy) return false;
        memcpy(copy, (char *)stack->items + (size_t)from * stack->size, bytes);
    }
    memcpy(items, &copy, sizeof copy);
    return true;
}
