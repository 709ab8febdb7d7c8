/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic: all widths, and what the compiler makes of mathematical functions. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define ROW(n) unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= (n)) return

extern "C" __global__ void divide_wide(long long *out, const long long *a, const long long *b,
                                       unsigned n)
{
    ROW(n);
    unsigned long long ua = a[i], ub = b[i];
    if (!ub) return;
    out[4 * i] = a[i] / b[i];
    out[4 * i + 1] = a[i] % b[i];
    out[4 * i + 2] = ua / ub;
    out[4 * i + 3] = ua % ub;
}

extern "C" __global__ void bits(unsigned *out, const unsigned *a, const unsigned *b, unsigned n)
{
    ROW(n);
    unsigned x = a[i], y = b[i], *o = out + 16 * i;
    o[0] = __brev(x);
    o[1] = __clz(x) << 8 | __ffs(y);
    o[2] = __popc(x) * 64 + __clzll((unsigned long long)x << 20 | y);
    o[3] = __byte_perm(x, y, 0x5172);
    o[4] = __byte_perm(x, y, y & 0xffff);
    o[5] = __funnelshift_l(x, y, y);
    o[6] = __funnelshift_rc(x, y, x & 63);
    o[7] = __umulhi(x, y);
    o[8] = __mulhi((int)x, (int)y);
    o[9] = __dp4a((int)x, (int)y, 100);
    o[10] = __usad(x, y, 7);
    o[11] = (x & y) ^ (~x | (y & 0xff00ff)) ^ (x ^ y);
    o[12] = __mul24(x, y);
    o[13] = (unsigned)(__umul64hi((unsigned long long)x << 32 | y, 0x123456789abcdefull) >> 7);
    o[14] = (unsigned)(short)x * (unsigned char)y - (x >> (y & 31)) - (unsigned)((int)x >> 5);
    o[15] = min((int)x, (int)y) ^ max(x, y) ^ (unsigned)abs((int)y);
}

extern "C" __global__ void conversions(long long *out, const float *f, const double *d, unsigned n)
{
    ROW(n);
    long long *o = out + 12 * i;
    o[0] = __float2int_rn(f[i]);
    o[1] = __float2int_rz(f[i]);
    o[2] = __float2uint_ru(f[i]);
    o[3] = __float2ll_rd(f[i]);
    o[4] = __double2int_rn(d[i]);
    o[5] = __double2ll_rz(d[i]);
    o[6] = __float_as_int(__double2float_rd(d[i]));
    o[7] = __float_as_int(__ll2float_rn(__double_as_longlong(d[i])));
    o[8] = __double_as_longlong(__ull2double_ru((unsigned long long)__double_as_longlong(d[i])));
    o[9] = __float_as_int(rintf(f[i])) ^ __float_as_int(floorf(f[i]));
    o[10] = __double_as_longlong(trunc(d[i]));
    o[11] = (signed char)__float_as_int(f[i]) * 256 + (unsigned char)__float_as_int(f[i]);
}

extern "C" __global__ void halves(__half *out, const __half *a, const __half *b, unsigned n)
{
    ROW(n);
    __half x = a[i], y = b[i], *o = out + 8 * i;
    o[0] = __hadd(x, y);
    o[1] = __hmul(x, y);
    o[2] = __hfma(x, y, x);
    o[3] = __hsub(x, y);
    o[4] = __float2half_rn(__half2float(x) * 1.0009765625f);
    o[5] = __hlt(x, y) ? x : y;
    __half2 p = __hfma2(__halves2half2(x, y), __halves2half2(y, x), __halves2half2(x, x));
    o[6] = __low2half(p);
    o[7] = __high2half(p);
}

extern "C" __global__ void brains(__nv_bfloat16 *out, const __nv_bfloat16 *a,
                                  const __nv_bfloat16 *b, unsigned n)
{
    ROW(n);
    __nv_bfloat16 *o = out + 4 * i;
    o[0] = __hadd(a[i], b[i]);
    o[1] = __hmul(a[i], b[i]);
#if __CUDA_ARCH__ >= 800
    o[2] = __hfma(a[i], b[i], a[i]);
#else
    o[2] = __float2bfloat16_rn(0.0f);
#endif
    o[3] = __float2bfloat16_rn(__bfloat162float(a[i]) * 1.01f);
}

extern "C" __global__ void rounding(float *out, const float *a, const float *b, unsigned n)
{
    ROW(n);
    float x = a[i], y = b[i], *o = out + 12 * i;
    o[0] = __fadd_rd(x, y);
    o[1] = __fadd_ru(x, y);
    o[2] = __fmul_rz(x, y);
    o[3] = __fmaf_rd(x, y, x);
    o[4] = __fdiv_rn(x, y);
    o[5] = __fsqrt_rn(fabsf(x));
    o[6] = __frcp_rn(y);
    o[7] = __fdiv_ru(x, y);
    o[8] = fminf(x, y);
    o[9] = fmaxf(x, -y);
    o[10] = __saturatef(x);
    o[11] = copysignf(x, y);
}

extern "C" __global__ void rounding_doubles(double *out, const double *a, const double *b,
                                            unsigned n)
{
    ROW(n);
    double x = a[i], y = b[i], *o = out + 8 * i;
    o[0] = __dadd_rd(x, y);
    o[1] = __dmul_ru(x, y);
    o[2] = __fma_rz(x, y, x);
    o[3] = x / y;
    o[4] = sqrt(fabs(x));
    o[5] = __drcp_rn(y);
    o[6] = fmin(x, y);
    o[7] = fmod(x, y);
}

extern "C" __global__ void math_doubles(double *out, const double *in, unsigned n)
{
    ROW(n);
    double x = in[i], *o = out + 8 * i;
    o[0] = sin(x);
    o[1] = cos(x);
    o[2] = exp(x);
    o[3] = log(fabs(x));
    o[4] = pow(fabs(x), 1.7);
    o[5] = atan2(x, 2.0);
    o[6] = tanh(x);
    o[7] = cbrt(x);
}

extern "C" __global__ void math_floats(float *out, const float *in, unsigned n)
{
    ROW(n);
    float x = in[i], *o = out + 8 * i;
    o[0] = sinf(x);
    o[1] = cosf(x);
    o[2] = expf(x);
    o[3] = logf(fabsf(x));
    o[4] = powf(fabsf(x), 1.7f);
    o[5] = atanf(x);
    o[6] = tanhf(x);
    o[7] = erff(x);
}

extern "C" __global__ void math_fast(float *out, const float *in, unsigned n)
{
    ROW(n);
    float x = in[i], *o = out + 8 * i;
    o[0] = __sinf(x);
    o[1] = __cosf(x);
    o[2] = __expf(x);
    o[3] = __log2f(fabsf(x));
    o[4] = __fdividef(x, 3.0f);
    o[5] = rsqrtf(fabsf(x));
    o[6] = __tanf(x);
    o[7] = exp2f(x);
}
