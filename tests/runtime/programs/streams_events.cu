// SPDX-License-Identifier: Apache-2.0
// Two streams in an order that events make, functions of the host, and memory of a pool.
#include "check.h"

__global__ void fill(int *at, int value, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) at[i] = value;
}

__global__ void add_one(int *at, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) at[i]++;
}

static void count(void *data)
{
    ++*(int *)data;
}

int main()
{
    const int n = 4096;
    cudaStream_t first, second;
    cudaEvent_t begin, filled, end;
    int *device, *host, calls = 0;
    float milliseconds = -1;
    OK(cudaStreamCreate(&first));
    OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
    OK(cudaMallocHost(&host, n * sizeof *host));
    OK(cudaMallocAsync(&device, n * sizeof *device, first));
    OK(cudaEventRecord(begin, first));
    fill<<<1, 64, 0, first>>>(device, 41, n);
    OK(cudaEventRecord(filled, first));
    OK(cudaStreamWaitEvent(second, filled));
    add_one<<<1, 64, 0, second>>>(device, n);
    OK(cudaMemcpyAsync(host, device, n * sizeof *host, cudaMemcpyDeviceToHost, second));
    OK(cudaLaunchHostFunc(second, count, &calls));
    OK(cudaEventRecord(end, second));
    OK(cudaEventSynchronize(end));
    for (int i = 0; i < n; i++) EXPECT(host[i] == 42);
    EXPECT(calls == 1);
    EXPECT(cudaStreamQuery(first) == cudaSuccess);
    OK(cudaEventElapsedTime(&milliseconds, begin, end));
    EXPECT(milliseconds >= 0);
    OK(cudaFreeAsync(device, second));
    OK(cudaDeviceSynchronize());
    OK(cudaFreeHost(host));
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
    std::printf("streams and events\n");
}
