/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "answers.h"

static void ask_memory(void)
{
    void *at = &at;
    size_t pitch = 7;
    struct cudaPitchedPtr box;
    ASK(cudaMalloc(&at, 0));
    TELL("memory %d", at != NULL);
    ASK(cudaMalloc(NULL, 10));
    ASK(cudaMalloc(NULL, 0));
    ASK(cudaMalloc(&at, (size_t)1 << 60));
    ASK(cudaMalloc(&at, SIZE_MAX));
    ASK(cudaFree(NULL));
    ASK(cudaFree((void *)0x1234));
    ASK(cudaMalloc(&at, 1000));
    TELL("boundary %d", (int)((uintptr_t)at % 256));
    ASK(cudaFree((char *)at + 8));
    ASK(cudaFree(at));
    ASK(cudaFree(at));
    ASK(cudaMallocPitch(&at, &pitch, 100, 10));
    TELL("pitch %zu", pitch);
    ASK(cudaMallocPitch(&at, &pitch, 0, 10));
    TELL("pitch %zu memory %d", pitch, at != NULL);
    ASK(cudaMallocPitch(&at, &pitch, 10, 0));
    TELL("pitch %zu memory %d", pitch, at != NULL);
    ASK(cudaMallocPitch(&at, NULL, 10, 10));
    ASK(cudaMallocPitch(NULL, &pitch, 10, 10));
    ASK(cudaMallocPitch(&at, &pitch, 513, 1));
    TELL("pitch %zu", pitch);
    ASK(cudaMalloc3D(&box, (struct cudaExtent){ 100, 10, 5 }));
    TELL("box %zu %zu %zu", box.pitch, box.xsize, box.ysize);
    ASK(cudaMalloc3D(&box, (struct cudaExtent){ 100, 0, 5 }));
    TELL("box %zu %zu %zu memory %d", box.pitch, box.xsize, box.ysize, box.ptr != NULL);
    ASK(cudaMalloc3D(NULL, (struct cudaExtent){ 100, 10, 5 }));
    ASK(cudaMemGetInfo(&pitch, NULL));
    ASK(cudaMemGetInfo(NULL, NULL));
}

static void ask_host_memory(void)
{
    int local;
    unsigned flags = 9;
    void *host = &host, *device = NULL;
    ASK(cudaMallocHost(&host, 0));
    TELL("memory %d", host != NULL);
    ASK(cudaFreeHost(NULL));
    ASK(cudaFreeHost(&local));
    ASK(cudaHostAlloc(&host, 100, 0xff));
    ASK(cudaHostAlloc(&host, 0, 0));
    TELL("memory %d", host != NULL);
    ASK(cudaHostAlloc(&host, 0, 0xff));
    ASK(cudaHostAlloc(NULL, 100, 0));
    ASK(cudaMallocHost(NULL, 4));
    ASK(cudaMallocHost(NULL, 0));
    ASK(cudaHostAlloc(&host, 100, cudaHostAllocPortable | cudaHostAllocWriteCombined));
    ASK(cudaHostGetFlags(&flags, host));
    TELL("flags %u", flags);
    ASK(cudaFreeHost(host));
    ASK(cudaMallocHost(&host, 100));
    ASK(cudaHostGetFlags(&flags, host));
    TELL("flags %u", flags);
    ASK(cudaHostGetFlags(&flags, &local));
    ASK(cudaHostGetFlags(&flags, NULL));
    ASK(cudaHostGetFlags(NULL, host));
    ASK(cudaHostGetDevicePointer(&device, host, 0));
    TELL("same %d", device == host);
    ASK(cudaHostGetDevicePointer(&device, host, 1));
    ASK(cudaHostGetDevicePointer(&device, &local, 0));
    ASK(cudaHostGetDevicePointer(NULL, host, 0));
    ASK(cudaHostGetDevicePointer(&device, NULL, 0));
    ASK(cudaFree(host));
    ASK(cudaHostUnregister(host));
    ASK(cudaFreeHost((char *)host + 8));
    ASK(cudaFreeHost(host));
}

static void ask_registered_memory(void)
{
    unsigned flags = 9;
    void *memory = aligned_alloc(4096, 8192), *device = NULL;
    ASK(cudaHostRegister(memory, 8192, 0));
    ASK(cudaHostGetFlags(&flags, memory));
    TELL("flags %u", flags);
    ASK(cudaHostGetDevicePointer(&device, memory, 0));
    TELL("same %d", device == memory);
    ASK(cudaHostRegister(memory, 8192, 0));
    ASK(cudaHostRegister((char *)memory + 100, 10, 0));
    ASK(cudaFreeHost(memory));
    ASK(cudaHostUnregister((char *)memory + 100));
    ASK(cudaHostUnregister(memory));
    ASK(cudaHostUnregister(memory));
    ASK(cudaHostRegister(NULL, 10, 0));
    ASK(cudaHostRegister(memory, 0, 0));
    ASK(cudaHostRegister(memory, 8192, 0x100));
    ASK(cudaHostRegister(memory, 8192, cudaHostRegisterPortable | cudaHostRegisterMapped));
    ASK(cudaHostUnregister(memory));
    ASK(cudaHostUnregister(NULL));
}

static void tell_pointer(const char *what, const void *pointer)
{
    struct cudaPointerAttributes a;
    memset(&a, 0x55, sizeof a);
    cudaError_t status = cudaPointerGetAttributes(&a, pointer);
    TELL("%s: %s type %d device %d same %d %d", what, cudaGetErrorName(status), (int)a.type,
         a.device, a.devicePointer == pointer, a.hostPointer == pointer);
}

static void ask_pointers(void)
{
    static int local;
    char *device = NULL, *host = NULL;
    struct cudaPointerAttributes attributes;
    tell_pointer("before anything", &local);
    cudaMalloc((void **)&device, 1000);
    cudaMallocHost((void **)&host, 1000);
    tell_pointer("device", device);
    tell_pointer("within", device + 500);
    tell_pointer("host", host);
    tell_pointer("within", host + 500);
    tell_pointer("local", &local);
    tell_pointer("none", NULL);
    ASK(cudaPointerGetAttributes(NULL, device));
    ASK(cudaPointerGetAttributes(&attributes, device));
    cudaFree(device);
    tell_pointer("freed", device);
}

const struct group memory_groups[] = {
    { "memory", ask_memory },
    { "host memory", ask_host_memory },
    { "registered memory", ask_registered_memory },
    { "pointers", ask_pointers },
    { NULL, NULL },
};
