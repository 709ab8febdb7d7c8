/* SPDX-License-Identifier: Apache-2.0
 *
 * Single answers that an H200 gave (driver 580.159.04), to calls that are in no case of
 * tests/driver.
 */
#include <sched.h>
#include <stdatomic.h>

#include "standin/modules.h"

/* ---- Short forms ------------------------------------------------------------------------ */

#define ANSWERS(expected, name, parameters, arguments) \
    assert_int_equal(CALL(name, parameters, arguments), expected)

static CUstream new_stream(void)
{
    CUstream stream;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, CU_STREAM_NON_BLOCKING)));
    return stream;
}

static void settle(CUstream stream)
{
    OK(CALL(cuStreamSynchronize, (CUstream), (stream)));
}

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

/* ---- Inside host functions -------------------------------------------------------------- */

static CUresult inside[3];

static void ask_inside(void *data)
{
    CUdevice device;
    CUcontext now;
    int value;
    (void)data;
    inside[0] = CALL(cuDeviceGet, (CUdevice *, int), (&device, 0));
    inside[1] = CALL(cuDeviceGetAttribute, (int *, int, CUdevice), (&value, 10, 0));
    inside[2] = CALL(cuCtxGetCurrent, (CUcontext *), (&now));
}

static void a_host_function_asks_for_no_device_and_no_context(void **state)
{
    (void)state;
    CUstream stream = new_stream();
    OK(CALL(cuLaunchHostFunc, (CUstream, CUhostFn, void *), (stream, ask_inside, NULL)));
    settle(stream);
    for (int i = 0; i < 3; i++) assert_int_equal(inside[i], RILL_ERROR_NOT_PERMITTED);
}

/* ---- Captures --------------------------------------------------------------------------- */

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

/* ---- Lists of edges ---------------------------------------------------------------------- */

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

/* ---- Arguments ---------------------------------------------------------------------------- */

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

static void no_context_is_a_bad_value_to_destroy(void **state)
{
    (void)state;
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuCtxDestroy_v2, (CUcontext), (NULL));
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

/* ---- Kernels of libraries in graphs ------------------------------------------------------ */

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

/* ---- Memory of another device -------------------------------------------------------------- */

static CUresult ask(int question, CUdeviceptr address)
{
    uint64_t answer[2];
    return CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr), (answer, question, address));
}

static CUresult find_range(CUdeviceptr address)
{
    CUdeviceptr base;
    size_t bytes;
    return CALL(cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr),
                (&base, &bytes, address));
}

static void memory_without_access_has_no_range_and_no_device_pointer(void **state)
{
    static const int others[] = {
        CU_POINTER_ATTRIBUTE_CONTEXT, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS,
    };
    (void)state;
    CUcontext far;
    CUdeviceptr memory;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&far, 0, 1)));
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, 64)));
    OK(find_range(memory));
    OK(ask(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    assert_int_equal(find_range(memory), RILL_ERROR_NOT_FOUND);
    assert_int_equal(ask(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory), RILL_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) OK(ask(others[i], memory));
    OK(CALL(cuCtxEnablePeerAccess, (CUcontext, unsigned), (far, 0)));
    OK(find_range(memory));
    OK(ask(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory));
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (far)));
}

/* ---- Primary contexts ---------------------------------------------------------------------- */

static void primary_is(int expected_active, unsigned expected_flags)
{
    unsigned flags = 99;
    int active = 99;
    OK(CALL(cuDevicePrimaryCtxGetState, (CUdevice, unsigned *, int *), (0, &flags, &active)));
    assert_int_equal(active, expected_active);
    assert_int_equal(flags, expected_flags);
}

static void retain_primary(void)
{
    CUcontext primary;
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
}

static void set_primary_flags(unsigned flags)
{
    OK(CALL(cuDevicePrimaryCtxSetFlags_v2, (CUdevice, unsigned), (0, flags)));
}

static void flags_of_a_primary_context_go_with_it(void **state)
{
    (void)state;
    set_primary_flags(CU_CTX_SCHED_YIELD);
    retain_primary();
    primary_is(1, CU_CTX_SCHED_YIELD);
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
    primary_is(0, 0);
    retain_primary();
    primary_is(1, 0);
    set_primary_flags(CU_CTX_SCHED_YIELD);
    OK(CALL(cuDevicePrimaryCtxReset_v2, (CUdevice), (0)));
    primary_is(0, 0);
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
}

/* ---- Arguments that are wrong in two ways, or in none ---------------------------------------- */

static void a_device_that_is_not_there_comes_before_flags_and_after_a_name(void **state)
{
    (void)state;
    CUcontext none;
    char name[8];
    ANSWERS(RILL_ERROR_INVALID_DEVICE, cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice),
            (&none, 7, 99));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuDeviceGetName, (char *, int, CUdevice), (NULL, 8, 99));
    ANSWERS(RILL_ERROR_INVALID_DEVICE, cuDeviceGetName, (char *, int, CUdevice), (name, 0, 99));
}

static void a_primary_context_is_not_told_to_map(void **state)
{
    (void)state;
    unsigned flags = 99;
    CUcontext primary;
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuDevicePrimaryCtxSetFlags_v2, (CUdevice, unsigned),
            (0, CU_CTX_MAP_HOST));
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (primary)));
    OK(CALL(cuCtxGetFlags, (unsigned *), (&flags)));
    assert_int_equal(flags, CU_CTX_MAP_HOST);
    set_primary_flags(0x10);
    OK(CALL(cuCtxGetFlags, (unsigned *), (&flags)));
    assert_int_equal(flags, 0x10);
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
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

static void streams_of_two_contexts_share_no_attributes_and_no_events(void **state)
{
    (void)state;
    CUcontext other;
    CUevent event;
    CUstream here = new_stream();
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 0)));
    OK(CALL(cuEventCreate, (CUevent *, unsigned), (&event, 0)));
    CUstream there = new_stream();
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuStreamCopyAttributes, (CUstream, CUstream), (here, there));
    ANSWERS(RILL_ERROR_INVALID_HANDLE, cuEventRecordWithFlags, (CUevent, CUstream, unsigned),
            (event, here, 0));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuEventRecordWithFlags, (CUevent, CUstream, unsigned),
            (event, here, 16));
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (other)));
    OK(CALL(cuStreamDestroy_v2, (CUstream), (here)));
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

/* ---- Faults -------------------------------------------------------------------------------- */

static atomic_int failed;

static void note_failure(CUstream stream, CUresult status, void *data)
{
    (void)stream;
    (void)data;
    atomic_store(&failed, (int)status);
}

/* On hardware these come too early for it; here the kernel has failed when they are made. */
static void a_fault_is_told_by_the_first_call_that_asks_and_by_no_end(void **state)
{
    (void)state;
    CUstream stream = new_stream();
    CUmodule module = load(image);
    CUcontext its = NULL, other, own;
    CUdeviceptr memory;
    OK(CALL(cuCtxGetCurrent, (CUcontext *), (&own)));
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 1)));
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&other)));
    OK(CALL(cuLaunchKernel,
            (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
             CUstream, void **, void **),
            (function_of(module, "fail"), 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL)));
    OK(CALL(cuStreamAddCallback, (CUstream, CUstreamCallback, void *, unsigned),
            (stream, note_failure, NULL, 0)));
    while (!atomic_load(&failed)) sched_yield();
    assert_int_equal(atomic_load(&failed), RILL_ERROR_LAUNCH_FAILED);
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, 64)));
    ANSWERS(RILL_ERROR_LAUNCH_FAILED, cuStreamQuery, (CUstream), (new_stream()));
    ANSWERS(RILL_ERROR_LAUNCH_FAILED, cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, 64));
    ANSWERS(RILL_ERROR_LAUNCH_FAILED, cuStreamGetCtx, (CUstream, CUcontext *), (stream, &its));
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (other))); /* two H100, in 16 of 16 cases */
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (own)));
}

static int begin(void **state)
{
    (void)state;
    setenv("RILL_SIM_DEVICES", "2", 1);
    library_open();
    OK(CALL(cuInit, (unsigned), (0)));
    return 0;
}

static int end(void **state)
{
    (void)state;
    return library_close();
}

#define IN_CONTEXT(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_CONTEXT(a_host_function_asks_for_no_device_and_no_context),
        IN_CONTEXT(a_capture_mode_that_is_none_is_kept),
        IN_CONTEXT(edge_data_needs_room_for_the_nodes),
        IN_CONTEXT(an_event_without_a_time_comes_before_a_missing_output),
        IN_CONTEXT(no_context_is_a_bad_value_to_destroy),
        IN_CONTEXT(a_function_that_is_not_found_is_NULL),
        IN_CONTEXT(streams_have_no_attributes_with_events),
        IN_CONTEXT(access_to_the_memory_of_graphs),
        IN_CONTEXT(a_kernel_of_a_library_runs_in_the_context_that_its_node_names),
        IN_CONTEXT(memory_without_access_has_no_range_and_no_device_pointer),
        IN_CONTEXT(flags_of_a_primary_context_go_with_it),
        IN_CONTEXT(a_device_that_is_not_there_comes_before_flags_and_after_a_name),
        IN_CONTEXT(a_primary_context_is_not_told_to_map),
        IN_CONTEXT(attributes_of_functions_are_not_those_of_kernels),
        IN_CONTEXT(streams_of_two_contexts_share_no_attributes_and_no_events),
        IN_CONTEXT(a_kernel_that_is_none_comes_before_a_missing_graph),
        IN_CONTEXT(a_pool_is_out_of_reach_of_the_host),
        IN_CONTEXT(a_file_without_a_name_is_a_bad_value),
        /* last: the device fails */
        IN_CONTEXT(a_fault_is_told_by_the_first_call_that_asks_and_by_no_end),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
