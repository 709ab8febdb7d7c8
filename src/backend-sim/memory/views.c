/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/memory/views.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/memory_file.h"

/* How much more becomes usable at once. */
#define STEP_BYTES (UINT64_C(16) << 20)

/* The window, if the system has addresses for two of them; otherwise smaller ones. */
#define WINDOW_MOST (UINT64_C(1) << 41)
#define WINDOW_LEAST (UINT64_C(1) << 28)

static void *memory_at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* ---- Life --------------------------------------------------------------------------------- */

static bool open_windows(struct views *views)
{
    for (uint64_t bytes = WINDOW_MOST; bytes >= WINDOW_LEAST; bytes /= 4) {
        if (!sim_window_open(&views->program, bytes)) continue;
        if (sim_window_open(&views->engine, bytes)) return true;
        sim_window_close(&views->program);
    }
    return false;
}

static void close_windows(struct views *views)
{
    if (!views->program.range.bytes) return;
    sim_window_close(&views->program);
    sim_window_close(&views->engine);
}

/* Everything is pieces of pages, and the first step shows whether the system maps them twice. */
static bool open_views(struct views *views)
{
    views->file = rl_memory_file_open("rill pinned memory");
    if (views->file < 0 || !open_windows(views)) return false;
    const struct range *range = &views->program.range;
    views->shift = views->engine.range.base - range->base;
    if (sim_extents_open(&views->extents, EXTENTS_LOWEST, range->base, range->bytes,
                         (uint64_t)sysconf(_SC_PAGESIZE)))
        return false;
    struct extent *first = sim_views_alloc(views, 1);
    if (first) sim_views_free(views, first);
    else sim_extents_close(&views->extents);
    return first;
}

rill_status sim_views_open(struct sim_platform *platform)
{
    if (platform->views) return RILL_SUCCESS;
    struct views *views = rl_zalloc(sizeof *views);
    if (views && open_views(views)) {
        platform->views = views;
        return RILL_SUCCESS;
    }
    if (views) {
        close_windows(views);
        if (views->file >= 0) close(views->file);
    }
    rl_free(views);
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, NULL,
                             "the system does not map memory twice; pinned memory stays ordinary "
                             "memory");
}

void sim_views_close(struct views *views)
{
    if (!views) return;
    sim_extents_close(&views->extents);
    close_windows(views);
    close(views->file);
    rl_free(views);
}

/* ---- Memory ------------------------------------------------------------------------------- */

static bool map_step(const struct views *views, uint64_t base, uint64_t from, uint64_t to)
{
    return mmap(memory_at(base + from), (size_t)(to - from), PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_FIXED | MAP_NORESERVE, views->file, (off_t)from) != MAP_FAILED;
}

/* Maps the file up to `end` in both windows.  Requires views->lock. */
static bool use_windows(struct views *views, uint64_t end)
{
    const struct range *program = &views->program.range;
    uint64_t used = atomic_load_explicit(&views->program.used, memory_order_relaxed);
    uint64_t wanted = end - program->base;
    if (wanted <= used) return true;
    wanted = (wanted + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    if (wanted > program->bytes || !rl_memory_file_grow(views->file, wanted) ||
        !map_step(views, program->base, used, wanted) ||
        !map_step(views, views->engine.range.base, used, wanted))
        return false;
    atomic_store_explicit(&views->program.used, wanted, memory_order_relaxed);
    return true;
}

struct extent *sim_views_alloc(struct views *views, uint64_t bytes)
{
    uint64_t rounded = sim_extents_round(&views->extents, bytes);
    if (!rounded) return NULL;
    rl_lock(&views->lock);
    struct extent *from = sim_extents_fit(&views->extents, rounded);
    if (from && !use_windows(views, from->range.base + rounded)) from = NULL;
    struct extent *extent = from ? sim_extents_carve(&views->extents, from, 0, rounded) : NULL;
    rl_unlock(&views->lock);
    return extent;
}

/* Lifts what protects the program's pages, and gives their memory back to the system. */
static void clear_pages(const struct views *views, const struct range *range)
{
    mprotect(memory_at(range->base), (size_t)range->bytes, PROT_READ | PROT_WRITE);
    rl_memory_file_discard(views->file, range->base - views->program.range.base, range->bytes);
}

void sim_views_free(struct views *views, struct extent *extent)
{
    clear_pages(views, &extent->range);
    rl_lock(&views->lock);
    sim_extents_release(&views->extents, extent, 0);
    rl_unlock(&views->lock);
}
