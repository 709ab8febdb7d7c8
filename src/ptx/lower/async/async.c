/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async and mbarrier.
 */
#include "ptx/async/barrier.h"
#include "ptx/async/copy.h"
#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/lower/state.h"

#define INVALID RILL_ERROR_INVALID_PTX

/* ---- cp.async ----------------------------------------------------------------------------- */

/* Lowers an address in brackets as that of a space, whatever others the instruction names. */
static rill_status lower_side(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_operand *operand, enum ptx_space space,
                              struct ptx_memory_operand *memory)
{
    struct ptx_instruction side = *instruction;
    side.spaces[0] = space;
    side.space_count = 1;
    return ptx_lower_memory_operand(lowering, &side, operand, PTX_B128, memory);
}

/* What follows the two addresses. */
struct copy_operands {
    uint32_t bytes, wanted, ignored; /* the size, and columns of the others, or none          */
};

static rill_status read_copy_operands(struct ptx_lowering *lowering,
                                      const struct ptx_instruction *instruction,
                                      struct copy_operands *copy)
{
    const struct ptx_operand *operands = instruction->operands;
    uint32_t policy = ptx_has(&instruction->modifiers, PTX_MOD_L2__CACHE_HINT);
    int64_t bytes = 0;
    *copy = (struct copy_operands){ 0, PTX_NO_COLUMN, PTX_NO_COLUMN };
    if (instruction->operand_count < 3 + policy || instruction->operand_count > 4 + policy)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "two addresses and a size belong here");
    bool cg = ptx_has(&instruction->modifiers, PTX_MOD_CG);
    rill_status status = ptx_constant(lowering, &operands[2], &bytes);
    if (!status && bytes != 16 && (cg || (bytes != 4 && bytes != 8)))
        status = ptx_lower_fail(lowering, &operands[2].place, INVALID,
                                cg ? ".cg copies 16 bytes" : "copies are of 4, 8 or 16 bytes");
    copy->bytes = (uint32_t)bytes;
    if (status || instruction->operand_count == 3 + policy) return status;
    bool predicate = operands[3].kind == PTX_OPERAND_REGISTER &&
                     ptx_lowered_function(lowering)->registers[operands[3].index].type == PTX_PRED;
    return ptx_source(lowering, instruction, &operands[3], predicate ? PTX_PRED : PTX_B32, false,
                      predicate ? &copy->ignored : &copy->wanted);
}

static rill_status lower_copy(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    struct ptx_memory_operand to, from;
    struct copy_operands copy;
    struct ptx_step *step;
    uint32_t piece;
    (void)form;
    rill_status status = read_copy_operands(lowering, instruction, &copy);
    if (!status) status = lower_side(lowering, instruction, &operands[0], PTX_SHARED, &to);
    if (!status) status = lower_side(lowering, instruction, &operands[1], PTX_GLOBAL, &from);
    if (!status) status = ptx_new_column(lowering, 16, &piece);
    if (!status) status = ptx_emit(lowering, instruction, ptx_async_fetch_step, &step);
    if (status) return status;
    ptx_set_memory_operand(&from, step);
    step->width = (uint8_t)copy.bytes;
    step->b = copy.wanted;
    step->c = copy.ignored;
    step->d = piece;
    status = ptx_emit(lowering, instruction, ptx_async_put_step, &step);
    if (status) return status;
    ptx_set_memory_operand(&to, step);
    step->width = (uint8_t)copy.bytes;
    step->b = piece;
    return RILL_SUCCESS;
}

/* ---- mbarrier ----------------------------------------------------------------------------- */

/* An operation's operands after the address, and in front of it. */
struct barrier_operands {
    uint32_t d, b;
};

/* Lowers the step of an operation on the barrier that `operand` is the address of. */
static rill_status emit_barrier(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_operand *operand, uint32_t operation,
                                struct barrier_operands columns)
{
    struct ptx_memory_operand memory;
    struct ptx_step *step;
    rill_status status = ptx_lower_memory_operand(lowering, instruction, operand, PTX_B64, &memory);
    if (!status && memory.kind != PTX_TO_SHARED && memory.kind != PTX_TO_ANY)
        status = ptx_lower_fail(lowering, &instruction->place, INVALID, "barriers are in .shared");
    if (!status) status = ptx_emit(lowering, instruction, ptx_mbarrier_step, &step);
    if (status) return status;
    ptx_set_memory_operand(&memory, step);
    step->target = operation;
    step->d = columns.d;
    step->b = columns.b;
    return RILL_SUCCESS;
}

/* Lowers what has an address and perhaps a number: init, inval, expect_tx, complete_tx. */
static rill_status lower_barrier_change(struct ptx_lowering *lowering,
                                        const struct ptx_instruction *instruction,
                                        const struct ptx_form *form)
{
    bool counts = form->kind != MBARRIER_INVAL;
    struct barrier_operands columns = { PTX_NO_COLUMN, PTX_NO_COLUMN };
    rill_status status = ptx_check_operand_count(lowering, instruction, 1 + counts);
    if (!status && counts)
        status = ptx_source(lowering, instruction, &instruction->operands[1], PTX_U32, false,
                            &columns.b);
    if (status) return status;
    return emit_barrier(lowering, instruction, &instruction->operands[0], form->kind, columns);
}

/* Lowers cp.async.mbarrier.arrive.  Without .noinc the phase waits for one arrival more, which
 * comes at once, since copies are done at once: nothing changes. */
static rill_status lower_copies_arrival(struct ptx_lowering *lowering,
                                        const struct ptx_instruction *instruction,
                                        const struct ptx_form *form)
{
    bool arrives = ptx_has(&instruction->modifiers, PTX_MOD_NOINC);
    struct barrier_operands columns = { PTX_NO_COLUMN, PTX_NO_COLUMN };
    rill_status status = ptx_check_operand_count(lowering, instruction, 1);
    (void)form;
    if (!status && !arrives) status = ptx_lower_number(lowering, 0, 4, &columns.b);
    if (status) return status;
    return emit_barrier(lowering, instruction, &instruction->operands[0],
                        arrives ? MBARRIER_ARRIVE : MBARRIER_EXPECT, columns);
}

static rill_status lower_arrival(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    const struct ptx_operand *operands = instruction->operands;
    bool drops = form->kind == MBARRIER_DROP, expects = ptx_has(said, PTX_MOD_EXPECT_TX),
         stays = ptx_has(said, PTX_MOD_NO_COMPLETE);
    struct barrier_operands columns = { PTX_NO_COLUMN, PTX_NO_COLUMN };
    uint32_t operation = expects ? drops ? MBARRIER_DROP_EXPECT : MBARRIER_ARRIVE_EXPECT
                                 : form->kind;
    rill_status status = RILL_SUCCESS;
    if (instruction->operand_count != 3 &&
        (expects || stays || instruction->operand_count != 2))
        status = ptx_check_operand_count(lowering, instruction, 3);
    if (!status && instruction->operand_count == 3)
        status = ptx_source(lowering, instruction, &operands[2], PTX_U32, false, &columns.b);
    if (!status && operands[0].kind != PTX_OPERAND_SINK)
        status = ptx_destination(lowering, instruction, &operands[0], PTX_B64, false, &columns.d);
    if (status) return status;
    return emit_barrier(lowering, instruction, &operands[1],
                        operation | (stays ? MBARRIER_STAYS : 0), columns);
}

static rill_status lower_barrier_wait(struct ptx_lowering *lowering,
                                      const struct ptx_instruction *instruction,
                                      const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    bool parity = ptx_has(&instruction->modifiers, PTX_MOD_PARITY),
         tries = ptx_has(&form->needs, PTX_MOD_TRY_WAIT);
    struct barrier_operands columns;
    uint32_t hint;
    rill_status status = RILL_SUCCESS;
    if (instruction->operand_count != 4 || !tries)
        status = ptx_check_operand_count(lowering, instruction, 3);
    if (!status)
        status = ptx_source(lowering, instruction, &operands[2], parity ? PTX_U32 : PTX_B64, false,
                            &columns.b);
    if (!status && instruction->operand_count == 4)
        status = ptx_source(lowering, instruction, &operands[3], PTX_U32, false, &hint);
    if (!status)
        status = ptx_destination(lowering, instruction, &operands[0], PTX_PRED, false, &columns.d);
    if (status) return status;
    return emit_barrier(lowering, instruction, &operands[1],
                        parity ? MBARRIER_WAIT_PARITY : MBARRIER_WAIT, columns);
}

/* ---- st.async, red.async ------------------------------------------------------------------ */

/* Lowers a store or a reduction that is counted at a barrier: as it would be without, and
 * then the barrier.  Both are in the shared memory of any block of the cluster. */
static rill_status lower_counted(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    struct ptx_instruction plain = *instruction;
    struct barrier_operands columns = { PTX_NO_COLUMN, PTX_NO_COLUMN };
    const uint32_t width = ptx_has(said, PTX_MOD_V4) ? 4 : ptx_has(said, PTX_MOD_V2) ? 2 : 1;
    char why[120];
    rill_status status = ptx_check_operand_count(lowering, instruction, 3);
    if (status) return status;
    plain.operand_count = 2;
    plain.modifiers = (struct ptx_modifiers){ { 0 } };
    if (ptx_has(said, PTX_MOD_SHARED_CLUSTER)) ptx_add(&plain.modifiers, PTX_MOD_SHARED_CLUSTER);
    const struct ptx_instruction gate = plain;
    if (width > 1) ptx_add(&plain.modifiers, width == 2 ? PTX_MOD_V2 : PTX_MOD_V4);
    if (form->kind) ptx_add(&plain.modifiers, (enum ptx_modifier)form->kind);
    const struct ptx_form *without = ptx_find_form(&plain, why);
    if (!without)
        return ptx_lower_fail(lowering, &instruction->place, INVALID, "%s", why);
    status = without->lower(lowering, &plain, without);
    if (!status)
        status = ptx_lower_number(lowering, width * ptx_type_bytes(form->types[0]), 4, &columns.b);
    if (status) return status;
    return emit_barrier(lowering, &gate, &instruction->operands[2], MBARRIER_COMPLETE, columns);
}

/* ---- The table ---------------------------------------------------------------------------- */

#define COPY(cache) \
    { .opcode = PTX_OP_CP, .needs = PTX_SET(ASYNC, cache), .lower = lower_copy, \
      .allows = PTX_SET(SHARED_CTA, L2__CACHE_HINT, L2__64B, L2__128B, L2__256B) }
#define COPY_WAIT(how) \
    { .opcode = PTX_OP_CP, .needs = PTX_SET(ASYNC, how), .lower = ptx_lower_group_wait }
#define CHANGE(what, operation) \
    { .opcode = PTX_OP_MBARRIER, .types = { PTX_B64 }, .kind = MBARRIER_##operation, \
      .needs = PTX_SET(what), .lower = lower_barrier_change, \
      .allows = PTX_SET(SHARED_CTA, SHARED_CLUSTER, RELAXED, CTA, CLUSTER) }
#define ARRIVAL(what, operation) \
    { .opcode = PTX_OP_MBARRIER, .types = { PTX_B64 }, .kind = MBARRIER_##operation, \
      .needs = PTX_SET(what), .lower = lower_arrival, \
      .allows = PTX_SET(SHARED_CTA, SHARED_CLUSTER, RELEASE, RELAXED, CTA, CLUSTER, EXPECT_TX, \
                        NO_COMPLETE) }
#define WAIT_FOR(what) \
    { .opcode = PTX_OP_MBARRIER, .types = { PTX_B64 }, .needs = PTX_SET(what), \
      .lower = lower_barrier_wait, \
      .allows = PTX_SET(SHARED_CTA, ACQUIRE, RELAXED, CTA, CLUSTER, PARITY) }

#define COUNTED(code, operation, type, ...) \
    { .opcode = PTX_OP_##code, .types = { PTX_##type }, .kind = PTX_MOD_##operation, \
      .needs = PTX_SET(ASYNC, MBARRIER_COMPLETE, operation), .lower = lower_counted, \
      .allows = PTX_SET(SHARED_CLUSTER, RELAXED, CLUSTER, __VA_ARGS__) }
#define STORE(type) COUNTED(ST, NOTHING, type, WEAK, V2, V4)
#define REDUCE(operation, type) COUNTED(RED, operation, type, NOTHING)
#define REDUCE_MOST(type) REDUCE(ADD, type), REDUCE(MIN, type), REDUCE(MAX, type)

static const struct ptx_form rows[] = {
    COPY(CA), COPY(CG),
    COPY_WAIT(COMMIT_GROUP), COPY_WAIT(WAIT_GROUP), COPY_WAIT(WAIT_ALL),
    { .opcode = PTX_OP_CP, .types = { PTX_B64 }, .needs = PTX_SET(ASYNC, MBARRIER_, ARRIVE),
      .allows = PTX_SET(NOINC, SHARED_CTA), .lower = lower_copies_arrival },
    CHANGE(INIT, INIT), CHANGE(INVAL, INVAL), CHANGE(EXPECT_TX, EXPECT),
    CHANGE(COMPLETE_TX, COMPLETE), ARRIVAL(ARRIVE, ARRIVE), ARRIVAL(ARRIVE_DROP, DROP),
    WAIT_FOR(TEST_WAIT), WAIT_FOR(TRY_WAIT),
    { .opcode = PTX_OP_MBARRIER, .types = { PTX_B64 }, .needs = PTX_SET(PENDING_COUNT),
      .signature = "=ux", .run = ptx_mbarrier_pending_step },
    STORE(B32), STORE(U32), STORE(S32), STORE(F32), STORE(B64), STORE(U64), STORE(S64), STORE(F64),
    REDUCE_MOST(U32), REDUCE_MOST(S32), REDUCE(ADD, U64), REDUCE(ADD, S64),
    REDUCE(INC, U32), REDUCE(DEC, U32),
    REDUCE(AND, B32), REDUCE(OR, B32), REDUCE(XOR, B32),
};

const struct ptx_forms ptx_async_forms = { rows, sizeof rows / sizeof *rows };
