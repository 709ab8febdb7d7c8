/* SPDX-License-Identifier: Apache-2.0
 *
 * Goes through several sets of bytes at once.
 */
#ifndef RL_BYTE_WALK_H
#define RL_BYTE_WALK_H

#include <rill/backend.h>

#include "base/byte_set.h"

#define RL_WALK_SETS 3

/* Calls visit() for each row of bytes that are in one of the sets, RL_WALK_SETS of them, by
 * address.  Bit i of `how` stands for set i, and rows that lie next to each other differ in
 * it.  Ends when visit() returns false, and returns false then. */
bool rl_byte_walk(const struct rl_byte_set *sets,
                  bool (*visit)(void *data, const struct rill_touched *row), void *data);

#endif
