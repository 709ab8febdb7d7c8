/* SPDX-License-Identifier: Apache-2.0
 *
 * Single answers that an H200 gave (driver 580.159.04), to calls that are in no case of
 * tests/driver.
 */
#include "standin/answers.h"

/* ---- Graphs ---------------------------------------------------------------------------------- */

static CUgraph new_graph(void)
{
    CUgraph graph;
    OK(CALL(cuGraphCreate, (CUgraph *, unsigned), (&graph, 0)));
    return graph;
}

static void end_graph(CUgraph graph)
{
    OK(CALL(cuGraphDestroy, (CUgraph), (graph)));
}

static CUgraphNode add_empty(CUgraph graph, const CUgraphNode *before)
{
    CUgraphNode node;
    OK(CALL(cuGraphAddEmptyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t),
            (&node, graph, before, before ? 1 : 0)));
    return node;
}

static void edge_data_needs_room_for_the_nodes(void **state)
{
    (void)state;
    CUgraph graph = new_graph();
    CUgraphNode first = add_empty(graph, NULL), second = add_empty(graph, &first);
    CUgraphEdgeData data[2];
    size_t count = 2;
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuGraphGetEdges_v2,
            (CUgraph, CUgraphNode *, CUgraphNode *, CUgraphEdgeData *, size_t *),
            (graph, NULL, NULL, data, &count));
    assert_int_equal(count, 2);
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuGraphNodeGetDependencies_v2,
            (CUgraphNode, CUgraphNode *, CUgraphEdgeData *, size_t *),
            (second, NULL, data, &count));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuGraphNodeGetDependentNodes_v2,
            (CUgraphNode, CUgraphNode *, CUgraphEdgeData *, size_t *),
            (first, NULL, data, &count));
    assert_int_equal(count, 2);
    end_graph(graph);
}

static CUresult add_alloc(CUgraph graph, int device, int flags)
{
    CUgraphNode node;
    CUmemAccessDesc access = { { CU_MEM_LOCATION_TYPE_DEVICE, device }, flags };
    CUDA_MEM_ALLOC_NODE_PARAMS params = {
        .pool = { .allocation_type = CU_MEM_ALLOCATION_TYPE_PINNED,
                  .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } },
        .access = &access, .access_count = 1, .bytes = 64,
    };
    return CALL(cuGraphAddMemAllocNode,
                (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                 CUDA_MEM_ALLOC_NODE_PARAMS *),
                (&node, graph, NULL, 0, &params));
}

static void access_to_the_memory_of_graphs(void **state)
{
    (void)state;
    CUgraph graph = new_graph();
    assert_int_equal(add_alloc(graph, 0, CU_MEM_ACCESS_FLAGS_PROT_READ), RILL_ERROR_NOT_SUPPORTED);
    assert_int_equal(add_alloc(graph, 99, CU_MEM_ACCESS_FLAGS_PROT_READWRITE),
                     RILL_ERROR_INVALID_DEVICE);
    assert_int_equal(add_alloc(graph, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), RILL_SUCCESS);
    end_graph(graph);
}

/* ---- Kernels of libraries -------------------------------------------------------------------- */

static CUresult add_kernel(CUgraph graph, const CUDA_KERNEL_NODE_PARAMS *params, CUgraphNode *node)
{
    return CALL(cuGraphAddKernelNode_v2,
                (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                 const CUDA_KERNEL_NODE_PARAMS *),
                (node, graph, NULL, 0, params));
}

static CUDA_KERNEL_NODE_PARAMS params_of(CUgraphNode node)
{
    CUDA_KERNEL_NODE_PARAMS params;
    OK(CALL(cuGraphKernelNodeGetParams_v2, (CUgraphNode, CUDA_KERNEL_NODE_PARAMS *),
            (node, &params)));
    return params;
}

static CUkernel kernel_of_a_library(CUlibrary *made)
{
    CUkernel kernel;
    OK(CALL(cuLibraryLoadData,
            (CUlibrary *, const void *, int *, void **, unsigned, int *, void **, unsigned),
            (made, image, NULL, NULL, 0, NULL, NULL, 0)));
    OK(CALL(cuLibraryGetKernel, (CUkernel *, CUlibrary, const char *),
            (&kernel, *made, "empty")));
    return kernel;
}

static void a_kernel_of_a_library_runs_in_the_context_that_its_node_names(void **state)
{
    (void)state;
    CUlibrary made;
    CUcontext other;
    CUgraphNode nodes[2];
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 0)));
    CUgraph graph = new_graph();
    CUDA_KERNEL_NODE_PARAMS params = { .kernel = kernel_of_a_library(&made),
                                       .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } };
    for (int i = 0; i < 2; i++) {
        params.context = i ? other : context;
        OK(add_kernel(graph, &params, &nodes[i]));
    }
    for (int i = 0; i < 2; i++) {
        CUDA_KERNEL_NODE_PARAMS told = params_of(nodes[i]);
        assert_ptr_equal(told.kernel, params.kernel);
        assert_null(told.function);
        assert_ptr_equal(told.context, i ? other : context);
    }
    params.function = (CUfunction)(void *)params.kernel;
    params.kernel = NULL;
    assert_int_equal(add_kernel(graph, &params, &nodes[0]), RILL_ERROR_INVALID_HANDLE);
    end_graph(graph);
    OK(CALL(cuLibraryUnload, (CUlibrary), (made)));
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (other)));
}

static void attributes_of_functions_are_not_those_of_kernels(void **state)
{
    (void)state;
    CUlibrary made;
    int value;
    CUfunction cast = (CUfunction)(void *)kernel_of_a_library(&made);
    ANSWERS(RILL_ERROR_INVALID_HANDLE, cuFuncGetAttribute, (int *, int, CUfunction),
            (&value, 0, cast));
    ANSWERS(RILL_ERROR_INVALID_HANDLE, cuFuncSetAttribute, (CUfunction, int, int), (cast, 8, 64));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuFuncGetAttribute, (int *, int, CUfunction),
            (NULL, 0, cast));
    OK(CALL(cuLibraryUnload, (CUlibrary), (made)));
}

/* ---- Captures -------------------------------------------------------------------------------- */

static int exchange(int mode)
{
    OK(CALL(cuThreadExchangeStreamCaptureMode, (int *), (&mode)));
    return mode;
}

static void a_capture_mode_that_is_none_is_kept(void **state)
{
    (void)state;
    assert_int_equal(exchange(3), 0);
    assert_int_equal(exchange(1), 3);
    assert_int_equal(exchange(0), 1);
}

/* ---- Arguments that are wrong in one way or in two ------------------------------------------- */

static void an_event_without_a_time_comes_before_a_missing_output(void **state)
{
    (void)state;
    CUevent event;
    OK(CALL(cuEventCreate, (CUevent *, unsigned), (&event, 0)));
    ANSWERS(RILL_ERROR_INVALID_HANDLE, cuEventElapsedTime, (float *, CUevent, CUevent),
            (NULL, event, event));
    OK(CALL(cuEventRecord, (CUevent, CUstream), (event, NULL)));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuEventElapsedTime, (float *, CUevent, CUevent),
            (NULL, event, event));
}

static void a_function_that_is_not_found_is_NULL(void **state)
{
    (void)state;
    CUmodule module = load(image);
    CUfunction function = (CUfunction)(void *)&module;
    ANSWERS(RILL_ERROR_NOT_FOUND, cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
            (&function, module, "nobody"));
    assert_null(function);
    OK(unload(module));
}

static void streams_have_no_attributes_with_events(void **state)
{
    (void)state;
    CUstream stream = new_stream();
    CUstreamAttrValue zero;
    memset(&zero, 0, sizeof zero);
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuStreamSetAttribute,
            (CUstream, int, const CUstreamAttrValue *), (stream, 7, &zero));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuStreamSetAttribute,
            (CUstream, int, const CUstreamAttrValue *), (stream, 12, &zero));
}

static void a_kernel_that_is_none_comes_before_a_missing_graph(void **state)
{
    (void)state;
    CUgraphNode node;
    const CUDA_KERNEL_NODE_PARAMS none = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } };
    CUgraphNodeParams any = { .type = RILL_OP_KERNEL };
    ANSWERS(RILL_ERROR_INVALID_HANDLE, cuGraphAddKernelNode_v2,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_KERNEL_NODE_PARAMS *),
            (&node, NULL, NULL, 0, &none));
    ANSWERS(RILL_ERROR_INVALID_HANDLE, cuGraphAddNode_v2,
            (CUgraphNode *, CUgraph, const CUgraphNode *, const void *, size_t,
             CUgraphNodeParams *),
            (&node, NULL, NULL, NULL, 0, &any));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuGraphAddHostNode,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const void *),
            (&node, NULL, NULL, 0, NULL));
}

static void a_pool_is_out_of_reach_of_the_host(void **state)
{
    (void)state;
    CUmemoryPool pool;
    int flags = 99;
    CUmemLocation host = { CU_MEM_LOCATION_TYPE_HOST, 99 };
    OK(CALL(cuDeviceGetDefaultMemPool, (CUmemoryPool *, CUdevice), (&pool, 0)));
    OK(CALL(cuMemPoolGetAccess, (int *, CUmemoryPool, CUmemLocation *), (&flags, pool, &host)));
    assert_int_equal(flags, 0);
}

static void a_file_without_a_name_is_a_bad_value(void **state)
{
    (void)state;
    CUmodule module;
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuModuleLoad, (CUmodule *, const char *), (&module, ""));
    ANSWERS(RILL_ERROR_FILE_NOT_FOUND, cuModuleLoad, (CUmodule *, const char *),
            (&module, "/nowhere.cubin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_capture_mode_that_is_none_is_kept),
        TEST(edge_data_needs_room_for_the_nodes),
        TEST(an_event_without_a_time_comes_before_a_missing_output),
        TEST(a_function_that_is_not_found_is_NULL),
        TEST(streams_have_no_attributes_with_events),
        TEST(access_to_the_memory_of_graphs),
        TEST(a_kernel_of_a_library_runs_in_the_context_that_its_node_names),
        TEST(attributes_of_functions_are_not_those_of_kernels),
        TEST(a_kernel_that_is_none_comes_before_a_missing_graph),
        TEST(a_pool_is_out_of_reach_of_the_host),
        TEST(a_file_without_a_name_is_a_bad_value),
    };
    return cmocka_run_group_tests(tests, begin_with_two_devices, library_teardown);
}
