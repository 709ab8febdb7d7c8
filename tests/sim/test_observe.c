/* SPDX-License-Identifier: Apache-2.0
 *
 * rill_sim_observe(): the life of every operation, in order, with what it was
 * promised to come after.
 */
#include <stdlib.h>
#include <string.h>

#include <rill/sim.h>

#include "conformance/fixture.h"

/* ---- What was seen ----------------------------------------------------------------- */

#define SIGHTINGS 65536

/* Sightings in the order in which they were made. */
struct album {
    atomic_int count;
    struct sighting {
        rill_sim_sighting seen;
        char label[RILL_LABEL_MAX];
    } sightings[SIGHTINGS];
};

static void see(void *data, const rill_sim_sighting *seen)
{
    struct album *album = data;
    int at = atomic_fetch_add(&album->count, 1);
    if (at >= SIGHTINGS) return;
    struct sighting *sighting = &album->sightings[at];
    sighting->seen = *seen;
    if (seen->stream_label) strncpy(sighting->label, seen->stream_label, RILL_LABEL_MAX - 1);
}

static struct album *watch(struct fixture *f)
{
    static struct album album;
    const rill_sim_observer observer = { see, &album };
    memset(&album, 0, sizeof album);
    ok(rill_sim_observe(f->platform, &observer));
    return &album;
}

static void unwatch(struct fixture *f)
{
    ok(rill_sim_observe(f->platform, NULL));
}

static int count_of(struct album *album)
{
    int count = atomic_load(&album->count);
    assert_in_range(count, 0, SIGHTINGS);
    return count;
}

/* The place in the album of a moment of an operation; -1: it was not seen. */
static int place_of(struct album *album, uint64_t stream, uint64_t point, rill_sim_moment moment)
{
    for (int i = 0; i < count_of(album); i++) {
        const rill_sim_sighting *seen = &album->sightings[i].seen;
        if (seen->stream == stream && seen->point == point && seen->moment == moment) return i;
    }
    return -1;
}

static const rill_sim_sighting *sighting_of(struct album *album, rill_stream *stream,
                                            uint64_t point, rill_sim_moment moment)
{
    uint64_t id = 0;
    ok(rill_stream_id(stream, &id));
    int place = place_of(album, id, point, moment);
    if (place < 0) fail_msg("operation %d was not seen at moment %d", (int)point, (int)moment);
    return &album->sightings[place].seen;
}

static uint64_t id_of(rill_stream *stream)
{
    uint64_t id = 0;
    ok(rill_stream_id(stream, &id));
    return id;
}

/* Each operation once at each moment, in the order of the moments and of their
 * times. */
static void check_lives(struct album *album)
{
    for (int i = 0; i < count_of(album); i++) {
        const rill_sim_sighting *first = &album->sightings[i].seen;
        if (first->moment != RILL_SIM_SUBMITTED) continue;
        int before = i;
        for (int moment = RILL_SIM_READY; moment <= RILL_SIM_DONE; moment++) {
            int at = place_of(album, first->stream, first->point, (rill_sim_moment)moment);
            assert_true(at > before);
            assert_true(album->sightings[at].seen.time_ns >= album->sightings[before].seen.time_ns);
            assert_int_equal(album->sightings[at].seen.kind, first->kind);
            assert_ptr_equal(album->sightings[at].seen.name, first->name);
            before = at;
        }
    }
}

/* Nothing began before what it was promised to come after was done. */
static void check_promises(struct album *album)
{
    for (int i = 0; i < count_of(album); i++) {
        const rill_sim_sighting *seen = &album->sightings[i].seen;
        if (seen->moment != RILL_SIM_STARTED) continue;
        if (seen->point > 1) {
            int before = place_of(album, seen->stream, seen->point - 1, RILL_SIM_DONE);
            assert_in_range(before, 0, i - 1);
        }
        if (!seen->after.stream) continue;
        assert_int_equal(seen->kind, RILL_OP_EVENT_WAIT);
        int after = place_of(album, seen->after.stream, seen->after.point, RILL_SIM_DONE);
        assert_in_range(after, 0, i - 1);
    }
}

/* ---- Lives --------------------------------------------------------------------------- */

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

/* ---- What is told of each ------------------------------------------------------------ */

static void do_nothing(const rill_launch *launch)
{
    (void)launch;
}

static void every_kind_of_operation_has_its_name(void **state)
{
    static const rill_function function = { .name = "saxpy", .over_grid = do_nothing };
    const rill_dim3 one = { 1, 1, 1 };
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_kernel *kernel = new_kernel(f, f->context, &function);
    rill_event *timed = new_event_in(f, f->context, RILL_EVENT_TIMING);
    rill_devptr pinned = address_of(f, new_word(f)), device = 0;
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
        { RILL_OP_EMPTY, "empty" },
    };
    for (uint64_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const rill_sim_sighting *seen = sighting_of(album, stream, i + 1, RILL_SIM_DONE);
        assert_int_equal(seen->kind, wanted[i].kind);
        assert_string_equal(seen->name, wanted[i].name);
        assert_int_equal(seen->after.stream, 0);
    }
    check_lives(album);
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

/* ---- Promises -------------------------------------------------------------------------- */

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

struct many {
    struct fixture *f;
    rill_stream *streams[8];
    rill_event *events[8];
};

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

/* ---- Coming and going -------------------------------------------------------------------- */

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

/* ---- Run ---------------------------------------------------------------------------------- */

static rill_status open_sim(int devices, rill_platform **platform)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = devices };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    return rill_open(&options, platform);
}

static int setup(void **state)
{
    static const struct suite_backend backend = { .name = "sim", .open = open_sim };
    suite = &backend;
    return fixture_setup(state, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_operation_is_seen_at_four_moments_in_order),
        TEST(an_operation_is_ready_when_what_it_waits_for_is_done),
        TEST(the_points_of_a_stream_are_counted_from_one),
        TEST(every_kind_of_operation_has_its_name),
        TEST(a_sighting_tells_size_device_stream_and_label),
        TEST(a_sighting_tells_the_thread_that_did_it),
        TEST(a_wait_names_the_point_that_it_waits_for),
        TEST(waits_for_what_is_done_and_records_without_time_are_seen),
        TEST(unobserved_they_are_no_operations),
        TEST(the_order_of_the_legacy_stream_is_a_promise_like_others),
        TEST(promises_hold_among_many_streams_and_threads),
        TEST(nothing_is_seen_of_what_was_submitted_before),
        TEST(nothing_is_seen_after_the_observer_is_removed),
        TEST(of_two_observers_the_later_sees),
        TEST(removing_an_observer_waits_for_threads_that_are_inside),
        TEST(observers_come_and_go_while_others_work),
        TEST(only_a_simulator_can_be_observed),
        TEST(the_clock_never_goes_back),
    };
    return cmocka_run_group_tests_name("observe", tests, NULL, NULL);
}
