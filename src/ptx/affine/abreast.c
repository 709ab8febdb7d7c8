/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine/abreast.h"

#include <string.h>

#include "base/alloc.h"
#include "ptx/text/special_registers.h"

/* ---- Whether they may ---------------------------------------------------------------------- */

/* Instructions whose lanes have no part in each other but by memory, and that ask for nothing but
 * the place of the thread. */
static bool is_lanewise(enum ptx_opcode opcode)
{
    switch (opcode) {
    case PTX_OP_ABS: case PTX_OP_ADD: case PTX_OP_ADDC: case PTX_OP_AND: case PTX_OP_BAR:
    case PTX_OP_BARRIER: case PTX_OP_BFE:
    case PTX_OP_BFI: case PTX_OP_BFIND: case PTX_OP_BMSK: case PTX_OP_BRA: case PTX_OP_BREV:
    case PTX_OP_CLZ: case PTX_OP_CNOT: case PTX_OP_COPYSIGN: case PTX_OP_COS: case PTX_OP_CVT:
    case PTX_OP_CVTA: case PTX_OP_DIV: case PTX_OP_DP2A: case PTX_OP_DP4A: case PTX_OP_EX2:
    case PTX_OP_EXIT: case PTX_OP_FMA: case PTX_OP_LD: case PTX_OP_LG2: case PTX_OP_LOP3:
    case PTX_OP_MAD: case PTX_OP_MAD24: case PTX_OP_MADC: case PTX_OP_MAX: case PTX_OP_MIN:
    case PTX_OP_MOV: case PTX_OP_MUL: case PTX_OP_MUL24: case PTX_OP_NEG: case PTX_OP_NOT:
    case PTX_OP_OR: case PTX_OP_POPC: case PTX_OP_PRMT: case PTX_OP_RCP: case PTX_OP_REM:
    case PTX_OP_RET: case PTX_OP_RSQRT: case PTX_OP_SAD: case PTX_OP_SELP: case PTX_OP_SET:
    case PTX_OP_SETP: case PTX_OP_SHF: case PTX_OP_SHL: case PTX_OP_SHR: case PTX_OP_SIN:
    case PTX_OP_SLCT: case PTX_OP_SQRT: case PTX_OP_ST: case PTX_OP_SUB: case PTX_OP_SUBC:
    case PTX_OP_SZEXT: case PTX_OP_TANH: case PTX_OP_TESTP: case PTX_OP_TRAP: case PTX_OP_XOR:
        return true;
    default: return false;
    }
}

static bool is_shared(const struct ptx_instruction *instruction)
{
    return instruction->space_count == 1 && instruction->spaces[0] == PTX_SHARED &&
           (instruction->opcode == PTX_OP_LD || instruction->opcode == PTX_OP_ST);
}

static bool is_barrier(const struct ptx_instruction *instruction)
{
    return instruction->opcode == PTX_OP_BAR || instruction->opcode == PTX_OP_BARRIER;
}

/* Returns true for the barrier of all threads of a block.  For blocks abreast it is one barrier of
 * all their threads.  So blocks wait there that alone would not, which is no harm as long as the
 * others get there, or end, by themselves: that is what may_meet() is about. */
static bool is_for_all(const struct ptx_instruction *instruction)
{
    static const enum ptx_modifier others[] = {
        PTX_MOD_ARRIVE, PTX_MOD_RED, PTX_MOD_WARP, PTX_MOD_CLUSTER,
    };
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        if (ptx_has(&instruction->modifiers, others[i])) return false;
    return instruction->operand_count == 1 &&
           instruction->operands[0].kind == PTX_OPERAND_INTEGER;
}

/* Returns true for a load or store that only its own thread sees happen, or one of its block. */
static bool is_quiet(const struct ptx_instruction *instruction)
{
    static const enum ptx_modifier others[] = {
        PTX_MOD_VOLATILE, PTX_MOD_RELAXED, PTX_MOD_ACQUIRE, PTX_MOD_RELEASE, PTX_MOD_MMIO,
        PTX_MOD_CV, PTX_MOD_SHARED_CTA, PTX_MOD_SHARED_CLUSTER,
    };
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        if (ptx_has(&instruction->modifiers, others[i])) return false;
    for (uint32_t i = 0; i < instruction->space_count; i++)
        if (instruction->spaces[i] == PTX_SHARED && !is_shared(instruction)) return false;
    return !is_barrier(instruction) || is_for_all(instruction);
}

static bool is_place(uint8_t special)
{
    return special == PTX_SR_TID || special == PTX_SR_NTID || special == PTX_SR_CTAID ||
           special == PTX_SR_NCTAID;
}

static bool are_quiet_operands(const struct ptx_operand *operands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *operand = &operands[i];
        if (operand->kind == PTX_OPERAND_SPECIAL && !is_place(operand->special.id)) return false;
        if (operand->kind == PTX_OPERAND_FUNCTION) return false;
        if (operand->list_count && !are_quiet_operands(operand->list, operand->list_count))
            return false;
    }
    return true;
}

static bool is_quiet_kernel(const struct ptx_function *kernel)
{
    for (uint32_t i = 0; i < kernel->instruction_count; i++) {
        const struct ptx_instruction *at = &kernel->instructions[i];
        if (!is_lanewise(at->opcode) || !is_quiet(at) ||
            !are_quiet_operands(at->operands, at->operand_count))
            return false;
    }
    return true;
}

/* ---- Whether one could wait for another for ever ------------------------------------------ */

/* Returns true if all barriers have the same number.  If one block waited at barrier 0, and another
 * one at barrier 1, neither would ever be complete. */
static bool have_one_barrier(const struct ptx_function *kernel)
{
    const struct ptx_instruction *first = NULL;
    for (uint32_t i = 0; i < kernel->instruction_count; i++) {
        const struct ptx_instruction *at = &kernel->instructions[i];
        if (!is_barrier(at)) continue;
        if (!first) first = at;
        else if (at->operands[0].bits != first->operands[0].bits) return false;
    }
    return true;
}

static bool has_barrier(const struct ptx_function *kernel)
{
    for (uint32_t i = 0; i < kernel->instruction_count; i++)
        if (is_barrier(&kernel->instructions[i])) return true;
    return false;
}

/* Returns true for a branch back to a label, and in `from` where that is. */
static bool is_loop_end(const struct ptx_function *kernel, uint32_t index, uint32_t *from)
{
    const struct ptx_instruction *at = &kernel->instructions[index];
    if (at->opcode != PTX_OP_BRA || at->operands[0].kind != PTX_OPERAND_LABEL) return false;
    *from = kernel->labels[at->operands[0].index].at;
    return *from <= index;
}

static void mark_registers(const struct ptx_operand *operand, uint8_t *marks)
{
    if (operand->kind == PTX_OPERAND_REGISTER) marks[operand->index] = 1;
    for (uint32_t i = 0; i < operand->list_count; i++) mark_registers(&operand->list[i], marks);
}

static bool has_mark(const struct ptx_operand *operand, const uint8_t *marks)
{
    if (operand->kind == PTX_OPERAND_REGISTER && marks[operand->index]) return true;
    for (uint32_t i = 0; i < operand->list_count; i++)
        if (has_mark(&operand->list[i], marks)) return true;
    return false;
}

/* Returns true for a load of what a thread of another block may write. */
static bool is_of_others(const struct ptx_instruction *instruction)
{
    return instruction->opcode == PTX_OP_LD && !ptx_has(&instruction->modifiers, PTX_MOD_NC) &&
           (!instruction->space_count || instruction->spaces[0] == PTX_GLOBAL);
}

/* Returns true if all that a loop does is to look, again and again, at what another thread may
 * write: it loads from an address that stays the same, and nobody could see that it goes on. */
static bool is_polling(const struct ptx_function *kernel, uint32_t from, uint32_t to,
                       uint8_t *written)
{
    memset(written, 0, kernel->register_count);
    for (uint32_t i = from; i < to; i++) {
        const struct ptx_instruction *at = &kernel->instructions[i];
        if (at->opcode == PTX_OP_ST || is_barrier(at)) return false;
        if (at->operand_count) mark_registers(&at->operands[0], written);
    }
    for (uint32_t i = from; i < to; i++) {
        const struct ptx_instruction *at = &kernel->instructions[i];
        if (is_of_others(at) && !has_mark(&at->operands[1], written)) return true;
    }
    return false;
}

/* Returns true if no block can keep another one waiting for ever at the barrier of both.  `scratch`
 * is a byte for each register. */
static bool may_meet(const struct ptx_function *kernel, uint8_t *scratch)
{
    uint32_t from;
    if (!has_barrier(kernel)) return true;
    for (uint32_t i = 0; i < kernel->instruction_count; i++)
        if (is_loop_end(kernel, i, &from) && is_polling(kernel, from, i, scratch)) return false;
    return have_one_barrier(kernel);
}

/* ---- Whether they gain --------------------------------------------------------------------- */

/* What a register may depend on, and whether by more than sums and multiples. */
enum { BLOCK = 1, THREAD = 2, BENT = 4 };

/* Rounds through the text until nothing changes; more than loops need that compilers make. */
#define ROUNDS_MOST 8

struct sight {
    const struct ptx_function *kernel;
    uint8_t *depends;    /* by register */
    bool changed;
};

/* Returns what operands depend on. */
static uint8_t look_at(const struct sight *sight, const struct ptx_operand *operands,
                       uint32_t count)
{
    uint8_t all = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *operand = &operands[i];
        if (operand->kind == PTX_OPERAND_REGISTER) all |= sight->depends[operand->index];
        else if (operand->kind == PTX_OPERAND_SPECIAL && operand->special.id == PTX_SR_TID)
            all |= THREAD;
        else if (operand->kind == PTX_OPERAND_SPECIAL && operand->special.id == PTX_SR_CTAID &&
                 operand->special.component == 0)
            all |= BLOCK;
        all |= look_at(sight, operand->list, operand->list_count);
    }
    return all;
}

static void let_depend(struct sight *sight, const struct ptx_operand *operand, uint8_t on)
{
    if (operand->kind == PTX_OPERAND_REGISTER) {
        sight->changed |= (sight->depends[operand->index] | on) != sight->depends[operand->index];
        sight->depends[operand->index] |= on;
    }
    for (uint32_t i = 0; i < operand->list_count; i++) let_depend(sight, &operand->list[i], on);
}

static bool is_product(enum ptx_opcode opcode)
{
    return opcode == PTX_OP_MAD || opcode == PTX_OP_MUL || opcode == PTX_OP_SHL;
}

/* Returns true for what keeps affine what is affine. */
static bool is_affine(enum ptx_opcode opcode)
{
    switch (opcode) {
    case PTX_OP_ADD: case PTX_OP_CVT: case PTX_OP_CVTA: case PTX_OP_MAD: case PTX_OP_MOV:
    case PTX_OP_MUL: case PTX_OP_SHL: case PTX_OP_SUB: return true;
    default: return false;
    }
}

/* Returns true if what comes of sources that depend on something is not affine, even if they are:
 * of a product, where one factor alone may. */
static bool is_bent(const struct sight *sight, const struct ptx_instruction *at)
{
    return !is_affine(at->opcode) ||
           (is_product(at->opcode) && at->operand_count > 2 &&
            look_at(sight, &at->operands[1], 1) && look_at(sight, &at->operands[2], 1));
}

/* Follows an instruction.  Returns false if it makes of the block's place what is the same for all
 * of its threads, and no longer affine in the place of the block: a quotient, a comparison, a
 * number that is loaded from there. */
static bool follow(struct sight *sight, const struct ptx_instruction *at)
{
    if (at->operand_count < 2 || at->opcode == PTX_OP_ST) return true;
    uint8_t on = look_at(sight, at->operands + 1, at->operand_count - 1);
    if (at->guard != PTX_NONE) on |= sight->depends[at->guard];
    if (is_shared(at)) on = BLOCK | THREAD | BENT;
    else if (on && is_bent(sight, at)) on |= BENT;
    let_depend(sight, &at->operands[0], on);
    return (on & (BLOCK | THREAD)) != BLOCK || is_affine(at->opcode);
}

/* Returns true if an instruction is inside of a loop. */
static bool is_in_loop(const struct ptx_function *kernel, uint32_t index)
{
    uint32_t from;
    for (uint32_t i = index; i < kernel->instruction_count; i++)
        if (is_loop_end(kernel, i, &from) && from <= index) return true;
    return false;
}

/* Returns true if an access of blocks abreast to shared memory takes rows of lanes, or does not
 * come often. */
static bool is_in_rows(const struct sight *sight, uint32_t index)
{
    const struct ptx_instruction *at = &sight->kernel->instructions[index];
    const uint8_t on = look_at(sight, &at->operands[at->opcode == PTX_OP_LD], 1);
    return !(on & BENT) && (on & THREAD || !is_in_loop(sight->kernel, index));
}

static bool are_in_rows(const struct sight *sight)
{
    for (uint32_t i = 0; i < sight->kernel->instruction_count; i++)
        if (is_shared(&sight->kernel->instructions[i]) && !is_in_rows(sight, i)) return false;
    return true;
}

/* What depends on the block when it is first looked at may depend on the thread as well later on:
 * so all is followed before anything is judged. */
static bool stays_together(struct sight *sight)
{
    bool together = true;
    unsigned rounds = 0;
    do {
        together = true;
        sight->changed = false;
        for (uint32_t i = 0; i < sight->kernel->instruction_count; i++)
            together &= follow(sight, &sight->kernel->instructions[i]);
    } while (sight->changed && ++rounds < ROUNDS_MOST);
    return together && !sight->changed;
}

static bool has_meetings(const struct ptx_function *kernel)
{
    for (uint32_t i = 0; i < kernel->instruction_count; i++)
        if (is_shared(&kernel->instructions[i]) || is_barrier(&kernel->instructions[i]))
            return true;
    return false;
}

bool ptx_may_run_abreast(const struct ptx_function *kernel, bool *meets)
{
    *meets = has_meetings(kernel);
    if (!is_quiet_kernel(kernel)) return false;
    uint8_t *marks = rl_zalloc((size_t)kernel->register_count + 1);
    if (!marks) return false;
    bool gains = false;
    if (may_meet(kernel, marks)) {
        struct sight sight = { .kernel = kernel, .depends = marks };
        memset(marks, 0, kernel->register_count);
        gains = stays_together(&sight) && are_in_rows(&sight);
    }
    rl_free(marks);
    return gains;
}
