/* SPDX-License-Identifier: Apache-2.0
 *
 * What the threads of a warp do together.  Part of cuda_device.h.
 */
#ifndef RILL_CUDA_WARP_H
#define RILL_CUDA_WARP_H

RILL_ON_DEVICE void __syncwarp(unsigned mask = 0xffffffff) { __nvvm_bar_warp_sync(mask); }
RILL_ON_DEVICE unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}

/* ---- Votes --------------------------------------------------------------------------------- */

RILL_ON_DEVICE int __all_sync(unsigned mask, int truth)
{
    return __nvvm_vote_all_sync(mask, truth);
}
RILL_ON_DEVICE int __any_sync(unsigned mask, int truth)
{
    return __nvvm_vote_any_sync(mask, truth);
}
RILL_ON_DEVICE int __uni_sync(unsigned mask, int truth)
{
    return __nvvm_vote_uni_sync(mask, truth);
}
RILL_ON_DEVICE unsigned __ballot_sync(unsigned mask, int truth)
{
    return __nvvm_vote_ballot_sync(mask, truth);
}

/* ---- Shuffles ------------------------------------------------------------------------------ */

/* Those of other types move the bits of an int, or of two. */
#define RILL_AS(type, name, place, bits, as_bits, of_bits)                                   \
    RILL_ON_DEVICE type name(unsigned mask, type value, place lane, int width = 32)          \
    {                                                                                        \
        return of_bits(name(mask, (bits)as_bits(value), lane, width));                       \
    }
#define RILL_SHUFFLE(name, place, builtin, last)                                             \
    RILL_ON_DEVICE int name(unsigned mask, int value, place lane, int width = 32)            \
    {                                                                                        \
        return builtin(mask, value, lane, (32 - width) << 8 | last);                         \
    }                                                                                        \
    RILL_ON_DEVICE long long name(unsigned mask, long long value, place lane, int width = 32) \
    {                                                                                        \
        unsigned low = name(mask, (int)value, lane, width);                                  \
        return (long long)name(mask, (int)(value >> 32), lane, width) << 32 | low;           \
    }                                                                                        \
    RILL_AS(unsigned, name, place, int, , (unsigned))                                        \
    RILL_AS(long, name, place, long long, , (long))                                          \
    RILL_AS(unsigned long, name, place, long long, , (unsigned long))                        \
    RILL_AS(unsigned long long, name, place, long long, , (unsigned long long))              \
    RILL_AS(float, name, place, int, __float_as_int, __int_as_float)                         \
    RILL_AS(double, name, place, long long, __double_as_longlong, __longlong_as_double)
RILL_SHUFFLE(__shfl_sync, int, __nvvm_shfl_sync_idx_i32, 0x1f)
RILL_SHUFFLE(__shfl_up_sync, unsigned, __nvvm_shfl_sync_up_i32, 0)
RILL_SHUFFLE(__shfl_down_sync, unsigned, __nvvm_shfl_sync_down_i32, 0x1f)
RILL_SHUFFLE(__shfl_xor_sync, int, __nvvm_shfl_sync_bfly_i32, 0x1f)
#undef RILL_SHUFFLE
#undef RILL_AS

/* ---- Matches ------------------------------------------------------------------------------- */

#define RILL_MATCH(type, bits, as_bits, words, letter)                                       \
    RILL_ON_DEVICE unsigned __match_any_sync(unsigned mask, type value)                      \
    {                                                                                        \
        unsigned equal;                                                                      \
        asm volatile("match.any.sync." words " %0, %1, %2;"                                  \
                     : "=r"(equal) : letter((bits)as_bits(value)), "r"(mask));               \
        return equal;                                                                        \
    }                                                                                        \
    RILL_ON_DEVICE unsigned __match_all_sync(unsigned mask, type value, int *all)            \
    {                                                                                        \
        unsigned equal;                                                                      \
        asm volatile("{ .reg .pred p; match.all.sync." words " %0|p, %2, %3; "               \
                     "selp.s32 %1, 1, 0, p; }"                                               \
                     : "=r"(equal), "=r"(*all) : letter((bits)as_bits(value)), "r"(mask));   \
        return equal;                                                                        \
    }
RILL_MATCH(int, int, , "b32", "r")
RILL_MATCH(unsigned, int, , "b32", "r")
RILL_MATCH(long, long long, , "b64", "l")
RILL_MATCH(unsigned long, long long, , "b64", "l")
RILL_MATCH(long long, long long, , "b64", "l")
RILL_MATCH(unsigned long long, long long, , "b64", "l")
RILL_MATCH(float, int, __float_as_int, "b32", "r")
RILL_MATCH(double, long long, __double_as_longlong, "b64", "l")
#undef RILL_MATCH

/* ---- Reductions ---------------------------------------------------------------------------- */

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define RILL_REDUCE(name, type, words)                                                       \
    RILL_ON_DEVICE type name(unsigned mask, type value)                                      \
    {                                                                                        \
        type all;                                                                            \
        asm volatile("redux.sync." words " %0, %1, %2;" : "=r"(all) : "r"(value), "r"(mask)); \
        return all;                                                                          \
    }
RILL_REDUCE(__reduce_add_sync, unsigned, "add.u32")
RILL_REDUCE(__reduce_add_sync, int, "add.s32")
RILL_REDUCE(__reduce_min_sync, unsigned, "min.u32")
RILL_REDUCE(__reduce_min_sync, int, "min.s32")
RILL_REDUCE(__reduce_max_sync, unsigned, "max.u32")
RILL_REDUCE(__reduce_max_sync, int, "max.s32")
RILL_REDUCE(__reduce_and_sync, unsigned, "and.b32")
RILL_REDUCE(__reduce_or_sync, unsigned, "or.b32")
RILL_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")
#undef RILL_REDUCE
#endif

#endif
