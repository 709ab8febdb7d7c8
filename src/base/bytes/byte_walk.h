/* SPDX-License-Identifier: Apache-2.0
 *
 * Goes through several sets of bytes at once.
 */
#ifndef RL_BYTE_WALK_H
#define RL_BYTE_WALK_H

#include <rill/backend.h>

#include "base/bytes/byte_set.h"

#define RL_WALK_SETS 3

/* What is called with what is in the sets.  It returns false to end the walk. */
struct rl_byte_visitor {
    void *data;
    /* A row of bytes that are in one of the sets.  Bit i of `how` stands for set i, and rows that
     * lie next to each other differ in it. */
    bool (*row)(void *data, const struct rill_touched *row);
    /* Instead of many rows of one page, a bitmap of each set that has any of it, and NULL of the
     * others; `again` if they are those of the page before.  Or NULL. */
    bool (*page)(void *data, uint64_t address, const uint64_t *const words[RL_WALK_SETS],
                 bool again);
};

/* Goes through RL_WALK_SETS sets, by address.  Returns false if the visitor did. */
bool rl_byte_walk(const struct rl_byte_set *sets, const struct rl_byte_visitor *visitor);

#endif
