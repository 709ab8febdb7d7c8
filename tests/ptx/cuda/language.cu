/* SPDX-License-Identifier: Apache-2.0
 *
 * What the language can say: functions, tables, structs, initialisers, strings. */
#include <assert.h>
#include <stdio.h>

/* ---- Functions ---- */

__device__ __noinline__ unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n)
{
    if (!m) return n + 1;
    return ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}

extern "C" __global__ void recursion(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[2 * i] = fibonacci(i % 13);
    out[2 * i + 1] = ackermann(i % 3, i % 5);
}

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int divide(int a, int b) { return b ? a / b : -1; }
typedef int binary(int, int);
__device__ binary *const operations[] = { add, subtract, multiply, divide };

extern "C" __global__ void function_pointers(int *out, const int *a, const int *b, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = operations[(unsigned)a[i] % 4](a[i], b[i]);
}

struct shape {
    float side;
    __device__ shape(float s) : side(s) {}
    __device__ virtual float area() const { return 0; }
    __device__ virtual int corners() const { return 0; }
};

struct square : shape {
    __device__ square(float s) : shape(s) {}
    __device__ float area() const override { return side * side; }
    __device__ int corners() const override { return 4; }
};

struct hexagon : shape {
    __device__ hexagon(float s) : shape(s) {}
    __device__ float area() const override { return 2.5980762f * side * side; }
    __device__ int corners() const override { return 6; }
};

__device__ __noinline__ float measure(const shape *s) { return s->area() + (float)s->corners(); }

extern "C" __global__ void virtual_calls(float *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    square a((float)i);
    hexagon b((float)i);
    shape c(1);
    const shape *all[3] = { &a, &b, &c };
    out[i] = measure(all[i % 3]);
}

struct big {
    int numbers[7];
    char letter;
    double half;
};

__device__ __noinline__ struct big turned(struct big b, int by)
{
    struct big r;
    for (int i = 0; i < 7; i++) r.numbers[i] = b.numbers[(i + by) % 7];
    r.letter = b.letter + by;
    r.half = b.half * by;
    return r;
}

extern "C" __global__ void structs_by_value(struct big *out, struct big in, char a, short b,
                                            long long c, struct big more)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    in = turned(in, i % 7);
    in.numbers[0] += a + b;
    in.half += (double)c + more.half;
    in.letter ^= more.letter;
    out[i] = turned(in, more.numbers[i % 7] & 3);
}

extern "C" __global__ void switches(int *out, const int *in, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i];
    switch ((unsigned)v % 12) {
    case 0: v += 17; break;
    case 1: v ^= v << 3; break;
    case 2: v = -v; /* and on */
    case 3: v *= 5; break;
    case 4: v = v / 3; break;
    case 5: while (v & 1) v >>= 1; break;
    case 6: v = __popc(v); break;
    case 8: v |= 0x1000; break;
    case 9: v = __clz(v); break;
    case 10: return;
    case 11: v = v % 1000; break;
    }
    out[i] = v;
}

/* ---- Memory ---- */

__constant__ unsigned char keys[16] = "a secret key 15";
__constant__ struct { short a; double b; const char *c; } record = { -7, 2.5, "constant" };
__device__ int counter = 1000;
__device__ unsigned table[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
__device__ const char *const words[] = { "zero", "one", "two", "three", "four" };
__device__ unsigned *inside = &table[1][1];
__device__ float floats[] = { 1.5f, -0.0f, 3.25e10f };
__device__ __align__(64) char aligned[65];

extern "C" __global__ void variables(int *out)
{
    unsigned i = threadIdx.x;
    const char *word = words[i % 5];
    int sum = 0;
    while (*word) sum = sum * 31 + *word++;
    out[i] = sum + keys[i % 16] + record.a + (int)record.b + record.c[i % 8] + (int)*inside +
             (int)table[i % 2][i % 3] + (int)floats[i % 2] + ((size_t)aligned % 64 ? 1000 : 0);
    if (i == 0) counter++;
}

extern "C" __global__ void local_arrays(unsigned *out, unsigned seed)
{
    unsigned deck[52], i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char spots[52];
    for (int k = 0; k < 52; k++) deck[k] = k;
    for (int k = 51; k > 0; k--) {
        seed = seed * 1664525u + 1013904223u + i;
        unsigned other = (seed >> 8) % (k + 1), card = deck[k];
        deck[k] = deck[other];
        deck[other] = card;
    }
    for (int k = 0; k < 52; k++) spots[deck[k]] = (unsigned char)k;
    unsigned sum = 0;
    for (int k = 0; k < 52; k++) sum = sum * 3 + deck[spots[(k * 5 + i) % 52]] * spots[k];
    out[i] = sum;
}

extern "C" __global__ void strings(char *text, unsigned *lengths, unsigned stride, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    char *at = text + i * stride;
    unsigned length = 0;
    for (; at[length]; length++) {
        char c = at[length];
        if (c >= 'a' && c <= 'z') at[length] = 'a' + (c - 'a' + 13) % 26;
        else if (c >= 'A' && c <= 'Z') at[length] += 32;
    }
    for (unsigned k = 0; k < length / 2; k++) {
        char c = at[k];
        at[k] = at[length - 1 - k];
        at[length - 1 - k] = c;
    }
    lengths[i] = length;
}

extern "C" __global__ void checksum(unsigned *out, const unsigned char *data, unsigned each)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, crc = ~0u;
    for (unsigned k = 0; k < each; k++) {
        crc ^= data[i * each + k];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    out[i] = ~crc;
}

/* ---- The system ---- */

extern "C" __global__ void print(int n, double x, const char *word)
{
    if (threadIdx.x == 0)
        printf("%d of %s: %5.2f %c %llx %% %-6d|%+05d|%s\n", n, "block", x, 'q',
               0x123456789abcdefull, n, n, word);
}

extern "C" __global__ void print_each(void)
{
    printf("thread %d\n", threadIdx.x);
}

extern "C" __global__ void check(const int *in)
{
    assert(in[threadIdx.x] >= 0 && "no number is negative");
}

struct link {
    struct link *next;
    unsigned value;
};

extern "C" __global__ void lists(unsigned *out, unsigned length)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    struct link *first = NULL;
    for (unsigned k = 0; k < length + i % 3; k++) {
        struct link *l = (struct link *)malloc(sizeof *l);
        if (!l) break;
        l->value = i + k;
        l->next = first;
        first = l;
    }
    while (first) {
        struct link *l = first;
        sum = sum * 7 + l->value;
        first = l->next;
        free(l);
    }
    out[i] = sum;
}
