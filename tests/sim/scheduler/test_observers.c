/* SPDX-License-Identifier: Apache-2.0
 *
 * Observers that come and go; what else a program asks the simulator.
 */
#include "sim/scheduler/sightings.h"

#include "support/fake/fake.h"

/* ---- Coming and going ------------------------------------------------------ */

static void nothing_is_seen_of_what_was_submitted_before(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    held(stream);
    struct album *album = watch(f);
    mark(f, stream, 'b');
    open_gate(closed);
    ok(rill_stream_synchronize(stream));
    unwatch(f);
    order(f, "ab");
    for (int moment = RILL_SIM_SUBMITTED; moment <= RILL_SIM_DONE; moment++)
        sighting_of(album, stream, 3, (rill_sim_moment)moment);
    assert_int_equal(count_of(album), 4);
}

static void nothing_is_seen_after_the_observer_is_removed(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    struct album *album = watch(f);
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    held(stream);
    unwatch(f);
    int seen = count_of(album);
    assert_int_equal(seen, 2);
    open_gate(closed);
    mark(f, stream, 'b');
    ok(rill_stream_synchronize(stream));
    assert_int_equal(count_of(album), seen);
}

static void of_two_observers_the_later_sees(void **state)
{
    struct fixture *f = *state;
    struct album *first = calloc(1, sizeof *first), *second = calloc(1, sizeof *second);
    const rill_sim_observer one = { see, first }, two = { see, second };
    rill_stream *stream = new_stream(f);
    assert_true(first && second);
    ok(rill_sim_observe(f->platform, &one));
    mark(f, stream, 'a');
    ok(rill_stream_synchronize(stream));
    ok(rill_sim_observe(f->platform, &two));
    int seen = count_of(first);
    free(first);
    mark(f, stream, 'b');
    ok(rill_stream_synchronize(stream));
    unwatch(f);
    assert_int_equal(seen, 4);
    assert_int_equal(count_of(second), 4);
    free(second);
}

static void stay_inside(void *data, const rill_sim_sighting *seen)
{
    struct latch *latch = data;
    if (seen->moment != RILL_SIM_SUBMITTED) return;
    atomic_store(&latch->entered, 1);
    while (!atomic_load(&latch->open)) continue;
}

static rill_status remove_observer(void *platform)
{
    return rill_sim_observe(platform, NULL);
}

static rill_status submit_one(void *stream)
{
    rill_op op = { .kind = RILL_OP_EMPTY };
    return rill_stream_submit(stream, &op);
}

static void removing_an_observer_waits_for_threads_that_are_inside(void **state)
{
    struct fixture *f = *state;
    struct latch *latch = &f->latches[f->latch_count++];
    const rill_sim_observer observer = { stay_inside, latch };
    ok(rill_sim_observe(f->platform, &observer));
    struct call *submit = start_call(f, submit_one, new_stream(f));
    await_latch(latch);
    struct call *removal = start_call(f, remove_observer, f->platform);
    blocked(removal);
    open_latch(latch);
    ok(finish_call(removal));
    ok(finish_call(submit));
}

static void come_and_go(void *data, int index)
{
    static struct album albums[2];
    struct many *many = data;
    struct fixture *f = many->f;
    const rill_sim_observer observer = { see, &albums[index & 1] };
    for (int i = 0; i < 50; i++) {
        atomic_store(&albums[index & 1].count, SIGHTINGS);
        if (index < 2) works(f, rill_sim_observe(f->platform, i & 1 ? NULL : &observer));
        works(f, submit_one(many->streams[index]));
        if (i % 8 == index) works(f, rill_stream_synchronize(many->streams[index]));
    }
}

static void observers_come_and_go_while_others_work(void **state)
{
    struct fixture *f = *state;
    struct many many = { .f = f };
    for (int i = 0; i < 8; i++) many.streams[i] = new_stream(f);
    crew(8, come_and_go, &many);
    all_worked(f);
    ok(rill_context_synchronize(f->context));
    unwatch(f);
}

static void only_a_simulator_can_be_observed(void **state)
{
    struct fixture *f = *state;
    const rill_sim_observer observer = { see, NULL };
    uint64_t time;
    is(RILL_ERROR_NOT_INITIALIZED, rill_sim_observe(NULL, &observer));
    blames("rill_sim_observe", "platform");
    is(RILL_ERROR_NOT_INITIALIZED, rill_sim_observe((rill_platform *)f->context, &observer));
    is(RILL_ERROR_NOT_INITIALIZED, rill_sim_clock(NULL, &time));
    is(RILL_ERROR_INVALID_VALUE, rill_sim_clock(f->platform, NULL));
    blames("rill_sim_clock", "time_ns");
    is(RILL_ERROR_NOT_INITIALIZED, rill_sim_abandon(NULL, 0));
    blames("rill_sim_abandon", "platform");
}

static void platforms_of_other_backends_are_told_so(void **state)
{
    const rill_open_options options = { .size = sizeof options, .backend = "fake" };
    const rill_sim_observer observer = { see, NULL };
    rill_sim_counters counters = { .size = sizeof counters };
    rill_platform *other = NULL;
    rill_graph *graph = NULL;
    uint64_t time;
    (void)state;
    ok(rill_backend_register(&fake_backend));
    ok(rill_open(&options, &other));
    is(RILL_ERROR_NOT_SUPPORTED, rill_sim_observe(other, &observer));
    is(RILL_ERROR_NOT_SUPPORTED, rill_sim_clock(other, &time));
    is(RILL_ERROR_NOT_SUPPORTED, rill_sim_abandon(other, 0));
    is(RILL_ERROR_NOT_SUPPORTED, rill_sim_get_counters(other, &counters));
    is(RILL_ERROR_NOT_SUPPORTED, rill_sim_permits(other, NULL, RILL_SIM_CALL_PLAIN));
    is(RILL_ERROR_NOT_SUPPORTED, rill_sim_node_graph(other, NULL, &graph));
    blames("rill_sim_node_graph", "platform");
    ok(rill_close(&other));
}

static void an_observer_that_does_not_look_is_none(void **state)
{
    struct fixture *f = *state;
    const rill_sim_observer blind = { NULL, NULL };
    struct album *album = watch(f);
    ok(rill_sim_observe(f->platform, &blind));
    mark(f, new_stream(f), 'a');
    ok(rill_context_synchronize(f->context));
    assert_int_equal(count_of(album), 0);
}

static void the_clock_never_goes_back(void **state)
{
    struct fixture *f = *state;
    uint64_t before = 0, now = 0;
    for (int i = 0; i < 1000; i++) {
        ok(rill_sim_clock(f->platform, &now));
        assert_true(now >= before);
        before = now;
    }
    assert_int_not_equal(now, 0);
}

/* ---- Calls of the program's own ------------------------------------------------ */

static rill_status permits(struct fixture *f, rill_sim_call call)
{
    return rill_sim_permits(f->platform, f->context, call);
}

static rill_stream *capturing(struct fixture *f, rill_capture_mode mode)
{
    const rill_capture_options options = { .size = sizeof options, .mode = mode };
    rill_stream *stream = new_stream(f);
    ok(rill_stream_begin_capture(stream, &options));
    return stream;
}

static void calls_of_the_program_are_refused_as_those_of_the_library(void **state)
{
    struct fixture *f = *state;
    for (int call = RILL_SIM_CALL_PLAIN; call <= RILL_SIM_CALL_ORDERS; call++)
        ok(permits(f, (rill_sim_call)call));
    rill_stream *stream = capturing(f, RILL_CAPTURE_GLOBAL);
    ok(permits(f, RILL_SIM_CALL_PLAIN));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, permits(f, RILL_SIM_CALL_UNSAFE));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_stream_end_capture(stream, NULL));
    stream = capturing(f, RILL_CAPTURE_RELAXED);
    ok(permits(f, RILL_SIM_CALL_UNSAFE));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, permits(f, RILL_SIM_CALL_ORDERS));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_stream_end_capture(stream, NULL));
    is(RILL_ERROR_INVALID_VALUE, permits(f, (rill_sim_call)3));
    is(RILL_ERROR_INVALID_CONTEXT, rill_sim_permits(f->platform, NULL, RILL_SIM_CALL_ORDERS));
    is(RILL_ERROR_NOT_INITIALIZED, rill_sim_permits(NULL, f->context, RILL_SIM_CALL_PLAIN));
    rill_platform *other = NULL;
    ok(suite->open(1, &other));
    is(RILL_ERROR_INVALID_CONTEXT, rill_sim_permits(other, f->context, RILL_SIM_CALL_ORDERS));
    blames("rill_sim_permits", "context");
    ok(rill_close(&other));
}

struct asked {
    struct fixture *f;
    rill_status plain, unsafe;
};

static void ask_inside(void *data)
{
    struct asked *asked = data;
    asked->plain = permits(asked->f, RILL_SIM_CALL_PLAIN);
    asked->unsafe = permits(asked->f, RILL_SIM_CALL_UNSAFE);
}

static void inside_a_host_function_they_are_not_permitted(void **state)
{
    struct fixture *f = *state;
    struct asked asked = { f, RILL_SUCCESS, RILL_SUCCESS };
    rill_stream *stream = new_stream(f);
    ok(rill_launch_host(stream, ask_inside, &asked, NULL));
    ok(rill_stream_synchronize(stream));
    is(RILL_ERROR_NOT_PERMITTED, asked.plain);
    is(RILL_ERROR_NOT_PERMITTED, asked.unsafe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_seen_of_what_was_submitted_before),
        TEST(nothing_is_seen_after_the_observer_is_removed),
        TEST(of_two_observers_the_later_sees),
        TEST(removing_an_observer_waits_for_threads_that_are_inside),
        TEST(observers_come_and_go_while_others_work),
        TEST(only_a_simulator_can_be_observed),
        TEST(platforms_of_other_backends_are_told_so),
        TEST(an_observer_that_does_not_look_is_none),
        TEST(the_clock_never_goes_back),
        TEST(calls_of_the_program_are_refused_as_those_of_the_library),
        TEST(inside_a_host_function_they_are_not_permitted),
    };
    return cmocka_run_group_tests_name("observers", tests, NULL, NULL);
}
