/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ptx/run/grid.h"

/* For how many steps the group that is furthest behind may keep all others waiting.  It
 * becomes shorter while that happens again and again, and longer when groups meet. */
#define PATIENCE_LEAST 64
#define PATIENCE_MOST 4096

static void find_places(struct ptx_crew *crew, const uint32_t size[3])
{
    for (uint32_t i = 0; i < crew->lanes; i++) {
        uint32_t thread = crew->first + i;
        crew->places[i] = thread % size[0];
        crew->places[crew->lanes + i] = thread / size[0] % size[1];
        crew->places[2 * (size_t)crew->lanes + i] = thread / size[0] / size[1];
    }
}

void ptx_crew_place(struct ptx_crew *crew, struct ptx_block *block, uint32_t first,
                    uint32_t threads)
{
    crew->block = block;
    crew->first = first;
    crew->threads = threads;
    crew->lanes = ptx_lanes_of(threads);
    find_places(crew, block->launch->block);
}

static void end_all(struct ptx_group *group)
{
    while (group) {
        struct ptx_group *other = group->other;
        ptx_group_end(group);
        group = other;
    }
}

void ptx_crew_clear(struct ptx_crew *crew)
{
    end_all(crew->groups);
    end_all(crew->waiting);
    crew->groups = crew->waiting = NULL;
}

void ptx_crew_reset(struct ptx_crew *crew)
{
    ptx_crew_clear(crew);
    memset(&crew->alive, 0, sizeof crew->alive);
    for (uint32_t i = 0; i < crew->threads / 64; i++) crew->alive.bits[i] = UINT64_MAX;
    if (crew->threads % 64)
        crew->alive.bits[crew->threads / 64] = (UINT64_C(1) << (crew->threads % 64)) - 1;
    crew->patience = PATIENCE_MOST;
    crew->spent = 0;
    crew->vain = 0;
    crew->frame_count = crew->turns = 0;
    crew->begun = crew->sync_due = false;
}

bool ptx_crew_begin(struct ptx_crew *crew)
{
    const struct ptx_kernel *kernel = crew->block->kernel;
    const struct ptx_program *program = &kernel->code->programs[kernel->program];
    struct ptx_frame *root = ptx_frame_begin(crew, program);
    if (!root) return false;
    struct ptx_group *group = ptx_group_begin(crew, root, program->steps, &crew->alive);
    if (!group) {
        root->references = 1;
        ptx_frame_leave(crew, root);
        return false;
    }
    ptx_group_list(group);
    crew->begun = true;
    return true;
}

/* ---- Turns ---------------------------------------------------------------------------- */

static struct ptx_group **longest_waiting(struct ptx_crew *crew)
{
    struct ptx_group **found = &crew->groups;
    for (struct ptx_group **at = found; *at; at = &(*at)->other)
        if ((*at)->turn < (*found)->turn) found = at;
    return found;
}

static struct ptx_group *next_group(struct ptx_crew *crew)
{
    struct ptx_group **at = &crew->groups;
    if (!crew->groups->other) {
        crew->spent = 0;
        if (!crew->waiting && crew->patience < PATIENCE_MOST) crew->patience *= 2;
    } else if (crew->spent >= crew->patience) {
        crew->spent = 0;
        if (crew->patience > PATIENCE_LEAST) crew->patience /= 2;
        at = longest_waiting(crew);
    }
    struct ptx_group *group = *at;
    *at = group->other;
    group->turn = ++crew->turns;
    return group;
}

/* What has become of a group whose turn is over. */
static void settle_group(struct ptx_group *group)
{
    struct ptx_crew *crew = group->crew;
    switch ((enum ptx_group_state)group->state) {
    case PTX_RUNNING:
    case PTX_YIELDS:
        ptx_group_list(group);
        break;
    case PTX_AT_BARRIER:
    case PTX_AT_WARP_SYNC:
        group->other = crew->waiting;
        crew->waiting = group;
        break;
    case PTX_GONE:
        ptx_group_end(group);
        break;
    }
}

static bool has_run_too_long(const struct ptx_group *group)
{
    uint64_t most = group->block->grid->steps;
    return most && group->steps > most;
}

static void fail_for_length(struct ptx_group *group)
{
    ptx_fail(group, group->next, group->own[0].from, RILL_ERROR_LAUNCH_TIMEOUT, 0,
             "this thread has run %llu instructions and is stopped by the limit of %llu",
             (unsigned long long)group->steps,
             (unsigned long long)group->block->grid->steps);
}

/* Whether each group that could run has given up its turn, one after the other: what they
 * all wait for is another crew's, or another block's. */
static bool has_given_up(struct ptx_crew *crew, struct ptx_group *group)
{
    if (!group->gave_up) {
        crew->vain = 0;
        return false;
    }
    uint32_t groups = 0;
    group->gave_up = false;
    for (const struct ptx_group *at = crew->groups; at; at = at->other) groups++;
    if (++crew->vain <= groups) return false;
    crew->vain = 0;
    return true;
}

uint64_t ptx_crew_run(struct ptx_crew *crew, uint64_t steps)
{
    uint64_t ran = 0;
    while (crew->groups && ran < steps) {
        struct ptx_group *group = next_group(crew);
        uint64_t began = group->steps;
        group->stop = began + (steps - ran);
        ptx_group_set_limit(group);
        ptx_group_run(group);
        if (ptx_failed(group)) {
            ptx_group_end(group);
            break;
        }
        /* At least one, for what jumps nowhere. */
        uint64_t took = group->steps > began ? group->steps - began : 1;
        ran += took;
        if (crew->groups) crew->spent += took;
        if (has_run_too_long(group)) fail_for_length(group);
        if (has_given_up(crew, group)) ran = steps;
        settle_group(group);
        if (crew->sync_due) ptx_warp_sync_wake(crew);
    }
    return ran;
}
