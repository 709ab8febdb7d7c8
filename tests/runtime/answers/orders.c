/* SPDX-License-Identifier: Apache-2.0
 *
 * What is looked at first where several things are wrong, and what is left behind by a call that
 * fails.
 */
#include "answers.h"

static cudaStream_t stream, captured;

static void prepare(void)
{
    cudaFree(NULL);
    cudaStreamCreate(&stream);
    cudaStreamCreate(&captured);
}

static const char *left(const void *address)
{
    return address == (void *)7 ? "as it was" : address ? "set" : "NULL";
}

#define LEFT(call) \
    do { \
        void *at = (void *)7; \
        ASK(call); \
        TELL("the address is %s", left(at)); \
    } while (0)

static void ask_addresses(void)
{
    const size_t huge = (size_t)1 << 60;
    prepare();
    LEFT(cudaMalloc(&at, huge));
    LEFT(cudaMallocHost(&at, huge));
    LEFT(cudaHostAlloc(&at, 100, 8));
    LEFT(cudaMallocManaged(&at, 0, 1));
    LEFT(cudaMallocManaged(&at, 0, 4));
    LEFT(cudaMallocManaged(&at, 100, 3));
    LEFT(cudaMallocManaged(&at, huge, 1));
}

/* ---- Captures ------------------------------------------------------------------------------ */

static void ask_legacy_while_capturing(void)
{
    int device = -7, priority = -7;
    cudaGraph_t graph = NULL;
    prepare();
    cudaStreamBeginCapture(captured, cudaStreamCaptureModeRelaxed);
    ASK(cudaEventRecord(NULL, 0));
    ASK(cudaStreamWaitEvent(0, NULL, 0));
    ASK(cudaLaunchKernel(&not_registered, (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, NULL, 0, 0));
    ASK(cudaStreamGetPriority(0, &priority));
    ASK(cudaFreeAsync(NULL, 0));
    ASK(cudaStreamGetDevice(captured, &device));
    TELL("device %d", device);
    ASK(cudaStreamEndCapture(captured, &graph));
}

static void ask_invalidated(void)
{
    int priority = -7;
    cudaGraph_t graph = NULL;
    prepare();
    cudaStreamBeginCapture(captured, cudaStreamCaptureModeThreadLocal);
    cudaStreamQuery(captured);
    ASK(cudaStreamGetPriority(captured, &priority));
    TELL("priority %d", priority);
    ASK(cudaStreamCopyAttributes(captured, stream));
    ASK(cudaStreamCopyAttributes(stream, captured));
    ASK(cudaLaunchKernel(&not_registered, (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, NULL, 0, captured));
    ASK(cudaFreeAsync(NULL, captured));
    ASK(cudaStreamEndCapture(captured, &graph));
}

static void ask_nothing(void)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    prepare();
    cudaGraphCreate(&graph, 0);
    cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal);
    ASK(cudaGraphInstantiate(&exec, graph, 16));
    ASK(cudaHostRegister(&graph, 8, 77));
    ASK(cudaStreamEndCapture(captured, &graph));
    cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal);
    ASK(cudaDeviceSetLimit((enum cudaLimit)99, 0));
    ASK(cudaStreamEndCapture(captured, &graph));
    cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal);
    ASK(cudaFreeHost(NULL));
    ASK(cudaStreamEndCapture(captured, &graph));
}

/* ---- Copies -------------------------------------------------------------------------------- */

static void ask_rows(void)
{
    char from[64] = "", to[64];
    prepare();
    ASK(cudaMemcpy2D(to, 16, from, 0, 4, 1, cudaMemcpyHostToHost));
    ASK(cudaMemcpy2D(to, 2, from, 16, 4, 1, cudaMemcpyHostToHost));
    ASK(cudaMemcpy2D(to, 2, from, 16, 4, 1, (enum cudaMemcpyKind)9));
    struct cudaMemcpy3DParms box;
    memset(&box, 0, sizeof box);
    box.srcPtr = (struct cudaPitchedPtr){ from, 16, 16, 1 };
    box.dstPtr = (struct cudaPitchedPtr){ to, 16, 16, 1 };
    box.extent = (struct cudaExtent){ 4, 1, 0 };
    box.kind = (enum cudaMemcpyKind)9;
    ASK(cudaMemcpy3DAsync(&box, stream));
}

static void ask_parts(void)
{
    int words[2] = { 0, 0 };
    prepare();
    ASK(cudaMemcpyToSymbol(total, words, 8, 0, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpyFromSymbol(words, total, 8, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpyToSymbolAsync(total, words, 8, 0, cudaMemcpyDeviceToHost, stream));
}

/* ---- Devices and kernels ------------------------------------------------------------------- */

static void ask_devices(void)
{
    char id[64] = "?";
    int can = -7;
    prepare();
    ASK(cudaDeviceCanAccessPeer(&can, 0, 77));
    ASK(cudaDeviceCanAccessPeer(&can, 77, 0));
    ASK(cudaDeviceGetPCIBusId(id, 5, 0));
    TELL("it begins with %d", id[0]);
    id[0] = '?';
    ASK(cudaDeviceGetPCIBusId(id, 5, 77));
    TELL("it begins with %d", id[0]);
}

/* What a call that succeeds leaves of an earlier error. */
static void ask_last_errors(void)
{
    size_t offset = 0, bytes = 0;
    struct cudaFuncAttributes attributes;
    prepare();
    cudaMalloc(NULL, 4);
    ASK(cudaFuncGetAttributes(&attributes, store));
    cudaMalloc(NULL, 4);
    ASK(cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
    cudaMalloc(NULL, 4);
    ASK(cudaFuncGetParamInfo(store, 1, &offset, &bytes));
    TELL("offset %zu bytes %zu", offset, bytes);
}

static void ask_functions(void)
{
    int blocks = -7;
    size_t bytes = 77;
    prepare();
    ASK(cudaFuncSetAttribute(&not_registered, (enum cudaFuncAttribute)99, 0));
    ASK(cudaFuncSetAttribute(&not_registered, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &not_registered, 32, 0, 2));
    ASK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &not_registered, 0, 32));
    ASK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, store, 8, 128));
    TELL("bytes %zu", bytes);
    ASK(cudaLaunchCooperativeKernel(idle, (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, NULL, 300000, 0));
}

const struct group order_groups[] = {
    { "addresses that are left", ask_addresses },
    { "the legacy stream while another is captured", ask_legacy_while_capturing },
    { "a stream whose capture is invalid", ask_invalidated },
    { "nothing, which captures forbid", ask_nothing },
    { "rows first", ask_rows },
    { "parts of variables", ask_parts },
    { "devices first", ask_devices },
    { "functions first", ask_functions },
    { "last errors that are forgotten", ask_last_errors },
    { NULL, NULL },
};
