/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of keys of classes.
 */
#ifndef XP_KEYS_H
#define XP_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xp_keys {
    uint64_t *slots; /* 0 if a slot is empty */
    size_t count, room;
    bool zero;       /* that key is in the set */
};

/* Adds a key.  Returns false if it was there, or memory is short; then `failed` is set. */
bool xp_keys_add(struct xp_keys *keys, uint64_t key, bool *failed);

bool xp_keys_has(const struct xp_keys *keys, uint64_t key);
void xp_keys_fini(struct xp_keys *keys);

#endif
