/* SPDX-License-Identifier: Apache-2.0
 *
 * ld, ldu and st.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/step/access.h"

static bool is_signed_type(enum ptx_type type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

/* ---- How strong an access is -------------------------------------------------------------- */

static rill_status find_strength(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction, uint32_t *kind)
{
    const struct ptx_modifiers *dots = &instruction->modifiers;
    bool ordered = ptx_has(dots, PTX_MOD_RELAXED) || ptx_has(dots, PTX_MOD_ACQUIRE) ||
                   ptx_has(dots, PTX_MOD_RELEASE);
    int kinds = ptx_has(dots, PTX_MOD_WEAK) + ptx_has(dots, PTX_MOD_VOLATILE) +
                ptx_has(dots, PTX_MOD_RELAXED) + ptx_has(dots, PTX_MOD_ACQUIRE) +
                ptx_has(dots, PTX_MOD_RELEASE);
    int scopes = ptx_has(dots, PTX_MOD_CTA) + ptx_has(dots, PTX_MOD_CLUSTER) +
                 ptx_has(dots, PTX_MOD_GPU) + ptx_has(dots, PTX_MOD_SYS);
    if (kinds > 1)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "one of .weak, .volatile, .relaxed, .acquire and .release is enough");
    if (scopes != ordered)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              ordered ? "one of .cta, .cluster, .gpu and .sys belongs here"
                                      : "a scope belongs to .relaxed, .acquire or .release only");
    if (ptx_has(dots, PTX_MOD_MMIO) && !ptx_has(dots, PTX_MOD_RELAXED))
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              ".mmio belongs to .relaxed only");
    if (ptx_has(dots, PTX_MOD_NC) && ptx_said_space(instruction) != PTX_GLOBAL)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              ".nc belongs to .global only");
    if (ordered || ptx_has(dots, PTX_MOD_VOLATILE)) *kind |= PTX_STRONG;
    if (ptx_has(dots, PTX_MOD_RELEASE)) *kind |= PTX_RELEASES;
    if (ptx_has(dots, PTX_MOD_CTA)) *kind |= PTX_NARROW;
    return RILL_SUCCESS;
}

/* ---- ld, ldu, st -------------------------------------------------------------------------- */

static rill_status emit_access(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_memory_operand *memory, ptx_run *run,
                               const uint32_t columns[8], struct ptx_step **step)
{
    uint32_t more = 0;
    rill_status status = RILL_SUCCESS;
    if (!run)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "a register is not as wide as .%s",
                              ptx_type_word(instruction->types[0]));
    if (memory->width > 1) status = ptx_remember(lowering, columns, memory->width, &more);
    if (!status) status = ptx_emit(lowering, instruction, run, step);
    if (status) return status;
    ptx_set_memory_operand(memory, *step);
    (*step)->more = more;
    return RILL_SUCCESS;
}

/* Lets an access make use of an address that is affine.  A slot is columns itself; strong accesses
 * are made one after the other. */
static void follow_access(struct ptx_lowering *lowering, const struct ptx_memory_operand *memory,
                          struct ptx_step *step, ptx_run *affine)
{
    if ((step->kind & PTX_WHERE) == PTX_TO_SLOT) return;
    if (!(step->kind & PTX_STRONG)) ptx_follow_address(lowering, &memory->address, step);
    if (!(step->kind & PTX_STRONG)) ptx_follow(lowering, step, affine);
    else if (step->width == 1) ptx_follow(lowering, step, ptx_affine_reading);
}

static rill_status lower_load(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands, *elements;
    enum ptx_type type = form->types[0];
    struct ptx_memory_operand memory;
    struct ptx_step *step;
    uint32_t columns[8], bytes = 0;
    rill_status status = ptx_check_policy(lowering, instruction, 2);
    if (!status)
        status = ptx_lower_memory_operand(lowering, instruction, &operands[1], type, &memory);
    if (!status) status = find_strength(lowering, instruction, &memory.kind);
    if (!status)
        status = ptx_elements(lowering, instruction, &operands[0], memory.width, &elements);
    if (!status)
        status = ptx_element_destinations(lowering, instruction, elements, memory.width, type,
                                          columns, &bytes);
    if (status) return status;
    ptx_run *run = ptx_load_step(ptx_type_bytes(type), bytes, is_signed_type(type));
    status = emit_access(lowering, instruction, &memory, run, columns, &step);
    if (status) return status;
    if (memory.width == 1) step->d = columns[0];
    const bool is_param = (step->kind & PTX_WHERE) == PTX_TO_PARAM && step->a == PTX_NO_COLUMN;
    follow_access(lowering, &memory, step,
                  ptx_affine_load_step(ptx_type_bytes(type), bytes, is_signed_type(type),
                                       is_param));
    return RILL_SUCCESS;
}

static rill_status lower_store(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands, *elements;
    enum ptx_type type = form->types[0];
    struct ptx_memory_operand memory;
    struct ptx_step *step;
    uint32_t columns[8], bytes = 0;
    rill_status status = ptx_check_policy(lowering, instruction, 2);
    if (!status)
        status = ptx_lower_memory_operand(lowering, instruction, &operands[0], type, &memory);
    if (!status) status = find_strength(lowering, instruction, &memory.kind);
    if (!status)
        status = ptx_elements(lowering, instruction, &operands[1], memory.width, &elements);
    if (!status)
        status = ptx_element_sources(lowering, instruction, elements, memory.width, type,
                                     columns, &bytes);
    if (status) return status;
    ptx_run *run = ptx_store_step(ptx_type_bytes(type), bytes);
    status = emit_access(lowering, instruction, &memory, run, columns, &step);
    if (status) return status;
    if (memory.width == 1) step->b = columns[0];
    follow_access(lowering, &memory, step, ptx_affine_store_step(ptx_type_bytes(type), bytes));
    return RILL_SUCCESS;
}

/* ---- The table ---------------------------------------------------------------------------- */

/* Hints to caches make up half of the modifiers. */
#define HINTS(word) \
    (PTX_BITS(word, L1__EVICT_NORMAL, L1__EVICT_UNCHANGED, L1__EVICT_FIRST, L1__EVICT_LAST, \
              L1__NO_ALLOCATE, L2__EVICT_NORMAL, L2__EVICT_FIRST, L2__EVICT_LAST, 0) | \
     PTX_BITS(word, L2__CACHE_HINT, L2__64B, L2__128B, L2__256B, V2, V4, V8, UNIFIED, 0))
#define SPACES(word) \
    (PTX_BITS(word, SHARED_CTA, SHARED_CLUSTER, PARAM_ENTRY, PARAM_FUNC, WEAK, VOLATILE, \
              RELAXED, MMIO, 0) | \
     PTX_BITS(word, CTA, CLUSTER, GPU, SYS, NOTHING, NOTHING, NOTHING, NOTHING, 0))
#define LOAD_DOTS(word) \
    (HINTS(word) | SPACES(word) | PTX_BITS(word, ACQUIRE, CA, CG, CS, LU, CV, NC, NOTHING, 0))
#define STORE_DOTS(word) \
    (HINTS(word) | SPACES(word) | PTX_BITS(word, RELEASE, WB, CG, CS, WT, NOTHING, NOTHING, \
                                           NOTHING, 0))

#define LOAD(type) \
    { .opcode = PTX_OP_LD, .types = { PTX_##type }, .lower = lower_load, \
      .allows = { { LOAD_DOTS(0), LOAD_DOTS(1), LOAD_DOTS(2), LOAD_DOTS(3) } } }
#define LOAD_UNIFORM(type) \
    { .opcode = PTX_OP_LDU, .types = { PTX_##type }, .lower = lower_load, \
      .allows = PTX_SET(V2, V4) }
#define STORE(type) \
    { .opcode = PTX_OP_ST, .types = { PTX_##type }, .lower = lower_store, \
      .allows = { { STORE_DOTS(0), STORE_DOTS(1), STORE_DOTS(2), STORE_DOTS(3) } } }
#define EACH_TYPE(ROW) \
    ROW(B8), ROW(B16), ROW(B32), ROW(B64), ROW(U8), ROW(U16), ROW(U32), ROW(U64), \
    ROW(S8), ROW(S16), ROW(S32), ROW(S64), ROW(F32), ROW(F64), ROW(B128)

static const struct ptx_form rows[] = {
    EACH_TYPE(LOAD),
    EACH_TYPE(LOAD_UNIFORM),
    EACH_TYPE(STORE),
};

const struct ptx_forms ptx_memory_forms = { rows, sizeof rows / sizeof *rows };
