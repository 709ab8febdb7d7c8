// SPDX-License-Identifier: Apache-2.0
// Kernels that launch kernels and copies: what they see of each other's work, and statuses.
#include "check.h"

__device__ int digits, copied, failed;

__global__ void note(int digit) { digits = digits * 10 + digit; }

/* 2, and behind it 3; 4 where there are tail launches. */
__global__ void inner()
{
#if CUDART_VERSION >= 12000
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(4);
#endif
    note<<<1, 1>>>(3);
    digits = digits * 10 + 2;
}

__global__ void outer()
{
    cudaStream_t stream;
    inner<<<1, 1>>>();
    note<<<1, 1>>>(5);
    cudaMemcpyAsync(&copied, &digits, sizeof copied, cudaMemcpyDeviceToDevice, 0);
    note<<<1, 2000>>>(6);
    failed = cudaPeekAtLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() &&
             !cudaGetLastError() && !cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamDestroy(stream);
}

/* Fills numbers with their squares, by halves. */
__global__ void square(int *numbers, int count)
{
    if (count == 1) {
        *numbers *= *numbers;
        return;
    }
    square<<<1, 1>>>(numbers, count / 2);
    square<<<1, 1>>>(numbers + count / 2, count - count / 2);
}

int main()
{
    const int count = 300;
    int got, *numbers;
    outer<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromSymbol(&got, digits, sizeof got));
    EXPECT(got == (CUDART_VERSION >= 12000 ? 2345 : 235));
    OK(cudaMemcpyFromSymbol(&got, copied, sizeof got));
    EXPECT(got == (CUDART_VERSION >= 12000 ? 2345 : 235));
    OK(cudaMemcpyFromSymbol(&got, failed, sizeof got));
    EXPECT(got == 1);
    OK(cudaMallocManaged(&numbers, count * sizeof *numbers));
    for (int i = 0; i < count; i++) numbers[i] = i;
    square<<<1, 1>>>(numbers, count);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < count; i++) EXPECT(numbers[i] == i * i);
    std::printf("children\n");
    return 0;
}
