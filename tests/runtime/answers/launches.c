/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

static int *memory;
static int value = 3;
static void *params[] = { &memory, &value };

#define D(x, y, z) ((dim3){ x, y, z })
#define SIZED(grid, block, shared_bytes) \
    cudaLaunchKernel(store, grid, block, params, shared_bytes, 0)

static void ask_sizes(void)
{
    cudaMalloc((void **)&memory, 1000);
    ASK(SIZED(D(1, 1, 1), D(1, 1, 1), 0));
    ASK(SIZED(D(0, 1, 1), D(1, 1, 1), 0));
    ASK(SIZED(D(1, 1, 1), D(0, 1, 1), 0));
    ASK(SIZED(D(1, 1, 1), D(1025, 1, 1), 0));
    ASK(SIZED(D(1, 1, 1), D(32, 33, 1), 0));
    ASK(SIZED(D(1, 1, 1), D(1, 1, 65), 0));
    ASK(SIZED(D(1, 65536, 1), D(1, 1, 1), 0));
    ASK(SIZED(D(1, 1, 65536), D(1, 1, 1), 0));
    ASK(SIZED(D(0x80000000u, 1, 1), D(1, 1, 1), 0));
    ASK(SIZED(D(1, 1, 1), D(1, 1, 1), 49152));
    ASK(SIZED(D(1, 1, 1), D(1, 1, 1), 49153));
    ASK(SIZED(D(1, 1, 1), D(1, 1, 1), 1 << 20));
    ASK(SIZED(D(1, 1, 1), D(1, 1, 1), (size_t)1 << 33));
    ASK(SIZED(D(1, 1, 1), D(1, 1, 1), ((size_t)1 << 32) + 16));
    ASK(cudaLaunchKernel(&not_registered, D(1, 1, 1), D(1, 1, 1), params, 0, 0));
    ASK(cudaLaunchKernel(NULL, D(1, 1, 1), D(1, 1, 1), params, 0, 0));
    ASK(cudaLaunchKernel(NULL, D(0, 1, 1), D(1, 1, 1), params, 0, 0));
    ASK(cudaLaunchKernel(&not_registered, D(0, 1, 1), D(1, 1, 1), params, 0, 0));
    ASK(cudaLaunchKernel(total, D(1, 1, 1), D(1, 1, 1), params, 0, 0));
    ASK(cudaLaunchKernel(idle, D(1, 1, 1), D(1, 1, 1), NULL, 0, cudaStreamPerThread));
    ASK(cudaLaunchCooperativeKernel(store, D(100000, 1, 1), D(1024, 1, 1), params, 0, 0));
    ASK(cudaLaunchCooperativeKernel(store, D(1, 1, 1), D(1025, 1, 1), params, 0, 0));
    ASK(cudaLaunchCooperativeKernel(store, D(0, 1, 1), D(1, 1, 1), params, 0, 0));
    ASK(cudaLaunchCooperativeKernel(store, D(2, 1, 1), D(32, 1, 1), params, 0, 0));
    ASK(cudaDeviceSynchronize());
}

static void ask_configurations(void)
{
    cudaLaunchConfig_t config;
    cudaLaunchAttribute one;
    cudaMalloc((void **)&memory, 1000);
    memset(&config, 0, sizeof config);
    memset(&one, 0, sizeof one);
    ASK(cudaLaunchKernelExC(&config, store, params));
    ASK(cudaLaunchKernelExC(NULL, store, params));
    config.gridDim = D(3, 1, 1);
    config.blockDim = D(1, 1, 1);
    ASK(cudaLaunchKernelExC(&config, &not_registered, params));
    ASK(cudaLaunchKernelExC(&config, store, params));
    one.id = cudaLaunchAttributeClusterDimension;
    one.val.clusterDim.x = 2;
    one.val.clusterDim.y = 1;
    one.val.clusterDim.z = 1;
    config.attrs = &one;
    config.numAttrs = 1;
    ASK(cudaLaunchKernelExC(&config, store, params));
    one.val.clusterDim.x = 64;
    config.gridDim.x = 64;
    ASK(cudaLaunchKernelExC(&config, store, params));
    one.val.clusterDim.x = 0;
    ASK(cudaLaunchKernelExC(&config, store, params));
    one.val.clusterDim.x = 2;
    config.gridDim.x = 4;
    ASK(cudaLaunchKernelExC(&config, store, params));
    config.attrs = NULL;
    ASK(cudaLaunchKernelExC(&config, store, params));
    config.attrs = &one;
    one.id = cudaLaunchAttributeCooperative;
    one.val.cooperative = 1;
    ASK(cudaLaunchKernelExC(&config, store, params));
    config.gridDim.x = 1000000;
    ASK(cudaLaunchKernelExC(&config, store, params));
    config.gridDim.x = 1;
    one.id = cudaLaunchAttributePriority;
    one.val.priority = 0;
    ASK(cudaLaunchKernelExC(&config, store, params));
    one.id = cudaLaunchAttributeIgnore;
    ASK(cudaLaunchKernelExC(&config, store, params));
    ASK(cudaDeviceSynchronize());
}

static void tell_attributes(const void *kernel)
{
    struct cudaFuncAttributes a;
    ASK(cudaFuncGetAttributes(&a, kernel));
    TELL("threads %d shared %zu constant %zu local %zu dynamic %d carveout %d",
         a.maxThreadsPerBlock, a.sharedSizeBytes, a.constSizeBytes, a.localSizeBytes,
         a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout);
    TELL("cluster %d: %d %d %d policy %d beyond %d", a.clusterDimMustBeSet,
         a.requiredClusterWidth, a.requiredClusterHeight, a.requiredClusterDepth,
         a.clusterSchedulingPolicyPreference, a.nonPortableClusterSizeAllowed);
}

#define SET(attribute, number) cudaFuncSetAttribute(store, attribute, number)

static void ask_functions(void)
{
    const char *name = NULL;
    size_t offset = 9, bytes = 9;
    struct cudaFuncAttributes attributes;
    tell_attributes(store);
    ASK(cudaFuncGetAttributes(&attributes, &not_registered));
    ASK(cudaFuncGetAttributes(NULL, store));
    ASK(SET(cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    ASK(SET(cudaFuncAttributeMaxDynamicSharedMemorySize, 1000000));
    ASK(SET(cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    ASK(SET(cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    ASK(SET(cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    ASK(SET(cudaFuncAttributePreferredSharedMemoryCarveout, -2));
    ASK(SET(cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    ASK(SET((enum cudaFuncAttribute)99, 1));
    ASK(SET((enum cudaFuncAttribute)0, 1));
    ASK(cudaFuncSetAttribute(&not_registered, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
    tell_attributes(store);
    ASK(cudaFuncGetName(&name, store));
    TELL("name %s", name ? name : "-");
    ASK(cudaFuncGetName(NULL, store));
    ASK(cudaFuncGetName(&name, &not_registered));
    ASK(cudaFuncSetCacheConfig(store, cudaFuncCachePreferL1));
    ASK(cudaFuncSetCacheConfig(store, (enum cudaFuncCache)17));
    ASK(cudaFuncSetCacheConfig(&not_registered, cudaFuncCachePreferL1));
    ASK(cudaFuncGetParamInfo(store, 0, &offset, &bytes));
    TELL("at %zu of %zu", offset, bytes);
    ASK(cudaFuncGetParamInfo(store, 1, &offset, &bytes));
    TELL("at %zu of %zu", offset, bytes);
    ASK(cudaFuncGetParamInfo(store, 2, &offset, &bytes));
    ASK(cudaFuncGetParamInfo(store, 0, NULL, &bytes));
    ASK(cudaFuncGetParamInfo(store, 0, &offset, NULL));
}

#define MOST cudaOccupancyMaxActiveBlocksPerMultiprocessor

static void ask_occupancy(void)
{
    int blocks = -1;
    size_t bytes = 0;
    ASK(MOST(&blocks, idle, 1024, 0));
    TELL("blocks %d", blocks);
    ASK(MOST(&blocks, idle, 32, 0));
    TELL("blocks %d", blocks);
    ASK(MOST(&blocks, idle, 0, 0));
    ASK(MOST(&blocks, idle, -1, 0));
    ASK(MOST(&blocks, idle, 2000, 0));
    TELL("blocks %d", blocks);
    ASK(MOST(&blocks, idle, 32, 1 << 20));
    TELL("blocks %d", blocks);
    ASK(MOST(NULL, idle, 1, 0));
    ASK(MOST(&blocks, &not_registered, 1, 0));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, idle, 32, 0, 1));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, idle, 32, 0, 9));
    ASK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, idle, 2, 128));
    TELL("bytes %zu", bytes);
    ASK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, idle, 0, 128));
    ASK(cudaOccupancyAvailableDynamicSMemPerBlock(NULL, idle, 2, 128));
}

static void ask_handles(void)
{
    cudaKernel_t kernel = NULL;
    cudaFunction_t function = NULL;
    struct cudaFuncAttributes attributes;
    const dim3 one = { 1, 1, 1 };
    cudaMalloc((void **)&memory, 1000);
    ASK(cudaGetFuncBySymbol(&function, store));
    ASK(cudaGetFuncBySymbol(&function, &not_registered));
    ASK(cudaGetFuncBySymbol(NULL, store));
    ASK(cudaGetKernel(&kernel, store));
    ASK(cudaGetKernel(&kernel, &not_registered));
    ASK(cudaGetKernel(NULL, store));
    cudaGetKernel(&kernel, store);
    cudaGetFuncBySymbol(&function, store);
    ASK(cudaLaunchKernel((const void *)kernel, one, one, params, 0, 0));
    ASK(cudaLaunchKernel((const void *)function, one, one, params, 0, 0));
    ASK(cudaFuncGetAttributes(&attributes, (const void *)kernel));
    ASK(cudaGetFuncBySymbol(&function, (const void *)kernel));
    ASK(cudaGetKernel(&kernel, (const void *)kernel));
}

const struct group launch_groups[] = {
    { "sizes of launches", ask_sizes }, { "configurations", ask_configurations },
    { "functions", ask_functions },     { "occupancy", ask_occupancy },
    { "handles", ask_handles },         { NULL, NULL },
};
