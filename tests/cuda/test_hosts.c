/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions with a `destroy`, over a driver that may run them, refuse them or
 * forget them: in each case it runs exactly once.
 */
#include <stdbool.h>

#include <rill/cuda.h>

#include "backend-cuda/driver/driver.h"
#include "base/alloc.h"
#include "cuda/fake.h"
#include "support/cmocka_all.h"
#include "support/world.h"

struct count {
    int runs, destroys;
};

static void run(void *data)
{
    ((struct count *)data)->runs++;
}

static void destroy(void *data)
{
    ((struct count *)data)->destroys++;
}

static void call_back(rill_stream *stream, rill_status status, void *data)
{
    (void)stream, (void)status;
    run(data);
}

static void tear_down(struct world *w)
{
    assert_int_equal(world_close(w), RILL_SUCCESS);
}

static void a_function_that_runs_is_given_back_once(void **state)
{
    struct count count = { 0, 0 };
    struct world w;
    (void)state;
    const struct fake *fake = fake_world(&w);
    assert_int_equal(rill_launch_host(w.stream, run, &count, destroy), RILL_SUCCESS);
    assert_int_equal(count.destroys, 0);
    fake->run();
    assert_int_equal(count.runs, 1);
    assert_int_equal(count.destroys, 1);
    tear_down(&w);
    assert_int_equal(count.destroys, 1);
}

static void a_function_that_the_driver_refuses_is_given_back_once(void **state)
{
    struct count count = { 0, 0 };
    struct world w;
    (void)state;
    const struct fake *fake = fake_world(&w);
    fake->refuse("cuLaunchHostFunc", CUDA_ERROR_INVALID_VALUE, 0, 0);
    assert_int_equal(rill_launch_host(w.stream, run, &count, destroy), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(count.destroys, 1);
    tear_down(&w);
    assert_int_equal(count.runs, 0);
    assert_int_equal(count.destroys, 1);
}

static void a_function_for_which_there_is_no_memory_is_given_back_once(void **state)
{
    struct count count = { 0, 0 };
    struct world w;
    (void)state;
    fake_world(&w);
    rl_alloc_fail_after(0);
    assert_int_equal(rill_launch_host(w.stream, run, &count, destroy), RILL_ERROR_OUT_OF_MEMORY);
    rl_alloc_fail_after(-1);
    assert_int_equal(count.destroys, 1);
    tear_down(&w);
    assert_int_equal(count.destroys, 1);
}

/* A device that failed runs nothing any more. */
static void a_function_that_never_runs_is_given_back_when_that_is_known(void **state)
{
    struct count count = { 0, 0 };
    struct world w;
    (void)state;
    const struct fake *fake = fake_world(&w);
    assert_int_equal(rill_launch_host(w.stream, run, &count, destroy), RILL_SUCCESS);
    fake->refuse("cuStreamSynchronize", CUDA_ERROR_LAUNCH_FAILED, 0, 0);
    assert_int_equal(rill_stream_synchronize(w.stream), RILL_ERROR_LAUNCH_FAILED);
    assert_int_equal(count.destroys, 1);
    fake->run(); /* should it try all the same */
    assert_int_equal(count.runs, 0);
    assert_int_equal(world_close(&w), RILL_ERROR_LAUNCH_FAILED);
    assert_int_equal(count.destroys, 1);
}

static rill_status wait_for_context(struct world *w)
{
    return rill_context_synchronize(w->context);
}

static rill_status wait_for_event(struct world *w)
{
    return rill_event_synchronize(w->event);
}

static rill_status ask_event(struct world *w)
{
    return rill_event_query(w->event);
}

static rill_status ask_stream(struct world *w)
{
    return rill_stream_query(w->stream);
}

static rill_status copy_at_once(struct world *w)
{
    char byte;
    return rill_memcpy_dtoh(w->context, &byte, w->address, 1);
}

/* And what is given back later says that the device failed, as the driver does. */
static void it_is_known_to_whoever_waits_or_asks(void **state)
{
    static const struct {
        const char *name;
        rill_status (*call)(struct world *w);
    } all[] = {
        { "cuCtxSynchronize", wait_for_context }, { "cuEventSynchronize", wait_for_event },
        { "cuEventQuery", ask_event },            { "cuStreamQuery", ask_stream },
        { "cuMemcpyDtoH", copy_at_once },
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct count count = { 0, 0 };
        struct world w;
        const struct fake *fake = fake_world(&w);
        assert_int_equal(rill_launch_host(w.stream, run, &count, destroy), RILL_SUCCESS);
        fake->refuse(all[i].name, CUDA_ERROR_LAUNCH_FAILED, 0, 0);
        assert_int_equal(all[i].call(&w), RILL_ERROR_LAUNCH_FAILED);
        if (count.destroys != 1) fail_msg("%s gives nothing back", all[i].name);
        assert_int_equal(world_close(&w), RILL_ERROR_LAUNCH_FAILED);
        assert_int_equal(count.destroys, 1);
        assert_int_equal(count.runs, 0);
    }
}

static rill_stream *failing;

/* What another thread finds out while the driver is at it. */
static CUresult CUDAAPI fail_meanwhile(CUstream stream, CUhostFn fn, void *data)
{
    (void)stream, (void)fn, (void)data;
    assert_int_equal(rill_stream_synchronize(failing), RILL_ERROR_LAUNCH_FAILED);
    return CUDA_ERROR_LAUNCH_FAILED;
}

static void a_function_is_given_back_once_when_the_device_fails_meanwhile(void **state)
{
    struct count count = { 0, 0 };
    struct world w;
    (void)state;
    const struct fake *fake = fake_world(&w);
    failing = w.stream;
    fake->refuse("cuStreamSynchronize", CUDA_ERROR_LAUNCH_FAILED, 0, 0);
    cuda_api.LaunchHostFunc = fail_meanwhile;
    assert_int_equal(rill_launch_host(w.stream, run, &count, destroy), RILL_ERROR_LAUNCH_FAILED);
    assert_int_equal(count.destroys, 1);
    assert_int_equal(world_close(&w), RILL_ERROR_LAUNCH_FAILED);
    assert_int_equal(count.destroys, 1);
}

static void a_function_that_the_driver_forgot_is_given_back_with_the_context(void **state)
{
    struct count count = { 0, 0 };
    struct world w;
    (void)state;
    const struct fake *fake = fake_world(&w);
    assert_int_equal(rill_launch_host(w.stream, run, &count, destroy), RILL_SUCCESS);
    fake->drop();
    tear_down(&w);
    assert_int_equal(count.runs, 0);
    assert_int_equal(count.destroys, 1);
}

static void a_callback_runs_once(void **state)
{
    struct count count = { 0, 0 };
    struct world w;
    (void)state;
    const struct fake *fake = fake_world(&w);
    assert_int_equal(rill_stream_add_callback(w.stream, call_back, &count, 0), RILL_SUCCESS);
    fake->refuse("cuStreamAddCallback", CUDA_ERROR_INVALID_VALUE, 0, 0);
    assert_int_equal(rill_stream_add_callback(w.stream, call_back, &count, 0),
                     RILL_ERROR_INVALID_VALUE);
    fake->run();
    assert_int_equal(count.runs, 1);
    tear_down(&w);
}

/* ---- In execs --------------------------------------------------------------------- */

/* Of a driver with a capture that goes on, and a launch that may. */
static CUstreamCaptureMode mode;
static bool launch_goes_on;

static CUresult CUDAAPI exchange_mode(CUstreamCaptureMode *given)
{
    CUstreamCaptureMode before = mode;
    mode = *given;
    *given = before;
    return CUDA_SUCCESS;
}

static CUresult CUDAAPI query_event(CUevent event)
{
    (void)event;
    assert_int_equal(mode, CU_STREAM_CAPTURE_MODE_RELAXED); /* else the capture would break */
    return launch_goes_on ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

static CUresult CUDAAPI is_host_node(CUgraphNode node, CUgraphNodeType *type)
{
    (void)node;
    *type = CU_GRAPH_NODE_TYPE_HOST;
    return CUDA_SUCCESS;
}

static rill_status set_function(rill_exec *exec, struct count *count)
{
    const rill_op op = { .kind = RILL_OP_HOST, .host = { run, count, destroy } };
    return rill_exec_set_op(exec, (rill_node)(void *)(uintptr_t)0x5000, &op);
}

static rill_exec *borrow_exec(struct world *w)
{
    rill_exec *exec = NULL;
    struct CUgraphExec_st *raw = (struct CUgraphExec_st *)(uintptr_t)0x6000;
    assert_int_equal(rill_cuda_wrap_exec(w->context, raw, 0, &exec), RILL_SUCCESS);
    return exec;
}

static void a_function_of_an_exec_outlives_its_launch_also_during_a_capture(void **state)
{
    struct count first = { 0, 0 }, second = { 0, 0 };
    struct world w;
    (void)state;
    fake_world(&w);
    cuda_api.ThreadExchangeStreamCaptureMode = exchange_mode;
    cuda_api.EventQuery = query_event;
    cuda_api.GraphNodeGetType = is_host_node;
    mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    launch_goes_on = true;
    rill_exec *exec = borrow_exec(&w);
    assert_int_equal(set_function(exec, &first), RILL_SUCCESS);
    assert_int_equal(rill_exec_launch(exec, w.stream), RILL_SUCCESS);
    assert_int_equal(set_function(exec, &second), RILL_SUCCESS);
    assert_int_equal(first.destroys, 0);
    launch_goes_on = false;
    assert_int_equal(rill_exec_destroy(&exec), RILL_SUCCESS);
    assert_int_equal(first.destroys, 1);
    assert_int_equal(second.destroys, 1);
    assert_int_equal(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
    tear_down(&w);
}

static CUresult CUDAAPI refuse_record(CUevent event, CUstream stream)
{
    (void)event, (void)stream;
    return CUDA_ERROR_INVALID_HANDLE;
}

/* As for a stream of another context.  The event is then one that was never recorded. */
static void a_launch_whose_end_nobody_tells_keeps_its_function(void **state)
{
    struct count first = { 0, 0 }, second = { 0, 0 };
    struct world w;
    (void)state;
    fake_world(&w);
    cuda_api.EventRecord = refuse_record;
    cuda_api.GraphNodeGetType = is_host_node;
    rill_exec *exec = borrow_exec(&w);
    assert_int_equal(set_function(exec, &first), RILL_SUCCESS);
    assert_int_equal(rill_exec_launch(exec, w.stream), RILL_SUCCESS);
    assert_int_equal(set_function(exec, &second), RILL_SUCCESS);
    assert_int_equal(rill_exec_destroy(&exec), RILL_SUCCESS);
    assert_int_equal(first.destroys, 0);
    tear_down(&w);
    assert_int_equal(first.destroys, 1);
    assert_int_equal(second.destroys, 1);
}

/* ---- In graphs and captures: each call of the driver failing in turn, and each allocation. */

static rill_status add_node(struct world *w, struct count *count)
{
    rill_node node = NULL;
    return rill_graph_add_host(w->graph, NULL, 0, run, count, destroy, &node);
}

static rill_status capture(struct world *w, struct count *count)
{
    rill_graph *graph = NULL;
    rill_status status = rill_stream_begin_capture(w->stream, NULL);
    if (status) {
        destroy(count); /* nothing was submitted */
        return status;
    }
    status = rill_launch_host(w->stream, run, count, destroy);
    if (status) assert_int_equal(count->destroys, 1);
    rill_status ended = rill_stream_end_capture(w->stream, &graph);
    rill_status destroyed = rill_graph_destroy(&graph);
    if (destroyed) assert_int_equal(rill_graph_destroy(&graph), RILL_SUCCESS);
    return status ? status : ended ? ended : destroyed;
}

typedef rill_status (*attempt)(struct world *w, struct count *count);

enum way { DRIVER, MEMORY, WAYS };

/* false when there was nothing left to fail. */
static bool attempt_failing(attempt make, enum way way, long nth)
{
    struct count count = { 0, 0 };
    struct world w;
    const struct fake *fake = fake_world(&w);
    if (way == DRIVER) fake->refuse(NULL, CUDA_ERROR_INVALID_VALUE, nth, 0);
    else rl_alloc_fail_after(nth);
    rill_status status = make(&w, &count);
    const char *failed = way == DRIVER ? fake->failed() : status ? "an allocation" : NULL;
    fake->refuse(NULL, 0, 0, 0);
    rl_alloc_fail_after(-1);
    world_close(&w);
    if (count.destroys != 1)
        fail_msg("given back %d times when call %ld, %s, fails", count.destroys, nth,
                 failed ? failed : "none");
    assert_int_equal(count.runs, 0);
    return failed != NULL;
}

static void all_ways(attempt make)
{
    for (int way = 0; way < WAYS; way++) {
        long nth = 0;
        while (attempt_failing(make, (enum way)way, nth)) assert_true(++nth < 100);
        assert_true(nth > 0);
    }
}

static void a_node_gives_its_function_back_once_whatever_fails(void **state)
{
    (void)state;
    all_ways(add_node);
}

static void a_captured_function_is_given_back_once_whatever_fails(void **state)
{
    (void)state;
    all_ways(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_that_runs_is_given_back_once),
        cmocka_unit_test(a_function_that_the_driver_refuses_is_given_back_once),
        cmocka_unit_test(a_function_for_which_there_is_no_memory_is_given_back_once),
        cmocka_unit_test(a_function_that_never_runs_is_given_back_when_that_is_known),
        cmocka_unit_test(it_is_known_to_whoever_waits_or_asks),
        cmocka_unit_test(a_function_is_given_back_once_when_the_device_fails_meanwhile),
        cmocka_unit_test(a_function_that_the_driver_forgot_is_given_back_with_the_context),
        cmocka_unit_test(a_callback_runs_once),
        cmocka_unit_test(a_function_of_an_exec_outlives_its_launch_also_during_a_capture),
        cmocka_unit_test(a_launch_whose_end_nobody_tells_keeps_its_function),
        cmocka_unit_test(a_node_gives_its_function_back_once_whatever_fails),
        cmocka_unit_test(a_captured_function_is_given_back_once_whatever_fails),
    };
    return cmocka_run_group_tests_name("hosts", tests, NULL, NULL);
}
