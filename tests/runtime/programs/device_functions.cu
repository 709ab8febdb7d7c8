// SPDX-License-Identifier: Apache-2.0
// What kernels call, compared with what the host makes of the same numbers.
#include "check.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

/* ---- Functions of numbers ------------------------------------------------------------------ */

// Both sides call these, each its own functions.
#define SINGLES 46
#define DOUBLES 30

static __host__ __device__ void of_singles(float x, float y, float *out)
{
    float whole, sine, cosine;
    int power;
    const float results[SINGLES] = {
        sqrtf(x), expf(x), exp2f(x), expm1f(x), logf(x), log2f(x), log10f(x), log1pf(x),
        powf(x, y), sinf(x), cosf(x), tanf(x), asinf(x / 4), acosf(x / 4), atanf(x), atan2f(x, y),
        sinhf(x), coshf(x), tanhf(x), asinhf(x), acoshf(1 + x), atanhf(x / 4), cbrtf(x),
        hypotf(x, y), fmodf(x, y), remainderf(x, y), roundf(x), nearbyintf(x), erff(x), erfcf(x),
        tgammaf(x), lgammaf(x), ldexpf(x, 3), copysignf(x, -y), fmaf(x, y, 1), fminf(x, y),
        fmaxf(x, y), floorf(x), ceilf(x), truncf(x), fabsf(-x), fdimf(x, y), std::exp(x),
        std::pow(x, y), rsqrtf(x), nextafterf(x, y),
    };
    memcpy(out, results, sizeof results);
    sincosf(x, &sine, &cosine);
    out[0] += sine - cosine + modff(x, &whole) + whole + frexpf(x, &power) + power;
}

static __host__ __device__ void of_doubles(double x, double y, double *out)
{
    double whole, sine, cosine;
    int power;
    const double results[DOUBLES] = {
        sqrt(x), exp(x), exp2(x), expm1(x), log(x), log2(x), log10(x), log1p(x), pow(x, y), sin(x),
        cos(x), tan(x), asin(x / 4), acos(x / 4), atan(x), atan2(x, y), sinh(x), cosh(x), tanh(x),
        cbrt(x), hypot(x, y), fmod(x, y), remainder(x, y), round(x), erf(x), erfc(x), tgamma(x),
        lgamma(x), ldexp(x, 3), fma(x, y, 1),
    };
    memcpy(out, results, sizeof results);
    sincos(x, &sine, &cosine);
    out[0] += sine - cosine + modf(x, &whole) + whole + frexp(x, &power) + power;
}

struct numbers {
    float singles[SINGLES], fast[8];
    double doubles[DOUBLES];
};

__global__ void numbers(numbers *out)
{
    const float x = 0.25f + threadIdx.x * 0.0625f;
    out += threadIdx.x;
    of_singles(x, 1.5f, out->singles);
    of_doubles(x, 1.5, out->doubles);
    const float fast[8] = { __expf(x), __logf(x), __sinf(x), __cosf(x), __powf(x, 1.5f),
                            __fdividef(x, 3), __saturatef(x), __fadd_rn(x, 2) };
    memcpy(out->fast, fast, sizeof fast);
}

static bool near(double found, double wanted, double error)
{
    if (std::fabs(found - wanted) <= error * (1 + std::fabs(wanted))) return true;
    std::printf("%.17g, not %.17g\n", found, wanted);
    return false;
}

// These the host has not; so they are compared with what they undo, or are known to be.
__global__ void inverses()
{
    const float three[3] = { 2, 3, 6 };
    for (double x = 0.125; x < 1; x += 0.125) {
        assert(fabs(erf(erfinv(x)) - x) < 1e-15 && fabs(erfc(erfcinv(x)) - x) < 1e-15);
        assert(fabs(normcdf(normcdfinv(x)) - x) < 1e-15);
        assert(fabs(exp(x * x) * erfc(x) - erfcx(x)) < 1e-15);
        assert(fabsf(erff(erfinvf((float)x)) - (float)x) < 1e-6f);
        const double wronskian = j1(x) * y0(x) - j0(x) * y1(x);
        assert(fabs(wronskian * x - 0.63661977236758134) < 1e-14 && jn(1, x) == j1(x));
    }
    assert(fabs(cyl_bessel_i0(1.0) - 1.2660658777520084) < 1e-15);
    assert(fabsf(cyl_bessel_i1f(1) - 0.56515910f) < 1e-7f && yn(0, 2.0) == y0(2.0));
    assert(normf(3, three) == 7 && fabsf(rnormf(3, three) - 1 / 7.f) < 1e-7f);
}

static void check_numbers()
{
    struct numbers *out, found[32], wanted;
    OK(cudaMalloc(&out, sizeof found));
    numbers<<<1, 32>>>(out);
    inverses<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
    OK(cudaFree(out));
    for (int i = 0; i < 32; i++) {
        const float x = 0.25f + i * 0.0625f;
        of_singles(x, 1.5f, wanted.singles);
        of_doubles(x, 1.5, wanted.doubles);
        for (int n = 0; n < SINGLES; n++)
            EXPECT(near(found[i].singles[n], wanted.singles[n], 1e-6));
        for (int n = 0; n < DOUBLES; n++)
            EXPECT(near(found[i].doubles[n], wanted.doubles[n], 1e-14));
        const float fast[8] = { expf(x), logf(x), sinf(x), cosf(x), powf(x, 1.5f), x / 3,
                                x < 1 ? x : 1, x + 2 };
        for (int n = 0; n < 8; n++) EXPECT(near(found[i].fast[n], fast[n], 1e-5));
    }
}

/* ---- Integers and bits --------------------------------------------------------------------- */

__global__ void bits(long long *out)
{
    const unsigned x = 0x00f0e1d2u;
    const long long results[] = {
        __popc(x), __popcll(0xf0f0000000ff00ffull), __clz(x), __clzll(x), __ffs(x),
        __ffsll(1ll << 40),
        __brev(x), (long long)__brevll(2), __mulhi(-5, 1 << 30), __umulhi(0x80000000u, 6),
        __mul24(-3, 1000), min(3u, 4u), max(-3ll, 4ll), abs(-7), __float_as_int(1.5f),
        (long long)__int_as_float(0x40400000), __double_as_longlong(2.0),
        __byte_perm(0x3210, 0x7654, 0x5140),
        __float2int_rn(2.5f), __float2int_rz(-2.7f), __float2int_rd(-2.2f), __float2int_ru(2.2f),
        (long long)__int2float_rz(16777219), __double2int_rn(3.5), __hadd(3, 8),
        (long long)__sad(3, 9, 1), (long long)max(1.5f, 4.5f), (long long)min(2.0, 3.0f), __ldg(&x),
    };
    memcpy(out, results, sizeof results);
}

static void check_bits()
{
    const long long wanted[] = {
        12, 24, 8, 40, 2, 41, 0x4b870f00, 0x4000000000000000, -2, 3, -3000, 3, 4, 7, 0x3fc00000, 3,
        0x4000000000000000, 0x76325410, 2, -2, -3, 3, 16777218, 4, 5, 7, 4, 2, 0x00f0e1d2,
    };
    const int count = sizeof wanted / sizeof *wanted;
    long long *out, found[count];
    OK(cudaMalloc(&out, sizeof wanted));
    bits<<<1, 1>>>(out);
    OK(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
    OK(cudaFree(out));
    for (int i = 0; i < count; i++) {
        if (found[i] != wanted[i]) std::printf("%d: %llx, not %llx\n", i, found[i], wanted[i]);
        EXPECT(found[i] == wanted[i]);
    }
}

/* ---- Atomics ------------------------------------------------------------------------------- */

struct sums {
    int added, less, least, greatest, mask, any, odd, swapped;
    unsigned around, back, highest, inside;
    unsigned long long wide, last, first;
    float single, left;
    double real;
};

__global__ void atomics(sums *to)
{
    const int i = threadIdx.x;
    atomicAdd(&to->added, i);
    atomicCAS(&to->first, 0ull, ~0ull);
    atomicSub_block(&to->less, 2);
    atomicMin_system(&to->least, -i);
    atomicMax(&to->greatest, i);
    atomicAnd(&to->mask, ~(1 << i % 16));
    atomicOr(&to->any, 1 << i % 16);
    atomicXor_block(&to->odd, i);
    for (int seen = to->swapped; ;) {
        const int before = atomicCAS_system(&to->swapped, seen, seen + 3);
        if (before == seen) break;
        seen = before;
    }
    atomicInc(&to->around, 4);
    atomicDec(&to->back, 4);
    atomicMax(&to->highest, 0x80000000u + i);
    atomicAdd_block(&to->inside, 1u);
    atomicAdd(&to->wide, 1ull << 32);
    atomicMax(&to->last, (unsigned long long)i);
    atomicAdd(&to->single, 0.5f);
    atomicExch_block(&to->left, 2.5f);
    atomicAdd_system(&to->real, 0.25);
}

static void check_atomics()
{
    sums *to, found = {};
    found.mask = 0x3ffff;
    OK(cudaMalloc(&to, sizeof *to));
    OK(cudaMemcpy(to, &found, sizeof found, cudaMemcpyHostToDevice));
    atomics<<<1, 64>>>(to);
    OK(cudaMemcpy(&found, to, sizeof found, cudaMemcpyDeviceToHost));
    OK(cudaFree(to));
    EXPECT(found.added == 2016 && found.less == -128);
    EXPECT(found.least == -63 && found.greatest == 63);
    EXPECT(found.mask == 0x30000 && found.any == 0xffff && found.odd == 0);
    EXPECT(found.swapped == 192);
    EXPECT(found.around == 64 % 5 && found.back == 1);
    EXPECT(found.highest == 0x8000003f && found.inside == 64);
    EXPECT(found.wide == 64ull << 32 && found.last == 63 && found.first == ~0ull);
    EXPECT(found.single == 32 && found.left == 2.5f && found.real == 16);
}

/* ---- Warps --------------------------------------------------------------------------------- */

struct shuffled {
    int any, all, next;
    unsigned ballot, active, same, alike;
    float half;
    double real;
    long long wide;
    unsigned long long up;
};

__global__ void warps(shuffled *out)
{
    const unsigned lane = threadIdx.x, all = 0xffffffff;
    shuffled own;
    int alike;
    own.any = __any_sync(all, lane == 5);
    own.all = __all_sync(all, lane != 5);
    own.ballot = __ballot_sync(all, lane % 2);
    own.active = __activemask();
    own.same = __match_any_sync(all, lane / 8);
    own.alike = __match_all_sync(all, 7ll, &alike) * alike;
    own.next = __shfl_down_sync(all, (int)lane, 1, 8);
    own.half = __shfl_sync(all, lane * 0.5f, 3, 16);
    own.real = __shfl_xor_sync(all, lane * 0.25, 1);
    own.wide = __shfl_sync(all, (long long)lane << 40, 9);
    own.up = __shfl_up_sync(all, (unsigned long long)lane << 33, 2, 4);
#if __CUDA_ARCH__ >= 800
    assert(__reduce_add_sync(all, lane) == 496 && __reduce_min_sync(all, -(int)lane) == -31);
    if (lane < 4) assert(__reduce_xor_sync(0xf, 1u << lane) == 0xf);
#endif
    out[lane] = own;
}

static void check_warps()
{
    shuffled *out, found[32];
    OK(cudaMalloc(&out, sizeof found));
    warps<<<1, 32>>>(out);
    OK(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
    OK(cudaFree(out));
    for (unsigned i = 0; i < 32; i++) {
        const shuffled &own = found[i];
        EXPECT(own.any && !own.all && own.ballot == 0xaaaaaaaa && own.active == 0xffffffff);
        EXPECT(own.same == 0xffu << i / 8 * 8 && own.alike == 0xffffffff);
        EXPECT(own.next == (int)(i % 8 == 7 ? i : i + 1));
        EXPECT(own.half == (i / 16 * 16 + 3) * 0.5f && own.real == (i ^ 1) * 0.25);
        EXPECT(own.wide == 9ll << 40);
        EXPECT(own.up == (unsigned long long)(i % 4 < 2 ? i : i - 2) << 33);
    }
}

/* ---- Vectors ------------------------------------------------------------------------------- */

__global__ void vectors(float4 *four, uchar4 *bytes, uint3 *place)
{
    const float4 own = __ldcg(four), same = __ldcv(four);
    assert(own.w == 4 && same.x == own.x);
    __stcs(four, make_float4(own.w, own.z, own.y, own.x));
    *bytes = make_uchar4(1, 2, 3, 255);
    *place = threadIdx;
}

static void check_vectors()
{
    static_assert(sizeof(float3) == 12 && alignof(float4) == 16 && alignof(double2) == 16 &&
                  alignof(short4) == 8 && sizeof(char4) == 4, "as CUDA has them");
    struct {
        float4 four;
        uchar4 bytes;
        uint3 place;
    } *on_device, found = { make_float4(1, 2, 3, 4), {}, make_uint3(7, 7, 7) };
    OK(cudaMalloc(&on_device, sizeof found));
    OK(cudaMemcpy(on_device, &found, sizeof found, cudaMemcpyHostToDevice));
    const uint3 one = make_uint3(1, 1, 1);
    vectors<<<one, 1>>>(&on_device->four, &on_device->bytes, &on_device->place);
    OK(cudaMemcpy(&found, on_device, sizeof found, cudaMemcpyDeviceToHost));
    OK(cudaFree(on_device));
    EXPECT(found.four.x == 4 && found.four.w == 1 && found.bytes.w == 255 && found.place.x == 0);
}

int main()
{
    check_numbers();
    check_bits();
    check_atomics();
    check_warps();
    check_vectors();
    EXPECT(max(1.5f, 2.5f) == 2.5f && min(2u, 3u) == 2 && std::max(4, 5) == 5);
    std::printf("device functions\n");
}
