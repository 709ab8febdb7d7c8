/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels with the usual ways to access memory, for rill-kernels.  tools/make-ptx makes
 * kernels.ptx of them.
 */

extern "C" __global__ void saxpy(unsigned n, const float *x, float *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 0.5f * x[i] + y[i];
}

/* Each block adds what its threads meet on their way through all of it. */
extern "C" __global__ void reduce(unsigned n, const float *in, float *out)
{
    __shared__ float sums[256];
    float sum = 0;
    for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = 128; half; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

extern "C" __global__ void matmul(unsigned n, const float *a, const float *b, float *c)
{
    unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (unsigned k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

extern "C" __global__ void matmul_tiled(unsigned n, const float *a, const float *b, float *c)
{
    __shared__ float left[16][16], right[16][16];
    unsigned tx = threadIdx.x, ty = threadIdx.y;
    unsigned x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    float sum = 0;
    for (unsigned tile = 0; tile < n; tile += 16) {
        left[ty][tx] = a[y * n + tile + tx];
        right[ty][tx] = b[(tile + ty) * n + x];
        __syncthreads();
        for (unsigned k = 0; k < 16; k++) sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

extern "C" __global__ void stencil(unsigned n, const float *in, float *out)
{
    unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1) return;
    const float *at = in + y * n + x;
    out[y * n + x] = 0.2f * (at[0] + at[-1] + at[1] + at[-(int)n] + at[n]);
}

extern "C" __global__ void histogram(unsigned n, const unsigned char *in, unsigned *counts)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

/* Reads rows and writes columns. */
extern "C" __global__ void transpose(unsigned n, const float *in, float *out)
{
    unsigned x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
    out[x * n + y] = in[y * n + x];
}

/* The same by blocks of two dimensions. */
extern "C" __global__ void transpose_squares(unsigned n, const float *in, float *out)
{
    unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

/* Every eighth element. */
extern "C" __global__ void column(unsigned n, float *out)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    out[8 * i] += (float)n;
}

extern "C" __global__ void gather(unsigned n, const unsigned *where, const float *in, float *out)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[i] = in[where[i]];
}

/* Through an address that may be of any space. */
extern "C" __global__ void gather_any(unsigned n, const unsigned *where, const float *in,
                                      float *out)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    float value;
    if (i >= n) return;
    asm volatile("ld.f32 %0, [%1];" : "=f"(value) : "l"(in + where[i]));
    out[i] = value;
}

extern "C" __global__ void scatter(unsigned n, const unsigned *where, const float *in, float *out)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[where[i]] = in[i];
}

extern "C" __global__ void scatter_atomic(unsigned n, const unsigned *where, unsigned *out)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) atomicAdd(&out[where[i]], 1u);
}

/* Each thread adds up what all bodies do to its own, 256 of them in shared memory at a time. */
extern "C" __global__ void nbody(int n, const float4 *all, float4 *out)
{
    __shared__ float4 bodies[256];
    int own = blockIdx.x * 256 + threadIdx.x;
    float4 me = all[own];
    float x = 0, y = 0, z = 0;
    for (int first = 0; first < n; first += 256) {
        bodies[threadIdx.x] = all[first + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 256; i++) {
            float4 it = bodies[i];
            float dx = it.x - me.x, dy = it.y - me.y, dz = it.z - me.z;
            float near = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = it.w * near * near * near;
            x += dx * pull, y += dy * pull, z += dz * pull;
        }
        __syncthreads();
    }
    out[own] = make_float4(x, y, z, 0);
}
