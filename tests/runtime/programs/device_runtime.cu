// SPDX-License-Identifier: Apache-2.0
// What kernels ask the device runtime for besides launches: fills and copies of boxes, the names and
// texts of statuses, and what their device has.
#include "check.h"

#include <cstring>

enum { ROOM = 512 };

__device__ unsigned char bytes[ROOM], source[ROOM];
__device__ int statuses[16];
__device__ char names[64], words[64];
__device__ int device, device_count, warp_size, read_back;

/* ---- Fills and copies --------------------------------------------------------------------- */

__global__ void note_first() { read_back = bytes[1]; }

/* Bytes 1 to 3; columns 0 to 2 of two rows of 16; and those of two slices of three rows. */
__global__ void fill()
{
    const cudaPitchedPtr box = { bytes + 128, 16, 16, 3 };
    const cudaExtent extent = { 3, 2, 2 };
    statuses[0] = cudaMemsetAsync(bytes + 1, 0x17, 3, 0);
    note_first<<<1, 1>>>();
    statuses[1] = cudaMemset2DAsync(bytes + 64, 16, 0x1ff, 3, 2, 0);
    statuses[2] = cudaMemset3DAsync(box, 7, extent, 0);
    statuses[3] = cudaMemsetAsync(nullptr, 7, 0, 0);
}

/* The same by copies; the source counts its bytes. */
__global__ void copy()
{
    cudaMemcpy3DParms box = {};
    box.srcPtr = cudaPitchedPtr{ source, 8, 8, 4 };
    box.dstPtr = cudaPitchedPtr{ bytes + 128, 16, 16, 3 };
    box.srcPos = cudaPos{ 1, 1, 1 };
    box.dstPos = cudaPos{ 2, 1, 0 };
    box.extent = cudaExtent{ 3, 2, 2 };
    box.kind = cudaMemcpyDeviceToDevice;
    statuses[4] = cudaMemcpy2DAsync(bytes + 64, 16, source, 8, 3, 2, cudaMemcpyDefault, 0);
    statuses[5] = cudaMemcpy3DAsync(&box, 0);
    statuses[6] = cudaMemcpy2DAsync(bytes, 16, source, 8, 3, 2, cudaMemcpyHostToDevice, 0);
    statuses[7] = cudaGetLastError();
}

static unsigned char got[ROOM];

static void fetch_bytes()
{
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromSymbol(got, bytes, sizeof got));
}

static void check_fills()
{
    unsigned char expected[ROOM] = {};
    int first;
    memset(expected + 1, 0x17, 3);
    for (int y = 0; y < 2; y++) memset(expected + 64 + 16 * y, 0xff, 3);
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 2; y++) memset(expected + 128 + 48 * z + 16 * y, 7, 3);
    fill<<<1, 1>>>();
    fetch_bytes();
    EXPECT(!memcmp(got, expected, sizeof got));
    OK(cudaMemcpyFromSymbol(&first, read_back, sizeof first));
    EXPECT(first == 0x17);
}

static void check_copies()
{
    unsigned char expected[ROOM] = {}, counted[ROOM];
    for (int i = 0; i < ROOM; i++) counted[i] = (unsigned char)i;
    OK(cudaMemcpyToSymbol(source, counted, sizeof counted));
    OK(cudaMemcpyToSymbol(bytes, expected, sizeof expected));
    for (int y = 0; y < 2; y++) memcpy(expected + 64 + 16 * y, counted + 8 * y, 3);
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 2; y++)
            memcpy(expected + 128 + 48 * z + 16 * (y + 1) + 2, counted + 32 * (z + 1) + 8 * (y + 1) + 1,
                   3);
    copy<<<1, 1>>>();
    fetch_bytes();
    EXPECT(!memcmp(got, expected, sizeof got));
}

static void check_statuses()
{
    const int expected[8] = { 0, 0, 0, 0, 0, 0, cudaErrorInvalidMemcpyDirection,
                              cudaErrorInvalidMemcpyDirection };
    int got_statuses[8];
    OK(cudaMemcpyFromSymbol(got_statuses, statuses, sizeof got_statuses));
    for (int i = 0; i < 8; i++) EXPECT(got_statuses[i] == expected[i]);
}

/* ---- Questions ---------------------------------------------------------------------------- */

__device__ void take(char *to, const char *text)
{
    while ((*to++ = *text++)) continue;
}

__global__ void ask()
{
    take(names, cudaGetErrorName(cudaErrorInvalidConfiguration));
    take(words, cudaGetErrorString(cudaErrorInvalidConfiguration));
    printf("%s, %s\n", cudaGetErrorName((cudaError_t)-5), cudaGetErrorString(cudaSuccess));
    statuses[8] = cudaGetDevice(&device) | cudaGetDeviceCount(&device_count) |
                  cudaDeviceGetAttribute(&warp_size, cudaDevAttrWarpSize, device);
    statuses[9] = cudaDeviceGetAttribute(&warp_size, (cudaDeviceAttr)100000, device);
}

static void check_answers(int number)
{
    char text[64];
    int value;
    OK(cudaMemcpyFromSymbol(text, names, sizeof text));
    EXPECT(!strcmp(text, cudaGetErrorName(cudaErrorInvalidConfiguration)));
    OK(cudaMemcpyFromSymbol(text, words, sizeof text));
    EXPECT(!strcmp(text, cudaGetErrorString(cudaErrorInvalidConfiguration)));
    OK(cudaMemcpyFromSymbol(&value, device, sizeof value));
    EXPECT(value == number);
    OK(cudaMemcpyFromSymbol(&value, device_count, sizeof value));
    EXPECT(value == 2);
    OK(cudaMemcpyFromSymbol(&value, warp_size, sizeof value));
    EXPECT(value == 32);
    OK(cudaMemcpyFromSymbol(&value, statuses, sizeof value, 8 * sizeof value));
    EXPECT(value == 0);
    OK(cudaMemcpyFromSymbol(&value, statuses, sizeof value, 9 * sizeof value));
    EXPECT(value == cudaErrorInvalidValue);
}

int main()
{
    check_fills();
    check_copies();
    check_statuses();
    for (int number = 1; number >= 0; number--) {
        OK(cudaSetDevice(number));
        ask<<<1, 1>>>();
        OK(cudaDeviceSynchronize());
        check_answers(number);
    }
    std::printf("device runtime\n");
    return 0;
}
