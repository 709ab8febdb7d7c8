/* SPDX-License-Identifier: Apache-2.0
 *
 * What an instruction of aarch64 does to the memory that it reaches.  The kernel tells that of a
 * fault; an emulator of one program (qemu-aarch64) does not.
 */
#ifndef CK_A64_H
#define CK_A64_H

#include <rill/layer.h>
#include <stdbool.h>
#include <stdint.h>

#define CK_A64_EITHER (RILL_TOUCH_READ | RILL_TOUCH_WRITE)

static inline uint32_t ck_a64_bits(uint32_t code, unsigned from, unsigned to)
{
    return code >> from & ((1u << (to - from + 1)) - 1);
}

/* Of what has two bits for it, and vectors of 128 bits in one of them. */
static inline uint32_t ck_a64_by_operation(uint32_t code)
{
    const uint32_t operation = ck_a64_bits(code, 22, 23);
    const bool is_vector = ck_a64_bits(code, 26, 26);
    return operation == 0 || (is_vector && operation == 2) ? RILL_TOUCH_WRITE : RILL_TOUCH_READ;
}

/* Of exclusive and ordered accesses.  Among them are compare and swap, of one and of two. */
static inline uint32_t ck_a64_ordered(uint32_t code, uint32_t loads)
{
    const bool is_swap = ck_a64_bits(code, 21, 21) &&
                         (ck_a64_bits(code, 23, 23) || !ck_a64_bits(code, 31, 31));
    return is_swap ? CK_A64_EITHER : loads;
}

/* Of a register by itself.  Atomic operations and authenticated loads are among them. */
static inline uint32_t ck_a64_register(uint32_t code)
{
    const uint32_t form = ck_a64_bits(code, 10, 11);
    if (ck_a64_bits(code, 24, 24) || !ck_a64_bits(code, 21, 21) || form == 2)
        return ck_a64_by_operation(code);
    if (form) return RILL_TOUCH_READ;
    return ck_a64_bits(code, 12, 15) == 0xc ? RILL_TOUCH_READ : CK_A64_EITHER; /* ldapr */
}

/* Returns RILL_TOUCH_READ, RILL_TOUCH_WRITE, or both if it may do both or is not known here. */
static inline uint32_t ck_a64_touch(uint32_t code)
{
    const uint32_t loads = ck_a64_bits(code, 22, 22) ? RILL_TOUCH_READ : RILL_TOUCH_WRITE;
    const bool is_vector = ck_a64_bits(code, 26, 26);
    if ((code & 0xffffffe0) == 0xd50b7420) return RILL_TOUCH_WRITE; /* dc zva */
    switch (ck_a64_bits(code, 25, 31)) {                            /* of SVE */
    case 0x42: case 0x52: case 0x62: return RILL_TOUCH_READ;
    case 0x72: return RILL_TOUCH_WRITE;
    default: break;
    }
    switch (ck_a64_bits(code, 24, 29) & ~4u) {
    case 0x08: return is_vector ? loads : ck_a64_ordered(code, loads); /* or whole vectors */
    case 0x09: return is_vector ? loads : CK_A64_EITHER;               /* or an element of them */
    case 0x18: return RILL_TOUCH_READ;                                 /* from beside the code */
    case 0x19: return ck_a64_bits(code, 21, 21) || ck_a64_bits(code, 10, 11) == 1
                          ? CK_A64_EITHER : ck_a64_by_operation(code); /* ldapur, stlur */
    case 0x28: case 0x29: return loads;                                /* pairs */
    case 0x38: case 0x39: return ck_a64_register(code);
    default: return CK_A64_EITHER;
    }
}

#endif
