/* SPDX-License-Identifier: Apache-2.0 */
#include <cuda_profiler_api.h>

#include "answers.h"

static void ask_devices(void)
{
    int value = -7;
    char bus[32];
    ASK(cudaPeekAtLastError());
    ASK(cudaGetDevice(&value));
    TELL("device %d", value);
    ASK(cudaGetDevice(NULL));
    ASK(cudaSetDevice(-1));
    ASK(cudaSetDevice(64));
    ASK(cudaGetDeviceCount(NULL));
    ASK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    ASK(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0));
    ASK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 77));
    ASK(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
    ASK(cudaRuntimeGetVersion(NULL));
    ASK(cudaDriverGetVersion(NULL));
    ASK(cudaDeviceGetPCIBusId(bus, 32, 0));
    ASK(cudaDeviceGetByPCIBusId(&value, bus));
    ASK(cudaDeviceGetPCIBusId(bus, 3, 0));
    ASK(cudaDeviceGetPCIBusId(NULL, 32, 0));
    ASK(cudaDeviceGetPCIBusId(bus, 32, 77));
    ASK(cudaDeviceGetByPCIBusId(&value, "zzz"));
    ASK(cudaDeviceGetByPCIBusId(&value, "ffff:ff:1f.0"));
    ASK(cudaDeviceGetByPCIBusId(NULL, "0000:00:00.0"));
    ASK(cudaInitDevice(0, 0, 0));
    ASK(cudaInitDevice(0, 0, 7));
    ASK(cudaInitDevice(77, 0, 0));
    ASK(cudaProfilerStart());
    ASK(cudaProfilerStop());
    ASK(cudaCtxResetPersistingL2Cache());
    ASK(cudaSetValidDevices(NULL, 0));
    value = 0;
    ASK(cudaSetValidDevices(&value, 1));
    value = 77;
    ASK(cudaSetValidDevices(&value, 1));
}

static void ask_flags(void)
{
    unsigned flags = 99;
    ASK(cudaGetDeviceFlags(&flags));
    TELL("flags %u", flags);
    ASK(cudaGetDeviceFlags(NULL));
    ASK(cudaSetDeviceFlags(0x40000));
    ASK(cudaSetDeviceFlags(cudaDeviceScheduleYield));
    ASK(cudaGetDeviceFlags(&flags));
    TELL("flags %u", flags);
    ASK(cudaSetDeviceFlags(3));
    ASK(cudaSetDeviceFlags(cudaDeviceMapHost | cudaDeviceScheduleSpin));
    ASK(cudaGetDeviceFlags(&flags));
    TELL("flags %u", flags);
    ASK(cudaFree(NULL));
    ASK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    ASK(cudaGetDeviceFlags(&flags));
    TELL("flags %u", flags);
}

/* A property is told to be the attribute's value. */
#define SAME(property, attribute) \
    (cudaDeviceGetAttribute(&value, attribute, 0), \
     TELL(#property " %s", (long long)prop.property == value ? "agrees" : "differs"))

static void ask_properties(void)
{
    static struct cudaDeviceProp prop;
    int value = -1;
    ASK(cudaGetDeviceProperties(&prop, 77));
    ASK(cudaGetDeviceProperties(&prop, -1));
    ASK(cudaGetDeviceProperties(NULL, 0));
    ASK(cudaGetDeviceProperties(&prop, 0));
    SAME(sharedMemPerBlock, cudaDevAttrMaxSharedMemoryPerBlock);
    SAME(memPitch, cudaDevAttrMaxPitch);
    SAME(multiProcessorCount, cudaDevAttrMultiProcessorCount);
    SAME(pciBusID, cudaDevAttrPciBusId);
    SAME(l2CacheSize, cudaDevAttrL2CacheSize);
    SAME(persistingL2CacheMaxSize, cudaDevAttrMaxPersistingL2CacheSize);
    SAME(memoryPoolSupportedHandleTypes, cudaDevAttrMemoryPoolSupportedHandleTypes);
    SAME(hostNumaId, cudaDevAttrHostNumaId);
    TELL("block %zu of %d by %d by %d", prop.sharedMemPerBlock, prop.maxThreadsDim[0],
         prop.maxThreadsDim[1], prop.maxThreadsDim[2]);
    TELL("grid %d by %d by %d", prop.maxGridSize[0], prop.maxGridSize[1], prop.maxGridSize[2]);
    TELL("registers %d of %d", prop.regsPerBlock, prop.regsPerMultiprocessor);
    TELL("warp %d threads %d of %d", prop.warpSize, prop.maxThreadsPerBlock,
         prop.maxThreadsPerMultiProcessor);
    TELL("constant %zu pitch %zu texture %zu %zu surface %zu", prop.totalConstMem, prop.memPitch,
         prop.textureAlignment, prop.texturePitchAlignment, prop.surfaceAlignment);
    TELL("version %d.%d integrated %d maps %d", prop.major, prop.minor, prop.integrated,
         prop.canMapHostMemory);
    TELL("1D %d mipmap %d layered %d %d", prop.maxTexture1D, prop.maxTexture1DMipmap,
         prop.maxTexture1DLayered[0], prop.maxTexture1DLayered[1]);
    TELL("2D %d %d linear %d %d %d gather %d %d", prop.maxTexture2D[0], prop.maxTexture2D[1],
         prop.maxTexture2DLinear[0], prop.maxTexture2DLinear[1], prop.maxTexture2DLinear[2],
         prop.maxTexture2DGather[0], prop.maxTexture2DGather[1]);
    TELL("3D %d %d %d other %d %d %d", prop.maxTexture3D[0], prop.maxTexture3D[1],
         prop.maxTexture3D[2], prop.maxTexture3DAlt[0], prop.maxTexture3DAlt[1],
         prop.maxTexture3DAlt[2]);
    TELL("concurrent %d engines %d unified %d priorities %d", prop.concurrentKernels,
         prop.asyncEngineCount, prop.unifiedAddressing, prop.streamPrioritiesSupported);
    TELL("caches %d %d shared %zu optin %zu reserved %zu", prop.globalL1CacheSupported,
         prop.localL1CacheSupported, prop.sharedMemPerMultiprocessor, prop.sharedMemPerBlockOptin,
         prop.reservedSharedMemPerBlock);
    TELL("cooperative %d clusters %d blocks %d window %d pools %d sparse %d",
         prop.cooperativeLaunch, prop.clusterLaunch, prop.maxBlocksPerMultiProcessor,
         prop.accessPolicyMaxWindowSize, prop.memoryPoolsSupported,
         prop.sparseCudaArraySupported);
    TELL("registered %d %d preemption %d functions %d", prop.hostRegisterSupported,
         prop.canUseHostPointerForRegisteredMem, prop.computePreemptionSupported,
         prop.unifiedFunctionPointers);
    memset(&prop, 0, sizeof prop);
    ASK(cudaChooseDevice(&value, &prop));
    ASK(cudaChooseDevice(NULL, &prop));
    ASK(cudaChooseDevice(&value, NULL));
}

static void ask_limits(void)
{
    size_t bytes = 0;
    enum cudaFuncCache config;
    int least = 9, greatest = 9;
    ASK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    TELL("stack %zu", bytes);
    ASK(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
    TELL("printf %zu", bytes);
    ASK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    TELL("heap %zu", bytes);
    ASK(cudaDeviceGetLimit(&bytes, (enum cudaLimit)99));
    ASK(cudaDeviceGetLimit(NULL, cudaLimitStackSize));
    ASK(cudaDeviceSetLimit((enum cudaLimit)99, 1));
    ASK(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    ASK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    TELL("stack %zu", bytes);
    ASK(cudaDeviceGetCacheConfig(&config));
    TELL("config %d", (int)config);
    ASK(cudaDeviceGetCacheConfig(NULL));
    ASK(cudaDeviceSetCacheConfig((enum cudaFuncCache)17));
    ASK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    ASK(cudaDeviceGetCacheConfig(&config));
    TELL("config %d", (int)config);
    ASK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    TELL("priorities %d %d", least, greatest);
    ASK(cudaDeviceGetStreamPriorityRange(NULL, NULL));
}

static void ask_peers(void)
{
    int value = 9, *at = NULL;
    ASK(cudaDeviceCanAccessPeer(&value, 0, 0));
    TELL("can %d", value);
    ASK(cudaDeviceCanAccessPeer(&value, 0, 77));
    ASK(cudaDeviceCanAccessPeer(NULL, 0, 0));
    ASK(cudaDeviceEnablePeerAccess(0, 0));
    ASK(cudaDeviceEnablePeerAccess(77, 0));
    ASK(cudaDeviceDisablePeerAccess(0));
    ASK(cudaDeviceDisablePeerAccess(77));
    ASK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
    ASK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 77));
    cudaMalloc((void **)&at, 1000);
    ASK(cudaMemcpyPeer(at, 0, at, 77, 10));
    ASK(cudaMemcpyPeer(at, 0, at + 50, 0, 10));
    ASK(cudaMemcpyPeer(at, 77, at + 50, 0, 0));
    ASK(cudaMemcpyPeerAsync(at, 0, at + 50, 0, 10, 0));
}

const struct group device_groups[] = {
    { "devices", ask_devices }, { "flags", ask_flags }, { "properties", ask_properties },
    { "limits", ask_limits },   { "peers", ask_peers }, { NULL, NULL },
};
