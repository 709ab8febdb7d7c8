/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

static cudaStream_t stream, other;
static int *memory;
static int local[16];
static const enum cudaStreamCaptureMode relaxed = cudaStreamCaptureModeRelaxed,
                                        global = cudaStreamCaptureModeGlobal;

static void prepare(void)
{
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    cudaMalloc((void **)&memory, 1000);
    launch_store(memory, 1, 0);
    cudaDeviceSynchronize();
}

static void tell_status(cudaStream_t which)
{
    enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)9;
    unsigned long long id = 0;
    cudaError_t answer = cudaStreamIsCapturing(which, &status);
    TELL("%s status %d", cudaGetErrorName(answer), (int)status);
    answer = cudaStreamGetCaptureInfo(which, &status, &id, NULL, NULL, NULL, NULL);
    TELL("%s status %d id %d", cudaGetErrorName(answer), (int)status, id != 0);
    cudaGetLastError();
}

static void ask_captures(void)
{
    cudaGraph_t graph = NULL;
    prepare();
    ASK(cudaStreamBeginCapture(0, global));
    ASK(cudaStreamBeginCapture(cudaStreamLegacy, global));
    ASK(cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)9));
    ASK(cudaStreamEndCapture(stream, &graph));
    ASK(cudaStreamEndCapture(0, &graph));
    ASK(cudaStreamIsCapturing(stream, NULL));
    tell_status(stream);
    ASK(cudaStreamBeginCapture(stream, relaxed));
    ASK(cudaStreamBeginCapture(stream, relaxed));
    tell_status(stream);
    ASK(launch_store(memory, 1, stream));
    ASK(cudaMemcpyAsync(local, memory, 4, cudaMemcpyDeviceToHost, stream));
    ASK(cudaMemsetAsync(memory, 0, 4, stream));
    tell_status(stream);
    tell_status(0);
    ASK(cudaStreamEndCapture(stream, &graph));
    TELL("graph %d", graph != NULL);
    ASK(cudaStreamBeginCapture(stream, relaxed));
    ASK(cudaStreamEndCapture(stream, NULL));
    tell_status(stream);
    ASK(cudaStreamBeginCapture(cudaStreamPerThread, relaxed));
    ASK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
}

/* What breaks a capture: each is asked in one of its own. */
#define BREAK(mode, call) \
    do { \
        cudaStreamBeginCapture(stream, mode); \
        launch_store(memory, 1, stream); \
        ANSWER(#call, call); \
        tell_status(stream); \
        graph = (cudaGraph_t)1; \
        ASK(cudaStreamEndCapture(stream, &graph)); \
        TELL("graph %d", graph != NULL); \
    } while (0)

static void ask_breaks(void)
{
    cudaGraph_t graph;
    void *more = NULL;
    prepare();
    BREAK(relaxed, cudaStreamQuery(stream));
    BREAK(relaxed, cudaStreamSynchronize(stream));
    BREAK(relaxed, cudaDeviceSynchronize());
    BREAK(global, cudaMalloc(&more, 100));
    BREAK(relaxed, cudaMalloc(&more, 100));
    BREAK(global, cudaFree(more));
    BREAK(global, cudaMemcpy(memory, local, 4, cudaMemcpyHostToDevice));
    BREAK(relaxed, cudaMemcpy(memory, local, 4, cudaMemcpyHostToDevice));
    BREAK(global, cudaMemset(memory, 0, 4));
    BREAK(global, launch_store(memory, 1, 0));
    BREAK(relaxed, launch_store(memory, 1, 0));
    BREAK(relaxed, cudaStreamSynchronize(0));
    BREAK(global, cudaStreamQuery(other));
    BREAK(global, cudaStreamSynchronize(other));
    BREAK(global, cudaMemcpyAsync(memory, local, 4, (enum cudaMemcpyKind)7, stream));
    BREAK(global, cudaMemcpyAsync(memory, local, 0, cudaMemcpyHostToDevice, stream));
    BREAK(global, cudaStreamAddCallback(stream, NULL, NULL, 0));
    BREAK(global, cudaLaunchKernel(store, (dim3){ 0, 1, 1 }, (dim3){ 1, 1, 1 }, NULL, 0, stream));
}

static void ask_events_of_captures(void)
{
    float ms;
    cudaGraph_t graph;
    cudaEvent_t event, outside;
    prepare();
    cudaEventCreate(&event);
    cudaEventCreate(&outside);
    cudaEventRecord(outside, other);
    BREAK(relaxed, cudaEventRecord(event, stream));
    ASK(cudaEventQuery(event));
    ASK(cudaEventRecord(event, other));
    BREAK(relaxed, cudaStreamWaitEvent(stream, outside, 0));
    BREAK(relaxed, cudaStreamWaitEvent(stream, outside, cudaEventWaitExternal));
    BREAK(relaxed, cudaEventRecordWithFlags(outside, stream, cudaEventRecordExternal));
    cudaStreamBeginCapture(stream, relaxed);
    cudaEventRecord(event, stream);
    ASK(cudaEventQuery(event));
    ASK(cudaEventSynchronize(event));
    ASK(cudaEventElapsedTime(&ms, event, event));
    ASK(cudaStreamEndCapture(stream, &graph));
    cudaStreamBeginCapture(stream, relaxed);
    cudaEventRecord(event, stream);
    ASK(cudaStreamWaitEvent(other, event, 0));
    tell_status(other);
    ASK(cudaStreamEndCapture(other, &graph));
    ASK(launch_store(memory, 2, other));
    ASK(cudaStreamEndCapture(stream, &graph));
    tell_status(other);
    cudaStreamBeginCapture(stream, relaxed);
    cudaStreamBeginCapture(other, relaxed);
    cudaEventRecord(event, stream);
    ASK(cudaStreamWaitEvent(other, event, 0));
    ASK(cudaStreamEndCapture(stream, &graph));
    ASK(cudaStreamEndCapture(other, &graph));
}

static void ask_modes(void)
{
    enum cudaStreamCaptureMode mode = relaxed;
    ASK(cudaThreadExchangeStreamCaptureMode(&mode));
    TELL("mode %d", (int)mode);
    ASK(cudaThreadExchangeStreamCaptureMode(&mode));
    TELL("mode %d", (int)mode);
    ASK(cudaThreadExchangeStreamCaptureMode(NULL));
    mode = (enum cudaStreamCaptureMode)9;
    ASK(cudaThreadExchangeStreamCaptureMode(&mode));
}

const struct group capture_groups[] = {
    { "captures", ask_captures },
    { "what breaks a capture", ask_breaks },
    { "events of captures", ask_events_of_captures },
    { "modes", ask_modes },
    { NULL, NULL },
};
