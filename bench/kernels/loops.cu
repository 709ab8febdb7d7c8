/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops of loops_plain.c as kernels, for rill-loops.  tools/make-ptx makes loops.ptx of them.
 */
#include <cuda_fp16.h>

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void matmul(int n, const float *a, const float *b, float *c)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

extern "C" __global__ void matmul_tiled(int n, const float *a, const float *b, float *c)
{
    __shared__ float left[16][16], right[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    float sum = 0;
    for (int t = 0; t < n / 16; t++) {
        left[ty][tx] = a[y * n + t * 16 + tx];
        right[ty][tx] = b[(t * 16 + ty) * n + x];
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

/* Each block adds what its threads meet on their way through all of it. */
extern "C" __global__ void reduce(int n, const float *in, float *out)
{
    __shared__ float sums[256];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    sums[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half >>= 1) {
        if (t < half) sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sums[0];
}

extern "C" __global__ void histogram(int n, const unsigned char *in, unsigned *counts)
{
    __shared__ unsigned own[256];
    int t = threadIdx.x;
    own[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    atomicAdd(&counts[t], own[t]);
}

extern "C" __global__ void nbody(int n, const float4 *bodies, float4 *pulls)
{
    __shared__ float4 some[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 own = bodies[i];
    float x = 0, y = 0, z = 0;
    for (int from = 0; from < n; from += 256) {
        some[threadIdx.x] = bodies[from + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++) {
            float4 other = some[j];
            float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
            float near = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = other.w * near * near * near;
            x += dx * pull;
            y += dy * pull;
            z += dz * pull;
        }
        __syncthreads();
    }
    pulls[i] = make_float4(x, y, z, 0);
}

extern "C" __global__ void stencil(int w, int h, const float *in, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
        out[y * w + x] = 0.2f * (in[y * w + x] + in[y * w + x - 1] + in[y * w + x + 1] +
                                 in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}

/* Sums of all elements up to each one, in rows of 256: within warps, then over them. */
extern "C" __global__ void scan(int n, const float *in, float *out)
{
    __shared__ float sums[8];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, lane = t % 32, warp = t / 32;
    if (i >= n) return;
    float sum = in[i];
    for (int by = 1; by < 32; by *= 2) {
        float before = __shfl_up_sync(~0u, sum, by);
        if (lane >= by) sum += before;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; w++) sum += sums[w];
    out[i] = sum;
}

/* Sorts rows of 512: a network of comparisons. */
extern "C" __global__ void sort(int n, const float *in, float *out)
{
    __shared__ float row[512];
    int t = threadIdx.x, first = blockIdx.x * 512;
    if (first >= n) return;
    row[t] = in[first + t];
    row[t + 256] = in[first + t + 256];
#pragma unroll 1
    for (int size = 2; size <= 512; size *= 2)
#pragma unroll 1
        for (int apart = size / 2; apart > 0; apart /= 2) {
            __syncthreads();
            int i = 2 * t - (t & (apart - 1));
            float a = row[i], b = row[i + apart];
            bool up = (i & size) == 0;
            row[i] = up ? fminf(a, b) : fmaxf(a, b);
            row[i + apart] = up ? fmaxf(a, b) : fminf(a, b);
        }
    __syncthreads();
    out[first + t] = row[t];
    out[first + t + 256] = row[t + 256];
}

/* Blocks of 32 x 8 threads; the tile's rows are a bank further on each. */
extern "C" __global__ void transpose(int n, const float *in, float *out)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

/* Combines what the threads of a block of 256 have: the largest, or the sum. */
static __device__ float combine(float value, bool add, float *warps)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int by = 16; by > 0; by /= 2) {
        float other = __shfl_xor_sync(~0u, value, by);
        value = add ? value + other : fmaxf(value, other);
    }
    if (lane == 0) warps[warp] = value;
    __syncthreads();
    value = warps[0];
    for (int w = 1; w < 8; w++) value = add ? value + warps[w] : fmaxf(value, warps[w]);
    return value;
}

/* A block for each row. */
extern "C" __global__ void softmax(int n, const float *in, float *out)
{
    __shared__ float tops[8], sums[8];
    const float *row = in + blockIdx.x * n;
    float top = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < n; i += 256) top = fmaxf(top, row[i]);
    top = combine(top, false, tops);
    for (int i = threadIdx.x; i < n; i += 256) sum += __expf(row[i] - top);
    sum = combine(sum, true, sums);
    for (int i = threadIdx.x; i < n; i += 256)
        out[blockIdx.x * n + i] = __expf(row[i] - top) / sum;
}

/* Four matrices of 8 x 8 from shared memory, each lane naming a row; transposed if asked. */
static __device__ void load_matrices(unsigned to[4], const __half *row, bool transposed)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(row);
    if (transposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(at) : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(at) : "memory");
}

static __device__ void multiply(float d[4], const unsigned a[4], const unsigned b[2])
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* A product on tensor cores: four warps make a tile of 32 x 32, each one 16 x 16 of it. */
extern "C" __global__ void gemm(int n, const float *a, const float *b, float *c)
{
    __shared__ __align__(16) __half left[32][16], right[16][32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int x = blockIdx.x * 32, y = blockIdx.y * 32, wx = warp % 2 * 16, wy = warp / 2 * 16;
    float sums[2][4] = { { 0 } };
    for (int k = 0; k < n; k += 16) {
        for (int i = t; i < 512; i += 128) {
            left[i / 16][i % 16] = __float2half(a[(y + i / 16) * n + k + i % 16]);
            right[i / 32][i % 32] = __float2half(b[(k + i / 32) * n + x + i % 32]);
        }
        __syncthreads();
        unsigned rows[4], columns[4];
        load_matrices(rows, &left[wy + lane % 16][lane / 16 * 8], false);
        load_matrices(columns, &right[lane % 16][wx + lane / 16 * 8], true);
        multiply(sums[0], rows, columns);
        multiply(sums[1], rows, columns + 2);
        __syncthreads();
    }
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < 4; i++)
            c[(y + wy + lane / 4 + i / 2 * 8) * n + x + wx + half * 8 + lane % 4 * 2 + i % 2] =
                sums[half][i];
}
