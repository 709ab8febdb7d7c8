/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

static void ask_streams(void)
{
    unsigned flags = 99;
    unsigned long long id = 0, other = 0;
    int number = 9;
    cudaStream_t stream, low;
    ASK(cudaStreamCreate(NULL));
    ASK(cudaStreamCreateWithFlags(&stream, 5));
    ASK(cudaStreamCreateWithFlags(NULL, 0));
    ASK(cudaStreamCreateWithPriority(&stream, 1, -100));
    ASK(cudaStreamGetPriority(stream, &number));
    TELL("priority %d", number);
    ASK(cudaStreamGetFlags(stream, &flags));
    TELL("flags %u", flags);
    ASK(cudaStreamCreateWithPriority(&low, 0, 100));
    ASK(cudaStreamGetPriority(low, &number));
    TELL("priority %d", number);
    ASK(cudaStreamGetFlags(low, &flags));
    TELL("flags %u", flags);
    ASK(cudaStreamGetFlags(stream, NULL));
    ASK(cudaStreamGetPriority(stream, NULL));
    ASK(cudaStreamGetDevice(stream, &number));
    TELL("device %d", number);
    ASK(cudaStreamGetDevice(stream, NULL));
    ASK(cudaStreamGetId(stream, &id));
    ASK(cudaStreamGetId(low, &other));
    TELL("differ %d", id != other);
    ASK(cudaStreamGetId(stream, NULL));
    ASK(cudaStreamCopyAttributes(low, stream));
    ASK(cudaStreamWaitEvent(stream, NULL, 0));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaStreamDestroy(stream));
    ASK(cudaStreamDestroy(low));
}

static void ask_default_streams(void)
{
    unsigned flags = 99;
    int number = 9;
    unsigned long long null = 1, legacy = 2, own = 3;
    ASK(cudaStreamDestroy(0));
    ASK(cudaStreamDestroy(cudaStreamLegacy));
    ASK(cudaStreamDestroy(cudaStreamPerThread));
    ASK(cudaStreamGetFlags(0, &flags));
    TELL("flags %u", flags);
    ASK(cudaStreamGetFlags(cudaStreamLegacy, &flags));
    TELL("flags %u", flags);
    ASK(cudaStreamGetFlags(cudaStreamPerThread, &flags));
    TELL("flags %u", flags);
    ASK(cudaStreamGetPriority(0, &number));
    TELL("priority %d", number);
    ASK(cudaStreamGetPriority(cudaStreamPerThread, &number));
    TELL("priority %d", number);
    ASK(cudaStreamGetDevice(0, &number));
    TELL("device %d", number);
    ASK(cudaStreamGetId(0, &null));
    ASK(cudaStreamGetId(cudaStreamLegacy, &legacy));
    ASK(cudaStreamGetId(cudaStreamPerThread, &own));
    TELL("the legacy one is 0's: %d, the thread's is: %d", null == legacy, null == own);
    ASK(cudaStreamQuery(0));
    ASK(cudaStreamQuery(cudaStreamLegacy));
    ASK(cudaStreamQuery(cudaStreamPerThread));
    ASK(cudaStreamSynchronize(cudaStreamPerThread));
    ASK(cudaStreamSynchronize(cudaStreamLegacy));
}

static void ask_events(void)
{
    float ms = -1;
    cudaEvent_t event, other, untimed;
    cudaStream_t stream;
    ASK(cudaEventCreate(NULL));
    ASK(cudaEventCreateWithFlags(NULL, 0));
    ASK(cudaEventCreateWithFlags(&event, 0x80));
    ASK(cudaEventCreateWithFlags(&event, cudaEventInterprocess));
    cudaEventCreate(&event);
    cudaEventCreate(&other);
    cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
    cudaStreamCreate(&stream);
    ASK(cudaEventQuery(other));
    ASK(cudaEventSynchronize(other));
    ASK(cudaEventElapsedTime(&ms, other, other));
    ASK(cudaEventRecord(event, stream));
    ASK(cudaEventRecord(untimed, stream));
    ASK(cudaEventSynchronize(event));
    ASK(cudaEventElapsedTime(&ms, event, event));
    TELL("time %g", (double)ms);
    ASK(cudaEventElapsedTime(&ms, event, other));
    ASK(cudaEventElapsedTime(&ms, untimed, untimed));
    ASK(cudaEventElapsedTime(&ms, event, untimed));
    ASK(cudaEventElapsedTime(NULL, event, event));
    ASK(cudaEventRecordWithFlags(event, stream, 9));
    ASK(cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
    ASK(cudaStreamWaitEvent(stream, event, 7));
    ASK(cudaStreamWaitEvent(stream, other, 0));
    ASK(cudaStreamWaitEvent(0, event, 0));
    ASK(cudaStreamWaitEvent(cudaStreamPerThread, event, 0));
    ASK(cudaEventRecord(event, 0));
    ASK(cudaEventDestroy(event));
    ASK(cudaEventDestroy(untimed));
    ASK(cudaStreamSynchronize(stream));
}

static void ask_busy(void)
{
    float ms;
    volatile int *flag = NULL;
    cudaStream_t stream;
    cudaEvent_t event;
    cudaHostAlloc((void **)&flag, 64, 0);
    __atomic_store_n(flag, 0, __ATOMIC_RELAXED);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    launch_plain(idle, 1, 1); /* is loaded, since that may wait */
    cudaDeviceSynchronize();
    launch_wait(flag, stream);
    ASK(cudaStreamQuery(stream));
    ASK(cudaPeekAtLastError());
    ASK(cudaStreamQuery(0));
    ASK(cudaEventRecord(event, stream));
    ASK(cudaEventQuery(event));
    ASK(cudaEventElapsedTime(&ms, event, event));
    ASK(cudaStreamDestroy(stream));
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE); /* the kernel reads it */
    ASK(cudaEventSynchronize(event));
    ASK(cudaEventQuery(event));
    ASK(cudaDeviceSynchronize());
}

static void count(void *number)
{
    ++*(int *)number;
}

static void count_ten(cudaStream_t stream, cudaError_t status, void *number)
{
    (void)stream;
    *(int *)number += 10 + (int)status;
}

static void ask_host_functions(void)
{
    int number = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    ASK(cudaLaunchHostFunc(stream, NULL, NULL));
    ASK(cudaLaunchHostFunc(stream, count, &number));
    ASK(cudaLaunchHostFunc(0, count, &number));
    ASK(cudaLaunchHostFunc(cudaStreamPerThread, count, &number));
    ASK(cudaDeviceSynchronize());
    ASK(cudaStreamAddCallback(stream, NULL, NULL, 0));
    ASK(cudaStreamAddCallback(stream, count_ten, &number, 1));
    ASK(cudaStreamAddCallback(stream, count_ten, &number, 0));
    ASK(cudaStreamSynchronize(stream));
    TELL("number %d", number);
}

const struct group stream_groups[] = {
    { "streams", ask_streams }, { "default streams", ask_default_streams },
    { "events", ask_events },   { "busy", ask_busy },
    { "host functions", ask_host_functions },
    { NULL, NULL },
};
