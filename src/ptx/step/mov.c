/* SPDX-License-Identifier: Apache-2.0
 *
 * mov of scalars.
 */
#include "ptx/step/lanes.h"

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

#define MOV(type, like, bits) \
    { .opcode = PTX_OP_MOV, .types = { PTX_##type }, .signature = like, .run = mov_##bits }

static const struct ptx_form rows[] = {
    MOV(PRED, "=pP", 8),
    MOV(B16, "=00", 16), MOV(U16, "=00", 16), MOV(S16, "=00", 16),
    MOV(B32, "=00", 32), MOV(U32, "=00", 32), MOV(S32, "=00", 32), MOV(F32, "=00", 32),
    MOV(B128, "=00", 128),
    MOV(B64, "=00", 64), MOV(U64, "=00", 64), MOV(S64, "=00", 64), MOV(F64, "=00", 64),
};

const struct ptx_forms ptx_mov_forms = { rows, sizeof rows / sizeof *rows };
