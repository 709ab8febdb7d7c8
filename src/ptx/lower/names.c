/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of columns, and their uses.
 */
#include "ptx/lower/state.h"

rill_status ptx_lower_name(struct ptx_lowering *lowering, enum lower_column_kind kind,
                           uint32_t bytes, uint32_t *column)
{
    if (lowering->column_count >= LOWER_MOST_NAMES ||
        !ptx_lower_room(lowering, (void **)&lowering->columns, sizeof *lowering->columns,
                        lowering->column_count, &lowering->column_room))
        return ptx_lower_no_memory(lowering);
    *column = LOWER_NAME + lowering->column_count;
    lowering->columns[lowering->column_count++] = (struct lower_column){
        .bytes = bytes ? bytes : 1,
        .kind = (uint8_t)kind,
        .instruction = lowering->at,
        .at = PTX_NO_COLUMN,
    };
    return RILL_SUCCESS;
}

struct lower_column *ptx_lower_named(struct ptx_lowering *lowering, uint32_t name)
{
    return &lowering->columns[name - LOWER_NAME];
}

rill_status ptx_lower_use(struct ptx_lowering *lowering, uint32_t name, bool writes, bool partly)
{
    if (ptx_lower_named(lowering, name)->kind != LOWER_REGISTER) return RILL_SUCCESS;
    if (!ptx_lower_room(lowering, (void **)&lowering->uses, sizeof *lowering->uses,
                        lowering->use_count, &lowering->use_room))
        return ptx_lower_no_memory(lowering);
    lowering->uses[lowering->use_count++] = (struct lower_use){
        .instruction = lowering->at,
        .column = name - LOWER_NAME,
        .writes = writes,
        .partly = partly,
    };
    return RILL_SUCCESS;
}

rill_status ptx_new_column(struct ptx_lowering *lowering, uint32_t bytes, uint32_t *column)
{
    return ptx_lower_name(lowering, LOWER_TEMPORARY, bytes, column);
}

rill_status ptx_lower_register(struct ptx_lowering *lowering, uint32_t index, uint32_t *column)
{
    *column = lowering->registers[index];
    if (*column) return RILL_SUCCESS;
    enum ptx_type type = lowering->function->registers[index].type;
    rill_status status = ptx_lower_name(lowering, LOWER_REGISTER, ptx_type_bytes(type), column);
    if (status) return status;
    ptx_lower_named(lowering, *column)->predicate = type == PTX_PRED;
    lowering->registers[index] = *column;
    return RILL_SUCCESS;
}

/* Returns the bytes of a slot in each lane; an element is aligned in each of them. */
static uint32_t slot_bytes(uint64_t bytes)
{
    for (uint32_t scalar = 1; scalar <= 8; scalar *= 2)
        if (bytes <= scalar) return scalar;
    return (uint32_t)((bytes + 15) & ~UINT64_C(15));
}

rill_status ptx_lower_slot(struct ptx_lowering *lowering, uint32_t variable, uint32_t *column)
{
    *column = lowering->slots[variable];
    if (*column) return RILL_SUCCESS;
    uint32_t bytes = slot_bytes(lowering->function->variables[variable].bytes);
    rill_status status = ptx_lower_name(lowering, LOWER_REGISTER, bytes, column);
    if (status) return status;
    ptx_lower_named(lowering, *column)->scoped = true;
    lowering->slots[variable] = *column;
    return RILL_SUCCESS;
}

/* ---- Constants ------------------------------------------------------------------------------- */

/* Finds the place of a constant in the table, or the place where it belongs. */
static uint32_t *find_constant(struct ptx_lowering *lowering, uint64_t bits, uint32_t bytes)
{
    uint32_t mask = lowering->constant_room - 1;
    uint32_t first = ptx_hash(lowering->module->seed, &bits, sizeof bits) + bytes;
    for (uint32_t i = first & mask;; i = (i + 1) & mask) {
        uint32_t *place = &lowering->constants[i];
        if (!*place) return place;
        const struct lower_column *column = ptx_lower_named(lowering, *place);
        if (column->bits == bits && column->bytes == bytes) return place;
    }
}

static bool widen_table(struct ptx_lowering *lowering)
{
    uint32_t *old = lowering->constants, old_room = lowering->constant_room;
    uint32_t room = old_room ? 2 * old_room : 64;
    uint32_t *table = ptx_arena_get(lowering->scratch, room * sizeof *table);
    if (!table) return false;
    lowering->constants = table;
    lowering->constant_room = room;
    for (uint32_t i = 0; i < old_room; i++) {
        if (!old[i]) continue;
        const struct lower_column *column = ptx_lower_named(lowering, old[i]);
        *find_constant(lowering, column->bits, column->bytes) = old[i];
    }
    return true;
}

rill_status ptx_lower_number(struct ptx_lowering *lowering, uint64_t bits, uint32_t bytes,
                             uint32_t *column)
{
    if (bytes < 8) bits &= (UINT64_C(1) << 8 * bytes) - 1;
    if (lowering->constant_count >= lowering->constant_room / 2 && !widen_table(lowering))
        return ptx_lower_no_memory(lowering);
    uint32_t *place = find_constant(lowering, bits, bytes);
    if (!*place) {
        rill_status status = ptx_lower_name(lowering, LOWER_CONSTANT, bytes, place);
        if (status) return status;
        ptx_lower_named(lowering, *place)->bits = bits;
        lowering->constant_count++;
    }
    *column = *place;
    return RILL_SUCCESS;
}
