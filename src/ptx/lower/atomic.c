/* SPDX-License-Identifier: Apache-2.0
 *
 * atom, red, fence and membar.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/step/atomic.h"

/* ---- atom, red ---------------------------------------------------------------------------- */

static rill_status check_dots(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction)
{
    const struct ptx_modifiers *dots = &instruction->modifiers;
    int orders = ptx_has(dots, PTX_MOD_RELAXED) + ptx_has(dots, PTX_MOD_ACQUIRE) +
                 ptx_has(dots, PTX_MOD_RELEASE) + ptx_has(dots, PTX_MOD_ACQ_REL);
    int scopes = ptx_has(dots, PTX_MOD_CTA) + ptx_has(dots, PTX_MOD_CLUSTER) +
                 ptx_has(dots, PTX_MOD_GPU) + ptx_has(dots, PTX_MOD_SYS);
    enum ptx_space space = ptx_said_space(instruction);
    if (orders > 1 || scopes > 1)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "one order and one scope are enough");
    if (space != PTX_GENERIC && space != PTX_GLOBAL && space != PTX_SHARED)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "there are no atomic operations on .%s", ptx_space_word(space));
    return RILL_SUCCESS;
}

/* Emits the step.  The columns of a vector are the sources, followed by the destinations. */
static rill_status emit_atomic(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction, ptx_run *run,
                               const struct ptx_memory_operand *memory, const uint32_t *columns,
                               struct ptx_step **step)
{
    uint32_t more = 0, width = memory->width;
    rill_status status = RILL_SUCCESS;
    if (width > 1) status = ptx_remember(lowering, columns, 2 * width, &more);
    if (!status) status = ptx_emit(lowering, instruction, run, step);
    if (status) return status;
    ptx_set_memory_operand(memory, *step);
    (*step)->more = more;
    if (width == 1) {
        (*step)->b = columns[0];
        (*step)->d = columns[1];
        ptx_follow(lowering, *step, ptx_affine_reading);
    }
    return RILL_SUCCESS;
}

static rill_status check_exact_width(struct ptx_lowering *lowering,
                                     const struct ptx_operand *operand,
                                     enum ptx_type type, uint32_t bytes)
{
    if (bytes == ptx_type_bytes(type)) return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_INVALID_PTX,
                          "a register is not as wide as .%s", ptx_type_word(type));
}

/* Tells whether an instruction leaves what is there, as programs write it to ask for a flag: it
 * adds 0, or sets none of the bits. */
static bool asks_alone(const struct ptx_instruction *instruction)
{
    const struct ptx_modifiers *dots = &instruction->modifiers;
    const struct ptx_operand *value = &instruction->operands[2];
    return instruction->opcode == PTX_OP_ATOM && value->kind == PTX_OPERAND_INTEGER &&
           !value->bits && (ptx_has(dots, PTX_MOD_ADD) || ptx_has(dots, PTX_MOD_OR));
}

/* Returns what the order and the scope that an instruction says come to, of `kind`.  All atomic
 * operations are strong; those that say .sys are meant for others than the grid's threads, and so
 * are those that only ask. */
static uint32_t order_of(const struct ptx_instruction *instruction)
{
    const struct ptx_modifiers *dots = &instruction->modifiers;
    const bool releases = ptx_has(dots, PTX_MOD_RELEASE) || ptx_has(dots, PTX_MOD_ACQ_REL);
    const bool speaks = ptx_has(dots, PTX_MOD_SYS) || asks_alone(instruction);
    return (releases ? PTX_RELEASES : 0) | (ptx_has(dots, PTX_MOD_CTA) ? PTX_NARROW : 0) |
           (speaks ? PTX_STRONG : 0);
}

static rill_status lower_atomic(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_form *form)
{
    bool red = form->opcode == PTX_OP_RED, swap = ptx_has(&form->needs, PTX_MOD_CAS);
    const struct ptx_operand *operand = instruction->operands, *elements;
    enum ptx_type type = form->types[0];
    struct ptx_memory_operand memory;
    struct ptx_step *step;
    uint32_t columns[16], comes = PTX_NO_COLUMN, bytes = 0;
    for (unsigned n = 0; n < 16; n++) columns[n] = PTX_NO_COLUMN;
    rill_status status = check_dots(lowering, instruction);
    if (!status) status = ptx_check_policy(lowering, instruction, red ? 2 : swap ? 4 : 3);
    if (!status)
        status = ptx_lower_memory_operand(lowering, instruction, &operand[!red], type, &memory);
    if (status) return status;
    uint32_t width = memory.width;
    status = ptx_elements(lowering, instruction, &operand[!red + 1], width, &elements);
    if (!status)
        status = ptx_element_sources(lowering, instruction, elements, width, type, columns,
                                     &bytes);
    if (!status) status = check_exact_width(lowering, &operand[!red + 1], type, bytes);
    if (!status && swap)
        status = ptx_source(lowering, instruction, &operand[3], type, false, &comes);
    if (!status && !red && operand[0].kind != PTX_OPERAND_SINK) {
        status = ptx_elements(lowering, instruction, &operand[0], width, &elements);
        if (!status)
            status = ptx_element_destinations(lowering, instruction, elements, width, type,
                                              columns + width, &bytes);
        if (!status) status = check_exact_width(lowering, &operand[0], type, bytes);
    }
    if (!status)
        status = emit_atomic(lowering, instruction, form->run, &memory, columns, &step);
    if (status) return status;
    step->c = comes;
    step->kind = (uint8_t)(step->kind | order_of(instruction));
    return RILL_SUCCESS;
}

/* ---- Fences ------------------------------------------------------------------------------- */

static rill_status lower_fence(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_form *form)
{
    struct ptx_step *step;
    if (instruction->operand_count != 0)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "a fence has no operands");
    rill_status status = ptx_emit(lowering, instruction, form->run, &step);
    if (status) return status;
    step->kind = (uint8_t)order_of(instruction);
    ptx_follow(lowering, step, ptx_affine_reading);
    return RILL_SUCCESS;
}

/* Lowers a fence between the memory that instructions see and what asynchronous copies and tensor
 * maps do, which is the same here.  The one that acquires a tensor map names it. */
static rill_status lower_proxy_fence(struct ptx_lowering *lowering,
                                     const struct ptx_instruction *instruction,
                                     const struct ptx_form *form)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    struct ptx_memory_operand map;
    struct ptx_step *step;
    int64_t bytes = 0;
    bool names = ptx_has(said, PTX_MOD_TENSORMAP_GENERIC) && ptx_has(said, PTX_MOD_ACQUIRE);
    rill_status status = ptx_check_operand_count(lowering, instruction, names ? 2 : 0);
    if (!status && names)
        status = ptx_lower_memory_operand(lowering, instruction, &instruction->operands[0], PTX_B8,
                                          &map);
    if (!status && names) status = ptx_constant(lowering, &instruction->operands[1], &bytes);
    if (!status && names && bytes != 128)
        status = ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                                "a tensor map has 128 bytes");
    if (!status) status = ptx_emit(lowering, instruction, form->run, &step);
    if (!status) ptx_follow(lowering, step, ptx_affine_reading);
    return status;
}

/* ---- The table ---------------------------------------------------------------------------- */

#define DOTS(word) \
    (PTX_BITS(word, RELAXED, ACQUIRE, RELEASE, ACQ_REL, CTA, CLUSTER, GPU, SYS, 0) | \
     PTX_BITS(word, SHARED_CTA, SHARED_CLUSTER, L2__CACHE_HINT, NOTHING, NOTHING, NOTHING, \
              NOTHING, NOTHING, 0))
#define FLOAT_DOTS(word) \
    (DOTS(word) | PTX_BITS(word, NOFTZ, V2, V4, V8, NOTHING, NOTHING, NOTHING, NOTHING, 0))
#define ROW(code, operation, type, dots, function) \
    { .opcode = PTX_OP_##code, .types = { PTX_##type }, .needs = PTX_SET(operation), \
      .allows = { { dots(0), dots(1), dots(2), dots(3) } }, .run = ptx_atomic_##function, \
      .lower = lower_atomic }
#define ATOM(operation, type, function) ROW(ATOM, operation, type, DOTS, function)
#define BOTH(operation, type, function) \
    ATOM(operation, type, function), ROW(RED, operation, type, DOTS, function)
#define FLOAT(operation, type, function) \
    ROW(ATOM, operation, type, FLOAT_DOTS, function), \
    ROW(RED, operation, type, FLOAT_DOTS, function)
#define FENCE(code, ...) \
    { .opcode = PTX_OP_##code, .needs = PTX_SET(__VA_ARGS__), .run = ptx_fence_step, \
      .lower = lower_fence, .allows = PTX_SET(CTA, CLUSTER, GPU, SYS, GL) }

#define PROXY_FENCE(...) \
    { .opcode = PTX_OP_FENCE, .needs = PTX_SET(PROXY, __VA_ARGS__), .run = ptx_fence_step, \
      .lower = lower_proxy_fence, \
      .allows = PTX_SET(CTA, CLUSTER, GPU, SYS, SHARED_CTA, SHARED_CLUSTER, \
                        SYNC_RESTRICT_CTA, SYNC_RESTRICT_CLUSTER) }

static const struct ptx_form rows[] = {
    BOTH(AND, B32, and_b32), BOTH(OR, B32, or_b32), BOTH(XOR, B32, xor_b32),
    BOTH(AND, B64, and_b64), BOTH(OR, B64, or_b64), BOTH(XOR, B64, xor_b64),
    BOTH(ADD, U32, add_u32), BOTH(ADD, S32, add_u32),
    BOTH(ADD, U64, add_u64), BOTH(ADD, S64, add_u64),
    BOTH(INC, U32, inc_u32), BOTH(DEC, U32, dec_u32),
    BOTH(MIN, U32, min_u32), BOTH(MAX, U32, max_u32),
    BOTH(MIN, S32, min_s32), BOTH(MAX, S32, max_s32),
    BOTH(MIN, U64, min_u64), BOTH(MAX, U64, max_u64),
    BOTH(MIN, S64, min_s64), BOTH(MAX, S64, max_s64),
    ATOM(EXCH, B32, exch_b32), ATOM(EXCH, B64, exch_b64), ATOM(EXCH, B128, exch_b128),
    ATOM(CAS, B16, cas_b16), ATOM(CAS, B32, cas_b32), ATOM(CAS, B64, cas_b64),
    ATOM(CAS, B128, cas_b128),
    FLOAT(ADD, F32, add_f32), FLOAT(ADD, F64, add_f64),
    FLOAT(ADD, F16, add_f16), FLOAT(MIN, F16, min_f16), FLOAT(MAX, F16, max_f16),
    FLOAT(ADD, BF16, add_bf16), FLOAT(MIN, BF16, min_bf16), FLOAT(MAX, BF16, max_bf16),
    FLOAT(ADD, F16X2, add_f16x2), FLOAT(MIN, F16X2, min_f16x2), FLOAT(MAX, F16X2, max_f16x2),
    FLOAT(ADD, BF16X2, add_bf16x2), FLOAT(MIN, BF16X2, min_bf16x2),
    FLOAT(MAX, BF16X2, max_bf16x2),
    FENCE(MEMBAR, CTA), FENCE(MEMBAR, GL), FENCE(MEMBAR, SYS), FENCE(MEMBAR, PROXY, ALIAS),
    FENCE(FENCE, SC), FENCE(FENCE, ACQ_REL), FENCE(FENCE, PROXY, ALIAS),
    FENCE(FENCE, CTA), FENCE(FENCE, CLUSTER), FENCE(FENCE, GPU), FENCE(FENCE, SYS),
    FENCE(FENCE, ACQUIRE), FENCE(FENCE, RELEASE), FENCE(FENCE, MBARRIER_INIT, RELEASE, CLUSTER),
    FENCE(FENCE, ACQUIRE, SYNC_RESTRICT_CLUSTER), FENCE(FENCE, RELEASE, SYNC_RESTRICT_CTA),
    PROXY_FENCE(ASYNC), PROXY_FENCE(ASYNC_GENERIC, ACQUIRE), PROXY_FENCE(ASYNC_GENERIC, RELEASE),
    PROXY_FENCE(TENSORMAP_GENERIC, ACQUIRE), PROXY_FENCE(TENSORMAP_GENERIC, RELEASE),
};

const struct ptx_forms ptx_atomic_forms = { rows, sizeof rows / sizeof *rows };
