/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as another compiler makes them: clang's own target, in OpenCL's words. */
unsigned thread(void) { return __nvvm_read_ptx_sreg_tid_x(); }
unsigned width(void) { return __nvvm_read_ptx_sreg_ntid_x(); }
unsigned block(void) { return __nvvm_read_ptx_sreg_ctaid_x(); }

__kernel void cl_saxpy(__global float *y, __global const float *x, float a, unsigned n)
{
    unsigned i = block() * width() + thread();
    if (i < n) y[i] = __builtin_fmaf(a, x[i], y[i]);
}

__kernel void cl_sum(__global unsigned *out, __global const unsigned *in, unsigned n,
                     __local unsigned *parts)
{
    unsigned me = thread(), i = block() * width() + me;
    parts[me] = i < n ? in[i] : 0;
    for (unsigned half_ = 512; half_; half_ /= 2) {
        __nvvm_bar_sync(0);
        if (me < half_ && me + half_ < width()) parts[me] += parts[me + half_];
    }
    if (me == 0) out[block()] = parts[0];
}

typedef struct { int4 a; long b; char c[5]; } mixed;

__constant int primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };

static int step(int v, int k)
{
    switch (k & 7) {
    case 0: return v + primes[v & 7];
    case 1: return v * 3;
    case 2: return v / 7;
    case 3: return v ^ 0x55aa;
    case 5: return -v;
    case 6: return v >> 2;
    default: return v - k;
    }
}

__kernel void cl_mixed(__global int *out, mixed m, int rounds)
{
    unsigned i = block() * width() + thread();
    int v = (int)i, kept[16];
    for (int k = 0; k < 16; k++) kept[k] = v += m.c[k % 5] + k;
    for (int k = 0; k < rounds; k++) {
        v = step(v, kept[(v + k) & 15]);
        kept[(k * 3) & 15] ^= v;
    }
    int4 sum = m.a + (int4)(v, kept[1], kept[i & 15], (int)m.b);
    ((__global int4 *)out)[i] = sum.wzyx;
}
