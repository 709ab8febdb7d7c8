/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

static void ask_pools(void)
{
    cudaMemPool_t pool = NULL, own = NULL;
    cudaStream_t stream;
    void *at = &at;
    uint64_t number = 9;
    struct cudaMemPoolProps props;
    cudaStreamCreate(&stream);
    ASK(cudaDeviceGetDefaultMemPool(&pool, 0));
    ASK(cudaDeviceGetDefaultMemPool(&own, 77));
    ASK(cudaDeviceGetDefaultMemPool(NULL, 0));
    ASK(cudaDeviceGetMemPool(&own, 0));
    TELL("same %d", own == pool);
    ASK(cudaDeviceSetMemPool(0, NULL));
    ASK(cudaMallocAsync(&at, 0, stream));
    TELL("memory %d", at != NULL);
    ASK(cudaMallocAsync(NULL, 100, stream));
    ASK(cudaMallocAsync(&at, (size_t)1 << 60, stream));
    ASK(cudaMallocAsync(&at, 100, 0));
    ASK(cudaFreeAsync(at, 0));
    ASK(cudaMallocAsync(&at, 100, stream));
    ASK(cudaFreeAsync((char *)at + 4, stream));
    ASK(cudaFreeAsync(at, stream));
    ASK(cudaFreeAsync(at, stream));
    ASK(cudaFreeAsync(NULL, stream));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaMallocAsync(&at, 100, stream));
    ASK(cudaFree(at));
    ASK(cudaMallocFromPoolAsync(&at, 100, pool, stream));
    ASK(cudaFreeAsync(at, cudaStreamPerThread));
    ASK(cudaMallocFromPoolAsync(&at, 0, pool, stream));
    ASK(cudaMalloc(&at, 100));
    ASK(cudaFreeAsync(at, stream));
    ASK(cudaMemPoolCreate(&own, NULL));
    memset(&props, 0, sizeof props);
    ASK(cudaMemPoolCreate(&own, &props));
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    ASK(cudaMemPoolCreate(&own, &props));
    ASK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &number));
    TELL("threshold %llu", (unsigned long long)number);
    ASK(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)99, &number));
    ASK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, NULL));
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &number));
    ASK(cudaMemPoolTrimTo(pool, 0));
    ASK(cudaMemPoolDestroy(pool));
    ASK(cudaMemPoolDestroy(own));
    ASK(cudaDeviceSynchronize());
}

const struct group pool_groups[] = { { "pools", ask_pools }, { NULL, NULL } };
