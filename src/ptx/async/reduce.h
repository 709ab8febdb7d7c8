/* SPDX-License-Identifier: Apache-2.0
 *
 * What bulk reductions do with each element.
 */
#ifndef PTX_ASYNC_REDUCE_H
#define PTX_ASYNC_REDUCE_H

#include <stdbool.h>

#include "ptx/text/keywords.h"

enum reduction {
    REDUCE_NOTHING, REDUCE_ADD, REDUCE_MIN, REDUCE_MAX, REDUCE_INC, REDUCE_DEC, REDUCE_AND,
    REDUCE_OR, REDUCE_XOR
};

/* Returns true if there is such a reduction of a type. */
bool ptx_reduces(enum reduction how, enum ptx_type type);

/* Reduces `count` elements at `to` by those at `from`; each one by an atomic operation, unless
 * only the calling thread can reach it. */
void ptx_reduce(enum reduction how, enum ptx_type type, void *to, const void *from, uint32_t count,
                bool alone);

#endif
