/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that wait for each other. */
#include <cuda_device_runtime_api.h>

extern "C" __global__ void votes_of_block(int *out, const int *in)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int *o = out + (blockIdx.x * blockDim.x + threadIdx.x) * 3;
    o[0] = __syncthreads_count(v & 1);
    o[1] = __syncthreads_and(v < 90);
    o[2] = __syncthreads_or(v == 50);
}

/* Half of the warps produce, half consume, over two named barriers. */
extern "C" __global__ void hand_over(unsigned *out, unsigned rounds)
{
    extern __shared__ unsigned buffer[];
    unsigned half = blockDim.x / 2, me = threadIdx.x % half, sum = 0;
    if (threadIdx.x < half) {
        for (unsigned r = 0; r < rounds; r++) {
            if (r) asm volatile("bar.sync 2, %0;" ::"r"(blockDim.x) : "memory");
            buffer[me] = r * 1000 + me;
            asm volatile("bar.arrive 1, %0;" ::"r"(blockDim.x) : "memory");
        }
    } else {
        for (unsigned r = 0; r < rounds; r++) {
            asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
            sum = sum * 3 + buffer[(me + 1) % half];
            if (r + 1 < rounds) asm volatile("bar.arrive 2, %0;" ::"r"(blockDim.x) : "memory");
        }
        out[blockIdx.x * half + me] = sum;
    }
}

__device__ unsigned arrived;
__device__ volatile unsigned generation;

__device__ void wait_for_grid(void)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned before = generation;
        __threadfence();
        if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
            arrived = 0;
            __threadfence();
            generation = before + 1;
        } else
            while (generation == before) {}
        __threadfence();
    }
    __syncthreads();
}

/* Each round, every thread takes what the thread behind it had. */
extern "C" __global__ void grid_barrier(unsigned *a, unsigned *b, unsigned rounds)
{
    unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned r = 0; r < rounds; r++) {
        ((volatile unsigned *)b)[i] = ((volatile unsigned *)a)[(i + 1) % n] + 1;
        wait_for_grid();
        unsigned *c = a;
        a = b;
        b = c;
    }
}

/* The last block that is done adds up what all of them left. */
__device__ unsigned blocks_done;

extern "C" __global__ void last_block(unsigned long long *out, volatile unsigned *parts,
                                      const unsigned *in, unsigned n)
{
    __shared__ unsigned sum;
    __shared__ bool last;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&sum, in[i] & 0xffff);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        unsigned long long total = 0;
        for (unsigned i = 0; i < gridDim.x; i++) total += parts[i];
        *out = total;
        blocks_done = 0;
    }
}

/* A lock that the lanes of a warp take from each other. */
extern "C" __global__ void lock(unsigned *mutex, volatile unsigned *count, unsigned *order)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(mutex, 0, 1) == 0) {
            __threadfence();
            order[*count] = blockIdx.x * blockDim.x + threadIdx.x;
            *count = *count + 1;
            __threadfence();
            atomicExch(mutex, 0);
            done = true;
        }
    }
}

extern "C" __global__ void times(long long *out)
{
    long long a = clock64();
    unsigned long long t, u;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    __nanosleep(2000);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(u));
    long long b = clock64();
    out[2 * threadIdx.x] = b - a;
    out[2 * threadIdx.x + 1] = (long long)(u - t);
}

/* Lanes that leave early, and meet again. */
extern "C" __global__ void meetings(unsigned *out)
{
    unsigned me = threadIdx.x, seen = 0;
    if (me % 3 == 0) {
        for (unsigned i = 0; i < me % 7; i++) seen += i * me;
        __syncwarp(0x49249249);
        seen += __popc(__ballot_sync(0x49249249, me & 1));
    } else if (me % 3 == 1) {
        if (me % 5 == 0) {
            out[me] = 12345;
            return;
        }
        seen = me * me;
    }
    __syncthreads();
    out[me] = seen;
}

#if __CUDA_ARCH__ >= 900
extern "C" __global__ void conditional(unsigned long long handle, unsigned value)
{
    if (blockIdx.x + threadIdx.x == 0)
        cudaGraphSetConditional((cudaGraphConditionalHandle)handle, value);
}

/* Reductions and elections that came with sm_80 and sm_90. */
extern "C" __global__ void reduce_warps(unsigned *out, const unsigned *in)
{
    unsigned v = in[threadIdx.x], *o = out + 6 * threadIdx.x;
    o[0] = __reduce_add_sync(0xffffffffu, v);
    o[1] = __reduce_min_sync(0xffffffffu, v);
    o[2] = (unsigned)__reduce_max_sync(0xffffffffu, (int)v);
    o[3] = __reduce_and_sync(0xffffffffu, v | 0xf);
    o[4] = __reduce_or_sync(0xffffffffu, v);
    o[5] = __reduce_xor_sync(0xffffffffu, v);
}
#endif
