/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/read/reader.h"

#include <string.h>

#include "base/alloc.h"

#define FIRST_ROOM 32u

static bool widen_stack(struct ptx_reader *reader, struct ptx_pile *pile)
{
    uint32_t room = pile->room ? pile->room * 2 : FIRST_ROOM;
    if (room > UINT32_MAX / 4 || (uint64_t)room * pile->size > reader->limits->module_bytes)
        return ptx_too_large(reader);
    void *wider = rl_alloc((size_t)room * pile->size);
    if (!wider) return ptx_no_memory(reader);
    if (pile->count) memcpy(wider, pile->items, (size_t)pile->count * pile->size);
    rl_free(pile->items);
    pile->items = wider;
    pile->room = room;
    return true;
}

void *ptx_push(struct ptx_reader *reader, struct ptx_pile *pile)
{
    if (pile->count == pile->room && !widen_stack(reader, pile)) return NULL;
    void *item = (char *)pile->items + (size_t)pile->count++ * pile->size;
    return memset(item, 0, pile->size);
}

bool ptx_take(struct ptx_reader *reader, struct ptx_pile *pile, uint32_t from, void *items,
              uint32_t *count)
{
    size_t bytes = (size_t)(pile->count - from) * pile->size;
    void *copy = NULL;
    *count = pile->count - from;
    pile->count = from;
    if (bytes) {
        copy = ptx_get(reader, bytes);
        if (!copy) return false;
        memcpy(copy, (char *)pile->items + (size_t)from * pile->size, bytes);
    }
    memcpy(items, &copy, sizeof copy);
    return true;
}
