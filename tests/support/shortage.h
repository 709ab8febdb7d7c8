/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that run with one allocation failing, in turn each of all that they make.
 */
#ifndef SHORTAGE_H
#define SHORTAGE_H

#include <stdbool.h>

#include "base/alloc.h"

/* Whether the failure that rl_alloc_fail_after(after) ordered is still to come, since
 * there were not so many allocations.  It is called off. */
static inline bool shortage_is_left(long after)
{
    bool refused = false;
    for (long i = 0; i <= after && !refused; i++) {
        void *pointer = rl_alloc(1);
        refused = !pointer;
        rl_free(pointer);
    }
    rl_alloc_fail_after(-1);
    return refused;
}

#endif
