/* SPDX-License-Identifier: Apache-2.0
 *
 * How many blocks of a kernel a multiprocessor holds: as many as its threads, blocks,
 * registers and shared memory suffice for.  Only a cubin tells the registers of a kernel;
 * for others rill says 32.
 */
#include "standin/code/function.h"
#include "standin/object/device_attribute.h"

enum {
    WARP = 32,
    REGISTER_GRAIN = 256,   /* registers that a warp gets at a time        */
    SHARED_GRAIN = 128,     /* bytes that a block gets at a time           */
    SHARED_ALWAYS = 49152,  /* bytes of shared memory that a block may have */
    CARVEOUT_FREE = -1,     /* the driver's choice, which is all of it     */
    SCHEDULERS = 4,         /* of a multiprocessor: warps are theirs       */
    CLUSTER_PORTABLE = 8,   /* blocks of a cluster on every device ...     */
    CLUSTER_LARGE = 16      /* ... and where a function is set to more     */
};

enum {
    MAX_BLOCK_THREADS = 1,  /* of a block: numbers of attributes           */
    MAX_THREADS = 39,       /* of a multiprocessor                         */
    MAX_BLOCKS = 106,
    MAX_REGISTERS = 82,
    MAX_SHARED = 81,
    RESERVED_SHARED = 111,  /* of each block                               */
    MULTIPROCESSORS = 16
};

static int64_t device_limit(const struct si_function *function, int attribute)
{
    int value = 0;
    const struct si_context *context = function->module->context;
    si_device_attribute(&si_devices[context->device], attribute, &value);
    return value;
}

static int64_t ask_function(const struct si_function *function, int attribute)
{
    int value = 0;
    si_function_get(function, attribute, &value);
    return value;
}

/* Finds a function that answers questions: once one has succeeded, the statuses of the
 * others need no check. */
static CUresult open_function(CUfunction handle, struct si_function **function)
{
    int ignored;
    CUresult status = si_function_here(handle, function);
    return status ? status
                  : si_function_get(*function, RILL_KERNEL_MAX_THREADS_PER_BLOCK, &ignored);
}

static int64_t round_up(int64_t value, int64_t grain)
{
    return (value + grain - 1) / grain * grain;
}

/* ---- Limits ------------------------------------------------------------------------- */

static int64_t blocks_by_registers(const struct si_function *function, int64_t warps)
{
    int64_t each = round_up(ask_function(function, RILL_KERNEL_REGISTERS) * WARP, REGISTER_GRAIN);
    int64_t most = device_limit(function, MAX_REGISTERS) / SCHEDULERS / each * SCHEDULERS;
    return most / warps;
}

static int64_t shared_per_block(const struct si_function *function, size_t dynamic)
{
    int64_t fixed = ask_function(function, RILL_KERNEL_SHARED_BYTES) +
                    device_limit(function, RESERVED_SHARED);
    return round_up(fixed + (int64_t)dynamic, SHARED_GRAIN);
}

/* Returns how many hundredths of a multiprocessor's memory the function wants as shared memory. */
static int64_t shared_percent(const struct si_function *function)
{
    int64_t percent = ask_function(function, RILL_KERNEL_SHARED_CARVEOUT);
    if (percent != CARVEOUT_FREE) return percent;
    switch (__atomic_load_n(&function->cache_config, __ATOMIC_RELAXED)) {
    case CU_FUNC_CACHE_PREFER_L1: return 0;
    case CU_FUNC_CACHE_PREFER_EQUAL: return 50;
    default: return 100;
    }
}

/* Returns how much of a multiprocessor's memory is shared memory: the least that there can be with
 * so many hundredths, and with one block.  There can be some amounts only. */
static int64_t shared_of_all(const struct si_function *function, int64_t percent, int64_t block)
{
    static const int64_t amounts[] = { 8, 16, 32, 64, 100, 132, 164, 196, 228 }; /* KiB */
    int64_t all = device_limit(function, MAX_SHARED), wanted = block;
    if (wanted < all * percent / 100) wanted = all * percent / 100;
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++)
        if (amounts[i] * 1024 >= wanted) return amounts[i] * 1024 < all ? amounts[i] * 1024 : all;
    return all;
}

static int64_t most_dynamic(const struct si_function *function)
{
    int64_t set = ask_function(function, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES);
    int64_t always = SHARED_ALWAYS - ask_function(function, RILL_KERNEL_SHARED_BYTES);
    return set > always ? set : always;
}

/* Counts the blocks, of so many threads and with so much dynamic shared memory, that a
 * multiprocessor holds.  Of the shared memory that it can have, it has `percent`. */
static int count_with(const struct si_function *function, int64_t percent, int threads,
                      size_t dynamic)
{
    int64_t warps = round_up(threads, WARP) / WARP, blocks;
    int64_t most = device_limit(function, MAX_BLOCKS);
    if (threads > device_limit(function, MAX_BLOCK_THREADS)) return 0;
    if (dynamic > (size_t)most_dynamic(function)) return 0;
    blocks = device_limit(function, MAX_THREADS) / WARP / warps;
    if (blocks < most) most = blocks;
    blocks = blocks_by_registers(function, warps);
    if (blocks < most) most = blocks;
    int64_t each = shared_per_block(function, dynamic);
    blocks = shared_of_all(function, percent, each) / each;
    return (int)(blocks < most ? blocks : most);
}

static int count_blocks(const struct si_function *function, int threads, size_t dynamic)
{
    return count_with(function, shared_percent(function), threads, dynamic);
}

ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
      (int *blocks, CUfunction handle, int threads, size_t dynamic, unsigned flags),
      (blocks, handle, threads, dynamic, flags))
{
    struct si_function *function;
    CUresult status = open_function(handle, &function);
    if (status) return status;
    if (!blocks || threads <= 0 || flags > 1) return RILL_ERROR_INVALID_VALUE;
    *blocks = count_blocks(function, threads, dynamic);
    return RILL_SUCCESS;
}

SAME_AS(cuOccupancyMaxActiveBlocksPerMultiprocessor,
        cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
        (int *blocks, CUfunction function, int threads, size_t dynamic),
        (blocks, function, threads, dynamic, 0))

/* Answers the most that each of so many blocks can have. */
ENTRY(cuOccupancyAvailableDynamicSMemPerBlock,
      (size_t *dynamic, CUfunction handle, int blocks, int threads),
      (dynamic, handle, blocks, threads))
{
    struct si_function *function;
    CUresult status = open_function(handle, &function);
    if (status) return status;
    if (!dynamic || blocks <= 0 || threads <= 0) return RILL_ERROR_INVALID_VALUE;
    if (blocks > count_blocks(function, threads, 0)) return RILL_ERROR_INVALID_VALUE;
    int64_t all = shared_of_all(function, shared_percent(function), shared_per_block(function, 0));
    int64_t room = all / blocks / SHARED_GRAIN * SHARED_GRAIN -
                   ask_function(function, RILL_KERNEL_SHARED_BYTES);
    int64_t most = ask_function(function, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES);
    if (room > most) room = most;
    *dynamic = room > 0 ? (size_t)room : 0;
    return RILL_SUCCESS;
}

/* ---- The best block ----------------------------------------------------------------- */

struct best {
    int threads, blocks;
};

/* Finds the block with which most threads run at once; among equal ones the largest. */
static struct best best_block(const struct si_function *function,
                              CUoccupancyB2DSize shared_of_size, size_t dynamic, int most)
{
    struct best best = { 0, 0 };
    /* What is set as a carveout does not count here, as measured. */
    bool set = ask_function(function, RILL_KERNEL_SHARED_CARVEOUT) != CARVEOUT_FREE;
    int64_t percent = set ? 100 : shared_percent(function);
    for (int threads = (int)round_up(most, WARP); threads > 0; threads -= WARP) {
        int size = threads < most ? threads : most;
        int blocks = count_with(function, percent, size,
                                shared_of_size ? shared_of_size(size) : dynamic);
        if ((int64_t)blocks * size > (int64_t)best.blocks * best.threads)
            best = (struct best){ size, blocks };
    }
    return best;
}

ENTRY(cuOccupancyMaxPotentialBlockSizeWithFlags,
      (int *grid, int *block, CUfunction handle, CUoccupancyB2DSize shared_of_size,
       size_t dynamic, int most, unsigned flags),
      (grid, block, handle, shared_of_size, dynamic, most, flags))
{
    struct si_function *function;
    CUresult status = open_function(handle, &function);
    if (status) return status;
    if (!grid || !block || most < 0 || flags > 1) return RILL_ERROR_INVALID_VALUE;
    int known = (int)ask_function(function, RILL_KERNEL_MAX_THREADS_PER_BLOCK);
    struct best best = best_block(function, shared_of_size, dynamic,
                                  most && most < known ? most : known);
    *block = best.threads;
    *grid = best.blocks * (int)device_limit(function, MULTIPROCESSORS);
    return RILL_SUCCESS;
}

SAME_AS(cuOccupancyMaxPotentialBlockSize, cuOccupancyMaxPotentialBlockSizeWithFlags,
        (int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared_of_size,
         size_t dynamic, int most),
        (grid, block, function, shared_of_size, dynamic, most, 0))

/* ---- Clusters ----------------------------------------------------------------------- */

static int largest_cluster(const struct si_function *function)
{
    int large = (int)ask_function(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
    return large ? CLUSTER_LARGE : CLUSTER_PORTABLE;
}

static int64_t count_threads(rill_dim3 block)
{
    uint64_t threads = (uint64_t)block.x * block.y;
    if (threads <= INT32_MAX) threads *= block.z;
    return threads > INT32_MAX ? INT32_MAX : (int64_t)threads;
}

/* Finds the cluster that such a launch asks for: its own, else the function's.  Returns false if
 * there is neither; then it is of one block. */
static bool find_cluster(const struct si_function *function, const CUlaunchConfig *config,
                         rill_dim3 *cluster)
{
    for (unsigned i = 0; i < config->attribute_count; i++) {
        if (config->attributes[i].id != RILL_ATTRIBUTE_CLUSTER) continue;
        *cluster = si_function_fit_cluster(function, config->attributes[i].value.cluster);
        return true;
    }
    const rill_dim3 own = si_function_cluster(function);
    const bool asks = own.x || own.y || own.z;
    *cluster = asks ? own : (rill_dim3){ 1, 1, 1 };
    return asks;
}

/* Refuses clusters that do not divide the grid, or are too large. */
static CUresult check_cluster(const struct si_function *function, const CUlaunchConfig *config)
{
    const rill_dim3 grid = config->grid;
    rill_dim3 cluster;
    find_cluster(function, config, &cluster);
    int64_t blocks = count_threads(cluster);
    bool fits = blocks && blocks <= largest_cluster(function) && grid.x % cluster.x == 0 &&
                grid.y % cluster.y == 0 && grid.z % cluster.z == 0;
    return fits ? RILL_SUCCESS : RILL_ERROR_INVALID_CLUSTER_SIZE;
}

static CUresult check_clusters(const int *count, CUfunction handle, const CUlaunchConfig *config,
                               struct si_function **function)
{
    CUresult status = open_function(handle, function);
    if (status) return status;
    if (!count || !config || (config->attribute_count && !config->attributes))
        return RILL_ERROR_INVALID_VALUE;
    status = check_cluster(*function, config);
    if (status) return status;
    return count_threads(config->block) > 0 ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}

ENTRY(cuOccupancyMaxPotentialClusterSize,
      (int *size, CUfunction handle, const CUlaunchConfig *config), (size, handle, config))
{
    struct si_function *function;
    CUresult status = check_clusters(size, handle, config, &function);
    if (status) return status;
    int blocks = count_blocks(function, (int)count_threads(config->block), config->shared_bytes);
    *size = blocks ? largest_cluster(function) : 0;
    return RILL_SUCCESS;
}

ENTRY(cuOccupancyMaxActiveClusters,
      (int *count, CUfunction handle, const CUlaunchConfig *config), (count, handle, config))
{
    struct si_function *function;
    CUresult status = check_clusters(count, handle, config, &function);
    if (status) return status;
    rill_dim3 cluster;
    *count = 0;
    if (!find_cluster(function, config, &cluster)) return RILL_SUCCESS; /* as an H200 counts */
    int threads = (int)count_threads(config->block);
    int64_t blocks = count_blocks(function, threads, config->shared_bytes);
    *count = (int)(blocks * device_limit(function, MULTIPROCESSORS) / count_threads(cluster));
    return RILL_SUCCESS;
}
