/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations on integers and bits.
 */
#include "ptx/step/atomic.h"

#include "ptx/run/fault.h"
#include "ptx/run/touches.h"
#include "ptx/run/warp_bundle.h"
#include "ptx/step/strong.h"

static ptx_run ptx_atomic_try_exch_b32, ptx_atomic_try_exch_b64, ptx_atomic_try_cas_b32,
    ptx_atomic_try_cas_b64;

void ptx_atomic_open(struct ptx_access *access, struct ptx_group *group,
                     const struct ptx_step *step, uint32_t bytes)
{
    ptx_access_open(access, group, step, bytes, true, "atomic operation");
    access->atomic = true;
    if (group->block->watched) ptx_watch_atomic(access);
}

/* Takes one lane after the other: `shared` and `global` return what was at `at`, and change
 * it.  Shared memory whose places are sure is what histograms go through. */
#define ATOMIC(name, memory, reg, shared, global) \
    static void name##_all_shared(const struct ptx_places *places, \
                                  const struct ptx_range *range, reg *d, const reg *b, \
                                  const reg *c) \
    { \
        const struct ptx_places at = *places; \
        if (d && at.base && at.lane_bytes == 0) { \
            const uintptr_t origin = at.origin; \
            for (uint32_t i = range->from; i < range->to; i++) \
                d[i] = shared((memory *)(void *)(origin + (uintptr_t)at.base[i]), b[i], c[i]); \
            return; \
        } \
        for (uint32_t i = range->from; i < range->to; i++) { \
            reg old = shared((memory *)(void *)ptx_place_of(&at, i), b[i], c[i]); \
            if (d) d[i] = old; \
        } \
    } \
    void ptx_atomic_##name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        struct ptx_access access; \
        struct ptx_row row; \
        const reg *b = PTX_COLUMN(group, step->b, const reg); \
        const reg *c = PTX_COLUMN(group, step->c == PTX_NO_COLUMN ? step->b : step->c, \
                                  const reg); \
        reg *d = step->d == PTX_NO_COLUMN ? NULL : PTX_COLUMN(group, step->d, reg); \
        ptx_atomic_open(&access, group, step, sizeof(memory)); \
        for (uint32_t r = 0; r < group->range_count; r++) { \
            const struct ptx_range range = group->ranges[r]; \
            bool sure = ptx_access_pattern(&access, &range, &row) != PTX_MIXED; \
            const struct ptx_places places = ptx_access_places(&access); \
            bool alone = ptx_atomic_alone(&access); \
            if (sure && alone) { \
                name##_all_shared(&places, &range, d, b, c); \
                continue; \
            } \
            for (uint32_t i = range.from; i < range.to; i++) { \
                memory *at = (memory *)(void *)(sure ? ptx_place_of(&places, i) \
                                                     : ptx_access_place(&access, i)); \
                if (!at) return; \
                if (!sure) alone = ptx_atomic_alone(&access); \
                reg old = alone ? shared(at, b[i], c[i]) : global(at, b[i], c[i]); \
                if (d) d[i] = old; \
            } \
        } \
    }

/* For words that no other thread of the host can be at, as those of shared memory. */
#define IN_SHARED(name, memory, reg, expression) \
    static inline reg name##_shared(memory *at, reg b, reg c) \
    { \
        reg old = *at; \
        (void)c; \
        *at = (expression); \
        return old; \
    }

/* For an operation that the CPU has. */
#define NATIVE(name, memory, reg, expression, fetch) \
    IN_SHARED(name, memory, reg, expression) \
    static inline reg name##_global(memory *at, reg b, reg c) \
    { \
        (void)c; \
        return fetch(at, b, __ATOMIC_ACQ_REL); \
    } \
    ATOMIC(name, memory, reg, name##_shared, name##_global)

/* For an operation that the CPU lacks: the result replaces the old value if that is still
 * there. */
#define LOOPED(name, memory, reg, expression) \
    IN_SHARED(name, memory, reg, expression) \
    static inline reg name##_global(memory *at, reg b, reg c) \
    { \
        reg old = __atomic_load_n(at, __ATOMIC_RELAXED); \
        (void)c; \
        while (!__atomic_compare_exchange_n(at, &old, (reg)(expression), true, \
                                            __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) \
            continue; \
        return old; \
    } \
    ATOMIC(name, memory, reg, name##_shared, name##_global)

NATIVE(and_b32, ptx_mem32, uint32_t, old & b, __atomic_fetch_and)
NATIVE(or_b32, ptx_mem32, uint32_t, old | b, __atomic_fetch_or)
NATIVE(xor_b32, ptx_mem32, uint32_t, old ^ b, __atomic_fetch_xor)
NATIVE(and_b64, ptx_mem64, uint64_t, old & b, __atomic_fetch_and)
NATIVE(or_b64, ptx_mem64, uint64_t, old | b, __atomic_fetch_or)
NATIVE(xor_b64, ptx_mem64, uint64_t, old ^ b, __atomic_fetch_xor)
NATIVE(add_u32, ptx_mem32, uint32_t, old + b, __atomic_fetch_add)
NATIVE(add_u64, ptx_mem64, uint64_t, old + b, __atomic_fetch_add)
NATIVE(try_exch_b32, ptx_mem32, uint32_t, b, __atomic_exchange_n)
NATIVE(try_exch_b64, ptx_mem64, uint64_t, b, __atomic_exchange_n)

LOOPED(inc_u32, ptx_mem32, uint32_t, old >= b ? 0 : old + 1)
LOOPED(dec_u32, ptx_mem32, uint32_t, old == 0 || old > b ? b : old - 1)
LOOPED(min_u32, ptx_mem32, uint32_t, b < old ? b : old)
LOOPED(max_u32, ptx_mem32, uint32_t, b > old ? b : old)
LOOPED(min_s32, ptx_mem32, uint32_t, (int32_t)b < (int32_t)old ? b : old)
LOOPED(max_s32, ptx_mem32, uint32_t, (int32_t)b > (int32_t)old ? b : old)
LOOPED(min_u64, ptx_mem64, uint64_t, b < old ? b : old)
LOOPED(max_u64, ptx_mem64, uint64_t, b > old ? b : old)
LOOPED(min_s64, ptx_mem64, uint64_t, (int64_t)b < (int64_t)old ? b : old)
LOOPED(max_s64, ptx_mem64, uint64_t, (int64_t)b > (int64_t)old ? b : old)

/* ---- cas: b is what is expected, c what comes --------------------------------------------- */

#define SWAP(name, memory, reg) \
    static inline reg name##_shared(memory *at, reg b, reg c) \
    { \
        reg old = *at; \
        if (old == b) *at = c; \
        return old; \
    } \
    static inline reg name##_global(memory *at, reg b, reg c) \
    { \
        __atomic_compare_exchange_n(at, &b, c, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); \
        return b; \
    } \
    ATOMIC(name, memory, reg, name##_shared, name##_global)

SWAP(cas_b16, ptx_mem16, uint16_t)
SWAP(try_cas_b32, ptx_mem32, uint32_t)
SWAP(try_cas_b64, ptx_mem64, uint64_t)

/* ---- Locks that are taken ----------------------------------------------------------------- */

#define WATCHED(name, reg, changes) \
    void ptx_atomic_##name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        const reg *b = PTX_COLUMN(group, step->b, const reg); \
        bool changed = step->d == PTX_NO_COLUMN; \
        reg expected[PTX_BUNDLE]; \
        PTX_EACH_LANE(group, i) expected[i] = b[i]; \
        ptx_atomic_try_##name(group, step); \
        if (ptx_failed(group) || changed) return; \
        const reg *d = PTX_COLUMN(group, step->d, const reg); \
        PTX_IN_TURN(group, i) changed |= changes; \
        ptx_group_note_vain(group, !changed); \
    }

WATCHED(exch_b32, uint32_t, d[i] != expected[i])
WATCHED(exch_b64, uint64_t, d[i] != expected[i])
WATCHED(cas_b32, uint32_t, d[i] == expected[i])
WATCHED(cas_b64, uint64_t, d[i] == expected[i])

/* ---- 128 bits ----------------------------------------------------------------------------- */

static ptx_mem128 exchange128(ptx_mem128 *at, ptx_mem128 b, ptx_mem128 c)
{
    ptx_mem128 seen = c, was;
    while (was = ptx_strong_swap128(at, seen, b), was.lo != seen.lo || was.hi != seen.hi)
        seen = was;
    return was;
}

ATOMIC(exch_b128, ptx_mem128, ptx_mem128, exchange128, exchange128)
ATOMIC(cas_b128, ptx_mem128, ptx_mem128, ptx_strong_swap128, ptx_strong_swap128)

#ifdef __x86_64__

ptx_mem128 ptx_strong_swap128(ptx_mem128 *at, ptx_mem128 expected, ptx_mem128 value)
{
    __asm__ __volatile__("lock cmpxchg16b %0"
                         : "+m"(*at), "+a"(expected.lo), "+d"(expected.hi)
                         : "b"(value.lo), "c"(value.hi)
                         : "cc", "memory");
    return expected;
}

#else

/* Atomic for kernels; a host thread may see one half before the other. */
static char locks[64];

ptx_mem128 ptx_strong_swap128(ptx_mem128 *at, ptx_mem128 expected, ptx_mem128 value)
{
    char *lock = &locks[(uintptr_t)at / sizeof *at % sizeof locks];
    while (__atomic_test_and_set(lock, __ATOMIC_ACQUIRE)) continue;
    ptx_mem128 was = *at;
    if (was.lo == expected.lo && was.hi == expected.hi) *at = value;
    __atomic_clear(lock, __ATOMIC_RELEASE);
    return was;
}

#endif
