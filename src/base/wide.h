/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of 128 bits.  Where the compiler has no type for them, as for processors of 32 bits,
 * they are made of parts; RL_WIDE_IN_PARTS asks for that everywhere, for tests.
 */
#ifndef RL_WIDE_H
#define RL_WIDE_H

#include <stdint.h>

struct rl_wide {
    uint64_t high, low;
};

#if defined __SIZEOF_INT128__ && !defined RL_WIDE_IN_PARTS

__extension__ typedef unsigned __int128 rl_uint128;
__extension__ typedef __int128 rl_int128;

static inline struct rl_wide rl_multiply(uint64_t a, uint64_t b)
{
    rl_uint128 product = (rl_uint128)a * b;
    return (struct rl_wide){ (uint64_t)(product >> 64), (uint64_t)product };
}

/* A negative product is one of 128 bits in two's complement. */
static inline struct rl_wide rl_multiply_signed(int64_t a, int64_t b)
{
    rl_int128 product = (rl_int128)a * b;
    return (struct rl_wide){ (uint64_t)(product >> 64), (uint64_t)product };
}

/* Makes a quotient of what is divided, and returns the rest. */
static inline uint64_t rl_divide(struct rl_wide *wide, uint64_t divisor)
{
    rl_uint128 whole = (rl_uint128)wide->high << 64 | wide->low, quotient = whole / divisor;
    *wide = (struct rl_wide){ (uint64_t)(quotient >> 64), (uint64_t)quotient };
    return (uint64_t)(whole % divisor);
}

#else

static inline struct rl_wide rl_multiply(uint64_t a, uint64_t b)
{
    const uint64_t half = UINT32_MAX;
    uint64_t low = (a & half) * (b & half), right = (a & half) * (b >> 32),
             left = (a >> 32) * (b & half), middle = (low >> 32) + (right & half) + (left & half);
    return (struct rl_wide){ (a >> 32) * (b >> 32) + (right >> 32) + (left >> 32) + (middle >> 32),
                             middle << 32 | (low & half) };
}

/* To the unsigned product each negative factor added 2^64 times the other one. */
static inline struct rl_wide rl_multiply_signed(int64_t a, int64_t b)
{
    struct rl_wide product = rl_multiply((uint64_t)a, (uint64_t)b);
    product.high -= (a < 0 ? (uint64_t)b : 0) + (b < 0 ? (uint64_t)a : 0);
    return product;
}

static inline uint64_t rl_divide(struct rl_wide *wide, uint64_t divisor)
{
    struct rl_wide whole = *wide, quotient = { 0, 0 };
    uint64_t rest = 0;
    for (int bit = 127; bit >= 0; bit--) {
        uint64_t over = rest >> 63;
        rest = rest << 1 | ((bit >= 64 ? whole.high >> (bit - 64) : whole.low >> bit) & 1);
        quotient.high = quotient.high << 1 | quotient.low >> 63;
        quotient.low <<= 1;
        if (!over && rest < divisor) continue;
        rest -= divisor;
        quotient.low |= 1;
    }
    *wide = quotient;
    return rest;
}

#endif

static inline struct rl_wide rl_wide_plus(struct rl_wide wide, uint64_t more)
{
    wide.low += more;
    wide.high += wide.low < more;
    return wide;
}

static inline struct rl_wide rl_wide_plus_signed(struct rl_wide wide, int64_t more)
{
    wide = rl_wide_plus(wide, (uint64_t)more);
    if (more < 0) wide.high--;
    return wide;
}

static inline struct rl_wide rl_wide_negated(struct rl_wide wide)
{
    return rl_wide_plus((struct rl_wide){ ~wide.high, ~wide.low }, 1);
}

/* Both halves of a product in one: a bit of either factor changes bits everywhere, and which ones
 * depends on the other factor. */
static inline uint64_t rl_multiply_folded(uint64_t a, uint64_t b)
{
    struct rl_wide product = rl_multiply(a, b);
    return product.high ^ product.low;
}

#endif
