/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/keys.h"

#include "base/alloc.h"

/* Returns where the key is, or would be.  `room` is a power of two, and some are empty. */
static uint64_t *find_slot(uint64_t *slots, size_t room, uint64_t key)
{
    size_t at = (size_t)key & (room - 1);
    while (slots[at] && slots[at] != key) at = (at + 1) & (room - 1);
    return &slots[at];
}

static bool make_room(struct xp_keys *keys)
{
    if (2 * keys->count < keys->room) return true;
    size_t room = keys->room ? 2 * keys->room : 64;
    uint64_t *slots = rl_zalloc(room * sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < keys->room; i++)
        if (keys->slots[i]) *find_slot(slots, room, keys->slots[i]) = keys->slots[i];
    rl_free(keys->slots);
    keys->slots = slots;
    keys->room = room;
    return true;
}

bool xp_keys_add(struct xp_keys *keys, uint64_t key, bool *failed)
{
    if (!key) {
        bool added = !keys->zero;
        keys->zero = true;
        return added;
    }
    if (!make_room(keys)) {
        *failed = true;
        return false;
    }
    uint64_t *slot = find_slot(keys->slots, keys->room, key);
    if (*slot) return false;
    *slot = key;
    keys->count++;
    return true;
}

bool xp_keys_has(const struct xp_keys *keys, uint64_t key)
{
    if (!key) return keys->zero;
    return keys->room && *find_slot(keys->slots, keys->room, key);
}

void xp_keys_fini(struct xp_keys *keys)
{
    rl_free(keys->slots);
    *keys = (struct xp_keys){ .slots = NULL };
}
