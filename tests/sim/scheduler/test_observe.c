/* SPDX-License-Identifier: Apache-2.0
 *
 * What an observer sees of operations, and what it is told of each.
 */
#include "sim/scheduler/sightings.h"

/* ---- Lives ----------------------------------------------------------------- */

static void each_operation_is_seen_at_four_moments_in_order(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    struct album *album = watch(f);
    for (int i = 0; i < 100; i++) mark(f, stream, 'a');
    ok(rill_stream_synchronize(stream));
    unwatch(f);
    assert_int_equal(count_of(album), 400);
    for (uint64_t point = 1; point <= 100; point++)
        for (int moment = RILL_SIM_SUBMITTED; moment <= RILL_SIM_DONE; moment++)
            assert_true(place_of(album, id_of(stream), point, (rill_sim_moment)moment) >= 0);
    check_lives(album);
    check_promises(album);
}

static void an_operation_is_ready_when_what_it_waits_for_is_done(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    struct album *album = watch(f);
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    held(stream);
    uint64_t opened = 0;
    ok(rill_sim_clock(f->platform, &opened));
    assert_int_equal(count_of(album), 2);
    open_gate(closed);
    ok(rill_stream_synchronize(stream));
    unwatch(f);
    const rill_sim_sighting *done = sighting_of(album, stream, 1, RILL_SIM_DONE);
    assert_true(done->time_ns >= opened);
    assert_true(sighting_of(album, stream, 2, RILL_SIM_SUBMITTED)->time_ns <= opened);
    assert_true(sighting_of(album, stream, 2, RILL_SIM_READY)->time_ns >= done->time_ns);
    check_lives(album);
}

/* Mostly the thread that runs into the wait runs the other stream first. */
static void a_wait_is_ready_when_the_other_stream_is_there(void **state)
{
    enum { ROUNDS = 20 };
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f), *other = new_stream(f);
    struct album *album = watch(f);
    for (int i = 0; i < ROUNDS; i++) {
        mark(f, other, 'a');
        ok(rill_stream_wait_stream(stream, other));
        mark(f, stream, 'b');
        ok(rill_stream_synchronize(stream));
    }
    unwatch(f);
    for (uint64_t i = 0; i < ROUNDS; i++) {
        const rill_sim_sighting *done = sighting_of(album, other, i + 1, RILL_SIM_DONE);
        assert_true(sighting_of(album, stream, 2 * i + 1, RILL_SIM_READY)->time_ns >=
                    done->time_ns);
    }
}

static void the_points_of_a_stream_are_counted_from_one(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    mark(f, stream, 'a');
    mark(f, stream, 'a');
    ok(rill_stream_synchronize(stream));
    struct album *album = watch(f);
    mark(f, stream, 'a');
    mark(f, stream, 'a');
    ok(rill_stream_synchronize(stream));
    unwatch(f);
    for (int moment = RILL_SIM_SUBMITTED; moment <= RILL_SIM_DONE; moment++) {
        sighting_of(album, stream, 3, (rill_sim_moment)moment);
        sighting_of(album, stream, 4, (rill_sim_moment)moment);
    }
    assert_int_equal(count_of(album), 8);
}

/* ---- What is told of each -------------------------------------------------- */

static void do_nothing(const rill_launch *launch)
{
    (void)launch;
}

static void hear(rill_stream *stream, rill_status status, void *data)
{
    (void)stream, (void)status, (void)data;
}

static void every_kind_of_operation_has_its_name(void **state)
{
    static const rill_function function = { .name = "saxpy", .over_grid = do_nothing };
    const rill_dim3 one = { 1, 1, 1 };
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_kernel *kernel = new_kernel(f, f->context, &function);
    rill_event *timed = new_event_in(f, f->context, RILL_EVENT_TIMING);
    rill_devptr pinned = address_of(f, new_word(f)), device = 0, pooled = 0;
    rill_op empty = { .kind = RILL_OP_EMPTY };
    ok(rill_mem_alloc(f->context, 8, &device));
    struct album *album = watch(f);
    mark(f, stream, 'a');
    ok(rill_launch_kernel(stream, kernel, one, one, 0, NULL));
    ok(rill_memcpy_dtod_async(stream, device, device + 4, 4));
    ok(rill_memset_d32_async(stream, device, 1, 1));
    ok(rill_stream_write_value32(stream, pinned, 1, 0));
    ok(rill_stream_wait_value32(stream, pinned, 1, RILL_WAIT_EQ));
    ok(rill_event_record(timed, stream, 0));
    ok(rill_stream_submit(stream, &empty));
    ok(rill_mem_alloc_async(stream, 64, &pooled));
    ok(rill_mem_free_async(stream, pooled));
    ok(rill_stream_add_callback(stream, hear, NULL, 0));
    ok(rill_stream_synchronize(stream));
    unwatch(f);
    static const struct {
        rill_op_kind kind;
        const char *name;
    } wanted[] = {
        { RILL_OP_HOST, "host function" }, { RILL_OP_KERNEL, "saxpy" },
        { RILL_OP_MEMCPY, "memcpy" }, { RILL_OP_MEMSET, "memset" },
        { RILL_OP_VALUES, "value write" },
        { RILL_OP_VALUES, "value wait" }, { RILL_OP_EVENT_RECORD, "event record" },
        { RILL_OP_EMPTY, "empty" }, { RILL_OP_ALLOC, "alloc" }, { RILL_OP_FREE, "free" },
        { RILL_OP_HOST, "callback" },
    };
    for (uint64_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const rill_sim_sighting *seen = sighting_of(album, stream, i + 1, RILL_SIM_DONE);
        assert_int_equal(seen->kind, wanted[i].kind);
        assert_string_equal(seen->name, wanted[i].name);
        assert_int_equal(seen->after.stream, 0);
    }
    check_lives(album);
}

static void do_nothing_on_the_host(void *data)
{
    (void)data;
}

/* Where a node is seen; each moment once. */
static int place_of_node(struct album *album, uint64_t node, rill_sim_moment moment)
{
    int place = -1;
    for (int i = 0; i < count_of(album); i++) {
        const rill_sim_sighting *seen = &album->sightings[i].seen;
        if (seen->node != node || seen->moment != moment) continue;
        assert_int_equal(place, -1);
        place = i;
    }
    return place;
}

static void each_node_of_a_launch_is_seen_to_start_and_to_be_done(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    for (int in_a_row = 0; in_a_row < 2; in_a_row++) {
        rill_graph *graph = new_graph(f);
        rill_node node = NULL;
        for (int i = 0; i < 3; i++)
            ok(rill_graph_add_host(graph, &node, i && in_a_row, do_nothing_on_the_host, NULL, NULL,
                                   &node));
        rill_exec *exec = new_exec(f, graph);
        struct album *album = watch(f);
        ok(rill_exec_launch(exec, stream));
        ok(rill_stream_synchronize(stream));
        unwatch(f);
        assert_int_equal(count_of(album), 4 + 2 * 3);
        int whole = place_of_node(album, 0, RILL_SIM_DONE);
        const rill_sim_sighting *all = &album->sightings[whole].seen;
        assert_int_equal(all->kind, RILL_OP_GRAPH);
        assert_string_equal(all->name, "graph");
        for (uint64_t i = 1; i <= 3; i++) {
            int started = place_of_node(album, i, RILL_SIM_STARTED);
            int done = place_of_node(album, i, RILL_SIM_DONE);
            assert_true(0 < started && started < done);
            assert_true(done < whole);
            assert_int_equal(album->sightings[done].seen.point, in_a_row + 1);
            if (i > 1 && in_a_row)
                assert_true(place_of_node(album, i - 1, RILL_SIM_DONE) < started);
        }
    }
}

static void a_sighting_tells_size_device_stream_and_label(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream_in(f, new_context(f, 1, 0), 0), *plain = new_stream(f);
    ok(rill_stream_set_label(stream, "physics"));
    struct album *album = watch(f);
    mark(f, stream, 'a');
    mark(f, plain, 'b');
    ok(rill_stream_synchronize(stream));
    ok(rill_stream_synchronize(plain));
    unwatch(f);
    for (int moment = RILL_SIM_SUBMITTED; moment <= RILL_SIM_DONE; moment++) {
        int place = place_of(album, id_of(stream), 1, (rill_sim_moment)moment);
        assert_true(place >= 0);
        assert_int_equal(album->sightings[place].seen.size, sizeof(rill_sim_sighting));
        assert_int_equal(album->sightings[place].seen.device, 1);
        assert_string_equal(album->sightings[place].label, "physics");
        place = place_of(album, id_of(plain), 1, (rill_sim_moment)moment);
        assert_int_equal(album->sightings[place].seen.device, 0);
        assert_null(album->sightings[place].seen.stream_label);
    }
}

static void submit_elsewhere(void *data, int index)
{
    struct fixture *f = data;
    (void)index;
    works(f, rill_stream_write_value32(f->legacy, (rill_devptr)(uintptr_t)f->words, 1, 0));
}

static void a_sighting_tells_the_thread_that_did_it(void **state)
{
    struct fixture *f = *state;
    struct album *album = watch(f);
    crew(1, submit_elsewhere, f);
    all_worked(f);
    mark(f, f->legacy, 'a');
    ok(rill_stream_synchronize(f->legacy));
    unwatch(f);
    uint64_t there = sighting_of(album, f->legacy, 1, RILL_SIM_SUBMITTED)->thread;
    uint64_t here = sighting_of(album, f->legacy, 2, RILL_SIM_SUBMITTED)->thread;
    assert_int_not_equal(there, here);
    assert_int_not_equal(there, 0);
    assert_int_equal(sighting_of(album, f->legacy, 2, RILL_SIM_STARTED)->thread,
                     sighting_of(album, f->legacy, 2, RILL_SIM_DONE)->thread);
}

/* ---- Promises -------------------------------------------------------------- */

static void a_wait_names_the_point_that_it_waits_for(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f);
    rill_event *event = new_event(f);
    struct album *album = watch(f);
    struct gate *closed = gate(f, a);
    mark(f, a, 'a');
    ok(rill_event_record(event, a, 0));
    mark(f, a, 'x');
    ok(rill_stream_wait_event(b, event, 0));
    mark(f, b, 'b');
    open_gate(closed);
    ok(rill_stream_synchronize(b));
    ok(rill_stream_synchronize(a));
    unwatch(f);
    for (int moment = RILL_SIM_SUBMITTED; moment <= RILL_SIM_DONE; moment++) {
        const rill_sim_sighting *seen = sighting_of(album, b, 1, (rill_sim_moment)moment);
        assert_int_equal(seen->kind, RILL_OP_EVENT_WAIT);
        assert_int_equal(seen->after.stream, id_of(a));
        assert_int_equal(seen->after.point, 3); /* the record is one, too */
    }
    check_lives(album);
    check_promises(album);
}

/* Whoever looks for what a program was promised needs these no less. */
static void waits_for_what_is_done_and_records_without_time_are_seen(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f), *b = new_non_blocking(f);
    rill_event *event = new_event(f);
    struct album *album = watch(f);
    mark(f, a, 'a');
    ok(rill_event_record(event, a, 0));
    ok(rill_stream_synchronize(a));
    ok(rill_event_query(event));
    ok(rill_stream_wait_event(b, event, 0));
    mark(f, b, 'b');
    ok(rill_stream_synchronize(b));
    unwatch(f);
    for (int moment = RILL_SIM_SUBMITTED; moment <= RILL_SIM_DONE; moment++) {
        const rill_sim_sighting *record = sighting_of(album, a, 2, (rill_sim_moment)moment);
        const rill_sim_sighting *wait = sighting_of(album, b, 1, (rill_sim_moment)moment);
        assert_int_equal(record->kind, RILL_OP_EVENT_RECORD);
        assert_int_equal(wait->kind, RILL_OP_EVENT_WAIT);
        assert_int_equal(wait->after.stream, id_of(a));
        assert_int_equal(wait->after.point, 2);
    }
    check_lives(album);
    check_promises(album);
}

/* With nobody to see them they are no operations, and cost nothing. */
static void unobserved_they_are_no_operations(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f), *b = new_non_blocking(f);
    rill_event *event = new_event(f);
    mark(f, a, 'a');
    ok(rill_event_record(event, a, 0));
    ok(rill_stream_synchronize(a));
    ok(rill_stream_wait_event(b, event, 0));
    struct album *album = watch(f);
    mark(f, a, 'a');
    mark(f, b, 'b');
    ok(rill_stream_synchronize(a));
    ok(rill_stream_synchronize(b));
    unwatch(f);
    sighting_of(album, a, 2, RILL_SIM_DONE);
    sighting_of(album, b, 1, RILL_SIM_DONE);
}

static void the_order_of_the_legacy_stream_is_a_promise_like_others(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f);
    struct album *album = watch(f);
    struct gate *closed = gate(f, a);
    mark(f, f->legacy, 'L');
    mark(f, a, 'a');
    open_gate(closed);
    ok(rill_stream_synchronize(a));
    unwatch(f);
    const rill_sim_sighting *legacy = sighting_of(album, f->legacy, 1, RILL_SIM_SUBMITTED);
    const rill_sim_sighting *later = sighting_of(album, a, 2, RILL_SIM_SUBMITTED);
    assert_int_equal(legacy->kind, RILL_OP_EVENT_WAIT);
    assert_int_equal(legacy->after.stream, id_of(a));
    assert_int_equal(legacy->after.point, 1);
    assert_int_equal(later->kind, RILL_OP_EVENT_WAIT);
    assert_int_equal(later->after.stream, id_of(f->legacy));
    assert_int_equal(later->after.point, 2);
    check_promises(album);
}

static void weave(void *data, int index)
{
    struct many *many = data;
    struct fixture *f = many->f;
    for (int i = 0; i < 60; i++) {
        rill_stream *own = many->streams[index];
        int other = (index + i) % 8;
        works(f, rill_stream_wait_event(own, many->events[other], 0));
        works(f, rill_stream_write_value32(own, (rill_devptr)(uintptr_t)f->words, 1, 0));
        works(f, rill_event_record(many->events[index], own, 0));
        if (i % 16 == index) works(f, rill_stream_synchronize(own));
        if (i % 20 == index)
            works(f, rill_stream_write_value32(f->legacy, (rill_devptr)(uintptr_t)f->words, 1, 0));
    }
}

static void promises_hold_among_many_streams_and_threads(void **state)
{
    struct fixture *f = *state;
    struct many many = { .f = f };
    for (int i = 0; i < 8; i++) many.streams[i] = new_stream(f);
    for (int i = 0; i < 8; i++) many.events[i] = new_event(f);
    struct album *album = watch(f);
    crew(8, weave, &many);
    all_worked(f);
    ok(rill_context_synchronize(f->context));
    unwatch(f);
    int moments[4] = { 0 };
    for (int i = 0; i < count_of(album); i++) moments[album->sightings[i].seen.moment]++;
    assert_true(moments[RILL_SIM_SUBMITTED] >= 8 * 60);
    for (int i = 1; i < 4; i++) assert_int_equal(moments[i], moments[RILL_SIM_SUBMITTED]);
    check_lives(album);
    check_promises(album);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_operation_is_seen_at_four_moments_in_order),
        TEST(an_operation_is_ready_when_what_it_waits_for_is_done),
        TEST(a_wait_is_ready_when_the_other_stream_is_there),
        TEST(the_points_of_a_stream_are_counted_from_one),
        TEST(every_kind_of_operation_has_its_name),
        TEST(each_node_of_a_launch_is_seen_to_start_and_to_be_done),
        TEST(a_sighting_tells_size_device_stream_and_label),
        TEST(a_sighting_tells_the_thread_that_did_it),
        TEST(a_wait_names_the_point_that_it_waits_for),
        TEST(waits_for_what_is_done_and_records_without_time_are_seen),
        TEST(unobserved_they_are_no_operations),
        TEST(the_order_of_the_legacy_stream_is_a_promise_like_others),
        TEST(promises_hold_among_many_streams_and_threads),
    };
    return cmocka_run_group_tests_name("observe", tests, NULL, NULL);
}
