/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "answers.h"

static int *memory;
static cudaStream_t stream;

static void *ask_in_thread(void *unused)
{
    int device = 9;
    (void)unused;
    ASK(cudaGetLastError());
    ASK(cudaGetDevice(&device));
    TELL("device %d", device);
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaMemset(memory, 0, 4));
    ASK(cudaMalloc(NULL, 4));
    cudaMalloc(NULL, 4);
    return NULL;
}

static void ask_threads(void)
{
    pthread_t thread;
    cudaMalloc((void **)&memory, 1000);
    cudaStreamCreate(&stream);
    cudaSetDevice(77);
    pthread_create(&thread, NULL, ask_in_thread, NULL);
    pthread_join(thread, NULL);
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
}

static void ask_resets(void)
{
    int local = 0;
    cudaEvent_t event;
    cudaMalloc((void **)&memory, 1000);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    local = 5;
    cudaMemcpyToSymbol(total, &local, 4, 0, cudaMemcpyHostToDevice);
    cudaMalloc(NULL, 4);
    ASK(cudaDeviceReset());
    ASK(cudaDeviceReset());
    ASK(cudaFree(memory));
    ASK(cudaStreamSynchronize(0));
    ASK(cudaStreamQuery(cudaStreamPerThread));
    ASK(cudaMemcpyFromSymbol(&local, total, 4, 0, cudaMemcpyDeviceToHost));
    TELL("total %d", local);
    ASK(cudaMalloc((void **)&memory, 100));
    ASK(launch_store(memory, 42, 0));
    ASK(cudaDeviceSynchronize());
    ASK(cudaMemcpy(&local, memory, 4, cudaMemcpyDeviceToHost));
    TELL("word %d", local);
    ASK(cudaStreamCreate(&stream));
    ASK(cudaStreamSynchronize(stream));
}

static void ask_last_errors(void)
{
    void *at;
    cudaMalloc(NULL, 4);
    ASK(cudaMalloc(&at, 4) ? cudaErrorUnknown : cudaSuccess);
    cudaMalloc(NULL, 4);
    cudaSetDevice(77);
    TELL("peek %s", cudaGetErrorName(cudaPeekAtLastError()));
    TELL("get %s", cudaGetErrorName(cudaGetLastError()));
    TELL("get %s", cudaGetErrorName(cudaGetLastError()));
    cudaEvent_t event;
    cudaEventCreate(&event);
    ASK(cudaGetDeviceCount(NULL));
    cudaMalloc(NULL, 4);
    TELL("version %s", cudaGetErrorName(cudaRuntimeGetVersion((int *)&at)));
    TELL("get %s", cudaGetErrorName(cudaGetLastError()));
}

static void ask_entry_points(void)
{
    void *entry = NULL;
    enum cudaDriverEntryPointQueryResult result = (enum cudaDriverEntryPointQueryResult)9;
#define BY_NAME(name, version, flags) \
    do { \
        entry = (void *)3; \
        ANSWER("entry point " #name ", " #version ", " #flags, \
               cudaGetDriverEntryPointByVersion(name, &entry, version, flags, &result)); \
        TELL("found %d result %d", entry != NULL && entry != (void *)3, (int)result); \
    } while (0)
    BY_NAME("cuMemAlloc", 12000, cudaEnableDefault);
    BY_NAME("cuNothing", 12000, cudaEnableDefault);
    BY_NAME("cuMemAlloc", 12000, 99);
    BY_NAME("cuMemAlloc", 99000, cudaEnableDefault);
    BY_NAME("cuMemAlloc", 1000, cudaEnableDefault);
    BY_NAME("cuMemcpyHtoD", 12000, cudaEnablePerThreadDefaultStream);
    BY_NAME(NULL, 12000, cudaEnableDefault);
    BY_NAME("", 12000, cudaEnableDefault);
    ASK(cudaGetDriverEntryPointByVersion("cuNothing", &entry, 12000, cudaEnableDefault, NULL));
    ASK(cudaGetDriverEntryPointByVersion("cuMemAlloc", NULL, 12000, cudaEnableDefault, &result));
}

const struct group context_groups[] = {
    { "threads", ask_threads },
    { "resets", ask_resets },
    { "last errors", ask_last_errors },
    { "entry points", ask_entry_points },
    { NULL, NULL },
};
