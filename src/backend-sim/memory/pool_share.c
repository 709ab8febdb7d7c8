/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools of several processes.  The window of a pool that can be shared is memory of a file, and
 * the file is what another process gets.  It makes a pool of its own around that file, from which
 * nothing can be allocated; what the first process allocated enters it at the same place of the
 * window, as a block like any other, and is freed like one.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "backend-sim/memory/file_label.h"
#include "backend-sim/memory/pool.h"

static const char what_it_is[] = "rill pool 1";

#define BLOCK_MAGIC UINT32_C(0x72694c32)

struct block_handle {
    uint32_t magic;
    int32_t device;
    uint64_t file_id; /* of its pool    */
    uint64_t offset;  /* in the window  */
    uint64_t bytes;
};

_Static_assert(sizeof(struct block_handle) <= sizeof(rill_sim_shared), "a handle has room for it");

/* ---- Pools -------------------------------------------------------------------------- */

bool sim_pool_open_file(struct pool *pool, uint64_t bytes)
{
    struct file_label label;
    int file = sim_labelled_file(what_it_is, bytes, pool->home->device->ordinal);
    if (file < 0) return false;
    if (sim_label_read(file, what_it_is, &label, &pool->file_id) &&
        sim_window_open_file(&pool->window, bytes, file)) {
        pool->file = file;
        return true;
    }
    close(file);
    return false;
}

void sim_pool_close_file(struct pool *pool)
{
    if (pool->file >= 0) close(pool->file);
    pool->file = -1;
}

static rill_status copy_file(int file, int *copy)
{
    *copy = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (*copy >= 0) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                             "the process can have no more file descriptors");
}

/* Tells what is wrong with a pool that is to be shared. */
static rill_status check_shareable(const struct pool *pool)
{
    if (pool->shareable) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "pool",
                             pool->imported ? "the pool is another process's, which alone shares it"
                                            : "the pool was not made to be shared: set "
                                              "options->shareable");
}

rill_status sim_pool_share(struct pool *pool, int *file)
{
    rill_status status = check_shareable(pool);
    if (status) return status;
    rl_lock(&pool->home->lock);
    if (!pool->window.range.bytes) status = sim_pool_open_window(pool);
    if (!status) status = copy_file(pool->file, file);
    if (!status) pool->shared = true;
    rl_unlock(&pool->home->lock);
    if (!status) atomic_store(&pool->home->device->platform->has_others, true);
    return status;
}

/* Opens the window.  Requires pools->lock. */
static rill_status map_import(struct pool *pool, uint64_t bytes, int file)
{
    rill_status status = copy_file(file, &pool->file);
    if (!status && !sim_window_open_file(&pool->window, bytes, pool->file))
        status = RILL_ERROR_OUT_OF_MEMORY;
    return status ? status : sim_pool_begin_window(pool);
}

rill_status sim_pool_import(struct sim_platform *platform, rill_pool *handle, int file)
{
    struct file_label label;
    uint64_t id;
    if (!sim_label_read(file, what_it_is, &label, &id))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->file",
                                 "%d is no file descriptor of a pool", file);
    rill_status status =
        sim_check_device(platform, label.device, RILL_ERROR_NOT_SUPPORTED, "options->file");
    if (status) return status;
    struct pools *pools = platform->devices[label.device].pools;
    status = sim_pool_make(pools, handle, 0, false);
    if (status) return status;
    struct pool *pool = sim_pool_of(handle);
    rl_lock(&pools->lock);
    pool->imported = true;
    pool->file_id = id;
    status = map_import(pool, label.bytes, file);
    if (status) {
        pool->destroyed = true;
        sim_pool_settle(pool);
    }
    rl_unlock(&pools->lock);
    if (status) return rill_backend_fail(status, NULL, "no memory for a pool");
    atomic_store(&platform->has_others, true);
    return RILL_SUCCESS;
}

/* ---- Blocks -------------------------------------------------------------------------- */

/* Tells what is wrong with memory of a pool that is not shared.  Where nobody has the pool yet,
 * nobody could open the memory, as measured. */
static rill_status check_shared(struct pool *pool)
{
    rill_status status = check_shareable(pool);
    if (status) return status;
    rl_lock(&pool->home->lock);
    bool shared = pool->shared;
    rl_unlock(&pool->home->lock);
    if (shared) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                             "the pool has to be shared before its memory is");
}

rill_status sim_block_share(struct sim_platform *platform, uint64_t address,
                            rill_sim_shared *shared)
{
    struct address_info info;
    sim_map_lookup(platform->map, address, &info);
    if (!info.known || info.kind != ALLOCATION_POOL || !info.pool || info.base != address)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                                 "no memory of a pool begins at 0x%" PRIx64, address);
    struct pool *pool = sim_pool_of(info.pool);
    rill_status status = check_shared(pool);
    if (status) return status;
    const struct block_handle handle = { BLOCK_MAGIC, info.device, pool->file_id,
                                         info.base - pool->window.range.base, info.bytes };
    memset(shared, 0, sizeof *shared);
    memcpy(shared->bytes, &handle, sizeof handle);
    return RILL_SUCCESS;
}

/* Checks what other processes may have written at will. */
static bool is_plausible(const struct pool *pool, const struct block_handle *handle)
{
    return handle->magic == BLOCK_MAGIC && handle->file_id == pool->file_id && handle->bytes &&
           handle->offset % SIM_ALIGNMENT == 0 && handle->offset < pool->window.range.bytes &&
           handle->bytes <= pool->window.range.bytes - handle->offset;
}

/* Takes the place of a block in the window.  Returns NULL if it is not free, or memory is short.
 * Requires pools->lock. */
static struct block *take_place(struct pool *pool, const struct block_handle *handle)
{
    uint64_t base = pool->window.range.base + handle->offset;
    uint64_t bytes = sim_extents_round(&pool->extents, handle->bytes);
    struct extent *around = sim_extents_at(&pool->extents, base);
    if (around->used && sim_timelines_sweep(pool, NULL))
        around = sim_extents_at(&pool->extents, base);
    if (around->used || rl_range_end(&around->range) - base < bytes) return NULL;
    if (!sim_window_use(&pool->window, base + bytes)) return NULL;
    uint64_t offset = base - around->range.base;
    return sim_block_around(pool, sim_extents_carve(&pool->extents, around, offset, bytes));
}

rill_status sim_block_import(struct pool *pool, const rill_sim_shared *shared, uint64_t *address)
{
    struct block_handle handle;
    memcpy(&handle, shared->bytes, sizeof handle);
    if (!pool->imported || !is_plausible(pool, &handle))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "shared",
                                 "these bytes are no handle of memory of the pool");
    rl_lock(&pool->home->lock);
    struct block *block = take_place(pool, &handle);
    if (block) {
        sim_block_go_live(block, handle.bytes);
        *address = block->allocation.range.base;
    }
    rl_unlock(&pool->home->lock);
    if (block) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "shared",
                             "the memory is open already, or lies where other memory is open");
}
