/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/async/bulk.h"

#include <string.h>

#include "ptx/async/barrier.h"
#include "ptx/async/reduce.h"
#include "ptx/run/fault.h"
#include "ptx/run/touches.h"

/* ---- Operands ----------------------------------------------------------------------------- */

static uint32_t column_of(struct ptx_group *group, const struct ptx_step *step, uint32_t which)
{
    return group->frame->program->columns[step->more + which];
}

uint64_t ptx_bulk_operand(struct ptx_group *group, const struct ptx_step *step, uint32_t which,
                          uint32_t lane)
{
    const uint32_t column = column_of(group, step, which);
    if (column == PTX_NO_COLUMN) return 0;
    if (which == BULK_BLOCKS) return PTX_COLUMN(group, column, const uint16_t)[lane];
    if (which == BULK_BYTES) return PTX_COLUMN(group, column, const uint32_t)[lane];
    return PTX_COLUMN(group, column, const uint64_t)[lane];
}

unsigned char *ptx_bulk_find(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                             const struct bulk_place *place, bool *shared)
{
    struct ptx_access access = {
        .group = group, .step = step, .offset = place->address, .bytes = place->bytes,
        .misaligned = place->misaligned, .where = PTX_TO_ANY, .write = place->write,
        .atomic = place->atomic, .verb = place->write ? "bulk store" : "bulk load",
    };
    unsigned char *at = ptx_access_place(&access, lane);
    if (!at) return NULL;
    if (group->block->watched) ptx_watch_bytes(&access, lane, place->address, place->bytes);
    if (shared) *shared = access.window.where == PTX_TO_SHARED;
    return at;
}

/* ---- Who gets a copy ---------------------------------------------------------------------- */

/* Returns the same place in the shared memory of a block of the cluster. */
static uint64_t place_in_block(uint64_t address, uint32_t rank)
{
    const uint64_t offset = address & ((1u << PTX_RANK_BIT) - 1);
    return PTX_SHARED_WINDOW + ((uint64_t)(rank + 1) << PTX_RANK_BIT) + offset;
}

bool ptx_bulk_deliver(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                      bulk_deliver *deliver, void *data)
{
    const uint64_t to = ptx_bulk_operand(group, step, BULK_TO, lane);
    const uint64_t barrier = ptx_bulk_operand(group, step, BULK_BARRIER, lane);
    if (column_of(group, step, BULK_BLOCKS) == PTX_NO_COLUMN) return deliver(data, to, barrier);
    uint32_t blocks = (uint32_t)ptx_bulk_operand(group, step, BULK_BLOCKS, lane);
    for (; blocks; blocks &= blocks - 1) {
        const uint32_t rank = (uint32_t)__builtin_ctz(blocks);
        if (!deliver(data, place_in_block(to, rank), place_in_block(barrier, rank))) return false;
    }
    return true;
}

/* ---- Copies and reductions ---------------------------------------------------------------- */

struct copy {
    struct ptx_group *group;
    const struct ptx_step *step;
    uint32_t lane, bytes;
    const unsigned char *from;
};

static bool deliver_copy(void *data, uint64_t to, uint64_t barrier)
{
    const struct copy *copy = data;
    const enum ptx_type type = (enum ptx_type)copy->step->width;
    const enum reduction how = (enum reduction)copy->step->kind;
    const struct bulk_place place = { .address = to, .bytes = copy->bytes, .misaligned = 15,
                                      .write = true, .atomic = how != REDUCE_NOTHING };
    bool shared;
    unsigned char *at = ptx_bulk_find(copy->group, copy->step, copy->lane, &place, &shared);
    if (!at) return false;
    if (how) ptx_reduce(how, type, at, copy->from, copy->bytes / ptx_type_bytes(type), shared);
    else memmove(at, copy->from, copy->bytes);
    return !barrier ||
           ptx_mbarrier_complete(copy->group, copy->step, copy->lane, barrier, copy->bytes);
}

void ptx_bulk_step(struct ptx_group *group, const struct ptx_step *step)
{
    PTX_IN_TURN(group, i) {
        struct copy copy = {
            .group = group, .step = step, .lane = i,
            .bytes = (uint32_t)ptx_bulk_operand(group, step, BULK_BYTES, i),
        };
        if (copy.bytes % 16) {
            ptx_fail(group, step, i, RILL_ERROR_ILLEGAL_INSTRUCTION, 0,
                     "a bulk copy of %u bytes, which is no multiple of 16", copy.bytes);
            return;
        }
        const struct bulk_place from = { .address = ptx_bulk_operand(group, step, BULK_FROM, i),
                                         .bytes = copy.bytes, .misaligned = 15 };
        copy.from = ptx_bulk_find(group, step, i, &from, NULL);
        if (!copy.from || !ptx_bulk_deliver(group, step, i, deliver_copy, &copy)) return;
    }
}
