/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ptx/run/grid.h"
#include "ptx/text/source.h"
#include "site/plain.h"

/* Stands in for the status while the message is written and must not be read yet. */
#define CLAIMED (-1)

/* As much of a kernel's name as leaves room for the rest of a message. */
enum { KERNEL_NAME_MAX = 101 };

/* Claims the fault for the caller, who writes it; the status comes last. */
static bool claim_fault(struct ptx_fault *fault)
{
    int none = 0;
    return atomic_compare_exchange_strong(&fault->status, &none, CLAIMED);
}

static void publish_fault(struct ptx_fault *fault, rill_status status)
{
    atomic_store_explicit(&fault->status, (int)status, memory_order_release);
}

static void end_turn(struct ptx_group *group, const struct ptx_step *step)
{
    (void)step;
    group->state = PTX_YIELDS;
}

static const struct ptx_step last_step = { .run = end_turn, .flags = PTX_STEP_CONTROL };

void ptx_fail(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
              rill_status status, uint64_t address, const char *format, ...)
{
    const struct ptx_block *block = group->block;
    struct ptx_fault *fault = block->launch->fault;
    group->next = &last_step;
    if (!claim_fault(fault)) return;
    ptx_thread_place(group, lane, fault->thread);
    ptx_block_place_of(group, lane, fault->block);
    fault->address = address;
    char kernel[KERNEL_NAME_MAX], place[PTX_PLACE_WORDS];
    fault->line = ptx_describe_line(block->kernel->code->module, step->line, place);
    cs_plain_name(block->kernel->name, kernel, sizeof kernel);
    int used = snprintf(fault->message, sizeof fault->message,
                        "kernel '%s', %s, thread (%u,%u,%u) of block (%u,%u,%u): ",
                        kernel, place, fault->thread[0], fault->thread[1],
                        fault->thread[2], fault->block[0], fault->block[1], fault->block[2]);
    va_list values;
    va_start(values, format);
    vsnprintf(fault->message + used, sizeof fault->message - (size_t)used, format, values);
    va_end(values);
    publish_fault(fault, status);
}

void ptx_grid_fail(struct ptx_grid *grid, rill_status status, const char *sentence)
{
    struct ptx_fault *fault = grid->launch.fault;
    if (!claim_fault(fault)) return;
    char kernel[KERNEL_NAME_MAX];
    cs_plain_name(grid->kernel->name, kernel, sizeof kernel);
    snprintf(fault->message, sizeof fault->message, "kernel '%s': %s", kernel, sentence);
    publish_fault(fault, status);
}

bool ptx_failed(const struct ptx_group *group)
{
    return atomic_load_explicit(&group->block->launch->fault->status, memory_order_relaxed) != 0;
}

uint32_t ptx_thread_of(const struct ptx_group *group, uint32_t lane)
{
    return group->bundle->first + lane;
}

void ptx_thread_place(const struct ptx_group *group, uint32_t lane, uint32_t place[3])
{
    for (unsigned k = 0; k < 3; k++) place[k] = group->bundle->places[k * group->lanes + lane];
    if (group->block->abreast > 1) place[2] = 0;
}

void ptx_block_place_of(const struct ptx_group *group, uint32_t lane, uint32_t place[3])
{
    const struct ptx_block *block = group->block;
    memcpy(place, block->index, sizeof block->index);
    if (block->abreast > 1) place[0] += ptx_blocks_of(group->bundle)[lane];
}

/* Says what a waiting group waits for. */
static const char *what_is_waited_for(const struct ptx_group *group)
{
    return group->state == PTX_AT_BARRIER ? "at a barrier" : "for other threads of its warp";
}

void ptx_fail_deadlock(struct ptx_block *block)
{
    for (uint32_t i = 0; i < block->bundle_count; i++) {
        struct ptx_group *group = block->bundles[i].waiting;
        if (!group) continue;
        ptx_fail(group, group->at, group->own[0].from, RILL_ERROR_LAUNCH_TIMEOUT, 0,
                 "this thread waits %s, all others of the block have ended or wait as well, "
                 "and none of them can go on", what_is_waited_for(group));
        return;
    }
}
