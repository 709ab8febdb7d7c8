/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/cut.h"

#include "ptx/run/lane_group.h"
#include "ptx/run/warp_bundle.h"

/* There are to be so many turns, at least, for threads to share. */
#define TURNS_LEAST 16

/* Bytes of columns, most of which are known and never written: that stay in the first cache, and
 * that longer rows of blocks abreast make up for. */
#define COLUMNS_MOST (UINT32_C(64) << 10)
#define COLUMNS_ABREAST (UINT32_C(512) << 10)

/* Bytes of shared and local memory of all blocks abreast: that stay in the second cache.  Each
 * worker has them zeroed for each launch. */
#define MEMORY_ABREAST (UINT32_C(256) << 10)

uint32_t ptx_cluster_size(const struct ptx_launch *launch)
{
    const uint32_t *size = launch->cluster;
    return size[0] && size[1] && size[2] ? size[0] * size[1] * size[2] : 1;
}

static uint32_t threads_of_block(const struct ptx_launch *launch)
{
    return launch->block[0] * launch->block[1] * launch->block[2];
}

/* Where more is asked of a launch than that it runs, blocks are to begin one after the other. */
static bool is_plain(const struct ptx_launch *launch)
{
    return !launch->checks && !launch->pauses && !launch->block_order && !launch->cooperative &&
           !launch->cluster[0];
}

/* Returns how many lanes, in whole warps, a bundle of a kernel has at most whose lanes wait for
 * nobody: blocks abreast that are no more threads than that are one bundle. */
static uint32_t lanes_worth_having(const struct ptx_kernel *kernel, uint32_t columns_most)
{
    const uint32_t each = kernel->code->programs[kernel->program].lane_bytes | 1;
    const uint32_t lanes = columns_most / each / PTX_WARP * PTX_WARP;
    return lanes < PTX_BUNDLE ? PTX_BUNDLE : lanes < PTX_WIDEST ? lanes : PTX_WIDEST;
}

uint32_t ptx_shared_pitch(const struct ptx_kernel *kernel, const struct ptx_launch *launch)
{
    return (kernel->static_shared + launch->dynamic_shared + 15) & ~15u;
}

/* Returns how many bytes of memory a block has for itself. */
static uint64_t own_memory(const struct ptx_kernel *kernel, const struct ptx_launch *launch)
{
    const uint64_t local = kernel->code->programs[kernel->program].local_bytes;
    return ptx_shared_pitch(kernel, launch) + local * threads_of_block(launch);
}

uint32_t ptx_blocks_abreast(const struct ptx_kernel *kernel, const struct ptx_launch *launch)
{
    const uint32_t *grid = launch->grid, threads = threads_of_block(launch);
    const uint64_t own = own_memory(kernel, launch);
    if (!kernel->abreast || launch->block[2] != 1 || !is_plain(launch)) return 1;
    const uint64_t share = (uint64_t)grid[0] * grid[1] * grid[2] / TURNS_LEAST;
    uint32_t most = lanes_worth_having(kernel, COLUMNS_ABREAST) / threads;
    if (most > share) most = (uint32_t)share;
    if (own && most > MEMORY_ABREAST / own) most = (uint32_t)(MEMORY_ABREAST / own);
    if (most < 2) return 1;
    for (uint32_t blocks = most; blocks > most / 2; blocks--)
        if (grid[0] % blocks == 0) return blocks; /* and all turns are equally large */
    const uint32_t turns = (grid[0] + most - 1) / most; /* of each row, and the last is smaller */
    return (grid[0] + turns - 1) / turns;
}

struct ptx_cut ptx_cut_block(const struct ptx_kernel *kernel, const struct ptx_launch *launch)
{
    const uint32_t abreast = ptx_blocks_abreast(kernel, launch);
    const bool quiet = abreast > 1 || (kernel->abreast && !kernel->meets && is_plain(launch));
    const uint32_t threads = threads_of_block(launch) * abreast;
    const uint32_t lanes = ptx_lanes_of(threads);
    const uint32_t columns = abreast > 1 ? COLUMNS_ABREAST : COLUMNS_MOST;
    const uint32_t most = quiet ? lanes_worth_having(kernel, columns) : PTX_BUNDLE;
    const uint32_t bundles = (lanes + most - 1) / most;
    const uint32_t each = quiet ? ptx_lanes_of((lanes + bundles - 1) / bundles) : PTX_BUNDLE;
    return (struct ptx_cut){ threads, lanes, bundles, lanes < each ? lanes : each };
}
