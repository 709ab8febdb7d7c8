/* SPDX-License-Identifier: Apache-2.0
 *
 * What instructions for the first GPUs (sm_10 to sm_13) mean today.
 *
 * Their arithmetic of .f32 flushed subnormal numbers without being told to, and mad.f32 had a
 * rounding of its own, which nothing has had since: when such text is compiled for a later
 * GPU it is a fused multiply-add.  The ISA's notes on these targets say both.
 */
#include "ptx/lower/state.h"

#define FIRST_WITH_MODES 20 /* sm_20: since then an instruction says what it does */

static bool is_single(const struct ptx_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->type_count; i++)
        if (instruction->types[i] == PTX_F32) return true;
    return false;
}

static bool is_rounded(const struct ptx_modifiers *modifiers)
{
    return ptx_has(modifiers, PTX_MOD_RN) || ptx_has(modifiers, PTX_MOD_RZ) ||
           ptx_has(modifiers, PTX_MOD_RM) || ptx_has(modifiers, PTX_MOD_RP);
}

const struct ptx_instruction *ptx_lower_renew(struct ptx_lowering *lowering,
                                              const struct ptx_instruction *instruction)
{
    char why[120];
    struct ptx_instruction *renewed = &lowering->renewed;
    if (lowering->module->target >= FIRST_WITH_MODES || !is_single(instruction))
        return instruction;
    *renewed = *instruction;
    if (instruction->opcode == PTX_OP_MAD && !is_rounded(&instruction->modifiers))
        ptx_add(&renewed->modifiers, PTX_MOD_RN);
    struct ptx_instruction flushing = *renewed;
    ptx_add(&flushing.modifiers, PTX_MOD_FTZ);
    if (ptx_find_form(&flushing, why)) *renewed = flushing;
    return renewed;
}
