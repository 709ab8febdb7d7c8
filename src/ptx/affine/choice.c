/* SPDX-License-Identifier: Apache-2.0
 *
 * Which instructions make which use of what is known of their operands.
 */
#include "ptx/affine/affine.h"
#include "ptx/text/special_registers.h"

static const struct {
    enum ptx_opcode opcode;
    enum ptx_modifier modifier;
    uint8_t bytes;
    ptx_run *run, *run_unsigned; /* the second one if it is another                        */
} rows[] = {
    { PTX_OP_ADD, PTX_MOD_NOTHING, 4, ptx_affine_add_32, NULL },
    { PTX_OP_SUB, PTX_MOD_NOTHING, 4, ptx_affine_sub_32, NULL },
    { PTX_OP_MUL, PTX_MOD_LO, 4, ptx_affine_mul_32, NULL },
    { PTX_OP_MAD, PTX_MOD_LO, 4, ptx_affine_mad_32, NULL },
    { PTX_OP_ADD, PTX_MOD_NOTHING, 8, ptx_affine_add_64, NULL },
    { PTX_OP_SUB, PTX_MOD_NOTHING, 8, ptx_affine_sub_64, NULL },
    { PTX_OP_MUL, PTX_MOD_LO, 8, ptx_affine_mul_64, NULL },
    { PTX_OP_MAD, PTX_MOD_LO, 8, ptx_affine_mad_64, NULL },
    { PTX_OP_MUL, PTX_MOD_WIDE, 4, ptx_affine_mul_wide_s32, ptx_affine_mul_wide_u32 },
    { PTX_OP_MAD, PTX_MOD_WIDE, 4, ptx_affine_mad_wide_s32, ptx_affine_mad_wide_u32 },
};

static bool is_row(const struct ptx_form *form, enum ptx_opcode opcode, enum ptx_modifier modifier)
{
    struct ptx_modifiers only = { { 0 } };
    if (modifier != PTX_MOD_NOTHING) ptx_add(&only, modifier);
    for (unsigned i = 0; i < sizeof only.bits / sizeof *only.bits; i++)
        if (only.bits[i] != form->needs.bits[i]) return false;
    return form->opcode == opcode;
}

static ptx_run *find_integer(const struct ptx_form *form)
{
    enum ptx_type type = form->types[0];
    bool is_signed = type == PTX_S32 || type == PTX_S64;
    if (!is_signed && type != PTX_U32 && type != PTX_U64) return NULL;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].bytes == ptx_type_bytes(type) &&
            is_row(form, rows[i].opcode, rows[i].modifier))
            return !is_signed && rows[i].run_unsigned ? rows[i].run_unsigned : rows[i].run;
    return NULL;
}

static ptx_run *find_mov(const struct ptx_form *form)
{
    if (form->opcode != PTX_OP_MOV) return NULL;
    switch (form->types[0]) {
    case PTX_B32: case PTX_U32: case PTX_S32: return ptx_affine_mov_32;
    case PTX_B64: case PTX_U64: case PTX_S64: return ptx_affine_mov_64;
    default: return NULL;
    }
}

static ptx_run *find_predicate(const struct ptx_form *form)
{
    if (form->types[0] != PTX_PRED) return NULL;
    switch (form->opcode) {
    case PTX_OP_OR: return ptx_affine_or_pred;
    case PTX_OP_AND: return ptx_affine_and_pred;
    case PTX_OP_NOT: return ptx_affine_not_pred;
    default: return NULL;
    }
}

ptx_run *ptx_affine_step_of(const struct ptx_form *form, uint32_t sources)
{
    /* What has no sources looks at the group: activemask. */
    static ptx_run *const by_sources[] = { ptx_affine_writing, ptx_affine_lanewise_1,
                                           ptx_affine_lanewise_2, ptx_affine_lanewise_3 };
    if (form->strips) return sources == 2 ? ptx_affine_mixed_2 : ptx_affine_mixed_3;
    ptx_run *run = find_integer(form);
    if (!run) run = find_mov(form);
    if (!run) run = find_predicate(form);
    return run ? run : by_sources[sources];
}

/* Registers that are the same for all threads of a block and do not change while it runs. */
static bool is_same(uint8_t id)
{
    switch (id) {
    case PTX_SR_NWARPID: case PTX_SR_SMID: case PTX_SR_NSMID: case PTX_SR_GRIDID:
    case PTX_SR_CLUSTERID: case PTX_SR_NCLUSTERID: case PTX_SR_CLUSTER_CTAID:
    case PTX_SR_CLUSTER_NCTAID: case PTX_SR_CLUSTER_CTARANK:
    case PTX_SR_CLUSTER_NCTARANK: case PTX_SR_TOTAL_SMEM_SIZE:
    case PTX_SR_AGGR_SMEM_SIZE: case PTX_SR_DYNAMIC_SMEM_SIZE: return true;
    default: return false;
    }
}

ptx_run *ptx_affine_special_step(uint8_t id)
{
    switch (id) {
    case PTX_SR_TID: return ptx_affine_thread_place;
    case PTX_SR_NTID: return ptx_affine_block_size;
    case PTX_SR_CTAID: return ptx_affine_block_place;
    case PTX_SR_NCTAID: return ptx_affine_grid_size;
    default: return is_same(id) ? ptx_affine_lanewise_0 : ptx_affine_writing;
    }
}
