/* SPDX-License-Identifier: Apache-2.0
 *
 * What sticks after a kernel failed.
 */
#include "answers.h"

#define SAY(call) TELL("%s: %s", #call, cudaGetErrorName(call))

static int *memory;
static cudaStream_t stream;
static cudaEvent_t event;

static void prepare(void)
{
    cudaMalloc((void **)&memory, 1000);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaDeviceSynchronize();
}

static void ask_a_trap(void)
{
    int number = 0;
    size_t bytes;
    void *host = NULL;
    struct cudaFuncAttributes attributes;
    static struct cudaDeviceProp prop;
    cudaGraph_t graph;
    prepare();
    SAY(launch_plain(trap, 1, 1));
    SAY(cudaPeekAtLastError());
    SAY(cudaDeviceSynchronize());
    SAY(cudaPeekAtLastError());
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
    SAY(cudaMalloc((void **)&memory, 4));
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
    SAY(cudaFree(NULL));
    SAY(cudaFree(memory));
    SAY(cudaMalloc(&host, 0));
    SAY(cudaMallocHost(&host, 4));
    SAY(cudaGetDevice(&number));
    SAY(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
    SAY(cudaSetDevice(0));
    SAY(cudaGetDeviceCount(&number));
    SAY(cudaGetDeviceProperties(&prop, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, store, 32, 0));
    SAY(cudaFuncGetAttributes(&attributes, store));
    SAY(cudaMemGetInfo(&bytes, &bytes));
    SAY(cudaMemcpy(memory, &number, 4, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(memory, &number, 0, cudaMemcpyHostToDevice));
    SAY(launch_plain(idle, 1, 1));
    SAY(launch_plain(&not_registered, 1, 1));
    SAY(launch_plain(idle, 0, 1));
    SAY(cudaStreamQuery(0));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaStreamDestroy(stream));
    SAY(cudaStreamCreate(&stream));
    SAY(cudaEventQuery(event));
    SAY(cudaEventRecord(event, 0));
    SAY(cudaEventDestroy(event));
    SAY(cudaGraphCreate(&graph, 0));
    SAY(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    SAY(cudaDriverGetVersion(&number));
    SAY(cudaRuntimeGetVersion(&number));
}

static void ask_a_fault(void)
{
    const dim3 one = { 1, 1, 1 };
    int *nowhere = (int *)64;
    void *params[] = { &nowhere };
    prepare();
    SAY(cudaLaunchKernel(fault, one, one, params, 0, stream));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaGetLastError());
    SAY(cudaStreamSynchronize(0));
    SAY(cudaStreamQuery(stream));
    SAY(cudaMemcpy(&nowhere, memory, 4, cudaMemcpyDeviceToHost));
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
    SAY(cudaMalloc(NULL, 4));
    SAY(cudaSetDevice(77));
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
}

static void ask_a_misaligned_store(void)
{
    const dim3 one = { 1, 1, 1 };
    prepare();
    int *odd = (int *)((char *)memory + 1);
    void *params[] = { &odd };
    SAY(cudaLaunchKernel(fault, one, one, params, 0, stream));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
}

static void ask_a_reset_after_a_trap(void)
{
    int word = 0;
    prepare();
    SAY(launch_plain(trap, 1, 1));
    SAY(cudaDeviceSynchronize());
    SAY(cudaDeviceReset());
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
    SAY(cudaMalloc((void **)&memory, 4));
    SAY(launch_store(memory, 42, 0));
    SAY(cudaMemcpy(&word, memory, 4, cudaMemcpyDeviceToHost));
    TELL("word %d", word);
    SAY(cudaDeviceReset());
    SAY(cudaMalloc((void **)&memory, 4));
}

static void ask_a_trap_unasked(void)
{
    prepare();
    SAY(launch_plain(trap, 1, 1));
    while (cudaStreamQuery(0) == cudaErrorNotReady) {}
    SAY(cudaGetLastError());
    SAY(cudaMemcpy(&memory, memory, 4, cudaMemcpyDeviceToHost));
    SAY(cudaDeviceReset());
    SAY(cudaPeekAtLastError());
}

const struct group fault_groups[] = {
    { "a trap", ask_a_trap },
    { "a fault", ask_a_fault },
    { "a misaligned store", ask_a_misaligned_store },
    { "a reset after a trap", ask_a_reset_after_a_trap },
    { "a trap that is met by a query", ask_a_trap_unasked },
    { NULL, NULL },
};
