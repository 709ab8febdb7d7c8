/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches, ends, barriers, and instructions that only take time.
 */
#include "ptx/lower/state.h"
#include "ptx/run/barrier.h"
#include "ptx/run/control.h"

static rill_status emit_control(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                ptx_run *run, struct ptx_step **step)
{
    rill_status status = ptx_emit(lowering, instruction, run, step);
    if (status == RILL_SUCCESS) (*step)->flags |= PTX_STEP_CONTROL;
    return status;
}

/* Checks that an instruction has a number of operands between `least` and `most`. */
static rill_status check_operand_count(struct ptx_lowering *lowering,
                                       const struct ptx_instruction *instruction,
                                       uint32_t least, uint32_t most)
{
    uint32_t given = instruction->operand_count;
    if (given >= least && given <= most) return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                          "there are %u operands where %u belong", given,
                          given < least ? least : most);
}

/* Returns true if the function is a kernel, whose end hands no results back. */
static bool lowered_entry(const struct ptx_lowering *lowering)
{
    return ptx_lowered_function(lowering)->entry;
}

/* Lowers what has no operands but its guard. */
static rill_status lower_bare(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form)
{
    struct ptx_step *step;
    rill_status status = check_operand_count(lowering, instruction, 0, 0);
    if (status == RILL_SUCCESS) status = emit_control(lowering, instruction, form->run, &step);
    if (status == RILL_SUCCESS) step->kind = form->kind;
    if (status == RILL_SUCCESS && (lowered_entry(lowering) || form->run != ptx_return_step))
        ptx_follow(lowering, step, form->run);
    return status;
}

static rill_status lower_nothing(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form)
{
    (void)form;
    return check_operand_count(lowering, instruction, 0, 1);
}

static rill_status lower_bra(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct ptx_form *form)
{
    struct ptx_step *step;
    bool guarded = instruction->guard != PTX_NONE;
    (void)form;
    rill_status status = check_operand_count(lowering, instruction, 1, 1);
    if (status == RILL_SUCCESS)
        status = emit_control(lowering, instruction, guarded ? ptx_guarded_bra_step : ptx_bra_step,
                              &step);
    if (status != RILL_SUCCESS) return status;
    step->flags |= PTX_STEP_BRANCH;
    ptx_follow(lowering, step, step->lanes);
    return ptx_aim(lowering, step, &instruction->operands[0]);
}

static rill_status lower_brx(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct ptx_form *form)
{
    struct ptx_step *step;
    uint32_t index;
    (void)form;
    rill_status status = check_operand_count(lowering, instruction, 2, 2);
    if (status != RILL_SUCCESS) return status;
    const struct ptx_operand *table = &instruction->operands[1];
    const struct ptx_table *tables = ptx_lowered_function(lowering)->tables;
    if (table->kind != PTX_OPERAND_TABLE || !tables[table->index].labels)
        return ptx_lower_fail(lowering, &table->place, RILL_ERROR_INVALID_PTX,
                              "brx.idx needs the name of a .branchtargets list");
    status = ptx_source(lowering, instruction, &instruction->operands[0], PTX_U32, false, &index);
    if (status == RILL_SUCCESS) status = emit_control(lowering, instruction, ptx_brx_step, &step);
    if (status != RILL_SUCCESS) return status;
    step->a = index;
    step->target = table->index;
    return RILL_SUCCESS;
}

static rill_status lower_nanosleep(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction,
                                   const struct ptx_form *form)
{
    struct ptx_step *step;
    uint32_t time;
    (void)form;
    rill_status status = check_operand_count(lowering, instruction, 1, 1);
    if (status == RILL_SUCCESS)
        status = ptx_source(lowering, instruction, &instruction->operands[0], PTX_U32, false,
                            &time);
    if (status == RILL_SUCCESS)
        status = emit_control(lowering, instruction, ptx_nanosleep_step, &step);
    if (status == RILL_SUCCESS) ptx_follow(lowering, step, ptx_nanosleep_step);
    return status;
}

/* ---- Barriers ------------------------------------------------------------------------- */

/* bar.sync a{,b}   bar.arrive a,b   bar.red d,a{,b},c */
static rill_status lower_barrier(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form)
{
    bool reduces = form->kind >= PTX_BARRIER_POPC;
    uint32_t first = reduces, last = instruction->operand_count - reduces;
    uint32_t a, b = PTX_NO_COLUMN, c = PTX_NO_COLUMN, d = PTX_NO_COLUMN;
    const struct ptx_operand *operands = instruction->operands;
    uint32_t least = form->kind == PTX_BARRIER_ARRIVE ? 2 : reduces ? 3 : 1;
    rill_status status = check_operand_count(lowering, instruction, least, reduces ? 4 : 2);
    if (status == RILL_SUCCESS)
        status = ptx_source(lowering, instruction, &operands[first], PTX_U32, false, &a);
    if (status == RILL_SUCCESS && last - first == 2)
        status = ptx_source(lowering, instruction, &operands[first + 1], PTX_U32, false, &b);
    if (status == RILL_SUCCESS && reduces)
        status = ptx_source(lowering, instruction, &operands[last], PTX_PRED, false, &c);
    if (status == RILL_SUCCESS && reduces)
        status = ptx_destination(lowering, instruction, &operands[0],
                                 form->kind == PTX_BARRIER_POPC ? PTX_U32 : PTX_PRED, false, &d);
    struct ptx_step *step;
    if (status == RILL_SUCCESS)
        status = emit_control(lowering, instruction, ptx_barrier_step, &step);
    if (status != RILL_SUCCESS) return status;
    step->a = a;
    step->b = b;
    step->c = c;
    step->d = d;
    step->kind = form->kind;
    step->width = form->opcode == PTX_OP_BAR || ptx_has(&instruction->modifiers, PTX_MOD_ALIGNED);
    ptx_follow(lowering, step, ptx_affine_reading);
    return RILL_SUCCESS;
}

/* Lowers setmaxnreg: how many registers a thread has does not matter here. */
static rill_status lower_register_count(struct ptx_lowering *lowering,
                                        const struct ptx_instruction *instruction,
                                        const struct ptx_form *form)
{
    int64_t count = 0;
    (void)form;
    rill_status status = check_operand_count(lowering, instruction, 1, 1);
    if (!status) status = ptx_constant(lowering, &instruction->operands[0], &count);
    if (!status && (count < 24 || count > 256 || count % 8 != 0))
        status = ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                                "a thread has 24 to 256 registers, a multiple of 8");
    return status;
}

#define NO_TYPES { PTX_NO_TYPE }
#define PLAIN(opcode, needs, allows, how, kind) \
    { PTX_OP_##opcode, NO_TYPES, kind, needs, allows, NULL, how, NULL, lower_bare }
#define LOWERED(opcode, types, kind, needs, allows, lower) \
    { PTX_OP_##opcode, types, kind, needs, allows, NULL, NULL, NULL, lower }
#define TYPED(type) { type }
#define NONE PTX_SET(NOTHING)
#define BAR(opcode, types, kind, ...) \
    LOWERED(opcode, types, kind, PTX_SET(__VA_ARGS__), PTX_SET(CTA, ALIGNED), lower_barrier)
#define BARS(opcode) \
    BAR(opcode, NO_TYPES, PTX_BARRIER_SYNC, SYNC), \
    BAR(opcode, NO_TYPES, PTX_BARRIER_ARRIVE, ARRIVE), \
    BAR(opcode, TYPED(PTX_U32), PTX_BARRIER_POPC, RED, POPC), \
    BAR(opcode, TYPED(PTX_PRED), PTX_BARRIER_AND, RED, AND), \
    BAR(opcode, TYPED(PTX_PRED), PTX_BARRIER_OR, RED, OR)

static const struct ptx_form rows[] = {
    LOWERED(BRA, NO_TYPES, 0, NONE, PTX_SET(UNI), lower_bra),
    LOWERED(BRX, NO_TYPES, 0, PTX_SET(IDX), PTX_SET(UNI), lower_brx),
    LOWERED(CALL, NO_TYPES, 0, NONE, PTX_SET(UNI), ptx_lower_call),
    PLAIN(RET, NONE, PTX_SET(UNI), ptx_return_step, 0),
    PLAIN(EXIT, NONE, NONE, ptx_exit_step, 0),
    PLAIN(TRAP, NONE, NONE, ptx_trap_step, 0),
    PLAIN(BRKPT, NONE, NONE, ptx_trap_step, 1),
    BARS(BAR), BARS(BARRIER),
    PLAIN(BARRIER, PTX_SET(CLUSTER, ARRIVE), PTX_SET(RELEASE, RELAXED, ALIGNED),
          ptx_cluster_barrier_step, PTX_CLUSTER_ARRIVE),
    PLAIN(BARRIER, PTX_SET(CLUSTER, WAIT), PTX_SET(ACQUIRE, ALIGNED), ptx_cluster_barrier_step,
          PTX_CLUSTER_WAIT),
    LOWERED(SETMAXNREG, TYPED(PTX_U32), 0, PTX_SET(INC, SYNC, ALIGNED), NONE,
            lower_register_count),
    LOWERED(SETMAXNREG, TYPED(PTX_U32), 0, PTX_SET(DEC, SYNC, ALIGNED), NONE,
            lower_register_count),
    LOWERED(NANOSLEEP, TYPED(PTX_U32), 0, NONE, NONE, lower_nanosleep),
    LOWERED(PMEVENT, NO_TYPES, 0, NONE, PTX_SET(MASK), lower_nothing),
    LOWERED(GRIDDEPCONTROL, NO_TYPES, 0, PTX_SET(LAUNCH_DEPENDENTS), NONE, lower_nothing),
    LOWERED(GRIDDEPCONTROL, NO_TYPES, 0, PTX_SET(WAIT), NONE, lower_nothing)
};

const struct ptx_forms ptx_control_forms = { rows, sizeof rows / sizeof *rows };
