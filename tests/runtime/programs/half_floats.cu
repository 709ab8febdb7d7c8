// SPDX-License-Identifier: Apache-2.0
// Half floats, one and two at a time: kernels compared with what the host makes of the same.
#include "check.h"

#include <cmath>
#include <cstring>

#include <cuda_fp16.h>

static __host__ __device__ unsigned short bits_of(__half x)
{
    unsigned short bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static __host__ __device__ __half half_of(unsigned short bits)
{
    __half x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// ---- Conversions, on both sides --------------------------------------------------------------

enum { WAYS = 8, FLOATS = 12 };

static __host__ __device__ void convert(float x, unsigned short *out)
{
    const __half h = __float2half(x);
    const __half made[WAYS] = {
        h, __float2half_rn(x), __float2half_rz(x), __float2half_rd(x), __float2half_ru(x),
        __double2half(x * 1.0000001), __float2half(__half2float(h) * 2), __float2half((float)h),
    };
    memcpy(out, made, sizeof made);
}

__global__ void convert_all(const float *in, unsigned short (*out)[WAYS])
{
    convert(in[threadIdx.x], out[threadIdx.x]);
}

static void check_conversions()
{
    static const float in[FLOATS] = { 0,     1,     -2.5f, 0.1f,    1000.3f,  2049,
                                      65504, 65520, 1e-7f, 6.1e-5f, -3.3333f, 5.9e-8f };
    unsigned short wanted[WAYS], found[FLOATS][WAYS], (*out)[WAYS];
    float *from;
    OK(cudaMalloc((void **)&from, sizeof in));
    OK(cudaMalloc((void **)&out, sizeof found));
    OK(cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice));
    convert_all<<<1, FLOATS>>>(from, out);
    OK(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
    for (int i = 0; i < FLOATS; i++) {
        convert(in[i], wanted);
        for (int j = 0; j < WAYS; j++)
            if (found[i][j] != wanted[j])
                std::printf("%g, %d: %#x, not %#x\n", in[i], j, found[i][j], wanted[j]);
        EXPECT(!memcmp(found[i], wanted, sizeof wanted));
    }
    EXPECT(bits_of(__float2half(0.1f)) == 0x2e66 && bits_of(__float2half_ru(0.1f)) == 0x2e67);
    EXPECT(bits_of(__float2half(65519)) == 0x7bff && bits_of(__float2half(65520)) == 0x7c00);
    EXPECT(bits_of(__float2half_rz(1e9f)) == 0x7bff && bits_of(__float2half(3e-8f)) == 1);
    // By way of a float it would be 1.
    EXPECT(bits_of(__half(1 + 0x1p-11 + 0x1p-40)) == 0x3c01);
    EXPECT(__half2float(half_of(1)) == 0x1p-24f && __half2float(half_of(0xc000)) == -2);
    OK(cudaFree(from));
    OK(cudaFree(out));
}

// ---- Arithmetic ------------------------------------------------------------------------------

enum { RESULTS = 24 };

__global__ void compute(__half *out)
{
    const __half x = __float2half(1.5f + threadIdx.x), y = half_of(0x3555); // 0.3333
    const __half2 both = __halves2half2(x, y), twice = __float2half2_rn(2);
    const __half results[RESULTS] = {
        __hadd(x, y), __hsub(x, y), __hmul(x, y), __hdiv(x, y), __hfma(x, y, x), __hneg(x),
        __habs(__hneg(y)), __hmin(x, y), __hmax(x, y), hsqrt(x), x + y, x - y, x * y, x / y, -x,
        __low2half(__hadd2(both, twice)), __high2half(both * twice),
        __high2half(__hfma2(both, twice, both)), __low2half(__lowhigh2highlow(both)),
        hexp(y), hlog(x), hfloor(x), hrint(x), __float2half(__half22float2(both).y),
    };
    for (int i = 0; i < RESULTS; i++) out[threadIdx.x * RESULTS + i] = results[i];
}

static void check_arithmetic()
{
    __half found[4 * RESULTS], *out;
    OK(cudaMalloc((void **)&out, sizeof found));
    compute<<<1, 4>>>(out);
    OK(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 4; t++) {
        const float x = 1.5f + t, y = __half2float(half_of(0x3555));
        const float wanted[RESULTS] = {
            x + y, x - y, x * y, x / y, fmaf(x, y, x), -x, y, y, x, sqrtf(x), x + y, x - y, x * y,
            x / y, -x, x + 2, 2 * y, 3 * y, y, expf(y), logf(x), floorf(x), rintf(x), y,
        };
        for (int i = 0; i < RESULTS; i++) {
            const unsigned short bits = bits_of(found[t * RESULTS + i]);
            if (bits != bits_of(__float2half(wanted[i])))
                std::printf("%d, %d: %g, not %g\n", t, i, __half2float(half_of(bits)), wanted[i]);
            EXPECT(bits == bits_of(__float2half(wanted[i])));
        }
    }
    OK(cudaFree(out));
}

// ---- Comparisons, lanes and atomics ------------------------------------------------------------

__global__ void compare(int *right, __half *sum, __half2 *sums)
{
    const __half one = __float2half(1), two = __float2half(2), none = half_of(0x7e00);
    const __half mine = __int2half_rn((int)threadIdx.x);
    const bool so = __heq(one, one) && __hne(one, two) && __hlt(one, two) && __hgt(two, one) &&
                    __hle(one, one) && __hge(two, one) && !__heq(none, none) && __hisnan(none) &&
                    one < two && two >= one && one != two && __hltu(none, one) &&
                    __hbeq2(__half2half2(one), __floats2half2_rn(1, 1)) &&
                    __half2float(__shfl_xor_sync(~0u, mine, 1)) == (threadIdx.x ^ 1) &&
                    __half2int_rz(__shfl_sync(~0u, mine, 7)) == 7 &&
                    __half2int_rn(half_of(0x4100)) == 2 && __half2int_ru(half_of(0x4080)) == 3 &&
                    __half2int_rd(half_of(0xc080)) == -3 && __half2ll_rz(half_of(0xc080)) == -2 &&
                    __half2float(__uint2half_ru(2049)) == 2050 &&
                    __half2float(__ll2half_rz(-2051)) == -2050 &&
                    __half2uint_rz(half_of(0xc080)) == 0 &&
                    __half_as_ushort(__ushort_as_half(0x1234)) == 0x1234;
    if (so) atomicAdd(right, 1);
    atomicAdd(sum, one);
    atomicAdd(sums, __halves2half2(one, two));
}

static void check_comparisons()
{
    struct {
        int right;
        __half2 sums;
        __half sum;
    } found, *out;
    OK(cudaMalloc((void **)&out, sizeof found));
    OK(cudaMemset(out, 0, sizeof found));
    compare<<<1, 32>>>(&out->right, &out->sum, &out->sums);
    OK(cudaMemcpy(&found, out, sizeof found, cudaMemcpyDeviceToHost));
    EXPECT(found.right == 32 && __half2float(found.sum) == 32);
    EXPECT(__low2float(found.sums) == 32 && __high2float(found.sums) == 64);
    OK(cudaFree(out));
}

int main()
{
    check_conversions();
    check_arithmetic();
    check_comparisons();
    std::printf("half floats\n");
}
