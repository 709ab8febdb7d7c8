/* SPDX-License-Identifier: Apache-2.0
 *
 * One of two values, by a predicate (selp) or by the sign of a number (slct).
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

static const struct ptx_form rows[] = {
    CHOOSE(B16, 16), CHOOSE(U16, 16), CHOOSE(S16, 16),
    CHOOSE(B32, 32), CHOOSE(U32, 32), CHOOSE(S32, 32), CHOOSE(F32, 32),
    CHOOSE(B64, 64), CHOOSE(U64, 64), CHOOSE(S64, 64), CHOOSE(F64, 64),
};

const struct ptx_forms ptx_select_forms = { rows, sizeof rows / sizeof *rows };
