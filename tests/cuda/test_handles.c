/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's handles, given out and taken in: what is borrowed stays with its owner,
 * what is adopted goes with its object.
 */
#include <stdbool.h>
#include <string.h>

#include <rill/cuda.h>

#include "cuda/fake.h"
#include "support/cmocka_all.h"
#include "support/world.h"

#define OK(call) assert_int_equal(call, RILL_SUCCESS)
#define SOME(type) ((struct type *)(void *)(uintptr_t)0x5550)

static void every_object_has_a_handle(void **state)
{
    struct world w;
    struct CUctx_st *context = NULL;
    struct CUstream_st *stream = NULL, *legacy = NULL;
    struct CUevent_st *event = NULL;
    struct CUmod_st *module = NULL;
    struct CUfunc_st *kernel = NULL;
    struct CUmemPoolHandle_st *pool = NULL;
    struct CUgraph_st *graph = NULL;
    struct CUgraphExec_st *exec = NULL;
    int version = 0;
    (void)state;
    fake_world(&w);
    OK(rill_cuda_driver_version(w.platform, &version));
    assert_int_equal(version, 13000);
    OK(rill_cuda_get_context(w.context, &context));
    OK(rill_cuda_get_stream(w.stream, &stream));
    OK(rill_cuda_get_stream(rill_stream_legacy(w.context), &legacy));
    OK(rill_cuda_get_event(w.event, &event));
    OK(rill_cuda_get_module(w.module, &module));
    OK(rill_cuda_get_kernel(w.kernel, &kernel));
    OK(rill_cuda_get_pool(w.pool, &pool));
    OK(rill_cuda_get_graph(w.graph, &graph));
    OK(rill_cuda_get_exec(w.exec, &exec));
    const void *all[] = { context, stream, event, module, kernel, pool, graph, exec };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_non_null(all[i]);
        for (size_t k = 0; k < i; k++) assert_ptr_not_equal(all[i], all[k]);
    }
    assert_int_equal((uintptr_t)legacy, 1);
    OK(world_close(&w));
}

static void what_was_wrapped_is_what_is_behind_the_object(void **state)
{
    struct world w;
    rill_stream *stream = NULL;
    rill_event *event = NULL;
    rill_graph *graph = NULL;
    rill_exec *exec = NULL;
    struct CUstream_st *raw_stream = NULL;
    struct CUevent_st *raw_event = NULL;
    struct CUgraph_st *raw_graph = NULL;
    struct CUgraphExec_st *raw_exec = NULL;
    (void)state;
    fake_world(&w);
    OK(rill_cuda_wrap_stream(w.context, SOME(CUstream_st), 0, &stream));
    OK(rill_cuda_wrap_event(w.context, SOME(CUevent_st), 0, &event));
    OK(rill_cuda_wrap_graph(w.context, SOME(CUgraph_st), 0, &graph));
    OK(rill_cuda_wrap_exec(w.context, SOME(CUgraphExec_st), 0, &exec));
    OK(rill_cuda_get_stream(stream, &raw_stream));
    OK(rill_cuda_get_event(event, &raw_event));
    OK(rill_cuda_get_graph(graph, &raw_graph));
    OK(rill_cuda_get_exec(exec, &raw_exec));
    assert_ptr_equal(raw_stream, SOME(CUstream_st));
    assert_ptr_equal(raw_event, SOME(CUevent_st));
    assert_ptr_equal(raw_graph, SOME(CUgraph_st));
    assert_ptr_equal(raw_exec, SOME(CUgraphExec_st));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
    OK(rill_event_destroy(&event));
    OK(rill_stream_destroy(&stream));
    OK(world_close(&w));
}

/* How often the driver is asked to end what was wrapped. */
static long ends(const struct fake *fake, struct world *w, uint32_t flags)
{
    rill_stream *stream = NULL;
    rill_event *event = NULL;
    rill_graph *graph = NULL;
    rill_exec *exec = NULL;
    static const char *const calls[] = { "cuStreamDestroy", "cuEventDestroy", "cuGraphDestroy",
                                         "cuGraphExecDestroy" };
    long count = 0;
    for (int i = 0; i < 4; i++) count -= fake->calls(calls[i]);
    OK(rill_cuda_wrap_stream(w->context, SOME(CUstream_st), flags, &stream));
    OK(rill_cuda_wrap_event(w->context, SOME(CUevent_st), flags, &event));
    OK(rill_cuda_wrap_graph(w->context, SOME(CUgraph_st), flags, &graph));
    OK(rill_cuda_wrap_exec(w->context, SOME(CUgraphExec_st), flags, &exec));
    OK(rill_event_record(event, stream, 0));
    OK(rill_exec_launch(exec, stream));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
    OK(rill_event_destroy(&event));
    OK(rill_stream_destroy(&stream));
    for (int i = 0; i < 4; i++) count += fake->calls(calls[i]);
    return count;
}

static void what_is_borrowed_stays(void **state)
{
    struct world w;
    (void)state;
    const struct fake *fake = fake_world(&w);
    assert_int_equal(ends(fake, &w, 0), 0);
    OK(world_close(&w));
}

static void what_is_adopted_goes(void **state)
{
    struct world w;
    (void)state;
    const struct fake *fake = fake_world(&w);
    assert_int_equal(ends(fake, &w, RILL_CUDA_ADOPT), 4);
    OK(world_close(&w));
}

static void bad_arguments_are_named(void **state)
{
    struct world w;
    rill_stream *stream = NULL;
    rill_context *context;
    (void)state;
    fake_world(&w);
    context = w.context;
    assert_int_equal(rill_cuda_wrap_stream(context, NULL, 0, &stream), RILL_ERROR_INVALID_HANDLE);
    assert_string_equal(rill_last_error()->argument, "raw");
    assert_int_equal(rill_cuda_wrap_stream(context, SOME(CUstream_st), 6, &stream),
                     RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "flags");
    assert_int_equal(rill_cuda_wrap_stream(context, (struct CUstream_st *)(void *)1, 0, &stream),
                     RILL_ERROR_INVALID_HANDLE);
    assert_non_null(strstr(rill_last_error()->message, "rill_stream_legacy()"));
    assert_int_equal(rill_cuda_get_stream(w.stream, NULL), RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "raw");
    assert_int_equal(rill_cuda_wrap_stream(context, SOME(CUstream_st), 0, NULL),
                     RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "stream");
    assert_null(stream);
    OK(world_close(&w));
}

static rill_status wrap_event(rill_context *context, void *raw, uint32_t flags, bool output)
{
    rill_event *made = NULL;
    rill_status status = rill_cuda_wrap_event(context, raw, flags, output ? &made : NULL);
    assert_null(made);
    return status;
}

static rill_status wrap_graph(rill_context *context, void *raw, uint32_t flags, bool output)
{
    rill_graph *made = NULL;
    rill_status status = rill_cuda_wrap_graph(context, raw, flags, output ? &made : NULL);
    assert_null(made);
    return status;
}

static rill_status wrap_exec(rill_context *context, void *raw, uint32_t flags, bool output)
{
    rill_exec *made = NULL;
    rill_status status = rill_cuda_wrap_exec(context, raw, flags, output ? &made : NULL);
    assert_null(made);
    return status;
}

static void other_kinds_are_wrapped_with_as_much_care(void **state)
{
    static const struct {
        rill_status (*wrap)(rill_context *, void *, uint32_t, bool);
        const char *output;
    } kinds[] = { { wrap_event, "event" }, { wrap_graph, "graph" }, { wrap_exec, "exec" } };
    struct world w;
    void *raw = SOME(CUevent_st);
    (void)state;
    fake_world(&w);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        assert_int_equal(kinds[i].wrap(NULL, raw, 0, true), RILL_ERROR_INVALID_CONTEXT);
        assert_string_equal(rill_last_error()->argument, "context");
        assert_int_equal(kinds[i].wrap(w.context, NULL, 0, true), RILL_ERROR_INVALID_HANDLE);
        assert_string_equal(rill_last_error()->argument, "raw");
        assert_int_equal(kinds[i].wrap(w.context, raw, 2, true), RILL_ERROR_INVALID_VALUE);
        assert_string_equal(rill_last_error()->argument, "flags");
        assert_int_equal(kinds[i].wrap(w.context, raw, 0, false), RILL_ERROR_INVALID_VALUE);
        assert_string_equal(rill_last_error()->argument, kinds[i].output);
    }
    OK(world_close(&w));
}

static void an_object_of_the_simulator_has_no_handle(void **state)
{
    struct CUstream_st *raw = NULL;
    struct world w;
    (void)state;
    OK(world_open(&w, "sim"));
    assert_int_equal(rill_cuda_get_stream(w.stream, &raw), RILL_ERROR_NOT_SUPPORTED);
    assert_non_null(strstr(rill_last_error()->message, "'sim'"));
    assert_null(raw);
    OK(world_close(&w));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_object_has_a_handle),
        cmocka_unit_test(what_was_wrapped_is_what_is_behind_the_object),
        cmocka_unit_test(what_is_borrowed_stays),
        cmocka_unit_test(what_is_adopted_goes),
        cmocka_unit_test(bad_arguments_are_named),
        cmocka_unit_test(other_kinds_are_wrapped_with_as_much_care),
        cmocka_unit_test(an_object_of_the_simulator_has_no_handle),
    };
    return cmocka_run_group_tests_name("handles", tests, NULL, NULL);
}
