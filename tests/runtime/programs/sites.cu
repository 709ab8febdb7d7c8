// SPDX-License-Identifier: Apache-2.0
// Launches that race with a fill, and memory that is not freed: sites.sh looks for the lines.
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void scale(float *values, float factor)
{
    values[threadIdx.x] *= factor;
}

static float *values, *left, *pinned;
static cudaStream_t streams[2];

static void launch_first()
{
    scale<<<1, 32, 0, streams[0]>>>(values, 2); // LAUNCH
}

static void fill_at_once()
{
    if (cudaMemsetAsync(values, 0, 128, streams[1])) exit(1); // FILL
}

static void leave_behind()
{
    if (cudaMalloc(&left, 64)) exit(1); // LEAVE
    if (cudaMallocHost(&pinned, 64)) exit(1); // PINNED
}

int main()
{
    for (int i = 0; i < 2; i++)
        if (cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking)) return 1;
    if (cudaMalloc(&values, 128)) return 1;
    launch_first();
    fill_at_once();
    leave_behind();
    return cudaDeviceSynchronize() || cudaFree(values);
}
