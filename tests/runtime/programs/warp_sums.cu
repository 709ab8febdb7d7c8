// SPDX-License-Identifier: Apache-2.0
// A reduction in warps, in shared memory and by atomics.
#include "check.h"

__global__ void sum(const int *in, int *out, int n)
{
    __shared__ int sums[32];
    int own = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)n;
         i += blockDim.x * gridDim.x)
        own += in[i];
    for (unsigned lanes = 16; lanes; lanes /= 2) own += __shfl_down_sync(0xffffffff, own, lanes);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x) return;
    for (unsigned i = 1; i < blockDim.x / 32; i++) own += sums[i];
    atomicAdd(out, own);
}

int main()
{
    const int n = 10000;
    static int host[n];
    int *in, *out, expected = 0, result = 0;
    for (int i = 0; i < n; i++) expected += host[i] = i % 7;
    OK(cudaMalloc(&in, sizeof host));
    OK(cudaMalloc(&out, sizeof *out));
    OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    OK(cudaMemset(out, 0, sizeof *out));
    sum<<<8, 128>>>(in, out, n);
    OK(cudaGetLastError());
    OK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
    EXPECT(result == expected);
    OK(cudaFree(in));
    OK(cudaFree(out));
    std::printf("warp sums\n");
}
