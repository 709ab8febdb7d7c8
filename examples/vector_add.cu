// SPDX-License-Identifier: Apache-2.0
/*
 * Adds two vectors, as a program of CUDA C++ does. Nothing here knows of rill: nvcc compiles it
 * as well, and then it needs a GPU or `rill run`.
 *
 *     rill cc -g -O2 examples/vector_add.cu -o vector_add
 *     rill run ./vector_add
 *     rill run --check ./vector_add
 *
 * It prints:
 *
 *     10000 sums are right
 */
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(const float *a, const float *b, float *sums, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) sums[i] = a[i] + b[i];
}

static void must(cudaError_t status)
{
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(1);
}

static float *copy_to_device(const std::vector<float> &values, cudaStream_t stream)
{
    float *copy;
    const size_t bytes = values.size() * sizeof(float);
    must(cudaMallocAsync(&copy, bytes, stream));
    must(cudaMemcpyAsync(copy, values.data(), bytes, cudaMemcpyHostToDevice, stream));
    return copy;
}

int main()
{
    const int count = 10000;
    std::vector<float> a(count), b(count), sums(count);
    for (int i = 0; i < count; i++) a[i] = (float)i, b[i] = 2.0f * (float)i;

    cudaStream_t stream;
    must(cudaStreamCreate(&stream));
    float *on_device[] = { copy_to_device(a, stream), copy_to_device(b, stream),
                           copy_to_device(sums, stream) };
    add<<<(count + 255) / 256, 256, 0, stream>>>(on_device[0], on_device[1], on_device[2], count);
    must(cudaGetLastError());
    must(cudaMemcpyAsync(sums.data(), on_device[2], count * sizeof(float), cudaMemcpyDeviceToHost,
                         stream));
    for (float *copy : on_device) must(cudaFreeAsync(copy, stream));
    must(cudaStreamSynchronize(stream));
    must(cudaStreamDestroy(stream));

    for (int i = 0; i < count; i++)
        if (sums[i] != 3.0f * (float)i) return 1;
    std::printf("%d sums are right\n", count);
}
