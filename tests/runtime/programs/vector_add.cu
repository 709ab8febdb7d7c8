// SPDX-License-Identifier: Apache-2.0
// Memory, copies, a launch, variables of the device, and what a wrong launch leaves behind.
#include <vector>

#include "check.h"

__constant__ float scale[4];
__device__ int counter;

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    c[i] = (a[i] + b[i]) * scale[i & 3];
    atomicAdd(&counter, 1);
}

// The same launch by calls that take the kernel by its type.
static void launch_by_calls(const float *a, const float *b, float *c, int n)
{
    cudaFuncAttributes attributes;
    cudaLaunchConfig_t config = {};
    int blocks = 0, threads = 0;
    OK(cudaFuncGetAttributes(&attributes, add));
    OK(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, add, 0, 256));
    EXPECT(attributes.maxThreadsPerBlock >= 256 && threads == 256 && blocks > 0);
    config.gridDim = dim3((unsigned)(n + 127) / 128);
    config.blockDim = dim3(128);
    OK(cudaLaunchKernelEx(&config, add, a, b, c, n));
    void *params[] = { &a, &b, &c, &n };
    OK(cudaLaunchKernel(add, config.gridDim, config.blockDim, params));
}

int main()
{
    const int n = 1000;
    const float factors[4] = { 1, 2, 3, 4 };
    std::vector<float> host(n);
    float *a, *b, *c;
    int count = 0;
    for (int i = 0; i < n; i++) host[i] = (float)i;
    OK(cudaMalloc(&a, n * sizeof *a));
    OK(cudaMalloc(&b, n * sizeof *b));
    OK(cudaMalloc(&c, n * sizeof *c));
    OK(cudaMemcpy(a, host.data(), n * sizeof *a, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(b, a, n * sizeof *b, cudaMemcpyDefault));
    OK(cudaMemcpyToSymbol(scale, factors, sizeof factors));
    OK(cudaMemcpyToSymbol(counter, &count, sizeof count));
    add<<<(n + 255) / 256, 256>>>(a, b, c, n);
    OK(cudaGetLastError());
    launch_by_calls(a, b, c, n);
    OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    OK(cudaMemcpy(host.data(), c, n * sizeof *c, cudaMemcpyDeviceToHost));
    EXPECT(count == 3 * n);
    for (int i = 0; i < n; i++) EXPECT(host[i] == 2.0f * (float)i * factors[i & 3]);
    add<<<1, 4096>>>(a, b, c, n);
    EXPECT(cudaGetLastError() != cudaSuccess);
    EXPECT(cudaGetLastError() == cudaSuccess);
    OK(cudaFree(a));
    OK(cudaFree(b));
    OK(cudaFree(c));
    std::printf("vector add\n");
}
