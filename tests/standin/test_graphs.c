/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs and nodes by the driver's calls: handles that are dead or of somebody else,
 * what the stand-in keeps for nodes itself, and earlier forms of calls.
 */
#include "standin/graphs.h"

/* ---- Handles ------------------------------------------------------------------------------ */

static void a_node_dies_with_its_graph(void **state)
{
    (void)state;
    CUgraph graph = new_graph();
    CUgraphNode node = add_empty(graph), other = add_empty(graph);
    OK(type_of(node));
    OK(CALL(cuGraphDestroyNode, (CUgraphNode), (node)));
    assert_int_equal(type_of(node), RILL_ERROR_INVALID_VALUE);
    OK(type_of(other));
    destroy(graph);
    assert_int_equal(type_of(other), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuGraphDestroy, (CUgraph), (graph)), RILL_ERROR_INVALID_VALUE);
}

static void a_child_graph_has_one_handle_which_dies_with_the_node(void **state)
{
    (void)state;
    CUgraph outer = new_graph(), child = new_graph(), first = NULL, second = NULL;
    CUgraphNode node = NULL;
    OK(CALL(cuGraphAddChildGraphNode,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraph),
            (&node, outer, NULL, 0, child)));
    OK(CALL(cuGraphChildGraphNodeGetGraph, (CUgraphNode, CUgraph *), (node, &first)));
    OK(CALL(cuGraphChildGraphNodeGetGraph, (CUgraphNode, CUgraph *), (node, &second)));
    assert_ptr_equal(first, second);
    assert_ptr_not_equal(first, child);
    CUgraphNode inner = add_empty(first);
    destroy(outer);
    assert_int_equal(type_of(inner), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuGraphGetNodes, (CUgraph, CUgraphNode *, size_t *),
                          (first, NULL, &(size_t){ 0 })), RILL_ERROR_INVALID_VALUE);
    destroy(child);
}

static void an_exec_is_destroyed_once(void **state)
{
    (void)state;
    CUgraph graph = new_graph();
    CUgraphExec exec = NULL;
    CUgraphNode failing = (CUgraphNode)(uintptr_t)1;
    char words[64] = "untouched";
    OK(CALL(cuGraphInstantiate_v2, (CUgraphExec *, CUgraph, CUgraphNode *, char *, size_t),
            (&exec, graph, &failing, words, sizeof words)));
    assert_null(failing);
    assert_string_equal(words, "");
    OK(CALL(cuGraphExecDestroy, (CUgraphExec), (exec)));
    assert_int_equal(CALL(cuGraphExecDestroy, (CUgraphExec), (exec)), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuGraphLaunch, (CUgraphExec, CUstream), (exec, NULL)),
                     RILL_ERROR_INVALID_VALUE);
    destroy(graph);
}

/* The words of the first forms are on this call, not on one before it. */
static void what_is_no_graph_is_told_in_words(void **state)
{
    (void)state;
    CUgraph graph = new_graph();
    CUgraphExec exec = NULL;
    CUdeviceptr none;
    const char *expected = NULL;
    char words[100] = "untouched";
    destroy(graph);
    assert_int_equal(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&none, 0)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuGraphInstantiate_v2,
                          (CUgraphExec *, CUgraph, CUgraphNode *, char *, size_t),
                          (&exec, graph, NULL, words, sizeof words)), RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuGetErrorString, (CUresult, const char **), (RILL_ERROR_INVALID_VALUE, &expected)));
    assert_string_equal(words, expected);
}

static void an_event_that_is_gone_is_none(void **state)
{
    (void)state;
    CUgraph graph = new_graph();
    CUgraphNode node = NULL;
    CUevent event = NULL, told = NULL;
    OK(CALL(cuEventCreate, (CUevent *, unsigned), (&event, 0)));
    OK(CALL(cuGraphAddEventRecordNode,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUevent),
            (&node, graph, NULL, 0, event)));
    OK(CALL(cuGraphEventRecordNodeGetEvent, (CUgraphNode, CUevent *), (node, &told)));
    assert_ptr_equal(told, event);
    OK(CALL(cuEventDestroy_v2, (CUevent), (event)));
    OK(CALL(cuGraphEventRecordNodeGetEvent, (CUgraphNode, CUevent *), (node, &told)));
    assert_null(told);
    destroy(graph);
}

/* ---- Notes -------------------------------------------------------------------------------- */

static CUgraphNode add_write(CUgraph graph, CUdeviceptr address, uint64_t value)
{
    CUgraphNode node = NULL;
    CUstreamBatchMemOpParams item = { .value = { .operation = RILL_VALUE_WRITE_32,
                                                 .address = address,
                                                 .value = value } };
    CUDA_BATCH_MEM_OP_NODE_PARAMS params = { .context = context, .count = 1, .items = &item };
    OK(CALL(cuGraphAddBatchMemOpNode,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
             const CUDA_BATCH_MEM_OP_NODE_PARAMS *),
            (&node, graph, NULL, 0, &params)));
    return node;
}

static CUDA_BATCH_MEM_OP_NODE_PARAMS values_of(CUgraphNode node)
{
    CUDA_BATCH_MEM_OP_NODE_PARAMS params;
    OK(CALL(cuGraphBatchMemOpNodeGetParams, (CUgraphNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *),
            (node, &params)));
    return params;
}

static void items_of_many_nodes_are_there_at_once(void **state)
{
    (void)state;
    enum { MANY = 100 };
    CUgraph graph = new_graph();
    CUdeviceptr address = memory();
    CUgraphNode nodes[MANY];
    CUDA_BATCH_MEM_OP_NODE_PARAMS told[MANY];
    for (unsigned i = 0; i < MANY; i++) nodes[i] = add_write(graph, address, i);
    for (unsigned i = 0; i < MANY; i++) told[i] = values_of(nodes[i]);
    for (unsigned i = 0; i < MANY; i += 2)
        OK(CALL(cuGraphDestroyNode, (CUgraphNode), (nodes[i])));
    for (unsigned i = 1; i < MANY; i += 2) {
        assert_ptr_equal(told[i].context, context);
        assert_int_equal(told[i].count, 1);
        assert_int_equal(told[i].items->value.value, i);
        assert_true(told[i].items->value.address == address);
    }
    destroy(graph);
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (address)));
}

static void who_may_reach_an_allocation_is_told(void **state)
{
    (void)state;
    CUgraph graph = new_graph();
    CUgraphNode node = NULL;
    CUmemAccessDesc access = { { CU_MEM_LOCATION_TYPE_DEVICE, 0 }, RILL_ACCESS_READ_WRITE };
    CUDA_MEM_ALLOC_NODE_PARAMS params = {
        .pool = { .allocation_type = CU_MEM_ALLOCATION_TYPE_PINNED,
                  .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } },
        .access = &access, .access_count = 1, .bytes = 1000,
    };
    OK(CALL(cuGraphAddMemAllocNode,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUDA_MEM_ALLOC_NODE_PARAMS *),
            (&node, graph, NULL, 0, &params)));
    access.flags = RILL_ACCESS_NONE;
    CUDA_MEM_ALLOC_NODE_PARAMS told;
    OK(CALL(cuGraphMemAllocNodeGetParams, (CUgraphNode, CUDA_MEM_ALLOC_NODE_PARAMS *),
            (node, &told)));
    assert_int_equal(told.access_count, 1);
    assert_int_equal(told.access->flags, RILL_ACCESS_READ_WRITE);
    assert_true(told.address == params.address && told.address);
    assert_int_equal(told.bytes, 1000);
    destroy(graph);
}

/* ---- Forms -------------------------------------------------------------------------------- */

static void bytes_behind_the_parameters_must_be_zero(void **state)
{
    (void)state;
    CUgraph graph = new_graph();
    CUgraphNode node = NULL;
    CUgraphNodeParams params = { .type = RILL_OP_EMPTY };
    params.reserved1[28] = 1;
    assert_int_equal(CALL(cuGraphAddNode,
                          (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                           CUgraphNodeParams *),
                          (&node, graph, NULL, 0, &params)), RILL_ERROR_INVALID_VALUE);
    params.reserved1[28] = 0;
    OK(CALL(cuGraphAddNode,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraphNodeParams *),
            (&node, graph, NULL, 0, &params)));
    OK(type_of(node));
    destroy(graph);
}

static void the_first_update_tells_node_and_reason(void **state)
{
    (void)state;
    CUgraph graph = new_graph(), other = new_graph();
    CUgraphExec exec = NULL;
    CUgraphNode node = (CUgraphNode)(uintptr_t)1;
    int reason = 77;
    add_empty(graph);
    OK(CALL(cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long),
            (&exec, graph, 0)));
    assert_int_equal(CALL(cuGraphExecUpdate, (CUgraphExec, CUgraph, CUgraphNode *, int *),
                          (exec, other, &node, &reason)), RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    assert_null(node);
    assert_int_equal(reason, RILL_UPDATE_TOPOLOGY_CHANGED);
    OK(CALL(cuGraphExecUpdate, (CUgraphExec, CUgraph, CUgraphNode *, int *),
            (exec, graph, &node, &reason)));
    assert_int_equal(reason, RILL_UPDATE_SUCCESS);
    OK(CALL(cuGraphExecDestroy, (CUgraphExec), (exec)));
    destroy(graph);
    destroy(other);
}

static void a_graph_needs_no_context_but_an_exec_does(void **state)
{
    (void)state;
    OK(CALL(cuCtxSetCurrent, (CUcontext), (NULL)));
    CUgraph graph = new_graph();
    CUgraphExec exec = NULL;
    add_empty(graph);
    assert_int_equal(CALL(cuGraphInstantiateWithFlags,
                          (CUgraphExec *, CUgraph, unsigned long long), (&exec, graph, 0)),
                     RILL_ERROR_INVALID_CONTEXT);
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    OK(CALL(cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long),
            (&exec, graph, 0)));
    OK(CALL(cuGraphLaunch, (CUgraphExec, CUstream), (exec, NULL)));
    OK(CALL(cuCtxSynchronize, (void), ()));
    OK(CALL(cuGraphExecDestroy, (CUgraphExec), (exec)));
    destroy(graph);
}

/* As an H200 answers. */
static void a_fill_needs_no_context(void **state)
{
    (void)state;
    CUDA_MEMSET_NODE_PARAMS_v1 fill = {
        .dst = memory(), .element_bytes = 4, .width = 4, .height = 1,
    };
    CUgraph graph = new_graph();
    CUgraphNode node = NULL;
    OK(CALL(cuCtxSetCurrent, (CUcontext), (NULL)));
    OK(CALL(cuGraphAddMemsetNode,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
             const CUDA_MEMSET_NODE_PARAMS_v1 *, CUcontext), (&node, graph, NULL, 0, &fill, NULL)));
    OK(type_of(node));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_dies_with_its_graph),
        cmocka_unit_test(a_child_graph_has_one_handle_which_dies_with_the_node),
        cmocka_unit_test(an_exec_is_destroyed_once),
        cmocka_unit_test(what_is_no_graph_is_told_in_words),
        cmocka_unit_test(an_event_that_is_gone_is_none),
        cmocka_unit_test(items_of_many_nodes_are_there_at_once),
        cmocka_unit_test(who_may_reach_an_allocation_is_told),
        cmocka_unit_test(bytes_behind_the_parameters_must_be_zero),
        cmocka_unit_test(the_first_update_tells_node_and_reason),
        cmocka_unit_test(a_graph_needs_no_context_but_an_exec_does),
        cmocka_unit_test(a_fill_needs_no_context),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
