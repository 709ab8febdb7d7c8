// SPDX-License-Identifier: Apache-2.0
// Two devices: their own memory and variables, streams of both, copies and accesses between.
#include <thread>

#include "check.h"

__device__ int own = 1;

__global__ void add_own(int *at)
{
    *at += own;
}

#ifdef __managed__ // clang has none
__managed__ int everybodys = 5;

__global__ void add_to_everybodys(int more)
{
    everybodys += more;
}

/* A managed variable is one, whoever looks at it. */
static void share_a_variable()
{
    OK(cudaSetDevice(0));
    add_to_everybodys<<<1, 1>>>(10);
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(1));
    add_to_everybodys<<<1, 1>>>(100);
    OK(cudaDeviceSynchronize());
    EXPECT(everybodys == 115);
    OK(cudaSetDevice(0));
}
#endif

static int on_device(int device)
{
    int *word, value = 10 * device;
    OK(cudaSetDevice(device));
    OK(cudaMemcpyToSymbol(own, &value, sizeof value));
    OK(cudaMalloc(&word, sizeof *word));
    OK(cudaMemset(word, 0, sizeof *word));
    add_own<<<1, 1>>>(word);
    OK(cudaMemcpy(&value, word, sizeof value, cudaMemcpyDeviceToHost));
    cudaPointerAttributes attributes;
    OK(cudaPointerGetAttributes(&attributes, word));
    EXPECT(attributes.device == device && attributes.type == cudaMemoryTypeDevice);
    return value;
}

int main()
{
    int count = 0, now = -1, of_thread = -1, value = 77, can = 0, *first, *second;
    OK(cudaGetDeviceCount(&count));
    EXPECT(count == 2);
    EXPECT(on_device(0) == 0);
    EXPECT(on_device(1) == 10);
    OK(cudaGetDevice(&now));
    EXPECT(now == 1);
#ifdef __managed__
    share_a_variable();
#endif
    OK(cudaSetDevice(1));
    std::thread([&] { OK(cudaGetDevice(&of_thread)); }).join();
    EXPECT(of_thread == 0);
    OK(cudaMalloc(&second, sizeof value));
    OK(cudaSetDevice(0));
    OK(cudaMalloc(&first, sizeof value));
    OK(cudaMemcpy(first, &value, sizeof value, cudaMemcpyHostToDevice));
    OK(cudaMemcpyPeer(second, 1, first, 0, sizeof value));
    value = 0;
    OK(cudaMemcpy(&value, second, sizeof value, cudaMemcpyDeviceToHost));
    EXPECT(value == 77);
    OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    if (can) {
        OK(cudaDeviceEnablePeerAccess(1, 0));
        EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
        EXPECT(cudaGetLastError() == cudaErrorPeerAccessAlreadyEnabled);
        add_own<<<1, 1>>>(second);
        OK(cudaDeviceSynchronize());
    }
    std::printf("two devices\n");
}
