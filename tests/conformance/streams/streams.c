/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams: making them and asking what they are.
 */
#include "conformance/fixture.h"

/* ---- Making --------------------------------------------------------------------- */

/* ST-1 */
static void an_unknown_flag_is_refused_and_the_output_stays(void **state)
{
    struct fixture *f = *state;
    const uint32_t refused[] = { 2, 3, 4, 0x80, 0x80000000u, 0xffffffffu };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const rill_stream_options options = { .size = sizeof options, .flags = refused[i] };
        rill_stream *stream = (rill_stream *)0x77;
        is(RILL_ERROR_INVALID_VALUE, rill_stream_create(f->context, &options, &stream));
        assert_ptr_equal(stream, (rill_stream *)0x77);
        blames("rill_stream_create", "options->flags");
    }
}

/* ST-1 */
static void a_stream_without_a_place_to_put_it_is_refused(void **state)
{
    struct fixture *f = *state;
    refuses(RILL_ERROR_INVALID_VALUE, "stream", rill_stream_create(f->context, NULL, NULL));
}

/* ST-12 */
static void the_flags_of_its_creation_read_back(void **state)
{
    struct fixture *f = *state;
    const uint32_t taken[] = { 0, RILL_STREAM_NON_BLOCKING };
    for (size_t i = 0; i < 2; i++) {
        uint32_t flags = 99;
        ok(rill_stream_flags(new_stream_in(f, f->context, taken[i]), &flags));
        assert_int_equal(flags, taken[i]);
    }
}

/* ST-1, ST-6 */
static void no_options_make_a_blocking_stream_of_the_least_priority(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = NULL;
    uint32_t flags = 99;
    int priority = 99, least = 98;
    ok(rill_stream_create(f->context, NULL, &stream));
    ok(rill_stream_flags(stream, &flags));
    ok(rill_stream_priority(stream, &priority));
    ok(rill_context_priority_range(f->context, &least, NULL));
    ok(rill_stream_destroy(&stream));
    assert_int_equal(flags, 0);
    assert_int_equal(priority, least);
}

static int priority_given(struct fixture *f, int wanted)
{
    int priority = 99;
    ok(rill_stream_priority(new_stream_with(f, wanted), &priority));
    return priority;
}

/* ST-6 */
static void a_priority_is_clamped_to_the_range_of_the_context(void **state)
{
    struct fixture *f = *state;
    int least = 99, greatest = 99;
    ok(rill_context_priority_range(f->context, &least, &greatest));
    assert_true(greatest < least);
    for (int priority = greatest; priority <= least; priority++)
        assert_int_equal(priority_given(f, priority), priority);
    assert_int_equal(priority_given(f, greatest - 1), greatest);
    assert_int_equal(priority_given(f, INT32_MIN), greatest);
    assert_int_equal(priority_given(f, least + 1), least);
    assert_int_equal(priority_given(f, INT32_MAX), least);
}

/* ---- Asking --------------------------------------------------------------------- */

static uint64_t id_of(rill_stream *stream)
{
    uint64_t id = 0;
    rill_stream_id(stream, &id);
    return id;
}

/* ST-10 */
static void an_id_is_stable_and_no_other_stream_ever_has_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *first = new_stream(f), *second = NULL;
    uint64_t taken = id_of(first), given_back;
    assert_int_equal(id_of(first), taken);
    ok(rill_stream_create(f->context, NULL, &second));
    given_back = id_of(second);
    ok(rill_stream_destroy(&second));
    uint64_t ids[] = { taken, given_back, id_of(new_stream(f)), id_of(f->legacy),
                       id_of(f->per_thread) };
    for (int i = 0; i < 5; i++) {
        assert_int_not_equal(ids[i], 0);
        for (int k = 0; k < i; k++) assert_int_not_equal(ids[i], ids[k]);
    }
}

struct special_ids {
    struct fixture *f;
    uint64_t legacy[3], per_thread[3];
};

static void ask_ids(void *data, int index)
{
    struct special_ids *ids = data;
    ids->legacy[index] = id_of(ids->f->legacy);
    ids->per_thread[index] = id_of(ids->f->per_thread);
}

/* ST-10, DS-4: two threads at once, and a third that asked before. */
static void threads_share_the_legacy_stream_and_not_the_per_thread_stream(void **state)
{
    struct special_ids ids = { .f = *state };
    ask_ids(&ids, 2);
    crew(2, ask_ids, &ids);
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3;
        assert_int_equal(ids.legacy[i], ids.legacy[next]);
        assert_int_not_equal(ids.per_thread[i], ids.per_thread[next]);
        assert_int_not_equal(ids.legacy[i], ids.per_thread[i]);
    }
    uint64_t before = ids.per_thread[2];
    ask_ids(&ids, 2);
    assert_int_equal(ids.per_thread[2], before);
}

/* ST-11, ST-12 */
static void the_default_streams_say_what_they_are(void **state)
{
    struct fixture *f = *state;
    rill_stream *const defaults[] = { f->legacy, f->per_thread };
    for (int i = 0; i < 2; i++) {
        uint32_t flags = 99;
        int priority = 99, device = 99;
        rill_context *context = NULL;
        ok(rill_stream_flags(defaults[i], &flags));
        ok(rill_stream_priority(defaults[i], &priority));
        ok(rill_stream_device(defaults[i], &device));
        ok(rill_stream_context(defaults[i], &context));
        assert_int_equal(flags, 0);
        assert_int_equal(priority, 0);
        assert_int_equal(device, 0);
        assert_ptr_equal(context, f->context);
        ok(rill_stream_query(defaults[i]));
        ok(rill_stream_synchronize(defaults[i]));
    }
}

static void a_default_stream_is_one_handle_for_each_context(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    assert_ptr_equal(rill_stream_legacy(f->context), f->legacy);
    assert_ptr_equal(rill_stream_per_thread(f->context), f->per_thread);
    assert_ptr_not_equal(rill_stream_legacy(other), f->legacy);
    assert_ptr_not_equal(rill_stream_per_thread(other), f->per_thread);
    assert_ptr_not_equal(f->legacy, f->per_thread);
}

static void a_getter_without_a_place_for_the_answer_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    refuses(RILL_ERROR_INVALID_VALUE, "id", rill_stream_id(stream, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "flags", rill_stream_flags(stream, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "priority", rill_stream_priority(stream, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "device", rill_stream_device(stream, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "context", rill_stream_context(stream, NULL));
}

/* ST-8 */
static void a_query_follows_the_life_of_the_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f);
    ok(rill_stream_query(stream));
    ok(rill_stream_synchronize(stream));
    struct gate *closed = gate(f, stream);
    held(stream);
    mark(f, stream, 'a');
    held(stream);
    order(f, "");
    open_gate(closed);
    ok(rill_stream_synchronize(stream));
    ok(rill_stream_query(stream));
    order(f, "a");
}

/* ST-8: queries alone see a stream to its end. */
static void a_stream_that_is_only_queried_drains(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    mark(f, stream, 'a');
    while (rill_stream_query(stream) == RILL_ERROR_NOT_READY) continue;
    ok(rill_stream_query(stream));
    order(f, "a");
}

static void a_label_can_be_given_changed_and_taken_away(void **state)
{
    struct fixture *f = *state;
    const rill_stream_options options = { .size = sizeof options, .label = "upload" };
    rill_stream *stream = NULL;
    ok(rill_stream_create(f->context, &options, &stream));
    assert_string_equal(rill_stream_label(stream), "upload");
    ok(rill_stream_set_label(stream, "download"));
    assert_string_equal(rill_stream_label(stream), "download");
    is(RILL_ERROR_INVALID_VALUE, rill_stream_id(stream, NULL));
    assert_string_equal(rill_last_error()->object, "stream 'download'");
    ok(rill_stream_set_label(stream, NULL));
    assert_null(rill_stream_label(stream));
    ok(rill_stream_destroy(&stream));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_unknown_flag_is_refused_and_the_output_stays),
    cmocka_unit_test(a_stream_without_a_place_to_put_it_is_refused),
    cmocka_unit_test(the_flags_of_its_creation_read_back),
    cmocka_unit_test(no_options_make_a_blocking_stream_of_the_least_priority),
    cmocka_unit_test(a_priority_is_clamped_to_the_range_of_the_context),
    cmocka_unit_test(an_id_is_stable_and_no_other_stream_ever_has_it),
    cmocka_unit_test(threads_share_the_legacy_stream_and_not_the_per_thread_stream),
    cmocka_unit_test(the_default_streams_say_what_they_are),
    cmocka_unit_test(a_default_stream_is_one_handle_for_each_context),
    cmocka_unit_test(a_getter_without_a_place_for_the_answer_is_refused),
    cmocka_unit_test(a_query_follows_the_life_of_the_stream),
    cmocka_unit_test(a_stream_that_is_only_queried_drains),
    cmocka_unit_test(a_label_can_be_given_changed_and_taken_away),
};

SUITE_GROUP(streams, 1);
