/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that go on under every policy.
 */
#ifndef GOING_ON_H
#define GOING_ON_H

#include "sim/schedule/steered.h"

#include <semaphore.h>

static const char *const policies[] = { "early", "late", "random:1", "pct:1:3", "starve:1",
                                        "serial", "replay:1.1" };
enum { POLICIES = sizeof policies / sizeof *policies };

static inline void set_flag(void *data)
{
    atomic_store((atomic_uint *)data, 1);
}

static inline void wait_for_semaphore(void *data)
{
    while (sem_wait(data)) continue;
}

#endif
