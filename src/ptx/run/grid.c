/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/grid.h"

#include <fenv.h>
#include <sched.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/run/block.h"
#include "ptx/run/checks.h"
#include "ptx/run/cut.h"
#include "ptx/run/fault.h"
#include "ptx/run/spare.h"
#include "ptx/run/touches.h"

/* Steps of a block before another one's turn.  They become fewer once blocks have to take
 * turns, since most blocks that do so wait for others. */
#define TURN_LEAST 1024
#define TURN_MOST 65536

/* A thread takes a part of what is left of blocks abreast: one of so many for each thread. */
#define SHARES 4

/* What a thread holds while it runs blocks. */
struct hand {
    struct ptx_block *memory;    /* for the next block that begins */
    uint64_t next, end;          /* of the blocks that it has taken: those that have not begun */
    uint64_t done;
    struct ptx_touches *touches; /* NULL unless asked for          */
};

/* The arguments lie after the struct, and the first block after the arguments. */
static size_t params_at(void)
{
    return (sizeof(struct ptx_grid) + 63) & ~(size_t)63;
}

static size_t first_at(const struct ptx_kernel *kernel)
{
    return params_at() + (((size_t)kernel->packed_bytes + 16 + 63) & ~(size_t)63);
}

size_t ptx_grid_bytes(const struct ptx_kernel *kernel, const struct ptx_launch *launch)
{
    return first_at(kernel) + ptx_block_bytes(kernel, launch);
}

/* Returns how many blocks may wait for each other, whichever begins first. */
static uint64_t room_at_once(const struct ptx_grid *grid)
{
    return grid->blocks <= grid->aside_most ? grid->blocks : grid->aside_most;
}

/* Returns how many blocks begin: clusters, or rows of blocks abreast, count as one. */
static uint64_t count_turns(const struct ptx_kernel *kernel, const struct ptx_launch *launch)
{
    const uint64_t abreast = ptx_blocks_abreast(kernel, launch);
    const uint64_t across = (launch->grid[0] + abreast - 1) / abreast;
    return across * launch->grid[1] * launch->grid[2] / ptx_cluster_size(launch);
}

struct ptx_grid *ptx_grid_place(const struct ptx_kernel *kernel, const struct ptx_launch *launch,
                                void *memory)
{
    struct ptx_grid *grid = memory;
    memset(memory, 0, first_at(kernel));
    grid->kernel = kernel;
    grid->launch = *launch;
    grid->params = (unsigned char *)memory + params_at();
    if (kernel->packed_bytes) memcpy(grid->params, launch->params, kernel->packed_bytes);
    grid->launch.params = grid->params;
    grid->blocks = count_turns(kernel, launch);
    const bool waits = ptx_blocks_abreast(kernel, launch) == 1; /* or may, or is not worth it */
    grid->share = waits || !launch->threads ? UINT64_MAX : (uint64_t)SHARES * launch->threads;
    grid->steps = launch->steps ? launch->steps : kernel->code->limits.steps;
    grid->aside_end = &grid->aside;
    grid->workspace.bytes = sizeof grid->workspace;
    size_t most = PTX_ASIDE_BYTES / ptx_block_bytes(kernel, launch);
    grid->aside_most = launch->cooperative ? SIZE_MAX : most > 8 ? most : 8;
    if (launch->block_order)
        grid->shuffle = rl_shuffle_of(launch->block_order, room_at_once(grid));
    atomic_init(&grid->turn, launch->cooperative ? TURN_LEAST : TURN_MOST);
    grid->alone = ptx_checks_need_one(&grid->launch);
    if (grid->alone) grid->checks = ptx_grid_checks_make(&grid->launch);
    grid->first = grid->free = ptx_block_place(grid, (unsigned char *)memory + first_at(kernel));
    return grid;
}

rill_status ptx_grid_open(const struct ptx_kernel *kernel, const struct ptx_launch *launch,
                          struct ptx_grid **opened)
{
    void *memory = rl_alloc_aligned(ptx_grid_bytes(kernel, launch), 64);
    if (!memory) return RILL_ERROR_OUT_OF_MEMORY;
    *opened = ptx_grid_place(kernel, launch, memory);
    (*opened)->own = true;
    return RILL_SUCCESS;
}

uint64_t ptx_grid_workspace(const struct ptx_grid *grid)
{
    return grid->launch.cooperative ? (uintptr_t)&grid->workspace : 0;
}

void ptx_grid_show_workspace(const struct ptx_grid *grid, struct ptx_extent *extent)
{
    uint64_t base = ptx_grid_workspace(grid);
    *extent = (struct ptx_extent){ .base = base,
                                   .end = base ? base + sizeof grid->workspace : 0,
                                   .host = (unsigned char *)(uintptr_t)base };
}

static void free_blocks(const struct ptx_grid *grid, struct ptx_block *block)
{
    while (block) {
        struct ptx_block *next = block->next;
        ptx_block_clear(block);
        if (block != grid->first) rl_free(block);
        block = next;
    }
}

void ptx_grid_close(struct ptx_grid *grid)
{
    if (!grid) return;
    free_blocks(grid, grid->free);
    free_blocks(grid, grid->aside);
    ptx_grid_checks_free(grid->checks, &grid->launch);
    if (grid->own) rl_free(grid);
}

static bool has_grid_failed(const struct ptx_grid *grid)
{
    return atomic_load_explicit(&grid->launch.fault->status, memory_order_relaxed) != 0;
}

/* ---- Blocks that are put aside -------------------------------------------------------- */

static void put_aside(struct ptx_grid *grid, struct ptx_block *block)
{
    uint64_t turn = atomic_load_explicit(&grid->turn, memory_order_relaxed);
    if (turn > TURN_LEAST) atomic_store_explicit(&grid->turn, turn / 2, memory_order_relaxed);
    rl_lock(&grid->lock);
    block->next = NULL;
    *grid->aside_end = block;
    grid->aside_end = &block->next;
    size_t count = 1 + atomic_fetch_add_explicit(&grid->aside_count, 1, memory_order_relaxed);
    if (++grid->vain >= count) {
        grid->vain = 0;
        atomic_store_explicit(&grid->credit, 1 + count / 4, memory_order_relaxed);
    }
    rl_unlock(&grid->lock);
}

static struct ptx_block *take_aside(struct ptx_grid *grid)
{
    if (!atomic_load_explicit(&grid->aside_count, memory_order_relaxed)) return NULL;
    rl_lock(&grid->lock);
    struct ptx_block *block = grid->aside;
    if (block) {
        grid->aside = block->next;
        if (!grid->aside) grid->aside_end = &grid->aside;
        atomic_fetch_sub_explicit(&grid->aside_count, 1, memory_order_relaxed);
    }
    rl_unlock(&grid->lock);
    return block;
}

/* ---- Blocks that begin ---------------------------------------------------------------- */

static struct ptx_block *get_memory(struct ptx_grid *grid, struct hand *hand)
{
    struct ptx_block *block = hand->memory;
    hand->memory = NULL;
    if (block) return block;
    rl_lock(&grid->lock);
    block = grid->free;
    if (block) grid->free = block->next;
    rl_unlock(&grid->lock);
    return block ? block : ptx_block_make(grid);
}

static void keep_memory(struct ptx_grid *grid, struct hand *hand, struct ptx_block *block)
{
    if (!hand->memory) {
        hand->memory = block;
        return;
    }
    rl_lock(&grid->lock);
    block->next = grid->free;
    grid->free = block;
    rl_unlock(&grid->lock);
}

/* A thread that sees an old credit begins one block too many, or one too late. */
static bool may_begin(struct ptx_grid *grid)
{
    if (!atomic_load_explicit(&grid->aside_count, memory_order_relaxed)) return true;
    size_t credit = atomic_load_explicit(&grid->credit, memory_order_relaxed);
    if (credit) atomic_store_explicit(&grid->credit, credit - 1, memory_order_relaxed);
    return credit;
}

static bool has_room(const struct ptx_grid *grid)
{
    return atomic_load_explicit(&grid->aside_count, memory_order_relaxed) < grid->aside_most;
}

/* Returns which block begins as so many others have begun. */
static uint64_t place_in_order(const struct ptx_grid *grid, uint64_t begun)
{
    if (!grid->launch.block_order) return begun;
    uint64_t start = begun - begun % grid->shuffle.size, left = grid->blocks - start;
    struct rl_shuffle shuffle = grid->shuffle;
    if (left < shuffle.size) shuffle = rl_shuffle_of(grid->launch.block_order, left);
    return start + rl_shuffle_at(&shuffle, begun - start);
}

/* Takes the next block, or of those that wait for nobody so many in a row that what a thread reads
 * and writes lies together; the parts become smaller, so all threads are done at the same time. */
static bool take_blocks(struct ptx_grid *grid, struct hand *hand)
{
    const uint64_t begun = atomic_load_explicit(&grid->next, memory_order_relaxed);
    uint64_t count = begun < grid->blocks ? (grid->blocks - begun) / grid->share : 0;
    if (count == 0) count = 1;
    hand->next = atomic_fetch_add_explicit(&grid->next, count, memory_order_relaxed);
    hand->end = hand->next + count < grid->blocks ? hand->next + count : grid->blocks;
    return hand->next < hand->end;
}

/* Tells whether a block is left that the thread has taken, or may take. */
static bool has_blocks(const struct ptx_grid *grid, const struct hand *hand)
{
    return hand->next < hand->end ||
           atomic_load_explicit(&grid->next, memory_order_relaxed) < grid->blocks;
}

/* Begins a block.  Without memory for another one the blocks that have some run one after the
 * other, as long as they need not wait for each other: the first always has memory. */
static struct ptx_block *begin_block(struct ptx_grid *grid, struct hand *hand)
{
    if (!has_blocks(grid, hand) || !has_room(grid)) return NULL;
    struct ptx_block *block = get_memory(grid, hand);
    if (!block) {
        if (grid->launch.cooperative)
            ptx_grid_fail(grid, RILL_ERROR_OUT_OF_MEMORY, "there is no memory for all its blocks");
        return NULL;
    }
    if (hand->next < hand->end || take_blocks(grid, hand)) {
        ptx_block_begin(block, place_in_order(grid, hand->next++));
        return block;
    }
    keep_memory(grid, hand, block);
    return NULL;
}

/* Counts the rest of a failed launch as done: nothing of it runs any more. */
static void give_up(struct ptx_grid *grid, struct hand *hand)
{
    uint64_t next = atomic_exchange_explicit(&grid->next, grid->blocks, memory_order_relaxed);
    if (next < grid->blocks) hand->done += grid->blocks - next;
    if (hand->next < hand->end) hand->done += hand->end - hand->next;
    hand->next = hand->end;
    for (struct ptx_block *block; (block = take_aside(grid)) != NULL; hand->done++) {
        ptx_spare_leave(block);
        keep_memory(grid, hand, block);
    }
}

/* Returns a block to go on with, or to begin, or NULL if there is none or the launch has
 * failed. */
static struct ptx_block *next_block(struct ptx_grid *grid, struct hand *hand)
{
    struct ptx_block *block = may_begin(grid) ? begin_block(grid, hand) : NULL;
    if (!block) block = take_aside(grid);
    return block ? block : begin_block(grid, hand);
}

static void note_end(struct ptx_grid *grid)
{
    if (!atomic_load_explicit(&grid->aside_count, memory_order_relaxed)) return;
    rl_lock(&grid->lock);
    grid->vain = 0;
    rl_unlock(&grid->lock);
}

/* Gives the block a turn, or more if others wait for it to end.  Returns false if nothing of it
 * is left to run. */
static bool run_turn(const struct ptx_grid *grid, struct ptx_block *block)
{
    while (ptx_block_run(block, atomic_load_explicit(&grid->turn, memory_order_relaxed)))
        if (!ptx_spare_keeps(block)) return true;
    ptx_spare_leave(block);
    return false;
}

static void run_all(struct ptx_grid *grid, struct hand *hand)
{
    for (;;) {
        if (has_grid_failed(grid)) {
            give_up(grid, hand);
            return;
        }
        struct ptx_block *block = next_block(grid, hand);
        if (!block && has_grid_failed(grid)) continue;
        /* Blocks that it has taken need memory that another thread is about to leave. */
        if (!block && hand->next < hand->end) {
            sched_yield();
            continue;
        }
        if (!block) return;
        block->touches = hand->touches;
        if (run_turn(grid, block)) {
            put_aside(grid, block);
        } else {
            keep_memory(grid, hand, block);
            hand->done++;
            note_end(grid);
        }
    }
}

/* Returns false to a thread that is not to run blocks, since another one does and has to do it
 * alone. */
static bool enter_grid(struct ptx_grid *grid)
{
    rl_lock(&grid->lock);
    const bool runs = !(grid->alone && grid->inside);
    grid->inside++;
    rl_unlock(&grid->lock);
    return runs;
}

/* Returns true to the last thread that leaves a grid that is done.  No other thread touches
 * the grid afterwards. */
static bool leave_grid(struct ptx_grid *grid, struct hand *hand)
{
    rl_lock(&grid->lock);
    if (hand->touches) ptx_touches_end(hand->touches);
    if (hand->memory) {
        hand->memory->next = grid->free;
        grid->free = hand->memory;
    }
    grid->done += hand->done;
    bool last = --grid->inside == 0 && grid->done == grid->blocks && !grid->told;
    if (last) grid->told = true;
    rl_unlock(&grid->lock);
    return last;
}

bool ptx_grid_run(struct ptx_grid *grid)
{
    struct hand hand = { 0 };
    struct ptx_touches touches;
    fenv_t before;
    const bool runs = enter_grid(grid);
    if (grid->launch.footprint) {
        ptx_touches_begin(&touches, grid);
        hand.touches = &touches;
    }
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    if (runs) run_all(grid, &hand);
    fesetenv(&before);
    return leave_grid(grid, &hand);
}

bool ptx_grid_has_more(const struct ptx_grid *grid)
{
    if (grid->alone) return false;
    if (atomic_load_explicit(&grid->aside_count, memory_order_relaxed)) return true;
    return atomic_load_explicit(&grid->next, memory_order_relaxed) < grid->blocks &&
           has_room(grid);
}
