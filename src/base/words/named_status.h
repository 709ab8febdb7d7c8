/* SPDX-License-Identifier: Apache-2.0
 *
 * A status of the driver's or of the runtime's, with its name and words.
 */
#ifndef RL_NAMED_STATUS_H
#define RL_NAMED_STATUS_H

#include <stddef.h>

struct rl_named_status {
    int status;
    const char *name;
    const char *words; /* NULL for rill's own */
};

/* Finds a status in a table that is by number, ascending.  Returns NULL if it is not there. */
static inline const struct rl_named_status *rl_named_status_find(
    const struct rl_named_status *table, size_t count, int status)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (table[middle].status == status) return &table[middle];
        if (table[middle].status < status)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

#endif
