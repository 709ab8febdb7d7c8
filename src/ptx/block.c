/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/alloc.h"
#include "ptx/grid.h"
#include "ptx/memory.h"
#include "ptx/races.h"

/* Steps of a crew before the next one's turn: fewer once one has used them up. */
#define CREW_STEPS_LEAST 512
#define CREW_STEPS_MOST 16384

static uint32_t threads_of(const struct ptx_launch *launch)
{
    return launch->block[0] * launch->block[1] * launch->block[2];
}

static bool make_crews(struct ptx_block *block, uint32_t threads)
{
    uint32_t count = (threads + PTX_CREW - 1) / PTX_CREW;
    block->crews = rl_zalloc(sizeof *block->crews * count);
    if (!block->crews) return false;
    block->crew_count = count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = i * PTX_CREW, left = threads - first;
        if (!ptx_crew_make(&block->crews[i], block, first, left < PTX_CREW ? left : PTX_CREW))
            return false;
    }
    return true;
}

static bool furnish(struct ptx_block *block)
{
    const struct ptx_kernel *kernel = block->kernel;
    uint32_t threads = threads_of(block->launch);
    block->shared_bytes = kernel->static_shared + block->launch->dynamic_shared;
    block->shared = rl_zalloc_lines(block->shared_bytes + 16);
    block->barriers = ptx_barriers_make((threads + PTX_WARP - 1) / PTX_WARP);
    block->reach = rl_zalloc(sizeof *block->reach);
    if (block->launch->check_races) {
        block->races = rl_zalloc(ptx_races_bytes(threads, block->shared_bytes));
        if (!block->races) return false;
    }
    if (block->reach) ptx_reach_open(block->reach, block->launch->world);
    return block->shared && block->barriers && block->reach && make_crews(block, threads) &&
           ptx_local_reserve(block, kernel->code->programs[kernel->program].local_bytes);
}

struct ptx_block *ptx_block_make(struct ptx_grid *grid)
{
    struct ptx_block *block = rl_zalloc(sizeof *block);
    if (!block) return NULL;
    block->grid = grid;
    block->launch = &grid->launch;
    block->kernel = grid->kernel;
    block->params = grid->params;
    if (furnish(block)) return block;
    ptx_block_free(block);
    return NULL;
}

static void free_pools(struct ptx_block *block)
{
    for (struct ptx_front *front = block->free_fronts; front;) {
        struct ptx_front *other = front->other;
        rl_free(front);
        front = other;
    }
    for (struct ptx_frame *frame = block->free_frames; frame;) {
        struct ptx_frame *parent = frame->parent;
        rl_free(frame);
        frame = parent;
    }
}

void ptx_block_free(struct ptx_block *block)
{
    if (!block) return;
    for (uint32_t i = 0; i < block->crew_count; i++) {
        ptx_crew_clear(&block->crews[i]);
        ptx_crew_free(&block->crews[i]);
    }
    free_pools(block);
    rl_free(block->crews);
    ptx_barriers_free(block->barriers);
    rl_free(block->shared);
    rl_free(block->reach);
    rl_free(block->races);
    rl_free(block);
}

void ptx_block_begin(struct ptx_block *block, uint64_t number)
{
    const uint32_t *grid = block->launch->grid;
    block->number = number;
    block->index[0] = (uint32_t)(number % grid[0]);
    block->index[1] = (uint32_t)(number / grid[0] % grid[1]);
    block->index[2] = (uint32_t)(number / grid[0] / grid[1]);
    block->crew_steps = CREW_STEPS_MOST;
    ptx_barriers_reset(block->barriers);
    if (block->races) ptx_races_begin(block->races, threads_of(block->launch), block->shared_bytes);
    for (uint32_t i = 0; i < block->crew_count; i++) ptx_crew_reset(&block->crews[i]);
}

/* ---- Local memory ----------------------------------------------------------------------- */

static unsigned char *stretch(const struct ptx_crew *crew, uint32_t from, uint32_t to)
{
    unsigned char *wider = rl_zalloc_lines((size_t)to * crew->lanes);
    if (wider)
        for (uint32_t i = 0; i < crew->lanes && from; i++)
            memcpy(wider + (size_t)i * to, crew->local + (size_t)i * from, from);
    return wider;
}

bool ptx_local_reserve(struct ptx_block *block, uint32_t bytes)
{
    uint32_t old = block->local_bytes;
    if (bytes <= old) return true;
    if (bytes > PTX_MOST_LOCAL) return false;
    uint32_t more = bytes < 2 * old ? 2 * old : bytes;
    more = more > PTX_MOST_LOCAL ? PTX_MOST_LOCAL : (more + 15) & ~15u;
    unsigned char *wider[64];
    for (uint32_t i = 0; i < block->crew_count; i++)
        if (!(wider[i] = stretch(&block->crews[i], old, more))) {
            while (i-- > 0) rl_free(wider[i]);
            return false;
        }
    for (uint32_t i = 0; i < block->crew_count; i++) {
        rl_free(block->crews[i].local);
        block->crews[i].local = wider[i];
    }
    block->local_bytes = more;
    return true;
}

/* ---- Running ---------------------------------------------------------------------------- */

static bool failed(const struct ptx_block *block)
{
    return atomic_load_explicit(&block->launch->fault->status, memory_order_relaxed) != 0;
}

static bool is_over(const struct ptx_block *block)
{
    for (uint32_t i = 0; i < block->crew_count; i++)
        if (!block->crews[i].begun || block->crews[i].fronts || block->crews[i].waiting)
            return false;
    return true;
}

/* True: some front ran. */
static bool run_crews(struct ptx_block *block, uint64_t *ran)
{
    bool moved = false;
    for (uint32_t i = 0; i < block->crew_count && !failed(block); i++) {
        struct ptx_crew *crew = &block->crews[i];
        if (!crew->begun && !ptx_crew_begin(crew)) {
            ptx_grid_fail(block->grid, RILL_ERROR_OUT_OF_MEMORY,
                          "there is no memory for the registers of a block");
            return true;
        }
        if (!crew->fronts) continue;
        moved = true;
        uint64_t took = ptx_crew_run(crew, block->crew_steps);
        if (took >= block->crew_steps && block->crew_steps > CREW_STEPS_LEAST)
            block->crew_steps /= 2;
        *ran += took;
    }
    return moved;
}

bool ptx_block_run(struct ptx_block *block, uint64_t steps)
{
    for (uint64_t ran = 0; ran < steps;) {
        bool moved = run_crews(block, &ran);
        if (failed(block) || is_over(block)) return false;
        if (!moved) {
            ptx_fail_deadlock(block);
            return false;
        }
    }
    return true;
}
