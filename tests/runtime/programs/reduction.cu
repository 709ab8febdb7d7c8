// SPDX-License-Identifier: Apache-2.0
// A reduction with cooperative groups: tiles, blocks, and a grid that waits for itself.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void sum(const int *in, int *partial, int *out, int n)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    __shared__ int total;
    int own = 0;
    if (block.thread_rank() == 0) total = 0;
    block.sync();
    for (unsigned long long i = grid.thread_rank(); i < (unsigned)n; i += grid.size())
        own += in[i];
    own = cg::reduce(tile, own, cg::plus<int>());
    if (tile.thread_rank() == 0) atomicAdd(&total, own);
    block.sync();
    if (block.thread_rank() == 0) partial[blockIdx.x] = total;
    grid.sync();
    if (grid.thread_rank() == 0) {
        int all = 0;
        for (unsigned i = 0; i < gridDim.x; i++) all += partial[i];
        *out = all;
    }
}

int main()
{
    const int n = 10000, threads = 128;
    int *in, *partial, *out, result = 0, blocks_at_once = 0, supported = 0, count = n;
    static int host[n];
    for (int i = 0; i < n; i++) host[i] = i % 7;
    int expected = 0;
    for (int i = 0; i < n; i++) expected += host[i];
    OK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
    EXPECT(supported);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_at_once, sum, threads, 0));
    EXPECT(blocks_at_once > 0);
    OK(cudaMalloc(&in, sizeof host));
    OK(cudaMalloc(&partial, 64 * sizeof *partial));
    OK(cudaMalloc(&out, sizeof *out));
    OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    void *arguments[] = { &in, &partial, &out, &count };
    OK(cudaLaunchCooperativeKernel((const void *)sum, dim3(8), dim3(threads), arguments, 0, 0));
    OK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
    EXPECT(result == expected);
    cudaError_t status = cudaLaunchCooperativeKernel((const void *)sum, dim3(1000000),
                                                     dim3(threads), arguments, 0, 0);
    EXPECT(status == cudaErrorCooperativeLaunchTooLarge);
    EXPECT(cudaGetLastError() == status);
    std::printf("reduction\n");
}
