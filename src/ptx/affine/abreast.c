/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine/abreast.h"

#include <string.h>

#include "base/alloc.h"
#include "ptx/text/special_registers.h"

/* ---- Whether they may ---------------------------------------------------------------------- */

/* Instructions whose lanes have no part in each other, and that ask for nothing but the place of
 * the thread. */
static bool is_lanewise(enum ptx_opcode opcode)
{
    switch (opcode) {
    case PTX_OP_ABS: case PTX_OP_ADD: case PTX_OP_ADDC: case PTX_OP_AND: case PTX_OP_BFE:
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

/* Returns true for a load or store that only its own thread sees happen, outside of shared
 * memory. */
static bool is_quiet(const struct ptx_instruction *instruction)
{
    static const enum ptx_modifier others[] = {
        PTX_MOD_VOLATILE, PTX_MOD_RELAXED, PTX_MOD_ACQUIRE, PTX_MOD_RELEASE, PTX_MOD_MMIO,
        PTX_MOD_SHARED_CTA, PTX_MOD_SHARED_CLUSTER,
    };
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        if (ptx_has(&instruction->modifiers, others[i])) return false;
    for (uint32_t i = 0; i < instruction->space_count; i++)
        if (instruction->spaces[i] == PTX_SHARED) return false;
    return true;
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

/* ---- Whether they gain --------------------------------------------------------------------- */

/* What a register may depend on. */
enum { BLOCK = 1, THREAD = 2 };

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

/* Returns true for what keeps affine what is affine. */
static bool is_affine(enum ptx_opcode opcode)
{
    switch (opcode) {
    case PTX_OP_ADD: case PTX_OP_CVT: case PTX_OP_CVTA: case PTX_OP_MAD: case PTX_OP_MOV:
    case PTX_OP_MUL: case PTX_OP_SHL: case PTX_OP_SUB: return true;
    default: return false;
    }
}

/* Follows an instruction.  Returns false if it makes of the block's place what is the same for all
 * of its threads, and no longer affine in the place of the block: a quotient, a comparison, a
 * number that is loaded from there. */
static bool follow(struct sight *sight, const struct ptx_instruction *at)
{
    if (at->operand_count < 2 || at->opcode == PTX_OP_ST) return true;
    uint8_t on = look_at(sight, at->operands + 1, at->operand_count - 1);
    if (at->guard != PTX_NONE) on |= sight->depends[at->guard];
    let_depend(sight, &at->operands[0], on);
    return on != BLOCK || is_affine(at->opcode);
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

bool ptx_may_run_abreast(const struct ptx_function *kernel)
{
    struct sight sight = { .kernel = kernel };
    if (!is_quiet_kernel(kernel)) return false;
    sight.depends = rl_zalloc((size_t)kernel->register_count + 1);
    const bool together = sight.depends && stays_together(&sight);
    rl_free(sight.depends);
    return together;
}
