// SPDX-License-Identifier: Apache-2.0
// Graphs in the shapes of 11: what is told of a failure, and the attributes of kernel nodes.
#include "ask.h"

static __global__ void store(int *at, int value)
{
    *at = value;
}

static __global__ void add(int *at, int value)
{
    *at += value;
}

static int *word;

static cudaGraph_t graph_of(void *kernel, int value, unsigned blocks, int copies)
{
    cudaGraph_t graph;
    cudaGraphNode_t node, copy;
    void *arguments[] = { &word, &value };
    cudaKernelNodeParams launch = {};
    if (!word) cudaMalloc(&word, 64);
    launch.func = kernel;
    launch.gridDim = dim3(blocks);
    launch.blockDim = dim3(1);
    launch.kernelParams = arguments;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &launch);
    for (int i = 0; i < copies; i++)
        cudaGraphAddMemcpyNode1D(&copy, graph, &node, 1, word + 8 + i, word, 4,
                                 cudaMemcpyDeviceToDevice);
    return graph;
}

static void ask_instantiate()
{
    cudaGraph_t graph = graph_of((void *)store, 3, 1, 1), empty;
    cudaGraphExec_t exec = nullptr;
    cudaGraphNode_t failing = (cudaGraphNode_t)&graph;
    char words[64];
    std::memset(words, '?', sizeof words);
    ASK(cudaGraphInstantiate(&exec, graph, &failing, words, sizeof words));
    TELL("failing %d, words %02x %02x", failing == (cudaGraphNode_t)&graph ? 2 : failing != nullptr,
         (unsigned char)words[0], (unsigned char)words[63]);
    ASK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    ASK(cudaGraphInstantiate(&exec, graph, nullptr, words, 0));
    ASK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 5));
    ASK(cudaGraphInstantiate(nullptr, graph, nullptr, nullptr, 0));
    ASK(cudaGraphInstantiate(&exec, nullptr, nullptr, nullptr, 0));
    ASK(cudaGraphCreate(&empty, 0));
    ASK(cudaGraphInstantiate(&exec, empty, &failing, words, sizeof words));
    ASK(cudaGraphInstantiateWithFlags(&exec, empty, 0));
    ASK(cudaGraphInstantiateWithFlags(&exec, empty, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    ASK(cudaGraphInstantiateWithFlags(&exec, empty, 2));
    ASK(cudaGraphInstantiateWithFlags(&exec, empty, 256));
    ASK(cudaGraphLaunch(exec, nullptr));
    ASK(cudaDeviceSynchronize());
}

/* A node that cannot be instantiated: two of memory in one graph that is made an exec twice. */
static void ask_failing()
{
    cudaGraph_t graph;
    cudaGraphExec_t execs[2];
    cudaGraphNode_t node, failing = nullptr;
    cudaMemAllocNodeParams memory = {};
    char words[64] = "?";
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = 64;
    ASK(cudaGraphCreate(&graph, 0));
    ASK(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &memory));
    ASK(cudaGraphInstantiate(&execs[0], graph, &failing, words, sizeof words));
    ASK(cudaGraphInstantiate(&execs[1], graph, &failing, words, sizeof words));
    TELL("failing %d, first %s", failing != nullptr, words[0] ? "some" : "none");
}

static void update_to(cudaGraphExec_t exec, cudaGraph_t graph)
{
    cudaGraphNode_t failing = (cudaGraphNode_t)&graph;
    cudaGraphExecUpdateResult result = (cudaGraphExecUpdateResult)77;
    ASK(cudaGraphExecUpdate(exec, graph, &failing, &result));
    TELL("failing %d, result %d", failing == (cudaGraphNode_t)&graph ? 2 : failing != nullptr,
         result);
}

static void ask_update()
{
    cudaGraph_t graph = graph_of((void *)store, 3, 1, 1);
    cudaGraphExec_t exec;
    int value = 0;
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t failing;
    ASK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    update_to(exec, graph_of((void *)store, 4, 1, 1));
    ASK(cudaGraphLaunch(exec, nullptr));
    ASK(cudaMemcpy(&value, word, 4, cudaMemcpyDeviceToHost));
    TELL("value %d", value);
    update_to(exec, graph_of((void *)add, 4, 1, 1));
    update_to(exec, graph_of((void *)store, 4, 2, 1));
    update_to(exec, graph_of((void *)store, 4, 1, 0));
    update_to(exec, graph_of((void *)store, 4, 1, 2));
    cudaGraph_t fills;
    cudaGraphNode_t first, second;
    cudaMemsetParams fill = {};
    fill.dst = word;
    fill.elementSize = 4;
    fill.width = fill.height = 1;
    ASK(cudaGraphCreate(&fills, 0));
    ASK(cudaGraphAddMemsetNode(&first, fills, nullptr, 0, &fill));
    ASK(cudaGraphAddMemsetNode(&second, fills, &first, 1, &fill));
    update_to(exec, fills);
    update_to(exec, nullptr);
    cudaGraph_t alone = graph_of((void *)store, 4, 1, 0);
    ASK(cudaGraphInstantiate(&exec, alone, nullptr, nullptr, 0));
    update_to(exec, graph_of((void *)store, 4, 1, 1));
    update_to(exec, fills);
    cudaGraph_t none;
    ASK(cudaGraphCreate(&none, 0));
    update_to(exec, none);
    ASK(cudaGraphCreate(&none, 0));
    ASK(cudaGraphAddMemsetNode(&first, none, nullptr, 0, &fill));
    update_to(exec, none);
    ASK(cudaGraphInstantiate(&exec, fills, nullptr, nullptr, 0));
    update_to(exec, none);
    ASK(cudaGraphAddMemsetNode(&second, none, nullptr, 0, &fill));
    update_to(exec, none);
    ASK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    ASK(cudaGraphExecUpdate(exec, graph, nullptr, &result));
    ASK(cudaGraphExecUpdate(exec, graph, &failing, nullptr));
    ASK(cudaGraphExecUpdate(nullptr, graph, &failing, &result));
}

static cudaError_t window(cudaGraphNode_t node, float share)
{
    cudaKernelNodeAttrValue value = {};
    value.accessPolicyWindow.base_ptr = word;
    value.accessPolicyWindow.num_bytes = 64;
    value.accessPolicyWindow.hitRatio = share;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    return cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &value);
}

static float window_of(cudaGraphNode_t node)
{
    cudaKernelNodeAttrValue value = {};
    cudaGraphKernelNodeGetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &value);
    return value.accessPolicyWindow.hitRatio;
}

static void ask_attributes_of_nodes()
{
    cudaGraphNode_t nodes[2];
    size_t one = 1;
    for (int i = 0; i < 2; i++) {
        one = 1;
        ASK(cudaGraphGetNodes(graph_of((void *)store, 3, 1, 0), &nodes[i], &one));
        ASK(window(nodes[i], i ? 0.75f : 0.25f));
    }
    ASK(cudaGraphKernelNodeCopyAttributes(nodes[0], nodes[1]));
    TELL("first %g, second %g", window_of(nodes[0]), window_of(nodes[1]));
    ASK(cudaGraphKernelNodeCopyAttributes(nodes[0], nullptr));
    ASK(cudaGraphKernelNodeSetAttribute(nodes[0], (cudaKernelNodeAttrID)99, nullptr));
}

static void ask_edges()
{
    cudaGraph_t graph = graph_of((void *)store, 3, 1, 2);
    cudaGraphNode_t from[4], to[4], nodes[4];
    size_t count = 4;
    ASK(cudaGraphGetEdges(graph, from, to, &count));
    TELL("count %zu", count);
    ASK(cudaGraphGetEdges(graph, nullptr, nullptr, &count));
    ASK(cudaGraphGetEdges(graph, nullptr, to, &count));
    ASK(cudaGraphNodeGetDependencies(to[0], nodes, &count));
    TELL("count %zu", count);
    count = 4;
    ASK(cudaGraphNodeGetDependentNodes(from[0], nodes, &count));
    TELL("count %zu", count);
    ASK(cudaGraphRemoveDependencies(graph, from, to, 1));
    ASK(cudaGraphAddDependencies(graph, from, to, 1));
    ASK(cudaGraphAddDependencies(graph, from, to, 1));
    ASK(cudaGraphAddDependencies(graph, to, to, 1));
}

const group graph_groups[] = {
    { "instantiate", ask_instantiate }, { "failing", ask_failing },
    { "update", ask_update },           { "attributes of nodes", ask_attributes_of_nodes },
    { "edges", ask_edges },             { nullptr, nullptr },
};
