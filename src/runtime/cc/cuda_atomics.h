/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics.  Part of cuda_device.h.
 */
#ifndef RILL_CUDA_ATOMICS_H
#define RILL_CUDA_ATOMICS_H

/* By a builtin, so that clang knows the space of the address; the scopes of a block and of the
 * system, which have no builtins that all versions know, by their instruction. */
#define RILL_ATOMIC(name, type, builtin, words, letter)                                      \
    RILL_ON_DEVICE type name(type *at, type value) { return builtin; }                       \
    RILL_ATOMIC_IN(name##_block, type, "atom.cta." words, letter)                            \
    RILL_ATOMIC_IN(name##_system, type, "atom.sys." words, letter)

#define RILL_ATOMIC_IN(name, type, words, letter)                                            \
    RILL_ON_DEVICE type name(type *at, type value)                                           \
    {                                                                                        \
        type old;                                                                            \
        asm volatile(words " %0, [%1], %2;"                                                  \
                     : "=" letter(old) : "l"(at), letter(value) : "memory");                 \
        return old;                                                                          \
    }

/* ---- Sums ---------------------------------------------------------------------------------- */

#define RILL_SUM __atomic_fetch_add(at, value, __ATOMIC_RELAXED)
RILL_ATOMIC(atomicAdd, int, RILL_SUM, "add.s32", "r")
RILL_ATOMIC(atomicAdd, unsigned, RILL_SUM, "add.u32", "r")
RILL_ATOMIC(atomicAdd, unsigned long long, RILL_SUM, "add.u64", "l")
RILL_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f(at, value), "add.f32", "f")
RILL_ATOMIC(atomicAdd, double, __nvvm_atom_add_gen_d(at, value), "add.f64", "d")
#undef RILL_SUM

#define RILL_DIFFERENCE(name, sum)                                                           \
    RILL_ON_DEVICE int name(int *at, int value) { return (int)sum((unsigned *)at, 0u - value); } \
    RILL_ON_DEVICE unsigned name(unsigned *at, unsigned value) { return sum(at, 0u - value); }
RILL_DIFFERENCE(atomicSub, atomicAdd)
RILL_DIFFERENCE(atomicSub_block, atomicAdd_block)
RILL_DIFFERENCE(atomicSub_system, atomicAdd_system)
#undef RILL_DIFFERENCE

RILL_ATOMIC(atomicInc, unsigned, __nvvm_atom_inc_gen_ui(at, value), "inc.u32", "r")
RILL_ATOMIC(atomicDec, unsigned, __nvvm_atom_dec_gen_ui(at, value), "dec.u32", "r")

/* ---- The least and the greatest ------------------------------------------------------------ */

RILL_ATOMIC(atomicMin, int, __nvvm_atom_min_gen_i(at, value), "min.s32", "r")
RILL_ATOMIC(atomicMin, unsigned, __nvvm_atom_min_gen_ui(at, value), "min.u32", "r")
RILL_ATOMIC(atomicMin, long long, __nvvm_atom_min_gen_ll(at, value), "min.s64", "l")
RILL_ATOMIC(atomicMin, unsigned long long, __nvvm_atom_min_gen_ull(at, value), "min.u64", "l")
RILL_ATOMIC(atomicMax, int, __nvvm_atom_max_gen_i(at, value), "max.s32", "r")
RILL_ATOMIC(atomicMax, unsigned, __nvvm_atom_max_gen_ui(at, value), "max.u32", "r")
RILL_ATOMIC(atomicMax, long long, __nvvm_atom_max_gen_ll(at, value), "max.s64", "l")
RILL_ATOMIC(atomicMax, unsigned long long, __nvvm_atom_max_gen_ull(at, value), "max.u64", "l")

/* ---- Bits ---------------------------------------------------------------------------------- */

#define RILL_BITS(name, builtin, word)                                                       \
    RILL_ATOMIC(name, int, builtin(at, value, __ATOMIC_RELAXED), word ".b32", "r")           \
    RILL_ATOMIC(name, unsigned, builtin(at, value, __ATOMIC_RELAXED), word ".b32", "r")      \
    RILL_ATOMIC(name, unsigned long long, builtin(at, value, __ATOMIC_RELAXED), word ".b64", "l")
RILL_BITS(atomicAnd, __atomic_fetch_and, "and")
RILL_BITS(atomicOr, __atomic_fetch_or, "or")
RILL_BITS(atomicXor, __atomic_fetch_xor, "xor")
RILL_BITS(atomicExch, __atomic_exchange_n, "exch")
#undef RILL_BITS

#define RILL_EXCHANGE(name)                                                                  \
    RILL_ON_DEVICE float name(float *at, float value)                                        \
    {                                                                                        \
        return __int_as_float(name((int *)at, __float_as_int(value)));                       \
    }
RILL_EXCHANGE(atomicExch)
RILL_EXCHANGE(atomicExch_block)
RILL_EXCHANGE(atomicExch_system)
#undef RILL_EXCHANGE

/* ---- Compare and swap ---------------------------------------------------------------------- */

#define RILL_SWAP_IN(name, type, words, letter)                                              \
    RILL_ON_DEVICE type name(type *at, type expected, type value)                            \
    {                                                                                        \
        type old;                                                                            \
        asm volatile(words " %0, [%1], %2, %3;" : "=" letter(old)                            \
                     : "l"(at), letter(expected), letter(value) : "memory");                 \
        return old;                                                                          \
    }
#define RILL_SWAP(type, words, letter)                                                       \
    RILL_ON_DEVICE type atomicCAS(type *at, type expected, type value)                       \
    {                                                                                        \
        __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED,           \
                                    __ATOMIC_RELAXED);                                       \
        return expected;                                                                     \
    }                                                                                        \
    RILL_SWAP_IN(atomicCAS_block, type, "atom.cta." words, letter)                           \
    RILL_SWAP_IN(atomicCAS_system, type, "atom.sys." words, letter)
RILL_SWAP(int, "cas.b32", "r")
RILL_SWAP(unsigned, "cas.b32", "r")
RILL_SWAP(unsigned long long, "cas.b64", "l")
#undef RILL_SWAP
#undef RILL_SWAP_IN

#undef RILL_ATOMIC
#undef RILL_ATOMIC_IN

#endif
