/* SPDX-License-Identifier: Apache-2.0
 *
 * What memory instructions have in common: space, address, vectors.
 */
#include "ptx/lower/memory_operand.h"

#include <inttypes.h>

#include "ptx/lower/state.h"
#include "ptx/step/spaces.h"

enum ptx_space ptx_said_space(const struct ptx_instruction *instruction)
{
    const struct ptx_modifiers *dots = &instruction->modifiers;
    if (instruction->space_count > 0) return instruction->spaces[0];
    if (ptx_has(dots, PTX_MOD_SHARED_CTA) || ptx_has(dots, PTX_MOD_SHARED_CLUSTER))
        return PTX_SHARED;
    if (ptx_has(dots, PTX_MOD_PARAM_ENTRY) || ptx_has(dots, PTX_MOD_PARAM_FUNC))
        return PTX_PARAM;
    return PTX_GENERIC;
}

/* ---- Where it goes to --------------------------------------------------------------------- */

/* Finds the space.  A name stands for its own space, whether or not the instruction repeats
 * it. */
static rill_status find_space(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_operand *operand, const struct ptx_address *address,
                              enum ptx_space *space)
{
    enum ptx_space said = ptx_said_space(instruction);
    *space = said == PTX_GENERIC && address->variable ? address->space : said;
    if (!address->variable || address->space == *space || address->space == PTX_GENERIC)
        return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_INVALID_PTX,
                          "%s is in .%s, not in .%s", address->variable->name,
                          ptx_space_word(address->space), ptx_space_word(*space));
}

static rill_status find_where(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                              const struct ptx_address *address, enum ptx_space space,
                              enum ptx_where *where)
{
    switch (space) {
    case PTX_GLOBAL: *where = PTX_TO_GLOBAL; break;
    case PTX_CONST: *where = PTX_TO_CONST; break;
    case PTX_SHARED: *where = PTX_TO_SHARED; break;
    case PTX_GENERIC: *where = PTX_TO_ANY; break;
    case PTX_LOCAL: *where = PTX_TO_LOCAL; break;
    case PTX_PARAM:
        if (address->slot == PTX_NO_COLUMN && !ptx_lowered_function(lowering)->entry)
            return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_NOT_SUPPORTED,
                                  "parameters of a function can only be reached by their names");
        *where = address->slot == PTX_NO_COLUMN ? PTX_TO_PARAM : PTX_TO_SLOT;
        break;
    default:
        return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_INVALID_PTX,
                              "there is no access to .%s", ptx_space_word(space));
    }
    return RILL_SUCCESS;
}

/* Makes an address in .shared::cluster a generic one: generic accesses reach all blocks. */
static void reach_cluster(struct ptx_memory_operand *memory)
{
    memory->kind = PTX_TO_ANY;
    memory->address.offset = (int64_t)((uint64_t)memory->address.offset + PTX_SHARED_WINDOW);
}

static rill_status check_slot(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                              const struct ptx_memory_operand *memory)
{
    const struct ptx_address *address = &memory->address;
    if (address->base != PTX_NO_COLUMN) return RILL_SUCCESS;
    if (memory->bytes > address->slot_bytes ||
        (uint64_t)address->offset > address->slot_bytes - memory->bytes)
        return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_INVALID_PTX,
                              "%" PRIu32 " bytes at offset %" PRId64 " are not in the %" PRIu32
                              " bytes of this parameter", memory->bytes, address->offset,
                              address->slot_bytes);
    if (address->offset % memory->bytes != 0)
        return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_INVALID_PTX,
                              "%" PRIu32 " bytes at offset %" PRId64 " are not aligned",
                              memory->bytes, address->offset);
    return RILL_SUCCESS;
}

static rill_status find_width(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction, enum ptx_type type,
                              struct ptx_memory_operand *memory)
{
    const struct ptx_modifiers *dots = &instruction->modifiers;
    uint32_t bytes = ptx_type_bytes(type);
    bool two = ptx_has(dots, PTX_MOD_V2), four = ptx_has(dots, PTX_MOD_V4),
         eight = ptx_has(dots, PTX_MOD_V8);
    memory->width = two ? 2 : four ? 4 : eight ? 8 : 1;
    memory->bytes = bytes * memory->width;
    if (two + four + eight > 1 || memory->bytes > 32 || (memory->width > 1 && bytes == 16))
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "there are no such vectors of .%s", ptx_type_word(type));
    return RILL_SUCCESS;
}

rill_status ptx_lower_memory_operand(struct ptx_lowering *lowering,
                                     const struct ptx_instruction *instruction,
                                     const struct ptx_operand *operand, enum ptx_type type,
                                     struct ptx_memory_operand *memory)
{
    struct ptx_address *address = &memory->address;
    enum ptx_space space;
    enum ptx_where where = PTX_TO_ANY;
    rill_status status = find_width(lowering, instruction, type, memory);
    if (!status && operand->kind != PTX_OPERAND_ADDRESS)
        status = ptx_lower_fail(lowering, &operand->place, RILL_ERROR_INVALID_PTX,
                                "an address in brackets belongs here");
    if (!status) status = ptx_address_of(lowering, instruction, operand, address);
    if (!status) status = find_space(lowering, instruction, operand, address, &space);
    if (!status) status = find_where(lowering, operand, address, space, &where);
    if (!status && where == PTX_TO_SLOT) status = check_slot(lowering, operand, memory);
    memory->kind = where;
    if (where == PTX_TO_SHARED && ptx_has(&instruction->modifiers, PTX_MOD_SHARED_CLUSTER))
        reach_cluster(memory);
    return status;
}

void ptx_set_memory_operand(const struct ptx_memory_operand *memory, struct ptx_step *step)
{
    step->a = memory->address.base;
    step->immediate = memory->address.offset;
    step->width = (uint8_t)memory->width;
    step->kind = (uint8_t)memory->kind;
    if ((memory->kind & PTX_WHERE) == PTX_TO_SLOT) {
        step->e = memory->address.slot;
        step->target = memory->address.slot_bytes;
    }
}

rill_status ptx_check_policy(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction, uint32_t operands)
{
    bool has = ptx_has(&instruction->modifiers, PTX_MOD_L2__CACHE_HINT);
    uint32_t column;
    if (instruction->operand_count != operands + has)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "%u operands belong here, not %u", operands + has,
                              instruction->operand_count);
    if (!has) return RILL_SUCCESS;
    return ptx_source(lowering, instruction, &instruction->operands[operands], PTX_B64, false,
                      &column);
}

/* ---- Vectors ------------------------------------------------------------------------------ */

const struct ptx_operand *ptx_without_braces(const struct ptx_operand *operand)
{
    const bool alone = operand->kind == PTX_OPERAND_VECTOR && operand->list_count == 1 &&
                       operand->list[0].kind != PTX_OPERAND_SINK;
    return alone ? operand->list : operand;
}

rill_status ptx_elements(struct ptx_lowering *lowering,
                         const struct ptx_instruction *instruction,
                         const struct ptx_operand *operand, uint32_t width,
                         const struct ptx_operand **elements)
{
    (void)instruction;
    *elements = operand;
    if (operand->kind != PTX_OPERAND_VECTOR && width == 1) return RILL_SUCCESS;
    *elements = operand->list;
    if (operand->kind == PTX_OPERAND_VECTOR && operand->list_count == width && width > 1)
        return RILL_SUCCESS;
    if (width == 1)
        return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_INVALID_PTX,
                              "one value belongs here");
    return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_INVALID_PTX,
                          "a vector of %u elements belongs here", width);
}

/* Finds the bytes of a vector's registers, which are all of one size. */
static rill_status find_bytes(struct ptx_lowering *lowering, const struct ptx_operand *elements,
                              uint32_t width, enum ptx_type type, uint32_t *bytes)
{
    *bytes = 0;
    for (uint32_t n = 0; n < width; n++) {
        uint32_t own = elements[n].kind == PTX_OPERAND_REGISTER
                           ? ptx_operand_bytes(lowering, &elements[n]) : 0;
        if (own == 0) continue;
        if (*bytes != 0 && *bytes != own)
            return ptx_lower_fail(lowering, &elements[n].place, RILL_ERROR_NOT_SUPPORTED,
                                  "the registers of a vector are not of one size");
        *bytes = own;
    }
    if (*bytes == 0) *bytes = ptx_type_bytes(type);
    return RILL_SUCCESS;
}

/* Returns the type as which a number among wider registers is read. */
static enum ptx_type as_wide(uint32_t bytes, enum ptx_type type)
{
    if (bytes == ptx_type_bytes(type)) return type;
    return bytes == 2 ? PTX_B16 : bytes == 4 ? PTX_B32 : PTX_B64;
}

rill_status ptx_element_sources(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_operand *elements, uint32_t width,
                                enum ptx_type type, uint32_t columns[8], uint32_t *bytes)
{
    rill_status status = find_bytes(lowering, elements, width, type, bytes);
    for (uint32_t n = 0; n < width && !status; n++) {
        bool is_register = elements[n].kind == PTX_OPERAND_REGISTER;
        status = ptx_source(lowering, instruction, &elements[n],
                            is_register ? type : as_wide(*bytes, type), is_register,
                            &columns[n]);
    }
    return status;
}

rill_status ptx_element_destinations(struct ptx_lowering *lowering,
                                     const struct ptx_instruction *instruction,
                                     const struct ptx_operand *elements, uint32_t width,
                                     enum ptx_type type, uint32_t columns[8], uint32_t *bytes)
{
    rill_status status = find_bytes(lowering, elements, width, type, bytes);
    for (uint32_t n = 0; n < width && !status; n++)
        status = elements[n].kind == PTX_OPERAND_SINK
                     ? ptx_new_column(lowering, *bytes, &columns[n])
                     : ptx_destination(lowering, instruction, &elements[n], type, true,
                                       &columns[n]);
    return status;
}

/* ---- Generic addresses -------------------------------------------------------------------- */

/* Finds a column with the sum of a column, or nothing, and a number. */
static rill_status add_offset(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction, uint32_t base,
                              int64_t offset, uint32_t *column)
{
    struct ptx_step *step;
    *column = base;
    if (base == PTX_NO_COLUMN) return ptx_lower_number(lowering, (uint64_t)offset, 8, column);
    if (!offset) return RILL_SUCCESS;
    rill_status status = ptx_new_column(lowering, 8, column);
    if (!status) status = ptx_emit(lowering, instruction, ptx_cvta_step, &step);
    if (status) return status;
    step->d = *column;
    step->a = base;
    step->immediate = offset;
    ptx_follow(lowering, step, ptx_affine_plus_64);
    return RILL_SUCCESS;
}

static uint64_t window_of(enum ptx_where where)
{
    return where == PTX_TO_SHARED  ? PTX_SHARED_WINDOW
           : where == PTX_TO_PARAM ? PTX_PARAM_WINDOW : 0;
}

rill_status ptx_lower_generic(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_operand *operand, enum ptx_space space,
                              uint32_t *column)
{
    struct ptx_memory_operand memory;
    struct ptx_instruction side = *instruction;
    side.modifiers = (struct ptx_modifiers){ { 0 } };
    side.spaces[0] = space;
    side.space_count = space != PTX_GENERIC;
    rill_status status = ptx_lower_memory_operand(lowering, &side, operand, PTX_B8, &memory);
    if (status) return status;
    uint64_t offset = (uint64_t)memory.address.offset + window_of((enum ptx_where)memory.kind);
    return add_offset(lowering, instruction, memory.address.base, (int64_t)offset, column);
}
