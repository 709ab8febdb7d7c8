/* SPDX-License-Identifier: Apache-2.0
 *
 * What the operation that this thread runs is charged for, where that is known only once it ran.
 */
#ifndef RL_CHARGE_H
#define RL_CHARGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/thread.h"

struct rl_charge {
    bool counted;
    uint64_t amount; /* instructions of a kernel, in all of its threads  */
    uint64_t ns;     /* besides */
};

extern _Thread_local struct rl_charge rl_charge RL_THREAD_WORD;

static inline void rl_charge_add(uint64_t instructions)
{
    rl_charge.counted = true;
    rl_charge.amount += instructions;
}

#endif
