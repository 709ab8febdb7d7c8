/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs and execs of contexts that come and go.
 */
#include <pthread.h>

#include "standin/graphs.h"

/* A context of its own, current. */
static CUcontext enter_context(void)
{
    CUcontext made = NULL;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&made, 0, 0)));
    return made;
}

/* Ends it; the first one is current then. */
static void end_context(CUcontext ended)
{
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (ended)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
}

static size_t count_nodes(CUgraph graph)
{
    size_t count = 0;
    OK(CALL(cuGraphGetNodes, (CUgraph, CUgraphNode *, size_t *), (graph, NULL, &count)));
    return count;
}

/* As hardware does with a graph whose context is gone. */
static void lives(CUgraph graph, size_t nodes)
{
    CUgraph clone = NULL;
    CUgraphExec exec = NULL;
    assert_int_equal(count_nodes(graph), nodes);
    OK(CALL(cuGraphClone, (CUgraph *, CUgraph), (&clone, graph)));
    assert_int_equal(count_nodes(clone), nodes);
    OK(CALL(cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long),
            (&exec, clone, 0)));
    OK(CALL(cuGraphLaunch, (CUgraphExec, CUstream), (exec, NULL)));
    OK(CALL(cuCtxSynchronize, (void), ()));
    OK(CALL(cuGraphExecDestroy, (CUgraphExec), (exec)));
    destroy(clone);
}

static void a_graph_outlives_the_context_that_was_current(void **state)
{
    (void)state;
    CUcontext gone = enter_context();
    CUgraph graph = new_graph();
    CUdeviceptr address = 0;
    CUgraphNode node = NULL;
    add_empty(graph);
    end_context(gone);
    add_empty(graph);
    address = memory();
    CUDA_MEMSET_NODE_PARAMS_v1 fill = { .dst = address, .element_bytes = 4, .width = 4,
                                        .height = 1 };
    OK(CALL(cuGraphAddMemsetNode,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
             const CUDA_MEMSET_NODE_PARAMS_v1 *, CUcontext),
            (&node, graph, NULL, 0, &fill, context)));
    lives(graph, 3);
    destroy(graph);
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (address)));
}

/* As an H200 does with an exec whose context is gone: all is well, and nothing runs. */
static void an_exec_is_mute_without_its_context(void **state)
{
    (void)state;
    CUDA_MEMSET_NODE_PARAMS_v1 fill = {
        .dst = memory(), .value = 7, .element_bytes = 4, .width = 1, .height = 1,
    };
    CUgraph graph = new_graph();
    CUgraphNode node = NULL;
    CUgraphExec exec = NULL;
    CUgraphExecUpdateResultInfo info = { .result = 77 };
    uint64_t flags = 0;
    uint32_t word = 5;
    OK(CALL(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t), (fill.dst, &word, 4)));
    OK(CALL(cuGraphAddMemsetNode,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
             const CUDA_MEMSET_NODE_PARAMS_v1 *, CUcontext),
            (&node, graph, NULL, 0, &fill, context)));
    CUcontext gone = enter_context();
    OK(CALL(cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long),
            (&exec, graph, RILL_EXEC_AUTO_FREE)));
    end_context(gone);
    OK(CALL(cuGraphExecGetFlags, (CUgraphExec, uint64_t *), (exec, &flags)));
    assert_int_equal(flags, RILL_EXEC_AUTO_FREE);
    for (int i = 0; i < 2; i++) {
        OK(CALL(cuGraphUpload, (CUgraphExec, CUstream), (exec, NULL)));
        OK(CALL(cuGraphLaunch, (CUgraphExec, CUstream), (exec, NULL)));
        OK(CALL(cuCtxSynchronize, (void), ()));
        OK(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (&word, fill.dst, 4)));
        assert_int_equal(word, 5);
        OK(CALL(cuGraphExecUpdate_v2, (CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo *),
                (exec, graph, &info)));
        assert_int_equal(info.result, RILL_UPDATE_SUCCESS);
    }
    assert_int_equal(CALL(cuGraphLaunch, (CUgraphExec, CUstream), (exec, (CUstream)&word)),
                     RILL_ERROR_INVALID_HANDLE);
    OK(CALL(cuGraphExecDestroy, (CUgraphExec), (exec)));
    destroy(graph);
}

static void a_child_outlives_the_context_of_its_original(void **state)
{
    (void)state;
    CUcontext gone = enter_context();
    CUgraph child = new_graph(), graph, inside = NULL;
    CUgraphNode node = NULL;
    add_empty(child);
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    graph = new_graph();
    OK(CALL(cuGraphAddChildGraphNode,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraph),
            (&node, graph, NULL, 0, child)));
    destroy(child);
    end_context(gone);
    OK(CALL(cuGraphChildGraphNodeGetGraph, (CUgraphNode, CUgraph *), (node, &inside)));
    assert_int_equal(count_nodes(inside), 1);
    lives(graph, 1);
    destroy(graph);
}

static void *make_contexts(void *failed)
{
    for (int i = 0; i < 100 && !*(CUresult *)failed; i++) {
        CUcontext made = NULL;
        CUresult status = CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&made, 0, 0));
        if (!status) status = CALL(cuCtxDestroy_v2, (CUcontext), (made));
        *(CUresult *)failed = status;
    }
    return NULL;
}

/* A thread without a current context borrows none of those that others have. */
static void a_graph_is_made_while_contexts_come_and_go(void **state)
{
    (void)state;
    pthread_t threads[2];
    CUresult failed[2] = { RILL_SUCCESS, RILL_SUCCESS };
    OK(CALL(cuCtxSetCurrent, (CUcontext), (NULL)));
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, make_contexts, &failed[i]);
    for (int i = 0; i < 300; i++) {
        CUgraph graph = new_graph();
        add_empty(graph);
        assert_int_equal(count_nodes(graph), 1);
        destroy(graph);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        OK(failed[i]);
    }
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_graph_outlives_the_context_that_was_current),
        cmocka_unit_test(an_exec_is_mute_without_its_context),
        cmocka_unit_test(a_child_outlives_the_context_of_its_original),
        cmocka_unit_test(a_graph_is_made_while_contexts_come_and_go),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
