/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds bytes to a set that lie all over, as those of a gather do.
 */
#ifndef RL_BYTE_EACH_H
#define RL_BYTE_EACH_H

#include "base/bytes/byte_set.h"

/* Adds `count` rows of `bytes` bytes, which begin at `offset` + addresses[i] and end before the
 * address space does. */
void rl_byte_set_add_each(struct rl_byte_set *set, const uint64_t *addresses, size_t count,
                          uint64_t offset, uint64_t bytes);

#endif
