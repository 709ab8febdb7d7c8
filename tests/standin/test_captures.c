/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles that captures and conditional nodes give out: one for each graph, for as long
 * as it is there; and what the forms of the calls for captures are given.
 */
#include "standin/library.h"

enum { ACTIVE = 1, INVALIDATED = 2, RELAXED = 2 };

static CUcontext context;

static int begin(void **state)
{
    (void)state;
    library_begin();
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&context, 0)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    return 0;
}

static CUstream new_stream(void)
{
    CUstream stream = NULL;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, CU_STREAM_NON_BLOCKING)));
    return stream;
}

static CUstream capturing(void)
{
    CUstream stream = new_stream();
    OK(CALL(cuStreamBeginCapture_v2, (CUstream, int), (stream, RELAXED)));
    return stream;
}

/* Ends the capture; the graph is not kept. */
static void end_capture(CUstream stream)
{
    CUgraph graph = NULL;
    OK(CALL(cuStreamEndCapture, (CUstream, CUgraph *), (stream, &graph)));
    OK(CALL(cuGraphDestroy, (CUgraph), (graph)));
}

static CUgraph shown(CUstream stream)
{
    CUgraph graph = NULL;
    int state = 0;
    OK(CALL(cuStreamGetCaptureInfo_v2,
            (CUstream, int *, uint64_t *, CUgraph *, const CUgraphNode **, size_t *),
            (stream, &state, NULL, &graph, NULL, NULL)));
    assert_int_equal(state, ACTIVE);
    return graph;
}

static CUresult count(CUgraph graph, size_t *nodes)
{
    return CALL(cuGraphGetNodes, (CUgraph, CUgraphNode *, size_t *), (graph, NULL, nodes));
}

/* As on an H200. */
static void an_exec_stays_that_a_capture_keeps_from_its_end(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphExec exec;
    CUstream stream = new_stream();
    OK(CALL(cuGraphCreate, (CUgraph *, unsigned), (&graph, 0)));
    OK(CALL(cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long),
            (&exec, graph, 0)));
    OK(CALL(cuStreamBeginCapture_v2, (CUstream, int), (stream, 0)));
    assert_int_equal(CALL(cuGraphExecDestroy, (CUgraphExec), (exec)),
                     RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CUgraph none;
    assert_int_equal(CALL(cuStreamEndCapture, (CUstream, CUgraph *), (stream, &none)),
                     RILL_ERROR_STREAM_CAPTURE_INVALIDATED);
    OK(CALL(cuGraphLaunch, (CUgraphExec, CUstream), (exec, stream)));
    OK(CALL(cuGraphExecDestroy, (CUgraphExec), (exec)));
    OK(CALL(cuGraphDestroy, (CUgraph), (graph)));
    OK(CALL(cuStreamDestroy_v2, (CUstream), (stream)));
}

static void nothing(void *data)
{
    (void)data;
}

static void a_captured_graph_has_one_handle(void **state)
{
    (void)state;
    CUstream stream = capturing();
    CUgraph first = shown(stream), end = NULL;
    size_t nodes = 0;
    OK(CALL(cuLaunchHostFunc, (CUstream, CUhostFn, void *), (stream, nothing, NULL)));
    assert_ptr_equal(shown(stream), first);
    OK(CALL(cuStreamEndCapture, (CUstream, CUgraph *), (stream, &end)));
    assert_ptr_equal(end, first);
    OK(count(first, &nodes));
    assert_int_equal(nodes, 1);
    OK(CALL(cuGraphDestroy, (CUgraph), (first)));
    assert_int_equal(count(first, &nodes), RILL_ERROR_INVALID_VALUE);
}

static void the_graph_of_a_broken_capture_is_gone(void **state)
{
    (void)state;
    CUstream stream = capturing();
    CUgraph graph = shown(stream), end = graph;
    size_t nodes = 0;
    assert_int_equal(CALL(cuStreamSynchronize, (CUstream), (stream)),
                     RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_int_equal(CALL(cuStreamEndCapture, (CUstream, CUgraph *), (stream, &end)),
                     RILL_ERROR_STREAM_CAPTURE_INVALIDATED);
    assert_null(end);
    assert_int_equal(count(graph, &nodes), RILL_ERROR_INVALID_VALUE);
}

static void the_first_forms_of_capture_calls_do_the_same(void **state)
{
    (void)state;
    CUstream stream = new_stream();
    uint64_t id = 0;
    int status = 0;
    OK(CALL(cuStreamBeginCapture, (CUstream), (stream)));
    OK(CALL(cuStreamGetCaptureInfo, (CUstream, int *, uint64_t *), (stream, &status, &id)));
    assert_int_equal(status, ACTIVE);
    assert_int_not_equal(id, 0);
    OK(CALL(cuStreamUpdateCaptureDependencies, (CUstream, CUgraphNode *, size_t, unsigned),
            (stream, NULL, 0, 1)));
    end_capture(stream);
    OK(CALL(cuStreamIsCapturing, (CUstream, int *), (stream, &status)));
    assert_int_equal(status, 0);
}

/* Measured on an H200 with driver 580: not INVALID_VALUE, as one might think. */
static void a_capture_ends_without_a_place_for_its_graph(void **state)
{
    (void)state;
    CUstream stream = new_stream();
    CUgraph graph = NULL;
    int status = ACTIVE;
    OK(CALL(cuStreamBeginCapture, (CUstream), (stream)));
    OK(CALL(cuStreamEndCapture, (CUstream, CUgraph *), (stream, NULL)));
    OK(CALL(cuStreamIsCapturing, (CUstream, int *), (stream, &status)));
    assert_int_equal(status, 0);
    assert_int_equal(CALL(cuStreamEndCapture, (CUstream, CUgraph *), (stream, &graph)),
                     RILL_ERROR_ILLEGAL_STATE);
}

static CUresult branch(CUgraph graph, CUgraphNodeParams *params, CUgraphNode *node)
{
    return CALL(cuGraphAddNode_v2,
                (CUgraphNode *, CUgraph, const CUgraphNode *, const CUgraphEdgeData *, size_t,
                 CUgraphNodeParams *),
                (node, graph, NULL, NULL, 0, params));
}

static void bodies_have_handles_until_their_node_goes(void **state)
{
    (void)state;
    CUgraph graph = NULL;
    CUgraphNode node = NULL;
    CUgraphNodeParams params = { .type = RILL_OP_CONDITIONAL };
    size_t nodes = 0;
    OK(CALL(cuGraphCreate, (CUgraph *, unsigned), (&graph, 0)));
    OK(CALL(cuGraphConditionalHandleCreate,
            (CUgraphConditionalHandle *, CUgraph, CUcontext, unsigned, unsigned),
            (&params.conditional.handle, graph, context, 0, 0)));
    params.conditional.count = UINT32_MAX;
    params.conditional.type = RILL_CONDITIONAL_SWITCH;
    assert_int_equal(branch(graph, &params, &node), RILL_ERROR_INVALID_CONTEXT);
    params.conditional.context = context;
    assert_int_equal(branch(graph, &params, &node), RILL_ERROR_OUT_OF_MEMORY);
    params.conditional.count = 3;
    OK(branch(graph, &params, &node));
    CUgraph bodies[3];
    for (int i = 0; i < 3; i++) {
        bodies[i] = params.conditional.bodies[i];
        OK(count(bodies[i], &nodes));
        assert_int_equal(CALL(cuGraphDestroy, (CUgraph), (bodies[i])), RILL_ERROR_INVALID_VALUE);
        OK(count(bodies[i], &nodes));
    }
    assert_ptr_not_equal(bodies[0], bodies[1]);
    OK(CALL(cuGraphDestroyNode, (CUgraphNode), (node)));
    for (int i = 0; i < 3; i++)
        assert_int_equal(count(bodies[i], &nodes), RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuGraphDestroy, (CUgraph), (graph)));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_captured_graph_has_one_handle),
        cmocka_unit_test(the_graph_of_a_broken_capture_is_gone),
        cmocka_unit_test(the_first_forms_of_capture_calls_do_the_same),
        cmocka_unit_test(a_capture_ends_without_a_place_for_its_graph),
        cmocka_unit_test(an_exec_stays_that_a_capture_keeps_from_its_end),
        cmocka_unit_test(bodies_have_handles_until_their_node_goes),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
