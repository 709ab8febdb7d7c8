/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

static cudaGraph_t graph;
static char *memory;
static int local[64];

static void prepare(void)
{
    cudaMalloc((void **)&memory, 1000);
    cudaGraphCreate(&graph, 0);
}

static void count(void *number)
{
    ++*(int *)number;
}

/* ---- As captured --------------------------------------------------------------------------- */

static void tell_kernel(cudaGraphNode_t node)
{
    struct cudaKernelNodeParams p;
    memset(&p, 0x55, sizeof p);
    ASK(cudaGraphKernelNodeGetParams(node, &p));
    TELL("stub %d grid %u block %u shared %u extra %d", p.func == store, p.gridDim.x, p.blockDim.x,
         p.sharedMemBytes, p.extra != NULL);
    TELL("value %d", p.kernelParams ? *(int *)p.kernelParams[1] : -1);
    ASK(cudaGraphKernelNodeSetParams(node, &p));
    p.func = &not_registered;
    ASK(cudaGraphKernelNodeSetParams(node, &p));
    p.func = (void *)store;
    p.gridDim.x = 0;
    ASK(cudaGraphKernelNodeSetParams(node, &p));
    ASK(cudaGraphKernelNodeGetParams(node, NULL));
    ASK(cudaGraphKernelNodeSetParams(node, NULL));
}

static void tell_copy(cudaGraphNode_t node)
{
    struct cudaMemcpy3DParms p;
    memset(&p, 0x55, sizeof p);
    ASK(cudaGraphMemcpyNodeGetParams(node, &p));
    TELL("kind %d arrays %d %d extent %zu %zu %zu", (int)p.kind, p.srcArray != NULL,
         p.dstArray != NULL, p.extent.width, p.extent.height, p.extent.depth);
    TELL("src %d pitch %zu size %zu %zu at %zu %zu %zu",
         p.srcPtr.ptr == memory ? 1 : p.srcPtr.ptr == local ? 2 : 0, p.srcPtr.pitch,
         p.srcPtr.xsize, p.srcPtr.ysize, p.srcPos.x, p.srcPos.y, p.srcPos.z);
    TELL("dst %d pitch %zu size %zu %zu at %zu %zu %zu",
         p.dstPtr.ptr == memory ? 1 : p.dstPtr.ptr == local ? 2 : 0, p.dstPtr.pitch,
         p.dstPtr.xsize, p.dstPtr.ysize, p.dstPos.x, p.dstPos.y, p.dstPos.z);
}

static void tell_fill(cudaGraphNode_t node)
{
    struct cudaMemsetParams p;
    memset(&p, 0x55, sizeof p);
    ASK(cudaGraphMemsetNodeGetParams(node, &p));
    TELL("dst %d pitch %zu value %u element %u width %zu height %zu", p.dst == memory, p.pitch,
         p.value, p.elementSize, p.width, p.height);
}

static void tell_nodes(cudaGraph_t which)
{
    cudaGraphNode_t nodes[16];
    size_t count = 16;
    cudaGraphGetNodes(which, nodes, &count);
    TELL("nodes %zu", count);
    for (size_t i = 0; i < count; i++) {
        enum cudaGraphNodeType type;
        cudaGraphNodeGetType(nodes[i], &type);
        TELL("type %d", (int)type);
        if (type == cudaGraphNodeTypeKernel) tell_kernel(nodes[i]);
        if (type == cudaGraphNodeTypeMemcpy) tell_copy(nodes[i]);
        if (type == cudaGraphNodeTypeMemset) tell_fill(nodes[i]);
    }
}

/* One operation is captured. */
#define CAPTURED(call) \
    do { \
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed); \
        ANSWER(#call, call); \
        cudaStreamEndCapture(stream, &captured); \
        tell_nodes(captured); \
    } while (0)

static void ask_captured_nodes(void)
{
    cudaGraph_t captured = NULL;
    cudaStream_t stream;
    const enum cudaMemcpyKind to_device = cudaMemcpyHostToDevice;
    struct cudaMemcpy3DParms box;
    prepare();
    cudaStreamCreate(&stream);
    memset(&box, 0, sizeof box);
    box.srcPtr = (struct cudaPitchedPtr){ local, 8, 8, 4 };
    box.dstPtr = (struct cudaPitchedPtr){ memory, 16, 12, 3 };
    box.extent = (struct cudaExtent){ 4, 2, 2 };
    box.dstPos.x = 3;
    box.kind = cudaMemcpyHostToDevice;
    CAPTURED(launch_store((int *)memory, 5, stream));
    CAPTURED(cudaMemcpyAsync(local, memory, 4, cudaMemcpyDeviceToHost, stream));
    CAPTURED(cudaMemcpyAsync(memory, local, 40, cudaMemcpyDefault, stream));
    CAPTURED(cudaMemcpyAsync(memory, memory + 100, 4, cudaMemcpyDeviceToDevice, stream));
    CAPTURED(cudaMemcpyAsync(local, local + 8, 4, cudaMemcpyHostToHost, stream));
    CAPTURED(cudaMemcpyAsync(memory, local, 0, to_device, stream));
    CAPTURED(cudaMemcpy2DAsync(memory, 20, local, 10, 8, 3, to_device, stream));
    CAPTURED(cudaMemcpy2DAsync(memory, 8, local, 8, 8, 3, to_device, stream));
    CAPTURED(cudaMemcpy2DAsync(memory, 20, local, 10, 8, 1, to_device, stream));
    CAPTURED(cudaMemcpy3DAsync(&box, stream));
    CAPTURED(cudaMemsetAsync(memory, 0x101, 40, stream));
    CAPTURED(cudaMemsetAsync(memory, 1, 3, stream));
    CAPTURED(cudaMemset2DAsync(memory, 20, 7, 8, 3, stream));
    CAPTURED(cudaMemset2DAsync(memory, 8, 7, 8, 3, stream));
    CAPTURED(cudaMemset3DAsync((struct cudaPitchedPtr){ memory, 16, 16, 2 }, 1,
                               (struct cudaExtent){ 8, 2, 2 }, stream));
    CAPTURED(cudaMemcpyToSymbolAsync(total, local, 4, 0, to_device, stream));
}

/* ---- As added -------------------------------------------------------------------------------- */

#define NODE &node, graph, NULL, 0

static void ask_kernel_nodes(void)
{
    cudaGraphNode_t node;
    struct cudaKernelNodeParams p;
    prepare();
    memset(&p, 0, sizeof p);
    ASK(cudaGraphAddKernelNode(NODE, &p));
    ASK(cudaGraphAddKernelNode(NODE, NULL));
    p.func = (void *)idle;
    ASK(cudaGraphAddKernelNode(NODE, &p));
    p.gridDim = p.blockDim = (dim3){ 1, 1, 1 };
    ASK(cudaGraphAddKernelNode(NODE, &p));
    ASK(cudaGraphKernelNodeGetParams(node, &p));
    TELL("stub %d params %d extra %d", p.func == idle, p.kernelParams != NULL, p.extra != NULL);
    p.blockDim.x = 2000;
    ASK(cudaGraphAddKernelNode(NODE, &p));
    p.blockDim.x = 1;
    p.sharedMemBytes = 1 << 20;
    ASK(cudaGraphAddKernelNode(NODE, &p));
    p.sharedMemBytes = 0;
    p.func = (void *)store;
    ASK(cudaGraphAddKernelNode(NODE, &p));
    p.func = &not_registered;
    ASK(cudaGraphAddKernelNode(NODE, &p));
    ASK(cudaGraphAddKernelNode(NULL, graph, NULL, 0, &p));
}

static void ask_copy_nodes(void)
{
    cudaGraphNode_t node;
    struct cudaMemcpy3DParms p;
    const enum cudaMemcpyKind to_device = cudaMemcpyHostToDevice;
    prepare();
    memset(&p, 0, sizeof p);
    ASK(cudaGraphAddMemcpyNode(NODE, &p));
    ASK(cudaGraphAddMemcpyNode(NODE, NULL));
    ASK(cudaGraphAddMemcpyNode1D(NODE, memory, local, 16, to_device));
    tell_copy(node);
    ASK(cudaGraphMemcpyNodeSetParams1D(node, local, memory, 8, cudaMemcpyDeviceToHost));
    tell_copy(node);
    ASK(cudaGraphMemcpyNodeSetParams1D(node, local, memory, 8, (enum cudaMemcpyKind)9));
    ASK(cudaGraphMemcpyNodeGetParams(node, NULL));
    ASK(cudaGraphAddMemcpyNode1D(NODE, memory, local, 16, cudaMemcpyDefault));
    tell_copy(node);
    ASK(cudaGraphAddMemcpyNode1D(NODE, memory, local, 16, (enum cudaMemcpyKind)9));
    ASK(cudaGraphAddMemcpyNode1D(NODE, memory, local, 0, to_device));
    ASK(cudaGraphAddMemcpyNode1D(NODE, NULL, local, 16, to_device));
    ASK(cudaGraphAddMemcpyNode1D(NODE, memory, local, 2000, to_device));
    ASK(cudaGraphAddMemcpyNode1D(NODE, memory, local, 16, cudaMemcpyDeviceToHost));
    ASK(cudaGraphAddMemcpyNodeToSymbol(NODE, total, local, 4, 0, to_device));
    tell_copy(node);
    ASK(cudaGraphAddMemcpyNodeToSymbol(NODE, total, local, 5, 0, to_device));
    ASK(cudaGraphAddMemcpyNodeToSymbol(NODE, total, local, 4, 0, cudaMemcpyDeviceToHost));
    ASK(cudaGraphAddMemcpyNodeFromSymbol(NODE, local, table, 4, 4, cudaMemcpyDeviceToHost));
    ASK(cudaGraphAddMemcpyNodeFromSymbol(NODE, local, &not_registered, 4, 0,
                                         cudaMemcpyDeviceToHost));
    p.srcPtr = (struct cudaPitchedPtr){ local, 8, 8, 4 };
    p.dstPtr = (struct cudaPitchedPtr){ memory, 16, 12, 3 };
    p.extent = (struct cudaExtent){ 4, 2, 2 };
    p.kind = cudaMemcpyHostToDevice;
    ASK(cudaGraphAddMemcpyNode(NODE, &p));
    tell_copy(node);
    p.extent.width = 9;
    ASK(cudaGraphAddMemcpyNode(NODE, &p));
    p.extent.width = 0;
    ASK(cudaGraphAddMemcpyNode(NODE, &p));
}

static void ask_plain_nodes(void)
{
    cudaGraphNode_t node;
    int number = 0;
    struct cudaHostNodeParams host = { count, &number };
    struct cudaMemsetParams p;
    prepare();
    memset(&p, 0, sizeof p);
    ASK(cudaGraphAddMemsetNode(NODE, &p));
    ASK(cudaGraphAddMemsetNode(NODE, NULL));
    p = (struct cudaMemsetParams){ memory, 0, 0x1ff, 1, 4, 1 };
    ASK(cudaGraphAddMemsetNode(NODE, &p));
    tell_fill(node);
    p.elementSize = 3;
    ASK(cudaGraphAddMemsetNode(NODE, &p));
    p.elementSize = 4;
    p.height = 2;
    ASK(cudaGraphAddMemsetNode(NODE, &p));
    p.pitch = 16;
    ASK(cudaGraphAddMemsetNode(NODE, &p));
    tell_fill(node);
    ASK(cudaGraphMemsetNodeSetParams(node, NULL));
    ASK(cudaGraphMemsetNodeGetParams(node, NULL));
    ASK(cudaGraphAddHostNode(NODE, NULL));
    ASK(cudaGraphAddHostNode(NODE, &host));
    ASK(cudaGraphHostNodeGetParams(node, &host));
    TELL("function %d data %d", host.fn == count, host.userData == &number);
    ASK(cudaGraphHostNodeGetParams(node, NULL));
    host.fn = NULL;
    ASK(cudaGraphAddHostNode(NODE, &host));
    ASK(cudaGraphAddEmptyNode(NODE));
    ASK(cudaGraphAddEmptyNode(&node, graph, NULL, 1));
    ASK(cudaGraphAddEmptyNode(NULL, graph, NULL, 0));
    ASK(cudaGraphAddChildGraphNode(NODE, NULL));
    ASK(cudaGraphAddChildGraphNode(NODE, graph));
    ASK(cudaGraphAddEventRecordNode(NODE, NULL));
    ASK(cudaGraphAddEventWaitNode(NODE, NULL));
    ASK(cudaGraphCreate(&graph, 5));
    ASK(cudaGraphCreate(NULL, 0));
}

static void ask_nodes_by_struct(void)
{
    cudaGraphNode_t node = NULL;
    int number = 0;
    static struct cudaGraphNodeParams p;
    prepare();
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = (void *)idle;
    p.kernel.gridDim = p.kernel.blockDim = (dim3){ 1, 1, 1 };
    ASK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
    ASK(cudaGraphNodeSetParams(node, &p));
    ASK(cudaGraphNodeSetParams(node, NULL));
    p.kernel.func = &not_registered;
    ASK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
    p.reserved0[0] = 1;
    ASK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
    memset(&p, 0, sizeof p);
    p.type = cudaGraphNodeTypeMemcpy;
    ASK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
    ASK(cudaGraphNodeSetParams(node, &p));
    memset(&p, 0, sizeof p);
    p.type = (enum cudaGraphNodeType)77;
    ASK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
    p.type = cudaGraphNodeTypeEmpty;
    ASK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
    ASK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, NULL));
    p.type = cudaGraphNodeTypeMemset;
    ASK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
    p.memset = (struct cudaMemsetParamsV2){ .dst = memory, .elementSize = 1, .width = 4,
                                            .height = 1 };
    ASK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
    memset(&p, 0, sizeof p);
    p.type = cudaGraphNodeTypeHost;
    ASK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
    p.host.fn = count;
    p.host.userData = &number;
    ASK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
}

const struct group node_groups[] = {
    { "captured nodes", ask_captured_nodes },
    { "kernel nodes", ask_kernel_nodes },
    { "copy nodes", ask_copy_nodes },
    { "plain nodes", ask_plain_nodes },
    { "nodes by struct", ask_nodes_by_struct },
    { NULL, NULL },
};
