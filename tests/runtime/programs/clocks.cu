// SPDX-License-Identifier: Apache-2.0
// Clocks of a device, in a program that has one of the host and the driver's header as well.
#include <cuda.h>
#include <ctime>
#include "check.h"

__global__ void measure(long long *cycles, int *ticks)
{
    long long begin = clock64();
    int low = (int)clock();
    __threadfence();
    *ticks = (int)clock() - low;
    *cycles = clock64() - begin;
}

int main()
{
    std::clock_t begin = std::clock();
    long long *cycles, spent = 0;
    int *ticks, low = 0;
    OK(cudaMalloc(&cycles, sizeof *cycles));
    OK(cudaMalloc(&ticks, sizeof *ticks));
    measure<<<1, 1>>>(cycles, ticks);
    OK(cudaMemcpy(&spent, cycles, sizeof spent, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(&low, ticks, sizeof low, cudaMemcpyDeviceToHost));
    EXPECT(low > 0);
    EXPECT(spent >= low);
    EXPECT(std::clock() >= begin);
    EXPECT(CUDA_VERSION >= 11000);
    OK(cudaFree(cycles));
    OK(cudaFree(ticks));
    std::printf("clocks\n");
}
