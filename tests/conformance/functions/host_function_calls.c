/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes of calls that are made from inside a host function: their order,
 * waits that could never end, and who is inside.
 */
#include "conformance/work.h"

struct scene {
    struct fixture *fixture;
    rill_stream *own, *other; /* the host function runs in `own` */
    rill_event *recorded;
    rill_kernel *nop;
    uint32_t *words;          /* pinned */
};

static struct scene prepare(struct fixture *f)
{
    return (struct scene){ f, new_non_blocking(f), new_non_blocking(f), new_event(f),
                           kernel(f, &nop_function), pinned(f, 8) };
}

/* ---- Order ------------------------------------------------------------------------- */

static void work_in_other(void *data)
{
    struct scene *scene = data;
    rill_status status = rill_memset_d32_async(scene->other, at(scene->words), 5, 1);
    if (!status) status = rill_stream_write_value32(scene->other, at(scene->words) + 4, 6, 0);
    if (!status) status = rill_stream_synchronize(scene->other);
    note(scene->fixture, status ? '!' : 'w');
    note(scene->fixture, scene->words[0] == 5 && scene->words[1] == 6 ? 'd' : '?');
}

static void what_it_submits_elsewhere_is_done_when_its_wait_returns(void **state)
{
    struct fixture *f = *state;
    struct scene scene = prepare(f);
    ok(rill_launch_host(scene.own, work_in_other, &scene, NULL));
    ok(rill_stream_synchronize(scene.own));
    order(f, "wd");
}

static void note_c(void *data)
{
    note(data, 'c');
}

static void submit_to_own(void *data)
{
    struct scene *scene = data;
    if (!rill_launch_host(scene->own, note_c, scene->fixture, NULL)) note(scene->fixture, 'a');
}

static void what_it_submits_to_its_own_stream_runs_last(void **state)
{
    struct fixture *f = *state;
    struct scene scene = prepare(f);
    struct gate *g = gate(f, scene.own);
    ok(rill_launch_host(scene.own, submit_to_own, &scene, NULL));
    mark(f, scene.own, 'b');
    open_gate(g);
    ok(rill_stream_synchronize(scene.own));
    ok(rill_stream_synchronize(scene.own));
    order(f, "abc");
}

/* ---- Waits that would never end ----------------------------------------------------- */

static void wait_for_own(void *data)
{
    struct scene *scene = data;
    rill_status status = rill_stream_synchronize(scene->own);
    note(scene->fixture, status == RILL_ERROR_NOT_PERMITTED ? 'o' : '!');
    status = rill_stream_synchronize(scene->other);
    note(scene->fixture, status == RILL_ERROR_NOT_PERMITTED ? 'i' : '!');
    status = rill_event_synchronize(scene->recorded);
    note(scene->fixture, status == RILL_ERROR_NOT_PERMITTED ? 'e' : '!');
}

/* HF-3 */
static void a_wait_for_what_comes_after_it_is_refused(void **state)
{
    struct fixture *f = *state;
    if (!suite->expects.refuses_endless_waits) skip_since("the driver waits for good");
    struct scene scene = prepare(f);
    struct gate *g = gate(f, scene.own);
    ok(rill_launch_host(scene.own, wait_for_own, &scene, NULL));
    ok(rill_event_record(scene.recorded, scene.own, 0));
    ok(rill_stream_wait_event(scene.other, scene.recorded, 0));
    mark(f, scene.other, 'x');
    open_gate(g);
    ok(rill_stream_synchronize(scene.other));
    order(f, "oiex");
}

/* probe: ctx_destroy */
static void destroy_context(void *data)
{
    rill_context **context = data;
    const rill_context *given = *context;
    rill_status status = rill_context_destroy(context);
    if (status != RILL_ERROR_NOT_PERMITTED || *context != given) *context = NULL;
}

static void it_cannot_destroy_its_context(void **state)
{
    struct fixture *f = *state;
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN), *given = context;
    rill_stream *s = new_stream_in(f, context, RILL_STREAM_NON_BLOCKING);
    ok(rill_launch_host(s, destroy_context, &given, NULL));
    ok(rill_stream_synchronize(s));
    assert_ptr_equal(given, context);
    ok(rill_context_synchronize(context));
}

/* ---- Giving back -------------------------------------------------------------------- */

static void destroy_both(void *data)
{
    struct scene *scene = data;
    if (!rill_event_destroy(&scene->recorded)) note(scene->fixture, 'e');
    if (!rill_stream_destroy(&scene->other)) note(scene->fixture, 's');
}

/* hostfn.calls_that_create */
static void streams_and_events_can_be_destroyed(void **state)
{
    struct fixture *f = *state;
    struct scene scene = prepare(f);
    forget(f, scene.recorded);
    forget(f, scene.other);
    ok(rill_launch_host(scene.own, destroy_both, &scene, NULL));
    ok(rill_stream_synchronize(scene.own));
    order(f, "es");
    assert_null(scene.recorded);
    assert_null(scene.other);
}

/* ---- In kernels ------------------------------------------------------------------------ */

static void make_calls(const rill_launch *given)
{
    struct scene *scene = RILL_DEVICE_MEMORY(RILL_ARGUMENT(given, 0, rill_devptr), struct scene);
    rill_devptr p = 0;
    rill_status made = rill_mem_alloc(scene->fixture->context, 64, &p);
    rill_status launched = launch(scene->nop, scene->other, NULL);
    note(scene->fixture, made == RILL_ERROR_NOT_PERMITTED ? 'm' : '!');
    note(scene->fixture, launched == RILL_ERROR_NOT_PERMITTED ? 'l' : '!');
    note(scene->fixture, rill_stream_query(scene->own) == RILL_ERROR_NOT_READY ? 'q' : '!');
}

static void a_kernel_that_is_a_c_function_is_bound_like_a_host_function(void **state)
{
    struct fixture *f = *state;
    static const rill_param layout[] = { RILL_PARAM(rill_devptr) };
    const rill_function function = {
        .name = "make_calls", .over_grid = make_calls, .params = layout, .param_count = 1,
    };
    needs_functions();
    struct scene scene = prepare(f);
    const rill_devptr argument = at(&scene);
    ok(launch(kernel(f, &function), scene.own, (const void *const[]){ &argument }));
    ok(rill_stream_synchronize(scene.own));
    order(f, "mlq");
}

/* ---- Elsewhere ----------------------------------------------------------------------- */

/* Another thread is not inside, whatever runs here meanwhile. */
static void other_threads_go_on_making_calls(void **state)
{
    struct fixture *f = *state;
    struct scene scene = prepare(f);
    struct latch *l = latch(f, scene.own);
    await_latch(l);
    ok(launch(scene.nop, scene.other, NULL));
    assert_int_not_equal(device_words(f, 1), 0);
    open_latch(l);
    ok(rill_stream_synchronize(scene.own));
}

static void try_to_make(void *data)
{
    struct scene *scene = data;
    rill_devptr p = 0;
    rill_status status = rill_mem_alloc(scene->fixture->context, 64, &p);
    note(scene->fixture, status == RILL_ERROR_NOT_PERMITTED ? '.' : '!');
}

/* A thread that ran a host function while it waited is outside again. */
static void a_thread_that_waited_can_make_calls_again(void **state)
{
    struct fixture *f = *state;
    struct scene scene = prepare(f);
    for (int i = 0; i < 10; i++) {
        ok(rill_launch_host(scene.own, try_to_make, &scene, NULL));
        ok(rill_stream_synchronize(scene.own));
        ok(launch(scene.nop, scene.own, NULL));
    }
    order(f, "..........");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_it_submits_elsewhere_is_done_when_its_wait_returns),
    cmocka_unit_test(what_it_submits_to_its_own_stream_runs_last),
    cmocka_unit_test(a_wait_for_what_comes_after_it_is_refused),
    cmocka_unit_test(it_cannot_destroy_its_context),
    cmocka_unit_test(streams_and_events_can_be_destroyed),
    cmocka_unit_test(a_kernel_that_is_a_c_function_is_bound_like_a_host_function),
    cmocka_unit_test(other_threads_go_on_making_calls),
    cmocka_unit_test(a_thread_that_waited_can_make_calls_again),
};

SUITE_GROUP(host_function_calls, 1);
