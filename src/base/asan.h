/* SPDX-License-Identifier: Apache-2.0
 *
 * AddressSanitizer in the program that this library is linked into: tells it which memory of
 * simulated devices may be touched.
 *
 * The functions are the sanitizer's own.  They are there in programs that were built with
 * -fsanitize=address, and not in others, where this costs a comparison.
 */
#ifndef RL_ASAN_H
#define RL_ASAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/poison.h"

__attribute__((weak)) void __asan_poison_memory_region(void const volatile *memory, size_t bytes);
__attribute__((weak)) void __asan_unpoison_memory_region(void const volatile *memory, size_t bytes);

/* Tells whether the program has it.  No, if the library was built with it as well: that is for work
 * on the library, whose tests count bytes and addresses. */
static inline bool rl_has_asan(void)
{
#ifdef RL_SEES_MEMORY
    return false;
#endif
    return __asan_poison_memory_region && __asan_unpoison_memory_region;
}

/* Has each access to these bytes reported. */
static inline void rl_asan_forbid(uint64_t base, uint64_t bytes)
{
    if (rl_has_asan()) __asan_poison_memory_region((void *)(uintptr_t)base, (size_t)bytes);
}

static inline void rl_asan_allow(uint64_t base, uint64_t bytes)
{
    if (rl_has_asan()) __asan_unpoison_memory_region((void *)(uintptr_t)base, (size_t)bytes);
}

#endif
