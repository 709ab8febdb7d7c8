/* SPDX-License-Identifier: Apache-2.0
 *
 * ld, ldu and st; and multimem, for which there is no memory.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/step/access.h"
#include "ptx/step/spaces.h"

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

/* Finds where in memory an access is, and how strong it is. */
static rill_status find_access(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_operand *address, enum ptx_type type,
                               struct ptx_memory_operand *memory)
{
    rill_status status = ptx_check_policy(lowering, instruction, 2);
    if (!status) status = ptx_lower_memory_operand(lowering, instruction, address, type, memory);
    if (!status) status = find_strength(lowering, instruction, &memory->kind);
    return status;
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
    rill_status status = find_access(lowering, instruction, &operands[1], type, &memory);
    if (!status)
        status = ptx_elements(lowering, instruction, ptx_without_braces(&operands[0]), memory.width,
                              &elements);
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
    rill_status status = find_access(lowering, instruction, &operands[0], type, &memory);
    if (!status)
        status = ptx_elements(lowering, instruction, ptx_without_braces(&operands[1]), memory.width,
                              &elements);
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

/* ---- multimem ----------------------------------------------------------------------------- */

static rill_status check_reduction(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction)
{
    static const enum ptx_modifier words[] = { PTX_MOD_ADD, PTX_MOD_MIN, PTX_MOD_MAX, PTX_MOD_AND,
                                               PTX_MOD_OR, PTX_MOD_XOR };
    const bool wanted = !ptx_has(&instruction->modifiers, PTX_MOD_ST_);
    unsigned said = 0;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        said += ptx_has(&instruction->modifiers, words[i]);
    if (said == wanted) return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                          wanted ? "one of .add, .min, .max, .and, .or and .xor belongs here"
                                 : "a store reduces nothing");
}

/* Lowers all of multimem to a step that fails, as it does on a GPU at an address that is none of a
 * multicast object: no device here makes such objects, so kernels ask before they come to it. */
static rill_status lower_multicast(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction,
                                   const struct ptx_form *form)
{
    const bool loads = ptx_has(&instruction->modifiers, PTX_MOD_LD_REDUCE);
    const struct ptx_operand *values = &instruction->operands[!loads], *elements;
    struct ptx_memory_operand memory;
    uint32_t columns[8], bytes = 0;
    struct ptx_step *step;
    rill_status status = ptx_check_operand_count(lowering, instruction, 2);
    if (!status) status = check_reduction(lowering, instruction);
    if (!status)
        status = ptx_lower_memory_operand(lowering, instruction, &instruction->operands[loads],
                                          form->types[0], &memory);
    if (!status) status = find_strength(lowering, instruction, &memory.kind);
    if (!status) status = ptx_elements(lowering, instruction, values, memory.width, &elements);
    if (!status)
        status = (loads ? ptx_element_destinations : ptx_element_sources)(
            lowering, instruction, elements, memory.width, form->types[0], columns, &bytes);
    if (!status) status = ptx_emit(lowering, instruction, ptx_no_multicast_step, &step);
    if (status) return status;
    step->a = memory.address.base;
    step->immediate = memory.address.offset;
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
#define MULTICAST(how, type) \
    { .opcode = PTX_OP_MULTIMEM, .types = { PTX_##type }, .needs = PTX_SET(how), \
      .allows = PTX_SET(ADD, MIN, MAX, AND, OR, XOR, ACC_F16, ACC_F32, WEAK, RELAXED, ACQUIRE, \
                        RELEASE, CTA, CLUSTER, GPU, SYS, V2, V4, V8), \
      .lower = lower_multicast }
#define MULTICASTS(how) \
    MULTICAST(how, U32), MULTICAST(how, S32), MULTICAST(how, B32), MULTICAST(how, U64), \
    MULTICAST(how, S64), MULTICAST(how, B64), MULTICAST(how, F32), MULTICAST(how, F64), \
    MULTICAST(how, F16), MULTICAST(how, BF16), MULTICAST(how, F16X2), MULTICAST(how, BF16X2)
#define EACH_TYPE(ROW) \
    ROW(B8), ROW(B16), ROW(B32), ROW(B64), ROW(U8), ROW(U16), ROW(U32), ROW(U64), \
    ROW(S8), ROW(S16), ROW(S32), ROW(S64), ROW(F32), ROW(F64), ROW(B128)

static const struct ptx_form rows[] = {
    EACH_TYPE(LOAD),
    EACH_TYPE(LOAD_UNIFORM),
    EACH_TYPE(STORE),
    MULTICASTS(LD_REDUCE), MULTICASTS(ST_), MULTICASTS(RED),
};

const struct ptx_forms ptx_memory_forms = { rows, sizeof rows / sizeof *rows };
