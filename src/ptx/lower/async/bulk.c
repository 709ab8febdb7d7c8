/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async.bulk and cp.reduce.async.bulk, with and without tensor maps, and tensormap.  All
 * addresses become generic ones, so that the steps need not know the spaces.
 */
#include "ptx/async/reduce.h"
#include "ptx/async/tensor.h"
#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/lower/state.h"

#define INVALID RILL_ERROR_INVALID_PTX
#define LACKING RILL_ERROR_NOT_SUPPORTED

/* ---- What goes where ---------------------------------------------------------------------- */

enum { TENSOR_COLUMNS = BULK_COLUMNS + PTX_TENSOR_DIMENSIONS + PTX_TENSOR_SPACES };

/* The operands of an instruction, as they are used up. */
struct operands {
    const struct ptx_operand *next;
    uint32_t left;
    uint32_t columns[TENSOR_COLUMNS];
};

static bool is_said(const struct ptx_instruction *instruction, enum ptx_modifier modifier)
{
    return ptx_has(&instruction->modifiers, modifier);
}

static struct operands begin_operands(const struct ptx_instruction *instruction)
{
    struct operands operands = { instruction->operands, instruction->operand_count, { 0 } };
    for (uint32_t i = 0; i < TENSOR_COLUMNS; i++)
        operands.columns[i] = PTX_NO_COLUMN;
    return operands;
}

/* Returns the next operand, or NULL if there is none. */
static const struct ptx_operand *take_operand(struct ptx_lowering *lowering,
                                              const struct ptx_instruction *instruction,
                                              struct operands *operands, rill_status *status)
{
    if (*status) return NULL;
    if (operands->left) {
        operands->left--;
        return operands->next++;
    }
    *status = ptx_lower_fail(lowering, &instruction->place, INVALID, "an operand is missing");
    return NULL;
}

static void take_place(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                       struct operands *operands, enum ptx_space space, uint32_t which,
                       rill_status *status)
{
    const struct ptx_operand *operand = take_operand(lowering, instruction, operands, status);
    if (operand)
        *status = ptx_lower_generic(lowering, instruction, operand, space,
                                    &operands->columns[which]);
}

static void take_value(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                       struct operands *operands, enum ptx_type type, uint32_t which,
                       rill_status *status)
{
    const struct ptx_operand *operand = take_operand(lowering, instruction, operands, status);
    if (operand)
        *status = ptx_source(lowering, instruction, operand, type, false,
                             &operands->columns[which]);
}

/* Takes what follows the places: a mask of blocks, a cache policy; and nothing else. */
static void take_rest(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                      struct operands *operands, rill_status *status)
{
    uint32_t column;
    if (is_said(instruction, PTX_MOD_MULTICAST))
        take_value(lowering, instruction, operands, PTX_U16, BULK_BLOCKS, status);
    const struct ptx_operand *policy = NULL;
    if (is_said(instruction, PTX_MOD_L2__CACHE_HINT))
        policy = take_operand(lowering, instruction, operands, status);
    if (policy) *status = ptx_source(lowering, instruction, policy, PTX_B64, false, &column);
    if (!*status && operands->left)
        *status = ptx_lower_fail(lowering, &operands->next->place, INVALID,
                                 "there are more operands than belong here");
}

/* Checks that the instruction names these two spaces, the destination's first. */
static rill_status check_spaces(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction, enum ptx_space to,
                                enum ptx_space from)
{
    if (instruction->space_count == 2 && instruction->spaces[0] == to &&
        instruction->spaces[1] == from)
        return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &instruction->place, INVALID,
                          "this does not go from .%s to .%s", ptx_space_word(from),
                          ptx_space_word(to));
}

static rill_status emit_bulk(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction, ptx_run *run,
                             const struct operands *operands, struct ptx_step **step)
{
    uint32_t more;
    rill_status status = ptx_remember(lowering, operands->columns, TENSOR_COLUMNS, &more);
    if (!status) status = ptx_emit(lowering, instruction, run, step);
    if (!status) (*step)->more = more;
    return status;
}

/* ---- Without tensor maps ------------------------------------------------------------------ */

/* Lowers [to], [from], bytes, [barrier], and what follows; `kind` is a reduction. */
static rill_status lower_bulk(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form)
{
    const bool counted = is_said(instruction, PTX_MOD_MBARRIER_COMPLETE);
    const enum ptx_space to = counted ? PTX_SHARED : PTX_GLOBAL;
    const enum ptx_space from = instruction->space_count == 2 && counted ? instruction->spaces[1]
                                                                         : PTX_SHARED;
    struct operands operands = begin_operands(instruction);
    struct ptx_step *step;
    rill_status status = check_spaces(lowering, instruction, to, from);
    if (!status && counted == is_said(instruction, PTX_MOD_BULK_GROUP))
        status = ptx_lower_fail(lowering, &instruction->place, INVALID,
                                "this ends in .bulk_group, or at an mbarrier");
    take_place(lowering, instruction, &operands, to, BULK_TO, &status);
    take_place(lowering, instruction, &operands, from, BULK_FROM, &status);
    take_value(lowering, instruction, &operands, PTX_U32, BULK_BYTES, &status);
    if (counted)
        take_place(lowering, instruction, &operands, PTX_SHARED, BULK_BARRIER, &status);
    take_rest(lowering, instruction, &operands, &status);
    if (!status) status = emit_bulk(lowering, instruction, ptx_bulk_step, &operands, &step);
    if (status) return status;
    step->kind = form->kind;
    step->width = (uint8_t)form->types[0];
    return RILL_SUCCESS;
}

/* Lowers cp.async.bulk.prefetch: nothing would notice it. */
static rill_status lower_prefetch(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction,
                                  const struct ptx_form *form)
{
    struct operands operands = begin_operands(instruction);
    rill_status status = RILL_SUCCESS;
    (void)form;
    take_place(lowering, instruction, &operands, PTX_GLOBAL, BULK_FROM, &status);
    take_value(lowering, instruction, &operands, PTX_U32, BULK_BYTES, &status);
    take_rest(lowering, instruction, &operands, &status);
    return status;
}

/* ---- With tensor maps --------------------------------------------------------------------- */

static rill_status find_dimensions(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction, uint32_t *count)
{
    static const enum ptx_modifier words[] = { PTX_MOD_FLAT_1D, PTX_MOD_FLAT_2D, PTX_MOD_FLAT_3D,
                                               PTX_MOD_FLAT_4D, PTX_MOD_FLAT_5D };
    uint32_t ways = 0;
    for (uint32_t i = 0; i < PTX_TENSOR_DIMENSIONS; i++)
        if (is_said(instruction, words[i])) ways++, *count = i + 1;
    if (ways == 1) return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &instruction->place, INVALID,
                          "one of .1d, .2d, .3d, .4d and .5d belongs here");
}

/* Takes [map, {coordinates}]. */
static void take_tensor(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                        struct operands *operands, uint32_t dimensions, rill_status *status)
{
    const struct ptx_operand *operand = take_operand(lowering, instruction, operands, status);
    if (!operand) return;
    const struct ptx_operand *list = operand->list_count == 2 ? &operand->list[1] : NULL;
    const bool vector = list && list->kind == PTX_OPERAND_VECTOR;
    if (operand->kind != PTX_OPERAND_ADDRESS || !list ||
        (vector ? list->list_count : 1) != dimensions) {
        *status = ptx_lower_fail(lowering, &operand->place, INVALID,
                                 "[map, {coordinates}] with %u of them belongs here", dimensions);
        return;
    }
    struct ptx_operand map = *operand;
    map.list_count = 1;
    *status = ptx_lower_generic(lowering, instruction, &map, PTX_GENERIC,
                                &operands->columns[BULK_MAP]);
    for (uint32_t k = 0; k < dimensions && !*status; k++)
        *status = ptx_source(lowering, instruction, vector ? &list->list[k] : list, PTX_S32, false,
                             &operands->columns[BULK_COLUMNS + k]);
}

/* Takes {offsets}, one for each dimension between the first and the last. */
static void take_offsets(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                         struct operands *operands, uint32_t dimensions, rill_status *status)
{
    const struct ptx_operand *operand = take_operand(lowering, instruction, operands, status);
    if (!operand) return;
    const bool vector = operand->kind == PTX_OPERAND_VECTOR;
    if ((vector ? operand->list_count : 1) != dimensions - 2) {
        *status = ptx_lower_fail(lowering, &operand->place, INVALID, "%u offsets belong here",
                                 dimensions - 2);
        return;
    }
    for (uint32_t k = 0; k < dimensions - 2 && !*status; k++)
        *status = ptx_source(lowering, instruction, vector ? &operand->list[k] : operand, PTX_U16,
                             false,
                             &operands->columns[BULK_COLUMNS + PTX_TENSOR_DIMENSIONS + k]);
}

/* Lowers [to], [map, ...], [barrier], or [map, ...], [from]; or a prefetch, which is nothing. */
static rill_status lower_tensor(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_form *form)
{
    const bool loads = is_said(instruction, PTX_MOD_MBARRIER_COMPLETE),
               hints = is_said(instruction, PTX_MOD_PREFETCH_),
               moved = is_said(instruction, PTX_MOD_IM2COL),
               columns = moved || is_said(instruction, PTX_MOD_IM2COL_NO_OFFS);
    struct operands operands = begin_operands(instruction);
    struct ptx_step *step;
    uint32_t dimensions = 0;
    rill_status status = find_dimensions(lowering, instruction, &dimensions);
    if (!status && columns && dimensions < 3)
        status = ptx_lower_fail(lowering, &instruction->place, INVALID,
                                "columns are those of a tensor of 3 to 5 dimensions");
    if (!status && columns && moved != (loads || hints))
        status = ptx_lower_fail(lowering, &instruction->place, INVALID,
                                "loads have .im2col, stores .im2col_no_offs");
    if (!status && !hints)
        status = loads ? check_spaces(lowering, instruction, PTX_SHARED, PTX_GLOBAL)
                       : check_spaces(lowering, instruction, PTX_GLOBAL, PTX_SHARED);
    if (loads) take_place(lowering, instruction, &operands, PTX_SHARED, BULK_TO, &status);
    if (!status) take_tensor(lowering, instruction, &operands, dimensions, &status);
    if (loads) take_place(lowering, instruction, &operands, PTX_SHARED, BULK_BARRIER, &status);
    else if (!hints) take_place(lowering, instruction, &operands, PTX_SHARED, BULK_FROM, &status);
    if (moved) take_offsets(lowering, instruction, &operands, dimensions, &status);
    take_rest(lowering, instruction, &operands, &status);
    if (status || hints) return status;
    status = emit_bulk(lowering, instruction,
                       loads ? ptx_tensor_load_step : ptx_tensor_store_step, &operands, &step);
    if (status) return status;
    step->kind = form->kind;
    step->width = (uint8_t)dimensions;
    step->immediate = columns ? PTX_TENSOR_COLUMNS : PTX_TENSOR_TILE;
    return RILL_SUCCESS;
}

/* ---- tensormap ---------------------------------------------------------------------------- */

static bool has_dimension(enum tensor_field field)
{
    return field == TENSOR_BOX || field == TENSOR_SIZE || field == TENSOR_STRIDE ||
           field == TENSOR_STEP;
}

/* Reads the dimension of a field that has one. */
static rill_status find_dimension(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                                  enum tensor_field field, int64_t *dimension)
{
    const int64_t end = PTX_TENSOR_DIMENSIONS - (field == TENSOR_STRIDE);
    rill_status status = ptx_constant(lowering, operand, dimension);
    if (status || (*dimension >= 0 && *dimension < end)) return status;
    return ptx_lower_fail(lowering, &operand->place, INVALID, "this is a number from 0 to %d",
                          (int)end - 1);
}

/* Checks the value of a field that gets constants. */
static rill_status check_value(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                               enum tensor_field field)
{
    const uint32_t values = ptx_tensor_field_values[field];
    int64_t value;
    rill_status status = ptx_constant(lowering, operand, &value);
    if (status || (value >= 0 && value < values)) return status;
    return ptx_lower_fail(lowering, &operand->place, LACKING,
                          "the simulator has tensors with values up to %u here", values - 1);
}

static rill_status lower_replace(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form)
{
    const enum tensor_field field = (enum tensor_field)form->kind;
    const struct ptx_operand *operands = instruction->operands;
    const uint32_t count = has_dimension(field) ? 3 : 2;
    const enum ptx_space space = ptx_said_space(instruction);
    int64_t dimension = 0;
    uint32_t map = 0, value = 0;
    struct ptx_step *step;
    rill_status status = ptx_check_operand_count(lowering, instruction, count);
    if (!status && count == 3)
        status = find_dimension(lowering, &operands[1], field, &dimension);
    if (!status && field >= TENSOR_ELEMTYPE)
        status = check_value(lowering, &operands[count - 1], field);
    if (!status) status = ptx_lower_generic(lowering, instruction, &operands[0], space, &map);
    if (!status)
        status = ptx_source(lowering, instruction, &operands[count - 1], form->types[0], false,
                            &value);
    if (!status) status = ptx_emit(lowering, instruction, ptx_tensor_replace_step, &step);
    if (status) return status;
    step->a = map;
    step->b = value;
    step->kind = form->kind;
    step->target = (uint32_t)dimension;
    step->width = (uint8_t)ptx_type_bytes(form->types[0]);
    return RILL_SUCCESS;
}

/* Lowers a copy of a map from shared to global memory.  There is no proxy to fence. */
static rill_status lower_map_copy(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction,
                                  const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    uint32_t columns[BULK_COLUMNS], more;
    int64_t bytes = 0;
    struct ptx_step *step;
    (void)form;
    for (uint32_t i = 0; i < BULK_COLUMNS; i++) columns[i] = PTX_NO_COLUMN;
    rill_status status = ptx_check_operand_count(lowering, instruction, 3);
    if (!status) status = ptx_constant(lowering, &operands[2], &bytes);
    if (!status && bytes != PTX_TENSOR_MAP_BYTES)
        status = ptx_lower_fail(lowering, &operands[2].place, INVALID,
                                "a tensor map has %d bytes", PTX_TENSOR_MAP_BYTES);
    if (!status)
        status = ptx_lower_generic(lowering, instruction, &operands[0], PTX_GLOBAL,
                                   &columns[BULK_TO]);
    if (!status)
        status = ptx_lower_generic(lowering, instruction, &operands[1], PTX_SHARED,
                                   &columns[BULK_FROM]);
    if (!status)
        status = ptx_lower_number(lowering, PTX_TENSOR_MAP_BYTES, 4, &columns[BULK_BYTES]);
    if (!status) status = ptx_remember(lowering, columns, BULK_COLUMNS, &more);
    if (!status) status = ptx_emit(lowering, instruction, ptx_bulk_step, &step);
    if (!status) step->more = more;
    return status;
}

/* ---- The table ---------------------------------------------------------------------------- */

#define REDUCE(operation, type, ...) \
    { .opcode = PTX_OP_CP, .types = { PTX_##type }, .kind = REDUCE_##operation, \
      .needs = PTX_SET(REDUCE, ASYNC, BULK, operation), .lower = lower_bulk, \
      .allows = PTX_SET(MBARRIER_COMPLETE, BULK_GROUP, SHARED_CTA, SHARED_CLUSTER, \
                        L2__CACHE_HINT, __VA_ARGS__) }
#define EXTREMES(type) REDUCE(MIN, type, NOTHING), REDUCE(MAX, type, NOTHING)
#define BITS(type) REDUCE(AND, type, NOTHING), REDUCE(OR, type, NOTHING), REDUCE(XOR, type, NOTHING)
#define TENSOR_ROW(operation, ...) \
    { .opcode = PTX_OP_CP, .kind = REDUCE_##operation, .lower = lower_tensor, \
      .needs = PTX_SET(ASYNC, BULK, TENSOR, __VA_ARGS__), \
      .allows = PTX_SET(FLAT_1D, FLAT_2D, FLAT_3D, FLAT_4D, FLAT_5D, TILE, IM2COL, \
                        IM2COL_NO_OFFS, L2__CACHE_HINT, SHARED_CTA, SHARED_CLUSTER, MULTICAST) }
#define REDUCE_TENSOR(operation) TENSOR_ROW(operation, BULK_GROUP, REDUCE, operation)
#define REPLACE(field, type, word) \
    { .opcode = PTX_OP_TENSORMAP, .types = { PTX_##type }, .kind = TENSOR_##field, \
      .needs = PTX_SET(REPLACE, TILE, B1024, word), .allows = PTX_SET(SHARED_CTA), \
      .lower = lower_replace }

static const struct ptx_form rows[] = {
    { .opcode = PTX_OP_CP, .needs = PTX_SET(ASYNC, BULK, MBARRIER_COMPLETE), .lower = lower_bulk,
      .allows = PTX_SET(SHARED_CTA, SHARED_CLUSTER, MULTICAST, L2__CACHE_HINT) },
    { .opcode = PTX_OP_CP, .needs = PTX_SET(ASYNC, BULK, BULK_GROUP), .lower = lower_bulk,
      .allows = PTX_SET(SHARED_CTA, L2__CACHE_HINT) },
    { .opcode = PTX_OP_CP, .needs = PTX_SET(ASYNC, BULK, PREFETCH_, L2), .lower = lower_prefetch,
      .allows = PTX_SET(L2__CACHE_HINT) },
    { .opcode = PTX_OP_CP, .needs = PTX_SET(ASYNC, BULK, COMMIT_GROUP),
      .lower = ptx_lower_group_wait },
    { .opcode = PTX_OP_CP, .needs = PTX_SET(ASYNC, BULK, WAIT_GROUP), .lower = ptx_lower_group_wait,
      .allows = PTX_SET(READ) },
    REDUCE(ADD, U32, NOTHING), REDUCE(ADD, S32, NOTHING), REDUCE(ADD, U64, NOTHING),
    REDUCE(ADD, F32, NOTHING), REDUCE(ADD, F64, NOTHING), REDUCE(ADD, F16, NOFTZ),
    REDUCE(ADD, BF16, NOFTZ), REDUCE(INC, U32, NOTHING), REDUCE(DEC, U32, NOTHING),
    EXTREMES(U32), EXTREMES(S32), EXTREMES(U64), EXTREMES(S64), EXTREMES(F16), EXTREMES(BF16),
    BITS(B32), BITS(B64),
    TENSOR_ROW(NOTHING, MBARRIER_COMPLETE), TENSOR_ROW(NOTHING, BULK_GROUP),
    TENSOR_ROW(NOTHING, PREFETCH_, L2),
    REDUCE_TENSOR(ADD), REDUCE_TENSOR(MIN), REDUCE_TENSOR(MAX), REDUCE_TENSOR(INC),
    REDUCE_TENSOR(DEC), REDUCE_TENSOR(AND), REDUCE_TENSOR(OR), REDUCE_TENSOR(XOR),
    REPLACE(ADDRESS, B64, GLOBAL_ADDRESS), REPLACE(RANK, B32, RANK), REPLACE(BOX, B32, BOX_DIM),
    REPLACE(SIZE, B32, GLOBAL_DIM), REPLACE(STRIDE, B64, GLOBAL_STRIDE),
    REPLACE(STEP, B32, ELEMENT_STRIDE), REPLACE(ELEMTYPE, B32, ELEMTYPE),
    REPLACE(INTERLEAVE, B32, INTERLEAVE_LAYOUT), REPLACE(SWIZZLE, B32, SWIZZLE_MODE),
    REPLACE(ATOMICITY, B32, SWIZZLE_ATOMICITY), REPLACE(FILL, B32, FILL_MODE),
    { .opcode = PTX_OP_TENSORMAP,
      .needs = PTX_SET(CP_FENCEPROXY, SHARED_CTA, TENSORMAP_GENERIC, RELEASE, SYNC, ALIGNED),
      .allows = PTX_SET(CTA, CLUSTER, GPU, SYS), .lower = lower_map_copy },
};

const struct ptx_forms ptx_bulk_forms = { rows, sizeof rows / sizeof *rows };
