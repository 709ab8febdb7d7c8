/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs in the runtime's shape: kernel nodes name stubs, copies name kinds.
 */
#include "runtime/runtime.h"

static void **image;
static cudaStream_t stream;
static uint32_t *word;

static int setup(void **state)
{
    (void)state;
    image = register_program();
    OK(CALL(cudaStreamCreate, (cudaStream_t *), (&stream)));
    word = allocate(4);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    OK(CALL(cudaStreamDestroy, (cudaStream_t), (stream)));
    unregister_program(image);
    return 0;
}

static cudaGraph_t new_graph(void)
{
    cudaGraph_t graph;
    OK(CALL(cudaGraphCreate, (cudaGraph_t *, unsigned), (&graph, 0)));
    return graph;
}

static cudaGraphExec_t instantiate(cudaGraph_t graph)
{
    cudaGraphExec_t exec;
    OK(CALL(cudaGraphInstantiate, (cudaGraphExec_t *, cudaGraph_t, unsigned long long),
            (&exec, graph, 0)));
    return exec;
}

/* Destroys what a test made. */
static void destroy(cudaGraph_t graph, cudaGraphExec_t exec)
{
    if (exec) OK(CALL(cudaGraphExecDestroy, (cudaGraphExec_t), (exec)));
    OK(CALL(cudaGraphDestroy, (cudaGraph_t), (graph)));
}

static uint32_t run(cudaGraphExec_t exec)
{
    OK(CALL(cudaGraphLaunch, (cudaGraphExec_t, cudaStream_t), (exec, stream)));
    OK(CALL(cudaStreamSynchronize, (cudaStream_t), (stream)));
    return word_at(word);
}

static cudaError_t add_kernel(cudaGraphNode_t *node, cudaGraph_t graph,
                              const struct cudaKernelNodeParams *params)
{
    return CALL(cudaGraphAddKernelNode,
                (cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const void *),
                (node, graph, NULL, 0, params));
}

static cudaError_t get_kernel(cudaGraphNode_t node, struct cudaKernelNodeParams *params)
{
    return CALL(cudaGraphKernelNodeGetParams, (cudaGraphNode_t, void *), (node, params));
}

static void a_kernel_node_names_its_stub(void **state)
{
    (void)state;
    uint32_t value = 4;
    void *arguments[] = { &word, &value };
    struct cudaKernelNodeParams params = {
        &store_stub, { 1, 1, 1 }, { 1, 1, 1 }, 0, arguments, NULL
    };
    cudaGraph_t graph = new_graph();
    cudaGraphNode_t node;
    OK(add_kernel(&node, graph, &params));
    cudaGraphExec_t exec = instantiate(graph);
    assert_int_equal(run(exec), 4);
    OK(get_kernel(node, &params));
    assert_ptr_equal(params.func, &store_stub);
    assert_int_equal(*(uint32_t *)params.kernelParams[1], 4);
    value = 5;
    params.kernelParams = arguments;
    OK(CALL(cudaGraphExecKernelNodeSetParams, (cudaGraphExec_t, cudaGraphNode_t, const void *),
            (exec, node, &params)));
    assert_int_equal(run(exec), 5);
    params.func = &value;
    assert_int_equal(add_kernel(&node, graph, &params), RILL_ERROR_INVALID_HANDLE);
    destroy(graph, exec);
}

static void a_captured_launch_names_its_stub(void **state)
{
    (void)state;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    size_t count = 1;
    struct cudaKernelNodeParams params;
    OK(CALL(cudaStreamBeginCapture, (cudaStream_t, int), (stream, 2)));
    OK(launch(&add_stub, word, 7, stream));
    OK(CALL(cudaStreamEndCapture, (cudaStream_t, cudaGraph_t *), (stream, &graph)));
    OK(CALL(cudaGraphGetNodes, (cudaGraph_t, cudaGraphNode_t *, size_t *),
            (graph, &node, &count)));
    assert_int_equal(count, 1);
    OK(get_kernel(node, &params));
    assert_ptr_equal(params.func, &add_stub);
    destroy(graph, NULL);
}

static void a_copy_node_keeps_its_kind(void **state)
{
    (void)state;
    cudaGraph_t graph = new_graph();
    cudaGraphNode_t node;
    struct cudaMemcpy3DParms box;
    uint32_t value = 11;
    OK(CALL(cudaGraphAddMemcpyNode1D,
            (cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, void *,
             const void *, size_t, int),
            (&node, graph, NULL, 0, word, &value, 4, cudaMemcpyHostToDevice)));
    cudaGraphExec_t exec = instantiate(graph);
    assert_int_equal(run(exec), 11);
    OK(CALL(cudaGraphMemcpyNodeGetParams, (cudaGraphNode_t, void *), (node, &box)));
    assert_int_equal(box.kind, cudaMemcpyHostToDevice);
    assert_ptr_equal(box.srcPtr.ptr, &value);
    assert_int_equal(box.extent.width, 4);
    destroy(graph, exec);
}

static void nodes_of_any_kind_are_added_by_one_struct(void **state)
{
    (void)state;
    cudaGraph_t graph = new_graph();
    cudaGraphNode_t fill, kernel;
    uint32_t value = 100;
    void *arguments[] = { &word, &value };
    struct cudaGraphNodeParams params = { .type = 2 };
    params.memset = (struct cudaMemsetParams){ word, 0, 10, 4, 1, 1 };
    OK(CALL(cudaGraphAddNode,
            (cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, const void *, size_t,
             void *),
            (&fill, graph, NULL, NULL, 0, &params)));
    params = (struct cudaGraphNodeParams){ .type = 0 };
    params.kernel = (struct cudaKernelNodeParams){
        &add_stub, { 1, 1, 1 }, { 1, 1, 1 }, 0, arguments, NULL
    };
    OK(CALL(cudaGraphAddNode,
            (cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, const void *, size_t,
             void *),
            (&kernel, graph, &fill, NULL, 1, &params)));
    cudaGraphExec_t exec = instantiate(graph);
    assert_int_equal(run(exec), 110);
    destroy(graph, exec);
}

static void an_exec_is_updated_from_another_graph(void **state)
{
    (void)state;
    cudaGraph_t graphs[2];
    CUgraphExecUpdateResultInfo result;
    for (int i = 0; i < 2; i++) {
        OK(CALL(cudaStreamBeginCapture, (cudaStream_t, int), (stream, 2)));
        OK(launch(&store_stub, word, 20 + (uint32_t)i, stream));
        OK(CALL(cudaStreamEndCapture, (cudaStream_t, cudaGraph_t *), (stream, &graphs[i])));
    }
    cudaGraphExec_t exec = instantiate(graphs[0]);
    assert_int_equal(run(exec), 20);
    OK(CALL(cudaGraphExecUpdate, (cudaGraphExec_t, cudaGraph_t, void *),
            (exec, graphs[1], &result)));
    assert_int_equal(run(exec), 21);
    destroy(graphs[0], exec);
    destroy(graphs[1], NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_node_names_its_stub),
        cmocka_unit_test(a_captured_launch_names_its_stub),
        cmocka_unit_test(a_copy_node_keeps_its_kind),
        cmocka_unit_test(nodes_of_any_kind_are_added_by_one_struct),
        cmocka_unit_test(an_exec_is_updated_from_another_graph),
    };
    runtime_open(RUNTIME_13);
    return cmocka_run_group_tests(tests, setup, teardown);
}
