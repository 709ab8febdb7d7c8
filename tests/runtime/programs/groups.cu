// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: blocks, tiles, lanes that are together, and a grid that meets.
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// A kernel says in which line it is wrong.
__device__ int wrong;
#define SO(truth) \
    do { \
        if (!(truth)) atomicCAS(&wrong, 0, __LINE__); \
    } while (0)

static void expect_right(const char *kernel)
{
    int line = 0;
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromSymbol(&line, wrong, sizeof line));
    if (line) std::printf("%s is wrong in line %d\n", kernel, line);
    if (line) std::exit(1);
}

// ---- Blocks --------------------------------------------------------------------------------

__device__ unsigned rank_in(const cg::thread_group &group)
{
    group.sync();
    return group.thread_rank() + 1000 * group.size();
}

// Of 8 x 12 threads.
__global__ void blocks()
{
    __shared__ unsigned char seen[96], copied[11];
    static const unsigned char __device__ letters[] = "letters ...";
    cg::thread_block block = cg::this_thread_block();
    const unsigned rank = threadIdx.x + 8 * threadIdx.y;
    SO(block.size() == 96 && block.thread_rank() == rank);
    SO(block.group_index().x == blockIdx.x && block.thread_index().y == threadIdx.y);
    SO(rank_in(block) == rank + 96000);
    seen[block.thread_rank()] = 1;
    cg::memcpy_async(block, copied, letters, sizeof copied);
    cg::wait(block);
    SO(seen[95 - rank] == 1 && copied[10] == '.' && copied[0] == 'l');
    cg::thread_group eight = cg::tiled_partition(block, 8);
    SO(rank_in(eight) == rank % 8 + 8000);
    cg::sync(block);
}

// ---- Tiles ---------------------------------------------------------------------------------

__device__ unsigned rank_in_eight(cg::thread_block_tile<8> eight)
{
    return eight.thread_rank() + 8 * eight.meta_group_rank();
}

struct large {
    double first;
    short second[3];
};

__global__ void tiles()
{
    const int t = threadIdx.x;
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    SO(warp.meta_group_rank() == t / 32u && warp.meta_group_size() == blockDim.x / 32);
    SO(eight.size() == 8 && eight.thread_rank() == t % 8u);
    SO(eight.meta_group_size() == 4 && eight.meta_group_rank() == t % 32u / 8);
    SO(rank_in_eight(eight) == t % 32u && rank_in(warp) == t % 32u + 32000);
    SO(eight.shfl(t, 3) == t / 8 * 8 + 3);
    SO(eight.shfl_up(t, 2) == (t % 8 < 2 ? t : t - 2));
    SO(eight.shfl_down(t, 2) == (t % 8 > 5 ? t : t + 2));
    SO(eight.shfl_xor(t, 4) == (t ^ 4));
    const large mine = { t + 0.5, { 1, 2, (short)t } }, other = eight.shfl(mine, 1);
    SO(other.first == t / 8 * 8 + 1.5 && other.second[2] == t / 8 * 8 + 1);
    SO(eight.ballot(t % 8 > 5) == 0xc0 && eight.any(t % 8 == 7) && !eight.all(t % 8 == 7));
    SO(eight.match_any(t % 2) == (t % 2 ? 0xaau : 0x55u));
    SO(cg::reduce(warp, t % 32, cg::plus<int>()) == 496);
    SO(cg::reduce(eight, t, cg::less<int>()) == t / 8 * 8);
    SO(cg::reduce(eight, 1u << t % 8, cg::bit_or<unsigned>()) == 0xff);
    SO(cg::inclusive_scan(eight, 2) == 2 * (t % 8 + 1));
    SO(cg::exclusive_scan(warp, t % 32, cg::plus<int>()) == t % 32 * (t % 32 - 1) / 2);
    eight.sync();
}

// ---- Lanes that are together -----------------------------------------------------------------

__global__ void together()
{
    const int t = threadIdx.x;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto thirds = cg::labeled_partition(warp, t % 3);
    SO(thirds.size() == (t % 3 == 2 ? 10u : 11u) && thirds.thread_rank() == t / 3u);
    auto high = cg::binary_partition(warp, t > 19);
    SO(high.size() == (t > 19 ? 12u : 20u) && high.thread_rank() == (t > 19 ? t - 20u : t));
    if (t % 2) {
        cg::coalesced_group odd = cg::coalesced_threads();
        SO(odd.size() == 16 && odd.thread_rank() == t / 2u);
        SO(odd.shfl(t, 5) == 11 && odd.shfl_up(t, 1) == (t == 1 ? 1 : t - 2));
        SO(odd.shfl_down(t, 1) == (t == 31 ? 31 : t + 2));
        SO(odd.ballot(t > 15) == 0xff00 && odd.all(t % 2) && !odd.any(t == 2));
        SO(odd.match_any(t > 15) == (t > 15 ? 0xff00u : 0xffu));
        SO(cg::reduce(odd, t, cg::plus<int>()) == 256);
        SO(cg::inclusive_scan(odd, 1) == t / 2 + 1);
        cg::coalesced_group four = cg::tiled_partition(odd, 4);
        SO(four.size() == 4 && four.shfl(t, 0) == t / 8 * 8 + 1);
        odd.sync();
    }
}

// ---- Grids ---------------------------------------------------------------------------------

enum { BLOCKS = 4, THREADS = 64, ROUNDS = 5 };

__global__ void grids(int *sums)
{
    cg::grid_group grid = cg::this_grid();
    const unsigned rank = blockIdx.x * THREADS + threadIdx.x;
    SO(grid.is_valid() && grid.size() == BLOCKS * THREADS && grid.thread_rank() == rank);
    for (int round = 0; round < ROUNDS; round++) {
        if (threadIdx.x == 0) atomicAdd(&sums[round], (int)blockIdx.x + 1);
        grid.sync();
        SO(*(volatile int *)&sums[round] == BLOCKS * (BLOCKS + 1) / 2);
    }
}

static void launch_grids()
{
    int *sums;
    OK(cudaMalloc((void **)&sums, ROUNDS * sizeof *sums));
    OK(cudaMemset(sums, 0, ROUNDS * sizeof *sums));
    void *params[] = { &sums };
    OK(cudaLaunchCooperativeKernel(grids, BLOCKS, THREADS, params));
    expect_right("grids");
    OK(cudaFree(sums));
}

int main()
{
    blocks<<<2, dim3(8, 12)>>>();
    expect_right("blocks");
    tiles<<<2, 96>>>();
    expect_right("tiles");
    together<<<2, 32>>>();
    expect_right("together");
    launch_grids();
    std::printf("groups\n");
}
