/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether an instruction gives the exact result, rounded once: over many operands, in
 * both sets of tables, against integers.
 */
#ifndef PTX_ROUNDING_H
#define PTX_ROUNDING_H

#include "exact.h"
#include "steps.h"

typedef struct exact rounding_operation(const struct exact x[3], enum exact_mode mode);

rounding_operation rounding_add, rounding_sub, rounding_mul, rounding_fma, rounding_div,
    rounding_sqrt, rounding_rcp;

struct rounding {
    rounding_operation *operation;
    struct exact_format format;
    enum exact_mode mode;
    bool flush, saturate, relu;
    bool pairs;       /* the instruction is that of f16x2, bf16x2                           */
    bool small_first; /* flushed is what is subnormal before it is rounded as such          */
    /* What a NaN looks like; NULL: all ones but for the sign. */
    uint64_t (*nan)(const uint64_t operands[3]);
};

/* Fails the test with the operands of the first result that is wrong. */
void rounding_check(const char *instruction, const struct rounding *how);

/* The same for "NAME.rn.f32", "NAME.rz.f32", ... with the words of `type`, and with .ftz
 * where `flush`. */
void rounding_check_modes(const char *name, const char *type, bool flush,
                          const struct rounding *how);

/* An array of `count` numbers, each as wide as the format, and back. */
void rounding_store(void *array, const uint64_t *bits, size_t count, struct exact_format format);
void rounding_load(const void *array, uint64_t *bits, size_t count, struct exact_format format);

#endif
