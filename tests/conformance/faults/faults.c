/* SPDX-License-Identifier: Apache-2.0
 *
 * A device that failed: everything answers the failure, nothing hangs, nothing
 * runs, nothing leaks.
 */
#include <sched.h>

#include "conformance/work.h"

/* What every backend's faulty kernel fails with. */
static const rill_status failed = RILL_ERROR_LAUNCH_FAILED;

/* Submits a kernel that fails. */
static void fault(struct fixture *f, rill_stream *stream)
{
    ok(launch(fault_kernel(f, f->context), stream, NULL));
}

/* ---- Who is told ------------------------------------------------------------------ */

/* ER-1 */
static void the_launch_of_a_kernel_that_fails_succeeds(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    struct gate *closed = gate(f, stream);
    fault(f, stream);
    held(stream);
    ok(rill_context_status(f->context));
    ok(rill_stream_query(new_stream(f)));
    open_gate(closed);
    is(failed, rill_stream_synchronize(stream));
}

/* Everything that was there before the failure. */
struct scene {
    rill_stream *stream, *other;
    rill_event *before, *after, *timed;
    rill_kernel *kernel;
    rill_devptr device, pinned; /* the latter is that of the word */
    atomic_uint *word;
    uint32_t host;
    atomic_int ran;
};

/* oracle: prepare() of c_err.c */
static struct scene prepare(struct fixture *f)
{
    atomic_uint *word = new_word(f);
    struct scene scene = {
        .stream = new_non_blocking(f), .other = new_non_blocking(f), .before = new_event(f),
        .after = new_event(f), .timed = new_event_in(f, f->context, RILL_EVENT_TIMING),
        .kernel = kernel(f, &nop_function), .pinned = address_of(f, word), .word = word,
    };
    ok(rill_mem_alloc(f->context, 64, &scene.device));
    ok(rill_event_record(scene.before, scene.stream, 0));
    ok(rill_event_record(scene.timed, scene.stream, 0));
    ok(rill_context_synchronize(f->context));
    fault(f, scene.stream);
    return scene;
}

/* The fault is there, and nobody was told. */
static void let_it_happen(struct fixture *f, struct scene *scene)
{
    rill_status status = rill_event_record(scene->after, scene->stream, 0);
    if (status) is(failed, status);
    while (!rill_context_status(f->context)) sched_yield();
}

typedef rill_status (*teller)(struct fixture *f, struct scene *scene);

static rill_status tell_query(struct fixture *f, struct scene *scene)
{
    (void)f;
    return rill_stream_query(scene->stream);
}

static rill_status tell_query_other(struct fixture *f, struct scene *scene)
{
    (void)f;
    return rill_stream_query(scene->other);
}

static rill_status tell_event(struct fixture *f, struct scene *scene)
{
    (void)f;
    return rill_event_query(scene->after);
}

static rill_status tell_event_before(struct fixture *f, struct scene *scene)
{
    (void)f;
    return rill_event_query(scene->before);
}

static rill_status tell_sync_other(struct fixture *f, struct scene *scene)
{
    (void)f;
    return rill_stream_synchronize(scene->other);
}

static rill_status tell_context(struct fixture *f, struct scene *scene)
{
    (void)scene;
    return rill_context_synchronize(f->context);
}

static rill_status tell_copy(struct fixture *f, struct scene *scene)
{
    return rill_memcpy_dtoh(f->context, &scene->host, scene->device, 4);
}

/* ER-1; oracle err.first_*.  The first that looks is told, whatever it asks. */
static void first_told(struct fixture *f, teller tell)
{
    struct scene scene = prepare(f);
    let_it_happen(f, &scene);
    is(failed, tell(f, &scene));
    is(failed, rill_stream_query(scene.stream));
    is(failed, rill_context_synchronize(f->context));
}

#define FIRST_TOLD(name, teller) \
    static void name(void **state) { first_told(*state, teller); }

FIRST_TOLD(the_first_told_may_be_a_query_of_the_stream, tell_query)
FIRST_TOLD(the_first_told_may_be_a_query_of_another_stream, tell_query_other)
FIRST_TOLD(the_first_told_may_be_a_query_of_an_event_behind_it, tell_event)
FIRST_TOLD(the_first_told_may_be_a_query_of_an_event_before_it, tell_event_before)
FIRST_TOLD(the_first_told_may_be_a_synchronize_of_another_stream, tell_sync_other)
FIRST_TOLD(the_first_told_may_be_a_synchronize_of_the_context, tell_context)
FIRST_TOLD(the_first_told_may_be_a_copy, tell_copy)

/* ---- What answers ------------------------------------------------------------------ */

/* ER-2; oracle err.trap_then_waits */
static void every_call_that_waits_or_asks_answers_the_failure(void **state)
{
    struct fixture *f = *state;
    struct scene scene = prepare(f);
    float milliseconds;
    is(failed, rill_context_synchronize(f->context));
    is(failed, rill_stream_synchronize(scene.stream));
    is(failed, rill_stream_synchronize(scene.stream));
    is(failed, rill_stream_query(scene.stream));
    is(failed, rill_stream_query(scene.other));
    is(failed, rill_stream_query(f->legacy));
    is(failed, rill_stream_query(f->per_thread));
    is(failed, rill_stream_synchronize(scene.other));
    is(failed, rill_context_synchronize(f->context));
    is(failed, rill_event_query(scene.before));
    is(failed, rill_event_query(scene.after));
    is(failed, rill_event_synchronize(scene.before));
    is(failed, rill_event_synchronize(scene.after));
    is(failed, rill_event_elapsed(scene.timed, scene.timed, &milliseconds));
    is(failed, rill_context_status(f->context));
}

/* ER-2; oracle err.trap_then_work */
static void every_call_that_submits_answers_the_failure_and_runs_nothing(void **state)
{
    struct fixture *f = *state;
    rill_exec *exec = new_exec(f, new_graph(f));
    struct scene scene = prepare(f);
    rill_stream *other = scene.other;
    is(failed, rill_context_synchronize(f->context));
    is(failed, launch(scene.kernel, other, NULL));
    is(failed, rill_memset_d32_async(other, scene.device, 0, 1));
    is(failed, rill_memset_d32(f->context, scene.device, 0, 1));
    is(failed, rill_memcpy_htod(f->context, scene.device, &scene.host, 4));
    is(failed, rill_memcpy_dtoh(f->context, &scene.host, scene.device, 4));
    is(failed, rill_memcpy_dtod_async(other, scene.device, scene.device + 4, 4));
    is(failed, rill_memcpy_htod(f->context, scene.device, &scene.host, 0));
    is(failed, rill_event_record(scene.before, other, 0));
    is(failed, rill_stream_wait_event(other, scene.before, 0));
    is(failed, rill_stream_wait_stream(other, scene.stream));
    is(failed, rill_launch_host(other, count_up, &scene.ran, NULL));
    is(failed, rill_launch_host(f->legacy, count_up, &scene.ran, NULL));
    is(failed, rill_stream_write_value32(other, scene.pinned, 1, 0));
    is(failed, rill_exec_launch(exec, other));
    assert_int_equal(atomic_load(&scene.ran), 0);
    assert_int_equal(atomic_load(scene.word), 0);
}

/* ER-2; oracle err.trap_then_make */
static void every_call_that_makes_something_answers_the_failure(void **state)
{
    struct fixture *f = *state;
    struct scene scene = prepare(f);
    const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
    const rill_image image = image_of(&nop_function, 1);
    rill_devptr address;
    void *pointer;
    rill_stream *stream = NULL;
    rill_event *event = NULL;
    rill_module *module = NULL;
    rill_context *context = NULL;
    rill_exec *exec = NULL;
    is(failed, rill_context_synchronize(f->context));
    is(failed, rill_exec_create(new_graph(f), NULL, &exec)); /* a graph can be made */
    is(failed, rill_mem_alloc(f->context, 64, &address));
    is(failed, rill_mem_alloc_async(scene.other, 64, &address));
    is(failed, rill_host_alloc(f->context, 64, 0, &pointer));
    is(failed, rill_stream_create(f->context, NULL, &stream));
    is(failed, rill_event_create(f->context, NULL, &event));
    is(failed, rill_module_load(f->context, &image, &module));
    is(failed, rill_context_create(f->platform, &own, &context));
    assert_null(stream);
    assert_null(event);
    assert_null(module);
    assert_null(context);
    assert_null(exec);
}

/* ER-2, ER-4; oracle err.trap_then_make: destroying says so and is done.  An exec goes
 * without a word. */
static void every_call_that_gives_back_answers_the_failure_and_gives_back(void **state)
{
    struct fixture *f = *state;
    const rill_image image = image_of(&nop_function, 1);
    void *host = pinned(f, 64);
    rill_module *module = NULL;
    rill_exec *exec = new_exec(f, new_graph(f));
    ok(rill_module_load(f->context, &image, &module));
    struct scene scene = prepare(f);
    rill_stream *stream = scene.other;
    rill_event *event = scene.before;
    is(failed, rill_context_synchronize(f->context));
    is(failed, rill_mem_free(f->context, scene.device));
    is(failed, rill_host_free(f->context, host));
    forget(f, stream);
    is(failed, rill_stream_destroy(&stream));
    forget(f, event);
    is(failed, rill_event_destroy(&event));
    forget(f, exec);
    ok(rill_exec_destroy(&exec));
    is(failed, rill_module_unload(&module));
    assert_null(stream);
    assert_null(event);
    assert_null(exec);
    assert_null(module);
    is(failed, rill_context_destroy(&f->context));
    assert_null(f->context);
}

/* Measured. */
static void every_getter_of_streams_and_kernels_answers_the_failure(void **state)
{
    struct fixture *f = *state;
    struct scene scene = prepare(f);
    rill_attribute attribute = { .id = RILL_ATTRIBUTE_SYNC_POLICY };
    size_t bytes, total;
    uint64_t id;
    uint32_t flags;
    int number;
    is(failed, rill_context_synchronize(f->context));
    is(failed, rill_stream_flags(scene.other, &flags));
    is(failed, rill_stream_priority(scene.other, &number));
    is(failed, rill_stream_id(scene.other, &id));
    is(failed, rill_stream_get_attribute(scene.other, &attribute));
    is(failed, rill_stream_set_attribute(scene.other, &attribute));
    is(failed, rill_stream_copy_attributes(scene.stream, scene.other));
    is(failed, rill_kernel_get_attribute(scene.kernel, RILL_KERNEL_REGISTERS, &number));
    is(failed, rill_context_priority_range(f->context, NULL, NULL));
    is(failed, rill_mem_info(f->context, &bytes, &total));
    is(failed, rill_mem_range(f->context, scene.device, NULL, &bytes));
    is(failed, rill_host_flags(f->context, f->words, &flags));
}

/* Measured. */
static void what_needs_no_device_is_still_answered(void **state)
{
    struct fixture *f = *state;
    struct scene scene = prepare(f);
    rill_device_info device = { .size = sizeof device };
    rill_pointer_info info = { .size = sizeof info };
    rill_context *again = NULL;
    rill_pool *pool = NULL;
    uint64_t used;
    int number = 0;
    is(failed, rill_context_synchronize(f->context));
    ok(rill_device_count(f->platform, &number));
    assert_true(number >= 1);
    ok(rill_device_get_info(f->platform, 0, &device));
    ok(rill_device_can_access_peer(f->platform, 0, 0, &number));
    ok(rill_context_device(f->context, &number));
    ok(rill_pointer_get_info(f->context, scene.device, &info));
    assert_int_equal(info.kind, RILL_MEMORY_DEVICE);
    ok(rill_device_default_pool(f->platform, 0, &pool));
    ok(rill_device_pool(f->platform, 0, &pool));
    ok(rill_pool_get_attribute(pool, RILL_POOL_USED_CURRENT, &used));
    ok(rill_context_create(f->platform, NULL, &again));
    assert_ptr_equal(again, f->context);
    ok(rill_context_destroy(&again));
}

/* Arguments that no device is needed to refuse; measured. */
static void bad_arguments_are_told_before_the_failure(void **state)
{
    struct fixture *f = *state;
    struct scene scene = prepare(f);
    is(failed, rill_context_synchronize(f->context));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_flags(scene.other, NULL));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_query(NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_launch_host(scene.other, NULL, NULL, NULL));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_launch_of_a_kernel_that_fails_succeeds),
    cmocka_unit_test(the_first_told_may_be_a_query_of_the_stream),
    cmocka_unit_test(the_first_told_may_be_a_query_of_another_stream),
    cmocka_unit_test(the_first_told_may_be_a_query_of_an_event_behind_it),
    cmocka_unit_test(the_first_told_may_be_a_query_of_an_event_before_it),
    cmocka_unit_test(the_first_told_may_be_a_synchronize_of_another_stream),
    cmocka_unit_test(the_first_told_may_be_a_synchronize_of_the_context),
    cmocka_unit_test(the_first_told_may_be_a_copy),
    cmocka_unit_test(every_call_that_waits_or_asks_answers_the_failure),
    cmocka_unit_test(every_call_that_submits_answers_the_failure_and_runs_nothing),
    cmocka_unit_test(every_call_that_makes_something_answers_the_failure),
    cmocka_unit_test(every_call_that_gives_back_answers_the_failure_and_gives_back),
    cmocka_unit_test(every_getter_of_streams_and_kernels_answers_the_failure),
    cmocka_unit_test(what_needs_no_device_is_still_answered),
    cmocka_unit_test(bad_arguments_are_told_before_the_failure),
};

SUITE_GROUP(faults, 1);
