// SPDX-License-Identifier: Apache-2.0
// A graph that is captured, launched, updated from another capture and by its nodes; and one
// that is built by hand.
#include "check.h"

__global__ void add(int *at, int value)
{
    atomicAdd(at, value);
}

// CUDA 11 has these in another form, with places for what fails.
static cudaGraphExec_t instantiate(cudaGraph_t graph)
{
    cudaGraphExec_t exec;
#if CUDART_VERSION < 12000
    cudaGraphNode_t failing;
    char words[64];
    OK(cudaGraphInstantiate(&exec, graph, &failing, words, sizeof words));
#else
    OK(cudaGraphInstantiate(&exec, graph, 0));
#endif
    return exec;
}

static void update(cudaGraphExec_t exec, cudaGraph_t graph)
{
#if CUDART_VERSION < 12000
    cudaGraphNode_t failing;
    cudaGraphExecUpdateResult outcome;
    OK(cudaGraphExecUpdate(exec, graph, &failing, &outcome));
    EXPECT(outcome == cudaGraphExecUpdateSuccess);
#else
    cudaGraphExecUpdateResultInfo outcome;
    OK(cudaGraphExecUpdate(exec, graph, &outcome));
    EXPECT(outcome.result == cudaGraphExecUpdateSuccess);
#endif
}

static cudaGraph_t capture(cudaStream_t stream, int *word, int value)
{
    cudaGraph_t graph;
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(word, 0, sizeof *word, stream));
    add<<<1, 2, 0, stream>>>(word, value);
    OK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

static int run(cudaGraphExec_t exec, cudaStream_t stream, const int *word)
{
    int value = -1;
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpy(&value, word, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static cudaGraphNode_t kernel_of(cudaGraph_t graph)
{
    cudaGraphNode_t nodes[8];
    cudaGraphNodeType type;
    size_t count = 8;
    OK(cudaGraphGetNodes(graph, nodes, &count));
    for (size_t i = 0; i < count; i++) {
        OK(cudaGraphNodeGetType(nodes[i], &type));
        if (type == cudaGraphNodeTypeKernel) return nodes[i];
    }
    EXPECT(!"there is a kernel node");
    return NULL;
}

static void build_by_hand(cudaStream_t stream, int *word)
{
    cudaGraph_t graph;
    cudaGraphNode_t clear, kernel, copy;
    int value = 5, result = 0;
    void *arguments[] = { &word, &value };
    cudaMemsetParams fill = {};
    cudaKernelNodeParams launch = {};
    fill.dst = word;
    fill.elementSize = 4;
    fill.value = 10;
    fill.width = fill.height = 1;
    launch.func = (void *)add;
    launch.gridDim = launch.blockDim = dim3(1);
    launch.kernelParams = arguments;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &fill));
    OK(cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &launch));
    OK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, &result, word, sizeof result,
                                cudaMemcpyDeviceToHost));
    cudaGraphExec_t exec = instantiate(graph);
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    EXPECT(result == 15);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

int main()
{
    cudaStream_t stream;
    cudaKernelNodeParams launch;
    int *word, value = 50;
    OK(cudaStreamCreate(&stream));
    OK(cudaMalloc(&word, sizeof *word));
    cudaGraph_t graph = capture(stream, word, 3), other = capture(stream, word, 20);
    cudaGraphExec_t exec = instantiate(graph);
    EXPECT(run(exec, stream, word) == 6);
    update(exec, other);
    EXPECT(run(exec, stream, word) == 40);
    OK(cudaGraphKernelNodeGetParams(kernel_of(graph), &launch));
    EXPECT(launch.func == (void *)add && launch.blockDim.x == 2);
    EXPECT(*(int *)launch.kernelParams[1] == 3);
    void *arguments[] = { &word, &value };
    launch.kernelParams = arguments;
    OK(cudaGraphExecKernelNodeSetParams(exec, kernel_of(graph), &launch));
    EXPECT(run(exec, stream, word) == 100);
    build_by_hand(stream, word);
    std::printf("graph and update\n");
}
