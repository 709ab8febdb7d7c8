/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

static cudaStream_t stream;
static int *memory;

static void count(void *number)
{
    ++*(int *)number;
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, const void *kernel, int value)
{
    cudaGraphNode_t node = NULL;
    void *params[] = { &memory, &value };
    const struct cudaKernelNodeParams p = {
        (void *)kernel, { 1, 1, 1 }, { 1, 1, 1 }, 0, kernel == store ? params : NULL, NULL
    };
    cudaGraphAddKernelNode(&node, graph, NULL, 0, &p);
    return node;
}

static cudaGraph_t new_graph(void)
{
    cudaGraph_t graph = NULL;
    cudaGraphCreate(&graph, 0);
    return graph;
}

static void prepare(void)
{
    cudaStreamCreate(&stream);
    cudaMalloc((void **)&memory, 1000);
}

static void ask_execs(void)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec = NULL;
    unsigned long long flags = 9;
    unsigned enabled = 9;
    prepare();
    graph = new_graph();
    cudaGraphNode_t node = add_kernel(graph, store, 1);
    ASK(cudaGraphInstantiate(NULL, graph, 0));
    ASK(cudaGraphInstantiate(&exec, graph, 0x1000));
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphExecGetFlags(exec, &flags));
    TELL("flags %llu", flags);
    ASK(cudaGraphLaunch(exec, stream));
    ASK(cudaGraphLaunch(exec, 0));
    ASK(cudaGraphLaunch(exec, cudaStreamPerThread));
    ASK(cudaGraphUpload(exec, stream));
    ASK(cudaDeviceSynchronize());
    ASK(cudaGraphNodeGetEnabled(exec, node, &enabled));
    TELL("enabled %u", enabled);
    ASK(cudaGraphNodeSetEnabled(exec, node, 0));
    ASK(cudaGraphNodeGetEnabled(exec, node, &enabled));
    TELL("enabled %u", enabled);
    ASK(cudaGraphNodeGetEnabled(exec, node, NULL));
    ASK(cudaGraphExecDestroy(exec));
    ASK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    ASK(cudaGraphExecGetFlags(exec, &flags));
    TELL("flags %llu", flags);
    ASK(cudaGraphDestroyNode(node));
    ASK(cudaGraphDestroy(graph));
    ASK(cudaGraphLaunch(exec, stream));
    ASK(cudaStreamSynchronize(stream));
}

static cudaGraphExec_t exec;

static void ask_update(const char *what, cudaGraph_t graph)
{
    cudaGraphExecUpdateResultInfo info;
    memset(&info, 0x55, sizeof info);
    cudaError_t status = cudaGraphExecUpdate(exec, graph, &info);
    TELL("%s: %s result %d node %d from %d", what, cudaGetErrorName(status), (int)info.result,
         info.errorNode != NULL, info.errorFromNode != NULL);
    cudaGetLastError();
}

static void ask_updates(void)
{
    cudaGraph_t graph;
    cudaGraphNode_t node, second;
    prepare();
    graph = new_graph();
    add_kernel(graph, store, 1);
    cudaGraphInstantiate(&exec, graph, 0);
    ask_update("same", graph);
    graph = new_graph();
    ask_update("no node", graph);
    add_kernel(graph, store, 2);
    ask_update("other value", graph);
    add_kernel(graph, store, 2);
    ask_update("two nodes", graph);
    graph = new_graph();
    add_kernel(graph, idle, 0);
    ask_update("other kernel", graph);
    graph = new_graph();
    cudaGraphAddEmptyNode(&node, graph, NULL, 0);
    ask_update("other type", graph);
    graph = new_graph();
    node = add_kernel(graph, store, 1);
    second = add_kernel(graph, store, 2);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphAddDependencies(graph, &node, &second, NULL, 1);
    ask_update("other edges", graph);
    ASK(cudaGraphExecUpdate(exec, graph, NULL));
    ASK(cudaGraphExecUpdate(exec, NULL, NULL));
}

static void ask_node_updates(void)
{
    cudaGraph_t graph, other;
    cudaGraphNode_t node, copy, foreign;
    int local = 0, value = 7;
    void *params[] = { &memory, &value };
    struct cudaKernelNodeParams p = { (void *)store, { 1, 1, 1 }, { 1, 1, 1 }, 0, params, NULL };
    prepare();
    graph = new_graph();
    other = new_graph();
    node = add_kernel(graph, store, 1);
    foreign = add_kernel(other, store, 1);
    cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, memory + 8, &local, 4, cudaMemcpyHostToDevice);
    cudaGraphInstantiate(&exec, graph, 0);
    ASK(cudaGraphExecKernelNodeSetParams(exec, node, &p));
    ASK(cudaGraphExecKernelNodeSetParams(exec, foreign, &p));
    ASK(cudaGraphExecKernelNodeSetParams(exec, copy, &p));
    ASK(cudaGraphExecKernelNodeSetParams(exec, node, NULL));
    p.gridDim.x = 0;
    ASK(cudaGraphExecKernelNodeSetParams(exec, node, &p));
    p.gridDim.x = 1;
    p.func = &not_registered;
    ASK(cudaGraphExecKernelNodeSetParams(exec, node, &p));
    p.func = (void *)idle;
    ASK(cudaGraphExecKernelNodeSetParams(exec, node, &p));
    ASK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, memory + 16, &local, 4,
                                           cudaMemcpyHostToDevice));
    ASK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, &local, memory, 4,
                                           cudaMemcpyDeviceToHost));
    ASK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, memory, &local, 0,
                                           cudaMemcpyHostToDevice));
    ASK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, memory, &local, 4,
                                           (enum cudaMemcpyKind)9));
    ASK(cudaGraphLaunch(exec, stream));
    ASK(cudaStreamSynchronize(stream));
}

static void ask_edges(void)
{
    cudaGraph_t graph, clone;
    cudaGraphNode_t a, b, found;
    size_t number = 9;
    prepare();
    graph = new_graph();
    cudaGraphAddEmptyNode(&a, graph, NULL, 0);
    cudaGraphAddEmptyNode(&b, graph, NULL, 0);
    ASK(cudaGraphAddDependencies(graph, &a, &b, NULL, 1));
    ASK(cudaGraphAddDependencies(graph, &a, &b, NULL, 1));
    ASK(cudaGraphAddDependencies(graph, &a, &a, NULL, 1));
    ASK(cudaGraphAddDependencies(graph, &b, &a, NULL, 1));
    ASK(cudaGraphAddDependencies(graph, NULL, NULL, NULL, 1));
    ASK(cudaGraphAddDependencies(graph, NULL, NULL, NULL, 0));
    ASK(cudaGraphGetEdges(graph, NULL, NULL, NULL, &number));
    TELL("edges %zu", number);
    ASK(cudaGraphGetNodes(graph, NULL, &number));
    TELL("nodes %zu", number);
    ASK(cudaGraphGetRootNodes(graph, NULL, &number));
    TELL("roots %zu", number);
    ASK(cudaGraphGetNodes(graph, NULL, NULL));
    number = 4;
    cudaGraphNode_t nodes[4];
    ASK(cudaGraphGetNodes(graph, nodes, &number));
    TELL("nodes %zu last %d", number, nodes[3] != NULL);
    ASK(cudaGraphRemoveDependencies(graph, &b, &a, NULL, 1));
    ASK(cudaGraphClone(&clone, graph));
    ASK(cudaGraphNodeFindInClone(&found, a, clone));
    ASK(cudaGraphNodeFindInClone(&found, a, graph));
    ASK(cudaGraphNodeGetType(a, NULL));
}

static void ask_user_objects(void)
{
    int number = 0;
    cudaUserObject_t object;
    cudaGraph_t graph;
    prepare();
    graph = new_graph();
    ASK(cudaUserObjectCreate(&object, &number, count, 1, 0));
    ASK(cudaUserObjectCreate(&object, &number, count, 0, cudaUserObjectNoDestructorSync));
    ASK(cudaUserObjectCreate(&object, &number, NULL, 1, cudaUserObjectNoDestructorSync));
    ASK(cudaUserObjectCreate(NULL, &number, count, 1, cudaUserObjectNoDestructorSync));
    ASK(cudaUserObjectCreate(&object, &number, count, 2, cudaUserObjectNoDestructorSync));
    ASK(cudaUserObjectRetain(object, 0));
    ASK(cudaUserObjectRelease(object, 0));
    ASK(cudaGraphRetainUserObject(graph, object, 1, 9));
    ASK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    ASK(cudaGraphReleaseUserObject(graph, object, 2));
    ASK(cudaGraphReleaseUserObject(graph, object, 1));
    ASK(cudaUserObjectRelease(object, 1));
}

const struct group exec_groups[] = {
    { "execs", ask_execs },
    { "updates", ask_updates },
    { "updates of nodes", ask_node_updates },
    { "edges", ask_edges },
    { "user objects", ask_user_objects },
    { NULL, NULL },
};
