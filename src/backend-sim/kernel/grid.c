/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/kernel/grid.h"

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/scheduler/worker.h"
#include "base/park.h"
#include "base/processor.h"
#include "base/thread.h"

/* A worker is woken at once for a grid that takes this long. */
#define LONG_NS 100000u

/* How often a thread looks for the end of blocks that others run before it sleeps. */
#define LOOKS 2000

/* ---- Who wants help ---------------------------------------------------------------- */

/* Tells whether one more thread may take blocks.  Requires grids->lock. */
static bool wants_help(const struct grid *grid)
{
    return grid->members < grid->most && grid->more(grid);
}

/* Tells whether a thread that waits for a point, or with NULL an idle one, may help. */
static bool comes_before(const struct grid *grid, const struct point *until)
{
    return !until || (grid->strand == until->strand && !sim_point_reached(*until));
}

/* Returns a grid that wants the thread's help, or NULL.  Requires grids->lock. */
static struct grid *find_wanting(struct grids *grids, const struct point *until)
{
    struct grid *grid = grids->running;
    while (grid && !(comes_before(grid, until) && wants_help(grid))) grid = grid->next;
    return grid;
}

static bool grids_want(struct engine *engine)
{
    struct grids *grids = engine->platform->grids;
    rl_lock(&grids->lock);
    bool wanted = find_wanting(grids, NULL);
    rl_unlock(&grids->lock);
    return wanted;
}

/* Wakes one more helper if a thread is idle. */
static void call_helper(struct engine *engine)
{
    if (atomic_load_explicit(&engine->idlers, memory_order_relaxed)) sim_engine_wake_helper(engine);
}

/* ---- Helping ------------------------------------------------------------------------ */

/* Notes where a thread runs that takes part.  A worker that was woken is next to the thread that
 * woke it, and both would share that processor for longer than most launches take: so a worker that
 * meets another member moves. */
static void find_processor(struct grids *grids, struct grid *grid)
{
    int others[GRID_PROCESSORS], here = rl_processor();
    bool shared = false;
    rl_lock(&grids->lock);
    const int count = (int)grid->noted;
    for (int i = 0; i < count; i++) {
        others[i] = grid->processors[i];
        shared |= others[i] == here;
    }
    rl_unlock(&grids->lock);
    if (shared && sim_is_worker) {
        rl_processor_leave(others, count);
        here = rl_processor();
    }
    rl_lock(&grids->lock);
    if (grid->noted < GRID_PROCESSORS) grid->processors[grid->noted++] = here;
    rl_unlock(&grids->lock);
}

/* Runs blocks in the name of the launch. */
static void take_part(struct grid *grid)
{
    struct run_context *outer = sim_run_here;
    struct running here = { grid->strand, sim_running, NULL };
    sim_run_here = grid->context;
    sim_running = &here;
    sim_host_depth++;
    grid->run(grid, true);
    sim_host_depth--;
    sim_running = here.outer;
    sim_run_here = outer;
}

/* Leaves a grid.  The last helper lets the launching thread go on, which ends the grid. */
static void leave_grid(struct grids *grids, struct grid *grid)
{
    rl_lock(&grids->lock);
    if (--grid->members == 1 && grid->awaited) {
        atomic_store(&grid->futex_word, 1);
        rl_unpark(&grid->futex_word, 1);
    }
    rl_unlock(&grids->lock);
}

static bool help_grids(struct engine *engine, const struct point *until)
{
    struct grids *grids = engine->platform->grids;
    if (!atomic_load_explicit(&grids->running, memory_order_relaxed)) return false;
    rl_lock(&grids->lock);
    struct grid *grid = find_wanting(grids, until);
    if (grid) grid->members++;
    bool more = grid && wants_help(grid);
    rl_unlock(&grids->lock);
    if (!grid) return false;
    /* From now on this thread looks for no other work. */
    if (more) call_helper(engine);
    else if (!atomic_load(&engine->watched)) sim_engine_wake_worker(engine);
    find_processor(grids, grid);
    take_part(grid);
    leave_grid(grids, grid);
    return true;
}

/* ---- Running ------------------------------------------------------------------------ */

/* Limits the threads of a grid.  Returns true if the grid is worth waking a worker. */
static bool staff_grid(struct engine *engine, struct grid *grid)
{
    unsigned block_ns = atomic_load_explicit(grid->block_ns, memory_order_relaxed);
    uint64_t workers = (uint64_t)engine->workers_max;
    grid->members = 1;
    grid->most = (unsigned)(grid->blocks < workers ? grid->blocks : workers);
    grid->noted = 0;
    if (grid->most > 1) grid->processors[grid->noted++] = rl_processor();
    return grid->most > 1 && block_ns && grid->blocks >= LONG_NS / block_ns;
}

/* Lists a grid, so that other threads may join. */
static void list_grid(struct engine *engine, struct grid *grid)
{
    struct grids *grids = engine->platform->grids;
    rl_lock(&grids->lock);
    grid->previous = NULL;
    grid->next = grids->running;
    if (grids->running) grids->running->previous = grid;
    grids->running = grid;
    /* The thread that fails the device says so before it looks at the list. */
    if (grid->stop && (atomic_load(&engine->attention) & ATTEND_FAULT)) grid->stop(grid);
    rl_unlock(&grids->lock);
}

/* Takes a grid off the list, so that no thread joins.  Returns how many are in it. */
static unsigned unlist_grid(struct grids *grids, struct grid *grid)
{
    rl_lock(&grids->lock);
    unsigned members = grid->members;
    if (grid->previous) grid->previous->next = grid->next;
    else grids->running = grid->next;
    if (grid->next) grid->next->previous = grid->previous;
    rl_unlock(&grids->lock);
    return members;
}

/* Tells whether the launching thread is the only one left in a grid; if not, the last helper
 * will wake it. */
static bool is_alone(struct grids *grids, struct grid *grid)
{
    rl_lock(&grids->lock);
    bool alone = grid->members == 1;
    grid->awaited = !alone;
    atomic_store(&grid->futex_word, 0);
    rl_unlock(&grids->lock);
    return alone;
}

static void await_helpers(struct grids *grids, struct grid *grid)
{
    while (!is_alone(grids, grid)) {
        int looks = 0;
        while (looks < LOOKS && !atomic_load_explicit(&grid->futex_word, memory_order_relaxed)) {
            rl_relax();
            looks++;
        }
        if (looks == LOOKS) rl_park(&grid->futex_word, 0, RL_FOREVER);
    }
}

/* Guesses what a block of the next launch takes, as if each member had done its share from
 * the beginning. */
static void learn_block_ns(struct grid *grid, uint64_t took, unsigned members)
{
    uint64_t each = took * members / grid->blocks;
    atomic_store_explicit(grid->block_ns, each < 1 ? 1 : each < UINT32_MAX ? (unsigned)each
                                                                          : UINT32_MAX,
                          memory_order_relaxed);
}

void sim_grid_run(struct engine *engine, struct grid *grid)
{
    grid->strand = sim_running ? sim_running->strand : NULL;
    grid->context = sim_run_here;
    grid->awaited = false;
    bool urgent = staff_grid(engine, grid), shared = grid->most > 1;
    uint64_t before = rl_monotonic_ns();
    list_grid(engine, grid);
    if (urgent) call_helper(engine);
    else if (shared && !atomic_load(&engine->watched)) sim_engine_wake_worker(engine);
    grid->run(grid, false);
    unsigned members = unlist_grid(engine->platform->grids, grid);
    uint64_t took = rl_monotonic_ns() - before;
    if (members > 1) await_helpers(engine->platform->grids, grid);
    learn_block_ns(grid, took, members);
}

static void stop_grids(struct engine *engine)
{
    struct grids *grids = engine->platform->grids;
    rl_lock(&grids->lock);
    for (struct grid *grid = grids->running; grid; grid = grid->next)
        if (grid->stop) grid->stop(grid);
    rl_unlock(&grids->lock);
}

const struct work_source sim_grids = {
    .wants = grids_want, .help = help_grids, .stop = stop_grids,
};
