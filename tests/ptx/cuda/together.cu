/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that work together: reductions, scans, sorts. */
#define ALL 0xffffffffu

extern "C" __global__ void sum_shared(unsigned long long *out, const unsigned *in, unsigned n)
{
    extern __shared__ unsigned long long parts[];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    parts[threadIdx.x] = i < n ? in[i] : 0;
    for (unsigned half = 1; half < blockDim.x; half *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * half) == 0 && threadIdx.x + half < blockDim.x)
            parts[threadIdx.x] += parts[threadIdx.x + half];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = parts[0];
}

__device__ unsigned warp_sum(unsigned value)
{
    for (int by = 16; by; by /= 2) value += __shfl_down_sync(ALL, value, by);
    return value;
}

/* Blocks are whole warps. */
extern "C" __global__ void sum_shuffle(unsigned *out, const unsigned *in, unsigned n)
{
    __shared__ unsigned parts[32];
    unsigned sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warp_sum(threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0);
        if (threadIdx.x == 0) atomicAdd(out, sum);
    }
}

struct tally {
    unsigned sum, and_, or_, xor_;
    int least, most;
    unsigned long long wide;
    unsigned wrapped, count;
};

extern "C" __global__ void tally_atomics(struct tally *t, const unsigned *in, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned v = in[i];
        atomicAdd(&t->sum, v);
        atomicAnd(&t->and_, v | 0xff);
        atomicOr(&t->or_, v & 0xf0f0);
        atomicXor(&t->xor_, v);
        atomicMin(&t->least, (int)v);
        atomicMax(&t->most, (int)v);
        atomicAdd(&t->wide, (unsigned long long)v << 16);
        atomicInc(&t->wrapped, 12);
        unsigned old, now = t->count; /* by compare and swap */
        do {
            old = now;
            now = atomicCAS(&t->count, old, old + (v & 1));
        } while (old != now);
    }
}

/* Sums of doubles that are exact in any order. */
extern "C" __global__ void tally_floats(double *wide, float *narrow, const unsigned *in, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(wide, (double)in[i] * 0.25);
    atomicAdd(narrow, (float)(in[i] & 0xff) * 0.5f);
}

extern "C" __global__ void scan_block(unsigned *inclusive, unsigned *exclusive, const unsigned *in)
{
    extern __shared__ unsigned sums[];
    unsigned n = blockDim.x, me = threadIdx.x, from = 0;
    unsigned own = in[blockIdx.x * n + me];
    sums[me] = own;
    __syncthreads();
    for (unsigned by = 1; by < n; by *= 2) {
        sums[(from ^ n) + me] = sums[from + me] + (me >= by ? sums[from + me - by] : 0);
        from ^= n;
        __syncthreads();
    }
    inclusive[blockIdx.x * n + me] = sums[from + me];
    exclusive[blockIdx.x * n + me] = sums[from + me] - own;
}

/* One pass over all blocks: each waits for those before it (decoupled look-back). */
extern "C" __global__ void scan_grid(unsigned *out, const unsigned *in, unsigned n,
                                     unsigned long long *states, unsigned *ticket)
{
    __shared__ unsigned block, before, sums[32];
    if (threadIdx.x == 0) block = atomicAdd(ticket, 1);
    __syncthreads();
    unsigned i = block * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    unsigned own = i < n ? in[i] : 0;
    for (int by = 1; by < 32; by *= 2) {
        unsigned other = __shfl_up_sync(ALL, own, by);
        if (lane >= by) own += other;
    }
    if (lane == 31) sums[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned total = 0;
        for (unsigned w = 0; w < blockDim.x / 32; w++) {
            unsigned sum = sums[w];
            sums[w] = total;
            total += sum;
        }
        volatile unsigned long long *state = states;
        state[block] = 1ull << 32 | total; /* the block's own sum */
        unsigned past = 0;
        for (unsigned at = block; at-- > 0;) {
            unsigned long long seen;
            while (!(seen = state[at])) {}
            past += (unsigned)seen;
            if (seen >> 32 == 2) break;
        }
        __threadfence();
        state[block] = 2ull << 32 | (past + total); /* and that of all before */
        before = past;
    }
    __syncthreads();
    if (i < n) out[i] = own + sums[threadIdx.x / 32] + before;
}

extern "C" __global__ void histogram_shared(unsigned *bins, const unsigned char *in, unsigned n)
{
    __shared__ unsigned own[256];
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i]], 1);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
        if (own[i]) atomicAdd(&bins[i], own[i]);
}

extern "C" __global__ void sort_bitonic(int *data)
{
    extern __shared__ int keys[];
    unsigned me = threadIdx.x, n = blockDim.x;
    keys[me] = data[blockIdx.x * n + me];
    for (unsigned size = 2; size <= n; size *= 2)
        for (unsigned by = size / 2; by; by /= 2) {
            __syncthreads();
            unsigned other = me ^ by;
            if (other <= me) continue;
            int low = keys[me], high = keys[other];
            if ((low > high) == !(me & size)) {
                keys[me] = high;
                keys[other] = low;
            }
        }
    __syncthreads();
    data[blockIdx.x * n + me] = keys[me];
}

/* Eight passes of four bits over one block; equal digits of a warp find each other. */
extern "C" __global__ void sort_radix(unsigned *data)
{
    __shared__ unsigned counts[16][33], keys[1024];
    unsigned me = threadIdx.x, warp = me / 32, lane = me % 32, warps = blockDim.x / 32;
    keys[me] = data[me];
    for (int shift = 0; shift < 32; shift += 4) {
        for (unsigned i = me; i < 16 * 33; i += blockDim.x) (&counts[0][0])[i] = 0;
        __syncthreads();
        unsigned key = keys[me], digit = key >> shift & 15;
        unsigned peers = __match_any_sync(ALL, digit);
        unsigned rank = __popc(peers & ((1u << lane) - 1));
        if (rank == 0) counts[digit][warp] = __popc(peers);
        __syncthreads();
        if (me == 0) {
            unsigned sum = 0;
            for (int d = 0; d < 16; d++)
                for (unsigned w = 0; w < warps; w++) {
                    unsigned count = counts[d][w];
                    counts[d][w] = sum;
                    sum += count;
                }
        }
        __syncthreads();
        keys[counts[digit][warp] + rank] = key;
        __syncthreads();
    }
    data[me] = keys[me];
}

/* Keeps what is odd, in its order within a warp; counts warps by ballots. */
extern "C" __global__ void keep_odd(unsigned *out, unsigned *counts, const unsigned *in, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    if (i >= n) return;
    unsigned active = __activemask(), odd = __ballot_sync(active, in[i] & 1);
    if (in[i] & 1) out[i / 32 * 32 + __popc(odd & ((1u << lane) - 1))] = in[i];
    int any = __any_sync(active, in[i] % 97 == 0);
    if (lane == 0) counts[i / 32] = __popc(odd) | any << 8;
}

/* Every kind of shuffle, and lanes that are not there. */
extern "C" __global__ void shuffles(int *out, const int *in)
{
    int lane = threadIdx.x % 32, v = in[threadIdx.x];
    int *o = out + threadIdx.x * 8;
    o[0] = __shfl_sync(ALL, v, 5);
    o[1] = __shfl_sync(ALL, v, lane * 7, 8);
    o[2] = __shfl_up_sync(ALL, v, 3, 16);
    o[3] = __shfl_down_sync(ALL, v, 9);
    o[4] = __shfl_xor_sync(ALL, v, 21);
    o[5] = (int)__shfl_xor_sync(ALL, (long long)v << 20, 3, 4) >> 4;
    int all;
    o[6] = __match_all_sync(ALL, v / 64, &all);
    o[6] += 2 * all;
    o[7] = __any_sync(ALL, v == 3) | __all_sync(ALL, v < 100000) << 1;
}
