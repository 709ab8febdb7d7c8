/* SPDX-License-Identifier: Apache-2.0
 *
 * The first seven kernels of loops.cu for OpenCL, for pocl-loops.so.
 */
kernel void saxpy(int n, float a, global const float *x, global float *y)
{
    int i = get_global_id(0);
    if (i < n) y[i] = a * x[i] + y[i];
}

kernel void matmul(int n, global const float *a, global const float *b, global float *c)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

kernel void matmul_tiled(int n, global const float *a, global const float *b, global float *c)
{
    local float left[16][16], right[16][16];
    int tx = get_local_id(0), ty = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < n / 16; t++) {
        left[ty][tx] = a[y * n + t * 16 + tx];
        right[ty][tx] = b[(t * 16 + ty) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++) sum += left[ty][k] * right[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}

kernel void reduce(int n, global const float *in, global float *out)
{
    local float sums[256];
    int t = get_local_id(0);
    float sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
    sums[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_of = 128; half_of > 0; half_of >>= 1) {
        if (t < half_of) sums[t] += sums[t + half_of];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) out[get_group_id(0)] = sums[0];
}

kernel void histogram(int n, global const uchar *in, global uint *counts)
{
    local uint own[256];
    int t = get_local_id(0);
    own[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_add(&own[in[i]], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&counts[t], own[t]);
}

kernel void nbody(int n, global const float4 *bodies, global float4 *pulls)
{
    local float4 some[256];
    int t = get_local_id(0), i = get_global_id(0);
    float4 own = bodies[i];
    float x = 0, y = 0, z = 0;
    for (int from = 0; from < n; from += 256) {
        some[t] = bodies[from + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 256; j++) {
            float4 other = some[j];
            float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
            float near = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = other.w * near * near * near;
            x += dx * pull;
            y += dy * pull;
            z += dz * pull;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    pulls[i] = (float4)(x, y, z, 0);
}

kernel void stencil(int w, int h, global const float *in, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
        out[y * w + x] = 0.2f * (in[y * w + x] + in[y * w + x - 1] + in[y * w + x + 1] +
                                 in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
