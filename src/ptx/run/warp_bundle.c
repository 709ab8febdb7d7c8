/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ptx/run/grid.h"

/* For how many steps the front that is furthest behind may keep all others waiting.  It
 * becomes shorter while that happens again and again, and longer when fronts meet. */
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

static void end_all(struct ptx_front *front)
{
    while (front) {
        struct ptx_front *other = front->other;
        ptx_front_end(front);
        front = other;
    }
}

void ptx_crew_clear(struct ptx_crew *crew)
{
    end_all(crew->fronts);
    end_all(crew->waiting);
    crew->fronts = crew->waiting = NULL;
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
    struct ptx_front *front = ptx_front_begin(crew, root, program->steps, &crew->alive);
    if (!front) {
        root->references = 1;
        ptx_frame_leave(crew, root);
        return false;
    }
    ptx_front_list(front);
    crew->begun = true;
    return true;
}

/* ---- Turns ---------------------------------------------------------------------------- */

static struct ptx_front **longest_waiting(struct ptx_crew *crew)
{
    struct ptx_front **found = &crew->fronts;
    for (struct ptx_front **at = found; *at; at = &(*at)->other)
        if ((*at)->turn < (*found)->turn) found = at;
    return found;
}

static struct ptx_front *next_front(struct ptx_crew *crew)
{
    struct ptx_front **at = &crew->fronts;
    if (!crew->fronts->other) {
        crew->spent = 0;
        if (!crew->waiting && crew->patience < PATIENCE_MOST) crew->patience *= 2;
    } else if (crew->spent >= crew->patience) {
        crew->spent = 0;
        if (crew->patience > PATIENCE_LEAST) crew->patience /= 2;
        at = longest_waiting(crew);
    }
    struct ptx_front *front = *at;
    *at = front->other;
    front->turn = ++crew->turns;
    return front;
}

/* What has become of a front whose turn is over. */
static void settle_group(struct ptx_front *front)
{
    struct ptx_crew *crew = front->crew;
    switch ((enum ptx_front_state)front->state) {
    case PTX_RUNNING:
    case PTX_YIELDS:
        ptx_front_list(front);
        break;
    case PTX_AT_BARRIER:
    case PTX_AT_WARP_SYNC:
        front->other = crew->waiting;
        crew->waiting = front;
        break;
    case PTX_GONE:
        ptx_front_end(front);
        break;
    }
}

static bool has_run_too_long(const struct ptx_front *front)
{
    uint64_t most = front->block->grid->steps;
    return most && front->steps > most;
}

static void fail_for_length(struct ptx_front *front)
{
    ptx_fail(front, front->next, front->own[0].from, RILL_ERROR_LAUNCH_TIMEOUT, 0,
             "this thread has run %llu instructions and is stopped by the limit of %llu",
             (unsigned long long)front->steps,
             (unsigned long long)front->block->grid->steps);
}

/* Whether each front that could run has given up its turn, one after the other: what they
 * all wait for is another crew's, or another block's. */
static bool has_given_up(struct ptx_crew *crew, struct ptx_front *front)
{
    if (!front->gave_up) {
        crew->vain = 0;
        return false;
    }
    uint32_t fronts = 0;
    front->gave_up = false;
    for (const struct ptx_front *at = crew->fronts; at; at = at->other) fronts++;
    if (++crew->vain <= fronts) return false;
    crew->vain = 0;
    return true;
}

uint64_t ptx_crew_run(struct ptx_crew *crew, uint64_t steps)
{
    uint64_t ran = 0;
    while (crew->fronts && ran < steps) {
        struct ptx_front *front = next_front(crew);
        uint64_t began = front->steps;
        front->stop = began + (steps - ran);
        ptx_front_set_limit(front);
        ptx_front_run(front);
        if (ptx_failed(front)) {
            ptx_front_end(front);
            break;
        }
        /* At least one, for what jumps nowhere. */
        uint64_t took = front->steps > began ? front->steps - began : 1;
        ran += took;
        if (crew->fronts) crew->spent += took;
        if (has_run_too_long(front)) fail_for_length(front);
        if (has_given_up(crew, front)) ran = steps;
        settle_group(front);
        if (crew->sync_due) ptx_warp_sync_wake(crew);
    }
    return ran;
}
