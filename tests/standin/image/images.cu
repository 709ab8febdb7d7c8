// What the samples are made of: parameters of every alignment, shared memory, and variables
// that begin with zeros, with values and with addresses.
struct mixed {
    char a[3];
    short b;
    double c;
    char d;
};
struct large {
    char bytes[5000];
};

__device__ int counter = 7;
__device__ double table[4] = { 1, 2, 3.5, -1 };
__constant__ short words[3] = { 1, -2, 3 };
__device__ int blank[100];
__device__ int *links[2] = { &counter, blank + 4 };

extern "C" __global__ void nop(void) { }

extern "C" __global__ void __launch_bounds__(256)
mix(unsigned char a, mixed s, float4 v, int *p, unsigned short q)
{
    __shared__ int shared[8];
    shared[a & 7] = s.b + q;
    __syncthreads();
    *p = shared[q & 7] + (int)v.x + counter + (int)table[a & 3] + words[a % 3] + blank[a] +
         *links[a & 1];
}

extern "C" __global__ void big(large b, int *p) { *p = b.bytes[*p]; }
