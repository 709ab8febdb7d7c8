/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls.  Arguments and results are columns on both sides, of the same sizes: `more` of the
 * step lists the caller's, results first.  So passing them is copying.
 */
#include "ptx/run/control.h"

#include <string.h>

#include "ptx/run/block.h"
#include "ptx/run/checks.h"
#include "ptx/run/fault.h"
#include "ptx/run/frame.h"
#include "ptx/run/grid.h"
#include "ptx/run/lane_group.h"
#include "ptx/run/spare.h"

/* What PTX_COUNTS() has put into a step. */
#define RESULTS(step) ((uint32_t)((step)->immediate >> 32))
#define ARGUMENTS(step) ((uint32_t)(step)->immediate)

/* ---- Going there ------------------------------------------------------------------------ */

static void copy_slot(const struct ptx_group *group, unsigned char *to, const unsigned char *from,
                      uint32_t bytes)
{
    for (uint32_t r = 0; r < group->own_count; r++) {
        size_t first = (size_t)group->own[r].from * bytes;
        memcpy(to + first, from + first, (size_t)(group->own[r].to - group->own[r].from) * bytes);
    }
}

static unsigned char *slot_of_frame(const struct ptx_frame *frame, const struct ptx_group *group,
                                    uint32_t column)
{
    return frame->columns + (size_t)column * group->lanes;
}

static struct ptx_frame *open_frame(struct ptx_group *group, const struct ptx_step *step,
                                    const struct ptx_program *callee)
{
    struct ptx_frame *caller = group->frame;
    uint32_t lane = group->own[0].from, depth = caller->depth + 1;
    uint32_t base = ptx_local_end(caller) + ((caller->taken + 15) & ~15u);
    uint32_t most = callee->code->limits.depth;
    if (depth > most) {
        ptx_fail(group, step, lane, RILL_ERROR_HARDWARE_STACK_ERROR, 0,
                 "a call that is %u calls deep; the limit is %u", depth, most);
        return NULL;
    }
    if (!ptx_local_reserve(group->block, base + callee->local_bytes)) {
        ptx_fail(group, step, lane, RILL_ERROR_HARDWARE_STACK_ERROR, 0,
                 "the stack is full: a thread needs %u bytes of local memory, %u calls deep",
                 base + callee->local_bytes, depth);
        return NULL;
    }
    struct ptx_frame *frame = ptx_frame_begin(group->bundle, callee);
    if (!frame && ptx_spare_waits(group->block)) {
        group->next = step;
        group->state = PTX_YIELDS;
        return NULL;
    }
    if (!frame) {
        ptx_fail(group, step, lane, RILL_ERROR_OUT_OF_MEMORY, 0,
                 "there is no memory for a call, %u calls deep", depth);
        return NULL;
    }
    frame->parent = caller;
    frame->call = step;
    frame->depth = depth;
    frame->local_base = base;
    if (group->block->checks) ptx_checks_call(group, base, callee->local_bytes);
    frame->references = 1; /* the group, whose hold of the caller becomes the frame's */
    return frame;
}

static void enter_callee(struct ptx_group *group, const struct ptx_step *step,
                         const struct ptx_program *callee)
{
    const struct ptx_frame *caller = group->frame;
    const uint32_t *columns = caller->program->columns + step->more + RESULTS(step);
    struct ptx_frame *frame = open_frame(group, step, callee);
    if (!frame) return;
    for (uint32_t n = 0; n < ARGUMENTS(step); n++)
        copy_slot(group, slot_of_frame(frame, group, callee->params[n].column),
                  slot_of_frame(caller, group, columns[n]), callee->params[n].bytes);
    group->frame = frame;
    group->columns = frame->columns;
    ptx_jump(group, step, callee->steps);
    ptx_group_set_limit(group);
}

void ptx_call_step(struct ptx_group *group, const struct ptx_step *step)
{
    if (!ptx_group_keep_guarded(group, step)) return;
    enter_callee(group, step, &group->frame->program->code->programs[step->target]);
}

/* ---- Through an address ----------------------------------------------------------------- */

const struct ptx_function *ptx_call_signature(const struct ptx_module *module,
                                              const struct ptx_table *table)
{
    return table->prototype ? table->prototype : &module->functions[table->items[0]];
}

/* Slots are alike if they have the same size; predicates, which are 0 or 1, only go with each
 * other. */
static bool are_slots_alike(const struct ptx_variable *a, const struct ptx_variable *b)
{
    return a->bytes == b->bytes && (a->type == PTX_PRED) == (b->type == PTX_PRED);
}

static bool is_same_signature(const struct ptx_function *a, const struct ptx_function *b)
{
    if (a->param_count != b->param_count || a->result_count != b->result_count) return false;
    for (uint32_t n = 0; n < a->param_count; n++)
        if (!are_slots_alike(&a->variables[a->params[n]], &b->variables[b->params[n]]))
            return false;
    for (uint32_t n = 0; n < a->result_count; n++)
        if (!are_slots_alike(&a->variables[a->results[n]], &b->variables[b->results[n]]))
            return false;
    return true;
}

/* Returns the program at an address, or NULL if no function with such arguments is there. */
static const struct ptx_program *callee_at(const struct ptx_group *group, uint64_t address,
                                           uint32_t table)
{
    const struct ptx_program *program = group->frame->program;
    const struct ptx_module *module = program->code->module;
    const uint32_t index = ptx_function_at(module, address);
    if (index == PTX_NONE) return NULL;
    const struct ptx_program *callee = &program->code->programs[index];
    const struct ptx_function *function = &module->functions[index];
    if (!callee->steps || function->entry) return NULL;
    const struct ptx_function *signature =
        ptx_call_signature(module, &program->function->tables[table]);
    return is_same_signature(function, signature) ? callee : NULL;
}

void ptx_indirect_call_step(struct ptx_group *group, const struct ptx_step *step)
{
    if (!ptx_group_keep_guarded(group, step)) return;
    uint32_t lane = group->own[0].from;
    uint64_t address = PTX_COLUMN(group, step->a, uint64_t)[lane];
    struct ptx_mask same;
    ptx_mask_copy(&same, &group->mask);
    ptx_keep_alike(group, step->a, 8, lane, &same);
    if (!ptx_group_keep(group, step, &same, step)) return;
    const struct ptx_program *callee = callee_at(group, address, step->target);
    if (callee)
        enter_callee(group, step, callee);
    else
        ptx_fail(group, step, lane, RILL_ERROR_INVALID_PC, address,
                 "a call to 0x%llx, where no function with such arguments is",
                 (unsigned long long)address);
}

/* ---- And back --------------------------------------------------------------------------- */

void ptx_return_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_frame *frame = group->frame, *caller = frame->parent;
    if (!caller) {
        ptx_exit_step(group, step);
        return;
    }
    if (!ptx_group_keep_guarded(group, step)) return;
    const struct ptx_program *callee = frame->program;
    const uint32_t *columns = caller->program->columns + frame->call->more;
    for (uint32_t n = 0; n < RESULTS(frame->call); n++)
        copy_slot(group, slot_of_frame(caller, group, columns[n]),
                  slot_of_frame(frame, group, callee->results[n].column), callee->results[n].bytes);
    caller->references++;
    group->frame = caller;
    group->columns = caller->columns;
    ptx_jump(group, step, frame->call + 1);
    group->limit = (const struct ptx_step *)UINTPTR_MAX;
    ptx_frame_leave(group->bundle, frame);
    if (group->bundle->groups) group->state = PTX_YIELDS; /* others may be there already */
}
