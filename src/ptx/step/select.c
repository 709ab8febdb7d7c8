/* SPDX-License-Identifier: Apache-2.0
 *
 * A value that is there already: one of two, by a predicate (selp) or by the sign of a number
 * (slct), or the only one (mov of scalars).
 */
#include "ptx/step/ieee.h"
#include "ptx/step/lanes.h"

#define CHOICES(bits) \
    PTX_LANES_3(selp_##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, uint8_t, z ? x : y) \
    PTX_LANES_3(slct_s32_##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, int32_t, \
                z >= 0 ? x : y) \
    PTX_LANES_3(slct_f32_##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, float, \
                z >= 0 ? x : y) \
    PTX_LANES_3(slct_ftz_##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, float, \
                single_flushed(z) >= 0 ? x : y)
CHOICES(16)
CHOICES(32)
CHOICES(64)

PTX_LANES_1(mov_8, uint8_t, uint8_t, x)
PTX_LANES_1(mov_16, uint16_t, uint16_t, x)
PTX_LANES_1(mov_32, uint32_t, uint32_t, x)
PTX_LANES_1(mov_64, uint64_t, uint64_t, x)

struct wide {
    uint64_t low, high;
};

static void mov_128(struct ptx_group *group, const struct ptx_step *step)
{
    struct wide *d = PTX_COLUMN(group, step->d, struct wide);
    const struct wide *a = PTX_COLUMN(group, step->a, struct wide);
    PTX_EACH_LANE(group, i) d[i] = a[i];
}

/* ---- The table ------------------------------------------------------------------------- */

#define CHOOSE(type, bits) \
    { .opcode = PTX_OP_SELP, .types = { PTX_##type }, .signature = "=000P", \
      .run = selp_##bits }, \
    { .opcode = PTX_OP_SLCT, .types = { PTX_##type, PTX_S32 }, .signature = "=0001", \
      .run = slct_s32_##bits }, \
    { .opcode = PTX_OP_SLCT, .types = { PTX_##type, PTX_F32 }, .signature = "=0001", \
      .run = slct_f32_##bits }, \
    { .opcode = PTX_OP_SLCT, .types = { PTX_##type, PTX_F32 }, .needs = PTX_SET(FTZ), \
      .signature = "=0001", .run = slct_ftz_##bits }

#define MOV(type, like, bits) \
    { .opcode = PTX_OP_MOV, .types = { PTX_##type }, .signature = like, .run = mov_##bits }

static const struct ptx_form rows[] = {
    CHOOSE(B16, 16), CHOOSE(U16, 16), CHOOSE(S16, 16),
    CHOOSE(B32, 32), CHOOSE(U32, 32), CHOOSE(S32, 32), CHOOSE(F32, 32),
    CHOOSE(B64, 64), CHOOSE(U64, 64), CHOOSE(S64, 64), CHOOSE(F64, 64),
    MOV(PRED, "=pP", 8),
    MOV(B16, "=00", 16), MOV(U16, "=00", 16), MOV(S16, "=00", 16),
    MOV(B32, "=00", 32), MOV(U32, "=00", 32), MOV(S32, "=00", 32), MOV(F32, "=00", 32),
    MOV(B128, "=00", 128),
    MOV(B64, "=00", 64), MOV(U64, "=00", 64), MOV(S64, "=00", 64), MOV(F64, "=00", 64),
};

const struct ptx_forms ptx_select_forms = { rows, sizeof rows / sizeof *rows };
