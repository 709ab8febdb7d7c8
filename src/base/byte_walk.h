/* SPDX-License-Identifier: Apache-2.0
 *
 * Goes through several sets of bytes at once.
 */
#ifndef RL_BYTE_WALK_H
#define RL_BYTE_WALK_H

#include "base/byte_set.h"

#define RL_WALK_SETS 3

/* Bytes, all of them in the same sets: bit i of `in` stands for set i. */
struct rl_byte_row {
    uint64_t address, bytes;
    uint32_t in;
};

/* Calls visit() for each row of bytes that are in one of the sets, RL_WALK_SETS of them, by
 * address; rows that lie next to each other differ in `in`.  Ends when visit() returns false,
 * and returns false then. */
bool rl_byte_walk(const struct rl_byte_set *sets,
                  bool (*visit)(void *data, const struct rl_byte_row *row), void *data);

#endif
