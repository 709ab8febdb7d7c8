/* SPDX-License-Identifier: Apache-2.0 */
#include "base/processor.h"

#include <config.h>

#ifdef RILL_HAVE_LINUX

#include <sched.h>

int rl_processor(void)
{
    int processor = sched_getcpu();
    return processor < 0 ? RL_PROCESSOR_NONE : processor;
}

void rl_processor_leave(const int *processors, int count)
{
    /* Where there are more than the set can name, this fails, and nobody moves. */
    cpu_set_t all, others;
    if (sched_getaffinity(0, sizeof all, &all)) return;
    others = all;
    for (int i = 0; i < count; i++)
        if (processors[i] >= 0 && processors[i] < CPU_SETSIZE) CPU_CLR(processors[i], &others);
    if (!CPU_COUNT(&others) || sched_setaffinity(0, sizeof others, &others)) return;
    sched_setaffinity(0, sizeof all, &all);
}

#else

int rl_processor(void)
{
    return RL_PROCESSOR_NONE;
}

void rl_processor_leave(const int *processors, int count)
{
    (void)processors;
    (void)count;
}

#endif
