/* SPDX-License-Identifier: Apache-2.0
 *
 * Strong accesses in the PTX memory model's sense: those that other threads may race with.
 *
 * All of them acquire or release, whatever was asked for: it costs nothing on the CPUs
 * that this runs on, and so the order that a fence elsewhere makes is visible to tools that
 * know no fences (ThreadSanitizer).
 */
#ifndef PTX_STEP_STRONG_H
#define PTX_STEP_STRONG_H

#include "ptx/run/memory.h"

static inline uint8_t ptx_strong_load8(const ptx_mem8 *from)
{
    return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

static inline uint16_t ptx_strong_load16(const ptx_mem16 *from)
{
    return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

static inline uint32_t ptx_strong_load32(const ptx_mem32 *from)
{
    return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

static inline uint64_t ptx_strong_load64(const ptx_mem64 *from)
{
    return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

static inline void ptx_strong_store8(ptx_mem8 *to, uint8_t value)
{
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
}

static inline void ptx_strong_store16(ptx_mem16 *to, uint16_t value)
{
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
}

static inline void ptx_strong_store32(ptx_mem32 *to, uint32_t value)
{
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
}

static inline void ptx_strong_store64(ptx_mem64 *to, uint64_t value)
{
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
}

/* Swaps 128 bits: returns what was there, and stores `value` if that was `expected`. */
ptx_mem128 ptx_strong_swap128(ptx_mem128 *at, ptx_mem128 expected, ptx_mem128 value);

static inline ptx_mem128 ptx_strong_load128(const ptx_mem128 *from)
{
    ptx_mem128 none = { 0, 0 };
    return ptx_strong_swap128((ptx_mem128 *)(uintptr_t)from, none, none);
}

static inline void ptx_strong_store128(ptx_mem128 *to, ptx_mem128 value)
{
    ptx_mem128 seen = { 0, 0 }, was;
    while (was = ptx_strong_swap128(to, seen, value), was.lo != seen.lo || was.hi != seen.hi)
        seen = was;
}

#endif
