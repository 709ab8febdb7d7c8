/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is handed out piece by piece: tells a memory checker which bytes are not
 * handed out.
 */
#ifndef RL_POISON_H
#define RL_POISON_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define RL_SEES_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RL_SEES_MEMORY 1
#endif
#endif

#ifdef RL_SEES_MEMORY
#include <sanitizer/asan_interface.h>

#define RL_POISON_GAP 16u /* bytes to leave between two pieces */

static inline void rl_poison(const void *memory, size_t bytes)
{
    ASAN_POISON_MEMORY_REGION(memory, bytes);
}

static inline void rl_unpoison(const void *memory, size_t bytes)
{
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
}
#else
#define RL_POISON_GAP 0u

static inline void rl_poison(const void *memory, size_t bytes)
{
    (void)memory, (void)bytes;
}

static inline void rl_unpoison(const void *memory, size_t bytes)
{
    (void)memory, (void)bytes;
}
#endif

#endif
