// SPDX-License-Identifier: Apache-2.0
// Calls that 12 took out or changed: properties, attributes, captures, entry points, threads.
#include <cuda_profiler_api.h>

#include "ask.h"

static __global__ void store(int *at, int value)
{
    *at = value;
}

static __global__ void wide(int *at)
{
    extern __shared__ int room[];
    room[threadIdx.x] = 0;
    *at = room[0];
}

static int unregistered;

/* ---- What a device and a kernel are ------------------------------------------------------- */

struct field {
    const char *name;
    long long value;
    int attribute;
};

static void ask_properties()
{
    struct {
        cudaDeviceProp is;
        unsigned char behind[64];
    } all;
    std::memset(&all, 0x5a, sizeof all);
    ASK(cudaGetDeviceProperties(&all.is, 0));
    const cudaDeviceProp &is = all.is;
    const field fields[] = {
#define FIELD(name, attribute) { #name, (long long)is.name, attribute }
        FIELD(sharedMemPerBlock, 8), FIELD(regsPerBlock, 12), FIELD(warpSize, 10),
        FIELD(memPitch, 11), FIELD(maxThreadsDim[2], 4), FIELD(clockRate, 13),
        FIELD(totalConstMem, 9), FIELD(textureAlignment, 14), FIELD(deviceOverlap, 15),
        FIELD(multiProcessorCount, 16), FIELD(computeMode, 20), FIELD(maxTexture1D, 21),
        FIELD(maxTexture1DLinear, 69), FIELD(maxTexture2DLinear[2], 72), FIELD(maxTexture3D[1], 25),
        FIELD(maxSurfaceCubemapLayered[1], 68), FIELD(surfaceAlignment, 30), FIELD(pciBusID, 33),
        FIELD(unifiedAddressing, 41), FIELD(memoryClockRate, 36), FIELD(memoryBusWidth, 37),
        FIELD(l2CacheSize, 38), FIELD(persistingL2CacheMaxSize, 108),
        FIELD(maxThreadsPerMultiProcessor, 39), FIELD(sharedMemPerMultiprocessor, 81),
        FIELD(regsPerMultiprocessor, 82), FIELD(managedMemory, 83),
        FIELD(singleToDoublePrecisionPerfRatio, 87), FIELD(concurrentManagedAccess, 89),
        FIELD(cooperativeLaunch, 95), FIELD(cooperativeMultiDeviceLaunch, 96),
        FIELD(sharedMemPerBlockOptin, 97), FIELD(maxBlocksPerMultiProcessor, 106),
        FIELD(accessPolicyMaxWindowSize, 109), FIELD(reservedSharedMemPerBlock, 111),
#undef FIELD
    };
    for (const field &field : fields) {
        int wanted = -1;
        cudaDeviceGetAttribute(&wanted, (cudaDeviceAttr)field.attribute, 0);
        TELL("%s is %s", field.name, field.value == wanted ? "the attribute" : "another number");
    }
    TELL("behind: %s", all.behind[0] == 0x5a ? "untouched" : "written");
    ASK(cudaGetDeviceProperties(&all.is, -1));
    ASK(cudaGetDeviceProperties(&all.is, 99));
    ASK(cudaGetDeviceProperties(nullptr, 0));
}

static void ask_attributes()
{
    struct {
        cudaFuncAttributes is;
        unsigned char behind[128];
    } all;
    std::memset(&all, 0x5a, sizeof all);
    ASK(cudaFuncGetAttributes(&all.is, wide));
    TELL("threads %d, carveout %d, dynamic %d", all.is.maxThreadsPerBlock,
         all.is.preferredShmemCarveout, all.is.maxDynamicSharedSizeBytes);
    TELL("behind: %s", all.behind[0] == 0x5a ? "untouched" : "written");
    ASK(cudaFuncGetAttributes(&all.is, (const void *)&unregistered));
    ASK(cudaFuncGetAttributes(&all.is, (const void *)nullptr));
    ASK(cudaFuncGetAttributes(nullptr, (const void *)wide));
    ASK(cudaFuncSetAttribute((const void *)wide, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    ASK(cudaFuncSetAttribute((const void *)wide, (cudaFuncAttribute)99, 1));
    ASK(cudaFuncSetAttribute((const void *)&unregistered,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
}

/* ---- Launches ----------------------------------------------------------------------------- */

static void ask_launches()
{
    int *word, value = 5;
    ASK(cudaMalloc(&word, sizeof *word));
    void *params[] = { &word, &value };
    const dim3 one(1), none(0), large(1025);
    ASK(cudaLaunchKernel((const void *)store, none, one, params, 0, nullptr));
    ASK(cudaLaunchKernel((const void *)store, one, none, params, 0, nullptr));
    ASK(cudaLaunchKernel((const void *)store, one, large, params, 0, nullptr));
    ASK(cudaLaunchKernel((const void *)store, one, one, params, 1 << 20, nullptr));
    ASK(cudaLaunchKernel((const void *)&unregistered, one, one, params, 0, nullptr));
    ASK(cudaLaunchKernel((const void *)nullptr, one, one, params, 0, nullptr));
    ASK(cudaLaunchCooperativeKernel((const void *)store, none, one, params, 0, nullptr));
    ASK(cudaLaunchCooperativeKernel((const void *)&unregistered, one, one, params, 0, nullptr));
    cudaLaunchParams launch = { (void *)store, one, one, params, 0, nullptr };
    ASK(cudaLaunchCooperativeKernelMultiDevice(&launch, 0, 0));
    ASK(cudaLaunchCooperativeKernelMultiDevice(nullptr, 1, 0));
    ASK(cudaLaunchCooperativeKernelMultiDevice(&launch, 1, 0));
    cudaStreamCreate(&launch.stream);
    ASK(cudaLaunchCooperativeKernelMultiDevice(&launch, 1, 0));
    ASK(cudaLaunchCooperativeKernelMultiDevice(&launch, 1, 3));
    ASK(cudaLaunchCooperativeKernelMultiDevice(&launch, 1, 4));
    cudaLaunchParams twice[] = { launch, launch };
    ASK(cudaLaunchCooperativeKernelMultiDevice(twice, 2, 0));
    cudaStreamCreate(&twice[1].stream);
    ASK(cudaLaunchCooperativeKernelMultiDevice(twice, 2, 0));
    launch.func = (void *)&unregistered;
    ASK(cudaLaunchCooperativeKernelMultiDevice(&launch, 1, 0));
    launch.func = (void *)store;
    launch.gridDim = none;
    ASK(cudaLaunchCooperativeKernelMultiDevice(&launch, 1, 0));
    ASK(cudaDeviceSynchronize());
    ASK(cudaMemcpy(&value, word, sizeof value, cudaMemcpyDeviceToHost));
    TELL("value %d", value);
    ASK(cudaGetSymbolAddress((void **)&word, (const void *)&unregistered));
    ASK(cudaMemcpyToSymbol((const void *)&unregistered, &value, 4, 0, cudaMemcpyHostToDevice));
}

/* ---- Calls of threads, and others that 12 has no longer ----------------------------------- */

static void ask_old_calls()
{
    size_t limit = 0;
    cudaFuncCache cache = cudaFuncCachePreferL1;
    double number = 1.5;
    ASK(cudaThreadGetLimit(&limit, cudaLimitStackSize));
    TELL("stack %zu", limit);
    ASK(cudaThreadGetLimit(nullptr, cudaLimitStackSize));
    ASK(cudaThreadGetLimit(&limit, (cudaLimit)99));
    ASK(cudaThreadSetLimit(cudaLimitStackSize, 2048));
    ASK(cudaThreadGetCacheConfig(&cache));
    TELL("cache %d", cache);
    ASK(cudaThreadSetCacheConfig(cudaFuncCachePreferShared));
    ASK(cudaThreadSynchronize());
    ASK(cudaSetDoubleForDevice(&number));
    ASK(cudaSetDoubleForHost(&number));
    ASK(cudaSetDoubleForDevice(nullptr));
    TELL("number %g", number);
    ASK(cudaProfilerInitialize("none", "none", cudaCSV));
    ASK(cudaThreadExit());
}

static void ask_entry_points()
{
    void *address = &address;
    int version = 0;
    ASK(cudaRuntimeGetVersion(&version));
    TELL("version %d", version);
    ASK(cudaGetDriverEntryPoint("cuMemAlloc", &address, cudaEnableDefault));
    TELL("%s", address ? "found" : "none");
    ASK(cudaGetDriverEntryPoint("cuNoSuchCall", &address, cudaEnableDefault));
    TELL("%s", address ? "found" : "none");
    ASK(cudaGetDriverEntryPoint("cuLibraryLoadData", &address, cudaEnableDefault));
    TELL("%s", address ? "found" : "none");
    ASK(cudaGetDriverEntryPoint("cuStreamSynchronize", &address, cudaEnablePerThreadDefaultStream));
    TELL("%s", address ? "found" : "none");
    ASK(cudaGetDriverEntryPoint("cuMemAlloc", &address, 99));
    ASK(cudaGetDriverEntryPoint(nullptr, &address, cudaEnableDefault));
    ASK(cudaGetDriverEntryPoint("cuMemAlloc", nullptr, cudaEnableDefault));
    ASK(cudaGetDriverEntryPoint("", &address, cudaEnableDefault));
}

/* ---- Captures ----------------------------------------------------------------------------- */

static void ask_captures()
{
    cudaStream_t stream, other;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long id = 77;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t *nodes = nullptr;
    size_t count = 77;
    int *word;
    cudaMalloc(&word, sizeof *word);
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    ASK(cudaStreamGetCaptureInfo(stream, &status, &id));
    TELL("status %d, id %llu", status, id);
    ASK(cudaStreamGetCaptureInfo(stream, nullptr, &id));
    ASK(cudaStreamGetCaptureInfo(stream, &status, nullptr));
    ASK(cudaStreamGetCaptureInfo(nullptr, &status, &id));
    ASK(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count));
    TELL("status %d, id %llu, graph %d, count %zu", status, id, graph != nullptr, count);
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    store<<<1, 1, 0, stream>>>(word, 1);
    id = 0;
    ASK(cudaStreamGetCaptureInfo(stream, &status, &id));
    TELL("status %d, id %s", status, id ? "some" : "0");
    ASK(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count));
    TELL("status %d, graph %d, count %zu", status, graph != nullptr, count);
    ASK(cudaStreamGetCaptureInfo(nullptr, &status, &id));
    ASK(cudaStreamGetCaptureInfo(other, &status, &id));
    TELL("status %d", status);
    ASK(cudaStreamUpdateCaptureDependencies(stream, nullptr, 0, cudaStreamSetCaptureDependencies));
    ASK(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count));
    TELL("count %zu", count);
    ASK(cudaStreamEndCapture(stream, &graph));
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaStreamGetCaptureInfo(stream, &status, &id));
    TELL("status %d", status);
    ASK(cudaStreamEndCapture(stream, &graph));
    TELL("graph %d", graph != nullptr);
}

static void ask_memory()
{
    int *managed, *word, local = 0;
    cudaPointerAttributes is;
    ASK(cudaMallocManaged(&managed, 4096));
    ASK(cudaMalloc(&word, 4));
    ASK(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, 0));
    ASK(cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    ASK(cudaMemAdvise(managed, 4096, cudaMemAdviseSetAccessedBy, 99));
    ASK(cudaMemAdvise(word, 4, cudaMemAdviseSetReadMostly, 0));
    ASK(cudaMemPrefetchAsync(managed, 4096, 0, nullptr));
    ASK(cudaMemPrefetchAsync(managed, 4096, cudaCpuDeviceId, nullptr));
    ASK(cudaMemPrefetchAsync(managed, 4096, 99, nullptr));
    ASK(cudaMemPrefetchAsync(word, 4, 0, nullptr));
    ASK(cudaMemPrefetchAsync(managed, 0, 0, nullptr));
    ASK(cudaPointerGetAttributes(&is, managed));
    TELL("type %d, device %d", is.type, is.device);
    ASK(cudaPointerGetAttributes(&is, &local));
    TELL("type %d, device %d, host %d", is.type, is.device, is.hostPointer == &local);
    ASK(cudaPointerGetAttributes(&is, nullptr));
    TELL("type %d, device %d", is.type, is.device);
    ASK(cudaPointerGetAttributes(nullptr, word));
}

const group call_groups[] = {
    { "properties", ask_properties }, { "attributes", ask_attributes },
    { "launches", ask_launches },     { "old calls", ask_old_calls },
    { "entry points", ask_entry_points }, { "captures", ask_captures },
    { "memory", ask_memory },         { nullptr, nullptr },
};
