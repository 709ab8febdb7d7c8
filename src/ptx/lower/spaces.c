/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions that deal with addresses but access no memory: cvta, isspacep, mapa, getctarank;
 * alloca and its like; and what only caches would notice.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/step/spaces.h"

static uint64_t window_of_space(enum ptx_space space)
{
    switch (space) {
    case PTX_SHARED: return PTX_SHARED_WINDOW;
    case PTX_LOCAL: return PTX_LOCAL_WINDOW;
    case PTX_PARAM: return PTX_PARAM_WINDOW;
    default: return 0;
    }
}

static rill_status check_space(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction, uint32_t operands)
{
    if (instruction->operand_count != operands)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "%u operands belong here, not %u", operands,
                              instruction->operand_count);
    switch (ptx_said_space(instruction)) {
    case PTX_GLOBAL: case PTX_CONST: case PTX_SHARED: case PTX_LOCAL: return RILL_SUCCESS;
    case PTX_PARAM:
        if (ptx_lowered_function(lowering)->entry) return RILL_SUCCESS;
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_NOT_SUPPORTED,
                              "parameters of a function have no generic address");
    default:
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "a state space belongs here");
    }
}

/* ---- cvta --------------------------------------------------------------------------------- */

/* Lowers cvta.  A generic null is no address of a space, and the other way round; neither is
 * preserved. */
static rill_status lower_cvta(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    struct ptx_step *step;
    uint32_t d, a;
    (void)form;
    rill_status status = check_space(lowering, instruction, 2);
    if (!status) status = ptx_source(lowering, instruction, &operands[1], PTX_U64, false, &a);
    if (!status)
        status = ptx_destination(lowering, instruction, &operands[0], PTX_U64, false, &d);
    if (!status) status = ptx_emit(lowering, instruction, ptx_cvta_step, &step);
    if (status) return status;
    uint64_t window = window_of_space(ptx_said_space(instruction));
    step->d = d;
    step->a = a;
    step->immediate = (int64_t)(ptx_has(&instruction->modifiers, PTX_MOD_TO) ? 0 - window
                                                                             : window);
    ptx_follow(lowering, step, ptx_affine_plus_64);
    return RILL_SUCCESS;
}

/* ---- isspacep ----------------------------------------------------------------------------- */

static rill_status lower_isspacep(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction,
                                  const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    enum ptx_space space = ptx_said_space(instruction);
    bool cluster = ptx_has(&instruction->modifiers, PTX_MOD_SHARED_CLUSTER);
    ptx_run *run = space == PTX_GLOBAL                ? ptx_is_global_step
                   : space == PTX_CONST               ? ptx_is_constant_step
                   : space == PTX_SHARED && !cluster  ? ptx_is_own_shared_step
                                                      : ptx_is_space_step;
    struct ptx_step *step;
    uint32_t d, a;
    (void)form;
    rill_status status = check_space(lowering, instruction, 2);
    if (!status) status = ptx_source(lowering, instruction, &operands[1], PTX_U64, false, &a);
    if (!status)
        status = ptx_destination(lowering, instruction, &operands[0], PTX_PRED, false, &d);
    if (!status) status = ptx_emit(lowering, instruction, run, &step);
    if (status) return status;
    step->d = d;
    step->a = a;
    step->immediate = (int64_t)window_of_space(space);
    ptx_follow(lowering, step, ptx_affine_lanewise_1);
    return RILL_SUCCESS;
}

/* ---- mapa, getctarank ---------------------------------------------------------------------- */

/* Finds the column of the address, which mapa.shared::cluster may name. */
static rill_status lower_shared_address(struct ptx_lowering *lowering,
                                        const struct ptx_instruction *instruction,
                                        const struct ptx_operand *operand, uint32_t *a)
{
    enum ptx_type type = instruction->types[0];
    if (instruction->space_count > 1 ||
        (instruction->space_count && !ptx_has(&instruction->modifiers, PTX_MOD_SHARED_CLUSTER)))
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              ".shared::cluster is the only space here");
    if (!instruction->space_count && type == PTX_U32)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_NOT_SUPPORTED,
                              "generic addresses have 64 bits");
    return ptx_source(lowering, instruction, operand, type, false, a);
}

/* Lowers both: the first makes an address of an address and a rank, the second a rank. */
static rill_status lower_cluster_address(struct ptx_lowering *lowering,
                                         const struct ptx_instruction *instruction,
                                         const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    const bool maps = form->opcode == PTX_OP_MAPA, wide = form->types[0] == PTX_U64;
    struct ptx_step *step;
    uint32_t d, a, b = PTX_NO_COLUMN;
    rill_status status = ptx_check_operand_count(lowering, instruction, 2 + maps);
    if (!status) status = lower_shared_address(lowering, instruction, &operands[1], &a);
    if (!status && maps)
        status = ptx_source(lowering, instruction, &operands[2], PTX_U32, false, &b);
    if (!status)
        status = ptx_destination(lowering, instruction, &operands[0],
                                 maps ? form->types[0] : PTX_U32, false, &d);
    if (!status) status = ptx_emit(lowering, instruction, form->run, &step);
    if (status) return status;
    step->d = d;
    step->a = a;
    step->b = b;
    step->width = wide ? 8 : 4;
    step->immediate = instruction->space_count ? 0 : (int64_t)PTX_SHARED_WINDOW;
    ptx_follow(lowering, step, maps ? ptx_affine_lanewise_2 : ptx_affine_lanewise_1);
    return RILL_SUCCESS;
}

/* ---- alloca, stacksave, stackrestore -------------------------------------------------------- */

/* Reads how alloca is to align what it takes: a power of two. */
static rill_status find_alignment(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction, int64_t *alignment)
{
    const struct ptx_operand *operand = &instruction->operands[2];
    *alignment = 8;
    if (instruction->operand_count < 3) return RILL_SUCCESS;
    rill_status status = ptx_constant(lowering, operand, alignment);
    if (status) return status;
    if (*alignment > 0 && *alignment <= PTX_MOST_LOCAL && !(*alignment & (*alignment - 1)))
        return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_INVALID_PTX,
                          "an alignment is a power of two");
}

/* Lowers all three: what they read or write is their last operand, and what alloca gives the
 * first. */
static rill_status lower_stack(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    const bool takes = form->opcode == PTX_OP_ALLOCA, reads = form->opcode != PTX_OP_STACKSAVE;
    const bool aligns = takes && instruction->operand_count == 3;
    uint32_t stack = PTX_NO_COLUMN, a = PTX_NO_COLUMN, d = PTX_NO_COLUMN;
    int64_t alignment = 1;
    struct ptx_step *step;
    rill_status status = ptx_check_operand_count(lowering, instruction, 1u + takes + aligns);
    if (!status && takes) status = find_alignment(lowering, instruction, &alignment);
    if (!status && reads)
        status = ptx_source(lowering, instruction, &operands[takes], PTX_U64, false, &a);
    if (!status && (takes || !reads))
        status = ptx_destination(lowering, instruction, &operands[0], PTX_U64, false, &d);
    if (!status) status = ptx_stack_column(lowering, &stack);
    if (!status) status = ptx_emit(lowering, instruction, form->run, &step);
    if (status) return status;
    step->d = d;
    step->a = a;
    step->e = stack;
    step->immediate = alignment;
    return RILL_SUCCESS;
}

/* ---- What only caches would notice -------------------------------------------------------- */

/* Lowers prefetch, prefetchu, discard and applypriority: an address, sometimes a size. */
static rill_status lower_hint(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form)
{
    struct ptx_memory_operand memory;
    uint32_t operands = form->kind;
    int64_t bytes;
    if (instruction->operand_count != operands)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "%u operands belong here, not %u", operands,
                              instruction->operand_count);
    rill_status status = ptx_lower_memory_operand(lowering, instruction, &instruction->operands[0],
                                                  PTX_B8, &memory);
    if (!status && operands > 1)
        status = ptx_constant(lowering, &instruction->operands[1], &bytes);
    return status;
}

/* Lowers createpolicy, whose result is never looked at. */
static rill_status lower_policy(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_form *form)
{
    struct ptx_step *step;
    uint32_t d;
    (void)form;
    if (instruction->operand_count < 1 || instruction->operand_count > 4)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "one to four operands belong here");
    rill_status status = ptx_destination(lowering, instruction, &instruction->operands[0],
                                         PTX_B64, false, &d);
    if (!status) status = ptx_emit(lowering, instruction, ptx_no_policy_step, &step);
    if (!status) step->d = d;
    return status;
}

/* ---- The table ---------------------------------------------------------------------------- */

#define HINT(code, operands, level) \
    { .opcode = PTX_OP_##code, .kind = operands, .needs = PTX_SET(level), .lower = lower_hint }
#define POLICY(how) \
    { .opcode = PTX_OP_CREATEPOLICY, .types = { PTX_B64 }, .needs = PTX_SET(how), \
      .lower = lower_policy, \
      .allows = PTX_SET(L2, L2__EVICT_LAST, L2__EVICT_NORMAL, L2__EVICT_FIRST, \
                        L2__EVICT_UNCHANGED) }
#define OF_CLUSTER(code, type, step) \
    { .opcode = PTX_OP_##code, .types = { PTX_##type }, .run = step, \
      .allows = PTX_SET(SHARED_CLUSTER), .lower = lower_cluster_address }

#define STACK(code, step) \
    { .opcode = PTX_OP_##code, .types = { PTX_U64 }, .run = step, .lower = lower_stack }

static const struct ptx_form rows[] = {
    { .opcode = PTX_OP_CVTA, .types = { PTX_U64 }, .lower = lower_cvta,
      .allows = PTX_SET(TO, SHARED_CTA, SHARED_CLUSTER, PARAM_ENTRY) },
    { .opcode = PTX_OP_ISSPACEP, .lower = lower_isspacep,
      .allows = PTX_SET(SHARED_CTA, SHARED_CLUSTER, PARAM_ENTRY) },
    OF_CLUSTER(MAPA, U32, ptx_map_shared_step), OF_CLUSTER(MAPA, U64, ptx_map_shared_step),
    OF_CLUSTER(GETCTARANK, U32, ptx_rank_step), OF_CLUSTER(GETCTARANK, U64, ptx_rank_step),
    STACK(ALLOCA, ptx_take_stack_step), STACK(STACKSAVE, ptx_save_stack_step),
    STACK(STACKRESTORE, ptx_restore_stack_step),
    HINT(PREFETCH, 1, L1), HINT(PREFETCH, 1, L2), HINT(PREFETCH, 1, L2__EVICT_LAST),
    HINT(PREFETCH, 1, L2__EVICT_NORMAL), HINT(PREFETCH, 1, TENSORMAP_),
    HINT(PREFETCHU, 1, L1), HINT(DISCARD, 2, L2),
    HINT(APPLYPRIORITY, 2, L2__EVICT_NORMAL),
    POLICY(FRACTIONAL), POLICY(RANGE), POLICY(CVT_),
};

const struct ptx_forms ptx_space_forms = { rows, sizeof rows / sizeof *rows };
