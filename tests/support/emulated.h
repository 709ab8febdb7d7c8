/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EMULATED_H
#define EMULATED_H

#include <stdbool.h>
#include <stdlib.h>

#include "support/cmocka_all.h"

/* Tells whether an emulator of the processor runs this program (make check-emulated).  It has a
 * thread of its own in the process, and the kernel does not start programs for that processor. */
static inline bool is_emulated(void)
{
    return getenv("RILL_TEST_EMULATED");
}

/* Of a test that starts this program, or another one of its processor. */
static inline void needs_own_programs(void)
{
    if (is_emulated()) skip_because("the kernel starts no programs of an emulated processor");
}

#endif
