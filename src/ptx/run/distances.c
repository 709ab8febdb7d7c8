/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/distances.h"

#include <config.h>

#include "ptx/run/vectorize.h"

/* The loop that decides how fast most memory steps are; compiled for wider vectors as well. */
static inline __attribute__((always_inline))
uint64_t bends(const uint64_t *base, uint32_t from, uint32_t last, uint64_t distance)
{
    uint64_t others = 0;
    for (uint32_t i = from; i < last; i++) others |= (base[i + 1] - base[i]) ^ distance;
    return others;
}

#if RILL_HAVE_AVX2
__attribute__((target("avx2")))
static uint64_t count_bends_avx2(const uint64_t *base, uint32_t from, uint32_t last,
                                 uint64_t distance)
{
    return bends(base, from, last, distance);
}
#endif

bool ptx_are_at(const uint64_t *base, uint32_t from, uint32_t last, uint64_t distance)
{
#if RILL_HAVE_AVX2
    if (__builtin_cpu_supports("avx2")) return count_bends_avx2(base, from, last, distance) == 0;
#endif
    return bends(base, from, last, distance) == 0;
}

static inline __attribute__((always_inline))
uint64_t breaks(const uint64_t *base, uint32_t last, uint32_t width, uint64_t distance)
{
    uint64_t others = 0;
    for (uint32_t i = 0; i < last; i++) others |= (base[i + width] - base[i]) ^ distance;
    return others;
}

#if RILL_HAVE_AVX2
__attribute__((target("avx2")))
static uint64_t count_breaks_avx2(const uint64_t *base, uint32_t last, uint32_t width,
                                  uint64_t distance)
{
    return breaks(base, last, width, distance);
}
#endif

bool ptx_repeat_at(const uint64_t *base, uint32_t lanes, uint32_t width, uint64_t distance)
{
#if RILL_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return count_breaks_avx2(base, lanes - width, width, distance) == 0;
#endif
    return breaks(base, lanes - width, width, distance) == 0;
}

static inline __attribute__((always_inline))
uint64_t bits(const uint64_t *base, uint32_t from, uint32_t to, uint64_t offset)
{
    uint64_t all = 0;
    for (uint32_t i = from; i < to; i++) all |= base[i] + offset;
    return all;
}

#if RILL_HAVE_AVX2
__attribute__((target("avx2")))
static uint64_t find_bits_avx2(const uint64_t *base, uint32_t from, uint32_t to, uint64_t offset)
{
    return bits(base, from, to, offset);
}
#endif

uint64_t ptx_bits_at(const uint64_t *base, uint32_t from, uint32_t to, uint64_t offset)
{
#if RILL_HAVE_AVX2
    if (__builtin_cpu_supports("avx2")) return find_bits_avx2(base, from, to, offset);
#endif
    return bits(base, from, to, offset);
}

static inline __attribute__((always_inline))
uint64_t bits_within(const uint64_t *base, uint32_t from, uint32_t to, uint64_t offset,
                     uint64_t room, uint64_t *beyond)
{
    uint64_t all = 0, left = 0;
    for (uint32_t i = from; i < to; i++) {
        const uint64_t at = base[i] + offset;
        all |= at;
        left |= room - at;
    }
    *beyond = left;
    return all;
}

#if RILL_HAVE_AVX2
__attribute__((target("avx2")))
static uint64_t find_within_avx2(const uint64_t *base, uint32_t from, uint32_t to, uint64_t offset,
                                 uint64_t room, uint64_t *beyond)
{
    return bits_within(base, from, to, offset, room, beyond);
}
#endif

uint64_t ptx_bits_within(const uint64_t *base, uint32_t from, uint32_t to, uint64_t offset,
                         uint64_t room, uint64_t *beyond)
{
#if RILL_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return find_within_avx2(base, from, to, offset, room, beyond);
#endif
    return bits_within(base, from, to, offset, room, beyond);
}
