/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes products into sums, so that both have one rounding, where the compiler of the driver does.
 * Its rules, which were found by looking at what ptxas of CUDA 13 makes of some eighty texts and
 * were held to an H200 by kernels that people wrote:
 *
 * - The two are in the same block of the text, of the same type and with .ftz both or none; the
 *   product has no guard and no .sat.
 * - All that reads a product has to be a sum that takes it in; else it is computed for the others,
 *   and so for all.
 * - A sum of two products takes in one of them: that which nothing else reads, or else the first.
 * - Text for debugging is left as it is.
 *
 * Not followed: products that go through a mov or neg, whose factors are overwritten before the
 * sum, or that stand behind a branch to the next instruction.
 */
#include "ptx/lower/contract.h"

#include <string.h>

#define FIRST_TARGET 20 /* before sm_20 a mad of floats had a rounding of its own */

const struct ptx_instruction ptx_contracted_away = { .guard = PTX_NONE };

/* An instruction: a product that may be taken in, or a sum that may take one in. */
struct product {
    uint32_t uses;       /* sums of its block that read it                              */
    uint32_t seen;       /* where its register is named from itself on, in its block    */
    uint32_t first_use;  /* such a sum, twice its number, plus 1 if it is the second operand */
    uint32_t last_use;
    uint32_t sources[2]; /* how often its sources were written before                   */
    bool lost;           /* something else reads it, too, or may                         */
};

struct contraction {
    const struct ptx_function *function;
    struct product *products;  /* by instruction                                         */
    uint32_t *offers;          /* by use: the product, or PTX_NONE                       */
    uint32_t *next_use;        /* the next use of the same product, or PTX_NONE          */
    uint32_t *named;           /* by register: how often, in the whole function          */
    uint32_t *written;         /* how often so far                                       */
    uint32_t *holds;           /* the product of this block that is in it, or PTX_NONE   */
    uint32_t *open;            /* registers with one                                     */
    uint32_t open_count;
    uint8_t *starts;           /* by instruction: a block begins                         */
    bool *takes;               /* by instruction: this sum takes a product in            */
};

/* ---- What may be one ----------------------------------------------------------------------- */

static bool is_contracted_type(enum ptx_type type)
{
    return type == PTX_F32 || type == PTX_F64 || type == PTX_F16 || type == PTX_F16X2 ||
           type == PTX_BF16 || type == PTX_BF16X2;
}

/* Returns true if nothing but these two words is said. */
static bool says_only(const struct ptx_instruction *at, enum ptx_modifier one,
                      enum ptx_modifier other)
{
    struct ptx_modifiers said = at->modifiers, known = { { 0 } };
    if (ptx_has(&said, one)) ptx_add(&known, one);
    if (ptx_has(&said, other)) ptx_add(&known, other);
    return !memcmp(&said, &known, sizeof said);
}

/* Returns true for a register of the type, or of as many bits. */
static bool is_register_of(const struct ptx_function *function, const struct ptx_operand *operand,
                           enum ptx_type type)
{
    if (operand->kind != PTX_OPERAND_REGISTER || operand->negated || operand->offset) return false;
    enum ptx_type is = function->registers[operand->index].type;
    return is == type ||
           (is >= PTX_B8 && is <= PTX_B128 && ptx_type_bytes(is) == ptx_type_bytes(type));
}

/* Returns true for d, a, b of one of the types, where what is wrong would be found elsewhere. */
static bool is_plain(const struct ptx_function *function, const struct ptx_instruction *at)
{
    if (at->type_count != 1 || !is_contracted_type(at->types[0]) || at->unknown ||
        at->operand_count != 3 || at->space_count)
        return false;
    for (unsigned i = 0; i < 3; i++)
        if (!is_register_of(function, &at->operands[i], at->types[0]) &&
            (i == 0 || at->operands[i].kind != PTX_OPERAND_FLOAT))
            return false;
    return true;
}

static bool is_product(const struct ptx_function *function, const struct ptx_instruction *at)
{
    return at->opcode == PTX_OP_MUL && at->guard == PTX_NONE &&
           says_only(at, PTX_MOD_FTZ, PTX_MOD_FTZ) && is_plain(function, at);
}

static bool is_sum(const struct ptx_function *function, const struct ptx_instruction *at)
{
    return (at->opcode == PTX_OP_ADD || at->opcode == PTX_OP_SUB) &&
           says_only(at, PTX_MOD_FTZ, PTX_MOD_SAT) && is_plain(function, at);
}

static bool go_together(const struct ptx_instruction *product, const struct ptx_instruction *sum)
{
    return product->types[0] == sum->types[0] &&
           ptx_has(&product->modifiers, PTX_MOD_FTZ) == ptx_has(&sum->modifiers, PTX_MOD_FTZ);
}

/* ---- Blocks of the text -------------------------------------------------------------------- */

static void start_at_label(struct contraction *all, uint32_t label)
{
    all->starts[all->function->labels[label].at] = 1;
}

static bool ends_block(enum ptx_opcode opcode)
{
    switch (opcode) {
    case PTX_OP_BRA: case PTX_OP_BRX: case PTX_OP_CALL: case PTX_OP_RET: case PTX_OP_EXIT:
    case PTX_OP_TRAP: return true;
    default: return false;
    }
}

static void find_blocks(struct contraction *all)
{
    const struct ptx_function *function = all->function;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *at = &function->instructions[i];
        if (ends_block(at->opcode)) all->starts[i + 1] = 1;
        for (uint32_t n = 0; n < at->operand_count; n++)
            if (at->operands[n].kind == PTX_OPERAND_LABEL)
                start_at_label(all, at->operands[n].index);
    }
    for (uint32_t t = 0; t < function->table_count; t++)
        for (uint32_t i = 0; i < function->tables[t].count && function->tables[t].labels; i++)
            start_at_label(all, function->tables[t].items[i]);
}

/* ---- Who reads what ------------------------------------------------------------------------ */

static void count_names(struct contraction *all, const struct ptx_operand *operands,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (operands[i].kind == PTX_OPERAND_REGISTER) all->named[operands[i].index]++;
        count_names(all, operands[i].list, operands[i].list_count);
    }
}

static void count_all_names(struct contraction *all)
{
    for (uint32_t i = 0; i < all->function->instruction_count; i++) {
        const struct ptx_instruction *at = &all->function->instructions[i];
        count_names(all, at->operands, at->operand_count);
        if (at->guard != PTX_NONE) all->named[at->guard]++;
    }
    for (uint32_t i = 0; i < all->function->variable_count; i++) {
        const struct ptx_variable *variable = &all->function->variables[i];
        if (variable->space == PTX_REG && variable->reg < all->function->register_count)
            all->named[variable->reg]++; /* a result, which is read behind the function */
    }
}

/* A register is named by something that takes no product in. */
static void lose(struct contraction *all, uint32_t reg)
{
    if (all->holds[reg] == PTX_NONE) return;
    all->products[all->holds[reg]].lost = true;
}

static void lose_all(struct contraction *all, const struct ptx_operand *operands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (operands[i].kind == PTX_OPERAND_REGISTER) lose(all, operands[i].index);
        lose_all(all, operands[i].list, operands[i].list_count);
    }
}

static bool is_unchanged(const struct contraction *all, uint32_t product)
{
    const struct ptx_operand *operands = all->function->instructions[product].operands;
    for (unsigned i = 0; i < 2; i++)
        if (operands[i + 1].kind == PTX_OPERAND_REGISTER &&
            all->written[operands[i + 1].index] != all->products[product].sources[i])
            return false;
    return true;
}

/* Notes that a sum reads the product in a register, if it can take it in. */
static void use(struct contraction *all, uint32_t sum, unsigned side)
{
    const struct ptx_instruction *at = &all->function->instructions[sum];
    const struct ptx_operand *operand = &at->operands[side + 1], *other = &at->operands[2 - side];
    if (operand->kind != PTX_OPERAND_REGISTER) return;
    const uint32_t held = all->holds[operand->index], number = 2 * sum + side;
    if (held == PTX_NONE) return;
    struct product *product = &all->products[held];
    bool twice = other->kind == PTX_OPERAND_REGISTER && other->index == operand->index;
    if (twice || !go_together(&all->function->instructions[held], at) || !is_unchanged(all, held)) {
        product->lost = true;
        return;
    }
    if (product->uses++) all->next_use[product->last_use] = number;
    else product->first_use = number;
    product->last_use = number;
    all->offers[number] = held;
    product->seen++;
}

/* What was in a register is gone, and nobody else has read it. */
static void write_register(struct contraction *all, uint32_t reg)
{
    all->written[reg]++;
    all->holds[reg] = PTX_NONE;
}

static void write_all(struct contraction *all, const struct ptx_operand *operand)
{
    if (operand->kind == PTX_OPERAND_REGISTER) write_register(all, operand->index);
    for (uint32_t i = 0; i < operand->list_count; i++) write_all(all, &operand->list[i]);
}

/* A product that is still in its register must not be named anywhere else. */
static void end_block(struct contraction *all)
{
    while (all->open_count) {
        uint32_t reg = all->open[--all->open_count], held = all->holds[reg];
        if (held == PTX_NONE) continue;
        if (all->products[held].seen != all->named[reg]) all->products[held].lost = true;
        all->holds[reg] = PTX_NONE;
    }
}

static void begin_product(struct contraction *all, uint32_t at)
{
    const struct ptx_operand *operands = all->function->instructions[at].operands;
    struct product *product = &all->products[at];
    for (unsigned i = 0; i < 2; i++)
        if (operands[i + 1].kind == PTX_OPERAND_REGISTER)
            product->sources[i] = all->written[operands[i + 1].index];
    product->seen = 1;
    all->holds[operands[0].index] = at;
    all->open[all->open_count++] = operands[0].index;
}

/* Returns true for what writes its first operand and does not read it.  Of all others it is not
 * looked into. */
static bool only_writes(enum ptx_opcode opcode)
{
    switch (opcode) {
    case PTX_OP_ADD: case PTX_OP_SUB: case PTX_OP_MUL: case PTX_OP_FMA: case PTX_OP_MOV:
    case PTX_OP_LD: case PTX_OP_CVT: return true;
    default: return false;
    }
}

/* Follows an instruction: first what it reads, then what it writes. */
static void follow(struct contraction *all, uint32_t i)
{
    const struct ptx_instruction *at = &all->function->instructions[i];
    if (at->guard != PTX_NONE) lose(all, at->guard);
    if (!at->operand_count) return;
    if (is_sum(all->function, at)) {
        use(all, i, 0);
        use(all, i, 1);
    } else {
        lose_all(all, at->operands + 1, at->operand_count - 1);
    }
    if (at->guard != PTX_NONE || !only_writes(at->opcode)) lose_all(all, at->operands, 1);
    write_all(all, &at->operands[0]);
    if (is_product(all->function, at)) begin_product(all, i);
}

/* ---- Who takes what in --------------------------------------------------------------------- */

/* Products that one sum reads: a sum takes in the first such operand. */
static void take_single(struct contraction *all)
{
    for (uint32_t number = 0; number < 2 * all->function->instruction_count; number++) {
        uint32_t *offer = &all->offers[number];
        if (*offer == PTX_NONE) continue;
        const struct product *product = &all->products[*offer];
        if (product->lost || (product->uses == 1 && all->takes[number / 2])) *offer = PTX_NONE;
        else if (product->uses == 1) all->takes[number / 2] = true;
    }
}

/* The others: all sums that read it take it in, if none of them has taken one. */
static void take_shared(struct contraction *all, const struct product *product)
{
    bool all_free = true;
    for (uint32_t use = product->first_use; use != PTX_NONE; use = all->next_use[use])
        all_free &= !all->takes[use / 2];
    for (uint32_t use = product->first_use; use != PTX_NONE; use = all->next_use[use]) {
        if (all_free) all->takes[use / 2] = true;
        else all->offers[use] = PTX_NONE;
    }
}

/* ---- Instructions -------------------------------------------------------------------------- */

/* Makes the fma of a sum that takes in the product which its operand `side` names. */
static struct ptx_instruction *contract(struct ptx_lowering *lowering,
                                        const struct ptx_instruction *product,
                                        const struct ptx_instruction *sum, unsigned side)
{
    struct ptx_instruction *fma = ptx_arena_get(lowering->scratch, sizeof *fma);
    struct ptx_operand *operands = ptx_arena_get(lowering->scratch, 4 * sizeof *operands);
    if (!fma || !operands) return NULL;
    *fma = *sum;
    fma->opcode = PTX_OP_FMA;
    ptx_add(&fma->modifiers, PTX_MOD_RN);
    fma->operands = operands;
    fma->operand_count = 4;
    operands[0] = sum->operands[0];
    operands[1] = product->operands[1];
    operands[2] = product->operands[2];
    operands[3] = sum->operands[2 - side];
    if (sum->opcode == PTX_OP_SUB) operands[side ? 1 : 3].negated = true;
    return fma;
}

static rill_status put_instead(struct ptx_lowering *lowering, const struct contraction *all)
{
    const struct ptx_function *function = all->function;
    for (uint32_t number = 0; number < 2 * function->instruction_count; number++) {
        const uint32_t offer = all->offers[number], sum = number / 2;
        if (offer == PTX_NONE) continue;
        lowering->instead[offer] = &ptx_contracted_away;
        lowering->instead[sum] = contract(lowering, &function->instructions[offer],
                                          &function->instructions[sum], number % 2);
        if (!lowering->instead[sum]) return ptx_lower_no_memory(lowering);
    }
    return RILL_SUCCESS;
}

static bool open_contraction(struct contraction *all, struct ptx_arena *scratch)
{
    const size_t count = (size_t)all->function->instruction_count + 1,
                 registers = (size_t)all->function->register_count + 1;
    all->products = ptx_arena_get(scratch, count * sizeof *all->products);
    all->offers = ptx_arena_get(scratch, 2 * count * sizeof *all->offers);
    all->next_use = ptx_arena_get(scratch, 2 * count * sizeof *all->next_use);
    all->open = ptx_arena_get(scratch, count * sizeof *all->open);
    all->starts = ptx_arena_get(scratch, count);
    all->takes = ptx_arena_get(scratch, count * sizeof *all->takes);
    all->named = ptx_arena_get(scratch, registers * sizeof *all->named);
    all->written = ptx_arena_get(scratch, registers * sizeof *all->written);
    all->holds = ptx_arena_get(scratch, registers * sizeof *all->holds);
    if (!all->products || !all->offers || !all->next_use || !all->open || !all->starts ||
        !all->takes || !all->named || !all->written || !all->holds)
        return false;
    memset(all->offers, 0xff, 2 * count * sizeof *all->offers);
    memset(all->next_use, 0xff, 2 * count * sizeof *all->next_use);
    memset(all->holds, 0xff, registers * sizeof *all->holds);
    return true;
}

static bool has_product(const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (is_product(function, &function->instructions[i])) return true;
    return false;
}

rill_status ptx_lower_contract(struct ptx_lowering *lowering)
{
    const struct ptx_function *function = lowering->function;
    struct contraction all = { .function = function };
    const struct ptx_module *module = lowering->module;
    if (module->debug || module->target < FIRST_TARGET || !has_product(function))
        return RILL_SUCCESS;
    lowering->instead = ptx_arena_get(lowering->scratch, ((size_t)function->instruction_count + 1) *
                                                         sizeof *lowering->instead);
    if (!lowering->instead || !open_contraction(&all, lowering->scratch))
        return ptx_lower_no_memory(lowering);
    find_blocks(&all);
    count_all_names(&all);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        if (all.starts[i]) end_block(&all);
        follow(&all, i);
    }
    end_block(&all);
    take_single(&all);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (!all.products[i].lost && all.products[i].uses > 1) take_shared(&all, &all.products[i]);
    return put_instead(lowering, &all);
}
