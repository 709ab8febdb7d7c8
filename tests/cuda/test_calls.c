/* SPDX-License-Identifier: Apache-2.0
 *
 * Every public call over a driver that does as the test says: the current context
 * stays the thread's own, whatever fails is told, and what is on the way of work
 * allocates nothing.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "backend-cuda/driver/driver.h"
#include "base/alloc.h"
#include "cuda/fake.h"
#include "support/calls.h"
#include "support/cmocka_all.h"

static void *const stranger = (void *)(uintptr_t)0x7777;

struct scene {
    const struct fake *fake;
    struct world w, peer;
    struct arguments a;
};

static void set_up_version(struct scene *scene, int version)
{
    rill_platform *platform = NULL;
    scene->fake = fake_load();
    scene->fake->set_version(version);
    assert_int_equal(fake_open(&platform), RILL_SUCCESS);
    assert_int_equal(world_fill(&scene->w, platform), RILL_SUCCESS);
    assert_int_equal(world_fill(&scene->peer, platform), RILL_SUCCESS);
    arguments_init(&scene->a, &scene->w, &scene->peer);
}

static void set_up(struct scene *scene)
{
    set_up_version(scene, 13000);
}

static void tear_down(struct scene *scene)
{
    rill_platform *platform = scene->w.platform;
    scene->fake->drop();
    world_empty(&scene->peer);
    world_empty(&scene->w);
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
}

/* ---- The current context -------------------------------------------------------------- */

/* Whether it succeeds or not: many of them have nothing to find in a fake. */
static void no_call_changes_the_current_context(void **state)
{
    (void)state;
    for (const struct call *call = calls; call < calls + call_count; call++) {
        struct scene scene;
        set_up(&scene);
        if (call->before) call->before(&scene.a);
        scene.fake->set_current(stranger);
        rill_status status = call->make(&scene.a);
        if (scene.fake->current() != stranger)
            fail_msg("%s leaves another context current", call->name);
        scene.fake->set_current(NULL);
        if (!status && call->after) call->after(&scene.a);
        tear_down(&scene);
    }
}

static void making_and_ending_a_context_does_not_change_it_either(void **state)
{
    const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
    struct scene scene;
    rill_context *context = NULL;
    (void)state;
    set_up(&scene);
    scene.fake->set_current(stranger);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rill_context_create(scene.w.platform, i ? &own : NULL, &context),
                         RILL_SUCCESS);
        assert_ptr_equal(scene.fake->current(), stranger);
        assert_int_equal(rill_context_destroy(&context), RILL_SUCCESS);
        assert_ptr_equal(scene.fake->current(), stranger);
    }
    tear_down(&scene);
}

/* ---- Calls that fail -------------------------------------------------------------------- */

/* What looks at something or gives something back: the call gets on without it. */
static bool can_be_missed(const char *name)
{
    static const char *const all[] = {
        "cuCtxGetCurrent", "cuCtxPushCurrent", "cuCtxPopCurrent", "cuDeviceGetAttribute",
        "cuEventDestroy", "cuFuncGetParamInfo", "cuFuncLoad", "cuGraphHostNodeGetParams",
        "cuGraphNodeGetType", "cuStreamGetCaptureInfo", "cuStreamGetId", "cuStreamIsCapturing",
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(name, all[i])) return true;
    return false;
}

/* Makes the call with its Nth call of the driver failing; false when it has fewer. */
static bool fails_at(const struct call *call, long nth)
{
    struct scene scene;
    set_up(&scene);
    if (call->before) call->before(&scene.a);
    scene.fake->set_current(stranger);
    rill_clear_error();
    scene.fake->refuse(NULL, CUDA_ERROR_UNKNOWN, nth, 0);
    rill_status status = call->make(&scene.a);
    const char *failed = scene.fake->failed();
    scene.fake->refuse(NULL, 0, 0, 0);
    bool popped = failed && !strcmp(failed, "cuCtxPopCurrent");
    if (!popped && scene.fake->current() != stranger)
        fail_msg("%s leaves another context current when %s fails", call->name,
                 failed ? failed : "nothing");
    if (failed && status != RILL_ERROR_UNKNOWN && !can_be_missed(failed))
        fail_msg("%s answers %d when %s fails", call->name, (int)status, failed);
    if (status == RILL_ERROR_UNKNOWN) {
        assert_string_equal(rill_last_error()->operation, call->name);
        if (!*rill_last_error()->message) fail_msg("%s fails without a word", call->name);
    }
    scene.fake->set_current(NULL);
    if (!status && call->after) call->after(&scene.a);
    tear_down(&scene);
    return failed != NULL;
}

static void whatever_fails_in_a_call_is_told_in_its_name(void **state)
{
    (void)state;
    for (const struct call *call = calls; call < calls + call_count; call++)
        for (long nth = 0; fails_at(call, nth); nth++) {}
}

/* The only call of the driver that it makes beside looking at the current context. */
static void the_status_is_the_drivers_and_the_words_are_of_both(void **state)
{
    struct scene scene;
    (void)state;
    set_up(&scene);
    scene.fake->refuse("cuStreamQuery", CUDA_ERROR_ILLEGAL_STATE, 0, 0);
    assert_int_equal(rill_stream_query(scene.w.stream), RILL_ERROR_ILLEGAL_STATE);
    assert_non_null(strstr(rill_last_error()->message, "cuStreamQuery"));
    assert_non_null(strstr(rill_last_error()->message, "as the fake says"));
    tear_down(&scene);
}

static void a_device_that_failed_is_told_with_what_to_do(void **state)
{
    struct scene scene;
    (void)state;
    set_up(&scene);
    scene.fake->refuse("cuStreamSynchronize", CUDA_ERROR_LAUNCH_FAILED, 0, 1);
    assert_int_equal(rill_stream_synchronize(scene.w.stream), RILL_ERROR_LAUNCH_FAILED);
    assert_non_null(strstr(rill_last_error()->message, "unspecified launch failure"));
    assert_non_null(strstr(rill_last_error()->message, "the context is lost"));
    assert_non_null(strstr(rill_last_error()->message, "new process"));
    scene.fake->refuse(NULL, 0, 0, 0);
    tear_down(&scene);
}

/* Nothing is looked for behind the event, which need not be there. */
static void an_event_is_no_attribute_of_streams(void **state)
{
    const int ids[] = { RILL_ATTRIBUTE_PROGRAMMATIC_EVENT, RILL_ATTRIBUTE_COMPLETION_EVENT };
    struct scene scene;
    (void)state;
    set_up(&scene);
    for (int i = 0; i < 2; i++) {
        const rill_attribute attribute = { .id = (rill_attribute_id)ids[i] };
        assert_int_equal(rill_stream_set_attribute(scene.w.stream, &attribute),
                         RILL_ERROR_INVALID_VALUE);
        assert_string_equal(rill_last_error()->argument, "attribute->id");
    }
    assert_int_equal(scene.fake->calls("cuStreamSetAttribute"), 0);
    tear_down(&scene);
}

/* Whatever the array is said to hold: nothing is made for bodies that no node will have. */
static void a_conditional_with_too_many_bodies_is_refused_at_once(void **state)
{
    static const rill_conditional_kind kinds[] = { RILL_CONDITIONAL_IF, RILL_CONDITIONAL_WHILE };
    struct scene scene;
    rill_graph *body = NULL;
    rill_node node = NULL;
    (void)state;
    set_up(&scene);
    for (int i = 0; i < 2; i++) {
        rl_alloc_fail_after(50);
        rill_status status = rill_graph_add_conditional(scene.w.graph, NULL, 0, 1, kinds[i],
                                                        UINT32_MAX, &body, &node);
        rl_alloc_fail_after(-1);
        assert_int_equal(status, RILL_ERROR_INVALID_VALUE);
        assert_string_equal(rill_last_error()->argument, "body_count");
    }
    assert_null(body);
    assert_null(node);
    tear_down(&scene);
}

/* ---- Older drivers ------------------------------------------------------------------------- */

/* What it lacks is refused with the version that has it; nothing is called that is not
 * there. */
static void answers_on(int version, const struct call *call)
{
    struct scene scene;
    set_up_version(&scene, version);
    if (call->before) call->before(&scene.a);
    rill_clear_error();
    rill_status status = call->make(&scene.a);
    const rill_error *last = rill_last_error();
    bool never = strstr(last->message, "does not implement") != NULL;
    if (status == RILL_ERROR_NOT_SUPPORTED && !never && !strstr(last->message, "; CUDA 1"))
        fail_msg("%s names no version: %s", call->name, last->message);
    if (!status && call->after) call->after(&scene.a);
    tear_down(&scene);
}

static void every_call_answers_on_every_driver(void **state)
{
    static const int versions[] = { 11080, 12000, 12020, 12030, 12040, 12080, 13000 };
    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        for (const struct call *call = calls; call < calls + call_count; call++)
            answers_on(versions[i], call);
}

/* ---- What is on the way of work ------------------------------------------------------------ */

static void count_nothing(void *data)
{
    (void)data;
}

static void work_allocates_nothing(void **state)
{
    static const rill_dim3 one = { 1, 1, 1 };
    struct scene scene;
    (void)state;
    set_up(&scene);
    const struct world *w = &scene.w;
    int *place = NULL;
    const void *const params[] = { &place };
    rill_capture_info info = { .size = sizeof info };
    long after;
    rl_alloc_fail_after(0); /* the next one fails, and so does the call */
    assert_int_equal(rill_launch_kernel(w->stream, w->kernel, one, one, 0, params), RILL_SUCCESS);
    assert_int_equal(rill_memcpy_dtod_async(w->stream, w->address, w->address + 32, 8),
                     RILL_SUCCESS);
    assert_int_equal(rill_memset_d32_async(w->stream, w->address, 1, 2), RILL_SUCCESS);
    assert_int_equal(rill_event_record(w->event, w->stream, 0), RILL_SUCCESS);
    assert_int_equal(rill_stream_wait_event(w->stream, w->event, 0), RILL_SUCCESS);
    assert_int_equal(rill_exec_launch(w->exec, w->stream), RILL_SUCCESS);
    assert_int_equal(rill_stream_query(w->stream), RILL_SUCCESS);
    assert_int_equal(rill_event_query(w->event), RILL_SUCCESS);
    assert_int_equal(rill_stream_capture_info(w->stream, &info), RILL_SUCCESS);
    assert_int_equal(rill_launch_host(w->stream, count_nothing, NULL, NULL), RILL_SUCCESS);
    assert_int_equal(rill_stream_write_value32(w->stream, w->address, 1, 0), RILL_SUCCESS);
    assert_int_equal(rill_stream_synchronize(w->stream), RILL_SUCCESS);
    rl_alloc_fail_after(-1);
    after = scene.fake->calls("cuLaunchKernel");
    assert_int_equal(after, 1);
    tear_down(&scene);
}

/* A stream of its own needs no current context: nothing looks for one. */
static void work_asks_for_no_current_context(void **state)
{
    static const rill_dim3 one = { 1, 1, 1 };
    struct scene scene;
    int *place = NULL;
    const void *const params[] = { &place };
    (void)state;
    set_up(&scene);
    long before = scene.fake->calls(NULL);
    assert_int_equal(rill_launch_kernel(scene.w.stream, scene.w.kernel, one, one, 0, params),
                     RILL_SUCCESS);
    assert_int_equal(rill_event_record(scene.w.event, scene.w.stream, 0), RILL_SUCCESS);
    assert_int_equal(rill_exec_launch(scene.w.exec, scene.w.stream), RILL_SUCCESS);
    assert_int_equal(scene.fake->calls(NULL) - before, 3);
    tear_down(&scene);
}

/* The driver crashes without one when memory is of another device. */
static void a_copy_has_its_context(void **state)
{
    struct scene scene;
    char bytes[4] = { 0 };
    (void)state;
    set_up(&scene);
    long pushed = scene.fake->calls("cuCtxPushCurrent");
    long popped = scene.fake->calls("cuCtxPopCurrent");
    rill_memcpy_htod_async(scene.w.stream, 4096, bytes, sizeof bytes);
    assert_int_equal(scene.fake->calls("cuCtxPushCurrent") - pushed, 1);
    assert_int_equal(scene.fake->calls("cuCtxPopCurrent") - popped, 1);
    tear_down(&scene);
}

/* ---- Ends ------------------------------------------------------------------------------------ */

/* The end of a context is at a stream that its owner destroys meanwhile. */
static atomic_bool stream_is_ended, owner_is_back;
static bool came_back_in_time;
static rill_stream *in_two_hands;
static pthread_t owner;

static void *destroy_it(void *unused)
{
    assert_int_equal(rill_stream_destroy(&in_two_hands), RILL_SUCCESS);
    came_back_in_time = atomic_load(&stream_is_ended);
    atomic_store(&owner_is_back, true);
    return unused;
}

static CUresult CUDAAPI end_stream_slowly(CUstream stream)
{
    (void)stream;
    assert_int_equal(pthread_create(&owner, NULL, destroy_it, NULL), 0);
    for (int i = 0; i < 20000 && !atomic_load(&owner_is_back); i++) sched_yield();
    atomic_store(&stream_is_ended, true);
    return CUDA_SUCCESS;
}

static void a_stream_is_not_gone_before_the_context_let_go_of_it(void **state)
{
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    (void)state;
    fake_load();
    assert_int_equal(fake_open(&platform), RILL_SUCCESS);
    assert_int_equal(rill_context_create(platform, NULL, &context), RILL_SUCCESS);
    assert_int_equal(rill_stream_create(context, NULL, &in_two_hands), RILL_SUCCESS);
    cuda_api.StreamDestroy = end_stream_slowly;
    assert_int_equal(rill_context_destroy(&context), RILL_SUCCESS);
    pthread_join(owner, NULL);
    assert_true(came_back_in_time);
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
}

static void all_is_given_back_to_the_driver(void **state)
{
    struct scene scene;
    (void)state;
    set_up(&scene);
    assert_true(scene.fake->live() > 10);
    tear_down(&scene);
    assert_int_equal(scene.fake->live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_call_changes_the_current_context),
        cmocka_unit_test(making_and_ending_a_context_does_not_change_it_either),
        cmocka_unit_test(whatever_fails_in_a_call_is_told_in_its_name),
        cmocka_unit_test(the_status_is_the_drivers_and_the_words_are_of_both),
        cmocka_unit_test(a_device_that_failed_is_told_with_what_to_do),
        cmocka_unit_test(an_event_is_no_attribute_of_streams),
        cmocka_unit_test(a_conditional_with_too_many_bodies_is_refused_at_once),
        cmocka_unit_test(every_call_answers_on_every_driver),
        cmocka_unit_test(work_allocates_nothing),
        cmocka_unit_test(work_asks_for_no_current_context),
        cmocka_unit_test(a_copy_has_its_context),
        cmocka_unit_test(a_stream_is_not_gone_before_the_context_let_go_of_it),
        cmocka_unit_test(all_is_given_back_to_the_driver),
    };
    return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
