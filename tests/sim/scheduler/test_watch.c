/* SPDX-License-Identifier: Apache-2.0
 *
 * What a watcher is told of operations, and of those that do not run.
 */
#include <sched.h>

#include "backend-sim/machine/machine.h"
#include "sim/scheduler/ledger.h"
#include "sim/scheduler/sightings.h"

/* ---- Operations ------------------------------------------------------------------------- */

static void hear(rill_stream *stream, rill_status status, void *data)
{
    (void)stream, (void)status, (void)data;
}

static void kernels_functions_callbacks_and_launches_are_told(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    rill_stream *stream = new_stream(f);
    rill_kernel *kernel = new_kernel(f, f->context, &idle);
    rill_graph *graph = new_graph(f);
    rill_devptr pinned = address_of(f, new_word(f));
    rill_op empty = { .kind = RILL_OP_EMPTY };
    add(graph, NULL, host_op(count_call, &calls));
    rill_exec *exec = new_exec(f, graph);
    mark(f, stream, 'a');                                               /* 1 */
    ok(rill_launch_kernel(stream, kernel, one, one, 0, NULL));          /* 2 */
    ok(rill_memset_d32_async(stream, pinned, 1, 1));
    ok(rill_stream_wait_value32(stream, pinned, 1, RILL_WAIT_EQ));
    ok(rill_stream_submit(stream, &empty));
    ok(rill_stream_add_callback(stream, hear, NULL, 0));                /* 6 */
    ok(rill_exec_launch(exec, stream));                                 /* 7 */
    ok(rill_stream_synchronize(stream));
    static const rill_op_kind kinds[] = { [1] = RILL_OP_HOST, [2] = RILL_OP_KERNEL,
                                          [6] = RILL_OP_HOST, [7] = RILL_OP_GRAPH };
    for (uint64_t point = 1; point <= 7; point++) {
        bool told = point <= 2 || point >= 6;
        int at = 0;
        assert_int_equal(told_of(SUBMITTED, queue_of(stream), point, 0, &at), told);
        if (!told) continue;
        assert_int_equal(ledger.entries[at].running.kind, kinds[point]);
        assert_true(pthread_equal(ledger.entries[at].thread, pthread_self()));
    }
    all_told();
}

static void a_watcher_adds_no_operations(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *event = new_event(f);
    mark(f, stream, 'a');
    ok(rill_stream_synchronize(stream));
    ok(rill_event_record(event, stream, 0));
    ok(rill_stream_wait_event(stream, event, 0));
    mark(f, stream, 'b');
    ok(rill_stream_synchronize(stream));
    assert_int_equal(told_of(SUBMITTED, queue_of(stream), 2, 0, NULL), 1);
    all_told();
}

static void an_operation_is_told_before_it_can_run(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    held(stream);
    assert_int_equal(told_of(SUBMITTED, queue_of(stream), 2, 0, NULL), 1);
    assert_int_equal(told_of(BEGAN, queue_of(stream), 2, 0, NULL), 0);
    open_gate(closed);
    ok(rill_stream_synchronize(stream));
    all_told();
}

static void many_operations_are_told_in_order(void **state)
{
    enum { COUNT = 1500 };
    struct fixture *f = *state;
    rill_stream *streams[] = { new_stream(f), new_stream(f), new_non_blocking(f) };
    for (int i = 0; i < COUNT; i++) {
        mark(f, streams[i % 3], 'a');
        if (i % 10 == 0) ok(rill_stream_wait_stream(streams[i % 3], streams[(i + 1) % 3]));
    }
    for (int i = 0; i < 3; i++) ok(rill_stream_synchronize(streams[i]));
    assert_int_equal(ledger.count, 3 * COUNT);
    uint64_t last[2] = { 0 }, queue = queue_of(streams[1]);
    for (int i = 0; i < ledger.count; i++) {
        const struct entry *entry = &ledger.entries[i];
        if (entry->running.queue != queue || entry->moment == ENDED) continue;
        assert_true(entry->running.point > last[entry->moment]);
        last[entry->moment] = entry->running.point;
    }
}

static void an_observer_sees_the_same_beside_a_watcher(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    rill_stream *stream = new_stream(f);
    rill_graph *graph = new_graph(f);
    rill_node node = add(graph, NULL, host_op(count_call, &calls));
    rill_exec *exec = new_exec(f, graph);
    struct album *album = watch(f);
    mark(f, stream, 'a');
    ok(rill_exec_launch(exec, stream));
    ok(rill_stream_synchronize(stream));
    unwatch(f);
    assert_int_equal(count_of(album), 10);
    assert_int_equal(told_of(BEGAN, queue_of(stream), 2, number_of(exec, node), NULL), 1);
    all_told();
}

static void there_is_one_watcher(void **state)
{
    struct fixture *f = *state;
    is(RILL_ERROR_INVALID_VALUE, rl_backend_sim.watch->set(f->platform, &ledger_watcher));
}

/* ---- What does not run --------------------------------------------------------------------- */

static void fail_launch(const rill_launch *launch)
{
    rill_sim_fault(launch, RILL_ERROR_LAUNCH_FAILED, "as planned");
}

static const rill_function failing = { .name = "failing", .over_grid = fail_launch };

static int count_dropped(void)
{
    int dropped = 0;
    rl_lock(&ledger.lock);
    for (int i = 0; i < ledger.count; i++)
        dropped += ledger.entries[i].moment == ENDED && ledger.entries[i].running.dropped;
    rl_unlock(&ledger.lock);
    return dropped;
}

/* Calls on a failed device do not wait. */
static void await_dropped(int count)
{
    uint64_t end = fixture_patience();
    while (count_dropped() < count && fixture_before(end)) sched_yield();
    assert_int_equal(count_dropped(), count);
}

/* Submits one of each behind a gate. */
static void submit_all(struct fixture *f, rill_stream *stream, rill_kernel *kernel,
                       rill_exec *plain, rill_exec *wide)
{
    mark(f, stream, 'a');
    ok(rill_launch_kernel(stream, kernel, one, one, 0, NULL));
    ok(rill_stream_add_callback(stream, hear, NULL, 0));
    ok(rill_exec_launch(plain, stream));
    ok(rill_exec_launch(wide, stream));
}

static void what_a_failed_device_drops_is_told(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    struct web web, line = { .graph = new_graph(f) };
    rill_kernel *kernel = new_kernel(f, f->context, &idle);
    rill_kernel *fails = new_kernel(f, f->context, &failing);
    rill_stream *stream = new_stream(f), *other = new_stream(f);
    make_wide(f, &web, &calls);
    add_to(&line, line.graph, NULL, host_op(count_call, &calls));
    rill_exec *plain = new_exec(f, line.graph), *wide = new_exec(f, web.graph);
    const uint64_t queue = queue_of(other);
    gate(f, stream);
    submit_all(f, stream, kernel, plain, wide);
    held(stream);
    ok(rill_launch_kernel(other, fails, one, one, 0, NULL));
    assert_int_not_equal(rill_stream_synchronize(other), RILL_SUCCESS);
    await_dropped(5);
    assert_int_equal(atomic_load(&calls), 0);
    all_told();
    int failed = -1, ended = -1;
    assert_int_equal(told_of(FAILED, 0, 0, 0, &failed), 1);
    const rill_running *kernel_that_failed = &ledger.entries[failed].running;
    assert_int_equal(kernel_that_failed->queue, queue);
    told_of(ENDED, kernel_that_failed->queue, kernel_that_failed->point, 0, &ended);
    assert_true(failed < ended);
}

static void what_an_abandoned_platform_drops_is_told(void **state)
{
    (void)state;
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    rill_stream *stream = NULL;
    void *word = NULL;
    atomic_int calls = 0;
    ok(open_watched(1, &platform));
    ok(rill_context_create(platform, NULL, &context));
    ok(rill_stream_create(context, NULL, &stream));
    ok(rill_host_alloc(context, 4, 0, &word));
    *(uint32_t *)word = 0;
    ok(rill_stream_wait_value32(stream, (rill_devptr)(uintptr_t)word, 1, RILL_WAIT_EQ));
    ok(rill_launch_host(stream, count_call, &calls, NULL));
    ok(rill_stream_add_callback(stream, hear, NULL, 0));
    ok(rill_sim_abandon(platform, UINT64_C(10000000000)));
    rill_host_free(context, word);
    rill_stream_destroy(&stream);
    rill_context_destroy(&context);
    rill_close(&platform);
    assert_int_equal(count_dropped(), 2);
    assert_int_equal(atomic_load(&calls), 0);
    all_told();
}

static void a_launch_that_fails_has_ended(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    rill_graph *graph = new_graph(f);
    rill_kernel *fails = new_kernel(f, f->context, &failing);
    rill_node first = add(graph, NULL, kernel_op(fails, NULL));
    rill_node second = add(graph, first, host_op(count_call, &calls));
    rill_exec *exec = new_exec(f, graph);
    rill_stream *stream = new_stream(f);
    ok(rill_exec_launch(exec, stream));
    assert_int_not_equal(rill_stream_synchronize(stream), RILL_SUCCESS);
    assert_int_equal(told_of(ENDED, 0, 0, number_of(exec, first), NULL), 1);
    assert_int_equal(told_of(BEGAN, 0, 0, number_of(exec, second), NULL), 0);
    assert_int_equal(count_dropped(), 0);
    all_told();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WATCHED(kernels_functions_callbacks_and_launches_are_told),
        ON_HOST_THREAD(kernels_functions_callbacks_and_launches_are_told),
        WATCHED(a_watcher_adds_no_operations),
        WATCHED(an_operation_is_told_before_it_can_run),
        ON_HOST_THREAD(an_operation_is_told_before_it_can_run),
        WATCHED(many_operations_are_told_in_order),
        ON_HOST_THREAD(many_operations_are_told_in_order),
        WATCHED(an_observer_sees_the_same_beside_a_watcher),
        WATCHED(there_is_one_watcher),
        WATCHED(what_a_failed_device_drops_is_told),
        ON_HOST_THREAD(what_a_failed_device_drops_is_told),
        cmocka_unit_test(what_an_abandoned_platform_drops_is_told),
        WATCHED(a_launch_that_fails_has_ended),
        ON_HOST_THREAD(a_launch_that_fails_has_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
