/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of the suite for a GPU: what its C functions of the same names do.
 * kernels.sh makes kernels_ptx.h of this.
 */
typedef unsigned int word;

struct alignas(16) sixteen { word words[4]; };
struct three { char bytes[3]; };
struct alignas(16) sixty_four { word words[16]; };

extern "C" {
__global__ void nop() {}
__global__ void nothing() {}
__global__ void put(word *p, word value) { *p = value; }
__global__ void mul_add(word *p, word by, word more) { *p = *p * by + more; }
__global__ void copy1(word *to, const word *from) { *to = *from; }
__global__ void add(word *p, word value) { atomicAdd(p, value); }

/* The device fails with CUDA_ERROR_LAUNCH_FAILED. */
__global__ void crash() { __trap(); }
__global__ void fault() { __trap(); }

/* Never run: only its parameters are looked at. */
__global__ void laid(char, unsigned long long, word, short, sixteen, three, sixty_four) {}

/* A thousand bytes of shared memory, blocks of up to 96 threads. */
__global__ void __launch_bounds__(96) bounded()
{
    __shared__ volatile char bytes[1000];
    bytes[threadIdx.x] = 1;
}
}
