// SPDX-License-Identifier: Apache-2.0
//
// Products of matrices on tensor cores: wmma, and mma.sync fed by cp.async and ldmatrix.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// c = a * b of 16 n by 16 n, one warp for each 16 by 16 of c.
extern "C" __global__ void gemm_wmma(const half *a, const half *b, float *c, int n)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> z;
    int side = 16 * n, i = blockIdx.y * 16, j = blockIdx.x * 16;
    wmma::fill_fragment(z, 0.0f);
    for (int k = 0; k < side; k += 16) {
        wmma::load_matrix_sync(x, a + i * side + k, side);
        wmma::load_matrix_sync(y, b + k * side + j, side);
        wmma::mma_sync(z, x, y, z);
    }
    for (int k = 0; k < z.num_elements; k++) z.x[k] *= 2;
    wmma::store_matrix_sync(c + i * side + j, z, side, wmma::mem_row_major);
}

// The same with one warp for each 16 by 8 of c, and two stages of copies.
extern "C" __global__ void gemm_mma(const half *a, const half *b, float *c, int n)
{
    __shared__ __align__(128) half x[2][16 * 16], y[2][16 * 8];
    int side = 16 * n, i = blockIdx.y * 16, j = blockIdx.x * 8, lane = threadIdx.x;
    float z[4] = { 0, 0, 0, 0 };
    auto fetch = [&](int stage, int k) {
        unsigned to = (unsigned)__cvta_generic_to_shared(&x[stage][lane * 8]);
        const half *from = a + (i + lane / 2) * side + k + lane % 2 * 8;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
        if (lane < 16) {
            to = (unsigned)__cvta_generic_to_shared(&y[stage][lane * 8]);
            from = b + (k + lane) * side + j;
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
        }
        asm volatile("cp.async.commit_group;");
    };
    fetch(0, 0);
    for (int k = 0; k < n; k++) {
        if (k + 1 < n) fetch((k + 1) & 1, (k + 1) * 16);
        else asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 1;");
        __syncwarp();
        unsigned p[4], q[2];
        unsigned at = (unsigned)__cvta_generic_to_shared(&x[k & 1][lane % 16 * 16 + lane / 16 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(p[0]), "=r"(p[1]), "=r"(p[2]), "=r"(p[3]) : "r"(at));
        at = (unsigned)__cvta_generic_to_shared(&y[k & 1][lane % 16 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                     : "=r"(q[0]), "=r"(q[1]) : "r"(at));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(z[0]), "+f"(z[1]), "+f"(z[2]), "+f"(z[3])
                     : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(q[0]), "r"(q[1]));
        __syncwarp();
    }
    for (int e = 0; e < 4; e++)
        c[(i + lane / 4 + e / 2 * 8) * side + j + lane % 4 * 2 + e % 2] = 2 * z[e];
}
