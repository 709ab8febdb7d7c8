/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers that are not met as they must be.
 *
 * All threads of a block that have not exited have to come to the same bar.sync if it names no
 * count, and those of a warp to the same one in any case, unless it is barrier.sync without
 * .aligned.  A thread that has exited is missed nowhere, as on GPUs.
 */
#include "ptx/run/checks.h"

#include "ptx/run/barrier.h"
#include "ptx/run/fault.h"
#include "ptx/run/lane_group.h"

static struct ptx_trouble trouble_at(struct ptx_group *group, const struct ptx_step *step,
                                     uint32_t lane, uint32_t other)
{
    return (struct ptx_trouble){ .wrong = PTX_WRONG_BARRIER, .group = group, .step = step,
                                 .lane = lane, .other = other, .does = other };
}

/* Names a thread of the group's block. */
static void name_thread(const struct ptx_group *group, uint32_t thread,
                        char words[PTX_THREAD_WORDS])
{
    const struct ptx_order_block *turns = &group->block->checks->turns;
    ptx_checks_name(group->block, turns->number * turns->order->threads + thread, words);
}

/* Returns a group that waits at another barrier with a lane of the same warp as one of this group,
 * or NULL. */
static const struct ptx_group *find_split(const struct ptx_group *group,
                                          const struct ptx_step *step, uint32_t *lane)
{
    for (const struct ptx_group *at = group->bundle->waiting; at; at = at->other) {
        if (at->state != PTX_AT_BARRIER || at->at == step || at->at->lanes != step->lanes ||
            !at->at->width)
            continue;
        for (uint32_t w = 0; w < group->lanes / PTX_WARP; w++) {
            const uint32_t bits = ptx_warp_bits(&at->mask, w);
            if (!bits || !ptx_warp_bits(&group->mask, w)) continue;
            *lane = w * PTX_WARP + (uint32_t)__builtin_ctz(bits);
            return at;
        }
    }
    return NULL;
}

void ptx_checks_barrier(struct ptx_group *group, const struct ptx_step *step,
                        const struct ptx_arrival *arrival)
{
    const uint32_t lane = group->own[0].from;
    const struct ptx_step *first = arrival->first;
    char thread[PTX_THREAD_WORDS], place[PTX_PLACE_WORDS];
    uint32_t other;
    if (!(group->block->checks->wanted & PTX_CHECK_BARRIERS)) return;
    const struct ptx_trouble trouble = trouble_at(group, step, lane, first ? first->line : 0);
    if (first) name_thread(group, arrival->thread, thread);
    if (first) ptx_checks_place(group->block, first->line, place);
    if (first && arrival->count != arrival->expected) {
        ptx_checks_tell(&trouble, "a barrier that threads do not share: this one comes to barrier "
                        "%u for %u threads, and %s did in %s for %u (0 is all)",
                        arrival->barrier, arrival->count, thread, place, arrival->expected);
        return;
    }
    if (first && first != step && !arrival->count) {
        ptx_checks_tell(&trouble, "a barrier that threads do not share: this one comes to barrier "
                        "%u here, and %s did in %s", arrival->barrier, thread, place);
        return;
    }
    const struct ptx_group *split = step->width ? find_split(group, step, &other) : NULL;
    if (!split) return;
    const struct ptx_trouble apart = trouble_at(group, step, lane, split->at->line);
    name_thread(group, group->bundle->first + other, thread);
    ptx_checks_place(group->block, split->at->line, place);
    ptx_checks_tell(&apart, "a barrier that the threads of a warp do not share: this one comes to "
                    "barrier %u here, and %s waits in %s", arrival->barrier, thread, place);
}

void ptx_checks_members(struct ptx_group *group, const struct ptx_step *step, uint32_t warp,
                        uint32_t lanes, uint32_t members)
{
    const uint32_t strange = lanes & ~members;
    if (!strange || !(group->block->checks->wanted & PTX_CHECK_BARRIERS)) return;
    const struct ptx_trouble trouble =
        trouble_at(group, step, warp * PTX_WARP + (uint32_t)__builtin_ctz(strange), 0);
    ptx_checks_tell(&trouble, "an operation of a warp for the lanes in 0x%08x, of which this "
                    "thread is none", members);
}
