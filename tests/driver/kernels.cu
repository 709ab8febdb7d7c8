/* SPDX-License-Identifier: Apache-2.0 */
extern "C" {
__global__ void inc(unsigned *p) { *p = *p + 1; }
__global__ void put(unsigned *p, unsigned v) { *p = v; }
__global__ void mul_add(unsigned *p, unsigned m, unsigned a) { *p = *p * m + a; }
__global__ void copy1(unsigned *dst, const unsigned *src) { *dst = *src; }
__global__ void nop(void) { }
__global__ void fill(unsigned *p, unsigned n, unsigned v)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = v + i;
}
__global__ void dims(unsigned *p)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) { p[0] = gridDim.x; p[1] = gridDim.y; p[2] = gridDim.z; p[3] = blockDim.x; p[4] = blockDim.y; p[5] = blockDim.z; }
    atomicAdd(p + 6, 1u);
}
__global__ void await(volatile unsigned *p) { while (*p == 0) { } }
__global__ void crash(void) { __trap(); }
__global__ void badstore(unsigned *p) { *p = 1; }
}
