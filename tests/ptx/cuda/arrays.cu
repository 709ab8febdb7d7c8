/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops over arrays, as most kernels are. */
#define TILE 16

extern "C" __global__ void saxpy(float *y, const float *x, float a, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaf(a, x[i], y[i]);
}

extern "C" __global__ void grid_stride(unsigned *out, const unsigned *in, unsigned long long n)
{
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        out[i] = in[i] * 2654435761u + (unsigned)i;
}

/* Vectors of two and four elements. */
extern "C" __global__ void scale_vectors(float4 *out, const float4 *in, double2 *wide,
                                         uchar4 *narrow, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = in[i];
    out[i] = make_float4(v.w * 2.0f, v.z + v.x, v.y - v.w, -v.x);
    double2 d = wide[i];
    wide[i] = make_double2(d.y, d.x * d.y);
    uchar4 b = narrow[i];
    narrow[i] = make_uchar4(b.w, b.x + b.y, b.z ^ 0x55, b.x);
}

extern "C" __global__ void stencil(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 4.0f * in[y * width + x];
    if (x > 0) sum += in[y * width + x - 1];
    if (x < width - 1) sum += in[y * width + x + 1];
    if (y > 0) sum += in[(y - 1) * width + x];
    if (y < height - 1) sum += in[(y + 1) * width + x];
    out[y * width + x] = sum * 0.125f;
}

extern "C" __global__ void transpose(int *out, const int *in, int width, int height)
{
    __shared__ int tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

template <typename T> __device__ void multiply(T *c, const T *a, const T *b, int n)
{
    __shared__ T left[TILE][TILE], right[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    T sum = 0;
    for (int at = 0; at < n; at += TILE) {
        int x = at + threadIdx.x, y = at + threadIdx.y;
        left[threadIdx.y][threadIdx.x] = row < n && x < n ? a[row * n + x] : T(0);
        right[threadIdx.y][threadIdx.x] = y < n && column < n ? b[y * n + column] : T(0);
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum = fma(left[threadIdx.y][k], right[k][threadIdx.x], sum);
        __syncthreads();
    }
    if (row < n && column < n) c[row * n + column] = sum;
}

extern "C" __global__ void multiply_floats(float *c, const float *a, const float *b, int n)
{
    multiply(c, a, b, n);
}

extern "C" __global__ void multiply_doubles(double *c, const double *a, const double *b, int n)
{
    multiply(c, a, b, n);
}

extern "C" __global__ void mandelbrot(unsigned short *out, int width, int height, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float cr = (float)x * 3.0f / (float)width - 2.0f, ci = (float)y * 2.0f / (float)height - 1.0f;
    float zr = 0, zi = 0;
    int i = 0;
    while (i < most && zr * zr + zi * zi < 4.0f) {
        float r = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = r;
        i++;
    }
    out[y * width + x] = (unsigned short)i;
}

extern "C" __global__ void attract(float4 *forces, const float4 *bodies, int n)
{
    extern __shared__ float4 near[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float fx = 0, fy = 0, fz = 0;
    for (int at = 0; at < n; at += blockDim.x) {
        int k = at + threadIdx.x;
        near[threadIdx.x] = k < n ? bodies[k] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) {
            float dx = near[j].x - own.x, dy = near[j].y - own.y, dz = near[j].z - own.z;
            float r = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, 0.01f))));
            float s = near[j].w * r * r * r;
            fx = fmaf(s, dx, fx);
            fy = fmaf(s, dy, fy);
            fz = fmaf(s, dz, fz);
        }
        __syncthreads();
    }
    if (i < n) forces[i] = make_float4(fx, fy, fz, 0);
}

/* A row of a sparse matrix for each thread: rows of very different length. */
extern "C" __global__ void sparse_multiply(double *y, const double *x, const double *values,
                                           const int *columns, const int *rows, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    double sum = 0;
    for (int i = rows[row]; i < rows[row + 1]; i++) sum = fma(values[i], x[columns[i]], sum);
    y[row] = sum;
}
