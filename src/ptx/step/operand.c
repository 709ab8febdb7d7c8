/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that belong to an operand or a modifier, not to an instruction of their own.
 */
#include "ptx/step/operand.h"

#include "ptx/run/vectorize.h"

/* Negates: !p. */
void ptx_not_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    const uint8_t *a = PTX_COLUMN(group, step->a, uint8_t);
    PTX_EACH_LANE(group, i) d[i] = a[i] ^ 1;
}

/* Adds a constant: %r1 + 8. */
#define PLUS(type)                                                                            \
    static void plus_##type(struct ptx_group *group, const struct ptx_step *step)             \
    {                                                                                         \
        type *d = PTX_COLUMN(group, step->d, type);                                           \
        const type *a = PTX_COLUMN(group, step->a, type);                                     \
        const type more = (type)step->immediate;                                              \
        PTX_EACH_LANE(group, i) d[i] = (type)(a[i] + more);                                   \
    }

PLUS(uint16_t)
PLUS(uint32_t)
PLUS(uint64_t)

ptx_run *ptx_plus_step(enum ptx_type type)
{
    switch (type) {
    case PTX_B16: case PTX_U16: case PTX_S16: return plus_uint16_t;
    case PTX_B32: case PTX_U32: case PTX_S32: return plus_uint32_t;
    case PTX_B64: case PTX_U64: case PTX_S64: return plus_uint64_t;
    default: return NULL;
    }
}

/* Extends an address of 32 bits to 64. */
void ptx_widen_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint64_t *d = PTX_COLUMN(group, step->d, uint64_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = a[i];
}

/* Takes the low half of a special register: %tid was 16 bits wide once. */
void ptx_low_half_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint16_t *d = PTX_COLUMN(group, step->d, uint16_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = (uint16_t)a[i];
}

/* Finds the address of a .local variable: the activations of a function have theirs one above
 * the other. */
void ptx_local_address_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint64_t *d = PTX_COLUMN(group, step->d, uint64_t);
    uint64_t address = group->frame->local_base + (uint64_t)step->immediate;
    PTX_EACH_LANE(group, i) d[i] = address;
}

/* ---- .sat ------------------------------------------------------------------------------------ */

/* Clamps to 0 and `one` in order of the bits; NaN and anything lower becomes +0. */
static uint16_t clamp16(uint16_t bits, uint16_t infinity, uint16_t one)
{
    if (bits > infinity) return 0;
    return bits > one ? one : bits;
}

static void clamp_f16(struct ptx_group *group, const struct ptx_step *step)
{
    uint16_t *d = PTX_COLUMN(group, step->d, uint16_t);
    PTX_EACH_LANE(group, i) d[i] = clamp16(d[i], 0x7c00, 0x3c00);
}

static void clamp_f16x2(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    PTX_EACH_LANE(group, i)
        d[i] = (uint32_t)clamp16((uint16_t)(d[i] >> 16), 0x7c00, 0x3c00) << 16 |
               clamp16((uint16_t)d[i], 0x7c00, 0x3c00);
}

static void clamp_bf16(struct ptx_group *group, const struct ptx_step *step)
{
    uint16_t *d = PTX_COLUMN(group, step->d, uint16_t);
    PTX_EACH_LANE(group, i) d[i] = clamp16(d[i], 0x7f80, 0x3f80);
}

static void clamp_bf16x2(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    PTX_EACH_LANE(group, i)
        d[i] = (uint32_t)clamp16((uint16_t)(d[i] >> 16), 0x7f80, 0x3f80) << 16 |
               clamp16((uint16_t)d[i], 0x7f80, 0x3f80);
}

static void clamp_f32(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    PTX_EACH_LANE(group, i) {
        uint32_t bits = d[i] > 0x7f800000 ? 0 : d[i];
        d[i] = bits > 0x3f800000 ? 0x3f800000 : bits;
    }
}

static void clamp_f64(struct ptx_group *group, const struct ptx_step *step)
{
    const uint64_t infinity = UINT64_C(0x7ff0000000000000), one = UINT64_C(0x3ff0000000000000);
    uint64_t *d = PTX_COLUMN(group, step->d, uint64_t);
    PTX_EACH_LANE(group, i) {
        uint64_t bits = d[i] > infinity ? 0 : d[i];
        d[i] = bits > one ? one : bits;
    }
}

ptx_run *ptx_clamp_step(enum ptx_type type)
{
    switch (type) {
    case PTX_F16: return clamp_f16;
    case PTX_F16X2: return clamp_f16x2;
    case PTX_BF16: return clamp_bf16;
    case PTX_BF16X2: return clamp_bf16x2;
    case PTX_F32: return clamp_f32;
    case PTX_F64: return clamp_f64;
    default: return NULL;
    }
}
